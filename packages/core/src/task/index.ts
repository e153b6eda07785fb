export * as Operations from "./Operations.ts"
