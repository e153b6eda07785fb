export * as Connection from "./Connection.ts"
export * as Shared from "./Shared.ts"
export * as Stores from "./Stores.ts"
