/** Answers by period: of a trader, of a product, of what a country buys. */
import { Growth, Period, type TradeAnswer, TradeFilter, type TradeQuestion, type TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { condition, startOfMonth } from "./Filter.ts"
import type { Published } from "./Published.ts"
import { sql, type Statement } from "./Statement.ts"
import { type Measured, ofRecords, ofTraders, parts, Sums, totalsOf, totalsOfParts } from "./Sums.ts"
import { own } from "./Traders.ts"

const Row = Schema.Struct({
  ...Sums.fields,
  start: Schema.String,
  sellers: Schema.Int,
  buyers: Schema.Int,
  /** Units with the sum of their quantities, how many records have one, and how many are in that unit at all. */
  units: Schema.Array(Schema.Tuple([Schema.String, Schema.NullOr(Schema.Finite), Schema.Int]))
})
type Row = typeof Row.Type

const starts = {
  month: startOfMonth,
  quarter: sql`makeDate32(toYear(date), 3 * toQuarter(date) - 2, 1)`,
  year: sql`date - toDayOfYear(date) + 1`
} satisfies Record<Period.Granularity, Statement>

interface Sides {
  readonly seller: Statement
  readonly buyer: Statement
}

/** A row for each period that has records. */
const points = (from: Statement, granularity: Period.Granularity, measured: Measured, sides: Sides): Statement => sql`
  SELECT toString(start) AS start, ${totalsOfParts}, toInt64(uniqExactMerge(part_sellers)) AS sellers,
    toInt64(uniqExactMerge(part_buyers)) AS buyers, groupArray((unit, quantities, quantified)) AS units
  FROM (
    SELECT ${starts[granularity]} AS start, toString(quantity_unit) AS unit, ${parts(measured)},
      sum(quantity) AS quantities, toInt64(count(quantity)) AS quantified,
      uniqExactStateIf(toUInt64(${sides.seller}), ${sides.seller} != 0) AS part_sellers,
      uniqExactStateIf(toUInt64(${sides.buyer}), ${sides.buyer} != 0) AS part_buyers
    ${from} GROUP BY start, unit
  ) GROUP BY start ORDER BY start`

/** The sum of what is known. */
const sum = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((before, value) => before + value, 0)
}

/** The unit of most of the records that have a quantity; equal ones by name. */
const usualUnit = (rows: ReadonlyArray<Row>): string | null => {
  const counts = new Map<string, number>()
  for (const { units } of rows)
    for (const [unit, , count] of units) if (unit !== "" && count > 0) counts.set(unit, (counts.get(unit) ?? 0) + count)
  const [first] = [...counts].toSorted(([a, some], [b, others]) => others - some || (a < b ? -1 : 1))
  return first?.[0] ?? null
}

const quantityOf = (rows: ReadonlyArray<Row>, unit: string | null): TradeAnswer.Quantity => ({
  quantity: sum(rows.flatMap(({ units }) => units.map(([name, value]) => (name === unit ? value : null)))),
  quantity_unit: unit
})

const whole = (rows: ReadonlyArray<Row>): TradeAnswer.Totals => ({
  trade_count: rows.reduce((before, { n }) => before + n, 0),
  weight_kg: sum(rows.map(({ kg }) => kg)),
  amount_usd: sum(rows.map(({ usd }) => usd)),
  amount_kinds: [...new Set(rows.flatMap(({ kinds }) => kinds))].toSorted()
})

const trendOf = (rows: ReadonlyArray<Row>, granularity: Period.Granularity): TradeAnswer.Trend => {
  const unit = usualUnit(rows)
  return {
    points: rows.map((row) => ({
      period: Period.of(row.start, granularity),
      date: row.start,
      ...totalsOf(row),
      ...quantityOf([row], unit),
      seller_count: row.sellers,
      buyer_count: row.buyers
    })),
    ...whole(rows),
    ...quantityOf(rows, unit)
  }
}

type Asked<A> = Effect.Effect<A, TradeStore.TradeStoreError>

export const trends =
  (engine: Engine["Service"]) =>
  (published: Published, question: TradeQuestion.TrendQuestion): Asked<TradeAnswer.Trend> => {
    const isImporter = question.role === "importer"
    const sides = {
      seller: isImporter ? sql`partner_id` : sql`trader_id`,
      buyer: isImporter ? sql`trader_id` : sql`partner_id`
    }
    return Effect.map(
      engine.rows(Row, points(own(question, published), question.granularity, ofTraders, sides)),
      (rows) => trendOf(rows, question.granularity)
    )
  }

const ofEverybody = { seller: sql`exporter_id`, buyer: sql`importer_id` }

const matching = (
  engine: Engine["Service"],
  published: Published,
  filter: Partial<TradeFilter.TradeFilter>,
  granularity: Period.Granularity
): Asked<TradeAnswer.Trend> =>
  Effect.map(
    engine.rows(
      Row,
      points(
        sql`FROM trade_record WHERE ${condition({ ...TradeFilter.all, ...filter }, published)}`,
        granularity,
        ofRecords,
        ofEverybody
      )
    ),
    (rows) => trendOf(rows, granularity)
  )

export const trend =
  (engine: Engine["Service"]) =>
  (published: Published, { from, product, role, to }: TradeQuestion.MarketQuestion): Asked<TradeAnswer.Trend> =>
    matching(engine, published, { product, flow: role === "importer" ? "import" : "export", from, to }, "month")

export const procurement =
  (engine: Engine["Service"]) =>
  (published: Published, question: TradeQuestion.ProcurementQuestion): Asked<TradeAnswer.Procurement> => {
    const { country, from, granularity, hs_prefix, product, to } = question
    const destination_countries = country === null ? [] : [country]
    const bought = { product, hs_prefix, flow: "import", destination_countries, from, to } as const
    return Effect.map(matching(engine, published, bought, granularity), Growth.of)
  }
