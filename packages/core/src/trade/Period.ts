/** Periods of the calendar, as texts that sort in their order: `2024-03`, `2024-Q1`, `2024`. */
import { Schema } from "effect"

export const Granularity = Schema.Literals(["month", "quarter", "year"])
export type Granularity = typeof Granularity.Type

const twoDigits = (number: number): string => String(number).padStart(2, "0")

/** The period in which a date (`YYYY-MM-DD`) lies. */
export const of = (date: string, granularity: Granularity): string => {
  const [year, month] = [date.slice(0, 4), date.slice(5, 7)]
  if (granularity === "month") return `${year}-${month}`
  return granularity === "year" ? year : `${year}-Q${Math.ceil(Number(month) / 3)}`
}

/** The first day of a period, `YYYY-MM-DD`. */
export const firstDay = (period: string): string => {
  const quarter = /^(\d{4})-Q([1-4])$/.exec(period)
  if (quarter !== null) return `${quarter[1]}-${twoDigits(3 * Number(quarter[2]) - 2)}-01`
  return period.length === 4 ? `${period}-01-01` : `${period}-01`
}

/** The period before this one. */
export const previous = (period: string): string => {
  const granularity: Granularity = period.length === 4 ? "year" : period.includes("Q") ? "quarter" : "month"
  const [year, month] = [Number(period.slice(0, 4)), Number(firstDay(period).slice(5, 7))]
  const back = { month: 1, quarter: 3, year: 12 }[granularity]
  const months = year * 12 + month - 1 - back
  return of(`${Math.floor(months / 12)}-${twoDigits((months % 12) + 1)}-01`, granularity)
}

/** The same day a year before; the 28th of February for the 29th. */
export const yearBefore = (date: string): string => {
  const before = String(Number(date.slice(0, 4)) - 1).padStart(4, "0")
  return before + (date.endsWith("-02-29") ? "-02-28" : date.slice(4))
}
