/**
 * Core: the use cases, wired. `layer` wants the ports of an installation; `layerMemory` brings them all along, so that
 * a service, a script or a test embeds the whole core with its sources and nothing else.
 */
import { Effect, Layer } from "effect"
import { CircuitBreaker, type RateLimiter } from "effect/persistence"
import { WorkflowEngine } from "effect/workflow"
import * as Accounts from "./account/Accounts.ts"
import * as Suppression from "./account/Suppression.ts"
import * as Vault from "./account/Vault.ts"
import * as VendorKeys from "./account/VendorKeys.ts"
import * as Billing from "./billing/Billing.ts"
import * as Ledger from "./billing/Ledger.ts"
import * as PriceBook from "./billing/PriceBook.ts"
import * as CompanyEnrichment from "./company/CompanyEnrichment.ts"
import type { CompanyIndex } from "./company/CompanyIndex.ts"
import * as CompanyIndexMemory from "./company/CompanyIndexMemory.ts"
import * as CompanyLearning from "./company/CompanyLearning.ts"
import * as CompanySearch from "./company/CompanySearch.ts"
import { CompanySubject } from "./company/CompanySubject.ts"
import * as CompanyTrade from "./company/CompanyTrade.ts"
import * as ContactFinder from "./contact/ContactFinder.ts"
import * as MatchedContacts from "./contact/MatchedContacts.ts"
import * as WebContacts from "./contact/WebContacts.ts"
import * as EmailTasksMemory from "./email/EmailTasksMemory.ts"
import * as EmailVerification from "./email/EmailVerification.ts"
import * as EmailVerifier from "./email/EmailVerifier.ts"
import * as EmailWorkflow from "./email/EmailWorkflow.ts"
import * as Verifying from "./email/Verifying.ts"
import * as Webhooks from "./net/Webhooks.ts"
import * as KnownPeople from "./person/KnownPeople.ts"
import * as PersonEnrichment from "./person/PersonEnrichment.ts"
import * as PersonLearning from "./person/PersonLearning.ts"
import * as PersonSearch from "./person/PersonSearch.ts"
import { PersonSubject } from "./person/PersonSubject.ts"
import * as EnrichmentStore from "./pending/EnrichmentStore.ts"
import * as Gathering from "./pending/Gathering.ts"
import * as Continuation from "./pending/Continuation.ts"
import * as PendingWorkflow from "./pending/PendingWorkflow.ts"
import * as TaskStoreMemory from "./task/TaskStoreMemory.ts"
import * as CustomsSearch from "./trade/CustomsSearch.ts"
import * as MarketAnalytics from "./trade/MarketAnalytics.ts"
import * as TraderDomains from "./trade/TraderDomains.ts"
import * as TradeStore from "./trade/TradeStore.ts"
import * as Allowances from "./waterfall/Allowances.ts"
import * as AnswerCache from "./waterfall/AnswerCache.ts"
import * as HitRates from "./waterfall/HitRates.ts"
import * as Replay from "./waterfall/Replay.ts"
import * as RunLog from "./waterfall/RunLog.ts"
import * as Slots from "./waterfall/Slots.ts"
import * as TokenBuckets from "./waterfall/TokenBuckets.ts"
import * as Waterfall from "./waterfall/Waterfall.ts"

export interface Options {
  readonly prices?: PriceBook.PriceBook
  readonly policy?: Waterfall.Policy
}

/** Replays of every operation that core knows. */
const layerReplay = Replay.layer({ company: Replay.of(CompanySubject), person: Replay.of(PersonSubject) })

/** How the enrichments that core knows go on after their requests; what comes then is remembered like what comes at once. */
const layerGathering = (policy: Waterfall.Policy) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const companies = yield* CompanyLearning.CompanyLearning
      const people = yield* PersonLearning.PersonLearning
      const continued = {
        company: CompanyEnrichment.continued.learning(companies.learn),
        person: PersonEnrichment.continued.learning((found, account) =>
          Effect.forEach(found, (one) => people.learn(one, account), { discard: true })
        )
      }
      return Gathering.layer(continued, policy)
    })
  )

/** What is asked about customs records. */
const layerCustoms = Layer.mergeAll(
  CustomsSearch.layer,
  MarketAnalytics.layer,
  WebContacts.layer,
  MatchedContacts.layer
)

/**
 * The use cases over the ports of an installation. Fresh, so that two cores in one program are two: a layer that is the
 * same value would be built once, with the ports of whichever came first.
 */
export const layer = (options?: Options) => {
  const policy = options?.policy ?? Waterfall.defaults
  return Layer.fresh(
    Layer.mergeAll(
      CompanyEnrichment.layer,
      PersonEnrichment.layer,
      CompanySearch.layer(policy.guard),
      PersonSearch.layer(policy.guard),
      VendorKeys.layer,
      EmailVerification.layer,
      layerReplay,
      layerCustoms
    )
  ).pipe(
    Layer.provide(Continuation.layer(policy)),
    Layer.provide(CompanyTrade.layer),
    Layer.merge(PendingWorkflow.layer),
    Layer.merge(EmailWorkflow.layer),
    Layer.provide(Verifying.layer),
    Layer.provide(layerGathering(policy)),
    Layer.provide([CompanyLearning.layer, PersonLearning.layer(policy.keepHit)]),
    Layer.provide([Waterfall.layer(policy), Billing.layer(options?.prices ?? PriceBook.standard)])
  )
}

/** What keeps to the limits of vendors. */
export type Limits = Allowances.Allowances | CircuitBreaker.CircuitBreakerStore | RateLimiter.RateLimiterStore

/** Circuits, limits and allowances in this process. */
export const layerLimits: Layer.Layer<Limits> = Layer.mergeAll(
  Allowances.layerMemory,
  CircuitBreaker.layerStoreMemory(),
  TokenBuckets.layerStoreMemory
)

/** For installations without customs records: what is asked about them is refused, companies are known in memory. */
export const layerWithoutTrade: Layer.Layer<TradeStore.TradeStore | ContactFinder.ContactFinder | CompanyIndex> =
  Layer.mergeAll(
    TradeStore.layerAbsent("there is no store of customs records here"),
    CompanyIndexMemory.layer,
    ContactFinder.layerNone
  )

/** For installations that verify no mail addresses. */
export const layerWithoutVerifier: Layer.Layer<EmailVerifier.EmailVerifier> = EmailVerifier.layerAbsent(
  "there is no verifier of mail addresses here"
)

/** Ports that are not the plain ones in memory. */
export interface Memory {
  readonly ledger?: Layer.Layer<Ledger.Ledger>
  readonly trade?: Layer.Layer<TradeStore.TradeStore>
  /** Otherwise the companies that are known are kept in memory, with the traders of `trade` as they are at first. */
  readonly companies?: Layer.Layer<CompanyIndex>
  readonly finder?: Layer.Layer<ContactFinder.ContactFinder>
  readonly verifier?: Layer.Layer<EmailVerifier.EmailVerifier>
  readonly domains?: ReadonlyArray<TraderDomains.Entry>
  /** Limits of vendors that others count too. */
  readonly limits?: Layer.Layer<Limits>
}

/**
 * The use cases with every port in memory. Nothing is billed unless a ledger is given, e.g. `Ledger.layerMemory`.
 */
export const layerMemory = (slots: ReadonlyArray<Slots.Slot>, options?: Options & Memory) =>
  layerMemoryOver(Slots.layer(slots), options)

/** The same over slots that have to be made first. */
export const layerMemoryOver = <E, R>(slots: Layer.Layer<Slots.Slots, E, R>, options?: Options & Memory) => {
  const trade = options?.trade ?? TradeStore.layerAbsent("there is no store of customs records here: give one as trade")
  return layer(options).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        slots,
        Layer.fresh(
          Layer.mergeAll(
            AnswerCache.layerMemory,
            HitRates.layerMemory,
            Accounts.layerMemory,
            Vault.layerMemory,
            Layer.provideMerge(
              Layer.mergeAll(
                EnrichmentStore.layerMemory,
                EmailTasksMemory.layer,
                TaskStoreMemory.layer,
                KnownPeople.layerMemory,
                Webhooks.layerMemory,
                TraderDomains.layerMemory(options?.domains),
                options?.companies ?? Layer.provide(CompanyIndexMemory.layerOver, trade)
              ),
              Suppression.layerMemory
            ),
            RunLog.layerMemory,
            WorkflowEngine.layerMemory,
            options?.limits ?? layerLimits
          )
        ),
        options?.ledger ?? Ledger.layerUnmetered,
        trade,
        options?.finder ?? ContactFinder.layerNone,
        options?.verifier ?? layerWithoutVerifier
      )
    )
  )
}
