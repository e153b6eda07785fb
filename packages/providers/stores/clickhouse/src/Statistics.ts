/** Answers over everything that matches: by dimensions, traders, ports and countries. */
import {
  Period,
  type TradeAnswer,
  TradeFilter,
  type TradeQuestion,
  TradeRole,
  type TradeStore
} from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { isEverything, TraderRank, traderRanks } from "./Everything.ts"
import { condition, countryOf, startOfMonth, tableOf } from "./Filter.ts"
import * as Names from "./Names.ts"
import { type Published, visible } from "./Published.ts"
import { ids, int, list as listOf, sql, type Statement, text } from "./Statement.ts"
import { listed, none, ofRecords, ofTraders, Ranked, ranked, sharedOf, Sums, totals, totalsOf, window } from "./Sums.ts"
import * as TraderId from "./TraderId.ts"

type Asked<A> = Effect.Effect<A, TradeStore.TradeStoreError>

const traderOf = (role: TradeRole.TradeRole): Statement => (role === "importer" ? sql`importer_id` : sql`exporter_id`)

const declared = (ofImport: Statement, ofExport: Statement): Statement =>
  sql`if(flow = 'import', ${ofImport}, ${ofExport})`

const port = declared(sql`port_of_unloading`, sql`port_of_loading`)

/** A dimension, `''` where records do not say, `0` for nobody. Grouped as it is: as text only the groups are written. */
const valueOf = (dimension: TradeQuestion.Dimension, level: TradeQuestion.HsLevel): Statement => {
  const values: Record<TradeQuestion.Dimension, Statement> = {
    month: startOfMonth,
    hs: sql`if(length(hs_code) >= ${int(level)}, substring(hs_code, 1, ${int(level)}), '')`,
    country: declared(countryOf("exporter"), countryOf("importer")),
    port,
    company: declared(sql`importer_id`, sql`exporter_id`),
    transport: sql`transport`
  }
  return values[dimension]
}

const Grouped = Schema.Struct({
  ...Ranked.fields,
  values: Schema.Array(Schema.String),
  /** Of all groups, in the order of `Sums`. */
  sums: Schema.Tuple([Sums.fields.n, Sums.fields.kg, Sums.fields.usd, Sums.fields.kinds])
})
type Grouped = typeof Grouped.Type

const sumsOf = ({ sums: [n, kg, usd, kinds] }: Grouped): TradeAnswer.Totals => totalsOf({ n, kg, usd, kinds })

/** Columns `g0`, `g1`, … */
const places = [sql`g0`, sql`g1`, sql`g2`] as const

const shown = (dimension: TradeQuestion.Dimension, value: string): string | null => {
  if (dimension === "month") return Period.of(value, "month")
  return value === "" || (dimension === "company" && value === "0") ? null : value
}

export const of = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    { filter, group_by, hs_level, window: part }: TradeQuestion.StatisticsQuestion
  ): Effect.fn.Return<TradeAnswer.Statistics, TradeStore.TradeStoreError> {
    const groups = group_by.flatMap((dimension, index) => {
      const place = places[index]
      return place === undefined ? [] : [{ place, value: sql`${valueOf(dimension, hs_level)} AS ${place}` }]
    })
    const names = groups.map(({ place }) => place)
    const values = listOf(names.map((place) => sql`toString(${place})`))
    // Whoever is not known comes before everybody else, as texts are compared.
    const inOrder = sql`arrayMap(x -> if(x = '0', '', x), values)`
    const found = yield* listed(
      engine,
      Grouped,
      part,
      (some) => sql`
      SELECT * EXCEPT (${listOf(names)}), [${values}] AS values, sums.1 AS whole, toInt64(count() OVER ()) AS groups,
        (toInt64(sum(n) OVER ()), sum(kg) OVER (), sum(usd) OVER (), groupUniqArrayArray(kinds) OVER ()) AS sums
      FROM (
        SELECT ${listOf(groups.map(({ value }) => value))}, ${totals(ofRecords)} FROM ${tableOf(filter)}
        WHERE ${condition(filter, published)} GROUP BY ${listOf(names)}
      ) ORDER BY n DESC, ${inOrder} ${window(some)}`
    )
    const companyAt = group_by.indexOf("company")
    const named = yield* Names.named(
      engine,
      published,
      found.list.map((row) => row.values[companyAt] ?? "0")
    )
    return {
      totals: found.first === undefined ? none : sumsOf(found.first),
      total: found.total,
      list: found.list.map((row) => {
        const company = row.values[companyAt]
        return {
          group: Object.fromEntries(
            group_by.map((dimension, index) => [dimension, shown(dimension, row.values[index] ?? "")])
          ),
          company: company === undefined || company === "0" ? null : named(company),
          ...sharedOf(row)
        }
      })
    }
  })

const CompanyTotals = Schema.Struct({ ...Sums.fields, value: Schema.String, partners: Schema.Int })
const CompanyRow = Schema.Struct({ ...Ranked.fields, ...CompanyTotals.fields })

/** From all records that match. */
const counted = (
  engine: Engine["Service"],
  published: Published,
  { filter, role, window: part }: TradeQuestion.CompanyStatisticsQuestion
): Asked<TradeAnswer.Listed<typeof CompanyRow.Type>> => {
  const partner = traderOf(TradeRole.other(role))
  const groups = sql`SELECT ${traderOf(role)} AS trader, toString(trader) AS value, trader != 0 AS present,
      toInt64(uniqExactIf(${partner}, ${partner} != 0)) AS partners, ${totals(ofRecords)}
      FROM ${tableOf(filter)} WHERE ${condition(filter, published)} GROUP BY trader`
  return listed(engine, CompanyRow, part, (some) => ranked(groups, sql`value`, some))
}

/** Of all records: ranked by what is known of traders, and only the rows of those on the page are read. */
const known = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  published: Published,
  { role, window: part }: TradeQuestion.CompanyStatisticsQuestion
): Effect.fn.Return<TradeAnswer.Listed<typeof CompanyRow.Type>, TradeStore.TradeStoreError> {
  const { list, total } = yield* listed(engine, TraderRank, part, (some) => traderRanks(role, sql`1`, published, some))
  if (list.length === 0) return { list: [], total }
  const found = yield* engine.rows(
    CompanyTotals,
    sql`SELECT toString(trader_id) AS value, toInt64(uniqExactIf(partner_id, partner_id != 0)) AS partners,
      ${totals(ofTraders)} FROM trader_record
    WHERE trader_id IN ${ids(TraderId.readAll(list.map(({ value }) => value)))} AND role = ${text(role)}
      AND ${visible(published)} GROUP BY trader_id`
  )
  const byTrader = new Map(found.map((row) => [row.value, row]))
  return {
    total,
    list: list.flatMap(({ groups, value, whole }) => {
      const row = byTrader.get(value)
      return row === undefined ? [] : [{ ...row, groups, whole }]
    })
  }
})

export const companies = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    question: TradeQuestion.CompanyStatisticsQuestion
  ): Effect.fn.Return<TradeAnswer.Listed<TradeAnswer.CompanyShare>, TradeStore.TradeStoreError> {
    const { list, total } = yield* (isEverything(question.filter) ? known : counted)(engine, published, question)
    const named = yield* Names.named(
      engine,
      published,
      list.map(({ value }) => value)
    )
    return {
      total,
      list: list.map((row) => ({ ...named(row.value), ...sharedOf(row), partner_count: row.partners }))
    }
  })

const Valued = Schema.Struct({ ...Ranked.fields, value: Schema.String })

export const ports =
  (engine: Engine["Service"]) =>
  (
    published: Published,
    { filter, window: part }: TradeQuestion.PortStatisticsQuestion
  ): Asked<TradeAnswer.Listed<TradeAnswer.PortShare>> => {
    const groups = sql`SELECT toString(${port}) AS value, value != '' AS present, ${totals(ofRecords)}
      FROM ${tableOf(filter)} WHERE ${condition(filter, published)} GROUP BY value`
    return Effect.map(
      listed(engine, Valued, part, (some) => ranked(groups, sql`value`, some)),
      ({ list, total }) => ({ list: list.map((row) => ({ port: row.value, ...sharedOf(row) })), total })
    )
  }

const WorldRow = Schema.Struct({ ...Ranked.fields, value: Schema.String, traders: Schema.Int })

/** There are no more countries. */
const everywhere: TradeQuestion.Window = { page: 1, limit: 1000 }

export const world =
  (engine: Engine["Service"]) =>
  (
    published: Published,
    { from, product, role, to }: TradeQuestion.WorldQuestion
  ): Asked<ReadonlyArray<TradeAnswer.WorldRegion>> => {
    const trader = traderOf(role)
    const groups = sql`SELECT toString(${countryOf(role)}) AS value, value != '' AS present,
      toInt64(uniqExactIf(${trader}, ${trader} != 0)) AS traders, ${totals(ofRecords)} FROM trade_record
      WHERE ${condition({ ...TradeFilter.all, product, from, to }, published)} GROUP BY value`
    return Effect.map(engine.rows(WorldRow, ranked(groups, sql`value`, everywhere)), (rows) =>
      rows.map((row) => ({ country: row.value, ...sharedOf(row), company_count: row.traders }))
    )
  }

const Covered = Schema.Struct({
  country: Schema.String,
  records: Schema.Int,
  first_date: Schema.String,
  last_date: Schema.String,
  flows: Schema.Array(Schema.Literals(["export", "import"]))
})

/** All records are read for it, and it is the same until something is published. */
export const coverage = (engine: Engine["Service"]) => {
  let kept: { readonly version: number; readonly answer: ReadonlyArray<TradeAnswer.Coverage> } | null = null
  const read = (published: Published): Asked<ReadonlyArray<TradeAnswer.Coverage>> =>
    engine.rows(
      Covered,
      sql`SELECT toString(${declared(countryOf("importer"), countryOf("exporter"))}) AS country,
        toInt64(count()) AS records, toString(min(date)) AS first_date, toString(max(date)) AS last_date,
        arraySort(groupUniqArray(toString(flow))) AS flows
      FROM trade_record WHERE ${visible(published)} GROUP BY country HAVING country != '' ORDER BY country`
    )
  return (published: Published): Asked<ReadonlyArray<TradeAnswer.Coverage>> =>
    Effect.suspend(() => {
      const { version } = published
      if (kept?.version === version) return Effect.succeed(kept.answer)
      return Effect.tap(read(published), (answer) => Effect.sync(() => (kept = { version, answer })))
    })
}
