/** The client against a running server: answers, refusals as typed errors, replays, and what it must not load. */
import { assert, describe, it } from "@effect/vitest"
import { Slots } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Deferred, Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import * as TestServer from "../fixtures/TestServer.ts"
import * as Client from "./index.ts"

const started = Effect.fnUntraced(function* (options?: TestServer.Options) {
  const server = yield* TestServer.make(options)
  const given = { baseUrl: server.url, apiKey: server.key }
  const client = yield* Client.make(given).pipe(Effect.provide(FetchHttpClient.layer))
  return { server, client, promises: Client.connect(given) }
})

describe("The client for Effect", () => {
  it.live("gives answers with their headers, and says which are replayed", () =>
    Effect.gen(function* () {
      const { client } = yield* started()
      const asked = { payload: TestServer.acme, headers: { "idempotency-key": "order" } }
      const first = yield* client.company.enrich(asked)
      const again = yield* client.company.enrich(asked)
      assert.strictEqual(first.body.company.name, "Acme Robotics")
      assert.isUndefined(first.headers["idempotent-replayed"])
      assert.strictEqual(again.headers["idempotent-replayed"], "true")
      assert.deepStrictEqual(again.body, first.body)
      const person = yield* client.people.enrich({ payload: TestServer.mara, headers: {} })
      assert.strictEqual(person.body.person.current_title, "Head of Procurement")
    })
  )

  it.live("fails with the refusal, by tag and with its details", () =>
    Effect.gen(function* () {
      const { server, client } = yield* started()
      const poor = { payload: { ...TestServer.acme, waterfall: { max_credits: 0 } }, headers: {} }
      const error = yield* Effect.flip(client.company.enrich(poor))
      assert.strictEqual(error._tag, "InsufficientCredits")
      assert.instanceOf(error, Client.Refusal.InsufficientCredits)
      const stranger = yield* Client.make({ baseUrl: server.url, apiKey: "lad_live_unknown" }).pipe(
        Effect.provide(FetchHttpClient.layer)
      )
      const refusal = yield* Effect.flip(stranger.people.enrich({ payload: TestServer.mara, headers: {} }))
      assert.strictEqual(refusal._tag, "Unauthenticated")
    })
  )

  it.live("reads the system's endpoints", () =>
    Effect.gen(function* () {
      const { client } = yield* started()
      assert.deepStrictEqual(yield* client.system.health(), { status: "ok" })
      assert.strictEqual((yield* client.system.ready()).status, "ok")
      assert.include(yield* client.system.metrics(), "lading_http_requests_total")
    })
  )
})

describe("The client with promises", () => {
  it.live("takes plain JSON, own keys among it, and rejects with the refusal", () =>
    Effect.gen(function* () {
      const source = ScriptedSource.make({
        credential: "ApiKey",
        company: (_, credential) => Effect.succeed({ _tag: "Hit", facts: { name: credential._tag }, raw: null })
      })
      const { promises } = yield* started({ slots: [Slots.bound("provider_a", source)] })
      const waterfall = { byok: { provider_a_api_key: "own-key" } }
      const answer = yield* Effect.promise(() => promises.company.enrich({ ...TestServer.acme, waterfall }))
      assert.isTrue(answer.meta.billing.byok_used)
      const refusal = yield* Effect.promise(() =>
        promises.company.enrich({ ...TestServer.acme, waterfall: { source_order: ["nobody"] } }).then(
          () => null,
          (error) => error
        )
      )
      assert.instanceOf(refusal, Client.Refusal.InvalidRequest)
      assert.strictEqual(refusal.details[0]?.path, "waterfall.source_order[0]")
      assert.match(refusal.request_id, /^req_/)
    })
  )

  it.live("hangs up when told to", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const source = ScriptedSource.make({
        company: () =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
      })
      const { promises } = yield* started({ slots: [Slots.bound("provider_a", source)] })
      const hangUp = new AbortController()
      const answer = promises.company.enrich(TestServer.acme, { signal: hangUp.signal }).catch(() => "hung up")
      yield* Deferred.await(asked)
      hangUp.abort()
      yield* Deferred.await(interrupted)
      assert.strictEqual(yield* Effect.promise(() => answer), "hung up")
    })
  )
})
