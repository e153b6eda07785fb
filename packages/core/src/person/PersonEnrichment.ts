/**
 * Person enrichment: from a name and a company's domain to a profile, with the source and the price of every field.
 * `POST /api/people/enrich` is this use case behind HTTP; embedders call it directly.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Vault from "../account/Vault.ts"
import * as Bill from "../billing/Bill.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import type * as Ledger from "../billing/Ledger.ts"
import type { PriceBook } from "../billing/PriceBook.ts"
import * as WebhookUrl from "../net/WebhookUrl.ts"
import * as Continuation from "../pending/Continuation.ts"
import * as Continued from "../pending/Continued.ts"
import type * as EnrichmentStore from "../pending/EnrichmentStore.ts"
import type { Caller } from "../request/Caller.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import { Domain, Name } from "../request/Named.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import { Explanation } from "../waterfall/Explanation.ts"
import type { LoggedRun } from "../waterfall/LoggedRun.ts"
import * as Plan from "../waterfall/Plan.ts"
import * as Quote from "../waterfall/Quote.ts"
import * as Slots from "../waterfall/Slots.ts"
import * as StoredKeys from "../waterfall/StoredKeys.ts"
import * as Waterfall from "../waterfall/Waterfall.ts"
import { WaterfallMeta } from "../waterfall/WaterfallMeta.ts"
import { offered, settings, WaterfallOptions } from "../waterfall/WaterfallOptions.ts"
import { PersonFields } from "./PersonFields.ts"
import type { PersonIdentity } from "./PersonIdentity.ts"
import { PersonLearning } from "./PersonLearning.ts"
import { PersonProfile } from "./PersonProfile.ts"
import { PersonSubject } from "./PersonSubject.ts"

const fields = Object.keys(PersonProfile.fields)

export const PersonEnrichmentRequest = Schema.Struct({
  identity: Schema.Struct({
    first_name: Schema.optional(Name),
    last_name: Schema.optional(Name),
    domain: Schema.optional(Domain)
  }).annotate({ description: "Who is meant: a name at a company; at least one of the three" }),
  waterfall: Schema.optional(WaterfallOptions(fields)),
  response: Schema.optional(
    Schema.Struct({
      include_provider_raw: Schema.optional(Schema.Boolean),
      include_explanation: Schema.optional(Schema.Boolean)
    })
  ),
  webhook_url: Schema.optional(WebhookUrl.WebhookUrl)
}).annotate({ identifier: "PersonEnrichmentRequest" })
export type PersonEnrichmentRequest = typeof PersonEnrichmentRequest.Type

export const PersonEnrichmentResult = Schema.Struct({
  success: Schema.Literal(true),
  status: Schema.Literals(["completed", "pending"]),
  request_id: Schema.String,
  person: PersonProfile,
  provider_raw: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "Raw answers by source, where asked for"
  }),
  meta: Schema.Struct({
    field_sources: Schema.Record(Schema.String, Schema.String).annotate({
      description: "For each profile field that has a value, the source that supplied it"
    }),
    billing: Schema.Struct({
      total_credits_charged: Schema.Finite,
      platform_credits_charged: Schema.Finite,
      byok_used: Schema.Boolean,
      breakdown: Schema.Array(Schema.Struct({ source: Schema.String, credits: Schema.Finite }))
    }),
    waterfall: WaterfallMeta,
    explanation: Schema.optional(Explanation)
  }),
  error: Schema.Null
}).annotate({ identifier: "PersonEnrichmentResult" })
export type PersonEnrichmentResult = typeof PersonEnrichmentResult.Type

const codec = Schema.fromJsonString(PersonEnrichmentResult)

export type PersonEnrichmentError =
  | InvalidRequest
  | Enrichment.SourcesUnavailable
  | Enrichment.DeadlineExceeded
  | Suppression.SuppressionUnavailable
  | Vault.VaultUnavailable
  | Vault.VaultUnreadable
  | Continuation.ContinuationError
  | Billing.BillingError

/** Why there is no answer to a request that was pending. */
export type PendingPersonError =
  | Continuation.UnknownEnrichment
  | EnrichmentStore.EnrichmentStoreUnavailable
  | Ledger.LedgerUnavailable
  | Suppression.SuppressionUnavailable

export class PersonEnrichment extends Context.Service<
  PersonEnrichment,
  {
    readonly enrich: (
      request: PersonEnrichmentRequest,
      caller: Caller
    ) => Effect.Effect<Billing.Answered<PersonEnrichmentResult>, PersonEnrichmentError>
    /** The answer to a request that was `pending`, as it is now. */
    readonly find: (request_id: string, account: string) => Effect.Effect<PersonEnrichmentResult, PendingPersonError>
    /** What the same request would cost. Nothing is held and nobody is asked. */
    readonly quote: (
      request: PersonEnrichmentRequest,
      caller: Caller
    ) => Effect.Effect<Quote.Quote, PersonEnrichmentError>
  }
>()("@lading/core/person/PersonEnrichment") {}

const identityOf = ({ identity }: PersonEnrichmentRequest): PersonIdentity => ({
  first_name: Text.said(identity.first_name ?? ""),
  last_name: Text.said(identity.last_name ?? ""),
  domain: identity.domain === undefined ? null : DomainName.parse(identity.domain)
})

const compose = (
  request: PersonEnrichmentRequest,
  request_id: string,
  found: Enrichment.Found<PersonProfile>,
  bill: Bill.Bill
): PersonEnrichmentResult => ({
  success: true,
  status: found.waterfall.async_pending ? "pending" : "completed",
  request_id,
  person: found.profile,
  ...(request.response?.include_provider_raw === true ? { provider_raw: found.raw } : {}),
  meta: {
    field_sources: found.field_sources,
    billing: {
      total_credits_charged: Credits.toNumber(Bill.total(bill)),
      platform_credits_charged: Credits.toNumber(Bill.platform(bill)),
      byok_used: found.run.byokUsed.length > 0,
      breakdown: found.run.steps
        .filter(({ outcome, credits }) => outcome === "hit" || credits > 0)
        .map(({ source, credits }) => ({ source, credits }))
    },
    waterfall: found.waterfall,
    ...(request.response?.include_explanation === true ? { explanation: found.explanation() } : {})
  },
  error: null
})

/** What of the request is kept when it goes on: own keys are not. */
const goingOn = ({ webhook_url, ...request }: PersonEnrichmentRequest) => ({
  operation: "person" as const,
  request: { ...request, waterfall: { ...request.waterfall, byok: undefined } },
  webhook_url: webhook_url ?? null
})

const decodeKept = Schema.decodeUnknownOption(PersonEnrichmentRequest)

/** How a person's enrichment goes on after its request. */
export const continued = Continued.of(PersonSubject, ({ request: text, request_id }, [known], bill) => {
  const request = Option.getOrNull(decodeKept(text))
  return request === null || known === undefined ? null : compose(request, request_id, known.found, bill)
})

/** Who is asked about, and what it may cost: where a charge and a quote begin. */
const preparing = (
  prices: PriceBook,
  slots: Slots.Slots["Service"],
  vault: Vault.Vault["Service"],
  suppression: Suppression.Suppression["Service"],
  waterfall: Waterfall.Waterfall["Service"],
  admission: WebhookUrl.Policy
) => {
  const persons = offered(PersonFields)

  return Effect.fnUntraced(function* (request: PersonEnrichmentRequest, caller: Caller) {
    const identity = identityOf(request)
    if (Object.values(identity).every((part) => part === null)) {
      return yield* at("identity", "Expected a first name, a last name or a domain")
    }
    yield* Effect.provideService(WebhookUrl.admit(request.webhook_url), WebhookUrl.Policy, admission)
    const options = request.waterfall ?? {}
    const said = yield* settings(options, slots, persons)
    const deadline = caller.received_at + said.timeout
    const chosen = yield* StoredKeys.resolve(vault, said, options.byok, caller.account).pipe(
      Enrichment.within(deadline, said.timeout)
    )
    const question = yield* Enrichment.question(PersonSubject, identity, chosen, prices, waterfall).pipe(
      Effect.provideService(Suppression.Suppression, suppression),
      Enrichment.within(deadline, chosen.timeout)
    )
    const { plan } = question
    const charge: Quote.Charge = {
      fee: plan.platformFee,
      worst: Plan.quote(plan, prices),
      least: Plan.least(plan)
    }
    return { chosen, deadline, question, charge }
  })
}

/** What a request would cost. */
const quoting = (
  billing: Billing.Billing["Service"],
  waterfall: Waterfall.Waterfall["Service"],
  prepare: ReturnType<typeof preparing>
) =>
  Effect.fnUntraced(function* (request: PersonEnrichmentRequest, caller: Caller) {
    const { charge, chosen, deadline, question } = yield* prepare(request, caller)
    const known = Effect.all([waterfall.rates, billing.available(caller.account)])
    const [rates, available] = yield* Enrichment.within(deadline, chosen.timeout)(known)
    const priced = [{ question, worst: charge.worst }]
    return Quote.make("person", priced, charge, { prices: billing.prices, rates, settings: chosen, available })
  })

const make = Effect.gen(function* () {
  const billing = yield* Billing.Billing
  const suppression = yield* Suppression.Suppression
  const waterfall = yield* Waterfall.Waterfall
  const { prices } = billing
  const continuation = yield* Continuation.Continuation
  const learning = yield* PersonLearning
  const [slots, vault, admission] = [yield* Slots.Slots, yield* Vault.Vault, yield* WebhookUrl.Policy]
  const prepare = preparing(prices, slots, vault, suppression, waterfall, admission)

  const enrich = Effect.fnUntraced(
    function* (
      request: PersonEnrichmentRequest,
      caller: Caller
    ): Effect.fn.Return<Billing.Answered<PersonEnrichmentResult>, PersonEnrichmentError> {
      const { charge, chosen, deadline, question } = yield* prepare(request, caller)
      const { identity, plan } = question
      let runs: ReadonlyArray<LoggedRun> = []
      let learnt: Enrichment.Found<PersonProfile> | null = null
      const answered = yield* billing.charge(
        {
          caller,
          operation: "person",
          quote: charge.worst,
          least: charge.least,
          ceiling: chosen.ceiling,
          deadline,
          codec
        },
        Effect.fnUntraced(function* (tab) {
          tab.reserve(plan.platformFee)
          const asking = { suppression, waterfall, settings: chosen, prices, tab, account: caller.account, deadline }
          const found = yield* Enrichment.within(deadline, chosen.timeout)(Enrichment.find(question, asking))
          const failure = Enrichment.failure(found.run, chosen.timeout)
          if (failure !== null) return yield* failure
          Enrichment.takeFee(tab, plan.platformFee, plan.platformFee)
          runs = [Enrichment.logged(identity, plan.order, found)]
          learnt = found
          const bill = tab.bill()
          const asked = [{ identity, plan, run: found.run }]
          return {
            answer: compose(request, caller.request_id, found, bill),
            deferred: continuation.deferred({ ...goingOn(request), caller, settings: chosen, prices, bill, asked })
          }
        })
      )
      if (!answered.replayed) {
        if (learnt !== null) yield* learning.learn(learnt, caller.account)
        yield* waterfall.log({ request_id: caller.request_id, account: caller.account, operation: "person", runs })
      }
      return answered
    },
    (enriching) => Effect.withSpan(enriching, "PersonEnrichment.enrich", { captureStackTrace: false })
  )

  return PersonEnrichment.of({
    enrich,
    quote: quoting(billing, waterfall, prepare),
    find: (request_id, account) => continuation.find(continued, { operation: "person", request_id, account })
  })
})

export const layer: Layer.Layer<
  PersonEnrichment,
  never,
  | Billing.Billing
  | Continuation.Continuation
  | PersonLearning
  | Slots.Slots
  | Suppression.Suppression
  | Vault.Vault
  | Waterfall.Waterfall
> = Layer.effect(PersonEnrichment, make)
