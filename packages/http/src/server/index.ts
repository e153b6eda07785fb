export * as Logging from "./Logging.ts"
export * as Readiness from "./Readiness.ts"
export * as Server from "./Server.ts"
