/**
 * Observations: who said what about one field, and when. They are all that a profile is made of, so that a merge can
 * be repeated, explained, or done again under another rule, without asking anybody.
 */

/** One value of one field as a source gave it, read by the field's row of the table. */
export interface Reading<Item> {
  /** By which values of a list are told apart: E.164, lower-case mail, a job's company, title and start. */
  readonly key: string
  /**
   * Tells values of one key apart that are known more closely: a job's start. One that leaves it out is the same as any
   * that says it.
   */
  readonly variant?: string | null
  /** As it is shown. */
  readonly value: Item
  /** As the source wrote it. */
  readonly raw: unknown
  /** Whether it passes the field's check; one that fails loses to one that passes, but is not deleted. */
  readonly valid: boolean
  /** The value stands for a range. */
  readonly estimated: boolean
}

/** Where a source stands in the order: the request comes first, its fallbacks last. */
export type Precedence = "request" | "plan" | "fallback"

/** Whose words they are. One answer has one origin, which all of its observations share. */
export interface Origin {
  /** The slot's name, or `request`. */
  readonly source: string
  readonly precedence: Precedence
  /** The adapter and its version, `request` for the request. */
  readonly adapter: string
  /** Epoch milliseconds when the vendor said so; `null` for the request. */
  readonly observed_at: number | null
  /** Speaks of somebody else: kept and listed, never merged. */
  readonly mismatch: boolean
}

/**
 * What is known of mail to an address. `undeliverable`: it is refused for certain; `unwanted`: it is taken, by nobody who
 * is to be reached; `unknown`: nobody found out.
 */
export type Delivery = "deliverable" | "catch_all" | "undeliverable" | "unwanted" | "unknown"

export interface Observation<Item = unknown> {
  readonly field: string
  /** Where it stood in the source's answer. */
  readonly position: number
  readonly reading: Reading<Item>
  readonly origin: Origin
  /** What verifying its address came to; left out where nothing was verified. */
  readonly delivery?: Delivery
}

/** The source's name for what the request itself says. */
export const request = "request"

const rank = ({ precedence, source }: Origin, order: ReadonlyArray<string>): number => {
  switch (precedence) {
    case "request":
      return -1
    case "fallback":
      return Number.POSITIVE_INFINITY
    case "plan": {
      const index = order.indexOf(source)
      return index === -1 ? order.length : index
    }
  }
}

/** An address that takes mail comes before one whose host takes any name, and that before the others. */
const standing = ({ delivery }: Observation): number =>
  delivery === "deliverable" ? 0 : delivery === "catch_all" ? 1 : 2

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The observations of one field in the order of the sources, then as each source gave them; the order in which they
 * arrived does not matter. Addresses that were verified come first, by what came of it.
 */
export const sort = (
  observations: ReadonlyArray<Observation>,
  order: ReadonlyArray<string>
): ReadonlyArray<Observation> =>
  observations.length < 2
    ? observations
    : observations.toSorted((a, b) => {
        const [x, y] = [rank(a.origin, order), rank(b.origin, order)]
        return (
          standing(a) - standing(b) ||
          (x === y ? 0 : x - y) ||
          compareText(a.origin.source, b.origin.source) ||
          a.position - b.position ||
          compareText(a.reading.key, b.reading.key)
        )
      })
