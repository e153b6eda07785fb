/** Rows as the text of a result. JSON Lines have the whole answer of each row; CSV and TSV have a table. */
import { Credits } from "@lading/core/billing"
import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import type { Kind } from "./Columns.ts"
import type { Format } from "./Format.ts"
import type { Row } from "./Input.ts"
import * as Layout from "./Layout.ts"
import type { Outcome } from "./Outcome.ts"

export interface Done {
  readonly row: Row
  readonly outcome: Outcome
}

export interface Output {
  /** What stands before the first row. */
  readonly beginning: Effect.Effect<string>
  readonly text: (done: Done) => Effect.Effect<string>
}

export interface Options {
  readonly format: Format
  /** Of CSV; TSV has its own. */
  readonly delimiter: string
  /** Whether to begin with a byte order mark, as the input does. */
  readonly marked: boolean
  readonly kind: Kind
  /** The columns of the input. */
  readonly header: ReadonlyArray<string>
  readonly raw: boolean
}

const json = (header: ReadonlyArray<string>, { outcome, row }: Done): string => {
  const { answer, credits, error, request_id, status } = outcome
  const input = row.object ?? Object.fromEntries(header.map((name, index) => [name, row.cells[index] ?? ""]))
  return `${JSON.stringify({ row: input, status, error, credits: Credits.toNumber(credits), request_id, answer })}\n`
}

export const make = ({ delimiter, format, header, kind, marked, raw }: Options): Output => {
  if (format === "jsonl") {
    return {
      beginning: Effect.succeed(""),
      text: (done) => Effect.succeed(json(header, done))
    }
  }
  const layout = Layout.of(kind, header, raw)
  const csv = { delimiter: format === "tsv" ? "\t" : delimiter, newline: "\n" } as const
  const write = (cells: ReadonlyArray<string>) =>
    Stream.make(cells).pipe(Stream.pipeThroughChannel(Csv.encodeString(csv)), Stream.mkString)
  return {
    beginning: Effect.map(write(layout.header), (text) => (marked ? `\ufeff${text}` : text)),
    text: ({ outcome, row }) => write(layout.cells(row, outcome))
  }
}
