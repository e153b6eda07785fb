/**
 * Facets: how many companies of a result have which country, industry, technology, size, and customs records. A facet is
 * counted without its own filter, so that it shows what else could be chosen.
 */
import { Schema } from "effect"
import * as Classes from "./CompanyClasses.ts"
import type { Filter } from "./CompanyQuestion.ts"
import type { Company } from "./KnownCompany.ts"

/** A facet has no more values; the most frequent are told. */
export const MOST = 20

const Count = Schema.Struct({
  value: Schema.String.annotate({ description: "What the filter takes: of an industry its code" }),
  name: Schema.String,
  count: Schema.Int
})

export const Facets = Schema.Struct({
  countries: Schema.Array(Count),
  industries: Schema.Array(Count),
  technologies: Schema.Array(Count),
  employee_ranges: Schema.Array(Count).annotate({ description: "By the least number of employees" }),
  has_trade: Schema.Array(Count).annotate({ description: "true and false" })
}).annotate({ identifier: "CompanyFacets" })
export type Facets = typeof Facets.Type
export type FacetName = keyof Facets

/** From so many employees on, the largest first. */
export const sizes = [
  [10_001, "10001+"],
  [5001, "5001-10000"],
  [1001, "1001-5000"],
  [501, "501-1000"],
  [201, "201-500"],
  [51, "51-200"],
  [11, "11-50"],
  [0, "1-10"]
] as const

const sizeOf = ({ employees }: Company): ReadonlyArray<string> =>
  employees === null ? [] : [sizes.find(([from]) => employees.min >= from)?.[1] ?? "1-10"]

/** The values that a company has. */
export const valuesOf: { readonly [Name in FacetName]: (company: Company) => ReadonlyArray<string> } = {
  countries: ({ country }) => (country === null ? [] : [country]),
  industries: ({ industries }) => Classes.industries(industries),
  technologies: ({ technologies }) => Classes.technologies(technologies),
  employee_ranges: sizeOf,
  has_trade: ({ trade }) => [String(trade !== null)]
}

/** The filter without what it says of the facet. */
export const without: { readonly [Name in FacetName]: (filter: Filter) => Filter } = {
  countries: (filter) => ({ ...filter, countries: [] }),
  industries: (filter) => ({ ...filter, industries: [] }),
  technologies: (filter) => ({ ...filter, technologies: [] }),
  employee_ranges: (filter) => ({ ...filter, employee_range: null }),
  has_trade: (filter) => ({ ...filter, has_trade: null })
}

export const names = ["countries", "industries", "technologies", "employee_ranges", "has_trade"] as const

/** How often a value occurs. */
export interface Counted {
  readonly value: string
  readonly count: number
}

const nameOf = (name: FacetName, value: string): string => (name === "industries" ? Classes.industryName(value) : value)

/** The most frequent values of each facet first, equal ones by code point. */
export const make = (countsOf: (name: FacetName) => ReadonlyArray<Counted>): Facets => {
  const facet = (name: FacetName): Facets[FacetName] =>
    countsOf(name)
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MOST)
      .map(({ count, value }) => ({ value, name: nameOf(name, value), count }))
  return {
    countries: facet("countries"),
    industries: facet("industries"),
    technologies: facet("technologies"),
    employee_ranges: facet("employee_ranges"),
    has_trade: facet("has_trade")
  }
}

export const counted = (values: Iterable<string>): ReadonlyArray<Counted> => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Array.from(counts, ([value, count]) => ({ value, count }))
}
