import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts } from "@lading/core/company"
import { PersonFacts } from "@lading/core/person"
import { Population } from "@lading/testing"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Apollo from "../index.ts"
import * as Simulator from "./index.ts"

const population = Population.standard
const key = { _tag: "ApiKey", key: Redacted.make("any-key-at-all") } as const

const apollo = Effect.fnUntraced(function* () {
  const simulator = yield* Simulator.start()
  const source = yield* Apollo.make({ baseUrl: simulator.url }).pipe(Effect.provide(FetchHttpClient.layer))
  return { simulator, company: source.company!, person: source.person! }
})

const companies = Array.from({ length: population.companies }, (_, index) => population.company(index))

const countHits = (outcomes: ReadonlyArray<{ readonly _tag: string }>) =>
  outcomes.filter((outcome) => outcome._tag === "Hit").length

describe("Apollo's simulator", () => {
  it.live("knows Mara Ellison and Nordvik Robotics", () =>
    Effect.gen(function* () {
      const { company, person } = yield* apollo()
      const nordvik = yield* company.call({ domain: "nordvik-robotics.example", name: null }, key)
      assert(nordvik._tag === "Hit")
      assert.strictEqual(nordvik.facts.primary_domain, "nordvik-robotics.example")
      assert.isNumber(nordvik.facts.estimated_employee_count)
      const names = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
      const mara = yield* person.call(names, key)
      assert(mara._tag === "Hit")
      assert.strictEqual(mara.facts.current_title, "Head of Procurement")
      assert.deepStrictEqual(mara.facts.emails?.[0], {
        email: "mara.ellison@nordvik-robotics.example",
        type: "work",
        status: "valid"
      })
    })
  )

  it.live("writes request_id as an integer that no number holds, and the adapter keeps its digits", () =>
    Effect.gen(function* () {
      const { person, simulator } = yield* apollo()
      const url = `${simulator.url}/api/v1/people/match?first_name=Mara&last_name=Ellison&domain=nordvik-robotics.example`
      const text = yield* Effect.promise(() =>
        fetch(url, { method: "POST", headers: { "x-api-key": "k-1" } }).then((answer) => answer.text())
      )
      assert.match(text, /"request_id":1039995589705121901\b/)
      assert.notStrictEqual(String(JSON.parse(text).request_id), "1039995589705121901")
      const names = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
      const outcome = yield* person.call(names, key)
      assert(outcome._tag === "Hit")
      assert.deepInclude(outcome.raw, { request_id: "1039995589705121901" })
    })
  )

  it.live("answers for every company in a shape that the adapter reads, and does not know all of them", () =>
    Effect.gen(function* () {
      const { company } = yield* apollo()
      const outcomes = yield* Effect.forEach(companies, ({ domain }) => company.call({ domain, name: null }, key))
      for (const outcome of outcomes) if (outcome._tag === "Hit") Schema.decodeSync(CompanyFacts)(outcome.facts)
      assert.isAbove(countHits(outcomes), companies.length / 2)
      assert.isBelow(countHits(outcomes), companies.length)
    })
  )

  it.live("answers for every person in a shape that the adapter reads, and does not know all of them", () =>
    Effect.gen(function* () {
      const { person } = yield* apollo()
      const people = companies.slice(0, 40).flatMap(population.peopleOf)
      const outcomes = yield* Effect.forEach(people, ({ company: { domain }, first_name, last_name }) =>
        person.call({ first_name, last_name, domain }, key)
      )
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome._tag !== "Hit") continue
        Schema.decodeSync(PersonFacts)(outcome.facts)
        assert.strictEqual(outcome.facts.last_name, people[index]?.last_name)
        assert.deepStrictEqual(
          outcome.facts.employment_history?.map(({ is_current }) => is_current),
          outcome.facts.employment_history?.map((_, position) => position === 0)
        )
      }
      assert.isAbove(countHits(outcomes), people.length / 3)
      assert.isBelow(countHits(outcomes), people.length)
    })
  )

  it.live("reads the query only: what stands in a body matches nobody", () =>
    Effect.gen(function* () {
      const { simulator } = yield* apollo()
      const body = JSON.stringify({ first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" })
      const headers = { "x-api-key": "k-1", "content-type": "application/json" }
      const answer = yield* Effect.promise(() =>
        fetch(`${simulator.url}/api/v1/people/match`, { method: "POST", headers, body }).then((sent) => sent.json())
      )
      assert.isNull(answer.person)
    })
  )

  it.live("refuses a request without its parameter, another path and another method", () =>
    Effect.gen(function* () {
      const { simulator } = yield* apollo()
      const statusOf = (method: string, path: string) =>
        Effect.promise(() =>
          fetch(`${simulator.url}${path}`, { method, headers: { authorization: "Bearer k-1" } }).then(
            ({ status }) => status
          )
        )
      assert.strictEqual(yield* statusOf("GET", "/api/v1/organizations/enrich"), 422)
      assert.strictEqual(yield* statusOf("POST", "/api/v1/organizations/enrich"), 404)
      assert.strictEqual(yield* statusOf("GET", "/v1/organizations/enrich?domain=nordvik-robotics.example"), 404)
    })
  )
})
