import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts } from "@lading/core/company"
import { PersonFacts } from "@lading/core/person"
import { Population } from "@lading/testing"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Hunter from "../index.ts"
import * as Simulator from "./index.ts"

const population = Population.standard
const key = { _tag: "ApiKey", key: Redacted.make("any-key-at-all") } as const

const hunter = Effect.fnUntraced(function* () {
  const simulator = yield* Simulator.start()
  const source = yield* Hunter.make({ baseUrl: simulator.url }).pipe(Effect.provide(FetchHttpClient.layer))
  return { simulator, company: source.company!, person: source.person! }
})

const companies = Array.from({ length: population.companies }, (_, index) => population.company(index))

const countHits = (outcomes: ReadonlyArray<{ readonly _tag: string }>) =>
  outcomes.filter((outcome) => outcome._tag === "Hit").length

describe("Hunter's simulator", () => {
  it.live("knows Mara Ellison and Nordvik Robotics", () =>
    Effect.gen(function* () {
      const { company, person } = yield* hunter()
      const nordvik = yield* company.call({ domain: "nordvik-robotics.example", name: null }, key)
      assert(nordvik._tag === "Hit")
      assert.strictEqual(nordvik.facts.primary_domain, "nordvik-robotics.example")
      assert.hasAllKeys(nordvik.facts.estimated_employee_count, ["min", "max", "text"])
      const mara = yield* person.call(
        { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
        key
      )
      assert(mara._tag === "Hit")
      assert.strictEqual(mara.facts.current_title, "Head of Procurement")
      assert.strictEqual(mara.facts.emails?.[0]?.email, "mara.ellison@nordvik-robotics.example")
      assert.strictEqual(mara.facts.emails?.[0]?.status, "valid")
    })
  )

  it.live("answers for every company in a shape that the adapter reads, and does not know all of them", () =>
    Effect.gen(function* () {
      const { company } = yield* hunter()
      const outcomes = yield* Effect.forEach(companies, ({ domain }) => company.call({ domain, name: null }, key))
      for (const outcome of outcomes) {
        if (outcome._tag !== "Hit") continue
        Schema.decodeSync(CompanyFacts)(outcome.facts)
        const linkedin = outcome.facts.social_links?.linkedin_url
        if (linkedin != null) assert.match(linkedin, /^https:\/\/www\.linkedin\.com\/company\/[\w-]+$/)
      }
      assert.isAbove(countHits(outcomes), companies.length / 2)
      assert.isBelow(countHits(outcomes), companies.length)
    })
  )

  it.live("answers for every person in a shape that the adapter reads, and does not know all of them", () =>
    Effect.gen(function* () {
      const { person } = yield* hunter()
      const people = companies.slice(0, 40).flatMap(population.peopleOf)
      const outcomes = yield* Effect.forEach(people, ({ company: { domain }, first_name, last_name }) =>
        person.call({ first_name, last_name, domain }, key)
      )
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome._tag !== "Hit") continue
        Schema.decodeSync(PersonFacts)(outcome.facts)
        assert.notProperty(outcome.raw, "people_find_problem")
        assert.strictEqual(outcome.facts.emails?.[0]?.email, people[index]?.work_email)
        assert.strictEqual(outcome.facts.last_name, people[index]?.last_name)
      }
      assert.isAbove(countHits(outcomes), people.length / 3)
      assert.isBelow(countHits(outcomes), people.length)
    })
  )

  it.live("misses what nobody has, and refuses a request without its parameter", () =>
    Effect.gen(function* () {
      const { company, person } = yield* hunter()
      assert.strictEqual((yield* company.call({ domain: "nobody.example", name: null }, key))._tag, "Miss")
      const nobody = { first_name: "Nobody", last_name: "Known", domain: "nordvik-robotics.example" }
      assert.strictEqual((yield* person.call(nobody, key))._tag, "Miss")
      assert.strictEqual((yield* Effect.flip(company.call({ domain: "", name: null }, key)))._tag, "InvalidInput")
    })
  )

  it.live("tells the rate limit with 403, and with 429 and the time to wait", () =>
    Effect.gen(function* () {
      const { company, simulator } = yield* hunter()
      for (const [retryAfterSeconds, retryAfter] of [
        [null, null],
        [2, 2000]
      ] as const) {
        yield* simulator.fail({ _tag: "RateLimited", retryAfterSeconds }, 1)
        const error = yield* Effect.flip(company.call({ domain: "nordvik-robotics.example", name: null }, key))
        assert(error._tag === "RateLimited")
        assert.strictEqual(error.retryAfter, retryAfter)
      }
    })
  )

  it.live("takes the key wherever Hunter does", () =>
    Effect.gen(function* () {
      const { simulator } = yield* hunter()
      const url = `${simulator.url}/v2/companies/find?domain=nordvik-robotics.example`
      const ask = (init: RequestInit, query = "") => Effect.promise(() => fetch(`${url}${query}`, init))
      const statuses = yield* Effect.forEach(
        [
          ask({ headers: { authorization: "Bearer k-1" } }),
          ask({ headers: { "x-api-key": "k-1" } }),
          ask({}, "&api_key=k-1"),
          ask({}),
          ask({ headers: { authorization: "Basic k-1" } })
        ],
        (answer) => Effect.map(answer, ({ status }) => status)
      )
      assert.deepStrictEqual(statuses, [200, 200, 200, 401, 401])
    })
  )
})
