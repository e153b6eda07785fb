/** Sites that are down, in the waterfall: each opens its own circuit and nobody else's. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { CompanyEnrichment } from "@lading/core/company"
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

describe("circuits of sites", () => {
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
