/**
 * Credits: the unit in which Lading charges. Inside they are integers of a millionth of a credit, so that
 * sums are exact; on the wire they are JSON numbers with at most six decimals.
 *
 * Gotchas: a `Credits` is a safe integer (below 2^53, nine billion credits). Never add wire numbers.
 */
import { Brand, Schema } from "effect"

/** An amount of credits in millionths of a credit. Never negative. */
export const Credits = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(Schema.brand("Credits"))
export type Credits = typeof Credits.Type

const brand = Brand.nominal<Credits>()

/** An amount that was computed: a defect when it is no amount. Without the cost of a schema, it stands in every sum. */
export const of = (millionths: number): Credits => {
  if (!Number.isSafeInteger(millionths) || millionths < 0) throw new RangeError(`not an amount: ${millionths}`)
  return brand(millionths)
}

/** How many millionths make one credit. */
export const scale = 1_000_000

export const zero: Credits = of(0)

/** Binary fractions are off by far less than a thousandth of a millionth. */
const thousandths = (credits: number): number => Math.round(credits * scale * 1000)

/** From a wire number; anything below a millionth is rounded up, so that a price is never cheaper than stated. */
export const fromNumber = (credits: number): Credits => of(Math.ceil(thousandths(credits) / 1000))

/** From a wire number that is a ceiling: anything below a millionth is dropped. */
export const floor = (credits: number): Credits => of(Math.floor(thousandths(credits) / 1000))

/** To the wire number. */
export const toNumber = (credits: Credits): number => credits / scale

export const add = (a: Credits, b: Credits): Credits => of(a + b)

export const sum = (amounts: Iterable<Credits>): Credits => {
  let total = 0
  for (const amount of amounts) total += amount
  return of(total)
}

/** `a - b`, but never below zero. */
export const subtract = (a: Credits, b: Credits): Credits => of(Math.max(0, a - b))

export const max = (a: Credits, b: Credits): Credits => (a >= b ? a : b)

export const min = (a: Credits, b: Credits): Credits => (a <= b ? a : b)

export const times = (a: Credits, factor: number): Credits => of(a * factor)
