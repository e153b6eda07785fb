/** Clients that hang up or repeat themselves: what the key `Idempotency-Key` promises, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import { Slots } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Deferred, Effect, Fiber, Schedule } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"

const company = "/api/company/enrich"
const hit = { _tag: "Hit" as const, facts: { name: "Acme Robotics" }, raw: null }

/** A vendor that tells when it is asked, answers when it is told to, and tells when it was interrupted. */
const gate = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const answer = yield* Deferred.make<void>()
  const interrupted = yield* Deferred.make<void>()
  let calls = 0
  const source = ScriptedSource.make({
    company: () =>
      Effect.gen(function* () {
        calls += 1
        yield* Deferred.succeed(asked, undefined)
        yield* Deferred.await(answer)
        return hit
      }).pipe(Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)))
  })
  const server = yield* TestServer.make({ slots: [Slots.bound("provider_a", source)] })
  return { asked, answer, interrupted, server, calls: () => calls }
})

const post = (server: TestServer.TestServer, idempotencyKey?: string, body: unknown = TestServer.acme) =>
  Effect.promise((signal) =>
    server.send(company, {
      body,
      signal,
      ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } })
    })
  )

/** Sends a request, waits until the vendor is asked, and hangs up. */
const hangUp = Effect.fnUntraced(function* ({ server, asked }: Effect.Success<typeof gate>, idempotencyKey?: string) {
  const client = yield* Effect.forkChild(post(server, idempotencyKey))
  yield* Deferred.await(asked)
  yield* Fiber.interrupt(client)
})

const logged = (server: TestServer.TestServer, text: string) =>
  Effect.repeat(
    Effect.sync(() => server.logs.join("\n")),
    { until: (logs) => logs.includes(text), schedule: Schedule.spaced(5) }
  ).pipe(Effect.timeout("5 seconds"))

describe("A client that hangs up", () => {
  it.live("interrupts the vendor call, and nothing is charged or held", () =>
    Effect.gen(function* () {
      const gated = yield* gate
      yield* hangUp(gated)
      yield* Deferred.await(gated.interrupted).pipe(Effect.timeout("3 seconds"))
      yield* logged(gated.server, '"status":499')
      const { captured, held } = yield* Effect.repeat(gated.server.balance, { until: ({ held }) => held === 0 })
      assert.strictEqual(captured + held, 0)
    })
  )

  it.live("with an idempotency key lets the work go on, and the retry finds its outcome", () =>
    Effect.gen(function* () {
      const gated = yield* gate
      yield* hangUp(gated, "order-1")
      yield* logged(gated.server, '"status":499')
      const running = yield* post(gated.server, "order-1")
      assert.strictEqual(running.status, 409)
      assert.strictEqual(running.body.error.code, "idempotency_conflict")
      assert.isTrue(running.body.error.retryable)
      yield* Deferred.succeed(gated.answer, undefined)
      const retry = yield* Effect.repeat(post(gated.server, "order-1"), {
        until: ({ status }) => status !== 409,
        schedule: Schedule.spaced(5)
      })
      assert.strictEqual(retry.status, 200)
      assert.strictEqual(retry.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(gated.calls(), 1)
      assert.isFalse(Deferred.isDoneUnsafe(gated.interrupted))
      assert.strictEqual((yield* gated.server.balance).captured, 1_100_000)
    })
  )

  it.live("in the middle of its body costs nothing and leaves nothing behind", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const head = TestServer.request(company, ["Content-Type: application/json", "Content-Length: 1000"])
      yield* Effect.promise((signal) => {
        const sent = TestServer.exchange(server.port, [head, '{"identity":'], () => false, signal)
        return sent
      }).pipe(Effect.timeoutOption("50 millis"))
      yield* logged(server, '"status":499')
      assert.strictEqual((yield* server.balance).held, 0)
      const alive = yield* post(server)
      assert.strictEqual(alive.status, 200)
    })
  )
})

describe("A request under an idempotency key", () => {
  it.live("is answered again with its first body, a new x-request-id, and no second charge", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const first = yield* post(server, "order-2")
      const again = yield* post(server, "order-2")
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual(again.status, first.status)
      assert.isNull(first.headers.get("idempotent-replayed"))
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(first.headers.get("x-request-id"), first.body.request_id)
      assert.notStrictEqual(again.headers.get("x-request-id"), first.body.request_id)
      assert.strictEqual((yield* server.balance).captured, 1_100_000)
    })
  )

  it.live("is 409 with another body, be it the same JSON in other bytes, and on another path", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      // Either endpoint can read it.
      const body = { identity: { domains: ["acme.example"], domain: "acme.example" } }
      yield* post(server, "order-3", body)
      const others = [
        // As long as the first.
        { path: company, body: { identity: { domains: ["acmx.example"], domain: "acme.example" } } },
        { path: company, body: ` ${JSON.stringify(body)}` },
        { path: "/api/people/enrich", body }
      ]
      for (const { path, body } of others) {
        const sent = yield* Effect.promise(() => server.send(path, { body, headers: { "idempotency-key": "order-3" } }))
        assert.strictEqual(sent.status, 409)
        assert.strictEqual(sent.body.error.code, "idempotency_conflict")
        assert.isFalse(sent.body.error.retryable)
        assert.isNull(sent.headers.get("idempotent-replayed"))
      }
    })
  )

  it.live("runs again after a failure: only a success is kept", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const poor = { ...TestServer.acme, waterfall: { max_credits: 0.2 } }
      assert.strictEqual((yield* post(server, "order-4", poor)).status, 402)
      assert.strictEqual((yield* post(server, "order-4")).status, 200)
    })
  )

  it.live("runs once however many twins come at the same time", () =>
    Effect.gen(function* () {
      const gated = yield* gate
      const twins = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 20 }, () => post(gated.server, "order-5")),
          { concurrency: "unbounded" }
        )
      )
      yield* Deferred.await(gated.asked)
      yield* Deferred.succeed(gated.answer, undefined)
      const sent = yield* Fiber.join(twins)
      const fresh = sent.filter(({ status, headers }) => status === 200 && headers.get("idempotent-replayed") === null)
      assert.strictEqual(fresh.length, 1)
      assert.isTrue(sent.every(({ status }) => status === 200 || status === 409))
      assert.strictEqual(gated.calls(), 1)
      assert.strictEqual((yield* gated.server.balance).captured, 1_100_000)
    })
  )
})
