/**
 * Pending answers on PostgreSQL: servers that die between two certain writes, servers that take over from one another,
 * and servers that stop in the middle.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import * as CrashDatabase from "../fixtures/CrashDatabase.ts"
import type * as CrashLoad from "../fixtures/CrashLoad.ts"
import * as CrashServer from "../fixtures/CrashServer.ts"
import * as PendingLoad from "../fixtures/PendingLoad.ts"
import * as PendingTrial from "../fixtures/PendingTrial.ts"

/** Writes that a gate can hold, as a trigger sees them. */
const writes = {
  "the settlement of the request": { table: "holds", when: "new.ending = 'settled' and new.parent is null" },
  "the settlement of what came later": { table: "holds", when: "new.ending = 'settled' and new.parent is not null" },
  // Put, answered, landed, completed.
  completion: { table: "enrichments", when: "new.revision = 4" }
} as const

const lock = 20_261_121

/** While it is shut, a write waits; whoever made it may be killed meanwhile, and then it never happens. */
const shut = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, write: keyof typeof writes) {
  const { table, when } = writes[write]
  yield* sql`select pg_advisory_lock(${lock}::int)`
  yield* sql.unsafe(`create or replace function lading.gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${lock}); return new; end $$`)
  yield* sql.unsafe(`create trigger gate before update on lading.${table} for each row when (${when})
    execute function lading.gate()`)
  const waiting = sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and wait_event = 'advisory'`
  return {
    /** Until somebody waits at it. */
    reached: Effect.repeat(waiting, { until: (rows) => rows.length > 0, schedule: Schedule.spaced(20) }).pipe(
      Effect.timeout("60 seconds")
    ),
    /** Ends who waits, so that the write is not made after all, and opens it for good. */
    open: Effect.gen(function* () {
      for (const { pid } of yield* waiting) yield* sql`select pg_terminate_backend(${pid})`
      yield* sql.unsafe(`drop trigger gate on lading.${table}`)
      yield* sql`select pg_advisory_unlock(${lock}::int)`
    })
  }
}, Effect.orDie)

/** A server that dies at the gate. */
const dieAt = (
  trial: PendingTrial.Trial,
  sql: SqlClient.SqlClient,
  write: keyof typeof writes,
  visit: (address: CrashLoad.Address) => Effect.Effect<unknown>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      let opened = Effect.void
      const { environment } = trial.place
      const ended = yield* CrashServer.live(
        { ahead: 0, death: null },
        { ...trial.vendor.environment, ...environment },
        (address) =>
          Effect.gen(function* () {
            const gate = yield* shut(sql, write)
            opened = Effect.orDie(gate.open)
            yield* Effect.forkChild(visit(address))
            yield* Effect.orDie(gate.reached)
          })
      )
      assert.strictEqual(ended, "SIGKILL")
      yield* opened
    })
  )

const limit = 300_000

const placed = Effect.gen(function* () {
  const trial = yield* PendingTrial.begin(yield* CrashDatabase.postgres)
  return { trial, sql: yield* CrashDatabase.connect(trial.place) }
})

/** A first server, which makes the tables and the secret. */
const prepared = (trial: PendingTrial.Trial) =>
  CrashServer.live({ ahead: 0, death: null }, { ...trial.vendor.environment, ...trial.place.environment }, (address) =>
    Effect.map(
      Effect.promise(() => PendingLoad.rotate(address)),
      (secret) => {
        trial.secret = secret
      }
    )
  )

const enrichments = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ request_id: string }>`select request_id from lading.enrichments`, (rows) =>
    rows.map(({ request_id }) => request_id)
  )

await CrashDatabase.onServer(() => {
  it.live(
    "killed between the note and the settlement of the request: nobody was answered, nothing is charged, the note goes",
    () =>
      Effect.gen(function* () {
        const { sql, trial } = yield* placed
        yield* prepared(trial)
        yield* dieAt(trial, sql, "the settlement of the request", (address) => PendingTrial.ask(trial, address))
        assert.lengthOf(yield* enrichments(sql), 1)
        assert.deepStrictEqual([trial.notes.pending.length, trial.notes.broken], [0, 1])
        // Two minutes later, when the hold of the request is over.
        yield* CrashServer.live(
          { ahead: 120_000, death: null },
          { ...trial.vendor.environment, ...trial.place.environment },
          () =>
            Effect.gen(function* () {
              yield* trial.vendor.simulator.finishTasks
              yield* Effect.repeat(Effect.orDie(enrichments(sql)), {
                until: (left) => left.length === 0,
                schedule: Schedule.spaced(50)
              }).pipe(Effect.timeout("60 seconds"), Effect.orDie)
              const open = Effect.orDie(sql`select 1 from lading.holds where ended_at is null`)
              yield* Effect.repeat(open, { until: (rows) => rows.length === 0, schedule: Schedule.spaced(50) }).pipe(
                Effect.timeout("20 seconds"),
                Effect.orDie
              )
            })
        )
        const paid = yield* sql`select 1 from lading.holds where captured > 0`
        assert.isEmpty(paid)
        assert.isEmpty(trial.vendor.receiver.received)
      }),
    limit
  )

  it.live(
    "killed between the vendor's answer and its settlement, and between settlement and completion: charged and told once",
    () =>
      Effect.gen(function* () {
        const { sql, trial } = yield* placed
        yield* prepared(trial)
        yield* dieAt(trial, sql, "the settlement of what came later", (address) =>
          Effect.andThen(PendingTrial.ask(trial, address), trial.vendor.simulator.finishTasks)
        )
        yield* dieAt(trial, sql, "completion", () => Effect.void)
        const [child] = yield* sql<{ ending: string }>`select ending from lading.holds where parent is not null`
        assert.strictEqual(child?.ending, "settled")
        assert.isEmpty(trial.vendor.receiver.received)
        yield* PendingTrial.check(trial, yield* PendingTrial.finish(trial))
      }),
    limit
  )

  it.live(
    "two servers: each answer is begun, charged and told once; what a killed one began, the other completes",
    () =>
      Effect.gen(function* () {
        const { trial } = yield* placed
        yield* prepared(trial)
        const environment = { ...trial.vendor.environment, ...trial.place.environment }
        const began = { at: 0 }
        yield* CrashServer.live({ ahead: 0, death: null }, environment, (one) =>
          Effect.gen(function* () {
            const together = (other: CrashLoad.Address) =>
              Effect.gen(function* () {
                for (const address of [one, other, other]) yield* PendingTrial.ask(trial, address)
                yield* trial.vendor.simulator.finishTasks
                for (const { id } of trial.notes.pending) {
                  assert.strictEqual((yield* PendingLoad.completed(one, id, 60_000))?.status, "completed")
                }
                for (const address of [other, other, other]) yield* PendingTrial.ask(trial, address)
                began.at = performance.now()
              })
            assert.strictEqual(yield* CrashServer.live({ ahead: 0, death: null }, environment, together), "SIGKILL")
            yield* trial.vendor.simulator.finishTasks
            for (const { id } of trial.notes.pending) {
              assert.strictEqual((yield* PendingLoad.completed(one, id, 100_000))?.status, "completed")
            }
            // A server is missed after 15 seconds.
            assert.isBelow(performance.now() - began.at, 60_000)
          })
        )
        assert.lengthOf(trial.notes.pending, 6)
        yield* PendingTrial.check(trial, yield* PendingTrial.finish(trial))
      }),
    limit
  )
})

const stops = (place: typeof CrashDatabase.postgres | typeof CrashDatabase.folder) =>
  Effect.gen(function* () {
    const trial = yield* PendingTrial.begin(yield* place)
    const environment = { ...trial.vendor.environment, ...trial.place.environment }
    let asked = 0
    const ended = yield* CrashServer.live({ ahead: 0, death: null, signal: "SIGTERM" }, environment, (address) =>
      Effect.gen(function* () {
        trial.secret = yield* Effect.promise(() => PendingLoad.rotate(address))
        for (let at = 0; at < 3; at++) yield* PendingTrial.ask(trial, address)
        // The vendor is asked for them by now.
        yield* Effect.sleep("3 seconds")
        asked = performance.now()
      })
    )
    const took = performance.now() - asked
    assert.match(ended, /^code (0|130|143): /)
    assert.isBelow(took, 5_000)
    yield* trial.place.quiet
    yield* PendingTrial.check(trial, yield* PendingTrial.finish(trial))
  })

it.live(
  "a server that is told to stop while answers are pending stops at once, and the next one completes them: in a folder",
  () => stops(CrashDatabase.folder),
  limit
)

await CrashDatabase.onServer(() =>
  it.live(
    "a server that is told to stop while answers are pending stops at once, and the next one completes them: on PostgreSQL",
    () => stops(CrashDatabase.postgres),
    limit
  )
)
