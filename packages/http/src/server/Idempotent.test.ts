/**
 * `Idempotency-Key` on every POST that the interface declares, whichever that is: a POST that is added without a row
 * here fails, and so does one that does not keep the promise.
 */
import { assert, describe, it } from "@effect/vitest"
import { Bill, Credits, Ledger } from "@lading/core/billing"
import { Planner } from "@lading/core/task"
import { Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { LadingApi } from "../api/LadingApi.ts"
import * as Customs from "../fixtures/Customs.ts"
import * as Loads from "../fixtures/Loads.ts"
import * as Mail from "../fixtures/Mail.ts"
import * as TestServer from "../fixtures/TestServer.ts"

const [trader = ""] = Customs.traders
const company = { company_id: trader, role: "importer" }
const anything = [{}, { limit: 1 }] as const
const ofCompany = [company, { ...company, limit: 1 }] as const
const about = [{ company_id: trader }, { company_id: trader, other: true }] as const
const market = [
  { role: "importer", product: "a" },
  { role: "exporter", product: "a" }
] as const

/** The same under `/api/customs`. */
const customs: Readonly<Record<string, readonly [body: object, other: object]>> = {
  "/api/customs/companies/bulk-status": [
    { companies: [{ id: trader, type: "import" }] },
    { companies: [{ id: trader, type: "export" }] }
  ],
  "/api/customs/companies/semantic-query": about,
  "/api/customs/companies/match": about,
  "/api/customs/companies/product-keywords": ofCompany,
  "/api/customs/companies/search": anything,
  "/api/customs/companies/details": about,
  "/api/customs/companies/trade-trends": ofCompany,
  "/api/customs/companies/records": about,
  "/api/customs/companies/partners": ofCompany,
  "/api/customs/companies/hs-codes": ofCompany,
  "/api/customs/companies/regions": ofCompany,
  "/api/customs/companies/match-contacts": about,
  "/api/customs/records/search": anything,
  "/api/customs/transactions/chinese-suppliers": anything,
  "/api/customs/transactions/merchants": about,
  "/api/customs/transactions/merchants-new": about,
  "/api/customs/analytics/market-trend": market,
  "/api/customs/analytics/customs-statistics": [{ group_by: ["month"] }, { group_by: ["hs"] }],
  "/api/customs/analytics/company-statistics": [{ role: "importer" }, { role: "exporter" }],
  "/api/customs/analytics/port-statistics": anything,
  "/api/customs/analytics/procurement-trends": [{ product: "a" }, { product: "b" }],
  "/api/customs/analytics/world-regions": [{ role: "importer" }, { role: "exporter" }]
}

/** Nobody plans it for as long as the server runs, so it neither goes on nor ends. */
const task = { prompt: "find them", max_credits: 1 }
const planner = Layer.succeed(Planner.Planner, { absent: null, plan: () => Effect.never })
const steps = [{ id: "one", operation: "customs.companies", input: {} }]

const load = { name: "one.csv", digest: "a".repeat(64), format: "file", replaces: null }

/** A body that every POST can succeed with, and another one. */
const bodies: Readonly<Record<string, readonly [body: object, other: object]>> = {
  "/api/company/enrich": [TestServer.acme, { identity: { domains: ["other.example"] } }],
  "/api/company/search": [{}, { query: "b" }],
  "/api/people/search": [{ company_domain: "acme.example" }, { company_domain: "b.example" }],
  "/api/people/enrich": [TestServer.mara, { identity: { ...TestServer.mara.identity, first_name: "Una" } }],
  ...customs,
  "/api/email/verify": [
    { type: "single", email: "mara@acme.example" },
    { type: "single", email: "una@acme.example" }
  ],
  "/api/tasks": [task, { ...task, max_credits: 2 }],
  "/api/tasks/plan": [{ steps }, { steps, inputs: [{}, {}] }],
  "/api/tasks/:task_id/cancel": [{}, { other: true }],
  "/api/webhooks/secret": [{}, { other: true }],
  "/api/webhooks/deliveries/:delivery_id/replay": [{}, { other: true }],
  "/api/quotes": [
    { operation: "company", request: TestServer.acme },
    { operation: "person", request: TestServer.mara }
  ],
  "/api/admin/accounts": [{ name: "one" }, { name: "two" }],
  "/api/admin/accounts/:account/grants": [
    { amount: 5, reason: "test" },
    { amount: 6, reason: "test" }
  ],
  "/api/admin/accounts/:account/adjustments": [
    { amount: -5, reason: "test" },
    { amount: 5, reason: "test" }
  ],
  "/api/admin/accounts/:account/refunds": [
    { request_id: "req_one", reason: "test" },
    { request_id: "req_two", reason: "test" }
  ],
  "/api/admin/accounts/:account/keys": [{ label: "one" }, { label: "two" }],
  // The same bytes under another name: other bytes would be refused while these are not finished.
  "/api/admin/trade/loads": [load, { ...load, name: "two.csv" }]
}

/** What differs in a replay: the key is kept nowhere. */
const replayed = (path: string, body: any) => {
  if (path === "/api/admin/accounts/:account/keys") return { ...body, data: { ...body.data, key: null } }
  return path === "/api/webhooks/secret" ? { ...body, data: { ...body.data, secret: null } } : body
}

/** Two requests that were charged, so that there is something to refund. */
const charge = Effect.fnUntraced(function* ({ account, ledger }: TestServer.TestServer, request_id: string) {
  const amount = Credits.of(1_000_000)
  const request = { account, key: request_id, fingerprint: null }
  const hold = { request, amount, ttl: 60_000, keep: 60_000, api_key: null, operation: "company", request_id }
  const opened = yield* ledger.open(hold)
  if (opened._tag !== "Held") return assert.fail("replayed")
  const bill: Bill.Bill = { ...Bill.empty("prices-1"), lines: [{ payee: { _tag: "Platform" }, credits: amount }] }
  yield* ledger.settle(opened.hold, { account, bill, outcome: null, subjects: [] })
})

/** A server with one delivery, so that there is something to replay: the first one has this id. */
const delivery = "msg_1"
const start = Effect.fnUntraced(function* (options?: TestServer.Options) {
  const intake = Loads.make().layer
  const ports = { trade: Customs.layer, intake, planner, verifier: Mail.layerUnasked }
  const server = yield* TestServer.make({ ...ports, ...options })
  const url = "https://receiver.example/"
  yield* server.webhooks.send({ id: "1", account: server.account, url, type: "test", data: {}, subjects: [] })
  return server
})

/** The task of the server at hand that is cancelled. */
let ordered = "task_none"

/** The same, with what this endpoint wants to find. */
const startFor = Effect.fnUntraced(function* (path: string, options?: TestServer.Options) {
  const server = yield* start(options)
  if (path.endsWith("/refunds")) for (const request of ["req_one", "req_two"]) yield* charge(server, request)
  if (path.endsWith("/cancel")) {
    const { body } = yield* Effect.promise(() => server.send("/api/tasks", { body: task }))
    ordered = body.data.task_id
  }
  return server
})

const posts = (() => {
  const found: Array<string> = []
  HttpApi.reflect(LadingApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (endpoint.method === "POST") found.push(endpoint.path)
    }
  })
  return found
})()

const concrete = (path: string, { account }: TestServer.TestServer): string =>
  path.replace(":account", account).replace(":delivery_id", delivery).replace(":task_id", ordered)

const post = (server: TestServer.TestServer, path: string, body: unknown, key: string, as?: string) =>
  Effect.promise(() =>
    server.send(concrete(path, server), {
      body,
      headers: { "idempotency-key": key },
      ...(as === undefined ? {} : { key: as })
    })
  )

it("every POST has its bodies here", () => {
  assert.deepStrictEqual([...posts].sort(), Object.keys(bodies).sort())
})

/** What the interface has it succeed with. */
const statusOf = (path: string): number =>
  path.endsWith("/bulk-status") || path === "/api/email/verify" || path === "/api/tasks" ? 201 : 200

/** A ledger in memory that shows what it is asked, and may be changed. */
const watched = (
  seen: Array<Ledger.Open>,
  change: (ledger: Ledger.Ledger["Service"]) => Partial<Ledger.Ledger["Service"]> = () => ({})
) =>
  Layer.effect(
    Ledger.Ledger,
    Effect.map(Ledger.Ledger, (ledger) => ({
      ...ledger,
      open: (request) => {
        seen.push(request)
        return ledger.open(request)
      },
      ...change(ledger)
    }))
  ).pipe(Layer.provide(Ledger.layerMemory))

describe.each(posts)("POST %s under an Idempotency-Key", (path) => {
  const [body, other] = bodies[path]!

  it.live("is answered again with its first body and a new x-request-id, and takes place once", () =>
    Effect.gen(function* () {
      const server = yield* startFor(path)
      const first = yield* post(server, path, body, "order-1")
      const after = yield* server.balance
      const again = yield* post(server, path, body, "order-1")
      assert.strictEqual(first.status, statusOf(path))
      assert.isNull(first.headers.get("idempotent-replayed"))
      assert.strictEqual(first.headers.get("x-request-id"), first.body.request_id)
      assert.deepStrictEqual([again.status, again.body], [first.status, replayed(path, first.body)])
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.notStrictEqual(again.headers.get("x-request-id"), first.body.request_id)
      assert.deepStrictEqual(yield* server.balance, after)
    })
  )

  it.live("is 409 with another body, and with the same JSON in other bytes", () =>
    Effect.gen(function* () {
      const server = yield* startFor(path)
      yield* post(server, path, body, "order-2")
      const after = yield* server.balance
      for (const wrong of [other, ` ${JSON.stringify(body)}`]) {
        const sent = yield* post(server, path, wrong, "order-2")
        assert.deepStrictEqual([sent.status, sent.body.error?.code], [409, "idempotency_conflict"])
        assert.isFalse(sent.body.error.retryable)
      }
      assert.deepStrictEqual(yield* server.balance, after)
    })
  )

  it.live("runs once of many twins that come together", () =>
    Effect.gen(function* () {
      const server = yield* startFor(path)
      const sent = yield* Effect.all(
        Array.from({ length: 10 }, () => post(server, path, body, "order-3")),
        { concurrency: "unbounded" }
      )
      const fresh = sent.filter(({ headers, status }) => status < 300 && headers.get("idempotent-replayed") === null)
      assert.strictEqual(fresh.length, 1)
      for (const { body, status } of sent) {
        if (status >= 300) assert.deepStrictEqual([status, body.error.retryable], [409, true])
      }
    })
  )

  it.live("keeps no failure: the same key may be used again", () =>
    Effect.gen(function* () {
      const server = yield* startFor(path)
      const wrong = yield* post(server, path, "{}", "order-4")
      assert.strictEqual(wrong.status, Object.keys(body).length === 0 || path.endsWith("/keys") ? 200 : 400)
      if (wrong.status === 400) assert.isBelow((yield* post(server, path, body, "order-4")).status, 300)
    })
  )

  it.live("belongs to the account: another account's same key is another request", () =>
    Effect.gen(function* () {
      const server = yield* startFor(path)
      const stranger = yield* server.addAccount("stranger", "lad_live_stranger-key")
      yield* post(server, path, body, "order-5")
      const sent = yield* post(server, path, other, "order-5", stranger)
      // It has no such delivery and no such task, which is no conflict either.
      const has = !path.includes(":delivery_id") && !path.includes(":task_id")
      assert.strictEqual(sent.status, has ? statusOf(path) : 404)
      assert.isNull(sent.headers.get("idempotent-replayed"))
    })
  )

  it.live("is known to the ledger by its digest: what a client writes into the header is kept nowhere", () =>
    Effect.gen(function* () {
      const seen: Array<Ledger.Open> = []
      const server = yield* start({ ledger: watched(seen) })
      yield* post(server, path, body, "mara.ellison@acme.example")
      assert.lengthOf(seen, 1)
      assert.match(seen[0]!.request.key, /^client:[0-9a-f]{64}$/)
      assert.match(seen[0]!.request.fingerprint ?? "none", /^[0-9a-f]{64}$/)
      assert.notInclude(server.logs.join("\n"), "mara.ellison")
    })
  )
})

describe("POST /api/admin under an Idempotency-Key", () => {
  const grants = "/api/admin/accounts/:account/grants"
  const adjustments = "/api/admin/accounts/:account/adjustments"
  const refunds = "/api/admin/accounts/:account/refunds"

  it.live("grants, adjusts and refunds once, even if the outcome of the first run was lost", () =>
    Effect.gen(function* () {
      let broken = true
      const ledger = watched([], (ledger) => ({
        // As when the process dies behind the grant, and its hold has run out by the time the client comes back.
        settle: (hold, settlement) =>
          broken
            ? Effect.andThen(
                Effect.ignore(ledger.settle(hold, { ...settlement, outcome: null })),
                Effect.fail(new Ledger.LedgerUnavailable({ problem: "down" }))
              )
            : ledger.settle(hold, settlement)
      }))
      for (const [path, change] of [
        [grants, 5],
        [adjustments, -5],
        [refunds, 1]
      ] as const) {
        broken = false
        const server = yield* startFor(path, { ledger })
        broken = true
        const { available } = yield* server.balance
        const first = yield* post(server, path, bodies[path]![0], "order-6")
        assert.strictEqual(first.status, 503)
        broken = false
        const again = yield* post(server, path, bodies[path]![0], "order-6")
        assert.strictEqual(again.status, 200)
        assert.isNull(again.headers.get("idempotent-replayed"))
        assert.strictEqual((yield* server.balance).available, available + change * Credits.scale)
      }
    })
  )

  it.live("keeps no API key: neither the ledger nor a replay has it", () =>
    Effect.gen(function* () {
      const outcomes: Array<string> = []
      const server = yield* start({
        ledger: watched([], (ledger) => ({
          settle: (hold, settlement) => {
            outcomes.push(JSON.stringify(settlement))
            return ledger.settle(hold, settlement)
          }
        }))
      })
      const path = "/api/admin/accounts/:account/keys"
      const first = yield* post(server, path, { label: "partner" }, "order-7")
      const made: string = first.body.data.key
      assert.match(made, /^lad_live_/)
      const again = yield* post(server, path, { label: "partner" }, "order-7")
      assert.isNull(again.body.data.key)
      assert.strictEqual(again.body.data.id, first.body.data.id)
      assert.lengthOf(outcomes, 1)
      assert.notInclude(outcomes.join(), made.slice("lad_live_".length))
      assert.notInclude(server.logs.join("\n"), made.slice("lad_live_".length))
    })
  )

  it.live("goes without the ledger where there is no key", () =>
    Effect.gen(function* () {
      const seen: Array<Ledger.Open> = []
      const server = yield* start({ ledger: watched(seen) })
      const asked = () => server.send(concrete(grants, server), { body: { amount: 5 } })
      for (const sent of [yield* Effect.promise(asked), yield* Effect.promise(asked)]) {
        assert.strictEqual(sent.status, 200)
      }
      assert.lengthOf(seen, 0)
      assert.strictEqual((yield* server.balance).available, 1_010 * Credits.scale)
    })
  )
})
