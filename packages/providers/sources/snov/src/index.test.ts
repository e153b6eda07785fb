/** The adapter over real HTTP, against the simulator and against a server that says what the fixtures say. */
import { assert, describe, it } from "@effect/vitest"
import type { Source } from "@lading/core/waterfall"
import { Simulator as Kit } from "@lading/testing"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Snov from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
import found from "./fixtures/found.json" with { type: "json" }
import misses from "./fixtures/misses.json" with { type: "json" }
import task from "./fixtures/task.json" with { type: "json" }
import refusals from "./fixtures/refusals.json" with { type: "json" }
import * as Simulator from "./simulator/index.ts"

const clientOf = (id: string, secret: string): Source.Credential => ({
  _tag: "Client",
  id: Redacted.make(id),
  secret: Redacted.make(secret)
})
const own = clientOf("client-4711", "snov-secret-4711")
const nordvik = { domain: "nordvik-robotics.example", name: null }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
const QUICK = { first: 0, every: 1 }

const bound = Effect.fnUntraced(function* (url: string, pace: Snov.Options["pace"]) {
  const source = yield* Snov.make({ baseUrl: url, pace: { ...QUICK, ...pace } }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
  return { company: source.company!, person: source.person! }
})

const simulated = Effect.fnUntraced(function* (options: Simulator.Options = {}, pace: Snov.Options["pace"] = {}) {
  const simulator = yield* Simulator.start({ polls: 0, ...options })
  const paths = Effect.map(simulator.calls, (calls) => calls.map(({ method, path }) => `${method} ${path}`))
  return { simulator, paths, ...(yield* bound(`${simulator.url}/`, pace)) }
})

const GRANTED = { access_token: "granted-4711", token_type: "Bearer", expires_in: 3_600 }

/** A vendor that gives a token, and says what it is told to by the end of each path. */
const saying = Effect.fnUntraced(function* (
  replies: Readonly<Record<string, Kit.Reply>>,
  pace: Snov.Options["pace"] = {}
) {
  const asked: Array<Kit.Asked> = []
  const reply = (request: Kit.Asked): Kit.Reply => {
    asked.push(request)
    if (request.path === "/v1/oauth/access_token") return { status: 200, body: GRANTED }
    return Object.entries(replies).find(([end]) => request.path.endsWith(end))?.[1] ?? { status: 404, body: {} }
  }
  const vendor = yield* Kit.make({
    vendor: "told",
    credential: () => "any",
    answer: reply,
    miss: reply,
    wrongKey: reply,
    quotaExhausted: reply,
    rateLimited: () => ({ status: 429, body: {} }),
    suppressed: null
  })
  return { asked, ...(yield* bound(vendor.url, pace)) }
})

const ok = (body: unknown): Kit.Reply => ({ status: 200, body })
const STARTED = ok({ data: { task_hash: "0123abcd" } })

const tagOf = <Facts>(call: Effect.Effect<Source.Outcome<Facts>, { readonly _tag: string }>) =>
  Effect.match(call, { onSuccess: ({ _tag }): string => _tag, onFailure: ({ _tag }) => _tag })

const TOKEN = "POST /v1/oauth/access_token"
const START = "POST /v2/emails-by-domain-by-name/start"
const RESULT = "GET /v2/emails-by-domain-by-name/result"
const PROFILE = "POST /v1/get-profile-by-email"

describe("Snov.io, what goes out", () => {
  it.live("a company is a token, a start by domain and its result", () =>
    Effect.gen(function* () {
      const { company: ask, simulator } = yield* simulated()
      assert.strictEqual((yield* ask.call(nordvik, own))._tag, "Hit")
      const [token, start, result, ...more] = yield* simulator.calls
      assert.isEmpty(more)
      assert.deepInclude(token, {
        method: "POST",
        path: "/v1/oauth/access_token",
        body: { grant_type: "client_credentials", client_id: "<redacted>", client_secret: "<redacted>" }
      })
      assert.deepInclude(start, {
        method: "POST",
        path: "/v2/domain-search/start",
        query: {},
        body: { domain: "nordvik-robotics.example" }
      })
      assert.strictEqual(result?.method, "GET")
      assert.match(result?.path ?? "", /^\/v2\/domain-search\/result\/[0-9a-f]{32}$/)
    })
  )

  it.live("a person is a start with one row, its result, and the profile behind the address", () =>
    Effect.gen(function* () {
      const { paths, person: ask, simulator } = yield* simulated()
      assert.strictEqual((yield* ask.call(mara, own))._tag, "Hit")
      assert.deepStrictEqual(yield* paths, [TOKEN, START, RESULT, PROFILE])
      const [, start, result, profile] = yield* simulator.calls
      assert.deepStrictEqual(start?.body, { rows: [mara] })
      assert.match(result?.query["task_hash"] ?? "", /^[0-9a-f]{32}$/)
      assert.deepStrictEqual(profile?.body, { email: "mara.ellison@nordvik-robotics.example" })
    })
  )

  it.live("the client goes to the token's path only, and the token nowhere but into a header", () =>
    Effect.gen(function* () {
      const { asked, company: ask } = yield* saying({ "/start": STARTED, "/result/0123abcd": ok(company.body) })
      assert.strictEqual((yield* ask.call(nordvik, own))._tag, "Hit")
      const [, ...others] = asked
      for (const { body, headers, path, query } of others) {
        assert.strictEqual(headers["authorization"], "Bearer granted-4711")
        assert.notInclude(JSON.stringify([path, query, body]), "granted-4711")
        assert.notInclude(JSON.stringify([path, query, body, headers]), "snov-secret-4711")
      }
    })
  )

  it.live("is nothing without a client, or with half of one", () =>
    Effect.gen(function* () {
      const { company: ask, paths, person } = yield* simulated()
      for (const none of [clientOf("", "secret"), clientOf("client-4711", ""), { _tag: "None" } as const]) {
        assert.strictEqual(yield* tagOf(ask.call(nordvik, none)), "Unauthorized")
        assert.strictEqual(yield* tagOf(person.resume!("0123abcd", none)), "Unauthorized")
      }
      assert.isEmpty(yield* paths)
    })
  )
})

describe("Snov.io, a token", () => {
  it.live("is fetched once for calls at the same time", () =>
    Effect.gen(function* () {
      const { paths, person } = yield* simulated()
      const calls = Array.from({ length: 8 }, () => person.call(mara, own))
      yield* Effect.all(calls, { concurrency: 8 })
      assert.strictEqual((yield* paths).filter((path) => path === TOKEN).length, 1)
    })
  )

  it.live("that ended before its time is replaced once, for all who have it", () =>
    Effect.gen(function* () {
      const { company: ask, paths, simulator } = yield* simulated()
      yield* ask.call(nordvik, own)
      yield* simulator.expireTokens
      const outcomes = yield* Effect.all(
        Array.from({ length: 6 }, () => ask.call(nordvik, own)),
        { concurrency: 6 }
      )
      assert.deepStrictEqual([...new Set(outcomes.map(({ _tag }) => _tag))], ["Hit"])
      assert.strictEqual((yield* paths).filter((path) => path === TOKEN).length, 2)
    })
  )

  it.live("that is refused again is the end", () =>
    Effect.gen(function* () {
      const { asked, company: ask } = yield* saying({ "/start": { status: 401, body: {} } })
      assert.strictEqual(yield* tagOf(ask.call(nordvik, own)), "Unauthorized")
      assert.deepStrictEqual(
        asked.map(({ path }) => path.split("/").at(-1)),
        ["access_token", "start", "access_token", "start"]
      )
    })
  )
})

describe("Snov.io, a task", () => {
  it.live("is asked about until it is done, and started once", () =>
    Effect.gen(function* () {
      const { paths, person } = yield* simulated({ polls: 3 })
      assert.strictEqual((yield* person.call(mara, own))._tag, "Hit")
      assert.deepStrictEqual(yield* paths, [TOKEN, START, RESULT, RESULT, RESULT, RESULT, PROFILE])
    })
  )

  for (const operation of ["company", "person"] as const) {
    it.live(`that takes longer is pending, and its handle leads to the same hit later: ${operation}`, () =>
      Effect.gen(function* () {
        const slow = yield* simulated({ polls: Number.POSITIVE_INFINITY }, { every: 10, patience: 60 })
        const call = operation === "company" ? slow.company.call(nordvik, own) : slow.person.call(mara, own)
        const outcome = yield* call
        assert(outcome._tag === "Pending")
        assert.match(outcome.handle, /^[0-9a-f]{32}$/)
        const resume = slow[operation].resume!(outcome.handle, own)
        assert.deepStrictEqual(yield* resume, outcome)
        yield* slow.simulator.finishTasks
        const later = yield* resume
        assert(later._tag === "Hit")
        const quick = yield* simulated()
        const atOnce = yield* operation === "company" ? quick.company.call(nordvik, own) : quick.person.call(mara, own)
        assert(atOnce._tag === "Hit")
        assert.deepStrictEqual(later.facts, atOnce.facts)
        assert.strictEqual((yield* slow.paths).filter((path) => path.endsWith("/start")).length, 1)
      })
    )
  }

  for (const waiting of task.waiting) {
    it.live(`that says "${waiting.status}" is pending, whenever it is asked about`, () =>
      Effect.gen(function* () {
        const { asked, person } = yield* saying(
          { "/start": ok(task.started[0]), "/result": ok(waiting) },
          { patience: 20 }
        )
        const outcome = { _tag: "Pending", handle: "9d0b7c21e4f84a6db3a5c6e7f8091a2b" } as const
        assert.deepInclude(yield* person.call(mara, own), outcome)
        assert.deepInclude(yield* person.resume!(outcome.handle, own), outcome)
        assert.strictEqual(asked.filter(({ path }) => path.endsWith("/start")).length, 1)
      })
    )
  }

  it.live("that nobody knows anything of is a miss later too", () =>
    Effect.gen(function* () {
      const { person, simulator } = yield* simulated({ polls: Number.POSITIVE_INFINITY }, { patience: 20 })
      const outcome = yield* person.call({ ...mara, first_name: "Nobody" }, own)
      assert(outcome._tag === "Pending")
      yield* simulator.finishTasks
      assert.strictEqual((yield* person.resume!(outcome.handle, own))._tag, "Miss")
    })
  )

  it.live("is of no use to another client, and a handle that is none is not asked about", () =>
    Effect.gen(function* () {
      const { paths, person } = yield* simulated({ polls: Number.POSITIVE_INFINITY }, { patience: 20 })
      const outcome = yield* person.call(mara, own)
      assert(outcome._tag === "Pending")
      assert.strictEqual(
        yield* tagOf(person.resume!(outcome.handle, clientOf("other", "other-secret"))),
        "InvalidResponse"
      )
      const before = (yield* paths).length
      for (const none of ["", "../balance", "a?b=c", "a".repeat(129)]) {
        assert.strictEqual(yield* tagOf(person.resume!(none, own)), "InvalidInput")
      }
      assert.strictEqual((yield* paths).length, before)
    })
  )

  for (const fault of [{ _tag: "ServerError", status: 502 }, { _tag: "Drop" }] as const) {
    it.live(`survives ${fault._tag} when it is asked about`, () =>
      Effect.gen(function* () {
        const { paths, person, simulator } = yield* simulated()
        yield* simulator.fail({ _tag: "Slow", millis: 0 }, 2)
        yield* simulator.fail(fault, 2)
        assert.strictEqual((yield* person.call(mara, own))._tag, "Hit")
        assert.deepStrictEqual(yield* paths, [TOKEN, START, RESULT, RESULT, RESULT, PROFILE])
      })
    )
  }

  for (const fault of [{ _tag: "RateLimited", retryAfterSeconds: null }, { _tag: "Hang" }] as const) {
    it.live(`is pending after ${fault._tag} when it is asked about`, () =>
      Effect.gen(function* () {
        const { paths, person, simulator } = yield* simulated({}, { patience: 60 })
        yield* simulator.fail({ _tag: "Slow", millis: 0 }, 2)
        yield* simulator.fail(fault)
        assert.strictEqual((yield* person.call(mara, own))._tag, "Pending")
        assert.deepStrictEqual(yield* paths, [TOKEN, START, RESULT])
      })
    )
  }

  it.live("that was started too late is pending, and not asked about", () =>
    Effect.gen(function* () {
      const { paths, person, simulator } = yield* simulated({}, { patience: 20 })
      yield* simulator.fail({ _tag: "Slow", millis: 40 }, 1)
      assert.strictEqual((yield* person.call(mara, own))._tag, "Pending")
      assert.deepStrictEqual(yield* paths, [TOKEN, START])
    })
  )

  for (const [status, means] of [
    ["not_enough_credits", "QuotaExhausted"],
    ["failed", "Unavailable"],
    ["error", "Unavailable"],
    ["somewhere", "InvalidResponse"],
    ["Completed", "Hit"]
  ] as const) {
    it.live(`with the status ${status} is ${means}`, () =>
      Effect.gen(function* () {
        const result = ok({ ...found.body, status })
        const { person } = yield* saying({ "/start": STARTED, "/result": result })
        assert.strictEqual(yield* tagOf(person.call(mara, own)), means)
        assert.strictEqual(yield* tagOf(person.resume!("0123abcd", own)), means)
      })
    )
  }

  for (const [what, body, means] of [
    ["in data", { data: { task_hash: "0123abcd" }, meta: { rows: [] } }, "Hit"],
    ["in meta", { data: [], meta: { task_hash: "0123abcd" } }, "Hit"],
    ["nowhere", { data: [], meta: [] }, "InvalidResponse"],
    ["of another shape", { data: { task_hash: "../v1/get-balance" } }, "InvalidResponse"],
    ["in a text", "0123abcd", "InvalidResponse"]
  ] as const) {
    it.live(`whose hash is ${what} is ${means}`, () =>
      Effect.gen(function* () {
        const replies = { "/start": ok(body), "/result/0123abcd": ok(company.body), "/result": ok(found.body) }
        const { company: ask, person } = yield* saying(replies)
        assert.strictEqual(yield* tagOf(ask.call(nordvik, own)), means)
        assert.strictEqual(yield* tagOf(person.call(mara, own)), means)
      })
    )
  }
})

describe("Snov.io, what comes back", () => {
  for (const { body, means, retryAfter, status } of refusals.answers) {
    it.live(`${status} ${JSON.stringify(body)} is ${means}`, () =>
      Effect.gen(function* () {
        const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter / 1000) }
        const { asked, company: ask, person } = yield* saying({ "/start": { status, headers, body } })
        const error = yield* Effect.flip(ask.call(nordvik, own))
        assert.strictEqual(error._tag, means)
        if (error._tag === "RateLimited") assert.strictEqual(error.retryAfter, retryAfter ?? null)
        if (status !== 401) assert.strictEqual(asked.length, 2)
        assert.strictEqual(yield* tagOf(person.call(mara, own)), means)
      })
    )
  }

  for (const [position, body] of misses.company.entries()) {
    it.live(`a result without a company is a miss, way ${position}`, () =>
      Effect.gen(function* () {
        const { company: ask } = yield* saying({ "/start": STARTED, "/result/0123abcd": ok(body) })
        assert.strictEqual((yield* ask.call(nordvik, own))._tag, "Miss")
      })
    )
  }

  for (const [position, body] of misses.person.entries()) {
    it.live(`a result without an address is a miss, way ${position}, and nobody's profile is asked for`, () =>
      Effect.gen(function* () {
        const { asked, person } = yield* saying({ "/start": STARTED, "/result": ok(body) })
        assert.strictEqual((yield* person.call(mara, own))._tag, "Miss")
        assert.strictEqual(asked.length, 3)
      })
    )
  }

  for (const [what, reply, problem] of [
    ["is not there", ok(misses.profile[0]), undefined],
    ["cannot be read", ok({ id: 1, currentJobs: "many" }), "InvalidResponse"],
    ["is refused", { status: 403, body: {} }, "Unauthorized"],
    ["fails", { status: 502, body: "" }, "Unavailable"]
  ] as const) {
    it.live(`a hit stands when the profile ${what}`, () =>
      Effect.gen(function* () {
        const replies = { "/start": STARTED, "/result": ok(found.body), "/get-profile-by-email": reply }
        const { person } = yield* saying(replies)
        const outcome = yield* person.call(mara, own)
        assert(outcome._tag === "Hit")
        assert.deepStrictEqual(outcome.raw, {
          emails_by_name: found.body,
          profile: null,
          ...(problem === undefined ? {} : { profile_problem: problem })
        })
        assert.strictEqual(outcome.facts.emails?.[0]?.email, "mara.ellison@nordvik-robotics.example")
        assert.deepStrictEqual(yield* person.decode!(outcome.raw), outcome)
      })
    )
  }

  it.live("a vendor that repeats the token finds it taken out", () =>
    Effect.gen(function* () {
      const echo = { ...company.body, echo: "Bearer granted-4711" }
      const { company: ask } = yield* saying({ "/start": STARTED, "/result/0123abcd": ok(echo) })
      const outcome = yield* ask.call(nordvik, own)
      assert(outcome._tag === "Hit")
      assert.notInclude(JSON.stringify(outcome.raw), "granted-4711")
    })
  )
})

describe("Snov.io, what it accepts", () => {
  it.effect("works with a company's domain and with a person's whole name at a domain", () =>
    Effect.gen(function* () {
      const { company, person } = yield* Snov.make().pipe(Effect.provide(FetchHttpClient.layer))
      assert.isTrue(company!.accepts(nordvik))
      assert.isFalse(company!.accepts({ domain: null, name: "Nordvik Robotics" }))
      assert.isTrue(person!.accepts(mara))
      for (const part of ["first_name", "last_name", "domain"]) {
        for (const unsaid of [null, " "]) assert.isFalse(person!.accepts({ ...mara, [part]: unsaid }))
      }
    })
  )
})
