import { assert, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { Slots } from "@lading/core/waterfall"
import { Population } from "@lading/testing"
import * as Plain from "@lading/testing/plain"
import { start } from "@lading/testing/plain/simulator"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as TestServer from "../fixtures/TestServer.ts"

/** Companies that both vendors know. */
const known = Array.from({ length: 40 }, (_, index) => Population.standard.company(index)).filter((company) =>
  [1, 2].every((seed) => Population.viewCompany(seed, company) !== null)
)

/** As many answers as it takes until a source can be late. */
const enough = 20

it.live("over HTTP a vendor that hangs is hedged by the next one, which answers alone and is charged alone", () =>
  Effect.gen(function* () {
    const [one, two] = [yield* start({ seed: 1 }), yield* start({ seed: 2 })]
    const slots = yield* Effect.forEach([one, two], (vendor, index) =>
      Effect.map(Plain.make({ baseUrl: vendor.url }), (source) =>
        Slots.bound(`provider_${"ab"[index]}`, source, { _tag: "ApiKey", key: Redacted.make("synthetic-key") })
      )
    ).pipe(Effect.provide(FetchHttpClient.layer))
    const server = yield* TestServer.make({ slots })
    const [late, ...others] = known
    const enrich = (domain: string | undefined, waterfall: object) =>
      Effect.promise(() => server.send("/api/company/enrich", { body: { identity: { domains: [domain] }, waterfall } }))
    for (let turn = 0; turn < enough; turn++) {
      const domain = others[turn % others.length]?.domain
      yield* enrich(domain, { source_order: ["provider_a"], max_cache_age_s: 0 })
    }
    const before = yield* server.balance
    yield* one.fail({ _tag: "Hang" })
    const sent = yield* enrich(late?.domain, { hedge: true })
    assert.strictEqual(sent.status, 200)
    const { hedged, sources_attempted, total_latency_ms } = sent.body.meta.waterfall
    assert.deepStrictEqual(hedged, [{ source: "provider_a", by: "provider_b" }])
    assert.deepStrictEqual(sources_attempted, ["provider_a", "provider_b"])
    // Alone, the hanging vendor would have been waited for until half of the 20 s are over.
    assert.isBelow(total_latency_ms, 5000)
    assert.strictEqual(sent.body.meta.billing.credits_charged, 1.1)
    const { captured, held } = yield* server.balance
    assert.deepStrictEqual([captured - before.captured, held], [Credits.fromNumber(1.1), 0])
  })
)

it.live("hedging is refused where all are asked at once", () =>
  Effect.gen(function* () {
    const server = yield* TestServer.make()
    const waterfall = { mode: "aggregate", hedge: true }
    const sent = yield* Effect.promise(() =>
      server.send("/api/company/enrich", { body: { ...TestServer.acme, waterfall } })
    )
    assert.deepStrictEqual([sent.status, sent.body.error.details[0].path], [400, "waterfall.hedge"])
  })
)
