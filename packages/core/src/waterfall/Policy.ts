/** How the waterfall behaves, as an operator may set it. */
import * as Guard from "./Guard.ts"
import type * as KeptAnswers from "./KeptAnswers.ts"
import type * as Latencies from "./Latencies.ts"

/** How answers that vendors give later are waited for, in milliseconds. */
export interface Pending {
  /** The longest. */
  readonly life: number
  /** The first pause between two times that one is asked for; each is half as long again as the one before. */
  readonly first: number
  /** The longest pause. */
  readonly most: number
}

export interface Policy extends KeptAnswers.Lives {
  readonly guard: Guard.Policy
  readonly pending: Pending
  /** When an answer is late; left out, as `Latencies` has it. */
  readonly latencies?: Latencies.Policy
}

const minute = 60 * 1000
const day = 24 * 60 * 60 * 1000

export const defaults: Policy = {
  guard: Guard.defaults,
  keepHit: 30 * day,
  keepMiss: day,
  keepRaw: 30 * day,
  pending: { life: 15 * minute, first: 2_000, most: 30_000 }
}
