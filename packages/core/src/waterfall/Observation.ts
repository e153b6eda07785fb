/**
 * Observations: who said what about one field, and when. They are all that a profile is made of, so that a merge can
 * be repeated, explained, or done again under another rule, without asking anybody.
 */

/** One value of one field as a source gave it, read by the field's row of the table. */
export interface Reading<Item> {
  /** By which values of a list are told apart: E.164, lower-case mail, a job's company, title and start. */
  readonly key: string
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

export interface Observation<Item = unknown> extends Reading<Item> {
  readonly field: string
  /** The slot's name, or `request`. */
  readonly source: string
  readonly precedence: Precedence
  /** The adapter and its version, `request` for the request. */
  readonly adapter: string
  /** Where it stood in the source's answer. */
  readonly position: number
  /** Epoch milliseconds when the vendor said so; `null` for the request. */
  readonly observed_at: number | null
  /** Speaks of somebody else: kept and listed, never merged. */
  readonly mismatch: boolean
}

/** The source's name for what the request itself says. */
export const request = "request"

const rank = (observation: Observation, order: ReadonlyArray<string>): number => {
  switch (observation.precedence) {
    case "request":
      return -1
    case "fallback":
      return Number.POSITIVE_INFINITY
    case "plan": {
      const index = order.indexOf(observation.source)
      return index === -1 ? order.length : index
    }
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** In the order of the sources, then as each source gave them; the order in which they arrived does not matter. */
export const sort = (
  observations: ReadonlyArray<Observation>,
  order: ReadonlyArray<string>
): ReadonlyArray<Observation> =>
  observations
    .map((observation) => ({ observation, rank: rank(observation, order) }))
    .toSorted(
      (a, b) =>
        (a.rank === b.rank ? 0 : a.rank - b.rank) ||
        compareText(a.observation.source, b.observation.source) ||
        compareText(a.observation.field, b.observation.field) ||
        a.observation.position - b.observation.position ||
        compareText(a.observation.key, b.observation.key)
    )
    .map(({ observation }) => observation)
