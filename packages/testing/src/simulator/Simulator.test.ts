import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Schedule, Scope } from "effect"
import * as Simulator from "./Simulator.ts"

const dialect: Simulator.Dialect = {
  vendor: "toy",
  credential: (asked) => asked.headers["x-api-key"] ?? asked.query["key"] ?? null,
  answer: (asked) =>
    asked.path === "/thing"
      ? { status: 200, body: { name: "Acme", tags: ["a", 1], parent: null } }
      : { status: 404, body: { error: "no such path" } },
  miss: () => ({ status: 404, body: { error: "nothing" } }),
  wrongKey: () => ({ status: 401, body: { error: "key" } }),
  quotaExhausted: () => ({ status: 402, body: { error: "quota" } }),
  rateLimited: (seconds) => ({
    status: 429,
    ...(seconds === null ? {} : { headers: { "retry-after": String(seconds) } }),
    body: { error: "slow down" }
  }),
  suppressed: null
}

/** Looks again until the server has seen it. */
const tick = Schedule.spaced(1)

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** One real request; a broken connection is `null`. */
const ask = (url: string, init: RequestInit = {}) =>
  Effect.promise(async (signal): Promise<Got | null> => {
    try {
      const response = await fetch(url, { headers: { "x-api-key": "k-123" }, signal, ...init })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch {
      return null
    }
  })

describe("Simulator", () => {
  it.live("answers from its dialect, also on a path it does not know, and records what it was asked", () =>
    Effect.gen(function* () {
      const simulator = yield* Simulator.make(dialect)
      const known = yield* ask(`${simulator.url}/thing?domain=acme.example`)
      const unknown = yield* ask(`${simulator.url}/other`, { method: "POST", body: '{"a":[1]}' })
      assert.deepStrictEqual(JSON.parse(known?.text ?? ""), { name: "Acme", tags: ["a", 1], parent: null })
      assert.strictEqual(unknown?.status, 404)
      assert.deepStrictEqual(yield* simulator.calls, [
        { method: "GET", path: "/thing", query: { domain: "acme.example" }, body: null, authorized: true },
        { method: "POST", path: "/other", query: {}, body: { a: [1] }, authorized: true }
      ])
    })
  )

  it.live("refuses a missing credential, and one that is not on the list", () =>
    Effect.gen(function* () {
      const simulator = yield* Simulator.make(dialect, { credentials: ["right"] })
      const statuses = yield* Effect.forEach([{}, { "x-api-key": "wrong" }, { "x-api-key": "right" }], (headers) =>
        Effect.map(ask(`${simulator.url}/thing`, { headers }), (got) => got?.status)
      )
      assert.deepStrictEqual(statuses, [401, 401, 200])
      assert.deepStrictEqual(
        (yield* simulator.calls).map((call) => call.authorized),
        [false, false, true]
      )
    })
  )

  it.live("reads the fields of a form, and keeps no credential of them", () =>
    Effect.gen(function* () {
      const forms = { ...dialect, credential: () => "client-1:s3cret" }
      const simulator = yield* Simulator.make(forms)
      const body = new URLSearchParams({ client_id: "client-1", client_secret: "s3cret", scope: "a b" })
      yield* ask(`${simulator.url}/thing`, { method: "POST", body })
      const [call] = yield* simulator.calls
      assert.deepStrictEqual(call?.body, { client_id: "<redacted>", client_secret: "<redacted>", scope: "a b" })
    })
  )

  it.live("keeps no credential of the query or the body in a call", () =>
    Effect.gen(function* () {
      const simulator = yield* Simulator.make(dialect)
      yield* ask(`${simulator.url}/thing?key=s3cret:other&q=s3cret`, {
        method: "POST",
        headers: {},
        body: JSON.stringify({ client: { secret: ["other"] } })
      })
      const [call] = yield* simulator.calls
      assert.notInclude(JSON.stringify(call), "s3cret")
      assert.notInclude(JSON.stringify(call), "other")
      assert.isTrue(call?.authorized)
    })
  )

  const answered: ReadonlyArray<readonly [Simulator.Fault, number, RegExp]> = [
    [{ _tag: "Miss" }, 404, /nothing/],
    [{ _tag: "Slow", millis: 5 }, 200, /Acme/],
    [{ _tag: "RateLimited", retryAfterSeconds: 7 }, 429, /slow down/],
    [{ _tag: "ServerError", status: 502 }, 502, /<html>/],
    [{ _tag: "MalformedJson" }, 200, /^\{"ok": tru$/],
    [{ _tag: "WrongShape" }, 200, /^\{"name":\{"unexpected":true\},"tags":\[\{"unexpected":true\}/],
    [{ _tag: "WrongKey" }, 401, /key/],
    [{ _tag: "QuotaExhausted" }, 402, /quota/],
    [{ _tag: "Suppressed" }, 404, /nothing/]
  ]
  for (const [fault, status, body] of answered) {
    it.live(`${fault._tag} is answered with ${status}, once, then the usual answer`, () =>
      Effect.gen(function* () {
        const simulator = yield* Simulator.make(dialect)
        yield* simulator.fail(fault, 1)
        const first = yield* ask(`${simulator.url}/thing`)
        const second = yield* ask(`${simulator.url}/thing`)
        assert.strictEqual(first?.status, status)
        assert.match(first?.text ?? "", body)
        assert.include(second?.text, "Acme")
      })
    )
  }

  for (const fault of [{ _tag: "Drop" }, { _tag: "TruncatedJson" }] as const) {
    it.live(`${fault._tag} breaks the connection`, () =>
      Effect.gen(function* () {
        const simulator = yield* Simulator.make(dialect)
        yield* simulator.fail(fault, 1)
        assert.isNull(yield* ask(`${simulator.url}/thing`))
        assert.strictEqual((yield* simulator.calls).length, 1)
      })
    )
  }

  it.live("names the seconds to wait only where the fault has them", () =>
    Effect.gen(function* () {
      const simulator = yield* Simulator.make(dialect)
      yield* simulator.fail({ _tag: "RateLimited", retryAfterSeconds: 7 }, 1)
      yield* simulator.fail({ _tag: "RateLimited", retryAfterSeconds: null }, 1)
      const first = yield* ask(`${simulator.url}/thing`)
      const second = yield* ask(`${simulator.url}/thing`)
      assert.strictEqual(first?.headers.get("retry-after"), "7")
      assert.isNull(second?.headers.get("retry-after"))
    })
  )

  it.live("faults queue up, the last one stays until reset, and reset forgets the calls", () =>
    Effect.gen(function* () {
      const simulator = yield* Simulator.make(dialect)
      yield* simulator.fail({ _tag: "ServerError", status: 500 }, 2)
      yield* simulator.fail({ _tag: "Miss" })
      const status = Effect.map(ask(`${simulator.url}/thing`), (got) => got?.status)
      assert.deepStrictEqual(yield* Effect.all([status, status, status, status]), [500, 500, 404, 404])
      yield* simulator.reset
      assert.deepStrictEqual(yield* simulator.calls, [])
      assert.strictEqual(yield* status, 200)
    })
  )

  it.live("closing the scope ends a request that hangs and one that is slow, at once", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const simulator = yield* Scope.provide(Simulator.make(dialect), scope)
      yield* simulator.fail({ _tag: "Hang" }, 1)
      yield* simulator.fail({ _tag: "Slow", millis: 3_600_000 }, 1)
      const ended = yield* Deferred.make<ReadonlyArray<Got | null>>()
      yield* Effect.all([ask(`${simulator.url}/thing`), ask(`${simulator.url}/thing`)], { concurrency: 2 }).pipe(
        Effect.flatMap((got) => Deferred.succeed(ended, got)),
        Effect.forkChild
      )
      yield* Effect.repeat(simulator.calls, { until: (calls) => calls.length === 2, schedule: tick })
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Deferred.await(ended), [null, null])
      assert.isNull(yield* ask(`${simulator.url}/thing`))
    })
  )

  it.live("a client that goes away leaves no timer behind", () =>
    Effect.gen(function* () {
      const simulator = yield* Simulator.make(dialect)
      yield* simulator.fail({ _tag: "Slow", millis: 3_600_000 })
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
      const before = timers()
      for (let i = 0; i < 20; i++) {
        const gone = new AbortController()
        const request = fetch(`${simulator.url}/thing`, { signal: gone.signal }).catch(() => null)
        yield* Effect.repeat(simulator.calls, { until: (calls) => calls.length === i + 1, schedule: tick })
        assert.strictEqual(yield* simulator.waiting, 1)
        gone.abort()
        yield* Effect.promise(() => request)
        yield* Effect.repeat(simulator.waiting, { until: (count) => count === 0, schedule: tick })
      }
      yield* Effect.repeat(Effect.sync(timers), { until: (count) => count < before + 20, schedule: tick })
    })
  )
})
