/**
 * Many equal questions at the same time, over real HTTP to a real server with real adapters behind it: each vendor is asked
 * once, whoever asks and however they spell it, as long as the platform's key is used.
 */
import * as Apollo from "@lading/apollo"
import * as ApolloSimulator from "@lading/apollo/simulator"
import * as Hunter from "@lading/hunter"
import * as HunterSimulator from "@lading/hunter/simulator"
import * as PeopleDataLabs from "@lading/peopledatalabs"
import * as PeopleDataLabsSimulator from "@lading/peopledatalabs/simulator"
import * as Snov from "@lading/snov"
import * as SnovSimulator from "@lading/snov/simulator"
import * as Website from "@lading/website"
import * as WebsiteSimulator from "@lading/website/simulator"
import { assert, describe, it } from "@effect/vitest"
import { Slots, type Source } from "@lading/core/waterfall"
import type { Simulator } from "@lading/testing"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as TestServer from "../fixtures/TestServer.ts"

const STORM = 200

const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make("platform-key") }
const client: Source.Credential = {
  _tag: "Client",
  id: Redacted.make("platform"),
  secret: Redacted.make("platform-secret")
}

/** Vendors that take their time, so that all questions are in the air before the first answer, and a server on them. */
const world = Effect.gen(function* () {
  const vendors = {
    provider_a: yield* ApolloSimulator.start(),
    provider_b: yield* SnovSimulator.start({ polls: 0 }),
    provider_c: yield* HunterSimulator.start(),
    provider_d: yield* PeopleDataLabsSimulator.start(),
    website: yield* WebsiteSimulator.start()
  }
  const at = (slot: keyof typeof vendors) => ({ baseUrl: vendors[slot].url })
  const slots = [
    Slots.bound("provider_a", yield* Apollo.make(at("provider_a")), key),
    Slots.bound(
      "provider_b",
      yield* Snov.make({ ...at("provider_b"), pace: { first: 0, every: 1, patience: 15_000 } }),
      client
    ),
    Slots.bound("provider_c", yield* Hunter.make(at("provider_c")), key),
    Slots.bound("provider_d", yield* PeopleDataLabs.make(at("provider_d")), key),
    Slots.bound("website", yield* Website.make(at("website")))
  ]
  for (const vendor of Object.values(vendors)) yield* vendor.fail({ _tag: "Slow", millis: 250 })
  return { vendors, server: yield* TestServer.make({ slots }) }
}).pipe(Effect.provide(FetchHttpClient.layer))

type World = Effect.Success<typeof world>

/** What each vendor was asked. */
const asked = ({ vendors }: World) =>
  Effect.forEach(Object.entries(vendors), ([slot, { calls }]: readonly [string, Simulator.Simulator]) =>
    Effect.map(calls, (all) => ({
      slot,
      requests: all
        // A hash of Snov.io's is another one each time.
        .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{32}$/, "{task_hash}")}`)
        .toSorted()
    }))
  )

const send = ({ server }: World, path: string, body: object, own: string = server.key) =>
  Effect.promise(() => server.send(path, { body, key: own }))

/** The fields that sources filled; what the request said itself stays as each spelt it. */
const learnt = ({ company, meta, person }: TestServer.Sent["body"]) => {
  const sources: object = company?.field_sources ?? meta.field_sources
  return Object.entries(company?.profile ?? person).filter(([field]) => {
    const source: unknown = Reflect.get(sources, field)
    return source !== undefined && source !== "request"
  })
}

const aggregate = { mode: "aggregate", timeout_ms: 20_000 }

const companies = [
  "nordvik-robotics.example",
  "NORDVIK-Robotics.Example",
  "www.nordvik-robotics.example",
  "nordvik-robotics.example."
]
const people = [
  ["Mara", "Ellison"],
  ["mara", "ELLISON"],
  [" Mara ", "Ellison "]
] as const

const questions = {
  company: {
    path: "/api/company/enrich",
    body: (index: number) => ({ identity: { domains: [companies[index % companies.length]] }, waterfall: aggregate })
  },
  person: {
    path: "/api/people/enrich",
    body: (index: number) => {
      const [first_name, last_name] = people[index % people.length] ?? people[0]
      return { identity: { first_name, last_name, domain: companies[index % companies.length] }, waterfall: aggregate }
    }
  }
}

describe("a storm of equal questions", () => {
  for (const [operation, { body, path }] of Object.entries(questions)) {
    it.live(`${STORM} about one ${operation}, written in many ways, ask each vendor once and agree`, () =>
      Effect.gen(function* () {
        const alone = yield* world
        assert.strictEqual((yield* send(alone, path, body(0))).status, 200)
        const once = yield* asked(alone)
        assert.isNotEmpty(once.flatMap(({ requests }) => requests))

        const crowd = yield* world
        const others = yield* Effect.forEach(Array.from({ length: 4 }), (_, index) =>
          crowd.server.addAccount(`account-${index}`, `lad_live_key-of-account-${index}-in-a-storm`)
        )
        const keys = [crowd.server.key, ...others]
        const sent = yield* Effect.forEach(
          Array.from({ length: STORM }),
          (_, index) => send(crowd, path, body(index), keys[index % keys.length]),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(sent.map(({ status }) => status)), new Set([200]))
        assert.deepStrictEqual(yield* asked(crowd), once)
        const [first, ...rest] = sent.map(({ body }) => learnt(body))
        assert.isAbove(first?.length ?? 0, 3)
        for (const answer of rest) assert.deepStrictEqual(answer, first)
      })
    )
  }

  it.live("own keys are each account's own: nobody else's call answers for them", () =>
    Effect.gen(function* () {
      const crowd = yield* world
      const keys = yield* Effect.forEach(Array.from({ length: 8 }), (_, index) =>
        crowd.server.addAccount(`owner-${index}`, `lad_live_key-of-owner-${index}-with-own-keys`)
      )
      const { path } = questions.company
      const of = (index: number) => ({
        ...questions.company.body(index),
        waterfall: { ...aggregate, source_order: ["provider_c"], byok: { provider_c_api_key: `own-key-${index}` } }
      })
      const platform = { ...questions.company.body(0), waterfall: { ...aggregate, source_order: ["provider_c"] } }
      const own = keys.map((one, index) => send(crowd, path, of(index), one))
      const sent = yield* Effect.all([...own, send(crowd, path, platform), send(crowd, path, platform)], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        sent.map(({ body }) => body.meta.billing.byok_used),
        [...keys.map(() => true), false, false]
      )
      const calls = yield* crowd.vendors.provider_c.calls
      assert.strictEqual(calls.length, keys.length + 1)
    })
  )
})
