export * as PublicAddress from "./PublicAddress.ts"
export * as PublicUrl from "./PublicUrl.ts"
