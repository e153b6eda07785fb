/** Sums, groups and ranks: what every answer is made of. */
import type { Listed, Quantity, Shared, Totals } from "../TradeAnswer.ts"
import type { Window } from "../TradeQuestion.ts"
import * as TradeRow from "../TradeRow.ts"
import type { Rows } from "./Records.ts"

type Row = TradeRow.TradeRow

/** The sum of what is known; `null` where nothing is. */
const sum = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((before, value) => before + value, 0)
}

export const totals = (rows: Rows): Totals => {
  const valued = rows.filter(({ record }) => record.amount_usd !== null)
  return {
    trade_count: rows.length,
    weight_kg: sum(rows.map(({ record }) => TradeRow.weight(record))),
    amount_usd: sum(valued.map(({ record }) => record.amount_usd)),
    amount_kinds: [...new Set(valued.map(({ record }) => record.amount_kind))].toSorted()
  }
}

/** Totals and their part of `whole` records. */
export const shared = (rows: Rows, whole: number): Shared => ({ ...totals(rows), share: rows.length / whole })

export const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Rows by each of the keys that a row has, each once; a row without a key is in no group. */
export const groups = (rows: Rows, keysOf: (row: Row) => ReadonlyArray<string>): ReadonlyMap<string, Rows> => {
  const found = new Map<string, Array<Row>>()
  for (const row of rows) {
    for (const key of new Set(keysOf(row))) {
      const group = found.get(key)
      if (group === undefined) found.set(key, [row])
      else group.push(row)
    }
  }
  return found
}

/** Groups with their keys, the larger first, equal ones by key. */
export const ranked = (found: ReadonlyMap<string, Rows>): ReadonlyArray<readonly [key: string, rows: Rows]> =>
  [...found].toSorted(([a, some], [b, others]) => others.length - some.length || byName(a, b))

/** Different values by how often they come, the most frequent first, equal ones by name. */
export const frequent = (values: ReadonlyArray<string | null>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([a, some], [b, others]) => others - some || byName(a, b)).map(([value]) => value)
}

/** How many different values are known. */
export const distinct = (values: ReadonlyArray<string | null>): number =>
  new Set(values.filter((value) => value !== null)).size

/** The part of a list that is looked at. */
export const listed = <A, B>(all: ReadonlyArray<A>, { limit, page }: Window, show: (one: A) => B): Listed<B> => ({
  list: all.slice((page - 1) * limit, page * limit).map(show),
  total: all.length
})

/** The unit of most of the records that have a quantity. */
export const usualUnit = (rows: Rows): string | null =>
  frequent(rows.map(({ record }) => (record.quantity === null ? null : record.quantity_unit)))[0] ?? null

/** How much there is of one unit. */
export const quantity = (rows: Rows, unit: string | null): Quantity => ({
  quantity:
    unit === null ? null : sum(rows.map(({ record }) => (record.quantity_unit === unit ? record.quantity : null))),
  quantity_unit: unit
})

/** First and last date of some rows, of which there has to be one. */
export const dates = (rows: Rows): { readonly first_date: string; readonly last_date: string } => {
  const sorted = rows.map(({ record }) => record.date).toSorted()
  return { first_date: sorted[0] ?? "", last_date: sorted.at(-1) ?? "" }
}
