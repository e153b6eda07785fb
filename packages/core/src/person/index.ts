export { EmailStatus, EmailType, PersonFacts, PhoneType } from "./PersonFacts.ts"
export type { PersonIdentity } from "./PersonIdentity.ts"
