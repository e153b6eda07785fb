/**
 * `POST /v5/person/search`: the question, and the hits in the answer. A hit is a person's whole record, and is paid for as
 * one.
 *
 * Gotcha: levels and roles are the vendor's lists. What they do not have (a founder, a head, information technology) cannot be
 * asked for.
 */
import type { PersonDirectory } from "@lading/core/person"
import { Text } from "@lading/core/value"
import { Directory } from "@lading/core/waterfall"
import { Schema } from "effect"
import { areCountries, countryNames } from "./CompanySearch.ts"
import { given, text, texts } from "./Given.ts"
import * as Query from "./Query.ts"

export const path = "/v5/person/search"

type Filter = PersonDirectory.PersonFilter

export const filters: PersonDirectory.PersonDirectory["Service"]["filters"] = {
  company_domain: "exact",
  titles: "exact",
  seniorities: "exact",
  departments: "exact",
  countries: "exact"
}

/** `job_title_levels`, by our words. */
const levels: ReadonlyMap<PersonDirectory.Seniority, string> = new Map([
  ["owner", "owner"],
  ["c_level", "cxo"],
  ["partner", "partner"],
  ["vp", "vp"],
  ["director", "director"],
  ["manager", "manager"],
  ["senior", "senior"],
  ["junior", "entry"],
  ["intern", "training"]
])

/** `job_title_role`, by our words. */
const roles: ReadonlyMap<PersonDirectory.Department, string> = new Map([
  ["operations", "operations"],
  ["engineering", "engineering"],
  ["finance", "finance"],
  ["sales", "sales"],
  ["marketing", "marketing"],
  ["hr", "human_resources"],
  ["legal", "legal"],
  ["support", "support"],
  ["design", "creative"],
  ["education", "education"],
  ["health", "health"]
])

export const accepts = (filter: Filter): boolean =>
  Directory.covers(filters, filter) &&
  areCountries(filter.countries) &&
  filter.titles.every((title) => Text.words(title).length > 0) &&
  filter.seniorities.every((one) => levels.has(one)) &&
  filter.departments.every((one) => roles.has(one))

const known = <Word>(words: ReadonlyMap<Word, string>, wanted: ReadonlyArray<Word>): ReadonlyArray<string> =>
  wanted.flatMap((one) => words.get(one) ?? [])

const clauses: { readonly [Name in keyof Filter]: (wanted: NonNullable<Filter[Name]>) => Query.Query } = {
  company_domain: (domain) => Query.among("job_company_website", [domain]),
  titles: (titles) => Query.some(titles.map((title) => Query.phrase("job_title", title))),
  seniorities: (wanted) => Query.among("job_title_levels", known(levels, wanted)),
  departments: (wanted) => Query.among("job_title_role", known(roles, wanted)),
  countries: (codes) => Query.among("location_country", countryNames(codes))
}

const clause = <Name extends keyof Filter>(name: Name, filter: Filter): ReadonlyArray<Query.Query> => {
  const wanted = filter[name]
  return wanted === null ? [] : [clauses[name](wanted)]
}

export const query = (filter: Filter): Query.Query =>
  Query.every(Directory.asked(filter).flatMap((name) => clause(name, filter)))

/** Of a record, what says how far up somebody is and in what. */
export const Classes = Schema.Struct({
  job_title_levels: given(Schema.Array(Schema.String)),
  job_title_role: given(Schema.String)
})
export type Classes = typeof Classes.Type

/** The highest level comes first. */
export const seniorityOf = ({ job_title_levels }: Classes): string | null => texts(job_title_levels)[0] ?? null

export const departmentOf = ({ job_title_role }: Classes): string | null => text(job_title_role)
