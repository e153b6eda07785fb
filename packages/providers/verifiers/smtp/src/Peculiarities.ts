/** What was learnt of how a host speaks, so that it is not tried again and again. */
import type { Clock } from "effect"

/** Its TLS fails; it refuses RSET. */
export type Peculiarity = "no_tls" | "no_reset"

/** Three days. */
const LIFE = 3 * 24 * 3_600_000

/** Hosts that are kept; the oldest goes first. */
const CAPACITY = 10_000

export class Peculiarities {
  readonly #until = new Map<string, number>()
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  note(host: string, what: Peculiarity): void {
    const [oldest] = this.#until.keys()
    if (this.#until.size >= CAPACITY && oldest !== undefined) this.#until.delete(oldest)
    this.#until.set(`${what} ${host}`, this.#clock.currentTimeMillisUnsafe() + LIFE)
  }

  has(host: string, what: Peculiarity): boolean {
    return (this.#until.get(`${what} ${host}`) ?? 0) > this.#clock.currentTimeMillisUnsafe()
  }
}
