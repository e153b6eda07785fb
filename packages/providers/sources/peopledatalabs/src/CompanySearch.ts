/**
 * `POST /v5/company/search`: the question, and the hits in the answer. A hit is a company's whole record, and is paid for as
 * one.
 *
 * Gotcha: a company that is known under another website than the one that is asked for is not found by it.
 */
import type { CompanyDirectory } from "@lading/core/company"
import { Country, Text } from "@lading/core/value"
import { Directory } from "@lading/core/waterfall"
import * as Query from "./Query.ts"

export const path = "/v5/company/search"

type Filter = CompanyDirectory.CompanyFilter

export const filters: CompanyDirectory.CompanyDirectory["Service"]["filters"] = {
  query: "exact",
  domains: "exact",
  countries: "exact",
  industries: "exact",
  employee_range: "exact",
  founded_range: "exact"
}

/** The vendor's names of countries are not all known: every English one is asked for. */
export const countryNames = (codes: ReadonlyArray<string>): ReadonlyArray<string> => codes.flatMap(Country.names)

export const areCountries = (codes: ReadonlyArray<string>): boolean =>
  codes.every((code) => Country.names(code).length > 0)

export const accepts = (filter: Filter): boolean =>
  Directory.covers(filters, filter) &&
  areCountries(filter.countries) &&
  (!Directory.asked(filter).includes("query") || Text.words(filter.query ?? "").length > 0)

const clauses: { readonly [Name in keyof Filter]?: (wanted: NonNullable<Filter[Name]>) => ReadonlyArray<Query.Query> } =
  {
    query: (query) => Text.words(query).map((word) => Query.word("name.text", word)),
    domains: (domains) => [Query.among("website", domains)],
    countries: (codes) => [Query.among("location.country", countryNames(codes))],
    industries: (industries) => [
      Query.some([Query.among("industry", industries), Query.among("industry_v2", industries)])
    ],
    employee_range: ({ max, min }) => [Query.between("employee_count", min, max)],
    founded_range: ({ max, min }) => [
      Query.between("founded", min === null ? null : String(min), max === null ? null : String(max))
    ]
  }

const clause = <Name extends keyof Filter>(name: Name, filter: Filter): ReadonlyArray<Query.Query> => {
  const wanted = filter[name]
  return wanted === null ? [] : (clauses[name]?.(wanted) ?? [])
}

export const query = (filter: Filter): Query.Query =>
  Query.every(Directory.asked(filter).flatMap((name) => clause(name, filter)))
