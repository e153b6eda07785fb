export * as Caller from "./Caller.ts"
export * as InvalidRequest from "./InvalidRequest.ts"
export * as Named from "./Named.ts"
