/**
 * What one vendor knows of the population, and how it spells it. Vendors differ in whom they know, in which facts they
 * have, and in their spelling, so that a merge has something to decide. Everything follows from the vendor's seed.
 *
 * Gotcha: famous companies and people are known to every vendor, with name, title, head count and work address.
 */
import { type Chance, chance } from "./Chance.ts"
import type { Company } from "./Company.ts"
import type { Person } from "./Person.ts"

/** A company as a vendor has it: `null` and `[]` where it has nothing. Domain and name are always there. */
export interface CompanyView {
  readonly name: string
  readonly legal_name: string | null
  readonly domain: string
  readonly aliases: ReadonlyArray<string>
  /** `https://www.<domain>`, `http://<domain>/` or `<domain>`. */
  readonly website: string | null
  readonly industries: ReadonlyArray<string>
  readonly description: string | null
  readonly founded_year: number | null
  readonly employees: number | null
  readonly revenue: number | null
  readonly funding: number | null
  readonly phones: ReadonlyArray<string>
  readonly hq: Company["hq"] | null
  /** URLs, with or without a scheme. */
  readonly social: { readonly [Site in keyof Company["social"]]: string | null }
  readonly technologies: ReadonlyArray<string>
  readonly keywords: ReadonlyArray<string>
  readonly emails: ReadonlyArray<string>
}

export interface PersonView {
  readonly first_name: string
  readonly last_name: string
  readonly company_name: string
  readonly company_domain: string
  readonly company_linkedin: string | null
  readonly title: string | null
  readonly department: string | null
  readonly seniority: string | null
  readonly work_email: string | null
  readonly work_email_status: Person["work_email_status"]
  readonly work_email_confidence: number | null
  readonly personal_email: string | null
  readonly phones: Person["phones"]
  readonly linkedin: string | null
  readonly location: Person["location"] | null
  readonly jobs: ReadonlyArray<Person["jobs"][number]>
  readonly education: Person["education"]
}

/** The share of companies, and of people of known companies, that a vendor does not know. */
const UNKNOWN = 0.2
/** The share of facts that a vendor lacks about somebody whom it knows. */
const MISSING = 0.25

/** Gives a fact, or what stands for none. */
interface Has {
  <A>(about: string, fact: A): A | null
  list: <A>(about: string, facts: ReadonlyArray<A>) => ReadonlyArray<A>
}

const memory = (it: Chance): Has => {
  const knows = (about: string) => !it.maybe(`lacks ${about}`, MISSING)
  const one = <A>(about: string, fact: A) => (knows(about) ? fact : null)
  const list = <A>(about: string, facts: ReadonlyArray<A>) =>
    knows(about) ? it.sample(about, facts, Math.max(1, facts.length - it.int(`lost ${about}`, 0, 1))) : []
  return Object.assign(one, { list })
}

/** One vendor's manners: the same for everything it tells. */
interface Spelling {
  readonly technology: (name: string) => string
  readonly website: (domain: string) => string
  readonly url: (address: string) => string
  readonly phone: (e164: string) => string
  readonly name: (company: Company) => string
}

const spellingOf = (vendorSeed: number): Spelling => {
  const it = chance(`vendor/${vendorSeed}`)
  return {
    technology: it.pick<Spelling["technology"]>("technology", [
      (name) => name,
      (name) => name.toLowerCase(),
      (name) => name.toUpperCase()
    ]),
    website: it.pick<Spelling["website"]>("website", [
      (domain) => `https://www.${domain}`,
      (domain) => `http://${domain}/`,
      (domain) => domain
    ]),
    url: it.pick<Spelling["url"]>("url", [
      (address) => address,
      (address) => `https://www.${address}`,
      (address) => `http://${address}/`
    ]),
    phone: it.pick<Spelling["phone"]>("phone", [(e164) => e164, (e164) => e164.replace(/^\+(1|\d\d)/, "+$1 ")]),
    name: it.pick<Spelling["name"]>("name", [
      (company) => company.name,
      (company) => company.name,
      (company) => company.legal_name,
      (company) => company.name.toUpperCase()
    ])
  }
}

/** A count that is off by up to a tenth, as counts of different days are. */
const about = (it: Chance, what: string, count: number): number =>
  Math.max(1, Math.round(count * (0.9 + 0.2 * it.fraction(what))))

/** What the vendor knows of the company; `null` where it does not know it at all. */
export const viewCompany = (vendorSeed: number, company: Company): CompanyView | null => {
  const it = chance(`vendor/${vendorSeed}/company/${company.domain}`)
  if (!company.famous && it.maybe("unknown", UNKNOWN)) return null
  const has = memory(it)
  const spell = spellingOf(vendorSeed)
  const url = (site: keyof Company["social"]) => has(site, spell.url(company.social[site]))
  const employees = about(it, "employees", company.employees)
  return {
    name: spell.name(company),
    legal_name: has("legal name", company.legal_name),
    domain: company.domain,
    aliases: company.aliases,
    website: has("website", spell.website(company.domain)),
    industries: has.list("industries", company.industries),
    description: has("description", company.description),
    founded_year: has("founded", company.founded_year),
    employees: company.famous ? employees : has("employees", employees),
    revenue: has("revenue", about(it, "revenue", company.revenue / 1000) * 1000),
    funding: company.funding === null ? null : has("funding", company.funding),
    phones: has.list("phones", company.phones).map(spell.phone),
    hq: has("hq", company.hq),
    social: {
      linkedin: url("linkedin"),
      twitter: url("twitter"),
      facebook: url("facebook"),
      crunchbase: url("crunchbase"),
      instagram: url("instagram")
    },
    technologies: has.list("technologies", company.technologies).map(spell.technology),
    keywords: has.list("keywords", company.keywords),
    emails: has.list("emails", company.emails)
  }
}

/** What the vendor knows of the person; `null` where it knows neither them nor their company. */
export const viewPerson = (vendorSeed: number, person: Person): PersonView | null => {
  const it = chance(`vendor/${vendorSeed}/person/${person.work_email}`)
  if (viewCompany(vendorSeed, person.company) === null) return null
  if (!person.famous && it.maybe("unknown", UNKNOWN)) return null
  const has = memory(it)
  const spell = spellingOf(vendorSeed)
  const always = <A>(what: string, fact: A) => (person.famous ? fact : has(what, fact))
  return {
    first_name: person.first_name,
    last_name: person.last_name,
    company_name: spell.name(person.company),
    company_domain: person.company.domain,
    company_linkedin: has("company linkedin", spell.url(person.company.social.linkedin)),
    title: always("title", person.title),
    department: has("department", person.department),
    seniority: has("seniority", person.seniority),
    work_email: always("work email", person.work_email),
    work_email_status: person.famous || it.maybe("verified", 0.7) ? person.work_email_status : "unknown",
    work_email_confidence: has("confidence", person.work_email_confidence),
    personal_email: person.personal_email === null ? null : has("personal email", person.personal_email),
    phones: has.list("phones", person.phones).map(({ number, type }) => ({ number: spell.phone(number), type })),
    linkedin: has("linkedin", spell.url(person.linkedin)),
    location: has("location", person.location),
    jobs: it.maybe("history", 0.8) ? person.jobs : person.jobs.slice(0, 1),
    education: has.list("education", person.education)
  }
}
