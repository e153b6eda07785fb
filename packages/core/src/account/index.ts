export * as Accounts from "./Accounts.ts"
export * as ApiKey from "./ApiKey.ts"
export * as Scope from "./Scope.ts"
export * as Suppression from "./Suppression.ts"
