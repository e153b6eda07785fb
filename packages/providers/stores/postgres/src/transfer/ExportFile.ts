/**
 * The file of an export: gzip over lines of JSON, so that any version of PostgreSQL can read what another one wrote, and
 * so can other programs. The first line says what it is, a line before each table names its columns, a row is an array
 * of texts as PostgreSQL writes them (`null` where there is none), and the last line has the number of rows and the
 * SHA-256 of all bytes before it.
 *
 * `pg_dump` was not taken: its output is read by `psql` and `pg_restore` only, which the embedded engine does not have,
 * and not before every statement of it has been run is it known whether the file is whole.
 *
 * Gotchas: a row is made and read by the database, never here. The digest tells of accidents, not of forgers: whoever
 * can write the file can write another digest.
 */
import { Effect, Result, Schema } from "effect"
import { createHash, type Hash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import * as fs from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"

/** Of the file; another one is read by another version of Lading. */
export const format = 1

/** A key that something in the file is sealed with. */
export const Key = Schema.Struct({
  /** Four bytes in hexadecimals, as they stand in its seals; the key itself is not in the file. */
  name: Schema.String,
  /** So much is sealed with it. */
  seals: Schema.Int
})
export type Key = typeof Key.Type

export const Header = Schema.Struct({
  lading_export: Schema.Int,
  /** The version of Lading that wrote it. */
  lading: Schema.String,
  created_at: Schema.String,
  /** Of the database that it came from, for information. */
  postgres: Schema.String,
  /** The steps of the schema that its rows have. */
  migrations: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })),
  /** The keys that its sealed columns want: the current one and former ones of where it was written. */
  seal_keys: Schema.Array(Key),
  /** The same of those that vendor keys of accounts are kept under. */
  vault_keys: Schema.Array(Key)
})
export type Header = typeof Header.Type

const Table = Schema.Struct({ table: Schema.String, columns: Schema.Array(Schema.String) })
export type Table = typeof Table.Type

const Sequence = Schema.Struct({ sequence: Schema.String, value: Schema.String, called: Schema.Boolean })
export type Sequence = typeof Sequence.Type

const End = Schema.Struct({
  end: Schema.Struct({ tables: Schema.Record(Schema.String, Schema.Int), sha256: Schema.String })
})

/** What the whole file says of itself, once it has been read. */
export interface Summary {
  readonly header: Header
  /** Rows of each table. */
  readonly tables: Readonly<Record<string, number>>
  readonly sha256: string
}

/** The file cannot be written or read, or is not what it says it is. */
export class ExportFileError extends Schema.TaggedError<ExportFileError>()("ExportFileError", {
  file: Schema.String,
  problem: Schema.String
}) {}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"

const newline = Uint8Array.of(10)
const text = new TextEncoder()

/** A line longer than this is nobody's row. */
const longestLine = 256 * 1024 * 1024
/** Rows are handed on together, up to so many bytes. */
const batchSize = 1024 * 1024
const batchRows = 1000

export interface Writer {
  /** Rows are lines too: text of PostgreSQL's own. */
  readonly lines: (lines: ReadonlyArray<string>) => Promise<void>
  /** Writes the end; the file has its name from then on. */
  readonly finish: (tables: Readonly<Record<string, number>>) => Promise<string>
  /** Takes away what is there, unless it is finished. */
  readonly discard: () => Promise<void>
}

/** A whole file takes its name at once, and never that of another one. */
const publish = async (draft: string, file: string): Promise<void> => {
  try {
    await fs.link(draft, file)
    await fs.unlink(draft)
  } catch (cause) {
    // A file system without links.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(cause))) throw cause
    await fs.rename(draft, file)
  }
}

/** Readable by its owner only: it holds what the database holds. */
export const create = async (file: string): Promise<Writer> => {
  await fs.access(file).then(
    () => Promise.reject(Object.assign(new Error("exists"), { code: "EEXIST" })),
    () => {}
  )
  const draft = `${file}.part-${randomUUID()}`
  const gzip = createGzip()
  const hash = createHash("sha256")
  let isFinished = false
  // Written through to the disk before it is closed.
  const written = pipeline(gzip, createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }))
  // Whoever writes next learns of it.
  let failure: unknown = null
  written.catch((cause) => {
    failure = cause
  })
  const put = async (bytes: Uint8Array): Promise<void> => {
    if (failure !== null) throw failure
    if (!gzip.write(bytes)) await Promise.race([once(gzip, "drain"), written])
  }
  return {
    lines: async (lines) => {
      const bytes = text.encode(`${lines.join("\n")}\n`)
      hash.update(bytes)
      await put(bytes)
    },
    finish: async (tables) => {
      const sha256 = hash.digest("hex")
      await put(text.encode(`${JSON.stringify({ end: { tables, sha256 } })}\n`))
      gzip.end()
      await written
      await publish(draft, file)
      isFinished = true
      return sha256
    },
    discard: async () => {
      if (isFinished) return
      gzip.destroy()
      await written.catch(() => {})
      await fs.rm(draft, { force: true })
    }
  }
}

export const problemOf = (file: string, cause: unknown): ExportFileError => {
  if (cause instanceof ExportFileError) return cause
  const code = codeOf(cause)
  if (code === "EEXIST") return new ExportFileError({ file, problem: "there is such a file already" })
  if (code === "Z_BUF_ERROR") return new ExportFileError({ file, problem: "it is cut short" })
  if (code.startsWith("Z_")) return new ExportFileError({ file, problem: "it is damaged, or no export of Lading" })
  return new ExportFileError({ file, problem: `it cannot be used (${code})` })
}

/** What comes out of a file, in its order. */
export type Part =
  | { readonly _tag: "Header"; readonly header: Header }
  | { readonly _tag: "Table"; readonly table: Table }
  | { readonly _tag: "Rows"; readonly rows: ReadonlyArray<string> }
  | { readonly _tag: "Sequence"; readonly sequence: Sequence }
  | { readonly _tag: "End"; readonly summary: Summary }

/** Whole lines without their ends. */
async function* split(chunks: AsyncIterable<Uint8Array>, damaged: (problem: string) => Error) {
  let pieces: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      yield pieces.length === 0 ? chunk.subarray(from, at) : Buffer.concat([...pieces, chunk.subarray(from, at)])
      pieces = []
      size = 0
      from = at + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > longestLine) throw damaged("it has a line that is longer than any row")
  }
  if (size > 0) throw damaged("it is cut short")
}

const bracket = "[".charCodeAt(0)

const readHeader = Schema.decodeUnknownResult(Schema.fromJsonString(Header))
const readFormat = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Struct({ lading_export: Schema.Int })))
const readMark = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Union([Table, Sequence, End])))

const headerOf = (line: string, damaged: (problem: string) => ExportFileError): Header => {
  const [version, header] = [readFormat(line), readHeader(line)]
  if (Result.isFailure(version)) throw damaged("it is no export of Lading")
  const { lading_export } = version.success
  if (lading_export > format)
    throw damaged(
      `a newer version of Lading has written it (format ${lading_export}; this version reads ${format}): restore it with that version`
    )
  if (Result.isFailure(header)) throw damaged("its first line is damaged")
  return header.success
}

/** Whether the end says what has come: the counts of all tables, and the digest. */
const agrees = (end: (typeof End.Type)["end"], counts: ReadonlyMap<string, number>, sha256: string): boolean =>
  end.sha256 === sha256 &&
  Object.keys(end.tables).length === counts.size &&
  [...counts].every(([table, count]) => end.tables[table] === count)

/** What a reader has seen so far. */
interface Reading {
  readonly damaged: (problem: string) => ExportFileError
  readonly hash: Hash
  /** Rows of each table. */
  readonly counts: Map<string, number>
  header: Header | null
  table: string | null
  summary: Summary | null
  rows: Array<string>
  size: number
}

const decoder = new TextDecoder("utf-8", { fatal: true })

const flushed = (reading: Reading): ReadonlyArray<Part> => {
  const { rows } = reading
  reading.rows = []
  reading.size = 0
  return rows.length === 0 ? [] : [{ _tag: "Rows", rows }]
}

const takeRow = (reading: Reading, line: Uint8Array): ReadonlyArray<Part> => {
  if (reading.table === null) throw reading.damaged("it has a row of no table")
  reading.counts.set(reading.table, (reading.counts.get(reading.table) ?? 0) + 1)
  reading.rows.push(decoder.decode(line))
  reading.size += line.length
  return reading.size > batchSize || reading.rows.length >= batchRows ? flushed(reading) : []
}

const takeEnd = (reading: Reading, header: Header, { end }: typeof End.Type): ReadonlyArray<Part> => {
  const sha256 = reading.hash.copy().digest("hex")
  if (!agrees(end, reading.counts, sha256)) {
    throw reading.damaged("it is not what was written: its check sum is another one")
  }
  reading.summary = { header, tables: Object.fromEntries(reading.counts), sha256 }
  return flushed(reading)
}

const takeMark = (reading: Reading, header: Header, line: string): ReadonlyArray<Part> => {
  const read = readMark(line)
  if (Result.isFailure(read)) throw reading.damaged("it has a line that says nothing")
  const mark = read.success
  if ("end" in mark) return takeEnd(reading, header, mark)
  const before = flushed(reading)
  if (!("table" in mark)) return [...before, { _tag: "Sequence", sequence: mark }]
  reading.table = mark.table
  reading.counts.set(mark.table, 0)
  return [...before, { _tag: "Table", table: mark }]
}

const take = (reading: Reading, line: Uint8Array): ReadonlyArray<Part> => {
  if (reading.summary !== null) throw reading.damaged("something follows its end")
  if (reading.header === null) {
    reading.header = headerOf(decoder.decode(line), reading.damaged)
    reading.hash.update(line).update(newline)
    return [{ _tag: "Header", header: reading.header }]
  }
  const taken = line[0] === bracket ? takeRow(reading, line) : takeMark(reading, reading.header, decoder.decode(line))
  reading.hash.update(line).update(newline)
  return taken
}

/** The parts of a file. Only with the last one it is known that they are what was written. */
export async function* parts(file: string): AsyncGenerator<Part> {
  const damaged = (problem: string) => new ExportFileError({ file, problem })
  const reading: Reading = {
    damaged,
    hash: createHash("sha256"),
    counts: new Map(),
    header: null,
    table: null,
    summary: null,
    rows: [],
    size: 0
  }
  const unzipped = createGunzip()
  const read = pipeline(createReadStream(file), unzipped)
  // It ends what is read below, too.
  read.catch(() => {})
  for await (const line of split(unzipped, damaged)) yield* take(reading, line)
  await read
  if (reading.summary === null) throw damaged("it is cut short")
  yield { _tag: "End", summary: reading.summary }
}

/** Reads all of it, and keeps nothing: whether the file is whole. */
export const verify = (file: string): Effect.Effect<Summary, ExportFileError> =>
  Effect.tryPromise({
    try: async () => {
      for await (const part of parts(file)) if (part._tag === "End") return part.summary
      throw new ExportFileError({ file, problem: "it is cut short" })
    },
    catch: (cause) => problemOf(file, cause)
  })
