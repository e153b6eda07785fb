/**
 * What customs records say of a company, for enrichments with `include_customs`: the trader with its domain, else with its
 * name in its country. It costs nothing more, and never fails a request: who cannot be asked in time says nothing.
 *
 * What enrichments say of companies is learnt on the way: their domains are how traders are found later.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { profileOf, RoleProfile } from "../trade/CustomsAnswer.ts"
import * as HsCode from "../trade/HsCode.ts"
import * as TraderLookup from "../trade/search/TraderLookup.ts"
import { TradeStore } from "../trade/TradeStore.ts"
import { type Known, TraderDomains } from "../trade/TraderDomains.ts"
import type { CompanyProfile } from "./CompanyProfile.ts"

export const CompanyCustoms = Schema.Struct({
  company_id: Schema.String,
  name: Schema.String,
  match_score: Schema.Finite.annotate({ description: "0 to 1; 1 where the domain is known to be the trader's" }),
  as_importer: Schema.NullOr(RoleProfile),
  as_exporter: Schema.NullOr(RoleProfile)
}).annotate({ identifier: "CompanyCustoms" })
export type CompanyCustoms = typeof CompanyCustoms.Type

/** What is known of a company. */
type Company = Pick<CompanyProfile, "name" | "primary_domain" | "hq">

export class CompanyTrade extends Context.Service<
  CompanyTrade,
  {
    /** `null` where no trader matches, or none could be asked for before the deadline (epoch milliseconds). */
    readonly find: (company: Company, deadline: number) => Effect.Effect<CompanyCustoms | null>
    /** Remembers whose domain it is; in the background, and without failing. */
    readonly learn: (company: Company, nameSource: string | undefined) => Effect.Effect<void>
  }
>()("@lading/core/company/CompanyTrade") {}

/** For embedders without customs records. */
export const layerNone: Layer.Layer<CompanyTrade> = Layer.succeed(CompanyTrade, {
  find: () => Effect.succeed(null),
  learn: () => Effect.void
})

interface Meant {
  readonly trader_id: string
  readonly score: number
}

interface Means {
  readonly store: TradeStore["Service"]
  readonly domains: TraderDomains["Service"]
  readonly hs: HsCode.HsList
}

const byName = Effect.fnUntraced(function* ({ store }: Means, { country, name }: Omit<Known, "trader_id">) {
  if (name === null || country === null) return null
  const [best] = yield* TraderLookup.find(store, { name, country })
  // A name means a trader of its own country only.
  return best === undefined || best.candidate.country !== country
    ? null
    : { trader_id: best.candidate.trader_id, score: best.score }
})

const byDomain = Effect.fnUntraced(function* (means: Means, domain: string | null) {
  const known = domain === null ? [] : yield* means.domains.traders(domain)
  for (const one of known) {
    const meant: Meant | null =
      one.trader_id === null ? yield* byName(means, one) : { trader_id: one.trader_id, score: 1 }
    if (meant !== null) return meant
  }
  return null
})

const found = Effect.fnUntraced(function* (means: Means, { hq, name, primary_domain }: Company) {
  const meant = (yield* byDomain(means, primary_domain)) ?? (yield* byName(means, { name, country: hq.country_code }))
  const details = meant === null ? null : yield* means.store.details(meant.trader_id)
  if (meant === null || details === null) return null
  const { as_exporter, as_importer } = details
  return {
    company_id: details.trader_id,
    name: details.name,
    match_score: Math.round(meant.score * 1000) / 1000,
    as_importer: as_importer === null ? null : profileOf(means.hs, as_importer),
    as_exporter: as_exporter === null ? null : profileOf(means.hs, as_exporter)
  }
})

/** Where there are no records, that is no news. */
const complain = (error: { readonly _tag: string }) =>
  error._tag === "TradeStoreAbsent" ? Effect.void : Effect.logWarning("customs of a company unknown", error._tag)

const make = Effect.gen(function* () {
  const means: Means = { store: yield* TradeStore, domains: yield* TraderDomains, hs: yield* HsCode.List }
  const scope = yield* Effect.scope
  return CompanyTrade.of({
    find: Effect.fnUntraced(function* (company, deadline) {
      const left = deadline - (yield* Clock.currentTimeMillis)
      return yield* found(means, company).pipe(
        Effect.timeoutOrElse({ duration: Math.max(0, left), orElse: () => Effect.succeed(null) }),
        Effect.catch((error) => Effect.as(complain(error), null))
      )
    }),
    // A name that the request itself says is anybody's word.
    learn: ({ hq, name, primary_domain }, nameSource) => {
      const country = hq.country_code
      if (name === null || primary_domain === null || country === null) return Effect.void
      if (nameSource === undefined || nameSource === "request") return Effect.void
      const entry = { trader_id: null, name, country, domain: primary_domain, origin: "enrichment" as const }
      return means.domains.learn(entry).pipe(
        Effect.catch((error) => complain(error)),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    }
  })
})

export const layer: Layer.Layer<CompanyTrade, never, TradeStore | TraderDomains> = Layer.effect(CompanyTrade, make)
