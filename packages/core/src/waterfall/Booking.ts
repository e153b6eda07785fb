/** Booking: what a step came to goes onto the tab and is counted; and the calls that are made for steps that are paid for. */
import { Clock, Effect, Exit } from "effect"
import * as Credits from "../billing/Credits.ts"
import * as Asking from "./Asking.ts"
import * as Ending from "./Ending.ts"
import type * as HitRates from "./HitRates.ts"
import * as Metrics from "./Metrics.ts"
import type { Step } from "./Plan.ts"
import type { About, Request, Resumed } from "./Request.ts"
import type { Operation } from "./Source.ts"

/** Puts what a step came to on the tab, and measures it. */
export const conclude = <Name extends Operation, Profile>(
  { handles, rates }: Asking.Means,
  request: Request<Name, Profile>,
  step: Step<Name>,
  result: Ending.StepResult<Name>,
  /** When the vendor was asked, epoch milliseconds; `null` for a kept answer. */
  asked: number | null
): Effect.Effect<Ending.Ending> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const ending = Ending.make(request.subject, request.identity, step, request.prices, result)
    const { verdict, credits, byok, vendorUnits } = ending
    // What is pending may cost its worst price yet: that stays reserved.
    if (verdict._tag === "Pending") {
      handles.remember(Asking.questionOf(request, step), verdict.handle, now)
    } else if (asked !== null)
      request.tab.charge(step.worst, { payee: { _tag: "Source", source: step.source }, credits })
    if (byok && vendorUnits > 0) request.tab.memo({ source: step.source, units: vendorUnits })
    return Effect.as(measured(rates, request, step, ending, now - (asked ?? now)), ending)
  })

/** Counts an ending. `millis`: how long it took. */
const measured = <Name extends Operation, Profile>(
  rates: HitRates.HitRates["Service"],
  { identity, subject }: Pick<About<Name, Profile>, "identity" | "subject">,
  step: Step<Name>,
  { cached, credits, verdict }: Ending.Ending,
  millis: number
): Effect.Effect<void> => {
  if (verdict._tag === "Skipped") return Effect.void
  const { operation } = step.price
  const measure = Metrics.step({
    source: step.source,
    operation,
    outcome: verdict._tag === "Failed" ? verdict.reason : verdict._tag.toLowerCase(),
    cached,
    millis,
    credits: Credits.toNumber(credits)
  })
  // What an account finds with its own keys orders nobody else's sources.
  if (cached || step.ownKey || (verdict._tag !== "Hit" && verdict._tag !== "Miss")) return measure
  const answer: HitRates.Answer = {
    operation,
    source: step.source,
    adapter: Ending.adapterOf(step),
    segment: subject.segment(identity),
    hit: verdict._tag === "Hit"
  }
  return Effect.andThen(measure, rates.record(answer))
}

/** A step whose vendor is being asked. */
interface Boarded<Name extends Operation> {
  readonly step: Step<Name>
  readonly seat: Asking.Seat
  done: boolean
}

/**
 * Calls for reserved steps at the same time, each within its limit. When the caller leaves in between, whoever has
 * answered by then is booked all the same.
 */
export const buy = <Name extends Operation, Profile>(
  means: Asking.Means,
  request: Request<Name, Profile>,
  steps: ReadonlyArray<Step<Name>>,
  /** Of the time that is left, what part these steps may take: 2 is a half. */
  share: number
): Effect.Effect<ReadonlyArray<Ending.Ending>> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      const now = yield* Clock.currentTimeMillis
      const remaining = request.deadline - now
      const late: Ending.StepResult<Name> = { _tag: "Skipped", reason: "deadline_exceeded" }
      if (remaining <= 0) return yield* Effect.forEach(steps, (step) => conclude(means, request, step, late, now))
      const boarded = yield* Effect.forEach(steps, (step) => {
        const limit = Math.max(1, Math.min(remaining / share, step.adapter.limits.timeout))
        return Effect.map(Asking.ask(means, request, step, limit), (seat): Boarded<Name> => ({
          step,
          seat,
          done: false
        }))
      })
      const book = (one: Boarded<Name>, result: Ending.StepResult<Name>) => {
        one.done = true
        return conclude(means, request, one.step, result, now)
      }
      const bookLanded = Effect.forEach(
        boarded,
        (one) => {
          const landing = one.done ? undefined : one.seat.landed()
          return landing === undefined || Exit.isFailure(landing)
            ? Effect.void
            : book(one, Asking.landedAs(landing.value))
        },
        { discard: true }
      )
      return yield* Effect.forEach(boarded, (one) =>
        Effect.flatMap(restore(Asking.wait<Name>(one.step, one.seat)), (result) => book(one, result))
      ).pipe(
        Effect.onInterrupt(() => bookLanded),
        Effect.ensuring(Effect.forEach(boarded, ({ seat }) => seat.leave, { discard: true }))
      )
    })
  )

/** What a pending answer comes to by now. That it is still pending is no event. */
export const resume = <Name extends Operation, Profile>(
  means: Asking.Means,
  resumed: Resumed<Name, Profile>
): Effect.Effect<Ending.Ending> =>
  Effect.gen(function* () {
    const { identity, prices, step, subject } = resumed
    const began = yield* Clock.currentTimeMillis
    const ending = Ending.make(subject, identity, step, prices, yield* Asking.askAgain(means, resumed))
    const took = (yield* Clock.currentTimeMillis) - began
    if (ending.verdict._tag !== "Pending") yield* measured(means.rates, resumed, step, ending, took)
    return ending
  })
