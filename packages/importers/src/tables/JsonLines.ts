/** JSON Lines: one object a line. The columns of the table are the paths that are asked for, `importer.name` inside. */
import { Effect } from "effect"
import { cut, type Rejected } from "../Batch.ts"
import * as Bytes from "../bytes/Bytes.ts"
import type { Cell, Open, Row, Sheet, Table } from "./Table.ts"

const BLOCK = 1 << 20
const LONGEST_LINE = 8 << 20
const LF = 10

type Path = ReadonlyArray<string>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const member = (value: unknown, path: Path): unknown => {
  let at = value
  for (const name of path) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return null
    at = at[name]
  }
  return at
}

/** What a table can hold: an object or a list is its JSON. */
const cellOf = (value: unknown): Cell => {
  if (value == null) return null
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return JSON.stringify(value)
}

/** The cells of a line; a text that says what was expected. */
const rowOf = (line: string, columns: ReadonlyArray<string>, paths: ReadonlyArray<Path>): Row | string => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return "expected a JSON object"
  }
  if (!isObject(value)) return "expected a JSON object"
  // A member may have a dot in its name.
  return paths.map((path, index) => cellOf(value[columns[index] ?? ""] ?? member(value, path)))
}

const linesIn = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++
  return count
}

/** The next lines that are whole, and whether the first of them is too long for one. */
const nextLines = Effect.fnUntraced(function* (bytes: Bytes.Bytes) {
  for (let size = BLOCK; ; size *= 2) {
    const block = yield* bytes.peek(size)
    const ended = block.length < size
    const end = ended ? block.length : block.lastIndexOf(LF) + 1
    if (end > 0 || ended) return { whole: block.subarray(0, end), tooLong: false }
    if (size >= LONGEST_LINE) return { whole: block, tooLong: true }
  }
})

const sheetOf = (file: string, text: string, first: number, columns: ReadonlyArray<string>) => {
  const paths = columns.map((column) => column.split("."))
  const rows: Array<Row> = []
  const lines: Array<number> = []
  const rejected: Array<Rejected> = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    const row = rowOf(line, columns, paths)
    if (typeof row === "string")
      rejected.push({ file, line: first + index, column: null, problem: row, text: cut(line) })
    else {
      rows.push(row)
      lines.push(first + index)
    }
  }
  return { rows, rejected, dropped: 0, lineOf: (row: number) => lines[row] ?? 0 }
}

export const open = (columns: ReadonlyArray<string>): Open =>
  Effect.fnUntraced(function* (file, from) {
    const bytes = yield* Bytes.open(file, /\.(?:jsonl|ndjson|json)$/i)
    const decoder = new TextDecoder("utf-8")
    yield* bytes.skip(from.offset)
    let place = from
    const read = Effect.fnUntraced(function* () {
      const { tooLong, whole } = yield* nextLines(bytes)
      if (whole.length === 0) return null
      const found = sheetOf(file, tooLong ? "" : decoder.decode(whole), place.line, columns)
      const problem = `expected a line of at most ${LONGEST_LINE >> 20} MiB`
      // What follows of the line is no object either, and is rejected in its turn.
      const rejected = tooLong
        ? [{ file, line: place.line, column: null, problem, text: cut(decoder.decode(whole.subarray(0, 400))) }]
        : found.rejected
      yield* bytes.skip(whole.length)
      place = { offset: place.offset + whole.length, line: place.line + linesIn(whole) }
      return { ...found, rejected, next: place } satisfies Sheet
    })
    return { columns, read: Effect.suspend(read), taken: bytes.taken } satisfies Table
  })
