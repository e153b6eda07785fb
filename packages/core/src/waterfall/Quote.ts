/**
 * A quote: what an enrichment would cost at most and on average, without asking anybody. The worst price is what would be
 * held (`Plan.quote`); prices are those that a charge is made of, and hit rates those of `Posterior`. Pure.
 *
 * Gotchas
 * - Kept answers are not looked at: whether there is one would tell what others have asked. They make a request cheaper.
 * - `fill_missing` goes on for empty fields, and nobody knows how many fields a source will fill: whoever can fill a required
 *   one counts as asked, so the expected price is rather too high.
 * - Nobody knows how many addresses a source will tell: a hit counts as one with a definite verdict.
 */
import { Schema } from "effect"
import * as Credits from "../billing/Credits.ts"
import type { PriceBook } from "../billing/PriceBook.ts"
import type { Question } from "./Enrichment.ts"
import type { Rate } from "./HitRates.ts"
import { Mode, type Plan, quote, type Skip, type Step } from "./Plan.ts"
import * as Ranking from "./Ranking.ts"
import * as Run from "./Run.ts"
import type { Operation } from "./Source.ts"
import { needlessAfter } from "./Walk.ts"
import type { Settings } from "./WaterfallOptions.ts"

const Amount = Schema.Finite

export const QuotedStep = Schema.Struct({
  source: Schema.String,
  own_key: Schema.Boolean.annotate({ description: "It would be asked with the caller's own key" }),
  skipped: Schema.NullOr(Schema.String).annotate({
    description: "Why it would certainly not be asked; null where it may be"
  }),
  worst: Amount.annotate({ description: "The most that this source can cost" }),
  expected: Amount.annotate({ description: "What it costs on average" }),
  hit_rate: Schema.NullOr(Schema.Finite),
  asked_probability: Schema.Finite.annotate({ description: "How probable it is that it is asked at all" })
})
export type QuotedStep = typeof QuotedStep.Type

export const Quote = Schema.Struct({
  operation: Schema.Literals(["company", "person"]),
  mode: Mode,
  price_version: Schema.String,
  platform: Amount.annotate({ description: "The platform's fee for all subjects" }),
  subjects: Schema.Array(
    Schema.Struct({
      identity: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
      worst: Amount,
      expected: Amount,
      steps: Schema.Array(QuotedStep),
      verify_emails: Schema.optional(
        Schema.Struct({ worst: Amount, expected: Amount }).annotate({
          description: "Where verify_emails was asked for: what verifying adds to the steps"
        })
      )
    })
  ).annotate({ description: "Each subject of the request once, with every source of the order" }),
  worst: Amount.annotate({ description: "The most that the request can cost, without a ceiling" }),
  expected: Amount.annotate({ description: "What it costs on average, under its ceiling" }),
  least: Amount.annotate({ description: "Below this the request is refused with 402" }),
  max_credits: Schema.NullOr(Schema.Finite),
  held: Amount.annotate({ description: "What would be held: the worst price, or max_credits where that is less" }),
  available: Amount.annotate({ description: "What the account could spend now" }),
  fits_max_credits: Schema.Boolean,
  fits_balance: Schema.Boolean
}).annotate({ identifier: "Quote" })
export type Quote = typeof Quote.Type

/** What a charge is opened with, see `Billing.Order`. */
export interface Charge {
  /** The platform's fee of all subjects. */
  readonly fee: Credits.Credits
  readonly worst: Credits.Credits
  readonly least: Credits.Credits
}

export interface Known {
  readonly prices: PriceBook
  readonly rates: ReadonlyArray<Rate>
  readonly settings: Settings
  /** What the account can spend. */
  readonly available: Credits.Credits
}

/** A step, and why it will certainly not be asked; `null` where it may be. */
interface Judged<Name extends Operation> {
  readonly step: Step<Name>
  readonly needless: Skip["reason"] | null
}

/**
 * What is certain before anybody is asked: `fill_missing` needs nobody who fills no required field, and a ceiling cuts off
 * whoever does not fit into it; at once in `aggregate`, where all prices are set aside in the order of the plan.
 */
const judged = <Name extends Operation, Profile>(
  { identity, plan, subject }: Question<Name, Profile>,
  { settings }: Known,
  fee: Credits.Credits
): ReadonlyArray<Judged<Name>> => {
  const requested = Run.requested(subject, identity)
  let left = settings.ceiling === null ? Number.POSITIVE_INFINITY : settings.ceiling - fee
  return plan.steps.map((step) => {
    const needless = needlessAfter({ plan, subject, required: settings.required }, step, [], requested)
    if (plan.mode !== "aggregate" && needless !== null) return { step, needless }
    if (step.worst > left) return { step, needless: "budget_exhausted" }
    if (plan.mode === "aggregate") left -= step.worst
    return { step, needless: null }
  })
}

/** Rounded up to a millionth, so that an average is never cheaper than it is. */
const amount = (millionths: number): number => Credits.toNumber(Credits.of(Math.ceil(millionths - 1e-6)))

const rounded = (share: number): number => Math.round(share * 10_000) / 10_000

const skipped = (source: string, reason: string, ownKey: boolean): QuotedStep => ({
  source,
  own_key: ownKey,
  skipped: reason,
  worst: 0,
  expected: 0,
  hit_rate: null,
  asked_probability: 0
})

/** What each step costs on average, in millionths, and with which probability the next ones are asked. */
const expected = <Name extends Operation>(
  { mode, verdict }: Plan<Name>,
  steps: ReadonlyArray<Judged<Name>>,
  segment: string,
  { prices, rates }: Known
) => {
  let reached = 1
  return steps.map(({ needless, step }) => {
    if (needless !== null) return { millionths: 0, checks: 0, quoted: skipped(step.source, needless, step.ownKey) }
    const { rate } = Ranking.hitRateOf(step, segment, rates)
    const { hit, miss } = Ranking.chargesOf(step, prices)
    const millionths = reached * (rate * hit + (1 - rate) * miss)
    const checks = step.checks === undefined ? 0 : reached * rate * (verdict ?? 0)
    const quoted: QuotedStep = {
      source: step.source,
      own_key: step.ownKey,
      skipped: null,
      worst: Credits.toNumber(step.worst),
      expected: amount(millionths),
      hit_rate: rounded(rate),
      asked_probability: rounded(reached)
    }
    if (mode === "first_match") reached *= 1 - rate
    return { millionths, checks, quoted }
  })
}

/** What verifying adds; nothing where it was not asked for. */
const checksOf = <Name extends Operation>(
  { plan, worst }: { readonly plan: Plan<Name>; readonly worst: Credits.Credits },
  prices: PriceBook,
  millionths: number
) => {
  if (plan.verdict === null) return {}
  const without = quote({ ...plan, steps: plan.steps.map((step) => ({ ...step, checks: Credits.zero })) }, prices)
  return {
    verify_emails: { worst: Credits.toNumber(Credits.subtract(worst, without)), expected: amount(millionths) }
  }
}

const subjectOf = <Name extends Operation, Profile>(
  question: Question<Name, Profile>,
  worst: Credits.Credits,
  fee: Credits.Credits,
  known: Known
) => {
  const { identity, plan, subject } = question
  const steps = expected(plan, judged(question, known, fee), subject.segment(identity), known)
  const checks = steps.reduce((sum, step) => sum + step.checks, 0)
  const millionths = plan.platformFee + steps.reduce((sum, step) => sum + step.millionths, 0) + checks
  const bySource = new Map([
    ...steps.map(({ quoted }) => [quoted.source, quoted] as const),
    ...plan.skips.map(({ reason, source }) => [source, skipped(source, reason, false)] as const)
  ])
  return {
    millionths,
    quoted: {
      identity: Object.fromEntries<string | null>(Object.entries(identity)),
      worst: Credits.toNumber(worst),
      expected: amount(millionths),
      steps: plan.order.flatMap((source) => bySource.get(source) ?? []),
      ...checksOf({ plan, worst }, known.prices, checks)
    }
  }
}

/** Of subjects, each once, with the worst price of each. */
export const make = <Name extends Operation, Profile>(
  operation: Name,
  asked: ReadonlyArray<{ readonly question: Question<Name, Profile>; readonly worst: Credits.Credits }>,
  charge: Charge,
  known: Known
): Quote => {
  const { available, prices, settings } = known
  const subjects = asked.map(({ question, worst }) => subjectOf(question, worst, charge.fee, known))
  const ceiling = settings.ceiling
  const held = ceiling === null ? charge.worst : Credits.min(charge.worst, ceiling)
  const onAverage = subjects.reduce((sum, { millionths }) => sum + millionths, 0)
  return {
    operation,
    mode: settings.mode,
    price_version: prices.version,
    platform: Credits.toNumber(charge.fee),
    subjects: subjects.map(({ quoted }) => quoted),
    worst: Credits.toNumber(charge.worst),
    expected: amount(Math.min(onAverage, held)),
    least: Credits.toNumber(charge.least),
    max_credits: ceiling === null ? null : Credits.toNumber(ceiling),
    held: Credits.toNumber(held),
    available: Credits.toNumber(available),
    fits_max_credits: ceiling === null || charge.least <= ceiling,
    fits_balance: held <= available
  }
}
