/**
 * CSV and TSV, split by Papa Parse, block by block. A sheet is what begins in one block of the file, so what it holds
 * depends on where it begins and on nothing else.
 *
 * Gotchas
 * - A quote that opens a cell and is never closed swallows what follows. A row that spans lines and has a wrong number of
 *   cells is therefore read again line by line, without quotes.
 * - Rows end with LF or CR LF. Bytes that are wrong in the encoding become U+FFFD, as everywhere.
 */
import { Effect } from "effect"
import Papa from "papaparse"
import { cut, type Rejected } from "../Batch.ts"
import * as Bytes from "../bytes/Bytes.ts"
import { ImportError } from "../ImportError.ts"
import { type Open, type Place, type Row, type Sheet, type Table, textOf } from "./Table.ts"

export interface Dialect {
  readonly delimiter: string
  /** `null`: no cell is quoted, a quote is a sign like any other. */
  readonly quote: string | null
  /** A label of the Encoding Standard. */
  readonly encoding: string
  /** The names of the columns, where the file has no line of them. */
  readonly columns: ReadonlyArray<string> | null
}

const BLOCK = 1 << 20
/** A row may be this long; what is longer has lost a quote. */
const LONGEST_ROW = 8 << 20
const LF = 10

const decoderOf = (encoding: string): ((bytes: Uint8Array) => string) => {
  // `latin-1` is in the Encoding Standard another name of windows-1252, and so it is in the files.
  const decoder = new TextDecoder(encoding === "latin-1" ? "latin1" : encoding, { ignoreBOM: true })
  return (bytes) => decoder.decode(bytes)
}

/** Whether lines can be told by their bytes, as in all encodings but the wide ones. */
export const isEncoding = (label: string): boolean => {
  try {
    return !new TextDecoder(label === "latin-1" ? "latin1" : label).encoding.startsWith("utf-16")
  } catch {
    return false
  }
}

/** How often a sign stands in a text. */
const countOf = (text: string, sign: string): number => {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++
  return count
}

/** Where the last `lines` lines of the bytes begin; lines are told by LF, since a broken text has no length in bytes. */
const behind = (bytes: Uint8Array, lines: number): number => {
  let end = bytes.length
  for (let left = lines; left > 0; left--) end = bytes.lastIndexOf(LF, end - 1)
  return lines === 0 ? bytes.length : bytes.lastIndexOf(LF, end - 1) + 1
}

interface Parsed {
  readonly rows: Array<Array<string>>
  /** Of the text, in its own units: where the first row begins that is not whole. */
  readonly end: number
}

type Split = (text: string, whole: boolean) => Parsed

const splitter = (delimiter: string, quote: string | null): Split => {
  // The fast mode knows no quotes. Papa takes it by itself for a text that has none.
  const config = {
    delimiter,
    newline: "\n",
    ...(quote === null ? { fastMode: true } : { quoteChar: quote, escapeChar: quote })
  } as const
  return (text, whole) => {
    const { data, meta }: { data: Array<Array<string>>; meta: { cursor: number } } = new Papa.Parser(config).parse(
      text,
      0,
      !whole
    )
    return { rows: data, end: whole ? text.length : meta.cursor }
  }
}

/** What remains of CR LF, and the one empty cell behind a delimiter that ends the line. */
const tidy = (row: Array<string>, width: number): Array<string> => {
  const last = row.length - 1
  const cell = row[last]
  const bare = cell?.endsWith("\r") === true ? [...row.slice(0, last), cell.slice(0, -1)] : row
  return bare.length === width + 1 && bare[width] === "" ? bare.slice(0, width) : bare
}

const isBlank = (row: ReadonlyArray<string>): boolean => row.length === 1 && (row[0] === "" || row[0] === "\r")

const linesOf = (row: ReadonlyArray<string>): number => row.reduce((sum, cell) => sum + countOf(cell, "\n"), 1)

/** Collects the rows of a block, each with its line. */
class Collected {
  readonly rows: Array<Row> = []
  readonly lines: Array<number> = []
  readonly rejected: Array<Rejected> = []
  readonly file: string
  readonly width: number
  readonly dialect: Dialect
  constructor(file: string, width: number, dialect: Dialect) {
    this.file = file
    this.width = width
    this.dialect = dialect
  }

  reject(line: number, problem: string, text: string): void {
    this.rejected.push({ file: this.file, line, column: null, problem, text: cut(text) })
  }

  private mismatch(line: number, row: ReadonlyArray<string>): void {
    this.reject(line, `expected ${this.width} columns, found ${row.length}`, textOf(row, this.dialect.delimiter))
  }

  /** A row that a lost quote has made of several lines. */
  private unquoted(line: number, row: ReadonlyArray<string>): void {
    const text = row.join(this.dialect.delimiter)
    for (const [index, one] of text.split("\n").entries()) {
      const cells = tidy(one.split(this.dialect.delimiter), this.width)
      if (isBlank(cells)) continue
      if (cells.length === this.width && index > 0) this.take(line + index, cells)
      else this.mismatch(line + index, cells)
    }
  }

  private take(line: number, row: Row): void {
    this.rows.push(row)
    this.lines.push(line)
  }

  /** Takes rows that begin at a line; gives the line behind them. */
  add(parsed: ReadonlyArray<Array<string>>, first: number, spanning: boolean): number {
    let line = first
    for (const raw of parsed) {
      const lines = spanning ? linesOf(raw) : 1
      const row = tidy(raw, this.width)
      if (row.length === this.width) {
        if (this.width > 1 || !isBlank(row)) this.take(line, row)
      } else if (lines > 1) this.unquoted(line, row)
      else if (!isBlank(row)) this.mismatch(line, row)
      line += lines
    }
    return line
  }
}

const sheet = (collected: Collected, next: Place): Sheet => ({
  rows: collected.rows,
  lineOf: (row) => collected.lines[row] ?? 0,
  rejected: collected.rejected,
  dropped: 0,
  next
})

/** The last line end in a block, behind it; the whole block at the end of the file. */
const cutOf = (block: Uint8Array, ended: boolean): number => (ended ? block.length : block.lastIndexOf(LF) + 1)

const headed = Effect.fnUntraced(function* (
  file: string,
  bytes: Bytes.Bytes,
  decode: (bytes: Uint8Array) => string,
  split: Split
) {
  const block = yield* bytes.peek(BLOCK)
  const bom = block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf ? 3 : 0
  if ((block[0] === 0xff && block[1] === 0xfe) || (block[0] === 0xfe && block[1] === 0xff)) {
    return yield* new ImportError({ reason: "format", file, problem: "it is UTF-16: convert it to UTF-8" })
  }
  const ended = block.length < BLOCK
  const text = decode(block.subarray(bom, cutOf(block, ended)))
  const { rows } = split(text, ended)
  const [first] = rows
  if (first === undefined || isBlank(first)) {
    return yield* new ImportError({
      reason: "format",
      file,
      problem: "expected a line with the names of the columns first"
    })
  }
  if (text.includes("\r") && !text.includes("\n")) {
    return yield* new ImportError({
      reason: "format",
      file,
      problem: "its lines end with CR alone: convert them to LF"
    })
  }
  const columns = tidy(first, first.length).map((name) => name.trim())
  const lines = linesOf(first)
  let end = bom - 1
  for (let left = lines; left > 0; left--) {
    const found = block.indexOf(LF, end + 1)
    end = found < 0 ? block.length - 1 : found
  }
  return { columns, place: { offset: end + 1, line: lines + 1 } satisfies Place, bom }
})

/** Reads on from the place where `bytes` stand. */
const reading = (file: string, bytes: Bytes.Bytes, dialect: Dialect, width: number, from: Place) => {
  const decode = decoderOf(dialect.encoding)
  const split = splitter(dialect.delimiter, dialect.quote)
  let place = from
  const advance = Effect.fnUntraced(function* (collected: Collected, count: number, line: number) {
    yield* bytes.skip(count)
    place = { offset: place.offset + count, line }
    return sheet(collected, place)
  })
  return Effect.fnUntraced(function* () {
    for (let size = BLOCK; ; size *= 2) {
      const block = yield* bytes.peek(size)
      if (block.length === 0) return null
      const ended = block.length < size
      const whole = block.subarray(0, cutOf(block, ended))
      const text = decode(whole)
      const { end, rows } = split(text, ended)
      const collected = new Collected(file, width, dialect)
      if (rows.length > 0) {
        const consumed = end === text.length ? text : text.slice(0, end)
        const newlines = countOf(consumed, "\n")
        const spanning = newlines !== rows.length - (ended ? 1 : 0)
        const count = end === text.length ? whole.length : behind(whole, countOf(text, "\n") - newlines)
        return yield* advance(collected, count, collected.add(rows, place.line, spanning))
      }
      if (size < LONGEST_ROW && !ended) continue
      const problem = `expected a row of at most ${LONGEST_ROW >> 20} MiB: a quote that opens is not closed, or lines do not end`
      collected.reject(place.line, problem, decode(block.subarray(0, 400)))
      const lineEnd = block.indexOf(LF)
      return yield* advance(collected, lineEnd < 0 ? block.length : lineEnd + 1, place.line + 1)
    }
  })
}

/** CSV or TSV of a dialect. */
export const open = (dialect: Dialect, wanted: RegExp = /\.(?:csv|tsv|txt|dat)$/i): Open =>
  Effect.fnUntraced(function* (file, from) {
    const bytes = yield* Bytes.open(file, wanted)
    const head =
      dialect.columns === null
        ? yield* headed(file, bytes, decoderOf(dialect.encoding), splitter(dialect.delimiter, dialect.quote))
        : { columns: dialect.columns, place: { offset: 0, line: 1 } satisfies Place }
    const at = from.offset === 0 ? head.place : from
    yield* bytes.skip(at.offset)
    const read = reading(file, bytes, dialect, head.columns.length, at)
    return { columns: head.columns, read: Effect.suspend(read), taken: bytes.taken } satisfies Table
  })
