/**
 * How many addresses a host is asked for at once: a few at first, twice as many each time that all were answered, half of
 * it where a connection ended on the way. A host that takes the unknown user in front amiss, and says so of those behind, is
 * asked one by one for a while.
 */

/** Addresses in one write. RFC 5321 (4.5.3.1.8) has a host take a hundred recipients. */
const MOST = 64

/** Addresses in the first write to a host. */
const FIRST = 8

/** Addresses in a row that are answered one by one before two are asked for together again. */
const WARY = 20

/** Hosts that are kept; the oldest goes first. */
const CAPACITY = 10_000

interface Known {
  depth: number
  /** How often all were answered, and how often that has to be before there are more. */
  clean: number
  wanted: number
}

export class Depth {
  readonly #known = new Map<string, Known>()

  of(host: string): number {
    return this.#known.get(host)?.depth ?? FIRST
  }

  /** So many were asked for, and all of them answered. */
  answered(host: string, asked: number): void {
    const known = this.#at(host)
    // Fewer than it takes say nothing.
    if (asked < known.depth || ++known.clean < known.wanted) return
    known.depth = Math.min(known.depth * 2, MOST)
    known.clean = 0
    known.wanted = 1
  }

  /** The connection ended before all were answered. */
  broken(host: string): void {
    const known = this.#at(host)
    known.depth = Math.max(1, Math.floor(known.depth / 2))
  }

  /** It answered some of them with what those before had done. */
  wary(host: string): void {
    Object.assign(this.#at(host), { depth: 1, clean: 0, wanted: WARY })
  }

  #at(host: string): Known {
    const found = this.#known.get(host)
    if (found !== undefined) return found
    const [oldest] = this.#known.keys()
    if (this.#known.size >= CAPACITY && oldest !== undefined) this.#known.delete(oldest)
    const known = { depth: FIRST, clean: 0, wanted: 1 }
    this.#known.set(host, known)
    return known
  }
}
