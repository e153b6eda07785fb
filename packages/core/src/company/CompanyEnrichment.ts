/**
 * Company enrichment: from domains and names to profiles, with the source and the price of every field.
 * `POST /api/company/enrich` is this use case behind HTTP; embedders call it directly.
 */
import { type Array as Arr, Context, Effect, Layer, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Bill from "../billing/Bill.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import type { Caller } from "../request/Caller.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import { Domain, Name } from "../request/Named.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import { Explanation } from "../waterfall/Explanation.ts"
import type { LoggedRun } from "../waterfall/LoggedRun.ts"
import * as Merge from "../waterfall/Merge.ts"
import * as Plan from "../waterfall/Plan.ts"
import * as Slots from "../waterfall/Slots.ts"
import * as Waterfall from "../waterfall/Waterfall.ts"
import { WaterfallMeta } from "../waterfall/WaterfallMeta.ts"
import * as WaterfallOptions from "../waterfall/WaterfallOptions.ts"
import { CompanyFields } from "./CompanyFields.ts"
import type { CompanyIdentity } from "./CompanyIdentity.ts"
import { CompanyProfile } from "./CompanyProfile.ts"
import { CompanySubject } from "./CompanySubject.ts"

/** How many companies a request may name. */
export const maxCompanies = 25

/** How many of them are asked about at the same time. */
const concurrency = 5

const fields = Object.keys(CompanyProfile.fields)

export const CompanyEnrichmentRequest = Schema.Struct({
  identity: Schema.Struct({
    domains: Schema.optional(Schema.Array(Domain).check(Schema.isMaxLength(maxCompanies))),
    names: Schema.optional(Schema.Array(Name).check(Schema.isMaxLength(maxCompanies)))
  }).annotate({ description: "domains[i] pairs with names[i]; at least one of either" }),
  waterfall: Schema.optional(WaterfallOptions.WaterfallOptions(fields)),
  include_customs: Schema.optional(Schema.Boolean),
  response: Schema.optional(
    Schema.Struct({
      include_provider_raw: Schema.optional(Schema.Boolean),
      include_explanation: Schema.optional(Schema.Boolean)
    })
  )
}).annotate({ identifier: "CompanyEnrichmentRequest" })
export type CompanyEnrichmentRequest = typeof CompanyEnrichmentRequest.Type

const Company = Schema.Struct({
  input: Schema.Struct({ domain: Schema.NullOr(Schema.String), name: Schema.NullOr(Schema.String) }),
  domain: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  profile: CompanyProfile,
  field_sources: Schema.Record(Schema.String, Schema.String).annotate({
    description: "For each profile field that has a value, the source that supplied it"
  }),
  provider_raw: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "Raw answers by source; empty unless asked for"
  }),
  customs: Schema.Null.annotate({ description: "The matching trader of the customs records" })
}).annotate({ identifier: "Company" })

const CompanyMeta = Schema.Struct({ waterfall: WaterfallMeta, explanation: Schema.optional(Explanation) })

export const CompanyEnrichmentResult = Schema.Struct({
  success: Schema.Literal(true),
  request_id: Schema.String,
  company: Company,
  companies: Schema.optional(Schema.Array(Schema.Struct({ ...Company.fields, meta: CompanyMeta }))).annotate({
    description: "With more than one company: an entry for each, in the order of the request"
  }),
  meta: Schema.Struct({
    billing: Schema.Struct({
      credits_charged: Schema.Finite,
      byok_used: Schema.Boolean,
      platform_credits_charged: Schema.Finite
    }),
    ...CompanyMeta.fields
  }),
  error: Schema.Null
}).annotate({ identifier: "CompanyEnrichmentResult" })
export type CompanyEnrichmentResult = typeof CompanyEnrichmentResult.Type

const codec = Schema.fromJsonString(CompanyEnrichmentResult)

export type CompanyEnrichmentError =
  | InvalidRequest
  | Enrichment.SourcesUnavailable
  | Enrichment.DeadlineExceeded
  | Suppression.SuppressionUnavailable
  | Billing.BillingError

export class CompanyEnrichment extends Context.Service<
  CompanyEnrichment,
  {
    readonly enrich: (
      request: CompanyEnrichmentRequest,
      caller: Caller
    ) => Effect.Effect<Billing.Answered<CompanyEnrichmentResult>, CompanyEnrichmentError>
  }
>()("@lading/core/company/CompanyEnrichment") {}

interface Input {
  readonly domain: string | null
  readonly name: string | null
}

/** The companies that a request names, each with its pair of domain and name. */
const inputs = ({ identity }: CompanyEnrichmentRequest): ReadonlyArray<Input> => {
  const { domains = [], names = [] } = identity
  return Array.from({ length: Math.max(domains.length, names.length) }, (_, index) => ({
    domain: domains[index] ?? null,
    name: names[index] ?? null
  }))
}

const identityOf = ({ domain, name }: Input): CompanyIdentity => ({
  domain: domain === null ? null : DomainName.parse(domain),
  name: name === null ? null : name.trim()
})

interface Asked {
  readonly input: Input
  readonly question: Enrichment.Question<"company", CompanyProfile>
}

interface Answer {
  readonly input: Input
  readonly found: Enrichment.Found<CompanyProfile>
}

const company = ({ input, found }: Answer, request: CompanyEnrichmentRequest) => ({
  input,
  domain: found.profile.primary_domain,
  name: found.profile.name,
  profile: found.profile,
  field_sources: found.field_sources,
  provider_raw: request.response?.include_provider_raw === true ? found.raw : {},
  customs: null
})

const meta = ({ found }: Answer, request: CompanyEnrichmentRequest) => ({
  waterfall: found.waterfall,
  ...(request.response?.include_explanation === true ? { explanation: found.explanation() } : {})
})

const compose = (
  request: CompanyEnrichmentRequest,
  caller: Caller,
  answers: Arr.NonEmptyReadonlyArray<Answer>,
  bill: Bill.Bill
): CompanyEnrichmentResult => ({
  success: true,
  request_id: caller.request_id,
  company: company(answers[0], request),
  ...(answers.length > 1
    ? { companies: answers.map((answer) => ({ ...company(answer, request), meta: meta(answer, request) })) }
    : {}),
  meta: {
    billing: {
      credits_charged: Credits.toNumber(Bill.total(bill)),
      byok_used: answers.some(({ found }) => found.run.byokUsed.length > 0),
      platform_credits_charged: Credits.toNumber(Bill.platform(bill))
    },
    ...meta(answers[0], request)
  },
  error: null
})

const keyOf = ({ question }: Asked): string => CompanySubject.key(question.identity)

/**
 * Each company once, however often the request names it. Under a ceiling one after the other, so that it cuts off the
 * same companies every time. Fails where nobody learnt anything about any of them.
 */
const findAll = Effect.fnUntraced(function* (
  asked: Arr.NonEmptyReadonlyArray<Asked>,
  asking: Enrichment.Asking
): Effect.fn.Return<
  Arr.NonEmptyReadonlyArray<Answer>,
  Enrichment.SourcesUnavailable | Enrichment.DeadlineExceeded | Suppression.SuppressionUnavailable
> {
  const found = yield* Effect.forEach(
    new Map(asked.map((one) => [keyOf(one), one.question])),
    ([key, question]) => Effect.map(Enrichment.find(question, asking), (found) => [key, found] as const),
    { concurrency: asking.settings.ceiling === null && asked.length > 1 ? concurrency : 1 }
  )
  const failures = found.map(([, { run }]) => Enrichment.failure(run, asking.settings.timeout))
  const failure = failures.every((failure) => failure !== null) ? failures[0] : undefined
  if (failure !== null && failure !== undefined) return yield* failure
  const byKey = new Map(found)
  return yield* Effect.forEach(asked, (one) => {
    const answer = byKey.get(keyOf(one))
    return answer === undefined
      ? Effect.die("every company was asked about")
      : Effect.succeed({ input: one.input, found: answer })
  })
})

/** The platform's fee of every company that somebody could be asked about; the others cost what they would cost alone. */
const fees = (asked: ReadonlyArray<Asked>): Credits.Credits =>
  Credits.sum([...new Map(asked.map((one) => [keyOf(one), one.question.plan.platformFee])).values()])

const feesOf = (asked: ReadonlyArray<Asked>, answers: ReadonlyArray<Answer>, timeout: number): Credits.Credits =>
  fees(
    asked.filter((_, index) => {
      const run = answers[index]?.found.run
      return run !== undefined && Enrichment.failure(run, timeout) === null
    })
  )

/** What the log keeps of each company, in the order of the request. */
const runsOf = (asked: ReadonlyArray<Asked>, answers: ReadonlyArray<Answer>): ReadonlyArray<LoggedRun> =>
  asked.flatMap(({ question }, index) => {
    const found = answers[index]?.found
    return found === undefined ? [] : [Enrichment.logged(question, found)]
  })

const make = Effect.gen(function* () {
  const billing = yield* Billing.Billing
  const slots = yield* Slots.Slots
  const suppression = yield* Suppression.Suppression
  const waterfall = yield* Waterfall.Waterfall
  const required = Merge.requiredByDefault(CompanyFields)
  const { prices } = billing

  const question = (
    input: Input,
    chosen: WaterfallOptions.Settings,
    deadline: number
  ): Effect.Effect<Asked, Suppression.SuppressionUnavailable | Enrichment.DeadlineExceeded> =>
    Effect.map(
      Enrichment.question(CompanySubject, identityOf(input), chosen, prices, waterfall.attempts),
      (question) => ({ input, question })
    ).pipe(Effect.provideService(Suppression.Suppression, suppression), Enrichment.within(deadline, chosen.timeout))

  const enrich = Effect.fnUntraced(
    function* (
      request: CompanyEnrichmentRequest,
      caller: Caller
    ): Effect.fn.Return<Billing.Answered<CompanyEnrichmentResult>, CompanyEnrichmentError> {
      const [first, ...rest] = inputs(request)
      if (first === undefined) return yield* at("identity", "Expected at least one domain or name")
      const named: Arr.NonEmptyReadonlyArray<Input> = [first, ...rest]
      const settings = yield* WaterfallOptions.settings(request.waterfall ?? {}, slots, required)
      const deadline = caller.received_at + settings.timeout
      const asked = yield* Effect.forEach(named, (input) => question(input, settings, deadline))
      const plans = asked.map(({ question }) => question.plan)
      const fee = fees(asked)
      let runs: ReadonlyArray<LoggedRun> = []
      const answered = yield* billing.charge(
        {
          caller,
          operation: "company",
          quote: Credits.sum(plans.map((plan) => Plan.quote(plan, prices))),
          least: Credits.add(fee, plans[0]?.steps[0]?.worst ?? Credits.zero),
          ceiling: settings.ceiling,
          deadline,
          codec
        },
        Effect.fnUntraced(function* (tab) {
          tab.reserve(fee)
          const asking = { suppression, waterfall, settings, prices, tab, account: caller.account, deadline }
          const answers = yield* Enrichment.within(deadline, settings.timeout)(findAll(asked, asking))
          Enrichment.takeFee(tab, fee, feesOf(asked, answers, settings.timeout))
          runs = runsOf(asked, answers)
          return compose(request, caller, answers, tab.bill())
        })
      )
      if (!answered.replayed) {
        yield* waterfall.log({ request_id: caller.request_id, account: caller.account, operation: "company", runs })
      }
      return answered
    },
    (enriching) => Effect.withSpan(enriching, "CompanyEnrichment.enrich", { captureStackTrace: false })
  )

  return CompanyEnrichment.of({ enrich })
})

export const layer: Layer.Layer<
  CompanyEnrichment,
  never,
  Billing.Billing | Slots.Slots | Suppression.Suppression | Waterfall.Waterfall
> = Layer.effect(CompanyEnrichment, make)
