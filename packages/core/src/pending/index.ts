export * as Continuation from "./Continuation.ts"
export * as EnrichmentStore from "./EnrichmentStore.ts"
