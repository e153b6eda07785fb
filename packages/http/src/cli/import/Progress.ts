/** How far an import is, and what came of it. */
import type { TradeImport } from "@lading/core/trade"
import * as Bar from "../Bar.ts"
import * as Print from "../Print.ts"
import { duration } from "../rows/Progress.ts"

export interface State {
  /** Bytes read, of how many; `null` where that is not known. */
  readonly read: number
  readonly bytes: number | null
  /** Rows that are safe in the store, and those that were before this run began. */
  readonly rows: number
  readonly before: number
  readonly rejected: number
  readonly publishing: boolean
  /** Milliseconds since it began. */
  readonly elapsed: number
}

const shareOf = ({ bytes, read }: State): number | null =>
  bytes === null || bytes === 0 ? null : Math.min(1, read / bytes)

export const line = (state: State): string => {
  const { before, elapsed, publishing, rejected, rows } = state
  const told = `${Print.number(rows)} rows, ${Print.number(rejected)} rejected`
  if (publishing) return `${told}, publishing`
  const share = shareOf(state)
  const rate = elapsed === 0 ? 0 : ((rows - before) * 1000) / elapsed
  const left = share === null || share === 0 ? "" : `, ${duration((elapsed * (1 - share)) / share)} left`
  return `${share === null ? "" : `${Math.floor(share * 100)} %, `}${told}, ${Print.number(Math.round(rate))} rows/s${left}`
}

export const bar = (state: State, columns: number): string => Bar.drawn(shareOf(state) ?? 0, line(state), columns)

export interface Outcome {
  readonly imported: TradeImport.Imported
  readonly dropped: number
  readonly rejects: string
  readonly elapsed: number
}

export const summary = ({ dropped, elapsed, imported, rejects }: Outcome): ReadonlyArray<string> => {
  const { begun, progress, publication } = imported
  if (publication === null)
    return [`Nothing to do: these bytes are load ${begun.load}, with ${Print.number(progress.rows)} rows, already`]
  return [
    `Load      ${begun.load}`,
    `Rows      ${Print.number(progress.rows)}`,
    `Rejected  ${Print.number(progress.rejected)}${progress.rejected === 0 ? "" : ` (${rejects})`}`,
    ...(dropped === 0 ? [] : [`Dropped   ${Print.number(dropped)} (rows that mean no trade)`]),
    `Added     ${Print.number(publication.added)}`,
    `Replaced  ${Print.number(publication.replaced)}`,
    `Records   ${Print.number(publication.records)} in all`,
    `Time      ${duration(elapsed)}`
  ]
}

/** The same as one value. */
export const json = ({ dropped, imported }: Outcome): object => {
  const { begun, progress, publication } = imported
  return {
    load: begun.load,
    state: publication === null ? "known" : "published",
    resumed: begun.state === "resumed",
    rows: progress.rows,
    rejected: progress.rejected,
    dropped,
    added: publication?.added ?? 0,
    replaced: publication?.replaced ?? 0,
    records: publication?.records ?? null
  }
}
