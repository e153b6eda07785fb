/**
 * `POST /v2/discover`: the question, the part of the answer that is read, and the hits in it.
 *
 * Gotchas
 * - A hit is a domain and a name, no more. Everything else is another call.
 * - Industries and technologies are words of Hunter's own lists; another word is refused (400), not ignored.
 * - Head counts are classes, so that a range is asked for by every class that it touches.
 * - `limit` and `offset` are for paying plans, even where they say what holds anyway: the first 100 hits are asked for
 *   without them, and cut here.
 * - How names and domains go together is not documented; they are not asked for together.
 */
import type { CompanyDirectory, CompanyFacts } from "@lading/core/company"
import { Directory } from "@lading/core/waterfall"
import { Schema } from "effect"

export const path = "/v2/discover"

/** The hits on a page, and of the first page on every plan. */
export const PAGE_SIZE = 100

/** The most hits that can be skipped. */
export const LAST_OFFSET = 10_000

type Filter = CompanyDirectory.CompanyFilter

export const filters: CompanyDirectory.CompanyDirectory["Service"]["filters"] = {
  query: "wide",
  domains: "exact",
  countries: "exact",
  industries: "exact",
  technologies: "exact",
  employee_range: "wide",
  founded_range: "exact"
}

export const accepts = (filter: Filter): boolean => {
  const asked = Directory.asked(filter)
  return Directory.covers(filters, filter) && !(asked.includes("query") && asked.includes("domains"))
}

const classes: ReadonlyArray<readonly [min: number, max: number, label: string]> = [
  [1, 10, "1-10"],
  [11, 50, "11-50"],
  [51, 200, "51-200"],
  [201, 500, "201-500"],
  [501, 1_000, "501-1000"],
  [1_001, 5_000, "1001-5000"],
  [5_001, 10_000, "5001-10000"],
  [10_001, Number.POSITIVE_INFINITY, "10001+"]
]

const headcount = (span: Directory.Span): ReadonlyArray<string> =>
  classes.flatMap(([min, max, label]) => (min <= (span.max ?? max) && max >= (span.min ?? min) ? [label] : []))

const years = ({ max, min }: Directory.Span) => ({
  ...(min === null ? {} : { from: min }),
  ...(max === null ? {} : { to: max })
})

/** The question; what is not asked for is left out. */
export const question = (filter: Filter): Readonly<Record<string, unknown>> => {
  const asked = new Set(Directory.asked(filter))
  const open = { min: null, max: null }
  return {
    ...(asked.has("query") ? { organization: { name: [filter.query] } } : {}),
    ...(asked.has("domains") ? { organization: { domain: filter.domains } } : {}),
    ...(asked.has("countries")
      ? { headquarters_location: { include: filter.countries.map((country) => ({ country })) } }
      : {}),
    ...(asked.has("industries") ? { industry: { include: filter.industries } } : {}),
    ...(asked.has("technologies") ? { technology: { match: "any", include: filter.technologies } } : {}),
    ...(asked.has("employee_range") ? { headcount: headcount(filter.employee_range ?? open) } : {}),
    ...(asked.has("founded_range") ? { year_founded: years(filter.founded_range ?? open) } : {})
  }
}

/** A page of the answer. */
export const Answer = Schema.Struct({
  data: Schema.Array(Schema.Unknown),
  meta: Schema.Struct({ results: Schema.Int })
})

/** One of them. */
export const Found = Schema.Struct({ domain: Schema.String, organization: Schema.NullOr(Schema.String) })
export type Found = typeof Found.Type

export const facts = ({ domain, organization }: Found): CompanyFacts => ({ name: organization, primary_domain: domain })
