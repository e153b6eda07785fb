export * as Core from "./Core.ts"
