/** The graceful stop: first not ready and still serving, then deaf, then finished. */
import { assert, describe, it } from "@effect/vitest"
import { Slots } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Deferred, Effect, Exit, Fiber, Schedule, Scope } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"

const company = "/api/company/enrich"

const started = Effect.fnUntraced(function* (drainMs: number) {
  const asked = yield* Deferred.make<void>()
  const answer = yield* Deferred.make<void>()
  const source = ScriptedSource.make({
    company: () =>
      Deferred.succeed(asked, undefined).pipe(
        Effect.andThen(Deferred.await(answer)),
        Effect.as({ _tag: "Hit" as const, facts: { name: "Acme Robotics" }, raw: null })
      )
  })
  const scope = yield* Scope.make()
  const server = yield* TestServer.make({ slots: [Slots.bound("provider_a", source)], drainMs }).pipe(
    Scope.provide(scope)
  )
  return { asked, answer, server, stop: Effect.forkChild(Scope.close(scope, Exit.void)) }
})

const refusesConnections = (server: TestServer.TestServer) =>
  Effect.repeat(
    Effect.promise(() =>
      server.send("/health").then(
        () => false,
        () => true
      )
    ),
    { until: (deaf) => deaf, schedule: Schedule.spaced(5) }
  ).pipe(Effect.timeout("5 seconds"))

describe("A server that is told to stop", () => {
  it.live("says 503 on /ready while it still serves, and asks clients to let go", () =>
    Effect.gen(function* () {
      const { server, stop, answer } = yield* started(300)
      yield* Deferred.succeed(answer, undefined)
      const stopping = yield* stop
      yield* Effect.repeat(server.readiness.draining, { until: (draining) => draining, schedule: Schedule.spaced(5) })
      const ready = yield* Effect.promise(() => server.send("/ready"))
      assert.strictEqual(ready.status, 503)
      assert.strictEqual(ready.body.status, "draining")
      assert.strictEqual(ready.headers.get("connection"), "close")
      const sent = yield* Effect.promise(() => server.send(company, { body: TestServer.acme }))
      assert.strictEqual(sent.status, 200)
      yield* Fiber.join(stopping)
      yield* refusesConnections(server)
    })
  )

  it.live("lets running requests finish after it stopped listening", () =>
    Effect.gen(function* () {
      const { server, stop, asked, answer } = yield* started(0)
      const client = yield* Effect.forkChild(Effect.promise(() => server.send(company, { body: TestServer.acme })))
      yield* Deferred.await(asked)
      const stopping = yield* stop
      yield* refusesConnections(server)
      yield* Deferred.succeed(answer, undefined)
      assert.strictEqual((yield* Fiber.join(client)).status, 200)
      yield* Fiber.join(stopping)
    })
  )

  it.live("lets work finish whose client hung up under an idempotency key", () =>
    Effect.gen(function* () {
      const { server, stop, asked, answer } = yield* started(0)
      const client = yield* Effect.forkChild(
        Effect.promise((signal) =>
          server.send(company, { body: TestServer.acme, headers: { "idempotency-key": "order" }, signal })
        )
      )
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(client)
      const stopping = yield* stop
      yield* refusesConnections(server)
      assert.strictEqual((yield* server.balance).captured, 0)
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(stopping)
      assert.strictEqual((yield* server.balance).captured, 1_100_000)
    })
  )
})
