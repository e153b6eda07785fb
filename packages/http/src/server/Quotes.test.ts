import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { Slots, Source } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Effect } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"

const ask = (server: TestServer.TestServer, body: unknown, options: TestServer.Asking = {}) =>
  Effect.promise(() => server.send("/api/quotes", { body, ...options }))

const paths = (sent: TestServer.Sent) => sent.body.error.details.map(({ path }: { readonly path: string }) => path)

describe("POST /api/quotes", () => {
  it.live("says what the request would cost, source by source; asks nobody, holds and charges nothing", () =>
    Effect.gen(function* () {
      let calls = 0
      const counted = ScriptedSource.make({ company: () => Effect.sync(() => (calls++, Source.miss)) })
      const server = yield* TestServer.make({
        slots: [
          Slots.bound("provider_a", counted),
          { name: "provider_b", source: null, credential: null, byokOnly: false }
        ]
      })
      const before = yield* server.balance
      const sent = yield* ask(server, { operation: "company", request: TestServer.acme })
      assert.strictEqual(sent.status, 200)
      assert.deepStrictEqual(sent.body.data, {
        operation: "company",
        mode: "first_match",
        price_version: "5",
        platform: 0.1,
        subjects: [
          {
            identity: { domain: "acme.example", name: null },
            worst: 1.1,
            expected: 0.6,
            steps: [
              {
                source: "provider_a",
                own_key: false,
                skipped: null,
                worst: 1,
                expected: 0.5,
                hit_rate: 0.5,
                asked_probability: 1
              },
              {
                source: "provider_b",
                own_key: false,
                skipped: "not_configured",
                worst: 0,
                expected: 0,
                hit_rate: null,
                asked_probability: 0
              }
            ]
          }
        ],
        worst: 1.1,
        expected: 0.6,
        least: 1.1,
        max_credits: null,
        held: 1.1,
        available: 1000,
        fits_max_credits: true,
        fits_balance: true
      })
      assert.deepStrictEqual(sent.body.meta, { billing: { credits_charged: 0, byok_used: false } })
      assert.strictEqual(calls, 0)
      assert.deepStrictEqual(yield* server.balance, before)
    })
  )

  it.live("is what is held then: one credit less than that is refused", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const waterfall = { mode: "aggregate", max_credits: 1.099999 }
      const quoted = yield* ask(server, { operation: "company", request: { ...TestServer.acme, waterfall } })
      assert.deepStrictEqual([quoted.body.data.least, quoted.body.data.fits_max_credits], [1.1, false])
      const tight = yield* Effect.promise(() =>
        server.send("/api/company/enrich", { body: { ...TestServer.acme, waterfall } })
      )
      assert.strictEqual(tight.status, 402)
      const enough = yield* Effect.promise(() =>
        server.send("/api/company/enrich", { body: { ...TestServer.acme, waterfall: { max_credits: 1.1 } } })
      )
      assert.strictEqual(enough.status, 200)
      assert.strictEqual((yield* server.balance).captured, Credits.fromNumber(1.1))
    })
  )

  it.live("names wrong fields beneath request, whether the schema or the slots refuse them", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const wrong = { identity: { domains: ["not a domain"] }, waterfall: { mode: "guess" } }
      const schema = yield* ask(server, { operation: "company", request: wrong })
      assert.strictEqual(schema.status, 400)
      assert.deepStrictEqual(paths(schema).sort(), ["request.identity.domains[0]", "request.waterfall.mode"])
      const slots = yield* ask(server, {
        operation: "person",
        request: { ...TestServer.mara, waterfall: { source_order: ["nobody"] } }
      })
      assert.deepStrictEqual([slots.status, paths(slots)], [400, ["request.waterfall.source_order[0]"]])
      const empty = yield* ask(server, { operation: "company", request: { identity: {} } })
      assert.deepStrictEqual([empty.status, paths(empty)], [400, ["request.identity"]])
      const operation = yield* ask(server, { operation: "trade", request: TestServer.acme })
      assert.deepStrictEqual([operation.status, paths(operation)], [400, ["operation"]])
    })
  )

  it.live("needs the scopes that the request itself would need", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* server.addKey("lad_live_companies-only", ["company"])
      const only = { key: "lad_live_companies-only" }
      const company = { operation: "company", request: TestServer.acme }
      assert.strictEqual((yield* ask(server, company, only)).status, 200)
      const person = yield* ask(server, { operation: "person", request: TestServer.mara }, only)
      assert.deepStrictEqual([person.status, person.body.error.message], [403, "The API key lacks the scope people"])
      const customs = { operation: "company", request: { ...TestServer.acme, include_customs: true } }
      assert.strictEqual((yield* ask(server, customs, only)).status, 403)
      assert.strictEqual((yield* ask(server, company, { key: null })).status, 401)
    })
  )
})
