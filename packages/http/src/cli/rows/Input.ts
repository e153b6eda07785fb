/**
 * The rows of a file: CSV, TSV or JSON Lines in UTF-8, of any size in bounded memory.
 *
 * A file is read twice. `survey` reads all of it before anything is asked: its digest (so that a later run knows it
 * again), its rows, and every row that is broken. `rows` reads it once more while the answers come.
 *
 * Gotcha: `effect/encoding/Csv` tells the line of an error but not of a row, so lines are counted here: one for each
 * row, and one for each line break inside quotes.
 */
import { Effect, Schema, Stream } from "effect"
import { Csv } from "effect/encoding"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { delimiterOf } from "../../server/Delimiter.ts"
import type { Format } from "./Format.ts"
import { codeOf, Unreadable } from "./Problem.ts"

/** The longest row, in UTF-16 code units: what a request's body may be, and what an open quote can swallow. */
const longest = 1024 * 1024

/** How many broken rows are named. */
const named = 5

export const Row = Schema.Struct({
  /** Where it begins, counted from 1. */
  line: Schema.Int,
  /** One for each column of the header. */
  cells: Schema.Array(Schema.String),
  /** The object of a line of JSON as it stands there; `null` in CSV. */
  object: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
})
export type Row = typeof Row.Type

/** Where a file is and how it is to be read. */
export interface Place {
  readonly path: string
  readonly format: Format
  readonly delimiter: string
}

export interface Survey {
  /** Names of the columns in their order; of JSON Lines every key of any row. */
  readonly header: ReadonlyArray<string>
  readonly rows: number
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
  /** Whether it begins with a byte order mark, as spreadsheets want it. */
  readonly marked: boolean
}

type Objects = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Objects =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What was thrown while the file was read, in words. */
const problemOf =
  (path: string) =>
  (cause: unknown): Unreadable => {
    if (cause instanceof Unreadable) return cause
    const of = (problem: string) => new Unreadable({ file: path, line: null, problem })
    if (cause instanceof TypeError && !("syscall" in cause))
      return of("it is not UTF-8; save it as UTF-8 and try again")
    return of(codeOf(cause) === "ENOENT" ? "there is no such file" : `it cannot be read: ${codeOf(cause)}`)
  }

/** The text of a file, piece by piece; `seen` is shown its bytes. */
async function* pieces(path: string, seen: (bytes: Uint8Array) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  for await (const bytes of createReadStream(path)) {
    seen(bytes)
    const text = decoder.decode(bytes, { stream: true })
    if (text !== "") yield text
  }
  const rest = decoder.decode()
  if (rest !== "") yield rest
}

interface Line {
  readonly line: number
  readonly text: string
}

/** Lines end with `\n` or `\r\n` and with nothing else, since JSON may hold every other break. */
async function* linesOf(path: string, texts: AsyncIterable<string>): AsyncGenerator<Line> {
  let line = 1
  let rest = ""
  for await (const text of texts) {
    const all = (rest + text).split("\n")
    rest = all.pop() ?? ""
    if (rest.length > longest) {
      throw new Unreadable({ file: path, line: line + all.length, problem: "the line is longer than 1 MiB" })
    }
    for (const one of all) yield { line: line++, text: one }
  }
  yield { line, text: rest }
}

const nothing = () => {}

const mark = "\ufeff"

const objects = (path: string, seen: (bytes: Uint8Array) => void) =>
  Stream.fromAsyncIterable(linesOf(path, pieces(path, seen)), problemOf(path)).pipe(
    Stream.map(({ line, text }) => ({
      line,
      text: (line === 1 && text.startsWith(mark) ? text.slice(1) : text).trim()
    })),
    Stream.filter(({ text }) => text !== ""),
    Stream.mapEffect(({ line, text }) =>
      Effect.try({
        try: () => {
          const value: unknown = JSON.parse(text)
          if (!isObject(value)) throw new Error("no object")
          return { line, object: value }
        },
        catch: () => new Unreadable({ file: path, line, problem: "expected one JSON object" })
      })
    )
  )

const csvProblem = ({ kind, message }: Csv.CsvError): string => {
  if (kind === "RecordSize") return "the row that begins here is longer than 1 MiB; is a quote never closed?"
  if (message.startsWith("Unterminated")) return "a quote in the row that begins here is never closed"
  return `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`
}

const breaks = (cells: ReadonlyArray<string>): number =>
  cells.reduce((sum, cell) => sum + (/[\r\n]/.test(cell) ? cell.split(/\r\n|\r|\n/).length - 1 : 0), 0)

interface Numbered {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** Every row of cells, the header too, blank lines not. */
const records = ({ delimiter, path }: Place, seen: (bytes: Uint8Array) => void): Stream.Stream<Numbered, Unreadable> =>
  Stream.fromAsyncIterable(pieces(path, seen), problemOf(path)).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter, maxRecordSize: longest })),
    Stream.mapError((error) =>
      Csv.isCsvError(error) ? new Unreadable({ file: path, line: error.line, problem: csvProblem(error) }) : error
    ),
    Stream.mapAccum(
      () => 1,
      (line, cells) => [line + 1 + breaks(cells), [{ line, cells }]] as const
    ),
    Stream.filter(({ cells }) => cells.length > 1 || cells[0] !== "")
  )

const text = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** The rows below the header. */
export const rows = (place: Place, { header }: Survey): Stream.Stream<Row, Unreadable> =>
  place.format === "jsonl"
    ? objects(place.path, nothing).pipe(
        Stream.map(({ line, object }) => ({ line, object, cells: header.map((name) => text(object[name])) }))
      )
    : records(place, nothing).pipe(
        Stream.drop(1),
        Stream.map(({ cells, line }) => ({ line, cells, object: null }))
      )

interface Found {
  header: ReadonlyArray<string> | null
  rows: number
  readonly broken: Array<number>
  brokenRows: number
}

const lookAtRecords = (place: Place, found: Found, seen: (bytes: Uint8Array) => void) =>
  Stream.runForEach(records(place, seen), ({ cells, line }) =>
    Effect.sync(() => {
      if (found.header === null) {
        found.header = cells
        return
      }
      found.rows++
      if (cells.length === found.header.length) return
      found.brokenRows++
      if (found.broken.length < named) found.broken.push(line)
    })
  )

const lookAtObjects = ({ path }: Place, found: Found, seen: (bytes: Uint8Array) => void) => {
  const keys = new Set<string>()
  return Stream.runForEach(objects(path, seen), ({ object }) =>
    Effect.sync(() => {
      found.rows++
      for (const key of Object.keys(object)) keys.add(key)
    })
  ).pipe(
    Effect.map(() => {
      found.header = found.rows === 0 ? null : [...keys]
    })
  )
}

/** Reads all of it, and refuses what is empty or has a row that does not fit its header. */
export const survey = Effect.fnUntraced(function* (place: Place): Effect.fn.Return<Survey, Unreadable> {
  const found: Found = { header: null, rows: 0, broken: [], brokenRows: 0 }
  const hash = createHash("sha256")
  const first: Array<number> = []
  const seen = (bytes: Uint8Array): void => {
    if (first.length === 0) first.push(...bytes.subarray(0, 3))
    hash.update(bytes)
  }
  yield* (place.format === "jsonl" ? lookAtObjects : lookAtRecords)(place, found, seen)
  const { broken, brokenRows, header, rows } = found
  const refused = (line: number | null, problem: string) => new Unreadable({ file: place.path, line, problem })
  if (header === null) return yield* refused(null, "it is empty")
  const [line] = broken
  if (line !== undefined) {
    const others =
      brokenRows === 1
        ? ""
        : ` (${brokenRows} such rows, on lines ${broken.join(", ")}${brokenRows > broken.length ? ", …" : ""})`
    return yield* refused(line, `the header has ${header.length} cells, this row has another number of them${others}`)
  }
  return { header, rows, digest: hash.digest("hex"), marked: first.join() === "239,187,191" }
})

/** The beginning of a file, to see how it is written. */
const beginning = (path: string): Effect.Effect<string, Unreadable> =>
  Effect.tryPromise({
    try: async () => {
      const file = await open(path, "r")
      try {
        const { bytesRead, buffer } = await file.read(new Uint8Array(64 * 1024), 0, 64 * 1024, 0)
        return new TextDecoder().decode(buffer.subarray(0, bytesRead))
      } finally {
        await file.close()
      }
    },
    catch: problemOf(path)
  })

/** The delimiter that is wanted, or the one that the file looks like. */
export const delimiter = (path: string, format: Format): Effect.Effect<string, Unreadable> => {
  if (format === "tsv") return Effect.succeed("\t")
  return format === "jsonl" ? Effect.succeed(",") : Effect.map(beginning(path), delimiterOf)
}
