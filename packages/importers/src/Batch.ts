/**
 * What reading a file of customs records gives: batches of records, each with the place where reading can go on from.
 *
 * Gotcha: `position` is opaque and belongs to the same files, read by the same format with the same options. Reading from
 * it gives exactly the batches that would have followed.
 */
import type { TradeRecord } from "@lading/core/trade"
import type { Stream } from "effect"
import type { ImportError } from "./ImportError.ts"

/** A line that is no record: where it stands, and what was expected there. */
export interface Rejected {
  readonly file: string
  /** From 1; of a row that spans lines the first. In dBase and Parquet the number of the row, headers not counted. */
  readonly line: number
  readonly column: string | null
  readonly problem: string
  /** The line, cut. */
  readonly text: string
}

export interface Batch {
  readonly records: ReadonlyArray<TradeRecord.TradeRecord>
  readonly rejected: ReadonlyArray<Rejected>
  /** Rows that are sound and mean no trade: empty containers, deleted rows. */
  readonly dropped: number
  /** Bytes read of the files as they are on the disk, with everything before. For a progress bar only. */
  readonly read: number
  readonly position: string
}

export interface TradeFile {
  /** Of all files as they are on the disk; compressed ones as they are. */
  readonly bytes: number | null
  /** From the beginning (`null`), or from the position of an earlier batch. */
  readonly batches: (from: string | null) => Stream.Stream<Batch, ImportError>
}

/** Longer lines are cut in a report. */
const LONGEST = 300

export const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`)
