/** How far a run is: a bar on a terminal, a line now and then elsewhere, and a summary at the end. */
import { Credits } from "@lading/core/billing"
import { Clock, Effect, type Scope } from "effect"
import * as Bar from "../Bar.ts"
import * as Print from "../Print.ts"
import type { Tally } from "./Tally.ts"

export interface State {
  readonly tally: Tally
  /** Rows of the whole file. */
  readonly total: number
  /** Rows that were there when this run began. */
  readonly before: number
  /** Milliseconds since it began. */
  readonly elapsed: number
}

/** `1 h 02 min`, `2 min 05 s`, `7 s`. */
export const duration = (millis: number): string => {
  const seconds = Math.round(millis / 1000)
  const two = (number: number): string => String(number).padStart(2, "0")
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`
  return seconds >= 60 ? `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s` : `${seconds} s`
}

const credits = (amount: Credits.Credits): string => Print.credits(Credits.toNumber(amount))

/** Everything that is known, in one line. */
export const line = ({ before, elapsed, tally, total }: State): string => {
  const done = tally.rows - before
  const rate = elapsed === 0 ? 0 : (done * 1000) / elapsed
  const left = rate === 0 ? "" : `, ${duration(((total - tally.rows) * 1000) / rate)} left`
  const share = total === 0 ? 100 : Math.floor((tally.rows * 100) / total)
  const rows = `${Print.number(tally.rows)}/${Print.number(total)} rows (${share} %)`
  return `${rows}, ${Print.number(tally.ok)} found, ${credits(tally.credits)}, ${rate.toFixed(1)} rows/s${left}`
}

/** The same behind a bar, no longer than the terminal is wide; 0 is one that does not tell. */
export const bar = (state: State, columns: number): string => {
  const { tally, total } = state
  return Bar.drawn(total === 0 ? 1 : tally.rows / total, line(state), columns)
}

export const summary = ({ elapsed, tally, total }: State): ReadonlyArray<string> => [
  `Rows      ${Print.number(tally.rows)} of ${Print.number(total)}`,
  `Found     ${Print.number(tally.ok)}`,
  `Nothing   ${Print.number(tally.nothing_found)}`,
  ...(tally.pending === 0 ? [] : [`Pending   ${Print.number(tally.pending)}`]),
  `Failed    ${Print.number(tally.error)}`,
  ...(tally.budget_exhausted === 0
    ? []
    : [`Cut short ${Print.number(tally.budget_exhausted)} (sources left out, column budget_exhausted)`]),
  `Credits   ${Print.number(Credits.toNumber(tally.credits))}`,
  `Time      ${duration(elapsed)}`
]

/** Shows it on the error output until the scope closes. */
export const show = (state: Effect.Effect<State>, quiet: boolean): Effect.Effect<void, never, Scope.Scope> =>
  Bar.show({ line, bar }, quiet)(state)

/** A stopwatch in milliseconds. */
export const stopwatch = Effect.map(Clock.currentTimeMillis, (began) =>
  Effect.map(Clock.currentTimeMillis, (now) => now - began)
)
