/** A chunk that is noted while its task ends, statement by statement, on a server where both really run at once. */
import { assert, it } from "@effect/vitest"
import { Credits, Ledger } from "@lading/core/billing"
import { EmailResult, EmailTasks } from "@lading/core/email"
import { Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as PostgresTasks from "./EmailTasks.ts"
import * as Databases from "./fixtures/Databases.ts"

const id = "ver_race"

const begin = Effect.gen(function* () {
  const tasks = yield* EmailTasks.EmailTasks
  const hold = Ledger.HoldId.make("hold")
  const ordered = { id, account: "acc_1", verifier: "scripted", webhook_url: null, received_at: 0, expires_at: 1e15 }
  const priced = { price: Credits.fromNumber(0.05), price_version: "4", parent: hold, hold }
  yield* tasks.put({ ...ordered, ...priced }, ["mara@acme.example"], 1e15)
  yield* tasks.arrange(id, [{ lane: 0, emails: ["mara@acme.example"] }])
  const opened = yield* tasks.open(id, 0)
  assert(opened !== null)
  const result = EmailResult.pack({ ...EmailResult.unknown("mara@acme.example"), status: "safe" })
  return { tasks, noted: { revision: opened.revision, chunk: { ...opened.chunk, answers: [{ result, due: null }] } } }
})

/** Sessions of this database that wait for a lock. */
const waiting = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    (rows) => rows.length
  )
)

const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(holds, { until: (held) => held, schedule: Schedule.spaced("10 millis") })

/** Holds the chunk's row until it is told not to. */
const locking = Effect.fnUntraced(function* (release: Deferred.Deferred<void>) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* Deferred.make<void>()
  const holding = sql`select 1 from lading.email_chunks where task = ${id} for update`.pipe(
    Effect.andThen(Deferred.succeed(locked, undefined)),
    Effect.andThen(Deferred.await(release)),
    sql.withTransaction
  )
  const fiber = yield* Effect.forkChild(holding)
  yield* Deferred.await(locked)
  return fiber
})

const race = Effect.gen(function* () {
  const { noted, tasks } = yield* begin
  const release = yield* Deferred.make<void>()
  const lock = yield* locking(release)
  const noting = yield* Effect.forkChild(tasks.note(id, 0, noted))
  yield* until(Effect.map(waiting, (sessions) => sessions === 1))
  let ended = false
  const ending = yield* Effect.forkChild(
    Effect.tap(
      tasks.end(id, { state: "cancelled", at: 1 }),
      Effect.sync(() => void (ended = true))
    )
  )
  // It waits too, or is done without having waited.
  yield* until(Effect.map(waiting, (sessions) => ended || sessions === 2))
  yield* Deferred.succeed(release, undefined)
  yield* Fiber.join(lock)
  const [isNoted, said] = [yield* Fiber.join(noting), yield* Fiber.join(ending)]
  const later = yield* tasks.find(id)
  assert.deepStrictEqual(said, later)
  assert.strictEqual(later?.definite, isNoted ? 1 : 0)
})

await Databases.onServer(() =>
  it.live(
    "whoever ends a list is told of every result in it: none is noted after that",
    () =>
      Effect.provide(
        race,
        Layer.provideMerge(PostgresTasks.layer, Layer.merge(Layer.orDie(Databases.postgres), Databases.seal))
      ),
    240_000
  )
)
