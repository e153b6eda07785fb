/**
 * The port of a directory of people: search by filters, in pages. What every directory does is in
 * `waterfall/Directory`; adapters give one as `Source.personDirectory`.
 *
 * Gotchas
 * - Vendors have classes of their own for seniority and department. The filters have the domain's words; an adapter says
 *   which of them it can ask for. In a hit both are the vendor's own words.
 * - A hit may be without a last name: some vendors sell it apart, and show its first letters here (`last_name_hint`).
 */
import { Context, Layer, Schema } from "effect"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import * as Directory from "../waterfall/Directory.ts"
import type { PersonFacts } from "./PersonFacts.ts"

/** How far up somebody is, from the top. */
export const Seniority = Schema.Literals([
  "owner",
  "founder",
  "c_level",
  "partner",
  "vp",
  "head",
  "director",
  "manager",
  "senior",
  "junior",
  "intern"
])
export type Seniority = typeof Seniority.Type

export const Department = Schema.Literals([
  "executive",
  "operations",
  "engineering",
  "it",
  "finance",
  "sales",
  "marketing",
  "communication",
  "hr",
  "legal",
  "support",
  "design",
  "education",
  "health"
])
export type Department = typeof Department.Type

/** Who is looked for: all filters that say something have to hold, each by any of its values. */
export interface PersonFilter {
  /** Of the present employer: lower case, without scheme, `www.` and path. */
  readonly company_domain: string | null
  /** Words that follow one another in the present title. */
  readonly titles: ReadonlyArray<string>
  readonly seniorities: ReadonlyArray<Seniority>
  readonly departments: ReadonlyArray<Department>
  /** Where the person is; ISO 3166-1 alpha-2. */
  readonly countries: ReadonlyArray<string>
}

/** Asks for nothing; to be spread under what is asked for. */
export const noFilter: PersonFilter = {
  company_domain: null,
  titles: [],
  seniorities: [],
  departments: [],
  countries: []
}

export interface PersonHit extends Directory.Hit<PersonFacts> {
  /** What the vendor shows of a last name that it does not give away, e.g. `El***n`. */
  readonly last_name_hint: string | null
  /** In the vendor's own words. */
  readonly seniority: string | null
  /** In the vendor's own words. */
  readonly department: string | null
}

export class PersonDirectory extends Context.Service<PersonDirectory, Directory.Directory<PersonFilter, PersonHit>>()(
  "@lading/core/person/PersonDirectory"
) {}

/** Whether what is said holds; `null` where nothing is said. */
type Verdict = boolean | null

const titled = (title: string | null | undefined, wanted: ReadonlyArray<string>): Verdict => {
  if (title === null || title === undefined) return null
  const said = ` ${Text.words(title).join(" ")} `
  return wanted.some((one) => said.includes(` ${Text.words(one).join(" ")} `))
}

const at = (said: string | null | undefined, domain: string): Verdict => {
  const known = DomainName.parse(said ?? "")
  return known === null ? null : DomainName.sameOwner(known, domain)
}

const from = ({ location }: PersonFacts, countries: ReadonlyArray<string>): Verdict => {
  const { country_code } = Country.read(location?.country, location?.country_code)
  return country_code === null ? null : countries.includes(country_code)
}

const among = (said: string | null, wanted: ReadonlyArray<string>): Verdict =>
  said === null ? null : wanted.some((one) => Text.key(one) === Text.key(said))

const checks: {
  readonly [Name in keyof PersonFilter]: (hit: PersonHit, wanted: NonNullable<PersonFilter[Name]>) => Verdict
} = {
  company_domain: ({ facts }, domain) => at(facts.company_domain, domain),
  titles: ({ facts }, titles) => titled(facts.current_title, titles),
  seniorities: ({ seniority }, wanted) => among(seniority, wanted),
  departments: ({ department }, wanted) => among(department, wanted),
  countries: ({ facts }, countries) => from(facts, countries)
}

const verdict = <Name extends keyof PersonFilter>(name: Name, filter: PersonFilter, hit: PersonHit): Verdict => {
  const wanted = filter[name]
  return wanted === null ? null : checks[name](hit, wanted)
}

/**
 * For each filter that says something, whether the hit agrees with it; `null` where it says nothing about it. The classes of
 * a vendor are compared by their words, so that only one with the domain's own words agrees.
 */
export const verdicts = (filter: PersonFilter, hit: PersonHit): ReadonlyMap<keyof PersonFilter, Verdict> =>
  new Map(Directory.asked(filter).map((name) => [name, verdict(name, filter, hit)]))

/** How the adapter of a directory in memory is called. */
const MEMORY = "memory"

const exact: Required<Directory.Directory<PersonFilter, PersonHit>["filters"]> = {
  company_domain: "exact",
  titles: "exact",
  seniorities: "exact",
  departments: "exact",
  countries: "exact"
}

/** Somebody in a directory in memory. */
export interface Listed {
  readonly facts: PersonFacts
  readonly seniority: Seniority | null
  readonly department: Department | null
}

/** These people and no other, for tests and for embedders with a list of their own. Wants no credential. */
export const layerMemory = (people: ReadonlyArray<Listed>): Layer.Layer<PersonDirectory> => {
  const hits = people.map((one): PersonHit => ({
    source: MEMORY,
    id: one.facts.emails?.[0]?.email ?? null,
    last_name_hint: null,
    raw: one,
    ...one
  }))
  return Layer.succeed(
    PersonDirectory,
    Directory.memory<PersonFilter, PersonHit>(MEMORY, exact, hits, (filter, hit) =>
      [...verdicts(filter, hit).values()].every((verdict) => verdict === true)
    )
  )
}
