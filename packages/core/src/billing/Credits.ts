/**
 * Credits: the unit in which Lading charges. Inside they are integers of a millionth of a credit, so that
 * sums are exact; on the wire they are JSON numbers with at most six decimals.
 *
 * Gotchas: a `Credits` is a safe integer (below 2^53, nine billion credits). Never add wire numbers.
 */
import { Schema } from "effect"

/** An amount of credits in millionths of a credit. Never negative. */
export const Credits = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(Schema.brand("Credits"))
export type Credits = typeof Credits.Type

/** How many millionths make one credit. */
export const scale = 1_000_000

export const zero: Credits = Credits.make(0)

/** From a wire number; anything below a millionth is rounded up, so that a price is never cheaper than stated. */
export const fromNumber = (credits: number): Credits => Credits.make(Math.ceil(Number((credits * scale).toFixed(3))))

/** From a wire number that is a ceiling: anything below a millionth is dropped. */
export const floor = (credits: number): Credits => Credits.make(Math.floor(Number((credits * scale).toFixed(3))))

/** To the wire number. */
export const toNumber = (credits: Credits): number => credits / scale

export const add = (a: Credits, b: Credits): Credits => Credits.make(a + b)

export const sum = (amounts: Iterable<Credits>): Credits => {
  let total = 0
  for (const amount of amounts) total += amount
  return Credits.make(total)
}

/** `a - b`, but never below zero. */
export const subtract = (a: Credits, b: Credits): Credits => Credits.make(Math.max(0, a - b))

export const max = (a: Credits, b: Credits): Credits => (a >= b ? a : b)

export const min = (a: Credits, b: Credits): Credits => (a <= b ? a : b)

export const times = (a: Credits, factor: number): Credits => Credits.make(a * factor)
