/** The client against a running server: answers, refusals as typed errors, replays, and what it must not load. */
import { assert, describe, it } from "@effect/vitest"
import { Slots } from "@lading/core/waterfall"
import { ScriptedSource, Trade } from "@lading/testing"
import { Deferred, Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Customs from "../fixtures/Customs.ts"
import * as Loads from "../fixtures/Loads.ts"
import * as Mail from "../fixtures/Mail.ts"
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

describe("Customs records", () => {
  it.live("with Effect and with promises", () =>
    Effect.gen(function* () {
      const { client, promises } = yield* started({ trade: Customs.layer })
      const [company_id = ""] = Customs.traders
      const asked = { payload: { id: company_id, type: "import" as const, limit: 1 }, headers: {} }
      const partners = yield* client.customs.regions(asked)
      assert.deepStrictEqual(
        (yield* Effect.promise(() => promises.customs.regions(asked.payload))).data.data,
        partners.body.data.data
      )
      const status = yield* Effect.promise(() =>
        promises.customs.bulkStatus({ companies: [{ id: company_id, type: "import" }] })
      )
      assert.deepStrictEqual(Object.keys(status.data.data), [`${company_id}-import`])
      const { data, meta } = yield* Effect.promise(() => promises.customs.records({ limit: 3, sort: "amount" }))
      assert.deepStrictEqual([data.data.list.length, meta.billing.credits_charged], [3, 0.03])
      assert.isAbove((yield* Effect.promise(() => promises.customs.countries())).data.data.total, 0)
      const unknown = yield* Effect.flip(client.customs.details({ payload: { id: "nobody" }, headers: {} }))
      assert.strictEqual(unknown._tag, "NotFound")
    })
  )
})

describe("References", () => {
  it.live("with Effect and with promises, codes without a key that is known", () =>
    Effect.gen(function* () {
      const { client, promises, server } = yield* started()
      const { body } = yield* client.reference.industries({ query: { q: "steel" } })
      assert.deepStrictEqual(yield* Effect.promise(() => promises.reference.industries({ q: "steel" })), body.data)
      assert.strictEqual((yield* Effect.promise(() => promises.reference.technologies({ q: "nginx" }))).total, 1)
      const stranger = Client.connect({ baseUrl: server.url, apiKey: "lad_live_unknown" })
      const { countries, languages } = yield* Effect.promise(() => stranger.reference.codes())
      assert.isAbove(countries.length + languages.length, 400)
    })
  )
})

describe("The client with promises", () => {
  it.live("quotes, and looks after webhooks", () =>
    Effect.gen(function* () {
      const { promises } = yield* started()
      const { quotes, webhooks } = promises
      const quote = yield* Effect.promise(() => quotes.quote({ operation: "company", request: TestServer.acme }))
      assert.strictEqual(quote.operation, "company")
      assert.isAbove(quote.worst, quote.platform)
      const { secret } = yield* Effect.promise(() => webhooks.rotateSecret())
      assert.match(secret ?? "", /^whsec_/)
      assert.deepStrictEqual(yield* Effect.promise(() => webhooks.listDeliveries({ limit: 5 })), {
        list: [],
        page: 1,
        limit: 5,
        total: 0
      })
      const unknown = [
        () => webhooks.delivery("msg_none"),
        () => webhooks.replayDelivery("msg_none"),
        () => promises.people.find("req_none"),
        () => promises.company.find("req_none")
      ]
      for (const ask of unknown) {
        const refused = yield* Effect.promise(() => ask().then(String, (error: unknown) => error))
        assert.instanceOf(refused, Client.Refusal.NotFound)
      }
    })
  )

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

  it.live("administers: accounts, credits, keys, the audit, replay and erasure, as plain JSON", () =>
    Effect.gen(function* () {
      const { promises, server } = yield* started()
      const { admin } = promises
      yield* Effect.promise(async () => {
        const made = await admin.createAccount({ name: "Acme" })
        assert.deepInclude(made, { name: "Acme" })
        assert.match(made.created_at, /^\d{4}-\d\d-\d\dT/)
        assert.deepInclude(await admin.grant(made.id, { amount: 12.5, expires_at: null }), { available: 12.5 })
        const none = { request_id: "req_none", reason: "checked" }
        const uncharged = await admin.refund(made.id, none).catch((error: unknown) => error)
        assert.instanceOf(uncharged, Client.Refusal.NotFound)
        assert.deepInclude(await admin.adjust(made.id, { amount: 1, reason: "checked" }), { available: 13.5 })
        const { list } = await admin.listAccounts({ limit: 100 })
        assert.deepInclude(list.find(({ id }) => id === made.id)?.balance, { available: 13.5 })

        const { id, key } = await admin.createKey("Acme", { label: "theirs" }, { idempotencyKey: "one" })
        assert.match(key ?? "", /^lad_live_/)
        const theirs = Client.connect({ baseUrl: server.url, apiKey: key ?? "" })
        const { request_id } = await theirs.company.enrich(TestServer.acme)
        assert.isTrue((await admin.replay(request_id)).same)
        const refused = await theirs.admin.listAccounts().then(
          () => null,
          (error) => error
        )
        assert.instanceOf(refused, Client.Refusal.Forbidden)
        assert.deepStrictEqual(await admin.revokeKey(id), { id, revoked: true })
        assert.deepInclude((await admin.listKeys("Acme")).list[0], { id, label: "theirs", revoked: true })
        assert.deepInclude(await admin.audit({ account: "Acme" }), { breaches: [] })
        assert.match((await admin.erase({ subject: "gone.example" })).erased_at, /^\d{4}-/)
      })
    })
  )

  it.live("reads the system, and brings customs records in, part by part", () =>
    Effect.gen(function* () {
      const kept = Loads.make()
      const { promises } = yield* started({ intake: kept.layer })
      const { admin, system } = promises
      const row = { record: Trade.blank, importer_id: null, exporter_id: null }
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await system.health(), { status: "ok" })
        assert.strictEqual((await system.ready()).status, "ok")
        assert.include(await system.metrics(), "lading_http_requests_total")

        const of = { name: "a file", digest: "0".repeat(64), format: "test", replaces: null }
        const { lease, load, state } = await admin.beginLoad(of)
        assert.strictEqual(state, "fresh")
        const owned = { load, lease: lease ?? "" }
        const head = { position: "end", rejected: 1, rows: 1 }
        const progress = await admin.writeLoad({ ...owned, part: 0 }, [head, row])
        assert.deepStrictEqual(progress, { parts: 1, position: "end", rows: 1, rejected: 1 })
        assert.strictEqual((await admin.publishLoad(owned)).state, "published")
        assert.lengthOf(kept.published(), 1)
        const second = await admin.beginLoad({ ...of, digest: "1".repeat(64) })
        assert.deepStrictEqual(await admin.abandonLoad(second.load), { load: second.load, state: "abandoned" })
        const { list } = await admin.listLoads()
        assert.deepStrictEqual(
          list.map(({ state }) => state),
          ["abandoned", "published"]
        )
      })
    })
  )

  it.live("takes a list of addresses as it is", () =>
    Effect.gen(function* () {
      const { promises } = yield* started({ verifier: Mail.layerUnasked })
      const { email } = promises
      const task = yield* Effect.promise(() =>
        email.verifyList("mail\nada@one.example\nno address\n", { column: "mail" })
      )
      assert.deepInclude(task, { type: "bulk", progress: { total: 2, checked: 0, percentage: 0 } })
      assert.notStrictEqual(task.task_id, "")
    })
  )

  it.live("tells a refusal from other errors, and refusals apart by their code", () =>
    Effect.gen(function* () {
      const { promises } = yield* started()
      const problem = (call: Promise<unknown>) => Effect.promise(() => call.then(String, (error: unknown) => error))
      const poor = yield* problem(promises.company.enrich({ ...TestServer.acme, waterfall: { max_credits: 0 } }))
      if (!Client.Refusal.is(poor)) return assert.fail("a refusal was expected")
      assert.deepStrictEqual([poor.code, poor.status, poor.retryable], ["insufficient_credits", 402, false])
      const nowhere = Client.connect({ baseUrl: "http://127.0.0.1:1", apiKey: "lad_live_unknown" })
      assert.isFalse(Client.Refusal.is(yield* problem(nowhere.system.health())))
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
