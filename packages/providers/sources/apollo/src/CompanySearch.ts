/**
 * `POST /api/v1/mixed_companies/search`: the question, the part of the answer that is read, and the hits in it.
 *
 * Gotchas
 * - What the customer's team has in its CRM stands in `accounts`, everybody else in `organizations`: a page is both. An
 *   account has an id of its own; that of the organization is beside it.
 * - There is no filter for industries, only for keywords, which industries are among.
 * - A page is paid for whether anybody is on it or not.
 */
import type { CompanyDirectory, CompanyFacts } from "@lading/core/company"
import { Country } from "@lading/core/value"
import { Directory, Said } from "@lading/core/waterfall"
import { Schema } from "effect"
import * as Company from "./Company.ts"

export const path = "/api/v1/mixed_companies/search"

type Filter = CompanyDirectory.CompanyFilter

export const filters: CompanyDirectory.CompanyDirectory["Service"]["filters"] = {
  query: "wide",
  domains: "exact",
  countries: "exact",
  industries: "wide",
  technologies: "exact",
  employee_range: "exact"
}

/** More employees than anybody has: Apollo's ranges are closed. */
const MANY = 10_000_000

/** Apollo's name of a country, which it takes for a location. */
export const locations = (countries: ReadonlyArray<string>): ReadonlyArray<string> =>
  countries.flatMap((code) => Country.names(code).slice(0, 1))

/** `Google Analytics` and `Node.js` as `google_analytics` and `node_js`. */
const uid = (technology: string): string => technology.trim().toLowerCase().replaceAll(/[\s.]/g, "_")

export const accepts = (filter: Filter): boolean =>
  Directory.covers(filters, filter) && locations(filter.countries).length === filter.countries.length

/** The question; what is not asked for is left out. */
export const question = (filter: Filter, page: number, perPage: number): Readonly<Record<string, unknown>> => {
  const asked = new Set(Directory.asked(filter))
  const { max = null, min = null } = filter.employee_range ?? {}
  return {
    ...(asked.has("query") ? { q_organization_name: filter.query } : {}),
    ...(asked.has("domains") ? { q_organization_domains_list: filter.domains } : {}),
    ...(asked.has("countries") ? { organization_locations: locations(filter.countries) } : {}),
    ...(asked.has("industries") ? { q_organization_keyword_tags: filter.industries } : {}),
    ...(asked.has("technologies") ? { currently_using_any_of_technology_uids: filter.technologies.map(uid) } : {}),
    ...(asked.has("employee_range") ? { organization_num_employees_ranges: [`${min ?? 1},${max ?? MANY}`] } : {}),
    page,
    per_page: perPage
  }
}

/** A page of the answer. */
export const Answer = Schema.Struct({
  accounts: Said.said(Schema.Array(Schema.Unknown)),
  organizations: Schema.Array(Schema.Unknown),
  pagination: Schema.Struct({ total_entries: Schema.Int, total_pages: Schema.Int })
})

/** One of them; an account has its organization's id and its domain beside its own. */
export const Found = Schema.Struct({
  ...Company.Organization.fields,
  organization_id: Said.said(Schema.String),
  domain: Said.said(Schema.String)
}).check(
  Schema.makeFilter(
    ({ id, name }) => Company.known(id) !== null || Company.known(name) !== null || "neither id nor name"
  )
)
export type Found = typeof Found.Type

export const idOf = ({ id, organization_id }: Found): string | null =>
  Company.known(organization_id) ?? Company.known(id)

export const facts = (found: Found): CompanyFacts => ({
  ...Company.facts(found),
  primary_domain: Company.known(found.primary_domain) ?? Company.known(found.domain)
})
