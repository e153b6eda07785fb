/** How far a job is, counted over all of its runs. */
import { Credits } from "@lading/core/billing"
import { Schema } from "effect"
import type { Outcome } from "./Outcome.ts"

export const Tally = Schema.Struct({
  /** Rows that are safely in the result. */
  rows: Schema.Int,
  ok: Schema.Int,
  nothing_found: Schema.Int,
  pending: Schema.Int,
  error: Schema.Int,
  /** Rows for which a source was left out for want of room. */
  budget_exhausted: Schema.Int,
  /** Millionths of a credit that were charged. */
  credits: Credits.Credits,
  /** What pending answers may still cost, in millionths. */
  later: Credits.Credits
})
export type Tally = typeof Tally.Type

export const zero: Tally = {
  rows: 0,
  ok: 0,
  nothing_found: 0,
  pending: 0,
  error: 0,
  budget_exhausted: 0,
  credits: Credits.zero,
  later: Credits.zero
}

/** What a pending row may still cost, of the most that it can. */
export const laterOf = ({ credits, status }: Outcome, worst: Credits.Credits): Credits.Credits =>
  status === "pending" ? Credits.subtract(worst, credits) : Credits.zero

const cut = ({ budget_exhausted }: Outcome): number => (budget_exhausted.length === 0 ? 0 : 1)

export const add = (tally: Tally, outcome: Outcome, later: Credits.Credits): Tally => ({
  ...tally,
  rows: tally.rows + 1,
  [outcome.status]: tally[outcome.status] + 1,
  budget_exhausted: tally.budget_exhausted + cut(outcome),
  credits: Credits.add(tally.credits, outcome.credits),
  later: Credits.add(tally.later, later)
})

/** A row that was pending is complete; `later` is what it might still have cost. */
export const complete = (tally: Tally, was: Outcome, outcome: Outcome, later: Credits.Credits): Tally => {
  const pending = { ...tally, pending: tally.pending - 1 }
  return {
    ...pending,
    [outcome.status]: pending[outcome.status] + 1,
    budget_exhausted: tally.budget_exhausted - cut(was) + cut(outcome),
    credits: Credits.add(Credits.subtract(tally.credits, was.credits), outcome.credits),
    later: Credits.subtract(tally.later, later)
  }
}
