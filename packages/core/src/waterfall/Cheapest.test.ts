import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Effect, Schema } from "effect"
import { CompanyEnrichment } from "../company/index.ts"
import { Core } from "../index.ts"
import { Caller } from "../request/index.ts"
import * as HitRates from "./HitRates.ts"
import * as Replay from "./Replay.ts"
import type { Mode } from "./Plan.ts"
import * as Source from "./Source.ts"

let requests = 0
const nextId = () => `req_${++requests}`

const ask = (waterfall: { readonly source_order?: "cheapest"; readonly mode?: Mode }, id = nextId()) =>
  Effect.gen(function* () {
    const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
    const request = yield* Schema.decodeUnknownEffect(CompanyEnrichment.CompanyEnrichmentRequest)({
      identity: { domains: ["acme.example"] },
      waterfall: { max_cache_age_s: 0, ...waterfall }
    })
    return (yield* enrich(request, Caller.embedded(id, 0))).answer
  })

const slots = ["a", "b", "c"].map((name) => ({
  name,
  source: ScriptedSource.knowing({ name: `Acme by ${name}`, description: `by ${name}` }),
  credential: { _tag: "None" } as const,
  byokOnly: false
}))

/** So many hits and misses of a slot. */
const seen = (source: string, hits: number, misses: number) =>
  Effect.flatMap(HitRates.HitRates, ({ record }) =>
    Effect.forEach(
      Array.from({ length: hits + misses }, (_, index) => index < hits),
      (hit) => record({ operation: "company", source, adapter: "scripted@1", segment: "domain", hit }),
      { discard: true }
    )
  )

describe('source_order: "cheapest"', () => {
  it.effect("asks by measured hit rate where all cost the same, says why, and the run replays in that order", () =>
    Effect.gen(function* () {
      yield* seen("b", 90, 10)
      yield* seen("c", 10, 90)
      const id = nextId()
      const { company, meta } = yield* ask({ source_order: "cheapest", mode: "aggregate" }, id)
      assert.deepStrictEqual(meta.waterfall.sources_attempted, ["b", "a", "c"])
      assert.strictEqual(company.name, "Acme by b")
      assert.deepStrictEqual(
        meta.waterfall.source_ranking?.map(({ source, rank, expected_cost, observations }) => [
          source,
          rank,
          expected_cost,
          observations
        ]),
        [
          ["b", 1, 1, 100],
          ["a", 2, 1, 0],
          ["c", 3, 1, 100]
        ]
      )
      const report = yield* (yield* Replay.Replay).replay(id)
      assert.isTrue(report.same)
      assert.deepStrictEqual(
        report.subjects[0]?.sources.map(({ source }) => source),
        ["b", "a", "c"]
      )
    }).pipe(Effect.provide(Core.layerMemory(slots)))
  )

  it.effect("is learnt from answers, and left out of requests that did not ask for it", () => {
    const empty = ScriptedSource.make({ company: () => Effect.succeed(Source.miss) })
    const learning = slots.map((slot) => (slot.name === "a" ? { ...slot, source: empty } : slot))
    return Effect.gen(function* () {
      const first = yield* ask({ source_order: "cheapest" })
      assert.deepStrictEqual(first.meta.waterfall.sources_attempted, ["a", "b"])
      const second = yield* ask({ source_order: "cheapest" })
      assert.deepStrictEqual(second.meta.waterfall.sources_attempted, ["b"])
      assert.deepStrictEqual(
        second.meta.waterfall.sources_skipped.map(({ source }) => source),
        ["c", "a"]
      )
      const plain = yield* ask({})
      assert.deepStrictEqual(plain.meta.waterfall.sources_attempted, ["a", "b"])
      assert.notProperty(plain.meta.waterfall, "source_ranking")
    }).pipe(Effect.provide(Core.layerMemory(learning)))
  })
})
