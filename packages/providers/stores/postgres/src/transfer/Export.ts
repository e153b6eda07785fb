/**
 * An export: all rows of an installation in one file, of one moment (`repeatable read`), read with a cursor, so that the
 * memory it takes does not grow with the database.
 *
 * Sealed columns stay sealed: whoever restores them needs the keys they were sealed with, which the file names.
 */
import { DateTime, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { problemOf } from "../Bounded.ts"
import { DatabaseUnavailable } from "../Database.ts"
import * as Migrations from "../Migrations.ts"
import * as Catalog from "./Catalog.ts"
import * as ExportFile from "./ExportFile.ts"
import * as Sealed from "./Sealed.ts"

export interface Options {
  readonly file: string
  /** Of Lading. */
  readonly version: string
  /** Tables beside those of the schema `lading`, of `public`, where they are there. */
  readonly besides: ReadonlyArray<string>
}

/** Texts as every version reads them again; and nothing that ends a long transaction. */
const settings = [
  "set transaction isolation level repeatable read, read only",
  "set local bytea_output = 'hex'",
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'postgres'",
  "set local timezone = 'UTC'",
  "set local extra_float_digits = 1",
  "set local statement_timeout = 0",
  "set local idle_in_transaction_session_timeout = 0"
]

/** Bytes that are asked for at a time, and rows. */
const bytes = 1024 * 1024
const most = 200

/** So many rows of the greatest length that was seen. */
const next = (lines: ReadonlyArray<string>): number =>
  Math.max(1, Math.min(most, Math.floor(bytes / Math.max(1, ...lines.map(({ length }) => length)))))

const written = <A>(file: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => ExportFile.problemOf(file, cause) })

const table = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  file: string,
  writer: ExportFile.Writer,
  one: Catalog.Table
) {
  const columns = one.columns.map(({ name }) => name)
  yield* written(file, () => writer.lines([JSON.stringify({ table: Catalog.named(one), columns })]))
  const row = columns.map((name) => `${Catalog.quoted(name)}::text`).join(", ")
  yield* sql.unsafe(
    `declare lading_export no scroll cursor for select json_build_array(${row})::text as line from ${Catalog.reference(one)}`
  )
  let count = 0
  let size = 16
  for (;;) {
    const rows = yield* sql.unsafe<{ line: string }>(`fetch forward ${size} from lading_export`)
    if (rows.length === 0) break
    const lines = rows.map(({ line }) => line)
    yield* written(file, () => writer.lines(lines))
    count += lines.length
    size = next(lines)
  }
  yield* sql.unsafe("close lading_export")
  return count
})

/** After all rows: a sequence may be ahead of them, which does no harm, and is never behind. */
const sequence = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, one: Catalog.SequenceName) {
  const [row] = yield* sql.unsafe<{ value: string; called: boolean }>(
    `select last_value::text as value, is_called as called from ${Catalog.reference(one)}`
  )
  return JSON.stringify({ sequence: Catalog.named(one), ...row })
})

const all = Effect.fnUntraced(function* (
  { besides, file, version }: Options,
  sql: SqlClient.SqlClient,
  writer: ExportFile.Writer
) {
  for (const setting of settings) yield* sql.unsafe(setting)
  const found = yield* Catalog.tables(sql, besides)
  const header: ExportFile.Header = {
    lading_export: ExportFile.format,
    lading: version,
    created_at: DateTime.formatIso(yield* DateTime.now),
    postgres: yield* Catalog.version(sql),
    migrations: yield* Migrations.done,
    ...(yield* Sealed.keys(sql, found))
  }
  yield* written(file, () => writer.lines([JSON.stringify(header)]))
  const tables: Record<string, number> = {}
  for (const one of found) {
    tables[Catalog.named(one)] = yield* table(sql, file, writer, one)
  }
  for (const one of yield* Catalog.sequences(sql, besides)) {
    const line = yield* sequence(sql, one)
    yield* written(file, () => writer.lines([line]))
  }
  return { header, tables }
})

/** Writes the file; it has its name when it is whole, and is nowhere otherwise. */
export const write = (
  options: Options
): Effect.Effect<ExportFile.Summary, ExportFile.ExportFileError | DatabaseUnavailable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { file } = options
    if (!(yield* Catalog.exists(sql, `public.${Migrations.table}`)))
      return yield* new DatabaseUnavailable({ problem: "there are no tables of Lading in it" })
    const writer = yield* Effect.acquireRelease(
      written(file, () => ExportFile.create(file)),
      ({ discard }) => Effect.promise(discard)
    )
    const { header, tables } = yield* sql.withTransaction(all(options, sql, writer))
    const sha256 = yield* written(file, () => writer.finish(tables))
    return { header, tables, sha256 }
  }).pipe(
    Effect.scoped,
    Effect.catchTag("SqlError", (error: SqlError.SqlError) =>
      Effect.fail(new DatabaseUnavailable({ problem: problemOf(error) }))
    )
  )
