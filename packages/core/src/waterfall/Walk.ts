/** The ways through a plan: one step after the other, one beside another that is late, or all at once. */
import { Clock, Effect, Exit, Option } from "effect"
import * as Asking from "./Asking.ts"
import * as Booking from "./Booking.ts"
import * as EmailChecks from "./EmailChecks.ts"
import * as Ending from "./Ending.ts"
import * as Hedging from "./Hedging.ts"
import * as Merge from "./Merge.ts"
import type { Observation } from "./Observation.ts"
import type { DynamicReason, Plan, Step } from "./Plan.ts"
import type { Request } from "./Request.ts"
import * as Run from "./Run.ts"
import type { Operation } from "./Source.ts"

/** Why the next step need not be asked after those that have ended; `null` when it must be. */
export const needlessAfter = <Name extends Operation, Profile>(
  { plan, subject, required }: Pick<Request<Name, Profile>, "plan" | "subject" | "required">,
  step: Step<Name>,
  endings: ReadonlyArray<Ending.Ending>,
  observations: ReadonlyArray<Observation>
): DynamicReason | null => {
  if (plan.mode === "first_match") {
    return endings.some(({ verdict }) => verdict._tag === "Hit") ? "already_answered" : null
  }
  // What the request says only for want of anybody else fills nothing.
  const said = observations.filter(({ origin }) => origin.precedence !== "fallback")
  const serves: ReadonlyArray<string> = step.serve.fields
  return Merge.missing(Merge.merge(subject.table, said, plan.order), required).some((field) => serves.includes(field))
    ? null
    : "fields_filled"
}

/** Verifying addresses takes its part of the time, as one more step would. */
const timeShare = <Name extends Operation>({ steps, verdict }: Plan<Name>, ended: number): number =>
  steps.length - ended + (verdict === null ? 0 : 1)

/** Verifies the addresses that the steps of a run tell. */
const checksOf = <Name extends Operation, Profile>(
  { verifier }: Asking.Means,
  { deadline, plan, subject, tab }: Request<Name, Profile>
): EmailChecks.EmailChecks => EmailChecks.make(verifier, { table: subject.table, tab, verdict: plan.verdict, deadline })

/** What came of it all. */
const runOf = <Name extends Operation, Profile>(
  { identity, plan, subject }: Request<Name, Profile>,
  checks: EmailChecks.EmailChecks,
  endings: ReadonlyArray<Ending.Ending>,
  hedged: ReadonlyArray<Hedging.Hedge> | null = null
): Run.Run => {
  checks.setAside(endings, plan.steps)
  return Run.make(plan, Run.requested(subject, identity), endings, hedged, checks.checked(endings))
}

/** `first_match` and `fill_missing`: one after the other, as long as there is a reason to ask. */
export const sequential = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  means: Asking.Means,
  request: Request<Name, Profile>
) {
  const { plan } = request
  const checks = checksOf(means, request)
  const observations: Array<Observation> = [...Run.requested(request.subject, request.identity)]
  const endings: Array<Ending.Ending> = []
  const known = yield* Asking.kept(means, request)
  const pass = (step: Step<Name>, index: number): Effect.Effect<ReadonlyArray<Ending.Ending>> => {
    const needless = needlessAfter(request, step, endings, checks.judged(observations))
    if (needless !== null) return Effect.succeed([Ending.skipped(step.source, needless)])
    const answer = known[index] ?? null
    if (answer !== null) return Effect.map(Booking.conclude(means, request, step, answer, null), (ending) => [ending])
    return request.tab.reserve(step.worst)
      ? Booking.buy(means, request, [step], timeShare(plan, index))
      : Effect.succeed([Ending.skipped(step.source, "budget_exhausted")])
  }
  for (const [index, step] of plan.steps.entries()) {
    const ended = yield* pass(step, index)
    endings.push(...ended)
    observations.push(...ended.flatMap((ending) => ending.observations))
    yield* checks.check(ended, timeShare(plan, index + 1))
  }
  return runOf(request, checks, endings)
})

/** A call that may be given up for another one. */
const inAir = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  means: Asking.Means,
  request: Request<Name, Profile>,
  step: Step<Name>,
  index: number
): Effect.fn.Return<Hedging.InAir<Name> | Ending.Ending> {
  const began = yield* Clock.currentTimeMillis
  const remaining = request.deadline - began
  if (remaining <= 0) {
    return yield* Booking.conclude(means, request, step, { _tag: "Skipped", reason: "deadline_exceeded" }, began)
  }
  const share = timeShare(request.plan, index)
  const seat = yield* Asking.ask(
    means,
    request,
    step,
    Math.max(1, Math.min(remaining / share, step.adapter.limits.timeout))
  )
  const usual = means.latencies.lateAfter(Asking.timedAs(step))
  return {
    step,
    began,
    lateAt: usual === null ? null : began + usual,
    wait: Asking.wait<Name>(step, seat),
    landed: () => {
      const landing = seat.landed()
      if (landing === undefined) return null
      if (Exit.isSuccess(landing)) return Asking.landedAs(landing.value)
      return Option.getOrNull(Option.map(Exit.findErrorOption(landing), Asking.troubled))
    },
    asked: seat.asked,
    leave: seat.leave
  }
})

/** `first_match` and `fill_missing`, where a source that is late is not waited for alone. */
export const hedged = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  means: Asking.Means,
  request: Request<Name, Profile>
) {
  const { plan, tab } = request
  const checks = checksOf(means, request)
  const requested = Run.requested(request.subject, request.identity)
  const checked = (ending: Effect.Effect<Ending.Ending>, index: number) =>
    Effect.tap(ending, (ending) => checks.check([ending], timeShare(plan, index + 1)))
  const known = yield* Asking.kept(means, request)
  const { endings, hedged } = yield* Hedging.run<Name>({
    all: plan.steps,
    needless: (step, endings) => {
      const observations = [...requested, ...endings.flatMap(({ observations }) => observations)]
      const reason = needlessAfter(request, step, endings, checks.judged(observations))
      return reason === null ? null : Ending.skipped(step.source, reason)
    },
    kept: (index) => {
      const [step, answer] = [plan.steps[index], known[index] ?? null]
      return step === undefined || answer === null
        ? null
        : checked(Booking.conclude(means, request, step, answer, null), index)
    },
    reserve: ({ worst }) => tab.reserve(worst),
    cutOff: ({ source }) => Ending.skipped(source, "budget_exhausted"),
    begin: (step, index) => inAir(means, request, step, index),
    end: ({ began, step }, result) =>
      checked(Booking.conclude(means, request, step, result, began), plan.steps.indexOf(step))
  })
  return runOf(request, checks, endings, hedged)
})

/** All at once. */
export const aggregate = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  means: Asking.Means,
  request: Request<Name, Profile>
) {
  const { plan } = request
  const checks = checksOf(means, request)
  const known = yield* Asking.kept(means, request)
  // In plan order and before the first call, so that a ceiling cuts off the same sources every time.
  const reserved = plan.steps.filter(
    (step, index) => (known[index] ?? null) === null && request.tab.reserve(step.worst)
  )
  const bought = yield* Booking.buy(means, request, reserved, timeShare(plan, plan.steps.length - 1))
  const bySource = new Map(bought.map((ending) => [ending.source, ending]))
  const endings = yield* Effect.forEach(plan.steps, (step, index) => {
    const answer = known[index] ?? null
    return answer === null
      ? Effect.succeed(bySource.get(step.source) ?? Ending.skipped(step.source, "budget_exhausted"))
      : Booking.conclude(means, request, step, answer, null)
  })
  yield* checks.check(endings, 1)
  return runOf(request, checks, endings)
})
