/** What a server does that has as many requests as it may: over real HTTP, with a vendor that waits for the test. */
import { assert, it } from "@effect/vitest"
import { Source, Slots } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Deferred, Effect, Fiber } from "effect"
import * as Receivers from "../fixtures/Receivers.ts"
import * as TestServer from "../fixtures/TestServer.ts"

it.live("answers those it has begun, tells others to come again, and lets them in then", () =>
  Effect.gen(function* () {
    const go = yield* Deferred.make<void>()
    let asked = 0
    const source = ScriptedSource.make({
      company: () => {
        asked++
        return Effect.as(Deferred.await(go), Source.miss)
      }
    })
    const server = yield* TestServer.make({ slots: [Slots.bound("provider_a", source)], inFlight: 2 })
    const ask = (name: string) =>
      Effect.promise(() => server.send("/api/company/enrich", { body: { identity: { names: [name] } } }))
    const begun = yield* Effect.forEach(["one", "two"], (name) => Effect.forkChild(ask(name)))
    yield* Receivers.until("both are asked", () => asked === 2)
    for (let again = 0; again < 3; again++) {
      const { body, headers, status } = yield* ask("three")
      assert.deepStrictEqual([status, body.error.code, body.error.retryable], [503, "unavailable", true])
      assert.strictEqual(headers.get("retry-after"), "1")
      assert.strictEqual(headers.get("x-request-id"), body.request_id)
    }
    // Whoever watches the server still may.
    for (const path of ["/health", "/ready", "/metrics"])
      assert.strictEqual((yield* Effect.promise(() => server.send(path, { key: null }))).status, 200)
    yield* Deferred.succeed(go, undefined)
    for (const fiber of begun) assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
    assert.strictEqual((yield* ask("three")).status, 200)
    assert.strictEqual(asked, 3)
  })
)

it.live("forgets a request whose client has hung up", () =>
  Effect.gen(function* () {
    let asked = 0
    const source = ScriptedSource.make({ company: () => (++asked === 1 ? Effect.never : Effect.succeed(Source.miss)) })
    const server = yield* TestServer.make({ slots: [Slots.bound("provider_a", source)], inFlight: 1 })
    const ask = (name: string, signal?: AbortSignal) =>
      server.send("/api/company/enrich", { body: { identity: { names: [name] } }, ...(signal && { signal }) })
    const hangUp = new AbortController()
    const one = ask("one", hangUp.signal).catch(() => "hung up")
    yield* Receivers.until("it is asked", () => asked === 1)
    assert.strictEqual((yield* Effect.promise(() => ask("two"))).status, 503)
    hangUp.abort()
    assert.strictEqual(yield* Effect.promise(() => one), "hung up")
    const status = Effect.map(
      Effect.promise(() => ask("two")),
      ({ status }) => status === 200
    )
    yield* Receivers.until("another one is let in", status)
  })
)

/** A vendor that lets nobody go before the test says so; `asked` counts. */
const waiting = Effect.gen(function* () {
  const go = yield* Deferred.make<void>()
  const vendor = { asked: 0 }
  const source = ScriptedSource.make({
    company: () => {
      vendor.asked++
      return Effect.as(Deferred.await(go), Source.miss)
    }
  })
  return { vendor, slots: [Slots.bound("provider_a", source)], release: Deferred.succeed(go, undefined) }
})

const enriching =
  (server: TestServer.TestServer) =>
  (name: string, asking: TestServer.Asking = {}) =>
    Effect.promise(() => server.send("/api/company/enrich", { body: { identity: { names: [name] } }, ...asking }))

it.live("an account that floods the server gets its share, and others are served meanwhile", () =>
  Effect.gen(function* () {
    const { release, slots, vendor } = yield* waiting
    const server = yield* TestServer.make({ slots, inFlight: 6, accountInFlight: 3 })
    const ask = enriching(server)
    const second = "lad_live_second-key-of-it"
    yield* server.addKey(second, ["company"])
    const stranger = yield* server.addAccount("stranger", "lad_live_key-of-a-stranger")
    const flood = yield* Effect.forEach(Array.from({ length: 40 }), (_, index) =>
      Effect.forkChild(ask(`flood ${index}`, index % 2 === 0 ? {} : { key: second }))
    )
    yield* Receivers.until("it has its share", () => vendor.asked === 3)
    const others = yield* Effect.forEach([1, 2, 3], (index) =>
      Effect.forkChild(ask(`stranger ${index}`, { key: stranger }))
    )
    yield* Receivers.until("the other one has its own", () => vendor.asked === 6)
    // Those that wait count: nobody has been answered but by a refusal.
    for (const key of [server.key, second]) {
      const { body, headers, status } = yield* ask("once more", { key })
      assert.strictEqual(status, 429)
      assert.strictEqual(headers.get("retry-after"), "1")
      assert.isTrue(body.error.retryable)
    }
    yield* release
    for (const fiber of others) assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
    const ended = yield* Effect.forEach(flood, Fiber.join)
    const count = (status: number) => ended.filter((sent) => sent.status === status).length
    assert.deepStrictEqual([count(200), count(429), count(503)], [3, 37, 0])
    for (const { body, headers, status } of ended)
      if (status === 429) {
        assert.deepStrictEqual(
          [body.error.code, body.error.message, headers.get("retry-after")],
          ["rate_limited", "The account has too many requests at once", "1"]
        )
        // What is refused like this has cost no token.
        assert.isNull(headers.get("ratelimit-remaining"))
      }
    assert.strictEqual(vendor.asked, 6)
    assert.strictEqual((yield* ask("afterwards")).status, 200)
  })
)

it.live("a fair share is what is left for others three times over: nobody alone fills a server", () =>
  Effect.gen(function* () {
    const { release, slots, vendor } = yield* waiting
    const server = yield* TestServer.make({ slots, inFlight: 8, accountInFlight: "fair" })
    const ask = enriching(server)
    const stranger = yield* server.addAccount("stranger", "lad_live_key-of-a-stranger")
    const third = yield* server.addAccount("third", "lad_live_key-of-a-third")
    const flood = (key: string) =>
      Effect.forEach([...Array(20).keys()], (index) => Effect.forkChild(ask(`${key} ${index}`, { key })))
    const one = yield* flood(server.key)
    yield* Receivers.until("it has three quarters", () => vendor.asked === 6)
    assert.strictEqual((yield* ask("once more")).status, 429)
    const other = yield* Effect.forkChild(ask("stranger", { key: stranger }))
    yield* Receivers.until("the other one is served", () => vendor.asked === 7)
    const last = yield* Effect.forkChild(ask("third", { key: third }))
    yield* Receivers.until("a third one too", () => vendor.asked === 8)
    // Now the server has as many as it may, whoever asks.
    for (const key of [stranger, third, server.key]) assert.strictEqual((yield* ask("beyond", { key })).status, 503)
    yield* release
    const ended = yield* Effect.forEach([...one, other, last], Fiber.join)
    const statuses = ended.map(({ status }) => status)
    assert.strictEqual(statuses.filter((status) => status === 200).length, 8)
    // One that came to the server only when others had filled it was told so.
    assert.includeMembers([200, 429, 503], statuses)
  })
)

it.live("work that goes on for a client that has hung up counts until it ends", () =>
  Effect.gen(function* () {
    const { release, slots, vendor } = yield* waiting
    const server = yield* TestServer.make({ slots, inFlight: 2 })
    const ask = enriching(server)
    const stranger = yield* server.addAccount("stranger", "lad_live_key-of-a-stranger")
    const hangUp = new AbortController()
    const leaving = [server.key, stranger].map((key, index) =>
      server
        .send("/api/company/enrich", {
          key,
          body: { identity: { names: [`left ${index}`] } },
          headers: { "idempotency-key": `left-${index}` },
          signal: hangUp.signal
        })
        .catch(() => "hung up")
    )
    yield* Receivers.until("both are asked", () => vendor.asked === 2)
    hangUp.abort()
    assert.deepStrictEqual(yield* Effect.promise(() => Promise.all(leaving)), ["hung up", "hung up"])
    const noticed = Effect.sync(() => server.logs.filter((line) => line.includes('"status":499')).length === 2)
    yield* Receivers.until("the server has noticed", noticed)
    // Whoever hangs up and asks again would have ever more of the server otherwise.
    assert.strictEqual((yield* ask("one more")).status, 503)
    yield* release
    const served = Effect.map(ask("another"), ({ status }) => status === 200)
    yield* Receivers.until("there is room again", served)
  })
)

it.live("work that goes on counts for its account, and for no other", () =>
  Effect.gen(function* () {
    const { release, slots, vendor } = yield* waiting
    const server = yield* TestServer.make({ slots, inFlight: 10, accountInFlight: 1 })
    const ask = enriching(server)
    const stranger = yield* server.addAccount("stranger", "lad_live_key-of-a-stranger")
    const hangUp = new AbortController()
    const left = server
      .send("/api/company/enrich", {
        body: { identity: { names: ["left"] } },
        headers: { "idempotency-key": "left" },
        signal: hangUp.signal
      })
      .catch(() => "hung up")
    yield* Receivers.until("it is asked", () => vendor.asked === 1)
    hangUp.abort()
    yield* Effect.promise(() => left)
    yield* Receivers.until("the server has noticed", () => server.logs.some((line) => line.includes('"status":499')))
    assert.strictEqual((yield* ask("one more")).status, 429)
    const other = yield* Effect.forkChild(ask("stranger", { key: stranger }))
    yield* Receivers.until("the other one is asked", () => vendor.asked === 2)
    yield* release
    assert.strictEqual((yield* Fiber.join(other)).status, 200)
  })
)
