/** Erasures among changes of rows, statement by statement, where both really run at once; and what the tables give away. */
import { assert, describe, it } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { type AgenticTask, TaskRow, TaskStore } from "@lading/core/task"
import { Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Databases from "./fixtures/Databases.ts"
import { Database } from "./index.ts"
import * as Seal from "./Seal.ts"
import * as PostgresSuppression from "./Suppression.ts"
import * as PostgresTasks from "./TaskStore.ts"

const marker = "zq7marker"
const address = `${marker}@acme.example`
const handle = `email:${address}`

const ordered = (id: string): AgenticTask.Ordered => ({
  id,
  account: "acc_1",
  api_key: null,
  scopes: ["people"],
  name: `For ${marker}`,
  prompt: `Ask ${marker}`,
  wanted: [marker],
  columns: [marker],
  concurrency: 1,
  max_credits: Credits.fromNumber(1),
  webhook_url: `https://receiver.example/${marker}`,
  received_at: 0,
  expires_at: 1e15,
  price_version: "4",
  parent: Ledger.HoldId.make("parent"),
  hold: Ledger.HoldId.make("hold")
})

const spoken = TaskRow.first({ mail: address })

const put = (id: string, rows: ReadonlyArray<TaskRow.TaskRow>) =>
  Effect.flatMap(TaskStore.TaskStore, (tasks) => tasks.put(ordered(id), { plan: null, rows }, 1e15))

const note = (id: string, elements: ReadonlyArray<TaskRow.TaskRow>) =>
  Effect.flatMap(TaskStore.TaskStore, (tasks) =>
    tasks.note(id, { path: [0], revision: 1, row: spoken, due: 0, elements })
  )

const shown = (id: string) =>
  Effect.flatMap(TaskStore.TaskStore, (tasks) =>
    Effect.map(tasks.rows(id, { state: null, from: 0, limit: 9 }), ({ rows }) => rows.map(({ row }) => row))
  )

const suppress = Effect.flatMap(Suppression.Suppression, (suppression) => suppression.add(handle))
const erase = Effect.flatMap(TaskStore.TaskStore, (tasks) => tasks.erase([handle]))

/** Until so many sessions of this database wait for a lock. */
const waiting = (sessions: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.repeat(sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`, {
      until: (found) => found.length === sessions,
      schedule: Schedule.spaced("10 millis")
    })
  )

/** Holds a lock while it is used. */
const holding = <A, E, R>(
  lock: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>,
  use: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [locked, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const work = lock(sql).pipe(
      Effect.andThen(Deferred.succeed(locked, undefined)),
      Effect.andThen(Deferred.await(release)),
      sql.withTransaction
    )
    const fiber = yield* Effect.forkChild(work)
    yield* Deferred.await(locked)
    const used = yield* use
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.join(fiber)
    return used
  })

const rowLock = (sql: SqlClient.SqlClient) => sql`select 1 from lading.task_rows where task = 'note' for update`
/** As an erasure does. */
const tableLock = (sql: SqlClient.SqlClient) =>
  sql`lock table lading.tasks, lading.task_rows in share row exclusive mode`

/** The tables in which a text stands, as it is or in bytes. */
const tablesWith = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const hex = Buffer.from(text).toString("hex")
  const found = yield* Effect.forEach(["tasks", "task_rows"], (name) =>
    Effect.map(
      sql<{ rows: number; found: number }>`select count(*)::int as rows,
        count(*) filter (where t::text ilike ${`%${text}%`} or t::text like ${`%${hex}%`})::int as found
        from ${sql(`lading.${name}`)} as t`,
      ([row]) => row
    )
  )
  return found
})

const over = <E>(database: Layer.Layer<SqlClient.SqlClient, E>, seal = Databases.seal) =>
  Layer.provideMerge(
    Layer.merge(PostgresTasks.layer, PostgresSuppression.layer),
    Layer.merge(Layer.orDie(database), seal)
  )

const sealed = Effect.gen(function* () {
  const tasks = yield* TaskStore.TaskStore
  yield* put("sealed", [spoken, TaskRow.first(0)])
  yield* tasks.begin("sealed", {
    steps: [{ id: "find", operation: "people.search", input: { company_domain: `${marker}.example` } }],
    outputs: [{ name: marker, value: marker }]
  })
  assert.strictEqual(yield* note("sealed", [spoken]), "noted")
  const ended = yield* tasks.end("sealed", { state: "failed", problem: `No ${marker}`, at: 1 })
  assert.include(JSON.stringify(ended), `No ${marker}`)
  assert.deepStrictEqual(yield* tablesWith(marker), [
    { rows: 1, found: 0 },
    { rows: 3, found: 0 }
  ])
  // It would be found where it stands.
  const sql = yield* SqlClient.SqlClient
  yield* sql`update lading.tasks set problem = ${Buffer.from(`No ${marker}`)}`
  assert.deepInclude((yield* tablesWith(marker))[0], { found: 1 })
})

const otherKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* put("other", [spoken])
  const asked = Effect.gen(function* () {
    const tasks = yield* TaskStore.TaskStore
    const reads: ReadonlyArray<Effect.Effect<unknown, TaskStore.TaskStoreUnavailable, TaskStore.TaskStore>> = [
      tasks.find("other"),
      shown("other"),
      tasks.due("other", 0, 1)
    ]
    for (const read of reads) {
      assert.match((yield* Effect.flip(read)).problem, /sealed with another key/)
    }
    assert.strictEqual(yield* erase, 1)
    assert.deepStrictEqual(yield* shown("other"), [TaskRow.erased(TaskRow.first(null))])
  })
  const database = Layer.succeed(SqlClient.SqlClient, sql)
  yield* Effect.provide(asked, Layer.fresh(over(database, Seal.layerEphemeral)))
})

const everywhere = (name: string, database: Layer.Layer<SqlClient.SqlClient, unknown>) => {
  describe(`TaskStore: ${name}`, () => {
    it.live(
      "what was ordered, plan, problem and rows stand nowhere in plain text",
      () => Effect.provide(sealed, Layer.fresh(over(database))),
      240_000
    )
    it.live(
      "what another key has sealed is said to be so, and is erased all the same",
      () => Effect.provide(otherKey, Layer.fresh(over(database))),
      240_000
    )
  })
}

everywhere("PGlite", Database.layerEmbeddedMemory)

await Databases.onServer(() => {
  everywhere("PostgreSQL", Databases.postgres)

  it.live(
    "an erasure waits for a change that is under way, and empties what it has written",
    () =>
      Effect.gen(function* () {
        yield* put("note", [TaskRow.first(0)])
        const [noting, erasing] = yield* holding(
          rowLock,
          Effect.gen(function* () {
            const noting = yield* Effect.forkChild(note("note", [spoken]))
            yield* waiting(1)
            yield* suppress
            const erasing = yield* Effect.forkChild(erase)
            yield* waiting(2)
            return [noting, erasing] as const
          })
        )
        assert.strictEqual(yield* Fiber.join(noting), "noted")
        assert.strictEqual(yield* Fiber.join(erasing), 2)
        const empty = TaskRow.erased(spoken)
        assert.deepStrictEqual(yield* shown("note"), [empty, empty])
      }).pipe(Effect.provide(over(Databases.postgres))),
    240_000
  )

  it.live(
    "a change and a new task that wait for an erasure see who was erased",
    () =>
      Effect.gen(function* () {
        yield* put("note", [TaskRow.first(0)])
        const [noting, putting] = yield* holding(
          tableLock,
          Effect.gen(function* () {
            const noting = yield* Effect.forkChild(note("note", [spoken]))
            const putting = yield* Effect.forkChild(put("put", [spoken, TaskRow.first(1)]))
            yield* waiting(2)
            yield* suppress
            return [noting, putting] as const
          })
        )
        assert.strictEqual(yield* Fiber.join(noting), "noted")
        yield* Fiber.join(putting)
        assert.deepStrictEqual(yield* shown("note"), [TaskRow.erased(spoken)])
        assert.deepStrictEqual(yield* shown("put"), [TaskRow.erased(spoken), TaskRow.first(1)])
        assert.strictEqual(yield* erase, 0)
      }).pipe(Effect.provide(over(Databases.postgres))),
    240_000
  )

  it.live(
    "erasures, changes and sweeps at once never wait in a circle, and the counts are those of the rows",
    () =>
      Effect.gen(function* () {
        const tasks = yield* TaskStore.TaskStore
        const sql = yield* SqlClient.SqlClient
        const rows = Array.from({ length: 200 }, (_, at) => (at % 3 === 0 ? spoken : TaskRow.first(at)))
        yield* put("note", rows)
        const change = (at: number) =>
          tasks.note("note", {
            path: [at],
            revision: 1,
            row: { ...TaskRow.first(at), state: at % 2 === 0 ? "completed" : "divided" },
            due: 0,
            elements: at % 2 === 0 ? [] : [spoken, TaskRow.first(at)]
          })
        const passing = (at: number) =>
          Effect.andThen(
            tasks.put(ordered(`over_${at}`), { plan: null, rows: [spoken, spoken] }, 1),
            at % 2 === 0 ? tasks.sweep : tasks.remove(`over_${at}`)
          )
        const works = rows.flatMap((_, at) => [change(at), ...(at % 10 === 0 ? [erase, passing(at)] : [])])
        yield* Effect.all(works, { concurrency: 12, discard: true })
        yield* tasks.sweep
        const states = yield* sql<{ state: string; rows: number }>`select state, count(*)::int as rows
          from lading.task_rows where task = 'note' group by 1`
        const count = (name: string) => states.find(({ state }) => state === name)?.rows ?? 0
        const [found] = yield* sql`select pending, completed, failed, divided, erased from lading.tasks`
        assert.deepStrictEqual(
          { ...found },
          Object.fromEntries(
            ["pending", "completed", "failed", "divided", "erased"].map((state) => [state, count(state)])
          )
        )
        assert.isAbove(count("erased"), 0)
        assert.isAbove(count("divided"), 0)
      }).pipe(Effect.provide(over(Databases.postgres))),
    240_000
  )
})
