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
