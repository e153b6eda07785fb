/**
 * Company enrichment: from domains and names to profiles, with the source and the price of every field.
 * `POST /api/company/enrich` is this use case behind HTTP; embedders call it directly.
 */
import { Array as Arr, Context, Effect, Layer, Option, Schema } from "effect"
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
import * as Enrichment from "../waterfall/Enrichment.ts"
import { Explanation } from "../waterfall/Explanation.ts"
import type { LoggedRun } from "../waterfall/LoggedRun.ts"
import * as Plan from "../waterfall/Plan.ts"
import * as Quote from "../waterfall/Quote.ts"
import * as Slots from "../waterfall/Slots.ts"
import * as StoredKeys from "../waterfall/StoredKeys.ts"
import * as Waterfall from "../waterfall/Waterfall.ts"
import { WaterfallMeta } from "../waterfall/WaterfallMeta.ts"
import * as WaterfallOptions from "../waterfall/WaterfallOptions.ts"
import { CompanyFields } from "./CompanyFields.ts"
import type { CompanyIdentity } from "./CompanyIdentity.ts"
import { CompanyProfile } from "./CompanyProfile.ts"
import { CompanyLearning } from "./CompanyLearning.ts"
import { CompanyCustoms, CompanyTrade } from "./CompanyTrade.ts"
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
  ),
  webhook_url: Schema.optional(WebhookUrl.WebhookUrl)
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
  customs: Schema.NullOr(CompanyCustoms).annotate({ description: "The matching trader of the customs records" })
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
  | Vault.VaultUnavailable
  | Vault.VaultUnreadable
  | Continuation.ContinuationError
  | Billing.BillingError

/** Why there is no answer to a request that was pending. */
export type PendingCompanyError =
  | Continuation.UnknownEnrichment
  | EnrichmentStore.EnrichmentStoreUnavailable
  | Ledger.LedgerUnavailable
  | Suppression.SuppressionUnavailable

export class CompanyEnrichment extends Context.Service<
  CompanyEnrichment,
  {
    readonly enrich: (
      request: CompanyEnrichmentRequest,
      caller: Caller
    ) => Effect.Effect<Billing.Answered<CompanyEnrichmentResult>, CompanyEnrichmentError>
    /** The answer to a request with a source that was still working on it, as it is now. */
    readonly find: (request_id: string, account: string) => Effect.Effect<CompanyEnrichmentResult, PendingCompanyError>
    /** What the same request would cost. Nothing is held and nobody is asked. */
    readonly quote: (
      request: CompanyEnrichmentRequest,
      caller: Caller
    ) => Effect.Effect<Quote.Quote, CompanyEnrichmentError>
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

interface Found {
  readonly input: Input
  readonly found: Enrichment.Found<CompanyProfile>
}

interface Answer extends Found {
  readonly customs: CompanyCustoms | null
}

const company = ({ customs, input, found }: Answer, request: CompanyEnrichmentRequest) => ({
  input,
  domain: found.profile.primary_domain,
  name: found.profile.name,
  profile: found.profile,
  field_sources: found.field_sources,
  provider_raw: request.response?.include_provider_raw === true ? found.raw : {},
  customs
})

const meta = ({ found }: Answer, request: CompanyEnrichmentRequest) => ({
  waterfall: found.waterfall,
  ...(request.response?.include_explanation === true ? { explanation: found.explanation() } : {})
})

/** The first company's, but for what is asked of the request as a whole: whether anything is still to come. */
const metaOfAll = (answers: Arr.NonEmptyReadonlyArray<Answer>, request: CompanyEnrichmentRequest) => {
  const { waterfall, ...rest } = meta(answers[0], request)
  const async_pending = answers.some(({ found }) => found.waterfall.async_pending)
  return { waterfall: { ...waterfall, async_pending }, ...rest }
}

const compose = (
  request: CompanyEnrichmentRequest,
  request_id: string,
  answers: Arr.NonEmptyReadonlyArray<Answer>,
  bill: Bill.Bill
): CompanyEnrichmentResult => ({
  success: true,
  request_id,
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
    ...metaOfAll(answers, request)
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
  Arr.NonEmptyReadonlyArray<Found>,
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

/** Every company once, however often the request names it. */
const distinct = (asked: ReadonlyArray<Asked>): ReadonlyArray<Asked["question"]> => [
  ...new Map(asked.map((one) => [keyOf(one), one.question])).values()
]

/** The platform's fee of every company that somebody could be asked about; the others cost what they would cost alone. */
const fees = (asked: ReadonlyArray<Asked>): Credits.Credits =>
  Credits.sum(distinct(asked).map(({ plan }) => plan.platformFee))

const feesOf = (asked: ReadonlyArray<Asked>, answers: ReadonlyArray<Found>, timeout: number): Credits.Credits =>
  fees(
    asked.filter((_, index) => {
      const run = answers[index]?.found.run
      return run !== undefined && Enrichment.failure(run, timeout) === null
    })
  )

/** What the log keeps of each company, in the order of the request. */
const runsOf = (asked: ReadonlyArray<Asked>, answers: ReadonlyArray<Found>): ReadonlyArray<LoggedRun> =>
  asked.flatMap(({ question }, index) => {
    const found = answers[index]?.found
    return found === undefined ? [] : [Enrichment.logged(question.identity, question.plan.order, found)]
  })

/** The companies of a request that something was found about, each once. */
const askedOf = (asked: ReadonlyArray<Asked>, answers: ReadonlyArray<Found>) => [
  ...new Map(
    asked.flatMap((one, index) => {
      const run = answers[index]?.found.run
      const { identity, plan } = one.question
      return run === undefined ? [] : [[keyOf(one), { identity, plan, run }] as const]
    })
  ).values()
]

/**
 * What customs records say of each company, where it is asked for. A company that is named twice is looked up once; the
 * others are known by then.
 */
const withCustoms = Effect.fnUntraced(function* (
  answers: Arr.NonEmptyReadonlyArray<Found>,
  request: CompanyEnrichmentRequest,
  trade: CompanyTrade["Service"],
  deadline: number
) {
  if (request.include_customs !== true) return Arr.map(answers, (answer): Answer => ({ ...answer, customs: null }))
  const profiles = [...new Set(answers.map(({ found }) => found.profile))]
  const customs = new Map(
    yield* Effect.forEach(
      profiles,
      (profile) => Effect.map(trade.find(profile, deadline), (customs) => [profile, customs] as const),
      { concurrency }
    )
  )
  return Arr.map(answers, (answer): Answer => ({ ...answer, customs: customs.get(answer.found.profile) ?? null }))
})

/** What of the request is kept when it goes on: own keys are not. With it goes what customs records said. */
const goingOn = ({ webhook_url, ...request }: CompanyEnrichmentRequest, answers: ReadonlyArray<Answer>) => ({
  operation: "company" as const,
  request: {
    ...request,
    waterfall: { ...request.waterfall, byok: undefined },
    ...(request.include_customs === true ? { customs: answers.map(({ customs }) => customs) } : {})
  },
  webhook_url: webhook_url ?? null
})

/** `customs` is of each company, in the order of the request. */
const KeptRequest = Schema.Struct({
  ...CompanyEnrichmentRequest.fields,
  customs: Schema.optional(Schema.Array(Schema.NullOr(CompanyCustoms)))
})
const decodeKept = Schema.decodeUnknownOption(KeptRequest)

/** How an enrichment of companies goes on after its request. */
export const continued = Continued.of(CompanySubject, ({ request: text, request_id }, known, bill) => {
  const request = Option.getOrNull(decodeKept(text))
  if (request === null) return null
  const byKey = new Map(known.map(({ found, identity }) => [CompanySubject.key(identity), found]))
  const [first, ...rest] = inputs(request).flatMap((input, index) => {
    const found = byKey.get(CompanySubject.key(identityOf(input)))
    return found === undefined ? [] : [{ input, found, customs: request.customs?.[index] ?? null }]
  })
  return first === undefined ? null : compose(request, request_id, [first, ...rest], bill)
})

/** What is asked, and what it may cost: where a charge and a quote begin. */
const preparing = (
  prices: PriceBook,
  slots: Slots.Slots["Service"],
  vault: Vault.Vault["Service"],
  suppression: Suppression.Suppression["Service"],
  waterfall: Waterfall.Waterfall["Service"],
  admission: WebhookUrl.Policy
) => {
  const offered = WaterfallOptions.offered(CompanyFields)

  const question = (
    input: Input,
    chosen: WaterfallOptions.Settings,
    deadline: number
  ): Effect.Effect<Asked, Suppression.SuppressionUnavailable | Enrichment.DeadlineExceeded> =>
    Effect.map(Enrichment.question(CompanySubject, identityOf(input), chosen, prices, waterfall), (question) => ({
      input,
      question
    })).pipe(Effect.provideService(Suppression.Suppression, suppression), Enrichment.within(deadline, chosen.timeout))

  return Effect.fnUntraced(function* (request: CompanyEnrichmentRequest, caller: Caller) {
    const [first, ...rest] = inputs(request)
    if (first === undefined) return yield* at("identity", "Expected at least one domain or name")
    const named: Arr.NonEmptyReadonlyArray<Input> = [first, ...rest]
    yield* Effect.provideService(WebhookUrl.admit(request.webhook_url), WebhookUrl.Policy, admission)
    const options = request.waterfall ?? {}
    const said = yield* WaterfallOptions.settings(options, slots, offered)
    const deadline = caller.received_at + said.timeout
    const settings = yield* StoredKeys.resolve(vault, said, options.byok, caller.account).pipe(
      Enrichment.within(deadline, said.timeout)
    )
    const asked = yield* Effect.forEach(named, (input) => question(input, settings, deadline))
    const priced = distinct(asked).map((question) => ({ question, worst: Plan.quote(question.plan, prices) }))
    const fee = fees(asked)
    const charge: Quote.Charge = {
      fee,
      worst: Credits.sum(priced.map(({ worst }) => worst)),
      least: Credits.add(fee, asked[0].question.plan.steps[0]?.worst ?? Credits.zero)
    }
    return { settings, deadline, asked, priced, charge }
  })
}

/** What a request would cost. */
const quoting = (
  billing: Billing.Billing["Service"],
  waterfall: Waterfall.Waterfall["Service"],
  prepare: ReturnType<typeof preparing>
) =>
  Effect.fnUntraced(function* (request: CompanyEnrichmentRequest, caller: Caller) {
    const { charge, deadline, priced, settings } = yield* prepare(request, caller)
    const known = Effect.all([waterfall.rates, billing.available(caller.account)])
    const [rates, available] = yield* Enrichment.within(deadline, settings.timeout)(known)
    return Quote.make("company", priced, charge, { prices: billing.prices, rates, settings, available })
  })

const orderOf = (
  caller: Caller,
  { least, worst }: Quote.Charge,
  ceiling: Credits.Credits | null,
  deadline: number
): Billing.Order<CompanyEnrichmentResult> => ({
  caller,
  operation: "company",
  quote: worst,
  least,
  ceiling,
  deadline,
  codec
})

/** Whose domains the companies of an answer have. */
const learn = (trade: CompanyTrade["Service"], { companies, company }: CompanyEnrichmentResult) =>
  Effect.forEach(companies ?? [company], ({ field_sources, profile }) => trade.learn(profile, field_sources["name"]))

const make = Effect.gen(function* () {
  const billing = yield* Billing.Billing
  const [suppression, waterfall] = [yield* Suppression.Suppression, yield* Waterfall.Waterfall]
  const [trade, learning] = [yield* CompanyTrade, yield* CompanyLearning]
  const continuation = yield* Continuation.Continuation
  const { prices } = billing
  const [slots, vault, admission] = [yield* Slots.Slots, yield* Vault.Vault, yield* WebhookUrl.Policy]
  const prepare = preparing(prices, slots, vault, suppression, waterfall, admission)

  const enrich = Effect.fnUntraced(
    function* (
      request: CompanyEnrichmentRequest,
      caller: Caller
    ): Effect.fn.Return<Billing.Answered<CompanyEnrichmentResult>, CompanyEnrichmentError> {
      const { asked, charge, deadline, settings } = yield* prepare(request, caller)
      let runs: ReadonlyArray<LoggedRun> = []
      let learnt: ReadonlyArray<Found["found"]> = []
      const answered = yield* billing.charge(
        orderOf(caller, charge, settings.ceiling, deadline),
        Effect.fnUntraced(function* (tab) {
          tab.reserve(charge.fee)
          const asking = { suppression, waterfall, settings, prices, tab, account: caller.account, deadline }
          const found = yield* Enrichment.within(deadline, settings.timeout)(findAll(asked, asking))
          Enrichment.takeFee(tab, charge.fee, feesOf(asked, found, settings.timeout))
          const answers = yield* withCustoms(found, request, trade, deadline)
          runs = runsOf(asked, answers)
          learnt = [...new Set(found.map((one) => one.found))]
          const bill = tab.bill()
          return {
            answer: compose(request, caller.request_id, answers, bill),
            deferred: continuation.deferred({
              ...goingOn(request, answers),
              caller,
              settings,
              prices,
              bill,
              asked: askedOf(asked, answers)
            })
          }
        })
      )
      if (!answered.replayed) {
        yield* learn(trade, answered.answer)
        yield* learning.learn(learnt, caller.account)
        yield* waterfall.log({ request_id: caller.request_id, account: caller.account, operation: "company", runs })
      }
      return answered
    },
    (enriching) => Effect.withSpan(enriching, "CompanyEnrichment.enrich", { captureStackTrace: false })
  )

  return CompanyEnrichment.of({
    enrich,
    quote: quoting(billing, waterfall, prepare),
    find: (request_id, account) => continuation.find(continued, { operation: "company", request_id, account })
  })
})

export const layer: Layer.Layer<
  CompanyEnrichment,
  never,
  | Billing.Billing
  | CompanyLearning
  | CompanyTrade
  | Continuation.Continuation
  | Slots.Slots
  | Suppression.Suppression
  | Vault.Vault
  | Waterfall.Waterfall
> = Layer.effect(CompanyEnrichment, make)
