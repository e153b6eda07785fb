import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts } from "@lading/core/company"
import { PersonFacts } from "@lading/core/person"
import { Population } from "@lading/testing"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Snov from "../index.ts"
import * as Simulator from "./index.ts"

const population = Population.standard
const client = { _tag: "Client", id: Redacted.make("any-client"), secret: Redacted.make("any-secret") } as const

const snov = Effect.fnUntraced(function* () {
  const simulator = yield* Simulator.start({ polls: 0 })
  const source = yield* Snov.make({ baseUrl: simulator.url, pace: { first: 0, every: 1 } }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
  return { simulator, company: source.company!, person: source.person! }
})

const companies = Array.from({ length: population.companies }, (_, index) => population.company(index))

const countHits = (outcomes: ReadonlyArray<{ readonly _tag: string }>) =>
  outcomes.filter((outcome) => outcome._tag === "Hit").length

/** One request as any client makes it: status and body. */
const ask = (url: string, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, init)
    return { status: answer.status, body: await answer.json() }
  })

const form = (fields: Record<string, string>, token?: string): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
  ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
})

const tokenOf = (url: string, client_id = "a", client_secret = "b") =>
  Effect.map(
    ask(url, "/v1/oauth/access_token", form({ grant_type: "client_credentials", client_id, client_secret })),
    ({ body }): string => body.access_token
  )

describe("Snov.io's simulator", () => {
  it.live("knows Mara Ellison and Nordvik Robotics", () =>
    Effect.gen(function* () {
      const { company, person } = yield* snov()
      const nordvik = yield* company.call({ domain: "nordvik-robotics.example", name: null }, client)
      assert(nordvik._tag === "Hit")
      assert.strictEqual(nordvik.facts.primary_domain, "nordvik-robotics.example")
      assert.hasAllKeys(nordvik.facts.estimated_employee_count, ["min", "max", "text"])
      const names = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
      const mara = yield* person.call(names, client)
      assert(mara._tag === "Hit")
      assert.strictEqual(mara.facts.current_title, "Head of Procurement")
      assert.deepStrictEqual(mara.facts.emails, [
        { email: "mara.ellison@nordvik-robotics.example", type: "work", status: "valid" }
      ])
    })
  )

  it.live("answers for every company in a shape that the adapter reads, and does not know all of them", () =>
    Effect.gen(function* () {
      const { company } = yield* snov()
      const outcomes = yield* Effect.forEach(companies, ({ domain }) => company.call({ domain, name: null }, client))
      for (const outcome of outcomes) if (outcome._tag === "Hit") Schema.decodeSync(CompanyFacts)(outcome.facts)
      assert.isAbove(countHits(outcomes), companies.length / 2)
      assert.isBelow(countHits(outcomes), companies.length)
    })
  )

  it.live("answers for every person in a shape that the adapter reads, and does not know all of them", () =>
    Effect.gen(function* () {
      const { person } = yield* snov()
      const people = companies.slice(0, 40).flatMap(population.peopleOf)
      const outcomes = yield* Effect.forEach(people, ({ company: { domain }, first_name, last_name }) =>
        person.call({ first_name, last_name, domain }, client)
      )
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome._tag !== "Hit") continue
        Schema.decodeSync(PersonFacts)(outcome.facts)
        assert.strictEqual(outcome.facts.last_name, people[index]?.last_name)
      }
      assert.isAbove(countHits(outcomes), people.length / 3)
      assert.isBelow(countHits(outcomes), people.length)
    })
  )

  it.live("gives tokens for clients, takes them as bearers, and no others, ended ones or other methods", () =>
    Effect.gen(function* () {
      const simulator = yield* Simulator.start({ credentials: ["a:b"] })
      const { url } = simulator
      const start = (token: string) =>
        Effect.map(
          ask(url, "/v2/domain-search/start", form({ domain: "nordvik-robotics.example" }, token)),
          ({ status }) => status
        )
      const token = yield* tokenOf(url)
      assert.strictEqual(yield* start(token), 200)
      assert.strictEqual(yield* start("another"), 401)
      assert.isUndefined(yield* tokenOf(url, "a", "wrong"))
      yield* simulator.expireTokens
      assert.strictEqual(yield* start(token), 401)
      const newer = yield* tokenOf(url)
      assert.strictEqual(yield* start(newer), 200)
      const headers = { authorization: `Bearer ${newer}` }
      assert.strictEqual((yield* ask(url, "/v2/domain-search/start", { headers })).status, 404)
      assert.strictEqual((yield* ask(url, "/v2/domain-search/start", form({}, newer))).status, 422)
    })
  )

  it.live("ends tokens when their time is over", () =>
    Effect.gen(function* () {
      const { url } = yield* Simulator.start({ expiresIn: 0 })
      const token = yield* tokenOf(url)
      const fields = form({ email: "mara.ellison@nordvik-robotics.example" }, token)
      assert.strictEqual((yield* ask(url, "/v1/get-profile-by-email", fields)).status, 401)
    })
  )

  it.live("works on a task for as long as it is told to, and shows it to nobody else", () =>
    Effect.gen(function* () {
      const { url } = yield* Simulator.start({ polls: 2 })
      const [mine, other] = [yield* tokenOf(url), yield* tokenOf(url, "c", "d")]
      const started = yield* ask(url, "/v2/domain-search/start", form({ domain: "nordvik-robotics.example" }, mine))
      const hash: string = started.body.meta.task_hash
      const look = (token: string) =>
        ask(url, `/v2/domain-search/result/${hash}`, { headers: { authorization: `Bearer ${token}` } })
      assert.strictEqual((yield* look(other)).status, 404)
      const statuses = [yield* look(mine), yield* look(mine), yield* look(mine)].map(({ body }) => body.status)
      assert.deepStrictEqual(statuses, ["in progress", "in progress", "completed"])
    })
  )
})
