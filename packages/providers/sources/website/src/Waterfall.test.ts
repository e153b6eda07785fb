/** Sites in the waterfall: what they cost, and what one that is down says of the others. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Caller } from "@lading/core/request"
import { Guard, Slots, Waterfall } from "@lading/core/waterfall"
import { Effect, Layer } from "effect"
import * as Website from "./index.ts"
import * as Hostile from "./simulator/Hostile.ts"
import * as Server from "./simulator/Server.ts"

const broken = Hostile.status(503)

const sites = {
  ...Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.example`, broken])),
  "acme.example": Hostile.site({ "/": "<title>Acme</title><meta name=description content='Here.'>" })
}

const ask = Effect.fnUntraced(function* (domain: string) {
  const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
  return yield* Effect.match(
    enrich(
      { identity: { domains: [domain] }, waterfall: { max_cache_age_s: 0 } },
      Caller.embedded(`req_${domain}`, Date.now(), "acc")
    ),
    {
      onFailure: ({ _tag }): string => _tag,
      onSuccess: ({ answer: { company, meta } }) =>
        [company.profile.description, ...meta.waterfall.sources_skipped.map(({ reason }) => reason)].join(" ")
    }
  )
})

describe("sites in the waterfall", () => {
  it.live("cost the platform's fee and nothing else, and are asked about companies only", () =>
    Effect.gen(function* () {
      const server = yield* Server.start(sites)
      const website = yield* Website.make({ baseUrl: server.url })
      yield* Effect.gen(function* () {
        const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
        const caller = Caller.embedded("req_1", Date.now(), "acc")
        const { answer } = yield* enrich({ identity: { domains: ["acme.example"] } }, caller)
        assert.strictEqual(answer.company.field_sources["description"], "website")
        assert.strictEqual(answer.meta.billing.credits_charged, 0.1)
        const persons = yield* PersonEnrichment.PersonEnrichment
        const mara = { first_name: "Mara", last_name: "Ellison", domain: "acme.example" }
        const person = yield* persons.enrich({ identity: mara }, Caller.embedded("req_2", Date.now(), "acc"))
        assert.deepStrictEqual(person.answer.meta.waterfall.sources_skipped, [
          { source: "website", reason: "unsupported_operation" }
        ])
      }).pipe(Effect.provide(Layer.fresh(Core.layerMemory([Slots.bound("website", website)]))))
    })
  )

  it.live("a site that fails is left alone for a while, and the next site is asked", () =>
    Effect.gen(function* () {
      const server = yield* Server.start(sites)
      const website = yield* Website.make({ baseUrl: server.url })
      const policy = { ...Waterfall.defaults, guard: { ...Guard.defaults, failures: 2, attempts: 1 } }
      const core = Core.layerMemory([Slots.bound("website", website)], { policy })
      yield* Effect.gen(function* () {
        for (const domain of ["a.example", "b.example", "c.example", "a.example"]) {
          assert.strictEqual(yield* ask(domain), "SourcesUnavailable", domain)
        }
        const asked = (yield* server.asked).length
        assert.strictEqual(asked, 4)
        assert.strictEqual(yield* ask("a.example"), "SourcesUnavailable")
        assert.strictEqual((yield* server.asked).length, asked, "its circuit is open")
        assert.strictEqual(yield* ask("acme.example"), "Here.")
      }).pipe(Effect.provide(Layer.fresh(core)))
    })
  )
})
