/** Answers over everything that matches: by dimensions, traders, ports and countries. */
import * as Period from "../Period.ts"
import type * as Answer from "../TradeAnswer.ts"
import * as TradeFilter from "../TradeFilter.ts"
import type {
  CompanyStatisticsQuestion,
  Dimension,
  HsLevel,
  PortStatisticsQuestion,
  StatisticsQuestion,
  WorldQuestion
} from "../TradeQuestion.ts"
import { other } from "../TradeRole.ts"
import * as TradeRow from "../TradeRow.ts"
import { matching, type Rows } from "./Records.ts"
import { byName, dates, distinct, groups, listed, ranked, shared, totals } from "./Sums.ts"
import { named } from "./Traders.ts"

const known = <A>(value: A | null): ReadonlyArray<A> => (value === null ? [] : [value])

/** Company and port are those of the side that declared, the country is that of the other side. */
const valueOf = (row: TradeRow.TradeRow, dimension: Dimension, level: HsLevel): string | null => {
  const { date, hs_code, transport } = row.record
  const declarant = TradeRow.declarant(row)
  const values: Record<Dimension, () => string | null> = {
    month: () => Period.of(date, "month"),
    hs: () => (hs_code === null || hs_code.length < level ? null : hs_code.slice(0, level)),
    country: () => TradeRow.country(row, other(declarant)),
    port: () => TradeRow.port(row, declarant),
    company: () => TradeRow.traderId(row, declarant),
    transport: () => transport
  }
  return values[dimension]()
}

const groupOf = (row: TradeRow.TradeRow, { group_by, hs_level }: StatisticsQuestion): Answer.Group =>
  Object.fromEntries(group_by.map((dimension) => [dimension, valueOf(row, dimension, hs_level)]))

/**
 * Records by what they have in common, the largest group first, equal ones by their values in the order of `group_by`,
 * what is not known before everything else. What records do not say is a group too.
 */
export const of = (rows: Rows, question: StatisticsQuestion): Answer.Statistics => {
  const found = matching(rows, question.filter)
  const text = (group: Answer.Group) => question.group_by.map((dimension) => group[dimension] ?? "").join("\u0000")
  const byGroup = ranked(groups(found, (row) => [text(groupOf(row, question))]))
  const show = ([, some]: readonly [string, Rows]): Answer.StatisticsRow => {
    const group = some[0] === undefined ? {} : groupOf(some[0], question)
    const company = group.company ?? null
    return { group, company: company === null ? null : named(rows, company), ...shared(some, found.length) }
  }
  return { ...listed(byGroup, question.window, show), totals: totals(found) }
}

/** Traders of one side by their records, with their part of all that match. */
export const companies = (rows: Rows, question: CompanyStatisticsQuestion): Answer.Listed<Answer.CompanyShare> => {
  const { filter, role, window } = question
  const found = matching(rows, filter)
  return listed(ranked(groups(found, (row) => known(TradeRow.traderId(row, role)))), window, ([id, some]) => ({
    ...named(rows, id),
    ...shared(some, found.length),
    partner_count: distinct(some.map((row) => TradeRow.traderId(row, other(role))))
  }))
}

/** Ports of the declaring side. */
export const ports = (rows: Rows, { filter, window }: PortStatisticsQuestion): Answer.Listed<Answer.PortShare> => {
  const found = matching(rows, filter)
  const byPort = groups(found, (row) => known(TradeRow.port(row, TradeRow.declarant(row))))
  return listed(ranked(byPort), window, ([port, some]) => ({ port, ...shared(some, found.length) }))
}

/** Countries of one side with the traders of that side, the largest first. */
export const world = (rows: Rows, { from, product, role, to }: WorldQuestion): ReadonlyArray<Answer.WorldRegion> => {
  const found = matching(rows, { ...TradeFilter.all, product, from, to })
  return ranked(groups(found, (row) => known(TradeRow.country(row, role)))).map(([country, some]) => ({
    country,
    ...shared(some, found.length),
    company_count: distinct(some.map((row) => TradeRow.traderId(row, role)))
  }))
}

/** What there is of each declaring country, by its code. */
export const coverage = (rows: Rows): ReadonlyArray<Answer.Coverage> =>
  [...groups(rows, (row) => known(TradeRow.country(row, TradeRow.declarant(row))))]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([country, some]) => ({
      country,
      records: some.length,
      ...dates(some),
      flows: [...new Set(some.map(({ record }) => record.flow))].toSorted()
    }))
