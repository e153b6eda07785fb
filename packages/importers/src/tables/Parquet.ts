/**
 * Parquet, by `hyparquet`: a row group at a time, only the columns that are asked for.
 *
 * Gotchas
 * - Memory is what these columns of one row group take: writers make groups of 100,000 to a million rows. A group that
 *   would take more than a gibibyte is refused.
 * - A date or time becomes `YYYY-MM-DD…`, a whole number of 64 bits the text of its digits.
 */
import { open as openHandle } from "node:fs/promises"
import { Effect } from "effect"
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects, parquetSchema } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import { ImportError } from "../ImportError.ts"
import type { Cell, Open, Row, Sheet, Table } from "./Table.ts"

const ROWS = 4096
const LARGEST_GROUP = 1 << 30

const failed =
  (file: string) =>
  (cause: unknown): ImportError =>
    new ImportError({
      reason: "format",
      file,
      problem: `it cannot be read as Parquet: ${cause instanceof Error ? cause.message : String(cause)}`
    })

const attempt = <A>(file: string, run: () => Promise<A>): Effect.Effect<A, ImportError> =>
  Effect.tryPromise({ try: run, catch: failed(file) })

const cellOf = (value: unknown): Cell => {
  if (value == null) return null
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  if (typeof value === "bigint") return value.toString()
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner))
}

interface Group {
  readonly first: number
  readonly rows: number
  readonly bytes: number
}

const groupsOf = (metadata: FileMetaData, wanted: ReadonlySet<string>): ReadonlyArray<Group> => {
  let first = 0
  return metadata.row_groups.map((group) => {
    const rows = Number(group.num_rows)
    const bytes = group.columns.reduce((sum, { meta_data: meta }) => {
      const isWanted = meta !== undefined && wanted.has(meta.path_in_schema[0] ?? "")
      return sum + (isWanted ? Number(meta.total_uncompressed_size) : 0)
    }, 0)
    const one = { first, rows, bytes }
    first += rows
    return one
  })
}

const bufferOf = Effect.fnUntraced(function* (file: string) {
  const handle = yield* Effect.acquireRelease(
    attempt(file, () => openHandle(file, "r")),
    (one) => Effect.promise(() => one.close())
  )
  const { size } = yield* attempt(file, () => handle.stat())
  let read = 0
  const buffer: AsyncBuffer = {
    byteLength: size,
    slice: async (start, end = size) => {
      const into = new Uint8Array(Math.max(0, Math.min(end, size) - start))
      const { bytesRead } = await handle.read(into, 0, into.length, start)
      if (bytesRead < into.length) throw new Error("it ends before its time")
      read = Math.max(read, start + bytesRead)
      return into.buffer
    }
  }
  return { buffer, taken: () => Math.min(read, size) }
})

/** The columns of a file. */
const columnsOf = (metadata: FileMetaData): ReadonlyArray<string> =>
  parquetSchema(metadata).children.map(({ element }) => element.name)

/** `wanted`: the columns that are read; `null` for all of them. Columns that are not there are the caller's to miss. */
export const open = (wanted: ReadonlyArray<string> | null): Open =>
  Effect.fnUntraced(function* (file, from) {
    const { buffer, taken } = yield* bufferOf(file)
    const metadata = yield* attempt(file, () => parquetMetadataAsync(buffer))
    const all = columnsOf(metadata)
    const columns = wanted === null ? all : all.filter((name) => wanted.includes(name))
    const groups = groupsOf(metadata, new Set(columns))
    let place = from
    let kept: { readonly group: Group; readonly rows: ReadonlyArray<Row> } | null = null
    const load = Effect.fnUntraced(function* (group: Group) {
      if (group.bytes > LARGEST_GROUP) {
        const problem = `a row group of ${group.bytes} bytes is too large; write smaller ones, of at most ${LARGEST_GROUP}`
        return yield* new ImportError({ reason: "format", file, problem })
      }
      const objects = yield* attempt(file, () =>
        parquetReadObjects({
          file: buffer,
          metadata,
          compressors,
          columns: [...columns],
          rowStart: group.first,
          rowEnd: group.first + group.rows
        })
      )
      return { group, rows: objects.map((object) => columns.map((name) => cellOf(object[name]))) }
    })
    const read = Effect.fnUntraced(function* () {
      const { offset } = place
      const group = groups.find(({ first, rows }) => offset >= first && offset < first + rows)
      if (group === undefined) return null
      if (kept?.group !== group) kept = yield* load(group)
      const at = offset - group.first
      const rows = kept.rows.slice(at, at + ROWS)
      place = { offset: offset + rows.length, line: offset + rows.length + 1 }
      return { rows, rejected: [], dropped: 0, lineOf: (row) => offset + row + 1, next: place } satisfies Sheet
    })
    return { columns, read: Effect.suspend(read), taken } satisfies Table
  })
