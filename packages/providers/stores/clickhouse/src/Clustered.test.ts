/** The suite of the port, and loads that stop, on a cluster of two shards (`fixtures/Shards.ts`). */
import { assert, it } from "@effect/vitest"
import { TradeStore } from "@lading/core/trade"
import { tradeStoreSuite } from "@lading/testing/suites"
import { Effect, Layer, Result, Schema } from "effect"
import { describe } from "vitest"
import * as Bridge from "./fixtures/Bridge.ts"
import * as Loading from "./fixtures/Loading.ts"
import * as Shards from "./fixtures/Shards.ts"
import * as Clickhouse from "./index.ts"
import { sql } from "./Statement.ts"

const cluster = Layer.unwrap(
  Effect.map(Bridge.startShards(2), ({ url }) =>
    Clickhouse.layer.pipe(Layer.provide(Clickhouse.Engine.layerUrl(url, { cluster: Shards.name, time: 120 })))
  )
)

if (Bridge.missing === null) tradeStoreSuite("a cluster of two shards", cluster, { questions: 90, steps: 4 })

const Numbers = Schema.Struct({ rows: Schema.Int, numbers: Schema.Int })

/** Rows of records, and how many different numbers they have. */
const numbers = Effect.gen(function* () {
  const engine = yield* Clickhouse.Engine.Engine
  return yield* engine.unbounded(
    Numbers,
    sql`SELECT toInt64(count()) AS rows, toInt64(uniqExact(row_id)) AS numbers FROM trade_record`
  )
})

const over = (engine: Clickhouse.Engine.Engine["Service"]) =>
  Layer.fresh(Layer.provideMerge(Clickhouse.layer, Layer.succeed(Clickhouse.Engine.Engine, engine)))

/** Stops in front of the statement of that number. */
const stopping = (engine: Clickhouse.Engine.Engine["Service"], at: number) => {
  let count = 0
  return Loading.around(engine, (work) =>
    Effect.suspend(() => (++count > at ? new TradeStore.TradeStoreUnavailable({ problem: "stopped" }) : work))
  )
}

describe.skipIf(Bridge.missing !== null)(`Loads on a cluster (${Bridge.missing ?? "simulated"})`, () => {
  it.live(
    "stopped or not come to the tables of one server",
    () =>
      Effect.gen(function* () {
        const dumped = Effect.gen(function* () {
          for (const file of Loading.files) yield* Loading.load(file)
          return yield* Loading.dump
        })
        const expected = yield* Effect.scoped(
          Effect.flatMap(Bridge.start, ({ url }) =>
            Effect.provide(dumped, Layer.provideMerge(Clickhouse.layer, Clickhouse.Engine.layerUrl(url)))
          )
        )
        const { url } = yield* Bridge.startShards(2)
        const engine = yield* Clickhouse.Engine.openUrl(url, { cluster: Shards.name, time: 120 })
        const [march, april] = Loading.files
        yield* Effect.provide(Loading.load(march), over(engine))
        for (const at of [6, 9, 12, 15, 18, 21, 24]) {
          const stopped = yield* Effect.result(Effect.provide(Loading.load(april), over(stopping(engine, at))))
          const published = yield* Effect.provide(Loading.seen, over(engine))
          assert.strictEqual(published, Result.isSuccess(stopped) ? 2 : published)
          assert.isNull(yield* Effect.provide(Loading.difference(published, 3, at), over(engine)))
        }
        const found = yield* Effect.provide(dumped, over(engine))
        assert.isNull(Loading.parting(found, expected))
        const [{ numbers: different, rows } = { numbers: 0, rows: 1 }] = yield* Effect.provide(numbers, over(engine))
        assert.strictEqual(different, rows)
      }).pipe(Effect.scoped),
    600_000
  )
})
