/** Points in time, as the interface spells them: amounts as texts, dates in Unix seconds. */
import type { TradeAnswer } from "@lading/core/trade"
import type { MarketTrend, ProcurementTrends, TradeTrends } from "../../../api/CustomsBody.ts"

/** Digits without an exponent, however large. */
const digits = (value: number): string => BigInt(Math.round(value)).toString()

/** A sum over nothing is 0: these fields are no place for `null`. */
const whole = (value: number | null): number => Math.round(value ?? 0)

const decimal = (value: number | null): string => (value ?? 0).toFixed(2)

const pointOf = (point: TradeAnswer.Point): (typeof MarketTrend.Type)["list"][number] => ({
  quantity: digits(point.quantity ?? 0),
  weight: decimal(point.weight_kg),
  amount: decimal(point.amount_usd),
  date: Date.parse(`${point.date}T00:00:00Z`) / 1000,
  sellerCount: point.seller_count,
  buyerCount: point.buyer_count,
  monthText: point.date.slice(0, 7),
  tradeCount: point.trade_count
})

const sums = ({ quantity, trade_count, weight_kg }: TradeAnswer.Trend) => ({
  all_times: trade_count,
  all_qty: whole(quantity),
  all_weight: whole(weight_kg)
})

const about = ({ amount_kinds, quantity_unit }: TradeAnswer.Trend) => ({ quantity_unit, amount_kinds })

export const market = (trend: TradeAnswer.Trend): typeof MarketTrend.Type => ({
  list: trend.points.map(pointOf),
  ...sums(trend)
})

export const trade = (trend: TradeAnswer.Trend): typeof TradeTrends.Type => ({
  list: trend.points.map((point) => ({ ...pointOf(point), period: point.period })),
  ...sums(trend),
  ...about(trend)
})

export const procurement = (trend: TradeAnswer.Procurement): typeof ProcurementTrends.Type => ({
  list: trend.points.map((point) => ({
    ...pointOf(point),
    period: point.period,
    growth: { tradeCount: point.growth.trade_count, weight: point.growth.weight_kg, amount: point.growth.amount_usd }
  })),
  ...sums(trend),
  ...about(trend)
})
