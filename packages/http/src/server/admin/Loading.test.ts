/** Loads through a server, over real HTTP: what a part must be like, whose turn it is, and how a publication is waited for. */
import { assert, describe, it } from "@effect/vitest"
import type { TradeRow } from "@lading/core/trade"
import { Trade } from "@lading/testing"
import { Deferred, Effect } from "effect"
import * as Loads from "../../fixtures/Loads.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const path = "/api/admin/trade/loads"
const trade = Trade.make({ records: 20 })
const row = (at: number): TradeRow.TradeRow => ({
  record: trade.at(at).record,
  importer_id: `${at + 1}`,
  exporter_id: null
})
const of = (digit: string) => ({ name: `${digit}.csv`, digest: digit.repeat(64), format: "file", replaces: null })

const head = (rows: number, position = "1") => ({ position, rejected: 1, rows })
const body = (lines: ReadonlyArray<unknown>): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("")

const ndjson = { "content-type": "application/x-ndjson" }

interface Held {
  readonly load: number
  readonly lease: string
}

const start = Effect.fnUntraced(function* (publishing?: Effect.Effect<void>) {
  const kept = Loads.make(publishing)
  const server = yield* TestServer.make({ intake: kept.layer, ownerToken: "lad_owner_token-of-the-test" })
  const ask = (where: string, asking?: TestServer.Asking) => Effect.promise(() => server.send(path + where, asking))
  return {
    kept,
    server,
    begin: (digit: string) => ask("", { body: of(digit) }),
    write: ({ lease, load }: Held, part: number, lines: unknown, headers: Readonly<Record<string, string>> = ndjson) =>
      ask(`/${load}/parts/${part}?lease=${lease}`, {
        method: "PUT",
        headers,
        body: Array.isArray(lines) ? body(lines) : lines
      }),
    publish: ({ lease, load }: Held) => ask(`/${load}/publication?lease=${lease}`, { method: "PUT" }),
    abandon: (load: number) => ask(`/${load}`, { method: "DELETE" }),
    list: ask("")
  }
})

const given = ({ body, status }: TestServer.Sent): any => {
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.data
}

const refused = ({ body, status }: TestServer.Sent, expected: number): any => {
  assert.strictEqual(status, expected, JSON.stringify(body))
  return body.error
}

describe("a load through the server", () => {
  it.live("is begun, written, published, and known from then on", () =>
    Effect.gen(function* () {
      const { begin, kept, list, publish, server, write } = yield* start()
      const held = given(yield* begin("a"))
      assert.deepInclude(held, { load: 1, state: "fresh", parts: 0, position: null, rows: 0, rejected: 0 })
      const first = given(yield* write(held, 0, [head(2), row(0), row(1)]))
      assert.deepStrictEqual(first, { parts: 1, position: "1", rows: 2, rejected: 1 })
      given(yield* write(held, 1, [head(1, "2"), row(2)]))
      assert.lengthOf(kept.published(), 0)
      const published = { state: "published", added: 3, replaced: 0, records: 3 }
      assert.deepStrictEqual(given(yield* publish(held)), published)
      assert.deepStrictEqual(given(yield* publish(held)), published)
      assert.deepStrictEqual(kept.published(), [row(0), row(1), row(2)])
      assert.deepInclude(given(yield* begin("a")), { load: 1, state: "published", lease: null, rows: 3 })
      assert.deepInclude(given(yield* list).list[0], { load: 1, state: "published", name: "a.csv", rejected: 2 })
      for (const secret of [held.lease, "a.csv", row(0).record.key]) assert.notInclude(server.logs.join("\n"), secret)
    })
  )

  it.live("takes a part once, whose answer was lost, and no other than the next one", () =>
    Effect.gen(function* () {
      const { begin, kept, publish, write } = yield* start()
      const held = given(yield* begin("a"))
      for (let time = 0; time < 3; time++) assert.strictEqual(given(yield* write(held, 0, [head(1), row(0)])).parts, 1)
      for (const [number, position] of [
        [2, "3"],
        [0, "other"]
      ] as const)
        assert.include(refused(yield* write(held, number, [head(1, position), row(1)]), 409), {
          code: "conflict",
          message: "The next part of load 1 is 1",
          retryable: false
        })
      given(yield* publish(held))
      assert.deepStrictEqual(kept.published(), [row(0)])
      refused(yield* write(held, 1, [head(1, "2"), row(1)]), 409)
    })
  )

  it.live("belongs to whoever began it last, and stands in the way of others until it is abandoned", () =>
    Effect.gen(function* () {
      const { abandon, begin, publish, write } = yield* start()
      const held = given(yield* begin("a"))
      given(yield* write(held, 0, [head(1), row(0)]))
      const later = given(yield* begin("a"))
      assert.deepInclude(later, { load: held.load, state: "resumed", parts: 1, position: "1" })
      assert.notStrictEqual(later.lease, held.lease)
      for (const late of [yield* write(held, 1, [head(1, "2"), row(1)]), yield* publish(held)])
        assert.match(refused(late, 409).message, /^Load 1 is not under this lease/)
      assert.strictEqual(
        refused(yield* begin("b"), 409).message,
        "Load 1 (a.csv) is not finished: go on with it, or abandon it"
      )
      assert.deepStrictEqual(given(yield* abandon(held.load)), { load: held.load, state: "abandoned" })
      assert.strictEqual(refused(yield* abandon(held.load), 404).message, "There is no load 1 that is not finished")
      refused(yield* write(later, 1, [head(1, "2"), row(1)]), 409)
      assert.strictEqual(given(yield* begin("b")).state, "fresh")
    })
  )

  it.live("goes on being published when nobody waits, and whoever begins it again waits with it", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      const { abandon, begin, kept, publish, server, write } = yield* start(
        Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(gate))
      )
      const held = given(yield* begin("a"))
      given(yield* write(held, 0, [head(1), row(0)]))
      const hungUp = new AbortController()
      const first = server.send(`${path}/1/publication?lease=${held.lease}`, { method: "PUT", signal: hungUp.signal })
      yield* Deferred.await(begun)
      hungUp.abort()
      yield* Effect.promise(() =>
        first.then(
          () => assert.fail("it had an answer"),
          () => undefined
        )
      )
      assert.strictEqual(refused(yield* abandon(1), 409).message, "Load 1 is being published")
      refused(yield* begin("b"), 409)
      const again = given(yield* begin("a"))
      assert.deepInclude(again, { state: "resumed", parts: 1, position: "1" })
      refused(yield* write(again, 1, [head(1, "2"), row(1)]), 409)
      yield* Deferred.succeed(gate, undefined)
      assert.deepInclude(given(yield* publish(again)), { state: "published", added: 1 })
      assert.deepStrictEqual(kept.published(), [row(0)])
    })
  )
})

describe("a part", () => {
  it.live("names the row and the field that is wrong, and nothing of it is written", () =>
    Effect.gen(function* () {
      const { begin, list, write } = yield* start()
      const held = given(yield* begin("a"))
      const changed = (change: object, ids: object = {}) => ({
        ...row(1),
        ...ids,
        record: { ...row(1).record, ...change }
      })
      const { date: _, ...undated } = row(1).record
      const rows: ReadonlyArray<readonly [line: unknown, path: string]> = [
        [changed({ date: "2024-02-30" }), "rows[1].record.date"],
        [changed({ date: "0000-01-01" }), "rows[1].record.date"],
        [changed({ version: 1.5 }), "rows[1].record.version"],
        [changed({ flow: "transit" }), "rows[1].record.flow"],
        [changed({ importer: { ...row(1).record.importer, country: "Peru" } }), "rows[1].record.importer.country"],
        [changed({ hs_code: "9" }), "rows[1].record.hs_code"],
        [changed({ amount: "12" }), "rows[1].record.amount"],
        [changed({ key: "" }), "rows[1].record.key"],
        [changed({}, { importer_id: "somebody" }), "rows[1].importer_id"],
        [{ ...row(1), record: undated }, "rows[1].record.date"],
        [{ record: 3, importer_id: null, exporter_id: null }, "rows[1].record"],
        [null, "rows[1]"]
      ]
      for (const [line, path] of rows) {
        const { details } = refused(yield* write(held, 0, [head(3), row(0), line, row(2)]), 400)
        assert.deepStrictEqual(
          details.map((one: any) => one.path),
          [path]
        )
        assert.match(details[0].message, /^Expected/)
      }
      assert.deepInclude(given(yield* list).list[0], { parts: 0, rows: 0 })
    })
  )

  it.live("has a head first, as many rows as that says, and is whole lines of JSON", () =>
    Effect.gen(function* () {
      const { begin, write } = yield* start()
      const held = given(yield* begin("a"))
      const place = Effect.fnUntraced(function* (lines: unknown) {
        return refused(yield* write(held, 0, lines), 400).details.map((one: any) => one.path)
      })
      assert.deepStrictEqual(yield* place(""), ["head"])
      assert.deepStrictEqual((yield* place([row(0)])).sort(), ["head.position", "head.rejected", "head.rows"])
      assert.deepStrictEqual(yield* place([{ ...head(1), rejected: -1 }]), ["head.rejected"])
      assert.deepStrictEqual(yield* place([head(50_001)]), ["head.rows"])
      assert.deepStrictEqual(yield* place([head(2), row(0)]), ["rows[1]"])
      assert.deepStrictEqual(yield* place([head(1), row(0), row(1)]), ["rows[1]"])
      assert.deepStrictEqual(yield* place(`${body([head(1)])}{"record":`), ["rows[0]"])
      assert.deepStrictEqual(yield* place(new Uint8Array([...new TextEncoder().encode(body([head(1)])), 0xff, 10])), [
        "rows[0]"
      ])
      const long = { ...row(0), record: { ...row(0).record, description: "x".repeat(1024 * 1024) } }
      assert.deepStrictEqual(yield* place([head(1), long]), ["rows[0]"])
    })
  )

  it.live("is newline-delimited JSON as it is: any other type, or a compressed one, is 415", () =>
    Effect.gen(function* () {
      const { begin, write } = yield* start()
      const held = given(yield* begin("a"))
      const lines = [head(1), row(0)]
      refused(yield* write(held, 0, lines, { "content-type": "application/json" }), 415)
      refused(yield* write(held, 0, lines, { ...ndjson, "content-encoding": "gzip" }), 415)
      given(yield* write(held, 0, lines, { "content-type": "application/x-ndjson; charset=utf-8" }))
    })
  )
})

it.live("a server that takes no imports says so", () =>
  Effect.gen(function* () {
    const server = yield* TestServer.make()
    for (const asking of [{}, { body: of("a") }]) {
      const error = refused(yield* Effect.promise(() => server.send(path, asking)), 503)
      assert.deepInclude(error, { message: "This server takes no imports", retryable: false })
    }
  })
)
