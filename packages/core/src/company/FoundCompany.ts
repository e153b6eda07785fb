/** A company as a search shows it, and what is made of a vendor's record. Pure. */
import { Schema } from "effect"
import type { CompanyFacts } from "./CompanyFacts.ts"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import type { Estimate } from "../waterfall/Said.ts"
import { type Company, nameKey, ownerOf, ownId, type Said } from "./KnownCompany.ts"

const Nullable = Schema.NullOr(Schema.String)

export const CompanySummary = Schema.Struct({
  company_id: Schema.String.annotate({ description: "Of customs records where there are some; else of its own" }),
  name: Nullable,
  domain: Nullable,
  website_url: Nullable,
  country: Nullable.annotate({ description: "Of the headquarters, ISO 3166-1 alpha-2" }),
  city: Nullable,
  industries: Schema.Array(Schema.String),
  technologies: Schema.Array(Schema.String),
  employee_range: Schema.NullOr(Schema.Struct({ min: Schema.Finite, max: Schema.NullOr(Schema.Finite) })).annotate({
    description: "A known number has it at both ends; max is null for an open range"
  }),
  founded_year: Schema.NullOr(Schema.Int),
  description: Nullable,
  linkedin_url: Nullable,
  has_trade: Schema.Boolean,
  trade: Schema.NullOr(
    Schema.Struct({ trade_count: Schema.Int, import_count: Schema.Int, export_count: Schema.Int })
  ).annotate({ description: "Customs records that name it" }),
  sources: Schema.Array(Schema.String).annotate({ description: "Who knows it: own, or vendors by name" }),
  credits: Schema.Finite
}).annotate({ identifier: "CompanySummary" })

/** Before it has a price. */
export type Item = Omit<typeof CompanySummary.Type, "credits">

export const itemOf = ({ employees, trade, ...company }: Company, source: string): Item => ({
  ...company,
  employee_range: employees === null ? null : { min: employees.min, max: employees.max },
  has_trade: trade !== null,
  trade,
  sources: [source]
})

const spanOf = (estimate: Estimate | null | undefined): Said["employees"] => {
  if (estimate === null || estimate === undefined) return null
  if (typeof estimate !== "number") return { min: estimate.min, max: estimate.max }
  return { min: estimate, max: estimate }
}

const yearOf = (year: number | null | undefined): number | null =>
  year !== null && year !== undefined && Number.isInteger(year) ? year : null

/** What a vendor says of a company, in the words of the index. */
export const saidBy = (facts: CompanyFacts): Said => ({
  name: Text.said(facts.name ?? ""),
  domain: DomainName.parse(facts.primary_domain ?? ""),
  website_url: facts.website_url ?? null,
  country: Country.read(facts.hq?.country, facts.hq?.country_code).country_code,
  city: facts.hq?.city ?? null,
  industries: facts.industries ?? [],
  technologies: facts.technologies ?? [],
  employees: spanOf(facts.estimated_employee_count),
  founded_year: yearOf(facts.founded_year),
  description: facts.description ?? null,
  linkedin_url: facts.social_links?.linkedin_url ?? null
})

export const unlisted = (said: Said): Company => ({ ...said, company_id: ownId(said), trade: null })

/** Whether two of them are one: by id, domain, or name and country. */
export const same = (a: Pick<Item, "company_id" | "country" | "domain" | "name">, b: typeof a): boolean => {
  if (a.company_id === b.company_id) return true
  if (a.domain !== null && b.domain !== null) return ownerOf(a.domain) === ownerOf(b.domain)
  const key = nameKey(a.name)
  return key !== null && a.country !== null && a.country === b.country && key === nameKey(b.name)
}

const either = <A>(a: ReadonlyArray<A>, b: ReadonlyArray<A>): ReadonlyArray<A> => (a.length > 0 ? a : b)

/** One item of two: what the first one does not know the second says. */
export const merged = (a: Item, b: Item): Item => ({
  company_id: a.company_id,
  name: a.name ?? b.name,
  domain: a.domain ?? b.domain,
  website_url: a.website_url ?? b.website_url,
  country: a.country ?? b.country,
  city: a.city ?? b.city,
  industries: either(a.industries, b.industries),
  technologies: either(a.technologies, b.technologies),
  employee_range: a.employee_range ?? b.employee_range,
  founded_year: a.founded_year ?? b.founded_year,
  description: a.description ?? b.description,
  linkedin_url: a.linkedin_url ?? b.linkedin_url,
  has_trade: a.has_trade || b.has_trade,
  trade: a.trade ?? b.trade,
  sources: [...new Set([...a.sources, ...b.sources])]
})
