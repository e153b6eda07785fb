/** How much more than in the period before. */
import * as Period from "./Period.ts"
import type { Growth, Point, Procurement, Trend } from "./TradeAnswer.ts"

/** As a part of what was before; `null` where nothing was, or is not known. */
const growth = (now: number | null, before: number | null | undefined): number | null =>
  now === null || before === null || before === undefined || before === 0 ? null : (now - before) / before

/** Each point against the period of the calendar before it. */
export const of = (trend: Trend): Procurement => {
  const byPeriod = new Map(trend.points.map((point) => [point.period, point]))
  const grown = (point: Point): Growth => {
    const before = byPeriod.get(Period.previous(point.period))
    return {
      trade_count: growth(point.trade_count, before?.trade_count),
      weight_kg: growth(point.weight_kg, before?.weight_kg),
      amount_usd: growth(point.amount_usd, before?.amount_usd)
    }
  }
  return { ...trend, points: trend.points.map((point) => ({ ...point, growth: grown(point) })) }
}
