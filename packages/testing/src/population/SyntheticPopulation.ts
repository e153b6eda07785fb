/**
 * The population that every simulator answers from: companies on reserved domains and their people, a pure function of
 * a seed. All vendors speak of the same world, each of its own part of it (`CompanyView`, `PersonView`).
 */
import { type Company, makeCompany } from "./Company.ts"
import { headcount, isNamed, makePerson, type Person } from "./Person.ts"
import { folded } from "./Slug.ts"

export interface SyntheticPopulation {
  /** How many companies there are. */
  readonly companies: number
  /** The company at `index`, from 0 to below `companies`. Index 0 is Nordvik Robotics, 1 Acme Robotics. */
  readonly company: (index: number) => Company
  /** By its domain or one of its aliases; `null` where nobody has it. */
  readonly companyByDomain: (domain: string) => Company | null
  /** By its name with or without legal form, whatever its case. */
  readonly companyByName: (name: string) => Company | null
  readonly peopleOf: (company: Company) => ReadonlyArray<Person>
  /** By name at the company of that domain, whatever the case and the marks of the name. */
  readonly personBy: (firstName: string, lastName: string, domain: string) => Person | null
  /** By work or personal address. */
  readonly personByEmail: (email: string) => Person | null
}

const COMPANIES = 200

/** The population of a seed. Building it takes some milliseconds; `standard` is the one that simulators share. */
export const make = (seed: number): SyntheticPopulation => {
  const companies = Array.from({ length: COMPANIES }, (_, index) => makeCompany(seed, index))
  const byDomain = new Map(
    companies.flatMap((one) => [one.domain, ...one.aliases].map((domain) => [domain, one] as const))
  )
  const byName = new Map(
    companies.flatMap((one) => [one.name, one.legal_name].map((name) => [folded(name), one] as const))
  )

  const companyByDomain = (domain: string) => byDomain.get(domain.toLowerCase().replace(/^www\./, "")) ?? null
  const peopleOf = (company: Company) =>
    Array.from({ length: headcount(seed, company) }, (_, position) => makePerson(seed, company, position))
  const byEmail = once(
    () =>
      new Map(
        companies
          .flatMap(peopleOf)
          .flatMap((person) =>
            [person.personal_email ?? person.work_email, person.work_email].map((email) => [email, person] as const)
          )
      )
  )
  return {
    companies: companies.length,
    company: (index) => companies[index] ?? makeCompany(seed, index),
    companyByDomain,
    companyByName: (name) => byName.get(folded(name)) ?? null,
    peopleOf,
    personBy: (firstName, lastName, domain) => {
      const company = companyByDomain(domain)
      return company === null ? null : (peopleOf(company).find((one) => isNamed(one, firstName, lastName)) ?? null)
    },
    personByEmail: (email) => byEmail().get(email.toLowerCase()) ?? null
  }
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}

/** The population of documentation, examples and the sandbox. */
export const standard: SyntheticPopulation = make(1)
