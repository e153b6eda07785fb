import { assert, it } from "@effect/vitest"
import { Trade } from "@lading/testing"
import { Deferred, Effect, Stream } from "effect"
import { describe } from "vitest"
import * as TradeImport from "./TradeImport.ts"
import * as TradeLoads from "./TradeLoads.ts"
import { nobody, type TradeRecord } from "./TradeRecord.ts"

const record = (key: string): TradeRecord => ({
  ...Trade.blank,
  key,
  importer: { ...nobody, name: "Imports Example" }
})

/** Batches of two records and one refused row each, from a number on. */
const batches =
  (count: number) =>
  (from: string | null): Stream.Stream<TradeImport.Batch> =>
    Stream.map(Stream.range(Number(from ?? 0), count - 1), (index) => ({
      records: [record(`${index}a`), record(`${index}b`)],
      rejected: 1,
      position: `${index + 1}`
    }))

const of: TradeLoads.LoadOf = { name: "file", digest: "digest", format: "test", replaces: null }

interface Written extends TradeLoads.Progress {
  readonly keys: ReadonlyArray<string>
}

/** A store in which four rows are a part; `before` is what happens when a part is to be written. */
const store = (begun: TradeLoads.Progress, before: (part: number) => Effect.Effect<void> = () => Effect.void) => {
  const gathered = new Map<number, Array<string>>()
  const written: Array<Written> = []
  const events: Array<string> = []
  let progress = begun
  const loads: TradeLoads.TradeLoads["Service"] = {
    begin: () => Effect.succeed({ load: 1, state: "fresh", ...progress }),
    gather: (_, part, rows) =>
      Effect.sync(() => {
        events.push(`gather ${part}`)
        const keys = [...(gathered.get(part) ?? []), ...rows.map(({ record }) => record.key)]
        gathered.set(part, keys)
        return keys.length >= 4
      }),
    write: (_, { position, rejected, rows }) =>
      Effect.gen(function* () {
        const number = progress.parts
        yield* before(number)
        events.push(`write ${number}`)
        const keys = [...(gathered.get(number) ?? []), ...rows.map(({ record }) => record.key)]
        progress = {
          parts: number + 1,
          position,
          rows: progress.rows + keys.length,
          rejected: progress.rejected + rejected
        }
        written.push({ ...progress, keys })
        return progress
      }),
    publish: () => Effect.succeed({ added: 1, replaced: 0, records: 1 }),
    abandon: () => Effect.sync(() => void events.push("abandon")),
    list: Effect.succeed([])
  }
  const run = <E>(reading: (from: string | null) => Stream.Stream<TradeImport.Batch, E>) =>
    TradeImport.run({ of, batches: reading, progress: () => Effect.void, publishing: Effect.void }).pipe(
      Effect.provideService(TradeLoads.TradeLoads, loads)
    )
  return { events, run, written }
}

const start: TradeLoads.Progress = { parts: 0, position: null, rows: 0, rejected: 0 }

describe("TradeImport", () => {
  it.effect("writes every row once, in parts that end where a batch does, and what is left", () =>
    Effect.gen(function* () {
      const { run, written } = store(start)
      const { progress } = yield* run(batches(5))
      assert.deepStrictEqual(progress, { parts: 3, position: "5", rows: 10, rejected: 5 })
      assert.deepStrictEqual(
        written.map(({ keys, position }) => [position, ...keys]),
        [
          ["2", "0a", "0b", "1a", "1b"],
          ["4", "2a", "2b", "3a", "3b"],
          ["5", "4a", "4b"]
        ]
      )
    })
  )

  it.effect("goes on behind the last part that was acknowledged, with its number", () =>
    Effect.gen(function* () {
      const { events, run, written } = store({ parts: 7, position: "3", rows: 6, rejected: 3 })
      yield* run(batches(5))
      assert.deepStrictEqual(events, ["gather 7", "gather 7", "write 7"])
      assert.deepStrictEqual(written[0]?.keys, ["3a", "3b", "4a", "4b"])
      assert.strictEqual(written[0]?.rows, 10)
    })
  )

  it.effect("gathers the next part while one is written, and no more than that", () =>
    Effect.gen(function* () {
      const read = yield* Deferred.make<void>()
      const { events, run } = store(start, (part) => (part === 0 ? Deferred.await(read) : Effect.void))
      // The first part is written when the fourth batch is asked for, and not before.
      const reading = (from: string | null) =>
        Stream.tap(batches(6)(from), ({ position }) =>
          position === "4" ? Deferred.succeed(read, undefined) : Effect.void
        )
      yield* run(reading)
      assert.isBelow(events.indexOf("gather 1"), events.indexOf("write 0"))
      assert.isBelow(events.indexOf("write 0"), events.indexOf("gather 2"))
    })
  )

  it.effect("leaves nothing of a file that cannot be read at all, and what was acknowledged of another", () =>
    Effect.gen(function* () {
      const broken = (after: number) => (from: string | null) =>
        Stream.concat(Stream.take(batches(9)(from), after), Stream.fail("broken" as const))
      const [none, some] = [store(start), store(start)]
      assert.strictEqual(yield* Effect.flip(none.run(broken(1))), "broken")
      assert.deepStrictEqual(none.events, ["gather 0", "abandon"])
      assert.strictEqual(yield* Effect.flip(some.run(broken(3))), "broken")
      assert.strictEqual(some.written.length, 1)
      assert.notInclude(some.events, "abandon")
    })
  )
})
