/**
 * Person enrichment: from a name and a company's domain to a profile, with the source and the price of every field.
 * `POST /api/people/enrich` is this use case behind HTTP; embedders call it directly.
 */
import { Context, Effect, Layer, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Bill from "../billing/Bill.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import type { Caller } from "../request/Caller.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import { Domain, Name } from "../request/Named.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import { Explanation } from "../waterfall/Explanation.ts"
import type { LoggedRun } from "../waterfall/LoggedRun.ts"
import * as Merge from "../waterfall/Merge.ts"
import * as Plan from "../waterfall/Plan.ts"
import * as Slots from "../waterfall/Slots.ts"
import * as Waterfall from "../waterfall/Waterfall.ts"
import { WaterfallMeta } from "../waterfall/WaterfallMeta.ts"
import { settings, WaterfallOptions } from "../waterfall/WaterfallOptions.ts"
import { PersonFields } from "./PersonFields.ts"
import type { PersonIdentity } from "./PersonIdentity.ts"
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
  )
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
  | Billing.BillingError

export class PersonEnrichment extends Context.Service<
  PersonEnrichment,
  {
    readonly enrich: (
      request: PersonEnrichmentRequest,
      caller: Caller
    ) => Effect.Effect<Billing.Answered<PersonEnrichmentResult>, PersonEnrichmentError>
  }
>()("@lading/core/person/PersonEnrichment") {}

const identityOf = ({ identity }: PersonEnrichmentRequest): PersonIdentity => ({
  first_name: Text.said(identity.first_name ?? ""),
  last_name: Text.said(identity.last_name ?? ""),
  domain: identity.domain === undefined ? null : DomainName.parse(identity.domain)
})

const compose = (
  request: PersonEnrichmentRequest,
  caller: Caller,
  found: Enrichment.Found<PersonProfile>,
  bill: Bill.Bill
): PersonEnrichmentResult => ({
  success: true,
  status: found.waterfall.async_pending ? "pending" : "completed",
  request_id: caller.request_id,
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

const make = Effect.gen(function* () {
  const billing = yield* Billing.Billing
  const slots = yield* Slots.Slots
  const suppression = yield* Suppression.Suppression
  const waterfall = yield* Waterfall.Waterfall
  const required = Merge.requiredByDefault(PersonFields)
  const { prices } = billing

  const enrich = Effect.fnUntraced(
    function* (
      request: PersonEnrichmentRequest,
      caller: Caller
    ): Effect.fn.Return<Billing.Answered<PersonEnrichmentResult>, PersonEnrichmentError> {
      const identity = identityOf(request)
      if (Object.values(identity).every((part) => part === null)) {
        return yield* at("identity", "Expected a first name, a last name or a domain")
      }
      const chosen = yield* settings(request.waterfall ?? {}, slots, required)
      const deadline = caller.received_at + chosen.timeout
      const question = yield* Enrichment.question(PersonSubject, identity, chosen, prices, waterfall.attempts).pipe(
        Effect.provideService(Suppression.Suppression, suppression),
        Enrichment.within(deadline, chosen.timeout)
      )
      const { plan } = question
      let runs: ReadonlyArray<LoggedRun> = []
      const answered = yield* billing.charge(
        {
          caller,
          operation: "person",
          quote: Plan.quote(plan, prices),
          least: Plan.least(plan),
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
          runs = [Enrichment.logged(question, found)]
          return compose(request, caller, found, tab.bill())
        })
      )
      if (!answered.replayed) {
        yield* waterfall.log({ request_id: caller.request_id, account: caller.account, operation: "person", runs })
      }
      return answered
    },
    (enriching) => Effect.withSpan(enriching, "PersonEnrichment.enrich", { captureStackTrace: false })
  )

  return PersonEnrichment.of({ enrich })
})

export const layer: Layer.Layer<
  PersonEnrichment,
  never,
  Billing.Billing | Slots.Slots | Suppression.Suppression | Waterfall.Waterfall
> = Layer.effect(PersonEnrichment, make)
