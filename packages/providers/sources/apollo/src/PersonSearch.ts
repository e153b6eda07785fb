/**
 * `POST /api/v1/mixed_people/api_search`: the question, the part of the answer that is read, and the hits in it.
 *
 * Gotchas
 * - Hits are for finding somebody, not for knowing them: a first name, a title, an employer's name, and of the last name a
 *   few letters. No address, no phone. The id is what `people/match?id=` wants.
 * - The employer's domain is that of a present or a former employer; a title is one of those or a similar one.
 * - There is no filter for departments on this path.
 */
import type { PersonDirectory, PersonFacts } from "@lading/core/person"
import { Directory, Said } from "@lading/core/waterfall"
import { Schema } from "effect"
import { known } from "./Company.ts"
import { locations } from "./CompanySearch.ts"

export const path = "/api/v1/mixed_people/api_search"

type Filter = PersonDirectory.PersonFilter

export const filters: PersonDirectory.PersonDirectory["Service"]["filters"] = {
  company_domain: "wide",
  titles: "wide",
  seniorities: "exact",
  countries: "exact"
}

/** Apollo's word for a level, where it is another one. */
const words: ReadonlyMap<PersonDirectory.Seniority, string> = new Map([
  ["c_level", "c_suite"],
  ["junior", "entry"]
])

export const accepts = (filter: Filter): boolean =>
  Directory.covers(filters, filter) && locations(filter.countries).length === filter.countries.length

/** The question; what is not asked for is left out. */
export const question = (filter: Filter, page: number, perPage: number): Readonly<Record<string, unknown>> => {
  const asked = new Set(Directory.asked(filter))
  return {
    ...(asked.has("company_domain") ? { q_organization_domains_list: [filter.company_domain] } : {}),
    ...(asked.has("titles") ? { person_titles: filter.titles } : {}),
    ...(asked.has("seniorities") ? { person_seniorities: filter.seniorities.map((one) => words.get(one) ?? one) } : {}),
    ...(asked.has("countries") ? { person_locations: locations(filter.countries) } : {}),
    page,
    per_page: perPage
  }
}

/** A page of the answer. */
export const Answer = Schema.Struct({ people: Schema.Array(Schema.Unknown), total_entries: Schema.Int })

/** One of them. */
export const Found = Schema.Struct({
  id: Schema.String,
  first_name: Said.said(Schema.String),
  last_name: Said.said(Schema.String),
  last_name_obfuscated: Said.said(Schema.String),
  title: Said.said(Schema.String),
  organization: Said.said(Schema.Struct({ name: Said.said(Schema.String) }))
})
export type Found = typeof Found.Type

export const hintOf = ({ last_name_obfuscated }: Found): string | null => known(last_name_obfuscated)

export const facts = (found: Found): PersonFacts => ({
  first_name: known(found.first_name),
  last_name: known(found.last_name),
  current_title: known(found.title),
  company_name: known(found.organization?.name)
})
