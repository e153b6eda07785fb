/** Rows as the text of a result. JSON Lines have the whole answer of each row; CSV and TSV have a table. */
import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import type { Format } from "./Format.ts"
import type { Row } from "./Input.ts"
import * as Layout from "./Layout.ts"

export interface Done<Outcome> {
  readonly row: Row
  readonly outcome: Outcome
}

export interface Output<Outcome> {
  /** What stands before the first row. */
  readonly beginning: Effect.Effect<string>
  readonly text: (done: Done<Outcome>) => Effect.Effect<string>
  /** The same of many rows, at less cost. */
  readonly texts: (all: ReadonlyArray<Done<Outcome>>) => Effect.Effect<string>
}

export interface Options<Outcome> {
  readonly format: Format
  /** Of CSV; TSV has its own. */
  readonly delimiter: string
  /** Whether to begin with a byte order mark, as the input does. */
  readonly marked: boolean
  /** What is added to the columns of the input. */
  readonly columns: ReadonlyArray<Layout.Column<Outcome>>
  /** The same as members of a line of JSON, beside `row`. */
  readonly members: (outcome: Outcome) => object
  /** The columns of the input. */
  readonly header: ReadonlyArray<string>
  readonly raw: boolean
}

const inputOf = (header: ReadonlyArray<string>, { cells, object }: Row): object =>
  object ?? Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""]))

export const make = <Outcome>(options: Options<Outcome>): Output<Outcome> => {
  const { columns, delimiter, format, header, marked, members, raw } = options
  if (format === "jsonl") {
    const line = ({ outcome, row }: Done<Outcome>) =>
      `${JSON.stringify({ row: inputOf(header, row), ...members(outcome) })}\n`
    return {
      beginning: Effect.succeed(""),
      text: (done) => Effect.sync(() => line(done)),
      texts: (all) => Effect.sync(() => all.map(line).join(""))
    }
  }
  const layout = Layout.of(columns, header, raw)
  const csv = { delimiter: format === "tsv" ? "\t" : delimiter, newline: "\n" } as const
  const write = (rows: ReadonlyArray<ReadonlyArray<string>>) =>
    Stream.fromIterable(rows).pipe(Stream.pipeThroughChannel(Csv.encodeString(csv)), Stream.mkString)
  const cells = ({ outcome, row }: Done<Outcome>) => layout.cells(row, outcome)
  return {
    beginning: Effect.map(write([layout.header]), (text) => (marked ? `\ufeff${text}` : text)),
    text: (done) => write([cells(done)]),
    texts: (all) => write(all.map(cells))
  }
}
