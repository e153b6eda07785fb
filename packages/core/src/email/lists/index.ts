/** What lists say of addresses. Apart from the rest of `email`: they are megabytes that only a verifier needs. */
export * as Lists from "../Lists.ts"
