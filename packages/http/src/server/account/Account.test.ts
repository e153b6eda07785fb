/** What an account is told of itself, over real HTTP: credits, key, limits, usage; and nothing of anybody else. */
import { assert, describe, it } from "@effect/vitest"
import { Usage } from "@lading/core/billing"
import { Clock, Effect, Redacted } from "effect"
import * as Client from "../../client/index.ts"
import * as Mail from "../../fixtures/Mail.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const get = (server: TestServer.TestServer, path: string, asking: TestServer.Asking = {}) =>
  Effect.promise(() => server.send(path, asking))

const post = (server: TestServer.TestServer, path: string, body: unknown, asking: TestServer.Asking = {}) =>
  Effect.promise(() => server.send(path, { body, ...asking }))

const today = Effect.map(Clock.currentTimeMillis, Usage.dayOf)

describe("GET /api/account", () => {
  it.live("tells credits, key, limits, and usage by day, key and operation", () =>
    Effect.gen(function* () {
      const rateLimit = { requests: 600, window: 60_000 }
      const server = yield* TestServer.make({ verifier: Mail.layerUnasked, rateLimit })
      const other = yield* server.addKey("lad_live_another-key-of-it", ["email"])
      yield* post(server, "/api/company/enrich", TestServer.acme)
      yield* post(server, "/api/people/enrich", TestServer.mara)
      for (const email of ["a@acme.example", "b@acme.example"])
        yield* post(server, "/api/email/verify", { type: "single", email }, { key: "lad_live_another-key-of-it" })
      // What is refused was not used.
      yield* post(server, "/api/company/enrich", {})
      const { body, status } = yield* get(server, "/api/account")
      const day = yield* today
      assert.strictEqual(status, 200)
      const { account, balance, key, limits, usage } = body.data
      assert.deepStrictEqual([account.id, account.name], [server.account, "test"])
      assert.deepStrictEqual(balance, { granted: 1000, expired: 0, captured: 2.3, held: 0, available: 997.7 })
      assert.deepStrictEqual([key.label, key.expires_at, key.scopes.includes("email")], ["test", null, true])
      assert.deepStrictEqual(limits, {
        requests_per_minute: 600,
        account_requests_per_minute: null,
        account_requests_at_once: null
      })
      assert.deepStrictEqual([usage.to, usage.requests, usage.credits], [day, 4, 2.3])
      assert.deepStrictEqual(
        usage.list.toSorted((a: any, b: any) => (a.operation < b.operation ? -1 : 1)),
        [
          { day, api_key: key.id, operation: "company", requests: 1, credits: 1.1 },
          { day, api_key: other, operation: "email", requests: 2, credits: 0.1 },
          { day, api_key: key.id, operation: "person", requests: 1, credits: 1.1 }
        ]
      )
      const asSeenByTheOther = yield* get(server, "/api/account", { key: "lad_live_another-key-of-it" })
      assert.strictEqual(asSeenByTheOther.body.data.key.id, other)
      assert.deepStrictEqual(asSeenByTheOther.body.data.usage, usage)
    })
  )

  it.live("is each account's own", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const key = yield* server.addAccount("stranger", "lad_live_stranger-key")
      yield* post(server, "/api/company/enrich", TestServer.acme)
      const { body } = yield* get(server, "/api/account", { key })
      assert.deepStrictEqual([body.data.account.name, body.data.balance.available], ["stranger", 1000])
      assert.deepStrictEqual(body.data.usage.list, [])
      assert.strictEqual(body.data.limits.requests_per_minute, null)
      assert.strictEqual((yield* get(server, "/api/account", { key: null })).status, 401)
    })
  )

  it.live("takes days, in order and not too many of them", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const wrong = [
        ["from=yesterday", "from", "Expected a date in UTC as YYYY-MM-DD"],
        ["to=2027-02-30", "to", "Expected a date in UTC as YYYY-MM-DD"],
        ["from=2027-02-02&to=2027-02-01", "to", "Expected a day that is not before from"],
        ["from=2027-01-01&to=2027-12-31", "from", "Expected at most 92 days"]
      ]
      for (const [query, path, message] of wrong) {
        const { body, status } = yield* get(server, `/api/account?${query}`)
        assert.deepStrictEqual([status, body.error.details], [400, [{ path, message }]])
      }
      const { body } = yield* get(server, "/api/account?to=2027-01-31")
      assert.deepStrictEqual([body.data.usage.from, body.data.usage.to], ["2027-01-02", "2027-01-31"])
    })
  )

  it.live("comes from the typed client, and administrators are told the same of every account", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* post(server, "/api/company/enrich", TestServer.acme)
      const client = Client.connect({ baseUrl: server.url, apiKey: Redacted.make(server.key) })
      const { usage } = yield* Effect.promise(() => client.account.show())
      assert.strictEqual(usage.list.length, 1)
      assert.deepStrictEqual(yield* Effect.promise(() => client.admin.usage("test")), usage)
      const { from, to } = usage
      assert.deepStrictEqual(yield* Effect.promise(() => client.admin.usage(server.account, { from, to })), usage)
      const unknown = yield* get(server, "/api/admin/accounts/nobody/usage")
      assert.deepStrictEqual([unknown.status, unknown.body.error.code], [404, "not_found"])
    })
  )
})
