export * as Readiness from "./Readiness.ts"
export * as Server from "./Server.ts"
