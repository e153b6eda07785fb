/** Stored vendor keys over real HTTP at both ends: accounts in front of the server, simulated vendors behind it. */
import { assert, describe, it } from "@effect/vitest"
import { Slots } from "@lading/core/waterfall"
import * as Apollo from "@lading/apollo"
import * as ApolloSimulator from "@lading/apollo/simulator"
import * as Hunter from "@lading/hunter"
import * as HunterSimulator from "@lading/hunter/simulator"
import * as PeopleDataLabs from "@lading/peopledatalabs"
import * as PeopleDataLabsSimulator from "@lading/peopledatalabs/simulator"
import * as Snov from "@lading/snov"
import * as SnovSimulator from "@lading/snov/simulator"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Client from "../../client/index.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const path = "/api/account/vendor-keys"

/** What must be seen nowhere. */
const secret = "zq7-marker-of-a-customer"

/** Taken by nobody: who is asked with it fails. */
const platform = { _tag: "ApiKey", key: Redacted.make("platform-key-that-nobody-takes") } as const

const nordvik = { identity: { domains: ["nordvik-robotics.example"] } }
const mara = { identity: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" } }

/** Every vendor, each of which takes the customer's key only. */
const started = Effect.gen(function* () {
  const taken = { credentials: [secret] }
  const apollo = yield* ApolloSimulator.start(taken)
  const snov = yield* SnovSimulator.start({ credentials: [`${secret}-id:${secret}`] })
  const hunter = yield* HunterSimulator.start(taken)
  const pdl = yield* PeopleDataLabsSimulator.start(taken)
  const slots = [
    Slots.bound("provider_a", yield* Apollo.make({ baseUrl: apollo.url }), platform),
    { ...Slots.bound("provider_b", yield* Snov.make({ baseUrl: snov.url })), credential: null },
    Slots.bound("provider_c", yield* Hunter.make({ baseUrl: hunter.url }), platform),
    {
      ...Slots.bound("provider_d", yield* PeopleDataLabs.make({ baseUrl: pdl.url })),
      credential: null,
      byokOnly: true
    },
    Slots.bound("website", TestServer.knowing)
  ]
  const server = yield* TestServer.make({ slots })
  const send = (path: string, asking: TestServer.Asking = {}) => Effect.promise(() => server.send(path, asking))
  return {
    hunter,
    pdl,
    server,
    send,
    save: (slot: string, body: unknown, more: TestServer.Asking = {}) =>
      send(`${path}/${slot}`, { method: "PUT", body, ...more }),
    remove: (slot: string, more: TestServer.Asking = {}) => send(`${path}/${slot}`, { method: "DELETE", ...more }),
    list: (more: TestServer.Asking = {}) => Effect.map(send(path, more), ({ body }) => body.data?.list)
  }
}).pipe(Effect.provide(FetchHttpClient.layer))

const apiKey = { api_key: secret }
const client = { client_id: `${secret}-id`, client_secret: secret }

describe("/api/account/vendor-keys", () => {
  it.live("a key is tried at its vendor, stored, listed without it, and removed", () =>
    Effect.gen(function* () {
      const { list, remove, save, send } = yield* started
      for (const [slot, adapter, key, credential, hint] of [
        ["provider_a", "apollo", apiKey, "api_key", "omer"],
        ["provider_b", "snov", client, "client", "r-id"],
        ["provider_c", "hunter", apiKey, "api_key", "omer"],
        ["provider_d", "peopledatalabs", apiKey, "api_key", "omer"]
      ] as const) {
        const { body, headers, status } = yield* save(slot, key)
        assert.strictEqual(status, 200)
        const { checked_at, saved_at, saved_by, ...shown } = body.data
        assert.deepStrictEqual(shown, { slot, adapter, credential, hint, usable: true })
        assert.match(saved_by, /^key_/)
        assert.isAtLeast(Date.parse(saved_at), Date.parse(checked_at))
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(headers.get("x-request-id"), body.request_id)
        assert.deepStrictEqual((yield* list()).at(-1), body.data)
      }
      assert.strictEqual((yield* list()).length, 4)
      const removed = yield* remove("provider_c")
      assert.deepStrictEqual([removed.status, removed.body.data], [200, { slot: "provider_c", removed: true }])
      const again = yield* remove("provider_c")
      assert.deepStrictEqual([again.status, again.body.error.code], [404, "not_found"])
      assert.strictEqual((yield* list()).length, 3)
      assert.strictEqual((yield* send(`${path}/provider_c`, { body: apiKey })).status, 405)
    })
  )

  it.live("a key that the vendor refuses is a wrong field, of every vendor, and nothing is stored", () =>
    Effect.gen(function* () {
      const { list, save } = yield* started
      for (const [slot, key, field] of [
        ["provider_a", { api_key: "wrong-key-of-somebody" }, "api_key"],
        ["provider_b", { ...client, client_secret: "wrong-key-of-somebody" }, "client_secret"],
        ["provider_c", { api_key: "wrong-key-of-somebody" }, "api_key"],
        ["provider_d", { api_key: "wrong-key-of-somebody" }, "api_key"]
      ] as const) {
        const { body, status } = yield* save(slot, key)
        assert.deepStrictEqual([status, body.error.code, body.error.details[0].path], [400, "invalid_request", field])
        assert.notInclude(JSON.stringify(body), "wrong-key")
      }
      const shape = yield* save("provider_a", client)
      assert.deepStrictEqual(
        [shape.status, shape.body.error.details.map(({ path }: { path: string }) => path)],
        [400, ["client_id", "client_secret"]]
      )
      for (const slot of ["website", "nobody"]) {
        const { body, status } = yield* save(slot, apiKey)
        assert.deepStrictEqual([status, body.error.details[0].path], [400, "slot"])
      }
      assert.deepStrictEqual(yield* list(), [])
    })
  )

  it.live(
    "a vendor that is down leaves it open: 503, to be tried again, and nothing is stored unless that is wanted",
    () =>
      Effect.gen(function* () {
        const { hunter, list, save } = yield* started
        yield* hunter.fail({ _tag: "ServerError", status: 503 })
        const { body, status } = yield* save("provider_c", apiKey)
        assert.deepStrictEqual([status, body.error.code, body.error.retryable], [503, "unavailable", true])
        assert.deepStrictEqual(yield* list(), [])
        const unchecked = yield* save("provider_c", { ...apiKey, check: false })
        assert.deepStrictEqual([unchecked.status, unchecked.body.data.checked_at], [200, null])
        yield* hunter.reset
        assert.isNotNull((yield* save("provider_c", apiKey)).body.data.checked_at)
        assert.strictEqual((yield* list()).length, 1)
      })
  )

  it.live("wants the scopes of all that the keys are used for, and is each account's own", () =>
    Effect.gen(function* () {
      const { list, remove, save, send, server } = yield* started
      const [half, admin] = ["lad_live_company-only-key", "lad_live_administrators-key"]
      yield* server.addKey(half, ["company", "customs", "email"])
      yield* server.addKey(admin, ["admin"])
      yield* save("provider_c", apiKey)
      for (const key of [half, admin]) {
        assert.strictEqual((yield* save("provider_a", apiKey, { key })).status, 403)
        assert.strictEqual((yield* remove("provider_c", { key })).status, 403)
        assert.strictEqual((yield* send(path, { key })).status, 403)
      }
      assert.strictEqual((yield* send(path, { key: null })).status, 401)
      // Who may only ask may use what is stored.
      const asked = yield* send("/api/company/enrich", {
        key: half,
        body: { ...nordvik, waterfall: { source_order: ["provider_c"], byok: "stored" } }
      })
      assert.deepStrictEqual([asked.status, asked.body.meta.billing.byok_used], [200, true])
      const stranger = yield* server.addAccount("stranger", "lad_live_strangers-key-of-all")
      assert.deepStrictEqual(yield* list({ key: stranger }), [])
      assert.strictEqual((yield* remove("provider_c", { key: stranger })).status, 404)
      assert.strictEqual((yield* list()).length, 1)
    })
  )

  it.live("comes from the typed client", () =>
    Effect.gen(function* () {
      const { server } = yield* started
      const { account } = Client.connect({ baseUrl: server.url, apiKey: Redacted.make(server.key) })
      const saved = yield* Effect.promise(() => account.saveVendorKey("provider_c", apiKey))
      assert.deepStrictEqual(yield* Effect.promise(() => account.listVendorKeys()), { list: [saved] })
      assert.deepStrictEqual(yield* Effect.promise(() => account.removeVendorKey("provider_c")), {
        slot: "provider_c",
        removed: true
      })
    })
  )
})

describe('byok: "stored"', () => {
  it.live("asks the vendors of companies and people with the stored keys, for the fee", () =>
    Effect.gen(function* () {
      const { hunter, pdl, save, send } = yield* started
      yield* save("provider_c", apiKey)
      yield* save("provider_d", apiKey)
      yield* Effect.all([hunter.reset, pdl.reset])
      const waterfall = { source_order: ["provider_c", "provider_d"], mode: "aggregate", byok: "stored" }
      const company = yield* send("/api/company/enrich", { body: { ...nordvik, waterfall } })
      assert.deepStrictEqual(company.body.meta.billing, {
        credits_charged: 0.1,
        byok_used: true,
        platform_credits_charged: 0.1
      })
      assert.match(company.body.company.name, /^nordvik robotics$/i)
      const person = yield* send("/api/people/enrich", { body: { ...mara, waterfall } })
      assert.deepStrictEqual([person.status, person.body.meta.billing.total_credits_charged], [200, 0.1])
      assert.isTrue(person.body.meta.billing.byok_used)
      for (const { calls } of [hunter, pdl]) assert.isTrue((yield* calls).every(({ authorized }) => authorized))
      const { body } = yield* send("/api/quotes", {
        body: { operation: "company", request: { ...nordvik, waterfall } }
      })
      assert.deepStrictEqual([body.data.worst, body.data.subjects[0].steps[0].own_key], [0.1, true])
    })
  )

  it.live("has the words of the interface for what is wrong, and a slot without a stored key is as without byok", () =>
    Effect.gen(function* () {
      const { save, send } = yield* started
      yield* save("provider_c", apiKey)
      const ask = (byok: unknown, source_order: ReadonlyArray<string>) =>
        send("/api/company/enrich", { body: { ...nordvik, waterfall: { source_order, byok } } })
      const skipped = yield* ask("stored", ["provider_d", "provider_b", "provider_c"])
      assert.deepStrictEqual(skipped.body.meta.waterfall.sources_skipped, [
        { source: "provider_d", reason: "provider_d_requires_byok" },
        { source: "provider_b", reason: "not_configured" }
      ])
      // The platform's key, which nobody takes.
      assert.strictEqual((yield* ask("stored", ["provider_a"])).status, 503)
      assert.strictEqual((yield* ask({ stored: true, provider_a_api_key: secret }, ["provider_a"])).status, 200)
      for (const wrong of ["kept", true, 7, { stored: "yes" }]) {
        const { body, status } = yield* ask(wrong, ["provider_c"])
        assert.strictEqual(status, 400)
        assert.match(body.error.details[0].path, /^waterfall\.byok/)
      }
      const shape = yield* ask({ stored: true, provider_c_client_id: secret }, ["provider_c"])
      assert.deepStrictEqual(shape.body.error.details[0].path, "waterfall.byok.provider_c_client_id")
    })
  )

  it.live("shows the key nowhere: in no answer, replay, log or metric, whatever happens", () =>
    Effect.gen(function* () {
      const { hunter, list, remove, save, send, server } = yield* started
      const seen: Array<unknown> = []
      const note = <A>(sent: Effect.Effect<A>) => Effect.tap(sent, (one) => Effect.sync(() => void seen.push(one)))
      const slots = ["provider_a", "provider_b", "provider_c", "provider_d"]
      for (const slot of slots) yield* note(save(slot, slot === "provider_b" ? client : apiKey))
      for (const slot of slots) yield* note(save(slot, { api_key: `${secret}-wrong`, client_id: secret }))
      yield* hunter.fail({ _tag: "RateLimited", retryAfterSeconds: 1 }, 2)
      yield* note(save("provider_c", apiKey))
      yield* note(list())
      const body = { ...nordvik, waterfall: { byok: "stored" }, response: { include_provider_raw: true } }
      const idempotent = { headers: { "idempotency-key": "once" }, body }
      yield* note(send("/api/company/enrich", idempotent))
      const replayed = yield* note(send("/api/company/enrich", idempotent))
      assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
      yield* note(remove("provider_c"))
      yield* note(send("/metrics", { key: null }))
      assert.notInclude(JSON.stringify(seen), secret)
      const logs = server.logs.join("\n")
      assert.notInclude(logs, secret)
      assert.include(logs, "a vendor key was stored")
      assert.include(logs, "a vendor key was removed")
    })
  )
})
