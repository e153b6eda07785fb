/**
 * Core: the use cases, wired. `layer` wants the ports of an installation; `layerMemory` brings them all along, so that
 * a service, a script or a test embeds the whole core with its sources and nothing else.
 */
import { Layer } from "effect"
import { CircuitBreaker, RateLimiter } from "effect/persistence"
import * as Accounts from "./account/Accounts.ts"
import * as Suppression from "./account/Suppression.ts"
import * as Billing from "./billing/Billing.ts"
import * as Ledger from "./billing/Ledger.ts"
import * as PriceBook from "./billing/PriceBook.ts"
import * as CompanyEnrichment from "./company/CompanyEnrichment.ts"
import { CompanySubject } from "./company/CompanySubject.ts"
import * as PersonEnrichment from "./person/PersonEnrichment.ts"
import { PersonSubject } from "./person/PersonSubject.ts"
import * as AnswerCache from "./waterfall/AnswerCache.ts"
import * as HitRates from "./waterfall/HitRates.ts"
import * as Replay from "./waterfall/Replay.ts"
import * as RunLog from "./waterfall/RunLog.ts"
import * as Slots from "./waterfall/Slots.ts"
import * as Waterfall from "./waterfall/Waterfall.ts"

export interface Options {
  readonly prices?: PriceBook.PriceBook
  readonly policy?: Waterfall.Policy
}

/** Replays of every operation that core knows. */
const layerReplay = Replay.layer({ company: Replay.of(CompanySubject), person: Replay.of(PersonSubject) })

/**
 * The use cases over the ports of an installation. Fresh, so that two cores in one program are two: a layer that is the
 * same value would be built once, with the ports of whichever came first.
 */
export const layer = (options?: Options) => {
  const policy = options?.policy ?? Waterfall.defaults
  return Layer.fresh(Layer.mergeAll(CompanyEnrichment.layer, PersonEnrichment.layer, layerReplay)).pipe(
    Layer.provide([Waterfall.layer(policy), Billing.layer(options?.prices ?? PriceBook.standard)])
  )
}

/** Circuits and limits in this process. */
export const layerLimits: Layer.Layer<CircuitBreaker.CircuitBreakerStore | RateLimiter.RateLimiterStore> = Layer.merge(
  CircuitBreaker.layerStoreMemory(),
  RateLimiter.layerStoreMemory
)

/**
 * The use cases with every port in memory. Nothing is billed unless a ledger is given, e.g. `Ledger.layerMemory`.
 */
export const layerMemory = (
  slots: ReadonlyArray<Slots.Slot>,
  options?: Options & { readonly ledger?: Layer.Layer<Ledger.Ledger> }
) => layerMemoryOver(Slots.layer(slots), options)

/** The same over slots that have to be made first. */
export const layerMemoryOver = <E, R>(
  slots: Layer.Layer<Slots.Slots, E, R>,
  options?: Options & { readonly ledger?: Layer.Layer<Ledger.Ledger> }
) =>
  layer(options).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        slots,
        Layer.fresh(
          Layer.mergeAll(
            AnswerCache.layerMemory,
            HitRates.layerMemory,
            Accounts.layerMemory,
            RunLog.layerMemory,
            Suppression.layerMemory,
            layerLimits
          )
        ),
        options?.ledger ?? Ledger.layerUnmetered
      )
    )
  )
