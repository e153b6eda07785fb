/**
 * Which domains take mail for any name, remembered for a week; who is finding it out just now, so that nobody else does; and
 * the names that nobody has.
 */
import type { Clock } from "effect"

const LIFE = 7 * 24 * 3_600_000

/** Domains that are kept; the oldest goes first. */
const CAPACITY = 200_000

/** What came of finding it out: nobody could say, or whoever asked has given up. */
export type Outcome = "learnt" | "not_learnt" | "given_up"

interface Probing {
  readonly ended: Promise<Outcome>
  readonly end: (outcome: Outcome) => void
}

export class CatchAll {
  readonly #known = new Map<string, { readonly is: boolean; readonly until: number }>()
  readonly #probing = new Map<string, Probing>()
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** `null` where nobody asked lately. */
  of(domain: string): boolean | null {
    const known = this.#known.get(domain)
    return known !== undefined && known.until > this.#clock.currentTimeMillisUnsafe() ? known.is : null
  }

  note(domain: string, is: boolean): void {
    const until = this.#clock.currentTimeMillisUnsafe() + LIFE
    if (this.#known.size >= CAPACITY) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(domain, { is, until })
  }

  /** `null`: it is the caller's to find out, and to `end`. Otherwise somebody does, and this is when it has ended. */
  claim(domain: string): Promise<Outcome> | null {
    const probing = this.#probing.get(domain)
    if (probing !== undefined) return probing.ended
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#probing.set(domain, { ended: promise, end: resolve })
    return null
  }

  end(domain: string, outcome: Outcome): void {
    this.#probing.get(domain)?.end(outcome)
    this.#probing.delete(domain)
  }
}

const CONSONANTS = "bdfgklmnprstvz"
const VOWELS = "aeiou"

/** Numbers from 0 to below 1, the same for the same text (FNV-1a, then mulberry32). */
const numbersOf = (text: string): (() => number) => {
  let state = 0x811c9dc5
  for (const sign of text) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Names that look like somebody's, of two shapes, and are nobody's: `temilu.rosadiko`, `vkasomu47`. Hosts learn to spot names
 * of random signs. Always the same for a sender and a domain: a greylist lets through whom it was asked for before, by
 * whichever server and process.
 */
export const nobody = (sender: string, domain: string, shape: 1 | 2): string => {
  const next = numbersOf(`${shape} ${sender} ${domain}`)
  const one = (of: string) => of[Math.floor(next() * of.length)] ?? "a"
  const word = (syllables: number) => {
    let text = ""
    for (let n = 0; n < syllables; n++) text += one(CONSONANTS) + one(VOWELS)
    return text
  }
  if (shape === 1) return `${word(3)}.${word(4)}`
  return `${one(CONSONANTS)}${word(4)}${10 + Math.floor(next() * 90)}`
}
