import { assert, describe, it } from "@effect/vitest"
import { Population, type Simulator } from "@lading/testing"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Source } from "@lading/core/waterfall"
import * as Company from "../Company.ts"
import { make } from "../index.ts"
import * as Person from "../Person.ts"
import { dialect, start } from "./index.ts"

const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make("simulated-key") }
const companies = Array.from({ length: 40 }, (_, index) => Population.standard.company(index))

const ask = (path: string, query: Simulator.Asked["query"], method = "GET") =>
  dialect.answer({ method, path, query, headers: {}, body: null })
const readCompany = Schema.decodeUnknownSync(Company.Company)
const readPerson = Schema.decodeUnknownSync(Person.Person)

describe("the simulator", () => {
  it("refuses a question without the vendor's minimum", () => {
    const poor: ReadonlyArray<readonly [string, Simulator.Asked["query"]]> = [
      [Company.path, {}],
      [Company.path, { website: "" }],
      [Person.path, { first_name: "Mara", last_name: "Ellison" }],
      [Person.path, { first_name: "Mara", company: "nordvik-robotics.example" }]
    ]
    for (const [path, query] of poor) assert.strictEqual(ask(path, query).status, 400)
  })

  it("takes each thing for a company: domain, other domain, URL and name", () => {
    const famous = Population.standard.company(0)
    const questions = [
      { website: famous.domain },
      { website: famous.aliases[0] ?? "" },
      { website: `https://www.${famous.domain}/about` },
      { name: famous.name.toUpperCase() }
    ]
    for (const query of questions) assert.strictEqual(ask(Company.path, query).status, 200, JSON.stringify(query))
  })

  it("sells nothing below the likelihood that is asked for", () => {
    const query = { website: "nordvik-robotics.example" }
    assert.strictEqual(ask(Company.path, { ...query, min_likelihood: "8" }).status, 200)
    assert.strictEqual(ask(Company.path, { ...query, min_likelihood: "9" }).status, 404)
  })

  it("writes lower case unless asked for titles, and the adapter reads both alike", () => {
    const query = { first_name: "Mara", last_name: "Ellison", company: "nordvik-robotics.example" }
    const lower = readPerson(ask(Person.path, query).body)
    assert.strictEqual(lower.data.full_name, "mara ellison")
    const title = readPerson(ask(Person.path, { ...query, titlecase: "true" }).body)
    assert.strictEqual(title.data.full_name, "Mara Ellison")
    assert.strictEqual(Person.facts(lower).first_name, Person.facts(title).first_name)
  })

  it("has no page at another path, and no other method", () => {
    assert.strictEqual(ask("/v5/company/search", {}).status, 405)
    assert.strictEqual(ask("/v5/company/clean", {}).body, "404 page not found")
    assert.strictEqual(ask(Company.path, { name: "Nordvik Robotics" }, "POST").status, 405)
  })
})

describe("the adapter at the simulator", () => {
  it.live("knows of companies and people what the vendor knows, and misses the others", () =>
    Effect.gen(function* () {
      const simulator = yield* start()
      const source = yield* make({ baseUrl: simulator.url })
      const seen = { Hit: 0, Miss: 0, Pending: 0 }
      for (const { domain, slug } of companies) {
        const outcome = yield* source.company?.call({ domain, name: null }, credential) ?? Effect.die("no company")
        seen[outcome._tag]++
        if (outcome._tag === "Hit") assert.include(outcome.facts.primary_domain ?? domain, slug)
      }
      assert.isAbove(seen.Hit, seen.Miss)
      assert.isAbove(seen.Miss, 0)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.live("finds the work address of everybody whose address the vendor has", () =>
    Effect.gen(function* () {
      const simulator = yield* start()
      const source = yield* make({ baseUrl: simulator.url })
      let withAddress = 0
      for (const person of companies.slice(0, 15).flatMap(Population.standard.peopleOf)) {
        const { first_name, last_name, company } = person
        const identity = { first_name, last_name, domain: company.domain }
        const outcome = yield* source.person?.call(identity, credential) ?? Effect.die("no person")
        if (outcome._tag !== "Hit") continue
        const work = outcome.facts.emails?.filter((email) => email.type === "work") ?? []
        if (work.length === 0) continue
        withAddress++
        assert.deepStrictEqual(work, [{ email: person.work_email, type: "work", status: "unknown" }])
        const [current, ...former] = (outcome.facts.employment_history ?? []).map((job) => job.is_current)
        assert.isTrue(current)
        assert.notInclude(former, true)
      }
      assert.isAbove(withAddress, 10)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.live("waits as long as the simulator says, in the vendor's way to say it", () =>
    Effect.gen(function* () {
      const simulator = yield* start()
      const source = yield* make({ baseUrl: simulator.url })
      const wait = Effect.map(
        Effect.flip(
          source.company?.call({ domain: "nordvik-robotics.example", name: null }, credential) ?? Effect.die("none")
        ),
        (error) => (error._tag === "RateLimited" ? error.retryAfter : assert.fail(error._tag))
      )
      yield* simulator.fail({ _tag: "RateLimited", retryAfterSeconds: 30 }, 1)
      yield* simulator.fail({ _tag: "RateLimited", retryAfterSeconds: null }, 1)
      const first = yield* wait
      assert.isTrue(first !== null && first > 20_000 && first <= 30_000, String(first))
      assert.isNull(yield* wait)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it("every company and person that the vendor has is read without a complaint", () => {
    const all = Array.from({ length: Population.standard.companies }, (_, index) => Population.standard.company(index))
    const people = all.flatMap(Population.standard.peopleOf)
    for (const titlecase of ["true", "false"]) {
      const ofCompanies = all.map(({ domain }) => ask(Company.path, { website: domain, titlecase }))
      const ofPeople = people.map(({ first_name, last_name, company }) =>
        ask(Person.path, { first_name, last_name, company: company.domain, titlecase })
      )
      for (const { body } of ofCompanies.filter(({ status }) => status === 200)) {
        assert.isNotNull(Company.facts(readCompany(body)).name)
      }
      for (const { body } of ofPeople.filter(({ status }) => status === 200)) {
        assert.isNotNull(Person.facts(readPerson(body)).last_name)
      }
      assert.isAbove(ofPeople.filter(({ status }) => status === 200).length, 100)
    }
  })
})
