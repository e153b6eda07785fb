export type { Company } from "./Company.ts"
export type { Job, Person } from "./Person.ts"
export { make, standard, type SyntheticPopulation } from "./SyntheticPopulation.ts"
export { type CompanyView, type PersonView, viewCompany, viewPerson } from "./View.ts"
