/** Which domains take mail for any name, remembered for a week, and the names that nobody has. */
import { type Clock, Effect, Random } from "effect"

const LIFE = 7 * 24 * 3_600_000

/** Domains that are kept; the oldest goes first. */
const CAPACITY = 200_000

export class CatchAll {
  readonly #known = new Map<string, { readonly is: boolean; readonly until: number }>()
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
    const [oldest] = this.#known.keys()
    if (this.#known.size >= CAPACITY && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(domain, { is, until: this.#clock.currentTimeMillisUnsafe() + LIFE })
  }
}

const letter = (letters: string) => Effect.map(Random.nextIntBetween(0, letters.length), (at) => letters[at] ?? "a")

const syllable = Effect.zipWith(letter("bdfgklmnprstvz"), letter("aeiou"), (one, other) => one + other)

const word = (syllables: number) => Effect.map(Effect.replicateEffect(syllable, syllables), (all) => all.join(""))

/** Looks like somebody's and is nobody's: `temilu.rosadiko`. Hosts learn to spot names of random signs. */
export const nobody: Effect.Effect<string> = Effect.zipWith(word(3), word(4), (first, last) => `${first}.${last}`)
