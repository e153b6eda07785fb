/**
 * The port of a directory of companies: search by filters, in pages. What every directory does is in
 * `waterfall/Directory`; adapters give one as `Source.companyDirectory`.
 */
import { Context, Layer } from "effect"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import * as Directory from "../waterfall/Directory.ts"
import type { Estimate } from "../waterfall/Said.ts"
import type { CompanyFacts } from "./CompanyFacts.ts"

/** Which companies are looked for: all filters that say something have to hold, each by any of its values. */
export interface CompanyFilter {
  /** Words of the company's name. */
  readonly query: string | null
  /** Lower case, without scheme, `www.` and path. */
  readonly domains: ReadonlyArray<string>
  /** Of the headquarters; ISO 3166-1 alpha-2. */
  readonly countries: ReadonlyArray<string>
  readonly industries: ReadonlyArray<string>
  readonly technologies: ReadonlyArray<string>
  readonly employee_range: Directory.Span | null
  /** Years. */
  readonly founded_range: Directory.Span | null
}

/** Asks for nothing; to be spread under what is asked for. */
export const noFilter: CompanyFilter = {
  query: null,
  domains: [],
  countries: [],
  industries: [],
  technologies: [],
  employee_range: null,
  founded_range: null
}

export type CompanyHit = Directory.Hit<CompanyFacts>

export class CompanyDirectory extends Context.Service<
  CompanyDirectory,
  Directory.Directory<CompanyFilter, CompanyHit>
>()("@lading/core/company/CompanyDirectory") {}

/** Whether what is said holds; `null` where nothing is said. */
type Verdict = boolean | null

const anyOf = (said: ReadonlyArray<string> | null | undefined, wanted: ReadonlyArray<string>): Verdict => {
  if (said === null || said === undefined || said.length === 0) return null
  const keys = new Set(said.map(Text.key))
  return wanted.some((one) => keys.has(Text.key(one)))
}

/** A range that the source gives holds where it overlaps the one that is asked for. */
const within = (said: Estimate | null | undefined, { max, min }: Directory.Span): Verdict => {
  if (said === null || said === undefined) return null
  const range = typeof said === "number" ? { min: said, max: said } : said
  return (max === null || range.min <= max) && (min === null || range.max === null || range.max >= min)
}

const named = (name: string | null | undefined, query: string): Verdict => {
  if (name === null || name === undefined) return null
  const words = new Set(Text.words(name))
  return Text.words(query).every((word) => words.has(word))
}

const at = ({ domain_aliases, primary_domain }: CompanyFacts, domains: ReadonlyArray<string>): Verdict => {
  const said = [primary_domain, ...(domain_aliases ?? [])].flatMap((text) => DomainName.parse(text ?? "") ?? [])
  return said.length === 0 ? null : said.some((one) => domains.some((domain) => DomainName.sameOwner(one, domain)))
}

const from = ({ hq }: CompanyFacts, countries: ReadonlyArray<string>): Verdict => {
  const { country_code } = Country.read(hq?.country, hq?.country_code)
  return country_code === null ? null : countries.includes(country_code)
}

const checks: {
  readonly [Name in keyof CompanyFilter]: (facts: CompanyFacts, wanted: NonNullable<CompanyFilter[Name]>) => Verdict
} = {
  query: ({ name }, query) => named(name, query),
  domains: at,
  countries: from,
  industries: ({ industries }, wanted) => anyOf(industries, wanted),
  technologies: ({ technologies }, wanted) => anyOf(technologies, wanted),
  employee_range: ({ estimated_employee_count }, span) => within(estimated_employee_count, span),
  founded_range: ({ founded_year }, span) => within(founded_year, span)
}

const verdict = <Name extends keyof CompanyFilter>(name: Name, filter: CompanyFilter, facts: CompanyFacts): Verdict => {
  const wanted = filter[name]
  return wanted === null ? null : checks[name](facts, wanted)
}

/** For each filter that says something, whether the facts agree with it; `null` where they say nothing about it. */
export const verdicts = (filter: CompanyFilter, facts: CompanyFacts): ReadonlyMap<keyof CompanyFilter, Verdict> =>
  new Map(Directory.asked(filter).map((name) => [name, verdict(name, filter, facts)]))

/** How the adapter of a directory in memory is called. */
const MEMORY = "memory"

const exact: Required<Directory.Directory<CompanyFilter, CompanyHit>["filters"]> = {
  query: "exact",
  domains: "exact",
  countries: "exact",
  industries: "exact",
  technologies: "exact",
  employee_range: "exact",
  founded_range: "exact"
}

/** These companies and no other, for tests and for embedders with a list of their own. Wants no credential. */
export const layerMemory = (companies: ReadonlyArray<CompanyFacts>): Layer.Layer<CompanyDirectory> => {
  const hits = companies.map((facts): CompanyHit => ({
    source: MEMORY,
    id: facts.primary_domain ?? null,
    facts,
    raw: facts
  }))
  return Layer.succeed(
    CompanyDirectory,
    Directory.memory<CompanyFilter, CompanyHit>(MEMORY, exact, hits, (filter, { facts }) =>
      [...verdicts(filter, facts).values()].every((verdict) => verdict === true)
    )
  )
}
