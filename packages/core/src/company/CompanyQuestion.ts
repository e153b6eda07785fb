/**
 * What an index of companies is asked, and the rules of its answers as plain functions: they are the measure of every index.
 *
 * - A filter about something that is not known of a company does not hold; all filters that say something have to.
 * - `query`: every word stands in one of the names or in the domain; of the last one its beginning is enough.
 * - Order: how well the name fits, then records of trade, then how much is known, then the id. No two are equal in it.
 */
import { Schema } from "effect"
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import type { Span } from "../waterfall/Directory.ts"
import * as Classes from "./CompanyClasses.ts"
import type { CompanyFilter } from "./CompanyDirectory.ts"
import { type Company, completeness, ownerOf } from "./KnownCompany.ts"

export interface Filter extends CompanyFilter {
  /** Whether customs records know it; `null` for either. */
  readonly has_trade: boolean | null
}

/** Where a reader stopped: what the last company of a page was ordered by. */
export const Position = Schema.Struct({
  fit: Schema.Int,
  records: Schema.Int,
  known: Schema.Int,
  company_id: Schema.String
})
export type Position = typeof Position.Type

export interface Question {
  readonly filter: Filter
  /** Who asks: what was bought with an account's own key is shown to it alone. */
  readonly account: string
  /** Page `page` from 1, of `limit`; with `after` the page is not looked at. */
  readonly page: number
  readonly limit: number
  readonly after: Position | null
}

/** A company with the names that it is found by. */
export interface Row {
  readonly company: Company
  /** Beside its name. */
  readonly aliases: ReadonlyArray<string>
}

/** A question's words: those that stand in a name as they are, and the beginning of one. */
export interface Words {
  readonly whole: ReadonlyArray<string>
  readonly beginning: string
}

/** All of them, in their order. */
export const allWords = (query: string): ReadonlyArray<string> => Text.words(query)

/** `null` for a text without a word, which nothing is found by. */
export const wordsOf = (query: string): Words | null => {
  const words = allWords(query)
  const beginning = words.at(-1)
  return beginning === undefined ? null : { whole: [...new Set(words.slice(0, -1))], beginning }
}

/** The words that a company is found by. */
export const indexed = ({ aliases, company }: Row): ReadonlyArray<string> => [
  ...new Set([company.name ?? "", ...aliases, company.domain ?? ""].flatMap(Text.words))
]

const holdsIn = (words: ReadonlyArray<string>, { beginning, whole }: Words): boolean =>
  whole.every((word) => words.includes(word)) && words.some((word) => word.startsWith(beginning))

/** How well a name fits: it is the text; it begins with it; it has all of its words; 0 for another name or the domain. */
export const fit = (name: string | null, query: string | null): number => {
  const wanted = query === null ? null : wordsOf(query)
  if (query === null || wanted === null || name === null) return 0
  const [said, asked] = [Text.words(name), Text.words(query).join(" ")]
  const written = said.join(" ")
  if (written === asked) return 3
  if (written.startsWith(asked)) return 2
  return holdsIn(said, wanted) ? 1 : 0
}

const within = (said: Span | null, wanted: Span | null): boolean =>
  wanted === null ||
  (said !== null &&
    (wanted.max === null || (said.min ?? 0) <= wanted.max) &&
    (wanted.min === null || said.max === null || said.max >= wanted.min))

const among = (said: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  wanted.length === 0 || wanted.some((one) => said.includes(one))

/** Whether a filter finds the company. */
export const matches = (filter: Filter, row: Row): boolean => {
  const { company } = row
  const wanted = filter.query === null ? null : wordsOf(filter.query)
  const year = company.founded_year
  const owner = ownerOf(company.domain)
  return (
    (filter.query === null || (wanted !== null && holdsIn(indexed(row), wanted))) &&
    among(owner === null ? [] : [owner], filter.domains.map(DomainName.registrable)) &&
    among(company.country === null ? [] : [company.country], filter.countries) &&
    among(Classes.industryPaths(company.industries), Classes.industries(filter.industries)) &&
    among(Classes.technologies(company.technologies), Classes.technologies(filter.technologies)) &&
    within(company.employees, filter.employee_range) &&
    within(year === null ? null : { min: year, max: year }, filter.founded_range) &&
    (filter.has_trade === null || filter.has_trade === (company.trade !== null))
  )
}

export const positionOf = (company: Company, filter: Filter): Position => ({
  fit: fit(company.name, filter.query),
  records: company.trade?.trade_count ?? 0,
  known: completeness(company),
  company_id: company.company_id
})

/** Negative where `a` comes first. */
export const compare = (a: Position, b: Position): number =>
  b.fit - a.fit ||
  b.records - a.records ||
  b.known - a.known ||
  (a.company_id < b.company_id ? -1 : a.company_id > b.company_id ? 1 : 0)
