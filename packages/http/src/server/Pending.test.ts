/**
 * Answers that come later, over HTTP at both ends: clients and a receiver in front of the server, Snov.io's simulator
 * behind it, whose tasks are done when the test says so.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Snov from "@lading/snov"
import * as Simulator from "@lading/snov/simulator"
import { Slots, Waterfall } from "@lading/core/waterfall"
import { Population } from "@lading/testing"
import { Effect, Redacted, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { Webhook } from "standardwebhooks"
import * as Customs from "../fixtures/Customs.ts"
import * as Receivers from "../fixtures/Receivers.ts"
import * as TestServer from "../fixtures/TestServer.ts"

const people = "/api/people/enrich"
const companies = "/api/company/enrich"

const platform = { _tag: "Client", id: Redacted.make("platform"), secret: Redacted.make("platform-secret") } as const

const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }

/** Asked for at once and often, so that a test takes no time; waited for as long as usual. */
const policy: Waterfall.Policy = { ...Waterfall.defaults, pending: { life: 60_000, first: 20, most: 40 } }

const started = Effect.fnUntraced(function* (options: Partial<TestServer.Options> = {}) {
  const simulator = yield* Simulator.start({
    polls: Number.POSITIVE_INFINITY,
    credentials: ["platform:platform-secret", "own:own-secret"]
  })
  const made = yield* Snov.make({ baseUrl: simulator.url, pace: { first: 0, every: 20, patience: 60 } }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
  // The allowance of a real account would have the test wait.
  const source = { ...made, limits: { ...made.limits, rate: { calls: 10_000, window: 1_000 } } }
  const server = yield* TestServer.make({
    slots: [Slots.bound("provider_a", TestServer.knowing), Slots.bound("provider_b", source, platform)],
    policy,
    ...options
  })
  const ask = (path: string, body: unknown, more: TestServer.Asking = {}) =>
    Effect.promise(() => server.send(path, { body, ...more }))
  const get = (path: string, more: TestServer.Asking = {}) => Effect.promise(() => server.send(path, more))
  /** Until the request is complete. */
  const completed = (path: string, id: string) =>
    Effect.repeat(get(`${path}/${id}`), {
      until: ({ body }) => body.meta?.waterfall.async_pending === false,
      schedule: Schedule.spaced(5)
    }).pipe(Effect.timeout("10 seconds"))
  const calls = Effect.map(simulator.calls, (calls) => calls.map(({ method, path }) => `${method} ${path}`))
  return { simulator, server, ask, get, completed, calls }
})

const onlySnov = { identity: mara, waterfall: { source_order: ["provider_b"] } }
const both = { identity: mara, waterfall: { mode: "aggregate", source_order: ["provider_b", "provider_a"] } }

/** Of an object, each member's path with its type, arrays by their first element. */
const shape = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.length === 0 ? [] : shape(value[0], `${path}[]`)
  if (typeof value !== "object" || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => shape(member, `${path}.${name}`))
}

/** What was captured by hold, in credits, as the journal has it. */
const captures = (server: TestServer.TestServer) =>
  Effect.map(Effect.orDie(server.ledger.journal(server.account)), (journal) => {
    const byHold = new Map<string | null, number>()
    for (const { hold, kind, postings } of journal) {
      if (kind !== "capture") continue
      const paid = postings.filter(({ amount, unit }) => unit === "credit" && amount > 0)
      assert.isFalse(byHold.has(hold), "a hold is captured once")
      byHold.set(
        hold,
        paid.reduce((sum, { amount }) => sum + amount / 1_000_000, 0)
      )
    }
    return [...byHold.values()]
  })

const idle = (server: TestServer.TestServer) =>
  Effect.repeat(server.balance, { until: ({ held }) => held === 0, schedule: Schedule.spaced(5) }).pipe(
    Effect.timeout("10 seconds")
  )

describe("An answer that comes later, over HTTP", () => {
  it.live("is pending, changes under its request id, and is the same body as ever; each part is charged once", () =>
    Effect.gen(function* () {
      const { ask, calls, completed, get, server, simulator } = yield* started()
      const first = yield* ask(people, both)
      assert.deepStrictEqual([first.status, first.body.status], [200, "pending"])
      const id: string = first.body.request_id
      assert.strictEqual(first.headers.get("x-request-id"), id)
      const meanwhile = yield* get(`${people}/${id}`)
      assert.deepStrictEqual([meanwhile.status, meanwhile.body.status, meanwhile.body.request_id], [200, "pending", id])
      const own = meanwhile.headers.get("x-request-id") ?? ""
      assert.match(own, /^req_/)
      assert.notStrictEqual(own, id)
      assert.deepStrictEqual(meanwhile.body.person, first.body.person)
      assert.strictEqual((yield* server.balance).held, 1_000_000)

      yield* simulator.finishTasks
      const last = (yield* completed(people, id)).body
      assert.deepStrictEqual([last.status, last.request_id], ["completed", id])
      assert.isNotEmpty(last.person.emails)
      assert.strictEqual(last.meta.field_sources.emails, "provider_b")

      // At once it would have been the same.
      const direct = (yield* ask(people, { ...both, waterfall: { ...both.waterfall, max_cache_age_s: 600 } })).body
      assert.strictEqual(direct.status, "completed")
      assert.deepStrictEqual(shape(last.person), shape(direct.person))
      assert.sameMembers(Object.keys(last.meta), Object.keys(direct.meta))
      assert.sameMembers(Object.keys(last.meta.waterfall), Object.keys(direct.meta.waterfall))
      assert.deepStrictEqual(last.person, direct.person)

      yield* idle(server)
      const paid = yield* captures(server)
      const [certain, later, kept] = paid
      assert.strictEqual(paid.length, 3)
      assert.strictEqual(certain, first.body.meta.billing.total_credits_charged)
      assert.closeTo((certain ?? 0) + (later ?? 0), last.meta.billing.total_credits_charged, 1e-9)
      assert.strictEqual(kept, direct.meta.billing.total_credits_charged)
      assert.deepStrictEqual((yield* Effect.orDie(server.ledger.audit(server.account))).breaches, [])

      const seen = yield* calls
      const polls = seen.filter((call) => call === "GET /v2/emails-by-domain-by-name/result")
      assert.isAtLeast(polls.length, 2)
      assert.deepStrictEqual(
        seen.filter((call) => call !== polls[0]),
        ["POST /v1/oauth/access_token", "POST /v2/emails-by-domain-by-name/start", "POST /v1/get-profile-by-email"]
      )
    })
  )

  it.live(
    "is nobody else's: another account, an unknown id, the wrong scope or operation, and what was never pending",
    () =>
      Effect.gen(function* () {
        const { ask, completed, get, server, simulator } = yield* started()
        const { request_id } = (yield* ask(people, onlySnov)).body
        const path = `${people}/${request_id}`
        const other = yield* server.addAccount("other", "lad_live_key-of-somebody-else")
        const narrow = "lad_live_key-for-companies"
        yield* server.addKey(narrow, ["company"])
        const atOnce = (yield* ask(companies, { ...TestServer.acme, waterfall: { source_order: ["provider_a"] } })).body
        const refusals = [
          [path, { key: other }, 404],
          [`${people}/req_${"x".repeat(24)}`, {}, 404],
          [`${people}/${atOnce.request_id}`, {}, 404],
          [`${companies}/${atOnce.request_id}`, {}, 404],
          [`${companies}/${request_id}`, {}, 404],
          [path, { key: narrow }, 403],
          [path, { key: null }, 401],
          [path, { method: "POST" }, 405],
          [path, { method: "PUT" }, 405],
          [path, { method: "DELETE" }, 405]
        ] as const
        for (const [at, more, status] of refusals) {
          const { body, headers, status: got } = yield* get(at, more)
          assert.strictEqual(got, status, `${at} ${JSON.stringify(more)}`)
          assert.strictEqual(body.success, false)
          assert.strictEqual(body.request_id, headers.get("x-request-id"))
          if (got === 404) assert.match(body.error.message, /no such enrichment/)
          if (got === 405) assert.include(headers.get("allow") ?? "", "GET")
        }
        const head = yield* get(path, { method: "HEAD" })
        assert.strictEqual(head.status, 200)
        assert.isNull(head.body)
        yield* simulator.finishTasks
        yield* completed(people, request_id)
        assert.strictEqual((yield* get(path, { key: other })).status, 404)
      })
  )

  it.live("is found by searches when it has come, like what comes at once", () =>
    Effect.gen(function* () {
      const { ask, completed, server, simulator } = yield* started()
      const { request_id } = (yield* ask(people, onlySnov)).body
      const search = { company_domain: onlySnov.identity.domain }
      const found = Effect.map(
        Effect.promise(() => server.send("/api/people/search", { body: search })),
        ({ body }) => body.data.list
      )
      assert.deepStrictEqual(yield* found, [])
      yield* simulator.finishTasks
      const { person } = (yield* completed(people, request_id)).body
      const [one] = yield* Effect.repeat(found, {
        schedule: Schedule.spaced("20 millis"),
        until: (list) => list.length > 0
      })
      assert.deepInclude(one, { first_name: person.first_name, last_name: person.last_name, sources: ["own"] })
      assert.deepStrictEqual(
        one.emails.map(({ email }: { readonly email: string }) => email),
        person.emails.map(({ email }: { readonly email: string }) => email)
      )
    })
  )

  it.live("a repeated request has the first answer while it is pending and after, and is charged once", () =>
    Effect.gen(function* () {
      const { ask, calls, completed, server, simulator } = yield* started()
      const repeated = { headers: { "idempotency-key": "order-1" } }
      const first = yield* ask(people, onlySnov, repeated)
      const again = yield* ask(people, onlySnov, repeated)
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.deepStrictEqual(again.body, first.body)
      yield* simulator.finishTasks
      yield* completed(people, first.body.request_id)
      yield* idle(server)
      const after = yield* ask(people, onlySnov, repeated)
      assert.deepStrictEqual([after.body, after.headers.get("idempotent-replayed")], [first.body, "true"])
      assert.lengthOf(yield* captures(server), 2)
      assert.strictEqual((yield* calls).filter((call) => call.endsWith("/start")).length, 1)
    })
  )

  it.live("of a client that hung up: with a key it goes on, without one nothing is charged that it was not told", () =>
    Effect.gen(function* () {
      const { ask, completed, server, simulator } = yield* started()
      const starts = Effect.map(simulator.calls, (calls) => calls.filter(({ path }) => path.endsWith("/start")).length)
      const hangUp = Effect.fnUntraced(function* (asked: unknown, headers: ReadonlyArray<string>) {
        const before = yield* starts
        const body = JSON.stringify(asked)
        const head = ["Content-Type: application/json", `Content-Length: ${body.length}`, ...headers]
        const gone = new AbortController()
        const client = TestServer.exchange(
          server.port,
          [TestServer.request(people, head), body],
          undefined,
          gone.signal
        )
        yield* Receivers.until(
          "the vendor was asked",
          Effect.map(starts, (now) => now > before)
        )
        gone.abort()
        assert.notInclude(yield* Effect.promise(() => client), "200 OK")
      })
      const headers = { "idempotency-key": "order-1" }
      yield* hangUp(onlySnov, ["Idempotency-Key: order-1"])
      const { body } = yield* ask(people, onlySnov, { headers }).pipe(
        Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced(10) })
      )
      assert.strictEqual(body.status, "pending")
      yield* simulator.finishTasks
      yield* completed(people, body.request_id)
      yield* idle(server)
      const { captured } = yield* server.balance
      yield* hangUp({ ...onlySnov, identity: { ...mara, first_name: "Ines" } }, [])
      yield* idle(server)
      assert.isAtMost((yield* server.balance).captured - captured, 100_000)
      assert.deepStrictEqual((yield* Effect.orDie(server.ledger.audit(server.account))).breaches, [])
    })
  )

  it.live("of a company: one of two domains is pending, and only that one changes", () =>
    Effect.gen(function* () {
      const { ask, completed, server, simulator } = yield* started()
      const [one, other] = [0, 1].map((at) => Population.standard.company(at).domain)
      const waterfall = { source_order: ["provider_b"] }
      // The first one is kept by now.
      const before = (yield* ask(companies, { identity: { domains: [one] }, waterfall })).body
      yield* simulator.finishTasks
      yield* completed(companies, before.request_id)
      const first = (yield* ask(companies, { identity: { domains: [one, other] }, waterfall })).body
      const pending = (body: any) => body.companies.map((company: any) => company.meta.waterfall.async_pending)
      assert.deepStrictEqual(pending(first), [false, true])
      // Of the request as a whole something is still to come.
      assert.isTrue(first.meta.waterfall.async_pending)
      assert.deepStrictEqual(first.meta.waterfall.cache_hits, ["provider_b"])
      yield* simulator.finishTasks
      const last = (yield* completed(companies, first.request_id)).body
      assert.deepStrictEqual(pending(last), [false, false])
      assert.strictEqual(last.request_id, first.request_id)
      assert.sameMembers(Object.keys(last), Object.keys(first))
      assert.deepStrictEqual(last.company, first.company)
      const direct = (yield* ask(companies, { identity: { domains: [one, other] }, waterfall })).body
      const profiles = (body: any) => body.companies.map((company: any) => company.profile)
      assert.deepStrictEqual(profiles(last), profiles(direct))
      yield* idle(server)
      const [, , certain, later] = yield* captures(server)
      assert.closeTo((certain ?? 0) + (later ?? 0), last.meta.billing.credits_charged, 1e-9)
    })
  )

  it.live("of companies with their customs: each keeps what the records said with the request", () =>
    Effect.gen(function* () {
      const [one, other] = [0, 1].map((at) => Population.standard.company(at).domain)
      const [, trader = ""] = Customs.traders
      const entry = { trader_id: trader, name: null, country: null, domain: other ?? "", origin: "operator" as const }
      const { ask, completed, simulator } = yield* started({ trade: Customs.layer, domains: [entry] })
      const request = {
        identity: { domains: [one, other] },
        include_customs: true,
        waterfall: { source_order: ["provider_b"] }
      }
      const first = (yield* ask(companies, request)).body
      const customs = (body: any) => body.companies.map((company: any) => company.customs?.company_id ?? null)
      assert.isTrue(first.meta.waterfall.async_pending)
      assert.deepStrictEqual(customs(first), [null, trader])
      yield* simulator.finishTasks
      const last = (yield* completed(companies, first.request_id)).body
      assert.deepStrictEqual(last.companies[1].customs, first.companies[1].customs)
      assert.deepStrictEqual(customs(last), [null, trader])
    })
  )

  it.live("explanation and raw answers come with it where they were asked for", () =>
    Effect.gen(function* () {
      const { ask, completed, simulator } = yield* started()
      const asked = { ...both, response: { include_explanation: true, include_provider_raw: true } }
      const first = (yield* ask(people, asked)).body
      assert.deepInclude(first.meta.explanation.steps[0], { source: "provider_b", outcome: "pending" })
      assert.notProperty(first.provider_raw, "provider_b")
      yield* simulator.finishTasks
      const last = (yield* completed(people, first.request_id)).body
      assert.deepInclude(last.meta.explanation.steps[0], { source: "provider_b", outcome: "hit" })
      assert.strictEqual(last.meta.explanation.fields.emails.winner, "provider_b")
      assert.property(last.provider_raw.provider_b, "emails_by_name")
      const without = (yield* ask(people, onlySnov)).body
      assert.notProperty(without.meta, "explanation")
    })
  )

  it.live(
    "is sent to webhook_url, signed, once; an address that may not be sent to is refused before anything happens",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receivers.start()
        const { ask, completed, get, server, simulator } = yield* started({ sends: true })
        const { data } = (yield* ask("/api/webhooks/secret", {})).body
        for (const webhook_url of ["ftp://receiver.example/", "nowhere", "https://user:pass@receiver.example/", 7]) {
          const { body, status } = yield* ask(people, { ...onlySnov, webhook_url })
          assert.strictEqual(status, 400)
          assert.match(JSON.stringify(body.error), /webhook_url/)
        }
        assert.isEmpty(yield* simulator.calls)
        const { request_id } = (yield* ask(people, { ...onlySnov, webhook_url: `${receiver.url}/hook` })).body
        assert.isEmpty(receiver.received)
        yield* simulator.finishTasks
        const last = yield* completed(people, request_id)
        yield* Receivers.until("it has arrived", () => receiver.received.length > 0)
        const [{ body, headers }] = receiver.received as [Receivers.Received]
        const verified: any = new Webhook(data.secret).verify(body, headers)
        assert.deepStrictEqual([verified.type, verified.data], ["person.enriched", last.body])
        const { list, total } = (yield* get("/api/webhooks/deliveries")).body.data
        assert.deepStrictEqual([total, list[0].type], [1, "person.enriched"])
        assert.strictEqual((yield* idle(server)).held, 0)
        assert.lengthOf(receiver.received, 1)
      })
  )

  it.live("a strict server takes no webhook_url inside its own network, for persons and companies", () =>
    Effect.gen(function* () {
      const { ask, server, simulator } = yield* started()
      for (const [path, body] of [
        [people, onlySnov],
        [companies, TestServer.acme]
      ] as const) {
        for (const webhook_url of [
          "http://receiver.example/",
          "https://127.0.0.1/",
          "https://receiver.example:8443/"
        ]) {
          assert.strictEqual((yield* ask(path, { ...body, webhook_url })).status, 400)
        }
      }
      assert.isEmpty(yield* simulator.calls)
      const { captured, held } = yield* server.balance
      assert.deepStrictEqual([captured, held], [0, 0])
    })
  )
})
