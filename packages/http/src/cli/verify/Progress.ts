/** How far a list is, and what came of it. */
import { Credits } from "@lading/core/billing"
import { EmailResult } from "@lading/core/email"
import * as Bar from "../Bar.ts"
import * as Print from "../Print.ts"
import { duration } from "../rows/Progress.ts"
import type { Statuses } from "./Answers.ts"
import type { Job } from "./Job.ts"

export interface State {
  /** Addresses, each once. */
  readonly total: number
  readonly checked: number
  /** Those that were there when this run began. */
  readonly before: number
  /** Whose hosts want to be asked again. */
  readonly later: number
  /** Milliseconds since it began. */
  readonly elapsed: number
}

export const line = ({ before, checked, elapsed, later, total }: State): string => {
  const rate = elapsed === 0 ? 0 : ((checked - before) * 1000) / elapsed
  const left = rate === 0 || later > 0 ? "" : `, ${duration(((total - checked) * 1000) / rate)} left`
  const share = total === 0 ? 100 : Math.floor((checked * 100) / total)
  const again = later === 0 ? "" : `, ${Print.number(later)} to ask again`
  return `${Print.number(checked)}/${Print.number(total)} addresses (${share} %), ${rate.toFixed(1)} addresses/s${left}${again}`
}

export const bar = (state: State, columns: number): string =>
  Bar.drawn(state.total === 0 ? 1 : state.checked / state.total, line(state), columns)

export interface Outcome {
  readonly finished: boolean
  readonly rows: number
  readonly addresses: number
  readonly duplicates: number
  readonly blank: number
  readonly statuses: Statuses
  /** Those of which nothing is known: not verified yet, cancelled, or withheld. */
  readonly unverified: number
  readonly credits: Credits.Credits
  readonly millis: number
}

export const outcomeOf = (job: Job, finished: boolean, millis: number): Outcome => {
  const { counts, portions } = job.now()
  const { addresses, blank, rows } = counts
  return {
    finished,
    rows,
    addresses,
    duplicates: rows - blank - addresses,
    blank,
    statuses: job.answers.statuses,
    unverified: addresses - job.answers.known,
    credits: Credits.sum(portions.map(({ credits }) => credits)),
    millis
  }
}

/** A line of the summary. */
export const row = (name: string, text: string): string => `${name.padEnd(16)}${text}`

const some = (name: string, count: number): ReadonlyArray<string> =>
  count === 0 ? [] : [row(name, Print.number(count))]

/** `isBilled`: whether somebody charges for it. */
export const summary = (outcome: Outcome, isBilled: boolean): ReadonlyArray<string> => {
  const { addresses, blank, credits, duplicates, millis, rows, statuses, unverified } = outcome
  return [
    row("Rows", Print.number(rows)),
    ...some("  blank", blank),
    ...some("  duplicates", duplicates),
    row("Addresses", Print.number(addresses)),
    ...EmailResult.EmailStatus.literals.flatMap((status) => some(`  ${status}`, statuses[status] ?? 0)),
    ...some("  not verified", unverified),
    ...(isBilled ? [row("Credits", Print.number(Credits.toNumber(credits)))] : []),
    row("Time", duration(millis))
  ]
}

export const json = ({ credits, ...outcome }: Outcome): object => ({ ...outcome, credits: Credits.toNumber(credits) })
