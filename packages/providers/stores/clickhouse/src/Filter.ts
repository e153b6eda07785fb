/** Filters F as conditions on a table of records; the same rules as `TradeFilter.matches`. */
import { Text } from "@lading/core/value"
import type { TradeFilter, TradeQuestion, TradeRole } from "@lading/core/trade"
import { type Published, visible } from "./Published.ts"
import { all, date, float, id, ids, sql, type Statement, text, texts } from "./Statement.ts"
import * as TraderId from "./TraderId.ts"

/** So many words can be looked up at once. */
const ATONCE = 60

const chunksOf = <A>(list: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

/** All words of `wanted` stand in a column of folded words; without a word nothing is found. */
export const hasWords = (column: Statement, wanted: string): Statement => {
  const words = [...new Set(Text.words(wanted))]
  if (words.length === 0) return sql`0`
  return all(chunksOf(words, ATONCE).map((some) => sql`hasAllTokens(${column}, ${texts(some)})`))
}

/** What is not known is the empty text in its column, and in no list. */
const listed = (column: Statement, values: ReadonlyArray<string>): ReadonlyArray<Statement> =>
  values.length === 0 ? [] : [sql`${column} IN ${texts(values.filter((value) => value !== ""))}`]

const traders = (column: Statement, wanted: ReadonlyArray<string>): ReadonlyArray<Statement> =>
  wanted.length === 0 ? [] : [sql`${column} IN ${ids(TraderId.readAll(wanted))}`]

const within = (value: Statement, span: TradeFilter.Span | null): ReadonlyArray<Statement> =>
  span === null
    ? []
    : [
        sql`isNotNull(${value})`,
        ...(span.least === null ? [] : [sql`${value} >= ${float(span.least)}`]),
        ...(span.most === null ? [] : [sql`${value} <= ${float(span.most)}`])
      ]

const said = <A>(value: A | null, condition: (value: A) => Statement): ReadonlyArray<Statement> =>
  value === null ? [] : [condition(value)]

export const weight: Statement = sql`coalesce(gross_kg, net_kg)`

/** The country of a side: of the goods, else of the party; `''` where nobody says. */
export const countryOf = (role: TradeRole.TradeRole): Statement =>
  role === "importer" ? sql`buyer_country` : sql`seller_country`

/** Dates that the column can have. */
const [EARLIEST, LATEST] = ["1900-01-01", "2299-12-31"]

/** `toStartOfMonth` knows 1970 to 2149 only. */
export const startOfMonth: Statement = sql`date - toDayOfMonth(date) + 1`

const between = ({ from, to }: TradeQuestion.Dates): ReadonlyArray<Statement> => [
  ...said(from, (day) => (day > LATEST ? sql`0` : sql`date >= ${date(day)}`)),
  ...said(to, (day) => (day < EARLIEST ? sql`0` : sql`date <= ${date(day)}`))
]

/** A trader's rows in the copy by trader; nobody has the number 0. */
export const rowsOf = (
  { role, trader_id }: NonNullable<TradeFilter.TradeFilter["trader"]>,
  dates: TradeQuestion.Dates,
  published: Published
): Statement =>
  all([
    sql`trader_id = ${id(TraderId.read(trader_id) ?? 0n)}`,
    ...said(role, (side) => sql`role = ${text(side)}`),
    visible(published),
    ...between(dates)
  ])

/** Whoever stands on both sides of a record has two rows of it. */
const once = ({ role }: NonNullable<TradeFilter.TradeFilter["trader"]>): ReadonlyArray<Statement> =>
  role === null ? [sql`(role = 'importer' OR partner_id != trader_id)`] : []

/** Where a question is answered from: what is about one trader, from its own rows. */
export const tableOf = ({ trader }: TradeFilter.TradeFilter): Statement =>
  trader === null ? sql`trade_record` : sql`trader_record`

/** The same words without the index that the copy by trader does not have. */
const hasWordsUnindexed = (column: Statement, wanted: string): Statement => {
  const words = Text.words(wanted)
  return words.length === 0 ? sql`0` : sql`hasAll(splitByChar(' ', ${column}), ${texts(words)})`
}

/** What of the rows of `tableOf` a question is about. */
export const condition = (filter: TradeFilter.TradeFilter, published: Published): Statement => {
  const { trader } = filter
  const has = trader === null ? hasWords : hasWordsUnindexed
  return all([
    ...(trader === null
      ? [visible(published), ...between(filter)]
      : [rowsOf(trader, filter, published), ...once(trader)]),
    ...said(filter.hs_prefix, (prefix) => sql`startsWith(hs_code, ${text(prefix)})`),
    ...said(filter.flow, (flow) => sql`flow = ${text(flow)}`),
    ...traders(sql`importer_id`, filter.importer_ids),
    ...traders(sql`exporter_id`, filter.exporter_ids),
    ...said(filter.product, (product) => has(sql`words`, product)),
    ...said(filter.importer, (name) => has(sql`importer_words`, name)),
    ...said(filter.exporter, (name) => has(sql`exporter_words`, name)),
    ...listed(sql`origin_country`, filter.origin_countries),
    ...listed(sql`destination_country`, filter.destination_countries),
    ...listed(sql`if(exporter_country != '', exporter_country, origin_country)`, filter.exporter_countries),
    ...(filter.ports.length === 0 ? [] : [sql`hasAny(ports, ${texts(filter.ports.map(Text.key))})`]),
    ...listed(sql`transport`, filter.transport),
    ...within(weight, filter.weight_kg),
    ...within(sql`amount_usd`, filter.amount_usd)
  ])
}
