export { CompanyFacts } from "./CompanyFacts.ts"
export type { CompanyIdentity } from "./CompanyIdentity.ts"
