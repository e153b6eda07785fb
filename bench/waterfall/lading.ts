/** The job done by Lading's core: `CompanyEnrichment` over four sources in memory, with a ledger in memory. */
import { Core } from "@lading/core"
import { Credits, Ledger } from "@lading/core/billing"
import { CompanyEnrichment, type CompanyFacts } from "@lading/core/company"
import { Slots, Source } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Clock, Effect, ManagedRuntime } from "effect"
import type { Result } from "./company.ts"

type Ask = (domain: string) => Promise<CompanyFacts | null>

export const make = async (sources: ReadonlyArray<readonly [string, Ask]>) => {
  const slots = sources.map(([name, ask]) =>
    Slots.bound(
      name,
      ScriptedSource.make({
        limits: { rate: { calls: 1_000_000, window: 1000 } },
        company: ({ domain }) =>
          Effect.map(
            Effect.promise(() => ask(domain ?? "")),
            (facts) => (facts === null ? Source.miss : Source.hit(facts, {}))
          )
      })
    )
  )
  const runtime = ManagedRuntime.make(Core.layerMemory(slots, { ledger: Ledger.layerMemory }))
  await runtime.runPromise(
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const amount = Credits.Credits.make(Number.MAX_SAFE_INTEGER - 1)
      yield* ledger.grant({ account: "bench", amount, expires_at: null, key: "grant", reason: "bench" })
    })
  )
  const enrichment = await runtime.runPromise(Effect.service(CompanyEnrichment.CompanyEnrichment))
  let count = 0
  const ask = (domain: string, maxAge: number): Promise<Result> =>
    runtime.runPromise(
      Effect.gen(function* () {
        const { answer } = yield* enrichment.enrich(
          { identity: { domains: [domain] }, waterfall: { mode: "aggregate", max_cache_age_s: maxAge / 1000 } },
          {
            account: "bench",
            api_key: null,
            request_id: `req_${count++}`,
            received_at: yield* Clock.currentTimeMillis,
            idempotency: null
          }
        )
        const { company, meta } = answer
        return {
          profile: company.profile,
          field_sources: company.field_sources,
          credits: meta.billing.credits_charged
        }
      })
    )
  return { ask, dispose: () => runtime.dispose() }
}
