/** The adapter over real HTTP, against a server that speaks the vendor's dialect in fixtures. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { FetchHttpClient } from "effect/http"
import { Allowance, type Source, type SourceError } from "@lading/core/waterfall"
import { Simulator } from "@lading/testing"
import * as Company from "./Company.ts"
import companyHidden from "./fixtures/company.hidden.json" with { type: "json" }
import companyHit from "./fixtures/company.hit.json" with { type: "json" }
import invalidInput from "./fixtures/invalid-input.json" with { type: "json" }
import flatMiss from "./fixtures/miss.flat.json" with { type: "json" }
import miss from "./fixtures/miss.json" with { type: "json" }
import personHidden from "./fixtures/person.hidden.json" with { type: "json" }
import personHit from "./fixtures/person.hit.json" with { type: "json" }
import quotaExhausted from "./fixtures/quota-exhausted.json" with { type: "json" }
import rateLimited from "./fixtures/rate-limited.json" with { type: "json" }
import unauthorized from "./fixtures/unauthorized.json" with { type: "json" }
import unavailable from "./fixtures/unavailable.json" with { type: "json" }
import { defaultBaseUrl, make } from "./index.ts"

const company = { domain: "nordvik-robotics.example", name: "Nordvik Robotics" }
const person = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
const SECRET = "pdl-key-0123456789-0123456789"
const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make(SECRET) }

interface Fixture {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | object
  readonly body: unknown
}

const reply = ({ status, headers, body }: Fixture): Simulator.Reply => ({ status, headers: { ...headers }, body })

/** A vendor that gives this one answer to everybody, with the source that asks it. */
const saying = (fixture: Fixture) =>
  Effect.gen(function* () {
    const seen: Array<Simulator.Asked> = []
    const said = reply(fixture)
    const simulator = yield* Simulator.make({
      vendor: "peopledatalabs",
      credential: (asked) => {
        seen.push(asked)
        return asked.headers["x-api-key"] ?? null
      },
      answer: () => said,
      miss: () => said,
      wrongKey: () => said,
      quotaExhausted: () => said,
      rateLimited: () => said,
      suppressed: null
    })
    const source = yield* make({ baseUrl: `${simulator.url}/` })
    if (source.company === undefined || source.person === undefined) return assert.fail("serves both operations")
    return { simulator, seen, source, company: source.company, person: source.person }
  }).pipe(Effect.provide(FetchHttpClient.layer))

const bothFail = (fixture: Fixture, tag: SourceError.SourceError["_tag"]) =>
  Effect.gen(function* () {
    const vendor = yield* saying(fixture)
    const ofCompany = yield* Effect.flip(vendor.company.call(company, credential))
    const ofPerson = yield* Effect.flip(vendor.person.call(person, credential))
    assert.strictEqual(ofCompany._tag, tag)
    assert.strictEqual(ofPerson._tag, tag)
    assert.strictEqual((yield* vendor.simulator.calls).length, 2)
    return ofCompany
  })

describe("what goes out", () => {
  it.live("is one GET per question, without empty parameters, with the key in a header only", () =>
    Effect.gen(function* () {
      const vendor = yield* saying(companyHit)
      yield* vendor.company.call({ ...company, name: null }, credential)
      yield* Effect.flip(vendor.person.call(person, credential))
      assert.deepStrictEqual(
        vendor.seen.map(({ method, path, query, body }) => ({ method, path, query, body })),
        [
          {
            method: "GET",
            path: "/v5/company/enrich",
            query: { website: "nordvik-robotics.example", min_likelihood: "6", titlecase: "true" },
            body: null
          },
          {
            method: "GET",
            path: "/v5/person/enrich",
            query: {
              first_name: "Mara",
              last_name: "Ellison",
              company: "nordvik-robotics.example",
              min_likelihood: "6",
              titlecase: "true"
            },
            body: null
          }
        ]
      )
      assert.deepStrictEqual(
        vendor.seen.map((asked) => asked.headers["x-api-key"]),
        [SECRET, SECRET]
      )
      assert.notInclude(JSON.stringify(vendor.seen.map((asked) => asked.query)), SECRET)
    })
  )

  it.live("is nothing without a key, or with one that no header can hold", () =>
    Effect.gen(function* () {
      const vendor = yield* saying(companyHit)
      const unusable: ReadonlyArray<Source.Credential> = [
        { _tag: "None" },
        { _tag: "Client", id: Redacted.make("id"), secret: Redacted.make("secret") },
        { _tag: "ApiKey", key: Redacted.make("") },
        { _tag: "ApiKey", key: Redacted.make("a\r\nb") }
      ]
      for (const one of unusable) {
        assert.strictEqual((yield* Effect.flip(vendor.company.call(company, one)))._tag, "Unauthorized")
      }
      assert.deepStrictEqual(yield* vendor.simulator.calls, [])
    })
  )
})

describe("what comes back", () => {
  it.live("a company's record is the whole answer, with Python dictionaries in its headers", () =>
    Effect.gen(function* () {
      const vendor = yield* saying(companyHit)
      const outcome = yield* vendor.company.call(company, credential)
      if (outcome._tag !== "Hit") return assert.fail(outcome._tag)
      assert.strictEqual(outcome.facts.name, "Nordvik Robotics")
      assert.deepStrictEqual(outcome.facts.annual_revenue, { min: 25e6, max: 50e6, text: "$25M-$50M" })
      assert.deepStrictEqual(outcome.raw, companyHit.body)
    })
  )

  it.live("what the vendor charged is told to the span of the call", () =>
    Effect.gen(function* () {
      const vendor = yield* saying(companyHit)
      yield* vendor.company.call(company, credential)
      const span = yield* Effect.currentSpan
      assert.strictEqual(span.attributes.get("peopledatalabs.credits_spent"), "1")
      assert.notInclude(JSON.stringify([...span.attributes]), SECRET)
    }).pipe(Effect.withSpan("source.call"))
  )

  it.effect("what is left is told to whoever listens, after a hit and after a refusal", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-21T09:30:48Z"))
      const heard: Array<Allowance.Allowance> = []
      const hearing = Effect.provideService(Allowance.Listener, (allowance: Allowance.Allowance) =>
        Effect.sync(() => void heard.push(allowance))
      )
      yield* hearing((yield* saying(companyHit)).company.call(company, credential))
      yield* hearing(Effect.flip((yield* saying(rateLimited)).company.call(company, credential)))
      assert.deepStrictEqual(
        heard.map(({ remaining, resetAt }) => [remaining, new Date(resetAt).toISOString()]),
        [
          [99, "2026-11-21T09:31:00.000Z"],
          [0, "2026-11-21T09:31:00.000Z"]
        ]
      )
    })
  )

  it.live("a person's record is under data", () =>
    Effect.gen(function* () {
      const vendor = yield* saying(personHit)
      const outcome = yield* vendor.person.call(person, credential)
      if (outcome._tag !== "Hit") return assert.fail(outcome._tag)
      assert.strictEqual(outcome.facts.emails?.[0]?.email, "mara.ellison@nordvik-robotics.example")
      assert.deepStrictEqual(outcome.raw, personHit.body)
    })
  )

  it.live("booleans in place of values are a hit without those values", () =>
    Effect.gen(function* () {
      const ofCompany = yield* (yield* saying(companyHidden)).company.call(company, credential)
      const ofPerson = yield* (yield* saying(personHidden)).person.call(person, credential)
      if (ofCompany._tag !== "Hit" || ofPerson._tag !== "Hit") return assert.fail("no hit")
      assert.strictEqual(ofCompany.facts.founded_year, null)
      assert.deepStrictEqual(ofPerson.facts.emails, [])
    })
  )

  it.live("both spellings of the vendor's 404 are a miss", () =>
    Effect.gen(function* () {
      for (const fixture of [miss, flatMiss]) {
        const vendor = yield* saying(fixture)
        assert.deepStrictEqual(yield* vendor.company.call(company, credential), { _tag: "Miss" })
        assert.deepStrictEqual(yield* vendor.person.call(person, credential), { _tag: "Miss" })
      }
    })
  )

  it.live("an answer in the other operation's shape is invalid, not empty", () =>
    Effect.gen(function* () {
      const flat = yield* saying(companyHit)
      assert.strictEqual((yield* Effect.flip(flat.person.call(person, credential)))._tag, "InvalidResponse")
      const wrapped = yield* saying(personHit)
      assert.strictEqual((yield* Effect.flip(wrapped.company.call(company, credential)))._tag, "InvalidResponse")
    })
  )

  it.live("an error in the body of a 200 is invalid", () => bothFail({ ...miss, status: 200 }, "InvalidResponse"))
  it.live("a gateway's 404 is invalid, not a miss", () =>
    bothFail({ status: 404, body: "<html>no such host</html>" }, "InvalidResponse")
  )
  it.live("a redirect is invalid and is not followed with the key", () =>
    bothFail({ status: 302, headers: { location: "/elsewhere" }, body: {} }, "InvalidResponse")
  )
  it.live("400 is InvalidInput", () => bothFail(invalidInput, "InvalidInput"))
  it.live("401 is Unauthorized", () => bothFail(unauthorized, "Unauthorized"))
  it.live("402 is QuotaExhausted", () => bothFail(quotaExhausted, "QuotaExhausted"))
  it.live("5xx is Unavailable, and is not tried again", () => bothFail(unavailable, "Unavailable"))

  it.effect("429 waits until x-ratelimit-reset", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-21T09:30:48Z"))
      const error = yield* bothFail(rateLimited, "RateLimited")
      assert.strictEqual(error._tag === "RateLimited" ? error.retryAfter : null, 12_000)
    })
  )

  it.live("no error and no raw answer holds the key, even where the vendor echoes it", () =>
    Effect.gen(function* () {
      const echo = yield* saying({ status: 200, body: { ...companyHit.body, headline: `key ${SECRET}` } })
      const outcome = yield* echo.company.call(company, credential)
      assert.notInclude(JSON.stringify(outcome), SECRET)
      const error = { status: 400, error: { type: SECRET, message: `bad key ${SECRET}` } }
      const refusing = yield* saying({ status: 400, body: error })
      const refused = yield* Effect.flip(refusing.company.call(company, credential))
      assert.notInclude(JSON.stringify(refused), SECRET)
    })
  )
})

describe("the source", () => {
  it.effect("declares what it needs, serves and costs", () =>
    Effect.gen(function* () {
      const source = yield* make()
      assert.strictEqual(source.adapter, "peopledatalabs")
      assert.strictEqual(source.version, "1")
      assert.strictEqual(source.credential, "ApiKey")
      assert.deepStrictEqual(source.company?.fields, Company.fields)
      assert.deepStrictEqual([source.company?.cost.kind, source.person?.cost.kind], ["per_hit", "per_hit"])
      assert.strictEqual(defaultBaseUrl, "https://api.peopledatalabs.com")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
