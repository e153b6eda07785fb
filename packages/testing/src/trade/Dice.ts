/**
 * Random numbers for one subject of many: seeded with its number, they are the same in every process and in any order
 * of asking, and cost nanoseconds where `Chance` hashes a text for each of them.
 *
 * Gotcha: a `Dice` is thrown again for the next subject, so nothing may keep it.
 */

/** Finaliser of MurmurHash3: every bit of the result depends on every bit of `n`. */
export const mix = (n: number): number => {
  const a = Math.imul(n ^ (n >>> 16), 0x85ebca6b)
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return (b ^ (b >>> 16)) >>> 0
}

/** Mulberry32. */
export class Dice {
  #state = 0

  /** Begins the numbers of `subject`; `about` tells apart what else has the same number. */
  of(seed: number, about: number, subject: number): this {
    this.#state = mix(subject ^ mix(seed ^ mix(about)))
    return this
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    const a = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61))
    return ((b ^ (b >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  /** True in `share` of the cases. */
  maybe(share: number): boolean {
    return this.next() < share
  }

  pick<A>(from: readonly [A, ...ReadonlyArray<A>]): A {
    return from[this.below(from.length)] ?? from[0]
  }

  /** A rank from 0 to below `count`, rank `k` about in proportion to `1 / (k + 1) ** exponent`; `exponent` is not 1. */
  rank(count: number, exponent: number): number {
    const power = 1 - exponent
    const whole = (count + 1) ** power - 1
    return Math.min(count - 1, Math.floor((1 + this.next() * whole) ** (1 / power)) - 1)
  }
}
