export { companyFacts, domain, email, personFacts, phone, text, url } from "./Facts.ts"
