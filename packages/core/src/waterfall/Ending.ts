/**
 * How a step of the plan ended: what of the answer counts, and what it costs. Pure.
 */
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import type { StepReport } from "./Explanation.ts"
import type { LoggedStep } from "./LoggedRun.ts"
import * as Merge from "./Merge.ts"
import type { Observation } from "./Observation.ts"
import type { DynamicReason, Step } from "./Plan.ts"
import type { Operation, Operations, Outcome } from "./Source.ts"
import type { FailureReason } from "./SourceError.ts"
import type { Subject } from "./Subject.ts"

/** What came back from the cache or the guard. */
export type StepResult<Name extends Operation> =
  | {
      readonly _tag: "Answered"
      readonly outcome: Outcome<Operations[Name]["facts"]>
      readonly attempts: number
      readonly observed_at: number
      readonly cached: boolean
      /** What was found is about somebody who objected. */
      readonly suppressed: boolean
    }
  | { readonly _tag: "Failed"; readonly reason: FailureReason }
  | { readonly _tag: "Skipped"; readonly reason: DynamicReason }
  /** Given up for another source's answer, see `Hedging`; `asked` where the vendor had the question. */
  | { readonly _tag: "Abandoned"; readonly asked: boolean }

/** What is made of it. */
export type Verdict =
  | { readonly _tag: "Hit" }
  | { readonly _tag: "Miss" }
  | { readonly _tag: "Mismatch" }
  /** `attempts` counts the calls that began it. */
  | { readonly _tag: "Pending"; readonly handle: string; readonly attempts: number }
  | { readonly _tag: "Failed"; readonly reason: FailureReason }
  | { readonly _tag: "Skipped"; readonly reason: DynamicReason }
  | { readonly _tag: "Abandoned" }

export interface Ending {
  readonly source: string
  readonly verdict: Verdict
  readonly cached: boolean
  readonly credits: Credits.Credits
  readonly observations: ReadonlyArray<Observation>
  /** The vendor's answer; `undefined` where there is none to show. */
  readonly raw: unknown
  /** The vendor was called with the caller's own key. */
  readonly byok: boolean
  /** What the vendor takes for it, in its own units; its bill does not know our verdicts. */
  readonly vendorUnits: number
  /** For the log of runs; `null` where nobody was to be asked. */
  readonly logged: LoggedStep | null
}

export const skipped = (source: string, reason: DynamicReason): Ending =>
  without(source, { _tag: "Skipped", reason }, false, null)

const without = (
  source: string,
  verdict: Verdict,
  byok: boolean,
  logged: LoggedStep | null,
  cached = false
): Ending => ({
  source,
  logged,
  verdict,
  cached,
  credits: Credits.zero,
  observations: [],
  raw: undefined,
  byok,
  vendorUnits: 0
})

export const make = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  identity: Operations[Name]["identity"],
  step: Step<Name>,
  prices: PriceBook.PriceBook,
  result: StepResult<Name>
): Ending => {
  if (result._tag === "Skipped") return skipped(step.source, result.reason)
  const logged = loggedStep(step, result)
  if (result._tag === "Abandoned") return abandoned(step, prices, result.asked, logged)
  if (result._tag === "Failed") return without(step.source, result, step.ownKey, logged)
  const { outcome, cached, attempts } = result
  const byok = step.ownKey && !cached
  if (outcome._tag === "Pending") return without(step.source, { ...outcome, attempts }, byok, logged)
  if (result.suppressed) return without(step.source, { _tag: "Failed", reason: "suppressed" }, byok, logged, cached)
  const by = { source: step.source, adapter: adapterOf(step), observed_at: result.observed_at }
  const observations = outcome._tag === "Hit" ? read(subject, identity, outcome.facts, by) : []
  const known = askedWith(subject, identity)
  const said = new Set(observations.filter(({ reading, field }) => reading.valid && !known.has(field)).map(fieldOf))
  const mismatch = observations.some(({ origin }) => origin.mismatch)
  const verdict: Verdict = mismatch ? { _tag: "Mismatch" } : said.size > 0 ? { _tag: "Hit" } : { _tag: "Miss" }
  const answered: PriceBook.Result =
    outcome._tag === "Hit" ? { _tag: "Hit", fields: said.size, attempts } : { _tag: "Miss", attempts }
  const bought: PriceBook.Result = cached
    ? { _tag: "Cached" }
    : verdict._tag === "Hit"
      ? answered
      : { _tag: "Miss", attempts }
  return {
    source: step.source,
    logged,
    verdict,
    cached,
    credits: Credits.min(PriceBook.charge(prices, step.price, bought), step.worst),
    observations,
    raw: outcome._tag === "Hit" ? outcome.raw : undefined,
    byok,
    vendorUnits: cached ? 0 : step.serve.cost.units * PriceBook.units(step.serve.cost.kind, answered)
  }
}

/** Nobody waits for its answer; a vendor that charges every call has earned its price. */
const abandoned = <Name extends Operation>(
  step: Step<Name>,
  prices: PriceBook.PriceBook,
  asked: boolean,
  logged: LoggedStep
): Ending => {
  const due: PriceBook.Result = asked ? { _tag: "Miss", attempts: 1 } : { _tag: "Failed" }
  const { cost } = step.serve
  return {
    ...without(step.source, { _tag: "Abandoned" }, step.ownKey && asked, logged),
    credits: PriceBook.charge(prices, step.price, due),
    vendorUnits: cost.units * PriceBook.units(cost.kind, due)
  }
}

const fieldOf = ({ field }: Observation): string => field

/** The fields that the question itself was asked with: an answer that only repeats them says nothing. */
const askedWith = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  identity: Operations[Name]["identity"]
): ReadonlySet<string> => {
  const asked = { ...subject.requested(identity), ...subject.fallback(identity) }
  return new Set(
    Object.entries(asked).flatMap(([field, value]) => (value === null || value === undefined ? [] : [field]))
  )
}

/** The adapter of a step and its version. */
export const adapterOf = <Name extends Operation>({ adapter }: Step<Name>): string =>
  `${adapter.adapter}@${adapter.version}`

const loggedStep = <Name extends Operation>(
  step: Step<Name>,
  result: Exclude<StepResult<Name>, { readonly _tag: "Skipped" }>
): LoggedStep => {
  const answered = result._tag === "Answered" && !result.suppressed
  return {
    source: step.source,
    adapter: adapterOf(step),
    own_key: step.ownKey,
    outcome: answered ? outcomeNames[result.outcome._tag] : result._tag === "Abandoned" ? "skipped" : "failed",
    observed_at: answered && result.outcome._tag !== "Pending" ? result.observed_at : null
  }
}

const outcomeNames = { Hit: "hit", Miss: "miss", Pending: "pending" } as const

/** What a source says of the subject, as observations; a replay reads its answers by the same function. */
export const read = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  identity: Operations[Name]["identity"],
  facts: Operations[Name]["facts"],
  by: { readonly source: string; readonly adapter: string; readonly observed_at: number }
): ReadonlyArray<Observation> =>
  Merge.observe(subject.table, facts, subject.region(facts), {
    ...by,
    precedence: "plan",
    mismatch: !subject.matches(identity, facts)
  })

/** For the explanation. */
export const report = ({ source, verdict, cached, credits }: Ending): StepReport => ({
  source,
  outcome: outcomes[verdict._tag],
  reason: "reason" in verdict ? verdict.reason : null,
  cached,
  credits: Credits.toNumber(credits)
})

const outcomes = {
  Hit: "hit",
  Miss: "miss",
  Mismatch: "identity_mismatch",
  Pending: "pending",
  Failed: "failed",
  Skipped: "skipped",
  Abandoned: "abandoned"
} as const
