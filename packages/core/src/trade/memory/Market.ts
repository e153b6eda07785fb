/** Answers by period: of a trader, of a product, of what a country buys. */
import * as Growth from "../Growth.ts"
import * as Period from "../Period.ts"
import type { Point, Procurement, Trend } from "../TradeAnswer.ts"
import * as TradeFilter from "../TradeFilter.ts"
import type { MarketQuestion, ProcurementQuestion, TrendQuestion } from "../TradeQuestion.ts"
import { matching, ofTrader, type Rows } from "./Records.ts"
import { byName, distinct, groups, quantity, totals, usualUnit } from "./Sums.ts"

/** A point for each period with records, the earliest first; quantities are of the unit most frequent in all of them. */
const trendOf = (rows: Rows, granularity: Period.Granularity): Trend => {
  const unit = usualUnit(rows)
  const periods = groups(rows, ({ record }) => [Period.of(record.date, granularity)])
  const points = [...periods]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([period, some]): Point => ({
      period,
      date: Period.firstDay(period),
      ...totals(some),
      ...quantity(some, unit),
      seller_count: distinct(some.map(({ exporter_id }) => exporter_id)),
      buyer_count: distinct(some.map(({ importer_id }) => importer_id))
    }))
  return { points, ...totals(rows), ...quantity(rows, unit) }
}

export const trends = (rows: Rows, question: TrendQuestion): Trend =>
  trendOf(ofTrader(rows, question), question.granularity)

/** A product by month, in the declarations of one flow. */
export const trend = (rows: Rows, { from, product, role, to }: MarketQuestion): Trend =>
  trendOf(
    matching(rows, { ...TradeFilter.all, product, flow: role === "importer" ? "import" : "export", from, to }),
    "month"
  )

/** What a country buys of a product, each period against the one of the calendar before. */
export const procurement = (rows: Rows, question: ProcurementQuestion): Procurement => {
  const { country, from, granularity, hs_prefix, product, to } = question
  const destination_countries = country === null ? [] : [country]
  const bought = matching(rows, {
    ...TradeFilter.all,
    product,
    hs_prefix,
    flow: "import",
    destination_countries,
    from,
    to
  })
  return Growth.of(trendOf(bought, granularity))
}
