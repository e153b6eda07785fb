/**
 * A restore: the rows of an export into a database in which there is nothing yet, in one transaction, tables included.
 * Whatever ends it on the way leaves the database as it was.
 *
 * The tables are made as they were when the export was written, then filled, then brought up to date: so an export of an
 * older version is restored by a newer one. The file is read twice: once to see that it is whole, before anything is
 * written, and once to write it.
 *
 * Gotcha: foreign keys are taken off while rows come, and put on again: rows of one table may name one another.
 */
import { Effect, Schema, Stream } from "effect"
import { type Migrator, SqlClient, SqlError } from "effect/sql"
import { problemOf } from "../Bounded.ts"
import { DatabaseUnavailable } from "../Database.ts"
import * as Migrations from "../Migrations.ts"
import * as Catalog from "./Catalog.ts"
import * as ExportFile from "./ExportFile.ts"

/** The database has something in it, or the file something that this version does not know. */
export class RestoreRefused extends Schema.TaggedError<RestoreRefused>()("RestoreRefused", {
  problem: Schema.String
}) {}

export interface Options {
  readonly file: string
  /** Tables beside those of the schema `lading`, of `public`. */
  readonly besides: ReadonlyArray<string>
  /** Makes those. */
  readonly prepare: Effect.Effect<void, never, SqlClient.SqlClient>
}

type RestoreError = RestoreRefused | ExportFile.ExportFileError | DatabaseUnavailable

const refused = (problem: string) => new RestoreRefused({ problem })

/** The last step of the file; one that this version knows, with all before it. */
const stepOf = ({ header }: ExportFile.Summary): Effect.Effect<number, RestoreRefused> => {
  const last = header.migrations.at(-1)
  if (last === undefined) return Effect.fail(refused("the file names no schema"))
  const isOurs = header.migrations.every(
    ({ id, name }, at) => Migrations.known[at]?.id === id && Migrations.known[at]?.name === name
  )
  if (isOurs) return Effect.succeed(last.id)
  return Effect.fail(
    refused(
      `Lading ${header.lading} has written the file, with a schema of step ${last.id} (${last.name}), and this version knows ${Migrations.known.at(-1)?.id ?? 0}: restore it with that version or a newer one`
    )
  )
}

const full = "there is an installation in it already; a restore wants an empty folder or database"

/** That nobody writes until the end, and that there is nothing. */
const refuseFull = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, besides: ReadonlyArray<string>) {
  for (const one of yield* Catalog.tables(sql, besides)) {
    yield* sql.unsafe(`lock table ${Catalog.reference(one)} in access exclusive mode`)
    const rows = yield* sql.unsafe(`select 1 from ${Catalog.reference(one)} limit 1`)
    if (rows.length > 0) return yield* refused(full)
  }
})

/** Tables as the file has them, and nothing in them. */
const prepare = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { besides, prepare }: Options, step: number) {
  // Two restores at once: the second one waits, and finds what the first one has made.
  yield* sql.unsafe("select pg_advisory_xact_lock(hashtextextended('lading restore', 0))")
  const isThere = yield* Catalog.exists(sql, `public.${Migrations.table}`)
  const found = isThere ? ((yield* Migrations.done).at(-1)?.id ?? 0) : 0
  if (found > 0 && found !== step) {
    yield* refuseFull(sql, besides)
    return yield* refused(
      `it has tables of step ${found} already, and the file is of step ${step}: take an empty folder or a new database`
    )
  }
  yield* Migrations.runUntil(step)
  yield* prepare
  yield* refuseFull(sql, besides)
})

/** Where rows go, by what the file calls them. */
const statements = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, besides: ReadonlyArray<string>) {
  const tables = new Map((yield* Catalog.tables(sql, besides)).map((one) => [Catalog.named(one), one]))
  return (table: ExportFile.Table): Effect.Effect<string, RestoreRefused> => {
    const known = tables.get(table.table)
    if (known === undefined) return Effect.fail(refused(`the file has a table ${table.table} that is not known here`))
    const types = new Map(known.columns.map(({ name, type }) => [name, type]))
    const strange = table.columns.find((name) => !types.has(name))
    if (strange !== undefined)
      return Effect.fail(refused(`the file has a column ${table.table}.${strange} that is not known here`))
    const names = table.columns.map(Catalog.quoted).join(", ")
    const values = table.columns.map((name, at) => `(line ->> ${at})::${types.get(name) ?? "text"}`).join(", ")
    return Effect.succeed(
      `insert into ${Catalog.reference(known)} (${names}) overriding system value
        select ${values} from json_array_elements($1::text::json) as lines (line)`
    )
  }
})

/** Writes what the file has; it has to be the file that was found to be whole. */
const fill = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { besides, file }: Options,
  expected: ExportFile.Summary
) {
  const statementOf = yield* statements(sql, besides)
  const sequences = new Set((yield* Catalog.sequences(sql, besides)).map(Catalog.named))
  let insert = ""
  const take = Effect.fnUntraced(function* (part: ExportFile.Part) {
    switch (part._tag) {
      case "Header":
        return
      case "Table":
        insert = yield* statementOf(part.table)
        return
      case "Rows":
        yield* sql.unsafe(insert, [`[${part.rows.join(",")}]`])
        return
      case "Sequence": {
        const { called, sequence, value } = part.sequence
        if (!sequences.has(sequence))
          return yield* refused(`the file has a sequence ${sequence} that is not known here`)
        const [schema = "", name = ""] = sequence.split(".")
        yield* sql.unsafe(`select setval($1::text::regclass, $2::text::bigint, $3::text::boolean)`, [
          Catalog.reference({ schema, name }),
          value,
          String(called)
        ])
        return
      }
      case "End":
        if (part.summary.sha256 !== expected.sha256) {
          return yield* new ExportFile.ExportFileError({ file, problem: "somebody has changed it meanwhile" })
        }
    }
  })
  yield* Stream.runForEach(
    Stream.fromAsyncIterable(ExportFile.parts(file), (cause) => ExportFile.problemOf(file, cause)),
    take
  )
})

/** Nothing that ends a long transaction. */
const settings = [
  "set local datestyle = 'ISO, YMD'",
  "set local timezone = 'UTC'",
  "set local statement_timeout = 0",
  "set local idle_in_transaction_session_timeout = 0"
]

const within = Effect.fnUntraced(function* (options: Options, expected: ExportFile.Summary, step: number) {
  const sql = yield* SqlClient.SqlClient
  for (const setting of settings) yield* sql.unsafe(setting)
  yield* prepare(sql, options, step)
  const keys = yield* Catalog.foreignKeys(sql)
  for (const { name, table } of keys) yield* sql.unsafe(`alter table ${table} drop constraint ${name}`)
  yield* fill(sql, options, expected)
  for (const { definition, name, table } of keys)
    yield* sql.unsafe(`alter table ${table} add constraint ${name} ${definition}`)
  yield* Migrations.run
})

/** Restores the file, once `accept` has seen what it is. Gives what was restored. */
export const run = (
  options: Options,
  accept: (summary: ExportFile.Summary) => Effect.Effect<void, RestoreRefused>
): Effect.Effect<ExportFile.Summary, RestoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const summary = yield* ExportFile.verify(options.file)
    const step = yield* stepOf(summary)
    yield* accept(summary)
    yield* sql.withTransaction(within(options, summary, step))
    // So that the first questions are planned well; nothing is lost without.
    yield* Effect.ignore(sql.unsafe("analyze"))
    return summary
  }).pipe(
    Effect.catchTags({
      SqlError: (error: SqlError.SqlError) => Effect.fail(new DatabaseUnavailable({ problem: problemOf(error) })),
      MigrationError: (error: Migrator.MigrationError) =>
        Effect.fail(
          new DatabaseUnavailable({
            problem: SqlError.isSqlError(error.cause) ? problemOf(error.cause) : error.message
          })
        )
    })
  )
