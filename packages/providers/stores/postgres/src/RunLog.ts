/** The log of runs in PostgreSQL, sealed. Runs are written together, a moment later (`Batch`). */
import { RunLog } from "@lading/core/waterfall"
import { Clock, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Batch from "./Batch.ts"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Erasing from "./Erasing.ts"
import * as Int8 from "./Int8.ts"
import { Seal } from "./Seal.ts"
import { swept } from "./Sweep.ts"

const unavailable = (problem: string) => new RunLog.RunLogUnavailable({ problem })

/**
 * How many rows one statement writes, how many milliseconds are between two, and how many rows may wait: nobody waits for
 * them.
 */
const writing = { limit: 100, pause: 50, most: 2_000, full: () => unavailable("too much waits to be written") }

const placeOf = (requestId: string): string => `run ${requestId}`

interface Row {
  readonly run: RunLog.LoggedRun
  readonly keeping: RunLog.Keeping
  readonly sealed: Uint8Array
}

interface Found {
  readonly account: string
  readonly operation: string
  readonly at: bigint
  readonly sealed: Uint8Array
}

/** Of each request the last: one statement writes a row once. */
const latest = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => [
  ...new Map(rows.map((row) => [row.run.request_id, row])).values()
]

const insert = (sql: SqlClient.SqlClient, rows: ReadonlyArray<Row>) => sql`
  insert into lading.runs (request_id, account, operation, at, sealed, subjects, kept_until)
  select request_id, account, operation, at, sealed, string_to_array(subjects, ' '), kept_until
    from unnest(
      ${rows.map(({ run }) => run.request_id)}::text[],
      ${rows.map(({ run }) => run.account)}::text[],
      ${rows.map(({ run }) => run.operation)}::text[],
      ${rows.map(({ run }) => Int8.from(run.at))}::bigint[],
      ${rows.map(({ sealed }) => sealed)}::bytea[],
      ${rows.map(({ keeping }) => keeping.subjects.map(digestOf).join(" "))}::text[],
      ${rows.map(({ keeping }) => Int8.from(keeping.kept_until))}::bigint[]
    ) as fresh (request_id, account, operation, at, sealed, subjects, kept_until)
    where not exists (
      select 1 from lading.suppressions where digest = any(string_to_array(fresh.subjects, ' '))
    )
  on conflict (request_id) do update
    set at = excluded.at, sealed = excluded.sealed, subjects = excluded.subjects, kept_until = excluded.kept_until`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open, seal } = yield* Seal

  const { submit } = yield* Batch.makeUnhurried<Row, void, RunLog.RunLogUnavailable>(
    (rows) => Effect.map(bounded(insert(sql, latest(rows)), unavailable), () => rows.map(() => Exit.void)),
    writing
  )

  const record = (run: RunLog.LoggedRun, keeping: RunLog.Keeping) =>
    Effect.suspend(() => submit({ run, keeping, sealed: seal(run.runs, placeOf(run.request_id)) }))

  const find = Effect.fnUntraced(function* (requestId: string) {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* bounded(
      sql<Found>`select account, operation, at, sealed from lading.runs
        where request_id = ${requestId} and kept_until > ${Int8.from(now)}`,
      unavailable
    )
    if (row === undefined) return null
    const runs = open(row.sealed, placeOf(requestId))
    if (runs === null) return yield* unavailable("the run was sealed with another key")
    return { request_id: requestId, account: row.account, operation: row.operation, at: Number(row.at), runs }
  })

  const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    swept((limit) =>
      bounded(
        sql`delete from lading.runs where request_id in
          (select request_id from lading.runs where kept_until <= ${Int8.from(now)} limit ${limit}) returning 1`,
        unavailable
      )
    )
  )

  const erase = (handles: ReadonlyArray<string>) => bounded(Erasing.rows(sql, "runs", handles), unavailable)

  return RunLog.RunLog.of({ record, find, erase, sweep })
})

export const layer: Layer.Layer<RunLog.RunLog, never, SqlClient.SqlClient | Seal> = Layer.effect(RunLog.RunLog, make)
