/** What is asked: as the interface has it, as the index has it, and in SQL by hand over the same table. */
import { CompanyClasses, type CompanyQuestion } from "@lading/core/company"
import { text } from "../trade/Plain.ts"
import * as Companies from "./Companies.ts"

export interface Question {
  readonly name: string
  /** The body of a request, of the `index`th time that it is asked. */
  readonly body: (index: number) => object
  readonly filter: (index: number) => Partial<CompanyQuestion.Filter>
  /** The condition by hand. */
  readonly where: (index: number) => string
  readonly page?: number
  /** Counts facets and lists nothing. */
  readonly facets?: true
}

/** Another company each time. */
const some = (index: number): number => (index * 7919 + 11) % 90_000

const country = (index: number): string => Companies.countryOf(some(index))
const industry = (index: number): string => Companies.industryOf(some(index))
const path = (index: number): string => CompanyClasses.industries([industry(index)])[0] ?? ""
const folded = (word: string): string => text(word.toLowerCase())

const rare = (index: number): string => Companies.rareOf(some(index))
const common = (index: number): string => Companies.commonOf(some(index))

const both = {
  body: (index: number) => ({ countries: [country(index)], industries: [industry(index)] }),
  filter: (index: number) => ({ countries: [country(index)], industries: [industry(index)] }),
  where: (index: number) => `country = ${text(country(index))} AND hasAnyTokens(paths, [${text(path(index))}])`
}

export const questions: ReadonlyArray<Question> = [
  {
    name: "a domain",
    body: (index) => ({ domains: [Companies.domainOf(some(index))] }),
    filter: (index) => ({ domains: [Companies.domainOf(some(index))] }),
    where: (index) => `hasAnyTokens(found_by, [${text(`d:${Companies.domainOf(some(index))}`)}])`
  },
  {
    name: "a rare word",
    body: (index) => ({ query: rare(index) }),
    filter: (index) => ({ query: rare(index) }),
    where: (index) => `hasAllTokens(starts, [${folded(rare(index))}])`
  },
  {
    name: "a common word",
    body: (index) => ({ query: common(index) }),
    filter: (index) => ({ query: common(index) }),
    where: (index) => `hasAllTokens(starts, [${folded(common(index))}])`
  },
  {
    name: "a rare and a common word",
    body: (index) => ({ query: `${common(some(index))} ${rare(index).slice(0, 4)}` }),
    filter: (index) => ({ query: `${common(some(index))} ${rare(index).slice(0, 4)}` }),
    where: (index) =>
      `hasAllTokens(words, [${folded(common(some(index)))}]) AND hasAllTokens(starts, [${folded(rare(index).slice(0, 4))}])`
  },
  { name: "a country and an industry", ...both },
  {
    name: "page 500 of a country",
    page: 500,
    body: (index) => ({ countries: [country(index)] }),
    filter: (index) => ({ countries: [country(index)] }),
    where: (index) => `country = ${text(country(index))}`
  },
  { name: "facets of a country and an industry", ...both, facets: true },
  { name: "facets of everything", facets: true, body: () => ({}), filter: () => ({}), where: () => "1" }
]

const LIMIT = 20

/** What somebody writes who knows the table, in two statements: the page, and how many there are. */
export const byHand = (question: Question, index: number): ReadonlyArray<string> => {
  const where = question.where(index)
  if (question.facets === true) return [facetsByHand(question, index)]
  return [
    `SELECT company_id, name, domain, country, shown, records, 0 AS n FROM company WHERE ${where}
      ORDER BY records DESC, known DESC, company_id LIMIT ${LIMIT} OFFSET ${((question.page ?? 1) - 1) * LIMIT}`,
    `SELECT count() AS n FROM company WHERE ${where}`
  ]
}

/** Without the filter of the facet, as the index counts them. */
const facetsByHand = (question: Question, index: number): string => {
  const parts = question.where(index).split(" AND ")
  const without = (start: string): string => parts.filter((part) => !part.includes(start)).join(" AND ") || "1"
  return [
    ["countries", "toString(country)", "country ="],
    ["industries", "arrayJoin(industries)", "paths"],
    ["technologies", "arrayJoin(technologies)", "nothing"],
    ["sizes", "toString(intDiv(least_employees, 1000))", "nothing"],
    ["trade", "toString(records > 0)", "nothing"]
  ]
    .map(
      ([
        name,
        value,
        own = ""
      ]) => `SELECT * FROM (SELECT '${name}' AS facet, ${value} AS value, count() AS n FROM company
        WHERE ${without(own)} GROUP BY value ORDER BY n DESC LIMIT 20)`
    )
    .join(" UNION ALL ")
}

export const limit = LIMIT
