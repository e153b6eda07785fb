/** The endpoints under `/api/admin` over real HTTP: what they answer, what they refuse, and what they never let out. */
import { assert, describe, it } from "@effect/vitest"
import type { Scope } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { Effect, Layer } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { LadingApi } from "../../api/LadingApi.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const token = "lad_owner_token-of-the-test"

interface Declared {
  readonly method: string
  readonly path: string
}

/** Every endpoint of the group, as declared. */
const declared: ReadonlyArray<Declared> = (() => {
  const found: Array<Declared> = []
  HttpApi.reflect(LadingApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      if (group.identifier === "admin") found.push({ method: endpoint.method, path: endpoint.path })
    }
  })
  return found
})()

const ask = (server: TestServer.TestServer, path: string, asking?: TestServer.Asking) =>
  Effect.promise(() => server.send(`/api/admin${path}`, asking))

/** The data of an answer whose envelope is right. */
const given = ({ body, headers, status }: TestServer.Sent): any => {
  assert.strictEqual(status, 200, JSON.stringify(body))
  const { data, ...envelope } = body
  assert.deepStrictEqual(envelope, {
    success: true,
    request_id: headers.get("x-request-id"),
    meta: { billing: { credits_charged: 0, byok_used: false } },
    error: null
  })
  return data
}

const refused = ({ body, status }: TestServer.Sent, expected: number): { message: string; paths: string[] } => {
  assert.strictEqual(status, expected, JSON.stringify(body))
  assert.deepStrictEqual([body.success, body.data], [false, null])
  return { message: body.error.message, paths: body.error.details.map(({ path }: { path: string }) => path).sort() }
}

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe("accounts", () => {
  it.live("are created once for each name, found by id and by name, and listed with their balances", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const names = ["north", "south", "Müller & Co / 100%", "?#=+"]
      for (const name of names) {
        const account = given(yield* ask(server, "/accounts", { body: { name } }))
        assert.deepStrictEqual(Object.keys(account), ["id", "name", "created_at"])
        assert.strictEqual(account.name, name)
        assert.match(account.created_at, iso)
        assert.deepStrictEqual(given(yield* ask(server, "/accounts", { body: { name } })), account)
        for (const one of [account.id, name]) {
          const path = `/accounts/${encodeURIComponent(one)}/grants`
          given(yield* ask(server, path, { body: { amount: 0.000001, reason: "test" } }))
        }
      }
      const pages: Array<any> = []
      let after: string | null = ""
      while (after !== null) {
        const page: any = given(yield* ask(server, `/accounts?limit=2${after === "" ? "" : `&after=${after}`}`))
        assert.isAtMost(page.list.length, 2)
        pages.push(...page.list)
        after = page.next_cursor
      }
      assert.deepStrictEqual(pages.map(({ name }) => name).sort(), [...names, "test"].sort())
      const north = pages.find(({ name }) => name === "north")
      const granted = 0.000002
      assert.deepStrictEqual(north.balance, { granted, expired: 0, captured: 0, held: 0, available: granted })
    })
  )

  it.live("have names that can be read: wrong ones are named", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const name of ["", "  ", "x".repeat(201), "a\nb", "a\u0000", ".", "..", "\u200b", 3, null]) {
        assert.deepStrictEqual(refused(yield* ask(server, "/accounts", { body: { name } }), 400).paths, ["name"])
      }
      assert.deepStrictEqual(refused(yield* ask(server, "/accounts", { body: {} }), 400).paths, ["name"])
      for (const path of [
        "/accounts/%00/keys",
        "/runs/%00/replay",
        "/ledger/audit?account=%00",
        "/accounts?after=%00"
      ]) {
        assert.strictEqual((yield* ask(server, path)).status, 400, path)
      }
      for (const query of ["limit=0", "limit=101", "limit=two", "limit=1.5", "limit="]) {
        assert.deepStrictEqual(refused(yield* ask(server, `/accounts?${query}`), 400).paths, ["limit"])
      }
    })
  )
})

describe("limits", () => {
  it.live("are what every account may until they are set, and hold for every key of the account from then on", () =>
    Effect.gen(function* () {
      const window = 60_000
      const server = yield* TestServer.make({
        rateLimit: { requests: 20, window },
        accountRateLimit: { requests: 40, window },
        accountInFlight: 9
      })
      const key = yield* server.addAccount("north", "lad_live_key-of-north")
      const path = "/accounts/north/limits"
      const set = (body: object) => ask(server, path, { method: "PUT", body })
      const told = Effect.map(
        Effect.promise(() => server.send("/api/account", { key })),
        ({ body, headers }) => [
          ...Object.values(body.data.limits),
          headers.get("ratelimit-limit"),
          headers.get("ratelimit-remaining")
        ]
      )
      assert.deepStrictEqual(given(yield* ask(server, path)), { requests_per_minute: null, requests_at_once: null })
      assert.deepStrictEqual(yield* told, [20, 40, 9, "20", "19"])
      const own = { requests_per_minute: 5000, requests_at_once: 3 }
      assert.deepStrictEqual(given(yield* set(own)), own)
      assert.deepStrictEqual(given(yield* ask(server, path)), own)
      const [ofKey, ofAccount, atOnce, limit] = yield* told
      assert.deepStrictEqual([ofKey, ofAccount, atOnce, limit], [null, 5000, 3, "5000"])
      given(yield* set({ requests_per_minute: 0 }))
      assert.deepStrictEqual(yield* told, [null, null, 9, null, null])
      given(yield* set({}))
      const [again] = yield* told
      assert.strictEqual(again, 20)
      // Nobody else has been given anything.
      const { body } = yield* Effect.promise(() => server.send("/api/account"))
      assert.deepStrictEqual(Object.values(body.data.limits), [20, 40, 9])
    })
  )

  it.live("are whole numbers: every wrong field is named", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const set = (body: object) => ask(server, "/accounts/test/limits", { method: "PUT", body })
      for (const wrong of [-1, 1.5, 1_000_001, "many", true]) {
        const { paths } = refused(yield* set({ requests_per_minute: wrong, requests_at_once: wrong }), 400)
        assert.deepStrictEqual(paths, ["requests_at_once", "requests_per_minute"])
      }
    })
  )
})

describe("credits", () => {
  it.live("are granted for good or until an instant, and once under a key", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const grant = (body: object) => ask(server, "/accounts/test/grants", { body })
      const available = function* (body: object) {
        return given(yield* grant(body)).available
      }
      assert.strictEqual(yield* available({ amount: 5 }), 1005)
      for (let whole = 0; whole < 9; whole++) assert.strictEqual((yield* grant({ amount: 1e9 })).status, 200)
      assert.deepStrictEqual(refused(yield* grant({ amount: 1e9 }), 400).paths, ["amount"])
      assert.strictEqual(
        (yield* ask(server, "/accounts/test/adjustments", { body: { amount: -9e9, reason: "test" } })).status,
        400
      )
      for (let whole = 0; whole < 9; whole++) {
        yield* ask(server, "/accounts/test/adjustments", { body: { amount: -1e9, reason: "test" } })
      }
      assert.strictEqual(yield* available({ amount: 5 }), 1010)
      assert.strictEqual(yield* available({ amount: 0.1, expires_at: "2999-01-31", reason: "trial" }), 1010.1)
      assert.strictEqual(yield* available({ amount: 0.2, expires_at: "2999-01-31T00:00:00.5+02:00" }), 1010.3)
      assert.strictEqual(yield* available({ amount: 1, expires_at: null, key: "march" }), 1011.3)
      assert.strictEqual(yield* available({ amount: 7, key: "march" }), 1011.3)
      // The first grant of an installation is under a key of its own, which nobody takes by accident.
      assert.strictEqual(yield* available({ amount: 1, key: "first" }), 1012.3)
    })
  )

  it.live("are corrected in both directions, and never below what is available", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const adjust = (amount: unknown, more: object = {}) =>
        ask(server, "/accounts/test/adjustments", { body: { amount, reason: "test", ...more } })
      assert.strictEqual(given(yield* adjust(-999.5)).available, 0.5)
      const { message } = refused(yield* adjust(-0.500001), 402)
      assert.strictEqual(message, "0.500001 credits would be taken, 0.5 are available")
      assert.strictEqual(given(yield* adjust(2.25, { key: "once" })).available, 2.75)
      assert.strictEqual(given(yield* adjust(2.25, { key: "once" })).available, 2.75)
    })
  )

  it.live("are given back by the request that was charged, no more than it was charged, once under a key", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const headers = { "idempotency-key": "order-1" }
      const enrich = () => Effect.promise(() => server.send("/api/company/enrich", { body: TestServer.acme, headers }))
      const first = (yield* enrich()).body
      const replayed = yield* enrich()
      const { request_id } = first
      const charged = first.meta.billing.credits_charged
      assert.isAbove(charged, 0.5)
      const before = Credits.toNumber((yield* server.balance).available)
      const refund = (body: object) =>
        ask(server, "/accounts/test/refunds", { body: { reason: "wrong company", ...body } })
      const some = given(yield* refund({ request_id, amount: 0.25, key: "once" }))
      assert.deepInclude(some, { request_id, amount: 0.25, charged, refunded: 0.25 })
      assert.closeTo(some.balance.available, before + 0.25, 1e-9)
      assert.deepStrictEqual(given(yield* refund({ request_id, amount: 0.5, key: "once" })), some)
      const beyond = refused(yield* refund({ request_id, amount: charged }), 400)
      assert.deepStrictEqual(beyond.paths, ["amount"])
      const rest = given(yield* refund({ request_id }))
      assert.closeTo(rest.amount, charged - 0.25, 1e-9)
      assert.deepStrictEqual([rest.refunded, rest.balance.captured], [charged, 0])
      assert.match(refused(yield* refund({ request_id }), 409).message, /has been given back/)
      // What was charged nothing: a replay, another account's request, one that never was.
      const none = [replayed.headers.get("x-request-id"), "req_none"]
      for (const request_id of none) {
        assert.match(refused(yield* refund({ request_id }), 404).message, /is known that this account was charged/)
      }
      yield* server.addAccount("other", "lad_live_other-key")
      const foreign = yield* ask(server, "/accounts/other/refunds", { body: { request_id, reason: "test" } })
      assert.match(refused(foreign, 404).message, /is known that this account was charged/)
      assert.deepStrictEqual((yield* server.ledger.audit(server.account)).breaches, [])
      const used = (yield* ask(server, "/accounts/test/usage")).body.data
      assert.deepStrictEqual([used.requests, used.credits], [1, 0])
    })
  )

  it.live("are amounts that are exact, and ends that are to come: every wrong field is named", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const rows: ReadonlyArray<readonly [path: string, body: object, wrong: ReadonlyArray<string>]> = [
        ["grants", {}, ["amount"]],
        ["grants", { amount: 0 }, ["amount"]],
        ["grants", { amount: -1 }, ["amount"]],
        ["grants", { amount: 0.0000001 }, ["amount"]],
        ["grants", { amount: 1_000_000_001 }, ["amount"]],
        ["grants", { amount: "5" }, ["amount"]],
        ["grants", { amount: 5, reason: "", key: "", expires_at: "soon" }, ["expires_at", "key", "reason"]],
        ["grants", { amount: 5, expires_at: "2027-02-30" }, ["expires_at"]],
        ["grants", { amount: 5, expires_at: "2027-01-31T12:00:00" }, ["expires_at"]],
        ["grants", { amount: 5, expires_at: 1_800_000_000 }, ["expires_at"]],
        ["grants", { amount: 5, expires_at: "2001-01-31" }, ["expires_at"]],
        ["refunds", { amount: 0.0000001 }, ["amount", "reason", "request_id"]],
        ["refunds", { request_id: "req_one", amount: 0, reason: " " }, ["amount", "reason"]],
        ["adjustments", { amount: 5 }, ["reason"]],
        ["adjustments", { amount: 0, reason: "test" }, ["amount"]],
        ["adjustments", { amount: -0.0000001, reason: " " }, ["amount", "reason"]],
        ["adjustments", { amount: null, reason: "test" }, ["amount"]]
      ]
      for (const [path, body, wrong] of rows) {
        const sent = yield* ask(server, `/accounts/test/${path}`, { body })
        assert.deepStrictEqual(refused(sent, 400).paths, wrong, JSON.stringify(body))
      }
      const { available } = yield* server.balance
      assert.strictEqual(available, 1_000_000_000)
    })
  )
})

describe("keys", () => {
  const whoami = (server: TestServer.TestServer, key: string) =>
    Effect.promise(() => server.send("/api/company/enrich", { key, body: TestServer.acme }))

  it.live("are shown once, do what their scopes say, and open nothing when they are revoked", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const made = given(yield* ask(server, "/accounts/test/keys", { body: {} }))
      assert.deepStrictEqual(Object.keys(made).sort(), ["expires_at", "id", "key", "label", "scopes"])
      assert.deepStrictEqual(made.scopes, ["company", "people", "customs", "email", "tasks"])
      assert.strictEqual((yield* whoami(server, made.key)).status, 200)
      refused(yield* ask(server, "/accounts", { key: made.key }), 403)

      const body = { label: "reader", scopes: ["admin", "people"], expires_at: "2999-01-31T12:00:00+01:00" }
      const other = given(yield* ask(server, "/accounts/test/keys", { body }))
      assert.strictEqual(other.expires_at, "2999-01-31T11:00:00.000Z")
      assert.strictEqual((yield* whoami(server, other.key)).status, 403)
      given(yield* ask(server, "/accounts", { key: other.key }))

      assert.deepStrictEqual(given(yield* ask(server, `/keys/${made.id}`, { method: "DELETE" })), {
        id: made.id,
        revoked: true
      })
      assert.strictEqual((yield* whoami(server, made.key)).status, 401)
      const { list, next_cursor } = given(yield* ask(server, "/accounts/test/keys"))
      assert.isNull(next_cursor)
      assert.deepStrictEqual(list.map(({ id, label, revoked }: any) => [id, label, revoked]).slice(-2), [
        [made.id, "", true],
        [other.id, "reader", false]
      ])
      assert.notInclude(JSON.stringify(list), "lad_live_")
    })
  )

  it.live("have scopes that there are, each once: every wrong field is named", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const rows: ReadonlyArray<readonly [body: object, wrong: ReadonlyArray<string>]> = [
        [{ scopes: [] }, ["scopes"]],
        [{ scopes: ["people", "people"] }, ["scopes"]],
        [{ scopes: ["people", "root"], label: "a\nb", expires_at: "x" }, ["expires_at", "label", "scopes[1]"]],
        [{ expires_at: "2001-01-31" }, ["expires_at"]]
      ]
      for (const [body, wrong] of rows) {
        assert.deepStrictEqual(refused(yield* ask(server, "/accounts/test/keys", { body }), 400).paths, wrong)
      }
    })
  )
})

describe("the audit", () => {
  /** A ledger that finds a breach in every account. */
  const broken = Layer.effect(
    Ledger.Ledger,
    Effect.map(Ledger.Ledger, (ledger) => ({
      ...ledger,
      audit: (account: string) =>
        Effect.map(ledger.audit(account), (audit) => ({
          ...audit,
          breaches: [{ invariant: "groups_sum_to_zero", account, subject: "1", detail: "the sum is 1" }]
        }))
    }))
  ).pipe(Layer.provide(Ledger.layerMemory))

  it.live("checks every account page by page, or one of them", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const name of ["a", "b", "c"]) yield* server.addAccount(name, `lad_live_key-of-${name}`)
      yield* Effect.promise(() => server.send("/api/company/enrich", { body: TestServer.acme }))
      const all = given(yield* ask(server, "/ledger/audit"))
      assert.deepStrictEqual([all.accounts, all.holds, all.breaches, all.next_cursor], [4, all.holds, [], null])
      assert.isAtLeast(all.groups, 5)
      let [accounts, groups, after] = [0, 0, "" as string | null]
      while (after !== null) {
        const page: any = given(yield* ask(server, `/ledger/audit?limit=1${after === "" ? "" : `&after=${after}`}`))
        accounts += page.accounts
        groups += page.groups
        after = page.next_cursor
      }
      assert.deepStrictEqual([accounts, groups], [all.accounts, all.groups])
      for (const one of ["a", server.account]) {
        assert.strictEqual(given(yield* ask(server, `/ledger/audit?account=${one}`)).accounts, 1)
      }
      refused(yield* ask(server, "/ledger/audit?account=nobody"), 404)
    })
  )

  it.live("names what breaks which rule, and where", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ ledger: broken })
      const { breaches } = given(yield* ask(server, "/ledger/audit"))
      assert.deepStrictEqual(breaches, [
        { invariant: "groups_sum_to_zero", account: server.account, subject: "1", detail: "the sum is 1" }
      ])
    })
  )

  it.live("knows accounts of the ledger that nobody created, such as the operator's", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ ownerToken: token })
      const headers = { "idempotency-key": "order" }
      given(yield* ask(server, "/accounts", { key: token, headers, body: { name: "x" } }))
      refused(yield* ask(server, "/accounts/operator/keys"), 404)
      assert.strictEqual(given(yield* ask(server, "/ledger/audit")).accounts, 2)
    })
  )
})

describe("erasure and replay", () => {
  it.live("of a run that is then erased", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const enriched = yield* Effect.promise(() => server.send("/api/company/enrich", { body: TestServer.acme }))
      const path = `/runs/${enriched.body.request_id}/replay`
      const report = given(yield* ask(server, path))
      assert.deepStrictEqual([report.same, report.operation, report.account], [true, "company", server.account])
      assert.match(report.answered_at, iso)
      const proof = given(yield* ask(server, "/subjects", { method: "DELETE", body: { subject: "acme.example" } }))
      assert.match(proof.id, /^era_/)
      assert.match(proof.erased_at, iso)
      assert.match(proof.digest, /^[0-9a-f]{64}$/)
      assert.deepStrictEqual([proof.kind, proof.erased.runs], ["domain", 1])
      assert.notInclude(JSON.stringify(proof), "acme")
      refused(yield* ask(server, path), 404)
    })
  )

  it.live("take a subject in the body, and nowhere else", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const erase = (asking: TestServer.Asking, query = "") =>
        ask(server, `/subjects${query}`, { method: "DELETE", ...asking })
      refused(yield* erase({}, "?subject=mara@acme.example"), 400)
      for (const body of [
        {},
        { subject: "" },
        { subject: 3 },
        { subject: "nobody in particular" },
        { subject: "com" }
      ]) {
        assert.deepStrictEqual(refused(yield* erase({ body }), 400).paths, ["subject"], JSON.stringify(body))
      }
      refused(yield* erase({ body: "subject=x", headers: { "content-type": "text/plain" } }), 415)
      const document = OpenApi.fromApi(LadingApi)
      const body = document.paths["/api/admin/subjects"]?.delete?.requestBody
      assert.include(JSON.stringify(body), '"application/json"')
      assert.isUndefined(
        document.paths["/api/admin/subjects"]?.delete?.parameters?.find(({ in: place }) => place === "query")
      )
    })
  )
})

describe("who may", () => {
  it.live("keys with the scope admin only, whatever else they ask: before the rest of a request is read", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const others: ReadonlyArray<Scope.Scope> = ["company", "people", "customs", "email", "tasks"]
      yield* server.addKey("lad_live_everything-else", others)
      for (const { method, path } of declared) {
        const asking = { method, ...(method === "GET" ? {} : { body: "{malformed" }) }
        const one = `${concreteOf({ method, path })}?limit=wrong`
        refused(yield* ask(server, one, { ...asking, key: null }), 401)
        const { message } = refused(yield* ask(server, one, { ...asking, key: "lad_live_everything-else" }), 403)
        assert.strictEqual(message, "The API key lacks the scope admin")
      }
    })
  )

  it.live("asks for an account, a key or a run that there is: 404 says which is missing", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const rows: ReadonlyArray<readonly [path: string, asking: TestServer.Asking, what: string]> = [
        ["/accounts/nobody/grants", { body: { amount: 1 } }, "account"],
        ["/accounts/nobody/refunds", { body: { request_id: "req_none", reason: "test" } }, "account"],
        ["/accounts/nobody/adjustments", { body: { amount: 1, reason: "test" } }, "account"],
        ["/accounts/nobody/keys", { body: {} }, "account"],
        ["/accounts/nobody/keys", {}, "account"],
        ["/accounts/nobody/limits", {}, "account"],
        ["/accounts/nobody/limits", { method: "PUT", body: {} }, "account"],
        ["/keys/nobody", { method: "DELETE" }, "key"],
        ["/ledger/audit?account=nobody", {}, "account"],
        ["/runs/nobody/replay", {}, "run"]
      ]
      for (const [path, asking, what] of rows) {
        const { message } = refused(yield* ask(server, path, asking), 404)
        assert.strictEqual(message, `There is no such ${what}`)
      }
    })
  )

  it.live("the operator of the folder, by the owner's token: all of it, nothing else, and without a limit", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ ownerToken: token, rateLimit: { requests: 1, window: 60_000 } })
      for (let round = 0; round < 5; round++) {
        const sent = yield* ask(server, "/accounts", { key: token })
        given(sent)
        assert.isNull(sent.headers.get("ratelimit-limit"))
      }
      const header = yield* ask(server, "/accounts", { key: null, headers: { "x-api-key": token } })
      given(header)
      const outside = yield* Effect.promise(() =>
        server.send("/api/company/enrich", { key: token, body: TestServer.acme })
      )
      assert.strictEqual(outside.status, 403)
      const elsewhere = yield* TestServer.make()
      refused(yield* ask(elsewhere, "/accounts", { key: token }), 401)
      refused(yield* ask(server, "/accounts", { key: `${token}x` }), 401)
    })
  )
})

describe("what is never let out", () => {
  it.live("no key, no token, no subject and no name of an account is in a log line", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ ownerToken: token })
      const secrets = [token, TestServer.key, "marker-of-an-account", "mara.marker@acme.example", "marker-of-a-reason"]
      const headers = { "idempotency-key": "marker-of-a-client" }
      const name = "marker-of-an-account"
      yield* ask(server, "/accounts", { key: token, body: { name }, headers })
      const made = given(yield* ask(server, `/accounts/${name}/keys`, { key: token, body: {} }))
      yield* ask(server, `/accounts/${name}/grants`, { body: { amount: 1, reason: "marker-of-a-reason" } })
      yield* ask(server, `/accounts/${name}-nobody/grants`, { body: { amount: 1, reason: "marker-of-a-reason" } })
      yield* ask(server, `/ledger/audit?account=${name}`)
      yield* ask(server, "/subjects", { method: "DELETE", body: { subject: "mara.marker@acme.example" } })
      yield* ask(server, "/subjects?subject=mara.marker@acme.example", { method: "DELETE" })
      const logs = server.logs.join("\n")
      assert.include(logs, "/api/admin/accounts/:account/grants")
      for (const secret of [...secrets, made.key, "marker-of-a-client"]) assert.notInclude(logs, secret)
    })
  )

  it.live("a store that is down is 503, and says no more", () =>
    Effect.gen(function* () {
      const down = () => Effect.fail(new Ledger.LedgerUnavailable({ problem: "cause-marker" }))
      const server = yield* TestServer.make({
        ledger: Layer.effect(
          Ledger.Ledger,
          Effect.map(Ledger.Ledger, (ledger): Ledger.Ledger["Service"] => ({
            ...ledger,
            accounts: down,
            balance: down
          }))
        ).pipe(Layer.provide(Ledger.layerMemory))
      })
      for (const path of ["/accounts", "/ledger/audit"]) {
        const sent = yield* ask(server, path)
        refused(sent, 503)
        assert.notInclude(JSON.stringify(sent.body), "cause-marker")
      }
    })
  )

  it.live("other methods are 405 on each path, with the right ones in Allow", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const endpoint of declared) {
        const sent = yield* ask(server, concreteOf(endpoint), { method: "PATCH" })
        refused(sent, 405)
        assert.include(sent.headers.get("allow") ?? "", endpoint.method)
      }
    })
  )
})

const concreteOf = ({ path }: Declared): string => path.replace("/api/admin", "").replace(/:\w+/g, "nobody")
