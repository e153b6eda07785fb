/**
 * A file as a table: named columns, and rows of cells. What a cell means is a mapping's business; here is only what it
 * takes to get rows out of bytes, and to go on from a row.
 */
import type { Effect, Scope } from "effect"
import type { Rejected } from "../Batch.ts"
import type { ImportError } from "../ImportError.ts"

/** Text as written; numbers and truth values where the file itself tells them from text. */
export type Cell = string | number | boolean | null
export type Row = ReadonlyArray<Cell>

/** Where the next row begins: in bytes of the table (rows in Parquet), and its line from 1. */
export interface Place {
  readonly offset: number
  readonly line: number
}

export const start: Place = { offset: 0, line: 1 }

export interface Sheet {
  readonly rows: ReadonlyArray<Row>
  /** The line of a row of this sheet. */
  readonly lineOf: (row: number) => number
  /** What was no row. */
  readonly rejected: ReadonlyArray<Rejected>
  /** Rows that the file itself says are gone. */
  readonly dropped: number
  readonly next: Place
}

export interface Table {
  /** As they are headed; the cells of a row are in their order. */
  readonly columns: ReadonlyArray<string>
  /** The next rows; `null` at the end. Rows come once, in order. */
  readonly read: Effect.Effect<Sheet | null, ImportError>
  /** Bytes of the file on the disk so far. */
  readonly taken: () => number
}

/** Opens a table at a place until the scope ends. */
export type Open = (file: string, from: Place) => Effect.Effect<Table, ImportError, Scope.Scope>

/** A row as one would see it in a report. */
export const textOf = (row: Row, delimiter: string): string => row.map((cell) => cell ?? "").join(delimiter)
