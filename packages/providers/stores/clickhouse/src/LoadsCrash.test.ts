/** Loads that die: at every statement of a publication, and, as processes, at any moment. */
import { assert, it } from "@effect/vitest"
import { TradeLoads, TradeStore } from "@lading/core/trade"
import { Effect, Layer, Result } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe } from "vitest"
import * as Bridge from "./fixtures/Bridge.ts"
import * as Loading from "./fixtures/Loading.ts"
import * as Clickhouse from "./index.ts"

type Engine = Clickhouse.Engine.Engine["Service"]

/** A new store over an engine, as a server that has just started. */
const over = <A, E>(
  engine: Engine,
  work: Effect.Effect<A, E, TradeLoads.TradeLoads | TradeStore.TradeStore | Clickhouse.Engine.Engine>
) =>
  Effect.provide(
    work,
    Layer.fresh(Layer.provideMerge(Clickhouse.layer, Layer.succeed(Clickhouse.Engine.Engine, engine)))
  )

const opened = (folder: string) => Clickhouse.Engine.openEmbedded(join(folder, "chdb"))

/** What the tables hold when nobody dies. */
const undisturbed = Effect.gen(function* () {
  const engine = yield* opened(yield* Bridge.folder)
  return yield* over(
    engine,
    Effect.gen(function* () {
      for (const file of Loading.files) yield* Loading.load(file)
      assert.isNull(yield* Loading.difference(3, 36, 1))
      return yield* Loading.dump
    })
  )
}).pipe(Effect.scoped)

/** Loads a file and stops at the statement of that number, which is not made; whether it came to the end. */
const upTo = (engine: Engine, file: (typeof Loading.files)[number], at: number) => {
  let count = -Infinity
  const step: Loading.Step = (work) =>
    Effect.suspend(() => (++count > at ? new TradeStore.TradeStoreUnavailable({ problem: "stopped" }) : work))
  // What opening the store does is not counted.
  const begin = Effect.sync(() => {
    count = 0
  })
  return over(Loading.around(engine, step), Effect.andThen(begin, Effect.result(Loading.load(file)))).pipe(
    Effect.map(Result.isSuccess)
  )
}

const nothing: TradeLoads.Part = { rows: [], rejected: 0, position: "" }

/** Runs the child until it dies. */
const run = (folder: string, seed: number, at: number, when: string) =>
  Effect.promise(async () => {
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("./fixtures/LoadingProcess.ts", import.meta.url)),
        join(folder, "chdb"),
        `${seed}`,
        `${at}`,
        when
      ],
      { stdio: ["ignore", "pipe", "pipe"] }
    )
    let said = ""
    child.stdout.on("data", (chunk) => (said += chunk))
    child.stderr.on("data", (chunk) => (said += chunk))
    const [code, signal] = await once(child, "close")
    assert.isTrue(signal === "SIGKILL" || code === 0, said)
    return signal === "SIGKILL"
  })

describe.skipIf(Bridge.missing !== null)(`Loads that die (${Bridge.missing ?? "on chDB"})`, () => {
  it.live(
    "are seen as a whole or not at all, whichever statement is the last, and end as if nothing had happened",
    () =>
      Effect.gen(function* () {
        const expected = yield* undisturbed
        const engine = yield* opened(yield* Bridge.folder)
        let stops = 0
        // Every statement of the load that has everything in it, some of the others.
        for (const [before, every] of [8, 1, 5].entries())
          for (let at = 1; ; at += every) {
            const isDone = yield* upTo(engine, Loading.files[before] ?? assert.fail(), at)
            const look = Effect.gen(function* () {
              const published = yield* Loading.seen
              assert.include(isDone ? [before + 1] : [before, before + 1], published)
              assert.isNull(yield* Loading.difference(published, 3, ++stops), `stopped at ${at}`)
            })
            yield* over(engine, look)
            if (isDone) break
          }
        assert.isAbove(stops, 30)
        assert.isNull(yield* over(engine, Loading.difference(3, 36, 1)))
        assert.isNull(Loading.parting(yield* over(engine, Loading.dump), expected))
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "as processes that are killed come to the same table as one that ran through",
    () =>
      Effect.gen(function* () {
        const expected = yield* undisturbed
        const folder = yield* Bridge.folder
        let state = 5
        let kills = 0
        // Later and later, so that all of it comes about; each looks first whether readers see something half.
        for (let seed = 1; seed <= 13; seed++) {
          state = (state * 48_271) % 2_147_483_647
          const at = 1 + seed + (state % 12)
          if (yield* run(folder, seed, at, ["before", "during", "during", "after"][state % 4] ?? "during")) kills++
        }
        assert.isAtLeast(kills, 12)
        assert.isFalse(yield* run(folder, 99, 0, "never"))
        const engine = yield* opened(folder)
        assert.isNull(yield* over(engine, Loading.difference(3, 36, 1)))
        assert.isNull(Loading.parting(yield* over(engine, Loading.dump), expected))
      }).pipe(Effect.scoped),
    240_000
  )

  it.live("are known by their bytes, stand alone, and leave nothing when they are abandoned", () =>
    Effect.gen(function* () {
      const [march, april, other] = Loading.files
      const engine = yield* opened(yield* Bridge.folder)
      const work = Effect.gen(function* () {
        const loads = yield* TradeLoads.TradeLoads
        const { load } = yield* Loading.load(march)
        const before = yield* Loading.dump

        assert.strictEqual((yield* Loading.load(march)).state, "published")
        assert.strictEqual((yield* Effect.flip(loads.write(load, nothing)))._tag, "NoSuchLoad")
        assert.isNull(Loading.parting(yield* Loading.dump, before))

        const begun = yield* loads.begin(april)
        yield* loads.write(begun.load, Loading.part(april, 0))
        const refused = yield* Effect.flip(loads.begin(other))
        assert.deepStrictEqual(refused, new TradeLoads.LoadInProgress({ load: begun.load, name: april.name }))

        yield* loads.abandon(begun.load)
        assert.strictEqual((yield* Effect.flip(loads.write(begun.load, nothing)))._tag, "NoSuchLoad")
        assert.strictEqual((yield* Effect.flip(loads.publish(begun.load)))._tag, "NoSuchLoad")
        const { loads: _, party_key: __, ...rows } = yield* Loading.dump
        const { loads: ___, party_key: ____, ...same } = before
        assert.deepStrictEqual(rows, same)
        assert.strictEqual((yield* loads.begin(april)).state, "fresh")
      })
      yield* over(engine, work)
    }).pipe(Effect.scoped)
  )

  it.live("gather rows that are written with their part, and forget them when they are begun again", () =>
    Effect.gen(function* () {
      const [march] = Loading.files
      // One folder is open at a time.
      const straight = Effect.flatMap(Effect.flatMap(Bridge.folder, opened), (engine) =>
        over(engine, Effect.andThen(Loading.load(march), Loading.dump))
      )
      const expected = yield* Effect.scoped(straight)
      const [first, second, third] = [0, 80, 160].map((from) => Loading.part(march, from).rows)
      assert(first !== undefined && second !== undefined && third !== undefined)
      const work = Effect.gen(function* () {
        const loads = yield* TradeLoads.TradeLoads
        assert.strictEqual((yield* Effect.flip(loads.gather(1, 0, first)))._tag, "NoSuchLoad")
        const { load } = yield* loads.begin(march)
        yield* loads.gather(load, 0, second)
        yield* loads.begin(march)
        assert.isFalse(yield* loads.gather(load, 0, first))
        // The next part is nothing that the first is written with.
        yield* loads.gather(load, 1, third)
        const { parts, rows } = yield* loads.write(load, { rows: second, rejected: 0, position: "160" })
        assert.deepStrictEqual([parts, rows], [1, 160])
        yield* loads.write(load, { rows: [], rejected: 3, position: "240" })
        yield* loads.publish(load)
        assert.strictEqual((yield* Effect.flip(loads.gather(load, 2, first)))._tag, "NoSuchLoad")
        const { loads: _, ...tables } = yield* Loading.dump
        return tables
      })
      const again = yield* over(yield* opened(yield* Bridge.folder), work)
      const { loads: _, ...same } = expected
      assert.deepStrictEqual(again, same)
    }).pipe(Effect.scoped)
  )

  it.live("can be put back after another took their place", () =>
    Effect.gen(function* () {
      const loads = yield* over(
        yield* opened(yield* Bridge.folder),
        Effect.map(TradeLoads.TradeLoads, (loads) => loads)
      )
      const load = Effect.fnUntraced(function* (digest: string, from: string, to: string) {
        const replaces: TradeLoads.Replaces = { kind: "dates", source: "sample", from, to }
        const begun = yield* loads.begin({ name: digest, digest, format: "test", replaces })
        if (begun.state === "fresh") yield* loads.publish(begun.load)
        return begun.state
      })
      const states = []
      for (const digest of ["march", "march", "march corrected", "march corrected", "march", "march"])
        states.push(yield* load(digest, "2021-03-01", "2021-03-31"), yield* load("april", "2021-04-01", "2021-04-30"))
      assert.deepStrictEqual(
        states.filter((_, index) => index % 2 === 0),
        ["fresh", "published", "fresh", "published", "fresh", "published"]
      )
      // Another month is none of its business.
      assert.deepStrictEqual(
        states.filter((_, index) => index % 2 === 1),
        ["fresh", ...Array(5).fill("published")]
      )
    }).pipe(Effect.scoped)
  )

  it.live("belong to the process that began them last", () =>
    Effect.gen(function* () {
      const [, april] = Loading.files
      const engine = yield* opened(yield* Bridge.folder)
      const loads = Effect.map(TradeLoads.TradeLoads, (loads) => loads)
      const one = yield* over(engine, loads)
      const another = yield* over(engine, loads)
      const { load } = yield* one.begin(april)
      yield* one.write(load, Loading.part(april, 0))
      assert.strictEqual((yield* another.begin(april)).position, "80")
      assert.strictEqual((yield* Effect.flip(one.write(load, Loading.part(april, 80))))._tag, "NoSuchLoad")
      assert.strictEqual((yield* Effect.flip(one.publish(load)))._tag, "NoSuchLoad")
      yield* another.write(load, Loading.part(april, 80))
      yield* another.publish(load)
      assert.strictEqual((yield* over(engine, Loading.dump))["trade_record"]?.length, 160)
      assert.deepStrictEqual(yield* one.publish(load), yield* another.publish(load))
    }).pipe(Effect.scoped)
  )
})
