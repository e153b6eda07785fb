import { assert, it } from "@effect/vitest"
import { TradeFilter, TradeLoads, type TradeQuestion, type TradeRecord, TradeStore } from "@lading/core/trade"
import { Trade } from "@lading/testing"
import { Effect, Fiber, Layer, Redacted, Result, Schema } from "effect"
import { execFileSync } from "node:child_process"
import { createServer, type RequestListener } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setTimeout } from "node:timers/promises"
import { describe, vi } from "vitest"
import * as Bridge from "./fixtures/Bridge.ts"
import * as Clickhouse from "./index.ts"
import { date, float, ids, int, ints, sql, type Statement, text, texts } from "./Statement.ts"

type Limits = Clickhouse.Engine.Limits

/** The two ways to an engine. */
const embedded = Effect.gen(function* () {
  const path = join(yield* Bridge.folder, "chdb")
  return { cancelled: null, open: (limits?: Partial<Limits>) => Clickhouse.Engine.openEmbedded(path, limits) }
})

const bridged = Effect.gen(function* () {
  const { origin, url } = yield* Bridge.start
  const cancelled = Effect.promise(async () => {
    const seen: ReadonlyArray<{ readonly state: string }> = await (await fetch(`${origin}/bridge/seen`)).json()
    return seen.filter(({ state }) => state === "cancelled").length
  })
  return { cancelled, open: (limits?: Partial<Limits>) => Clickhouse.Engine.openUrl(url, limits) }
})

/** More rows than anybody has. */
const ALL = 1e15

const Count = Schema.Struct({ n: Schema.Int })
const endless = sql`SELECT toInt64(count()) AS n FROM numbers(100000000000) WHERE sipHash64(number) = ${int(1)}`

/** What nobody should ever see but who asked. */
const secret = "Ünverwechselbar'); DROP TABLE t; --"

/** Waits until it is so, for a second or two. */
const eventually = Effect.fnUntraced(function* (check: Effect.Effect<boolean>) {
  for (let tries = 0; tries < 100; tries++) {
    if (yield* check) return
    yield* Effect.promise(() => setTimeout(20))
  }
  assert.fail("it did not come about")
})

const hostile = [
  "",
  "' OR 1 = 1 --",
  "\\' OR 1 = 1 --",
  "tab\tnew line\nreturn\r",
  "\0 and \b and \f",
  "\\N",
  "\\0",
  "{p0:String}",
  "a\\",
  "%00 & = + ; ?",
  "--boundary\r\n\r\n",
  "['a','b']",
  "日本語 🚢",
  "x".repeat(9000)
]

const Texts = Schema.Struct({ one: Schema.String, many: Schema.Array(Schema.String) })
const Numbers = Schema.Struct({
  many: Schema.Array(Schema.String),
  one: Schema.Finite,
  whole: Schema.Array(Schema.String)
})

for (const [name, way] of [
  ["chDB", embedded],
  ["HTTP", bridged]
] as const)
  describe.skipIf(Bridge.missing !== null)(`Engine, ${name} (${Bridge.missing ?? "found"})`, () => {
    it.live("a question that goes beyond a bound says which", () =>
      Effect.gen(function* () {
        const { open } = yield* way
        const meets = Effect.fnUntraced(function* (limits: Partial<Limits>, statement: Statement) {
          const engine = yield* open(limits)
          const error = yield* Effect.flip(engine.rows(Count, statement))
          return error._tag === "QueryTooExpensive" ? error.bound : error.problem
        })
        assert.strictEqual(yield* meets({ time: 1, rows: ALL }, endless), "time")
        assert.strictEqual(yield* meets({ rows: 1000 }, endless), "rows")
        const much = sql`SELECT toInt64(length(groupArray(number))) AS n FROM numbers(100000000)`
        assert.strictEqual(yield* meets({ memory: 50_000_000 }, much), "memory")
        const engine = yield* open({ time: 1, rows: 1000, memory: 50_000_000 })
        assert.deepStrictEqual(yield* engine.unbounded(Count, sql`SELECT toInt64(count()) AS n FROM numbers(1001)`), [
          { n: 1001 }
        ])
      }).pipe(Effect.scoped)
    )

    it.live("a question that nobody waits for any more is ended, and holds up nobody", () =>
      Effect.gen(function* () {
        const { cancelled, open } = yield* way
        const engine = yield* open({ time: 30, rows: ALL })
        yield* engine.rows(Count, sql`SELECT 1 AS n`)
        const asking = yield* Effect.forkChild(engine.rows(Count, endless))
        yield* Effect.promise(() => setTimeout(500))
        const began = performance.now()
        yield* Fiber.interrupt(asking)
        assert.deepStrictEqual(yield* engine.rows(Count, sql`SELECT ${int(2)} AS n`), [{ n: 2 }])
        assert.isBelow(performance.now() - began, 10_000)
        if (cancelled !== null) yield* eventually(Effect.map(cancelled, (count) => count === 1))
      }).pipe(Effect.scoped)
    )

    it.live("nothing of a question that failed is in the answer of the next", () =>
      Effect.gen(function* () {
        const engine = yield* (yield* way).open({ rows: ALL, time: 30 })
        const failing = sql`SELECT ${text(secret)} AS one, [toString(number)] AS many,
          throwIf(number = 200000 AND ${int(1)} = 1) FROM numbers(300000)`
        const good = Array.from({ length: 4 }, (_, index) => ({ one: `${index}`, many: [] }))
        const questions = good.flatMap(({ one }) => [
          Effect.result(engine.rows(Texts, failing)),
          Effect.result(engine.rows(Texts, sql`SELECT ${text(one)} AS one, ${texts([])} AS many`)),
          Effect.result(engine.unbounded(Texts, sql`SELECT ${text(one)} AS one, ${texts([])} AS many`))
        ])
        const answers = yield* Effect.all(questions, { concurrency: "unbounded" })
        const rows = answers.flatMap((answer) => (Result.isSuccess(answer) ? [answer.success] : []))
        assert.deepStrictEqual(
          rows,
          good.flatMap((row) => [[row], [row]])
        )
      }).pipe(Effect.scoped)
    )

    it.live("values stay values, whatever they are", () =>
      Effect.gen(function* () {
        const engine = yield* (yield* way).open()
        for (const value of hostile)
          assert.deepStrictEqual(
            yield* engine.rows(Texts, sql`SELECT ${text(value)} AS one, ${texts([value, "b", value])} AS many`),
            [{ one: value, many: [value, "b", value] }]
          )
        const many = Array.from({ length: 10_000 }, (_, index) => 2n ** 64n - 1n - BigInt(index))
        const [numbers] = yield* engine.rows(
          Numbers,
          sql`SELECT arrayMap(x -> toString(x), ${ids(many)}) AS many, ${float(1e21)} AS one,
            arrayMap(x -> toString(x), ${ints([1e300, -1e300, 2 ** 53 - 1])}) AS whole`
        )
        assert.deepStrictEqual(numbers?.many, many.map(String))
        assert.strictEqual(numbers?.one, 1e21)
        assert.deepStrictEqual(numbers?.whole, ["9223372036854774784", "-9223372036854774784", "9007199254740991"])
        const words = Array.from({ length: 3000 }, (_, index) => `${index} ${"'\\".repeat(30)}`)
        const [found] = yield* engine.rows(Texts, sql`SELECT '' AS one, ${texts(words)} AS many`)
        assert.deepStrictEqual(found?.many, words)
        for (const beyond of [float(Infinity), float(-Infinity), int(1e21), int(-5.5)])
          yield* engine.rows(Schema.Unknown, sql`SELECT ${beyond} AS n`)
      }).pipe(Effect.scoped)
    )

    it.live("no value is in an error or on the console", () =>
      Effect.gen(function* () {
        const spies = (["error", "info", "log", "warn"] as const).map((method) => vi.spyOn(console, method))
        const engine = yield* (yield* way).open({ time: 1, rows: ALL })
        const statements = [
          sql`SELECT ${date(secret)} AS n`,
          sql`SELECT throwIf(1, ${text(secret)}) AS n`,
          sql`SELECT n FROM nowhere WHERE n = ${text(secret)}`,
          // Another shape than was expected.
          sql`SELECT ${text(secret)} AS n`,
          sql`SELECT toInt64(count()) AS n FROM numbers(100000000000) WHERE toString(sipHash64(number)) = ${text(secret)}`
        ]
        for (const statement of statements) {
          const error = yield* Effect.flip(engine.rows(Count, statement))
          const shown = [JSON.stringify(error), String(error), error.stack ?? "", error.message].join()
          assert.notInclude(shown, "verwechselbar")
        }
        const failed = yield* Effect.flip(engine.run(sql`INSERT INTO nowhere SELECT ${text(secret)}`))
        assert.strictEqual(failed.problem, "the column store answered 60 (UNKNOWN_TABLE)")
        for (const spy of spies) {
          assert.notInclude(JSON.stringify(spy.mock.calls), "verwechselbar")
          assert.deepStrictEqual(spy.mock.calls, [])
          spy.mockRestore()
        }
      }).pipe(Effect.scoped)
    )

    it.live("hostile text in every place of a filter finds what the plain rules find", () =>
      Effect.gen(function* () {
        const engine = yield* (yield* way).open()
        const generated = [...Trade.make({ records: 30, months: 2 }).stream()]
        const truth = Trade.traderOf(generated)
        const odd = generated.map(({ record }, index) => oddly(record, hostile[index % hostile.length] ?? ""))
        yield* Effect.gen(function* () {
          const loads = yield* TradeLoads.TradeLoads
          const { load } = yield* loads.begin({ name: secret, digest: secret, format: secret, replaces: null })
          const rows = odd.map((record) => ({
            record,
            importer_id: truth(record.importer, "importer"),
            exporter_id: truth(record.exporter, "exporter")
          }))
          yield* loads.write(load, { rows, rejected: 0, position: "' \\ \t \n" })
          yield* loads.publish(load)
          assert.strictEqual((yield* loads.list)[0]?.position, "' \\ \t \n")
          const [store, plain] = [yield* TradeStore.TradeStore, TradeStore.make(odd, truth)]
          for (const question of hostile.flatMap(everywhere)) {
            const [answer, expected] = [yield* store.records(question), yield* plain.records(question)]
            assert.isNull(Trade.difference(answer, expected), JSON.stringify(question).slice(0, 900))
          }
          for (const value of hostile) {
            assert.deepStrictEqual(yield* store.details(value), yield* plain.details(value))
            assert.deepStrictEqual((yield* store.keyCounts([value])).counts, (yield* plain.keyCounts([value])).counts)
          }
        }).pipe(
          Effect.provide(
            Layer.fresh(Clickhouse.layer.pipe(Layer.provide(Layer.succeed(Clickhouse.Engine.Engine, engine))))
          )
        )
      }).pipe(Effect.scoped)
    )
  })

/** A record with that text in every place that takes one. */
const oddly = (record: TradeRecord.TradeRecord, value: string): TradeRecord.TradeRecord => {
  const said = value === "" ? null : value
  return {
    ...record,
    key: `${record.key}${value}`,
    description: said,
    hs_raw: said,
    quantity_unit_raw: said,
    port_of_loading: said,
    port_of_unloading: record.port_of_loading,
    bill_number: said === null ? null : `${record.key}${value}`,
    package_kind: said
  }
}

/** Questions with that text in every place that takes one. */
const everywhere = (value: string): ReadonlyArray<TradeQuestion.RecordsQuestion> => {
  const filters: ReadonlyArray<Partial<TradeFilter.TradeFilter>> = [
    { product: value },
    { hs_prefix: value },
    { importer: value },
    { exporter: value },
    { importer_ids: [value] },
    { exporter_ids: [value, "2"] },
    { trader: { trader_id: value, role: null } },
    { origin_countries: [value, "CN"] },
    { destination_countries: [value] },
    { exporter_countries: [value] },
    { ports: [value] }
  ]
  const plainly: TradeQuestion.RecordsQuestion = {
    filter: TradeFilter.all,
    sort: { by: "date", order: "asc" },
    window: { page: 1, limit: 7 },
    after: null
  }
  return [
    ...filters.map((filter) => ({ ...plainly, filter: { ...TradeFilter.all, ...filter } })),
    { ...plainly, after: { value: "2021-01-15", source: value, key: value } },
    { ...plainly, after: { value: "2021-01-15", source: "sample-pe-imports", key: value } }
  ]
}

/** A server of that behaviour, and how many of its connections are open. */
const served = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(listener)
      let open = 0
      server.on("connection", (socket) => {
        open++
        socket.on("close", () => open--)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return { server, url: Redacted.make(`http://me:hidden@127.0.0.1:${port}/`), open: () => open }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** Asks, and says what it failed with and after how many milliseconds. */
const fails = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const engine = yield* Clickhouse.Engine.openUrl(url, { time: 0.2 })
  const began = performance.now()
  const error = yield* Effect.flip(engine.rows(Count, sql`SELECT ${text(secret)} AS n`))
  const shown = [JSON.stringify(error), String(error), error.stack ?? ""].join()
  for (const hidden of ["verwechselbar", "hidden"]) assert.notInclude(shown, hidden)
  return { error, ms: performance.now() - began }
})

describe("Engine, servers that do not answer", () => {
  const gone = [
    ["is not there", null],
    ["never answers", () => {}],
    ["never ends its answer", (_, response) => void setInterval(() => response.write(" "), 50).unref()],
    ["hangs up", (request) => request.socket.destroy()],
    ["hangs up in the middle", (request, response) => response.write('{"n":', () => request.socket.destroy())],
    ["answers with something else", (_, response) => response.end("<html>")],
    ["answers nothing", (_, response) => response.end()],
    ["is a proxy without a server", (_, response) => response.writeHead(502).end("<html>Bad gateway")],
    [
      "breaks off with an error",
      (_, response) => response.write('{"n":1}\n', () => response.end(`Code: 1. DB::Exception: ${secret} (OH_NO)\n`))
    ]
  ] satisfies ReadonlyArray<readonly [string, RequestListener | null]>
  for (const [what, listener] of gone)
    it.live(`one that ${what} is unavailable, within the time of a question`, () =>
      Effect.gen(function* () {
        const url = listener === null ? Redacted.make("http://127.0.0.1:1") : (yield* served(listener)).url
        const { error, ms } = yield* fails(url)
        assert.strictEqual(error._tag, "TradeStoreUnavailable")
        assert.isBelow(ms, 4000)
      }).pipe(Effect.scoped)
    )

  for (const [when, listener] of [
    ["before the answer", () => {}],
    ["while it comes", (_, response) => void setInterval(() => response.write(" "), 50).unref()]
  ] satisfies ReadonlyArray<readonly [string, RequestListener]>)
    it.live(`interrupting who asks ends the request, ${when}`, () =>
      Effect.gen(function* () {
        const { open, url } = yield* served(listener)
        const engine = yield* Clickhouse.Engine.openUrl(url, { time: 60 })
        const asking = yield* Effect.forkChild(engine.rows(Count, sql`SELECT 1 AS n`))
        yield* eventually(Effect.sync(() => open() === 1))
        yield* Effect.promise(() => setTimeout(150))
        yield* Fiber.interrupt(asking)
        yield* eventually(Effect.sync(() => open() === 0))
      }).pipe(Effect.scoped)
    )

  it.live("one that is something else has not written what it was told to", () =>
    Effect.gen(function* () {
      const { url } = yield* served((_, response) => response.end("Welcome"))
      const engine = yield* Clickhouse.Engine.openUrl(url)
      assert.strictEqual((yield* Effect.flip(engine.run(sql`SELECT 1`)))._tag, "TradeStoreUnavailable")
      assert.strictEqual(
        (yield* Effect.flip(engine.insert("t", ["a"], new TextEncoder().encode("1\n"))))._tag,
        "TradeStoreUnavailable"
      )
    }).pipe(Effect.scoped)
  )

  it.live("a URL that is none is said to be none, and not shown", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Clickhouse.Engine.openUrl(Redacted.make("hidden, not a URL")))
      assert.strictEqual(error._tag, "ColumnStoreUnavailable")
      assert.notInclude(JSON.stringify(error), "hidden")
    }).pipe(Effect.scoped)
  )

  it("without the package of the embedded engine that is said", () => {
    const said = execFileSync(process.execPath, [fileURLToPath(new URL("./fixtures/WithoutChdb.ts", import.meta.url))])
    assert.strictEqual(String(said).trim(), "EngineMissing")
  })
})
