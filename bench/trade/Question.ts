/**
 * A question asked three ways: of the store as endpoints ask it, of the bare engine in SQL written for it over the same
 * tables, and of PostgreSQL. All three have to count the same, or nothing is measured.
 *
 * Gotcha: rows of SQL have a column `n`, which is what is compared. What else there is of an answer is fetched by all of
 * them, names of traders with it, and read by nobody.
 */
import type { TradeStore } from "@lading/core/trade"
import { Effect } from "effect"
import type { Row } from "./Plain.ts"

export type Store = TradeStore.TradeStore["Service"]

/** How one asks by hand. */
export type Ask = (statement: string) => Promise<ReadonlyArray<Row>>

export type ByHand = (ask: Ask, index: number) => Promise<ReadonlyArray<Row>>

export interface Question {
  readonly name: string
  /** An answer about one company must not take longer in a larger store. */
  readonly about: "company" | "market"
  readonly ours: (store: Store, index: number) => Effect.Effect<() => ReadonlyArray<number>, unknown>
  /** `null` where it is not a matter of SQL alone. */
  readonly engine: ByHand | null
  readonly postgres: ByHand | null
}

/** `counts`: what of our answer the column `n` has to be. */
export const make = <A>({
  counts,
  ours,
  ...others
}: Omit<Question, "ours"> & {
  readonly ours: (store: Store, index: number) => Effect.Effect<A, unknown>
  readonly counts: (answer: A) => ReadonlyArray<number>
}): Question => ({
  ...others,
  ours: (store, index) => Effect.map(ours(store, index), (answer) => () => counts(answer))
})

export const counted = (list: ReadonlyArray<{ readonly trade_count: number }>): ReadonlyArray<number> =>
  list.map(({ trade_count }) => trade_count)
