/**
 * What the enrichment of a company and of a person have in common: plan, run, merge, and what the request fails with
 * when nobody could answer.
 */
import { Clock, Effect, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import type { Tab } from "../billing/Tab.ts"
import * as Explanation from "./Explanation.ts"
import type { LoggedRun } from "./LoggedRun.ts"
import * as Mentions from "../value/Mentions.ts"
import * as Merge from "./Merge.ts"
import * as Plan from "./Plan.ts"
import * as Ranking from "./Ranking.ts"
import type { Run } from "./Run.ts"
import type { Operation, Operations } from "./Source.ts"
import type { Subject } from "./Subject.ts"
import type { Waterfall } from "./Waterfall.ts"
import * as WaterfallMeta from "./WaterfallMeta.ts"
import * as VerifiedEmail from "./VerifiedEmail.ts"
import type { Settings } from "./WaterfallOptions.ts"

/** Every source that was asked failed, or none could be asked for now. Nothing is charged. */
export class SourcesUnavailable extends Schema.TaggedError<SourcesUnavailable>()("SourcesUnavailable", {
  sources: Schema.Array(Schema.Struct({ source: Schema.String, reason: Schema.String }))
}) {}

/** Nothing was learnt before the deadline. Nothing is charged. */
export class DeadlineExceeded extends Schema.TaggedError<DeadlineExceeded>()("DeadlineExceeded", {
  timeout_ms: Schema.Finite
}) {}

/** One subject, ready to be asked about. */
export interface Question<Name extends Operation, Profile> {
  readonly subject: Subject<Name, Profile>
  readonly identity: Operations[Name]["identity"]
  readonly plan: Plan.Plan<Name>
}

export const question = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  identity: Operations[Name]["identity"],
  settings: Settings,
  prices: PriceBook.PriceBook,
  { attempts, rates, verifies }: Pick<Waterfall["Service"], "attempts" | "rates" | "verifies">
) {
  const suppression = yield* Suppression.Suppression
  const objected = yield* suppression.find(() => subject.handles(identity))
  const plan = Plan.make({
    subject,
    identity,
    mode: settings.mode,
    order: settings.order,
    byok: settings.byok,
    stored: settings.stored,
    suppressed: objected.size > 0,
    prices,
    attempts,
    hedge: settings.hedge,
    // Where nobody can verify there is nothing to pay for.
    verdict: settings.verifyEmails ? (verifies ? PriceBook.emailFee(prices) : Credits.zero) : null
  })
  return {
    subject,
    identity,
    plan: settings.cheapest ? Ranking.cheapest(plan, subject.segment(identity), yield* rates, prices) : plan
  }
})

/** What was found about a subject. */
export interface Found<Profile> {
  readonly profile: Profile
  readonly field_sources: { readonly [field: string]: string }
  readonly raw: Run["raw"]
  readonly waterfall: WaterfallMeta.WaterfallMeta
  /** Made only where it is asked for. */
  readonly explanation: () => Explanation.Explanation
  readonly run: Run
}

export interface Asking {
  readonly suppression: Suppression.Suppression["Service"]
  readonly waterfall: Waterfall["Service"]
  readonly settings: Settings
  readonly prices: PriceBook.PriceBook
  readonly tab: Tab
  readonly account: string
  readonly deadline: number
}

/**
 * Nobody in the answer has objected since its parts were checked, when they came. It is rare, so the request fails and may
 * be asked again; what the request itself names was checked before the plan.
 */
const stillShown = Effect.fnUntraced(function* (
  suppression: Suppression.Suppression["Service"],
  asked: ReadonlyArray<string>,
  answer: unknown
) {
  const objected = yield* suppression.find(() => Mentions.of(answer).filter((handle) => !asked.includes(handle)))
  if (objected.size > 0) return yield* new SourcesUnavailable({ sources: [{ source: "answer", reason: "suppressed" }] })
})

export const find = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  { subject, identity, plan }: Question<Name, Profile>,
  { suppression, waterfall, settings, prices, tab, account, deadline }: Asking
) {
  const started = yield* Clock.currentTimeMillis
  const run = yield* waterfall.run({
    subject,
    identity,
    plan,
    prices,
    tab,
    deadline,
    maxCacheAge: settings.maxCacheAge,
    account,
    required: settings.required
  })
  const found = made(subject, run, { ...settings, ...plan }, (yield* Clock.currentTimeMillis) - started)
  yield* stillShown(suppression, subject.handles(identity), [found.profile, run.raw, run.verified])
  return found
})

/** How a run is judged. */
export interface Judged extends Pick<Plan.Plan<Operation>, "mode" | "ranking"> {
  readonly order: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
}

/** What a run comes to. `latency` in milliseconds. */
export const made = <Name extends Operation, Profile>(
  { table }: Subject<Name, Profile>,
  run: Run,
  { mode, order, ranking, required }: Judged,
  latency: number
): Found<Profile> => {
  const merged = Merge.merge(table, VerifiedEmail.judged(table, run.observations, run.verified), order)
  return {
    profile: merged.profile,
    field_sources: merged.field_sources,
    raw: run.raw,
    waterfall: WaterfallMeta.make(run, { mode, ranking }, Merge.missing(merged, required).length === 0, latency),
    explanation: () => Explanation.make(merged, run.steps),
    run
  }
}

/** What the log of runs keeps of it. */
export const logged = <Profile extends object>(
  identity: unknown,
  order: ReadonlyArray<string>,
  { field_sources, profile, run }: Found<Profile>
): LoggedRun => ({
  identity,
  order,
  steps: run.logged,
  profile: Object.fromEntries<unknown>(Object.entries(profile)),
  field_sources,
  ...(run.verified === null ? {} : { verified: run.verified })
})

/** Nobody learnt anything and somebody should have: the reason, or `null` where there is an answer to give. */
export const failure = (run: Run, timeout: number): SourcesUnavailable | DeadlineExceeded | null => {
  const outages = run.failed.filter(({ reason }) => reason !== "suppressed")
  const postponed = run.skipped.filter(({ reason }) => reason === "circuit_open" || reason === "rate_limited")
  const late = run.skipped.some(({ reason }) => reason === "deadline_exceeded")
  const learnt = run.attempted.length - run.failed.length
  if (learnt > 0 || run.failed.length > outages.length) return null
  if (outages.length + postponed.length === 0) return late ? new DeadlineExceeded({ timeout_ms: timeout }) : null
  return outages.every(({ reason }) => reason === "timeout") && postponed.length === 0
    ? new DeadlineExceeded({ timeout_ms: timeout })
    : new SourcesUnavailable({ sources: [...outages, ...postponed] })
}

/** What the stores may take beyond the deadline before the request is given up, in milliseconds. */
const slack = 1000

/**
 * Bounds what else waits in a request: sources end by themselves with the deadline (epoch milliseconds), stores may hang.
 */
export const within =
  (deadline: number, timeout: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | DeadlineExceeded, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.timeoutOrElse(work, {
        duration: Math.max(0, deadline - now) + slack,
        orElse: () => Effect.fail(new DeadlineExceeded({ timeout_ms: timeout }))
      })
    )

/** Takes the platform's fee out of what was reserved for it before the first call. */
export const takeFee = (tab: Tab, reserved: Credits.Credits, due: Credits.Credits): void =>
  tab.charge(reserved, { payee: { _tag: "Platform" }, credits: due })
