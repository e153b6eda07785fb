/** What the engine has kept of ended workflows goes, and nothing else does. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, it } from "@effect/vitest"
import { Database } from "@lading/postgres"
import { Clock, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Activity, Workflow } from "effect/workflow"
import * as Durable from "./Durable.ts"
import * as DurableSweep from "./DurableSweep.ts"
import * as RandomPool from "./RandomPool.ts"

const Ended = Workflow.make("test/ended/1", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })
const Hanging = Workflow.make("test/hanging/1", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })

const workflows = Layer.merge(
  Ended.toLayer(() => Activity.make({ name: "step", execute: Effect.void })),
  Hanging.toLayer(() => Activity.make({ name: "step", execute: Effect.never }))
)

const house = workflows.pipe(
  Layer.provideMerge(Durable.layer({ shared: false })),
  Layer.provideMerge(Database.layerEmbeddedMemory),
  Layer.provideMerge(Layer.merge(NodeCrypto.layerDigest, RandomPool.layer))
)

const rows = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select 1 from ${sql(`${Durable.prefix}_${table}`)}`).length
})

const day = 24 * 60 * 60 * 1000

it.live("workflows that have ended are forgotten after a week; one that runs is not, nor one of yesterday", () =>
  Effect.gen(function* () {
    for (const id of ["one", "two"]) yield* Ended.execute({ id })
    yield* Hanging.execute({ id: "three" }, { discard: true })
    // Its step has been taken up.
    yield* rows("messages").pipe(Effect.repeat({ until: (count) => count >= 6, schedule: Schedule.spaced(20) }))
    const [messages, replies] = [yield* rows("messages"), yield* rows("replies")]
    const now = yield* Clock.currentTimeMillis
    const at = <A, E>(days: number, work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      Effect.andThen(TestClock.setTime(now + days * day), work).pipe(Effect.provide(TestClock.layer()))
    assert.strictEqual(yield* at(6, DurableSweep.sweep(Durable.prefix)), 0)
    const gone = yield* at(8, DurableSweep.sweep(Durable.prefix))
    assert.isAtLeast(gone, 4)
    assert.strictEqual(yield* rows("messages"), messages - gone)
    assert.isBelow(yield* rows("replies"), replies)
    assert.isAtLeast(yield* rows("messages"), 2)
    assert.strictEqual(yield* at(9, DurableSweep.sweep(Durable.prefix)), 0)
  }).pipe(Effect.provide(house))
)
