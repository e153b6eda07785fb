/**
 * Questions as people ask them: a few companies again and again, most of them hardly ever. Zipf's law: the company of
 * rank r is asked about with a probability proportional to 1 / r^exponent. The same seed gives the same load.
 */
import { Effect, Random } from "effect"

export interface Load {
  readonly requests: number
  /** How many there are to ask about; a load may leave some of them out. */
  readonly companies: number
  readonly exponent: number
  readonly seed: string
}

/** For each rank the probability of that rank or one before it. */
const distribution = (companies: number, exponent: number): Float64Array => {
  let sum = 0
  const sums = Float64Array.from({ length: companies }, (_, index) => (sum += 1 / (index + 1) ** exponent))
  return sums.map((one) => one / sum)
}

/** The first index whose sum is greater than `at`. */
const indexOf = (sums: Float64Array, at: number): number => {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 1) > at) high = middle
    else low = middle + 1
  }
  return low
}

/** The domain of the company that each request asks about. */
export const domains = ({ companies, exponent, requests, seed }: Load): ReadonlyArray<string> => {
  const sums = distribution(companies, exponent)
  const drawn = Effect.runSync(Random.withSeed(Effect.replicateEffect(Random.next, requests), seed))
  return drawn.map((at) => `c${indexOf(sums, at) + 1}.example`)
}
