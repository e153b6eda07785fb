/**
 * What a currency was worth in US dollars, by a table that the operator supplies: CSV with the columns `date`
 * (`YYYY-MM-DD`), `currency` (ISO 4217) and `usd_per_unit`. A day without a rate has that of the nearest earlier day, up to
 * a bound; beyond it nothing is known, and nothing is made up.
 */
import { Effect } from "effect"
import { ImportError } from "../ImportError.ts"
import * as Dates from "./Dates.ts"

export interface Rates {
  /** US dollars for one unit; `null` where the table does not say. */
  readonly usd: (currency: string, date: string) => number | null
}

/** Over long holidays and a month's end, not over a crisis. */
const LONGEST_DAYS = 31

const DAY = 86_400_000

interface Series {
  readonly days: Array<number>
  readonly rates: Array<number>
}

/** No table: only dollars are dollars. */
export const none: Rates = { usd: (currency) => (currency === "USD" ? 1 : null) }

const dayOf = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY)

/** The place of the last day that is not after `day`; -1 where all are. */
const lastUpTo = (days: ReadonlyArray<number>, day: number): number => {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle] ?? 0) <= day) low = middle + 1
    else high = middle
  }
  return low - 1
}

const isoDate = Dates.parser("iso")

interface Line {
  readonly currency: string
  readonly day: number
  readonly rate: number
}

const lineOf = (text: string): Line | string => {
  const [date = "", currency = "", rate = "", ...more] = text
    .split(",")
    .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"))
  const known = isoDate(date)
  if (more.length > 0) return "expected three columns: date,currency,usd_per_unit"
  if (known == null) return `expected a date YYYY-MM-DD, found ${JSON.stringify(date)}`
  if (!/^[A-Z]{3}$/.test(currency))
    return `expected a currency of three capital letters, found ${JSON.stringify(currency)}`
  if (!/^\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(rate) || Number(rate) <= 0)
    return `expected US dollars for one ${currency}, found ${JSON.stringify(rate)}`
  return { currency, day: dayOf(known), rate: Number(rate) }
}

const series = (lines: ReadonlyArray<Line>): ReadonlyMap<string, Series> => {
  const byCurrency = new Map<string, Series>()
  for (const { currency, day, rate } of lines.toSorted((a, b) => a.day - b.day)) {
    const one = byCurrency.get(currency) ?? { days: [], rates: [] }
    one.days.push(day)
    one.rates.push(rate)
    byCurrency.set(currency, one)
  }
  return byCurrency
}

/** Reads a table. A wrong line is an error that names it: a rate that is missing would be missed by nobody. */
export const load = Effect.fnUntraced(function* (file: string, text: string, longestDays: number = LONGEST_DAYS) {
  const lines = text.replace(/^\u{feff}/u, "").split(/\r?\n/)
  if (!/^"?date"?\s*,\s*"?currency"?\s*,\s*"?usd_per_unit"?\s*$/i.test(lines[0] ?? "")) {
    const problem = "line 1: expected the columns date,currency,usd_per_unit"
    return yield* new ImportError({ reason: "option", file, problem })
  }
  const read: Array<Line> = []
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === "") continue
    const one = lineOf(line)
    if (typeof one === "string") {
      return yield* new ImportError({ reason: "option", file, problem: `line ${index + 1}: ${one}` })
    }
    read.push(one)
  }
  const byCurrency = series(read)
  const usd: Rates["usd"] = (currency, date) => {
    if (currency === "USD") return 1
    const { days = [], rates = [] } = byCurrency.get(currency) ?? {}
    const day = dayOf(date)
    const place = lastUpTo(days, day)
    return place >= 0 && day - (days[place] ?? 0) <= longestDays ? (rates[place] ?? null) : null
  }
  return { usd } satisfies Rates
})
