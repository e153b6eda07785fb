/** The endpoints under `/api/webhooks` over real HTTP: what an account sees, and what it does not. */
import { assert, describe, it } from "@effect/vitest"
import type { Webhooks } from "@lading/core/net"
import { Effect } from "effect"
import * as TestServer from "../../fixtures/TestServer.ts"

const ask = (server: TestServer.TestServer, path: string, asking?: TestServer.Asking) =>
  Effect.promise(() => server.send(`/api/webhooks${path}`, asking))

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const event = (id: string, account: string): Webhooks.Event => ({
  id,
  account,
  url: "https://receiver.example/hook",
  type: "person.enriched",
  data: { text: "marker-of-a-body" },
  subjects: []
})

describe("deliveries", () => {
  it.live("are listed page by page, the newest first, shown with their attempts, and replayed", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const id of ["1", "2", "3"]) yield* server.webhooks.send(event(id, server.account))
      const { body } = yield* ask(server, "/deliveries?page=2&limit=2")
      assert.deepInclude(body.data, { page: 2, limit: 2, total: 3 })
      const [oldest] = body.data.list
      assert.match(oldest.created_at, iso)
      assert.deepStrictEqual(oldest, {
        id: oldest.id,
        type: "person.enriched",
        url: "https://receiver.example/hook",
        state: "waiting",
        created_at: oldest.created_at,
        next_at: oldest.created_at,
        attempts: 0,
        last_attempt: null
      })
      const shown = yield* ask(server, `/deliveries/${oldest.id}`)
      assert.deepStrictEqual(shown.body.data, { ...oldest, attempt_list: [] })
      const replayed = yield* ask(server, `/deliveries/${oldest.id}/replay`, { body: {} })
      assert.deepStrictEqual([replayed.status, replayed.body.data.state], [200, "waiting"])
      assert.notInclude(JSON.stringify([body, shown.body, replayed.body]), "marker-of-a-body")
    })
  )

  it.live("of others are not there, nor is one that nobody has; wrong fields are named", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const stranger = yield* server.addAccount("stranger", "lad_live_stranger-key")
      yield* server.webhooks.send(event("1", server.account))
      const own = yield* ask(server, "/deliveries")
      const [{ id }] = own.body.data.list
      assert.deepStrictEqual((yield* ask(server, "/deliveries", { key: stranger })).body.data.list, [])
      for (const [path, asking] of [
        [`/deliveries/${id}`, { key: stranger }],
        [`/deliveries/${id}/replay`, { key: stranger, body: {} }],
        ["/deliveries/msg_nobody", {}],
        ["/deliveries/msg_nobody/replay", { body: {} }]
      ] as const) {
        const sent = yield* ask(server, path, asking)
        assert.deepStrictEqual([sent.status, sent.body.error.message], [404, "There is no such delivery"], path)
      }
      for (const [path, field] of [
        ["/deliveries?limit=101", "limit"],
        ["/deliveries?page=0", "page"],
        ["/deliveries/%00", "delivery_id"]
      ] as const) {
        const sent = yield* ask(server, path)
        assert.deepStrictEqual([sent.status, sent.body.error.details.map((detail: any) => detail.path)], [400, [field]])
      }
    })
  )

  it.live("are no affair of keys that only administer", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ ownerToken: "lad_owner_token-of-the-test" })
      yield* server.addKey("lad_live_only-admin", ["admin"])
      yield* server.addKey("lad_live_only-tasks", ["tasks"])
      for (const key of ["lad_live_only-admin", "lad_owner_token-of-the-test"]) {
        assert.strictEqual((yield* ask(server, "/deliveries", { key })).status, 403)
        assert.strictEqual((yield* ask(server, "/secret", { key, body: {} })).status, 403)
      }
      assert.strictEqual((yield* ask(server, "/deliveries", { key: "lad_live_only-tasks" })).status, 200)
      assert.strictEqual((yield* ask(server, "/deliveries", { key: null })).status, 401)
    })
  )
})

it.live("a secret is in the answer that makes it, and in no other answer and no log line", () =>
  Effect.gen(function* () {
    const server = yield* TestServer.make()
    const headers = { "idempotency-key": "rotation-1" }
    const first = yield* ask(server, "/secret", { body: {}, headers })
    const { secret } = first.body.data
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.isNull(first.body.data.previous_valid_until)
    const again = yield* ask(server, "/secret", { body: {}, headers })
    assert.deepStrictEqual(again.body.data, { secret: null, previous_valid_until: null })
    const second = yield* ask(server, "/secret", { body: {} })
    assert.notStrictEqual(second.body.data.secret, secret)
    assert.match(second.body.data.previous_valid_until, iso)
    yield* server.webhooks.send(event("1", server.account))
    const list = yield* ask(server, "/deliveries")
    assert.notInclude(JSON.stringify([again.body, list.body]), "whsec_")
    assert.notInclude(server.logs.join("\n"), "whsec_")
  })
)
