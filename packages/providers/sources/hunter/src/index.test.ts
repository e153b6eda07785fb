import { assert, describe, it } from "@effect/vitest"
import { Allowance, type Source } from "@lading/core/waterfall"
import { Simulator } from "@lading/testing"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as Hunter from "./index.ts"
import * as Dialect from "./simulator/Dialect.ts"
import company from "./fixtures/company.json" with { type: "json" }
import found from "./fixtures/email-finder.json" with { type: "json" }
import profile from "./fixtures/people-find.json" with { type: "json" }
import refusals from "./fixtures/refusals.json" with { type: "json" }

const secret = "hunter-test-key-4711"
const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make(secret) }
const nordvik = { domain: "nordvik-robotics.example", name: null }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
const email = "mara.ellison@nordvik-robotics.example"

const documented: Readonly<Record<string, Simulator.Reply>> = {
  "/v2/companies/find": company,
  "/v2/email-finder": found,
  "/v2/people/find": profile
}

/** Hunter with the documented answers, some paths answering otherwise. */
const hunter = Effect.fnUntraced(function* (
  replies: Readonly<Record<string, Simulator.Reply>> = {},
  baseUrl: (url: string) => string = (url) => url
) {
  const vendor = yield* Simulator.make(
    Dialect.make((asked) => replies[asked.path] ?? documented[asked.path] ?? Dialect.notFound),
    { credentials: [secret] }
  )
  const { company, person } = yield* Hunter.make({ baseUrl: baseUrl(vendor.url) }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
  return {
    vendor,
    company: (credential: Source.Credential = key) => company!.call(nordvik, credential),
    person: (credential: Source.Credential = key) => person!.call(mara, credential)
  }
})

const html: Simulator.Reply = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: "<html><h1>Hello</h1></html>"
}

const paths = (calls: ReadonlyArray<Simulator.Call>) => calls.map((call) => call.path)

/** Runs the call until the vendor was asked so many times, lets the clock go on, and gives what became of it. */
const afterAsked = <A, E>(vendor: Simulator.Simulator, call: Effect.Effect<A, E>, times: number, millis: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(call)
    yield* TestClock.withLive(
      Effect.repeat(vendor.calls, { until: (calls) => calls.length >= times, schedule: Schedule.spaced(5) })
    )
    yield* TestClock.adjust(millis)
    return yield* Fiber.join(fiber)
  })

describe("Hunter, companies", () => {
  it.live("asks by domain and gives the facts with the answer as it came", () =>
    Effect.gen(function* () {
      const { company: ask, vendor } = yield* hunter()
      const outcome = yield* ask()
      assert.deepStrictEqual(yield* vendor.calls, [
        {
          method: "GET",
          path: "/v2/companies/find",
          query: { domain: "nordvik-robotics.example" },
          body: null,
          authorized: true
        }
      ])
      assert(outcome._tag === "Hit")
      assert.strictEqual(outcome.facts.name, "Nordvik Robotics")
      assert.deepStrictEqual(outcome.raw, company.body)
    })
  )

  it.live("takes a base URL with a slash at its end", () =>
    Effect.gen(function* () {
      const { company: ask } = yield* hunter({}, (url) => `${url}/`)
      assert.strictEqual((yield* ask())._tag, "Hit")
    })
  )

  it.live("misses when the answer says nothing beyond the domain", () =>
    Effect.gen(function* () {
      const { company: ask } = yield* hunter({
        "/v2/companies/find": { status: 200, body: { data: { domain: nordvik.domain, name: null, tags: [] } } }
      })
      assert.strictEqual((yield* ask())._tag, "Miss")
    })
  )

  for (const { body, means, retryAfter, status } of refusals.answers) {
    it.live(`reads ${status} ${body.errors[0]?.details} as ${means}`, () =>
      Effect.gen(function* () {
        const headers = retryAfter === null ? {} : { "retry-after": String(retryAfter / 1000) }
        const { company: ask } = yield* hunter({ "/v2/companies/find": { status, headers, body } })
        const answer = yield* Effect.match(ask(), { onSuccess: (outcome) => outcome, onFailure: (error) => error })
        assert.strictEqual(answer._tag, means)
        if (answer._tag === "RateLimited") assert.strictEqual(answer.retryAfter, retryAfter)
      })
    )
  }

  for (const status of [202, 222]) {
    it.live(`does not take ${status} for a success`, () =>
      Effect.gen(function* () {
        const { company: ask } = yield* hunter({
          "/v2/companies/find": { ...documented["/v2/companies/find"]!, status }
        })
        assert.strictEqual((yield* Effect.flip(ask()))._tag, "Unavailable")
      })
    )
  }

  it.live("takes a page instead of JSON for an invalid response, and for trouble with a 5xx", () =>
    Effect.gen(function* () {
      const page = yield* hunter({ "/v2/companies/find": html })
      assert.strictEqual((yield* Effect.flip(page.company()))._tag, "InvalidResponse")
      const gateway = yield* hunter({ "/v2/companies/find": { ...html, status: 502 } })
      assert.strictEqual((yield* Effect.flip(gateway.company()))._tag, "Unavailable")
    })
  )

  it.live("names the field that is wrong, not its value", () =>
    Effect.gen(function* () {
      const { company: ask } = yield* hunter({
        "/v2/companies/find": {
          status: 200,
          body: { data: { domain: nordvik.domain, metrics: { employees: "a lot" } } }
        }
      })
      const error = yield* Effect.flip(ask())
      assert(error._tag === "InvalidResponse")
      assert.include(error.problem, "data.metrics.employees")
      assert.notInclude(error.problem, "a lot")
    })
  )

  it.live("does not follow a redirect with the key", () =>
    Effect.gen(function* () {
      const { company: ask, vendor } = yield* hunter({
        "/v2/companies/find": { status: 302, headers: { location: "/v2/elsewhere" }, body: null }
      })
      assert.strictEqual((yield* Effect.flip(ask()))._tag, "InvalidResponse")
      assert.deepStrictEqual(paths(yield* vendor.calls), ["/v2/companies/find"])
    })
  )

  it.live("keeps a key that the vendor repeats out of the raw answer", () =>
    Effect.gen(function* () {
      const body = { ...company.body, meta: { api_key: secret } }
      const { company: ask } = yield* hunter({ "/v2/companies/find": { status: 200, body } })
      assert.notInclude(JSON.stringify(yield* ask()), secret)
    })
  )

  it.live("tells whoever listens that a second is used up, where no header says for how long", () =>
    Effect.gen(function* () {
      const heard: Array<number> = []
      const hearing = Effect.provideService(Allowance.Listener, ({ remaining, resetAt }: Allowance.Allowance) =>
        Effect.sync(() => void heard.push(remaining, Math.ceil((resetAt - Date.now()) / 1_000)))
      )
      for (const [status, details, headers] of [
        [403, "The rate limit is reached.", {}],
        [429, "Slow down.", { "retry-after": "2" }],
        [402, "", {}]
      ] as const) {
        const reply = { ...Dialect.refusal(status, "too_many_requests", details), headers }
        const { company: ask } = yield* hunter({ "/v2/companies/find": reply })
        yield* hearing(Effect.flip(ask()))
      }
      assert.deepStrictEqual(heard, [0, 1])
    })
  )

  it.live("asks nobody without a key", () =>
    Effect.gen(function* () {
      const { company: ask, vendor } = yield* hunter()
      assert.strictEqual((yield* Effect.flip(ask({ _tag: "None" })))._tag, "Unauthorized")
      assert.deepStrictEqual(yield* vendor.calls, [])
    })
  )
})

describe("Hunter, persons", () => {
  it.live("finds the address, then asks what belongs to it", () =>
    Effect.gen(function* () {
      const { person, vendor } = yield* hunter()
      const outcome = yield* person()
      assert.deepStrictEqual(
        (yield* vendor.calls).map(({ authorized, path, query }) => ({ authorized, path, query })),
        [
          {
            authorized: true,
            path: "/v2/email-finder",
            query: { domain: mara.domain, first_name: "Mara", last_name: "Ellison", max_duration: "10" }
          },
          { authorized: true, path: "/v2/people/find", query: { email } }
        ]
      )
      assert(outcome._tag === "Hit")
      assert.strictEqual(outcome.facts.current_title, "Head of Procurement")
      assert.deepStrictEqual(outcome.raw, { email_finder: found.body, people_find: profile.body })
    })
  )

  it.live("misses without a second call when the finder's 200 holds no address", () =>
    Effect.gen(function* () {
      const { person, vendor } = yield* hunter()
      yield* vendor.fail({ _tag: "Miss" })
      assert.strictEqual((yield* person())._tag, "Miss")
      assert.deepStrictEqual(paths(yield* vendor.calls), ["/v2/email-finder"])
    })
  )

  it.live("fails when the finder fails, without a second call", () =>
    Effect.gen(function* () {
      const { person, vendor } = yield* hunter({ "/v2/email-finder": { status: 200, body: { data: {} } } })
      assert.strictEqual((yield* Effect.flip(person()))._tag, "InvalidResponse")
      assert.deepStrictEqual(paths(yield* vendor.calls), ["/v2/email-finder"])
    })
  )

  it.live("keeps the finder's answer when the enrichment knows nothing", () =>
    Effect.gen(function* () {
      const { person } = yield* hunter({ "/v2/people/find": Dialect.notFound })
      const outcome = yield* person()
      assert(outcome._tag === "Hit")
      assert.strictEqual(outcome.facts.emails?.[0]?.email, email)
      assert.strictEqual(outcome.facts.current_title, "Procurement Lead")
      assert.deepStrictEqual(outcome.raw, { email_finder: found.body, people_find: null })
    })
  )

  const failures: ReadonlyArray<readonly [string, Simulator.Reply, string]> = [
    ["a key without this right", Dialect.refusal(401, "authentication_failed", ""), "Unauthorized"],
    ["a plan without this feature", Dialect.refusal(403, "forbidden", "Not part of the plan."), "Unauthorized"],
    ["a plan that is used up", Dialect.refusal(402, "payment_required", ""), "QuotaExhausted"],
    ["a rate limit", Dialect.refusal(429, "too_many_requests", "Slow down."), "RateLimited"],
    ["an address that it does not take", Dialect.refusal(400, "invalid_email", ""), "InvalidInput"],
    ["a gateway's page", { ...html, status: 503 }, "Unavailable"],
    ["a page with 200", html, "InvalidResponse"],
    ["another shape", { status: 200, body: { data: [] } }, "InvalidResponse"]
  ]
  for (const [what, reply, problem] of failures) {
    it.live(`keeps the finder's answer when the enrichment ends in ${what}, and says so in the raw answer`, () =>
      Effect.gen(function* () {
        const { person } = yield* hunter({ "/v2/people/find": reply })
        const outcome = yield* person()
        assert(outcome._tag === "Hit")
        assert.strictEqual(outcome.facts.emails?.[0]?.email, email)
        assert.deepStrictEqual(outcome.facts.employment_history, [])
        assert.deepStrictEqual(outcome.raw, {
          email_finder: found.body,
          people_find: null,
          people_find_problem: problem
        })
      })
    )
  }

  for (const path of ["/v2/email-finder", "/v2/people/find"]) {
    it.live(`keeps nothing of a person who objected at ${path}`, () =>
      Effect.gen(function* () {
        const { person } = yield* hunter({ [path]: Dialect.refusal(451, "claimed_email", "") })
        assert.strictEqual((yield* Effect.flip(person()))._tag, "Suppressed")
      })
    )
  }

  it.effect("does not lose the finder's answer to an enrichment that never ends", () =>
    Effect.gen(function* () {
      const { person, vendor } = yield* hunter()
      yield* vendor.fail({ _tag: "Slow", millis: 0 }, 1)
      yield* vendor.fail({ _tag: "Hang" })
      const outcome = yield* afterAsked(vendor, person(), 2, 5_000)
      assert(outcome._tag === "Hit")
      assert.strictEqual(outcome.facts.emails?.[0]?.email, email)
      assert.deepInclude(outcome.raw, { people_find_problem: "TimedOut" })
    })
  )

  it.effect("gives up a finder that never ends while there is time for the enrichment", () =>
    Effect.gen(function* () {
      const { person, vendor } = yield* hunter()
      yield* vendor.fail({ _tag: "Hang" })
      const error = yield* Effect.flip(afterAsked(vendor, person(), 1, 14_000))
      assert.strictEqual(error._tag, "TimedOut")
    })
  )
})

describe("Hunter, what it accepts", () => {
  it.effect("works with a company's domain and with a person's whole name at a domain", () =>
    Effect.gen(function* () {
      const { company, person } = yield* Hunter.make().pipe(Effect.provide(FetchHttpClient.layer))
      assert.isTrue(company!.accepts(nordvik))
      assert.isFalse(company!.accepts({ domain: null, name: "Nordvik Robotics" }))
      assert.isTrue(person!.accepts(mara))
      for (const part of ["first_name", "last_name", "domain"]) {
        for (const unsaid of [null, " "]) assert.isFalse(person!.accepts({ ...mara, [part]: unsaid }))
      }
    })
  )
})
