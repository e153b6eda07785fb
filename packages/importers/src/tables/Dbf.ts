/**
 * dBase III tables, as they are or straight out of a ZIP: fields of fixed width, latin-1.
 *
 * Gotchas
 * - A deleted row is still there, with `*` before it: it is dropped, and counted.
 * - Numbers are text with blanks before them, dates are `YYYYMMDD`. All cells are given as text.
 * - Its own few lines, since `dbffile` reads a file on the disk and not a stream, and one week of Peru is 263 MB in a ZIP.
 */
import { Effect } from "effect"
import * as Bytes from "../bytes/Bytes.ts"
import { ImportError } from "../ImportError.ts"
import type { Open, Row, Sheet, Table } from "./Table.ts"

const ROWS = 4096
const DELETED = 0x2a
const END = 0x1a
const HEADER_ENDS = 0x0d
const DESCRIPTOR = 32

interface Field {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface Header {
  readonly rows: number
  readonly headerBytes: number
  readonly rowBytes: number
  readonly fields: ReadonlyArray<Field>
}

const decoder = new TextDecoder("latin1")

const nameOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end)).trim()
}

const fieldsOf = (bytes: Uint8Array): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  // The first byte of a row is its mark of deletion.
  let start = 1
  for (let at = DESCRIPTOR; at + DESCRIPTOR <= bytes.length && bytes[at] !== HEADER_ENDS; at += DESCRIPTOR) {
    const length = bytes[at + 16] ?? 0
    fields.push({ name: nameOf(bytes.subarray(at, at + 11)).toUpperCase(), start, end: start + length })
    start += length
  }
  return fields
}

const headerOf = Effect.fnUntraced(function* (file: string, bytes: Bytes.Bytes) {
  const fail = (problem: string) =>
    new ImportError({ reason: "format", file, problem: `expected dBase III: ${problem}` })
  const first = yield* bytes.peek(DESCRIPTOR)
  if (first.length < DESCRIPTOR) return yield* fail("it has no header")
  const view = new DataView(first.buffer, first.byteOffset, first.length)
  const [kind, rows] = [view.getUint8(0) & 7, view.getUint32(4, true)]
  const [headerBytes, rowBytes] = [view.getUint16(8, true), view.getUint16(10, true)]
  if (kind !== 3) return yield* fail("it begins otherwise")
  const fields = fieldsOf(yield* bytes.peek(headerBytes))
  const last = fields.at(-1)
  if (last === undefined || last.end > rowBytes) return yield* fail("its fields do not fit into its rows")
  return { rows, headerBytes, rowBytes, fields } satisfies Header
})

const rowOf = (text: string, fields: ReadonlyArray<Field>): Row =>
  fields.map(({ end, start }) => text.slice(start, end))

/** Lower and upper case names of fields are one: the columns are in upper case. */
export const open: Open = Effect.fnUntraced(function* (file, from) {
  const bytes = yield* Bytes.open(file, /\.dbf$/i)
  const { fields, headerBytes, rowBytes, rows: declared } = yield* headerOf(file, bytes)
  yield* bytes.skip(headerBytes + from.offset * rowBytes)
  let place = from
  const read = Effect.fnUntraced(function* () {
    const { offset } = place
    const left = Math.min(ROWS, declared - offset)
    if (left <= 0) return null
    const block = yield* bytes.peek(left * rowBytes)
    const whole = Math.floor(block.length / rowBytes)
    if (whole < left && block[whole * rowBytes] !== END) {
      const problem = `it ends after ${offset + whole} of ${declared} rows`
      return yield* new ImportError({ reason: "unreadable", file, problem })
    }
    if (whole === 0) return null
    const text = decoder.decode(block.subarray(0, whole * rowBytes))
    const rows: Array<Row> = []
    const lines: Array<number> = []
    for (let index = 0; index < whole; index++) {
      if (block[index * rowBytes] === DELETED) continue
      rows.push(rowOf(text.slice(index * rowBytes, (index + 1) * rowBytes), fields))
      lines.push(offset + index + 1)
    }
    yield* bytes.skip(whole * rowBytes)
    place = { offset: offset + whole, line: offset + whole + 1 }
    const dropped = whole - rows.length
    return { rows, rejected: [], dropped, lineOf: (row) => lines[row] ?? 0, next: place } satisfies Sheet
  })
  return { columns: fields.map(({ name }) => name), read: Effect.suspend(read), taken: bytes.taken } satisfies Table
})
