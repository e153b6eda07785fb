/**
 * The waterfall: asks the sources of a plan in order (or all at once), turns what they say into observations and puts
 * what it costs on the tab. It merges nothing and holds no money: that is done before and after it.
 *
 * A step goes through the answer cache, the tab, the calls in the air and the slot's guard. One deadline bounds all of
 * it; a source that hangs gets its share of the time and the others get the rest.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { CircuitBreaker, RateLimiter } from "effect/persistence"
import * as Suppression from "../account/Suppression.ts"
import * as EmailVerifier from "../email/EmailVerifier.ts"
import * as EmailMetrics from "../email/Metrics.ts"
import * as Mentions from "../value/Mentions.ts"
import type * as Allowances from "./Allowances.ts"
import * as AnswerCache from "./AnswerCache.ts"
import type * as Asking from "./Asking.ts"
import * as Booking from "./Booking.ts"
import * as EmailChecks from "./EmailChecks.ts"
import type * as Ending from "./Ending.ts"
import * as Flights from "./Flights.ts"
import * as Guard from "./Guard.ts"
import * as Handles from "./Handles.ts"
import * as HitRates from "./HitRates.ts"
import * as Latencies from "./Latencies.ts"
import * as LoggedRun from "./LoggedRun.ts"
import { defaults, type Policy } from "./Policy.ts"
import type { Request, Resumed } from "./Request.ts"
import type * as Run from "./Run.ts"
import * as RunLog from "./RunLog.ts"
import * as Slots from "./Slots.ts"
import type { Operation } from "./Source.ts"
import type * as VerifiedEmail from "./VerifiedEmail.ts"
import * as Walk from "./Walk.ts"

export * from "./Policy.ts"
export type * from "./Request.ts"

/** A request that was answered. */
export interface Logged {
  readonly request_id: string
  readonly account: string
  readonly operation: Operation
  /** Each subject that was asked about. */
  readonly runs: ReadonlyArray<LoggedRun.LoggedRun>
}

export class Waterfall extends Context.Service<
  Waterfall,
  {
    /** How often a repeatable call is made in all: what a plan's worst price has to count. */
    readonly attempts: number
    /** How often sources find something: what the cheapest order is computed from. */
    readonly rates: Effect.Effect<ReadonlyArray<HitRates.Rate>>
    /** Whether there is a verifier of mail addresses. */
    readonly verifies: boolean
    /** Never fails: what went wrong with a source is in the run's `failed`. */
    readonly run: <Name extends Operation, Profile>(request: Request<Name, Profile>) => Effect.Effect<Run.Run>
    /** Asks once for a pending answer; what cannot be had for now is `Pending` again. Never fails. */
    readonly resume: <Name extends Operation, Profile>(resumed: Resumed<Name, Profile>) => Effect.Effect<Ending.Ending>
    /**
     * Verifies the addresses of a pending answer that has come, but for those that are known by their key; gives what came
     * of all of them. Never fails.
     */
    readonly verify: <Facts, Profile>(
      ending: Ending.Ending,
      asked: EmailChecks.Asked<Facts, Profile>,
      known: ReadonlyMap<string, VerifiedEmail.VerifiedEmail>
    ) => Effect.Effect<ReadonlyArray<VerifiedEmail.VerifiedEmail>>
    /** Keeps what an answered request needs to be replayed. Nobody waits for it, and without it the answer stands. */
    readonly log: (request: Logged) => Effect.Effect<void>
  }
>()("@lading/core/waterfall/Waterfall") {}

const record = (log: RunLog.RunLog["Service"], { keepRaw }: Policy, { runs, ...request }: Logged) =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    log.record(
      { ...request, at, runs: LoggedRun.textOf(runs) },
      { kept_until: at + keepRaw, subjects: Mentions.of(runs) }
    )
  ).pipe(Effect.catch((error) => Effect.logWarning("run log unavailable", error.problem)))

const make = Effect.fnUntraced(function* (policy: Policy) {
  const slots = yield* Slots.Slots
  const scope = yield* Effect.scope
  const runLog = yield* RunLog.RunLog
  const verifier = EmailMetrics.counted(yield* EmailVerifier.EmailVerifier)
  const means: Asking.Means = {
    policy,
    cache: yield* AnswerCache.AnswerCache,
    rates: yield* HitRates.HitRates,
    suppression: yield* Suppression.Suppression,
    guard: yield* Guard.make(
      slots.all.map((slot) => slot.name),
      policy.guard
    ),
    flights: Flights.make(scope),
    handles: Handles.make(policy.pending.life),
    latencies: Latencies.make(policy.latencies ?? Latencies.defaults),
    verifier,
    scope
  }
  return Waterfall.of({
    attempts: policy.guard.attempts,
    rates: means.rates.all,
    verifies: verifier.bulk._tag !== "Absent",
    log: (request) => Effect.asVoid(Effect.forkIn(record(runLog, policy, request), scope, { startImmediately: true })),
    resume: (resumed) => Booking.resume(means, resumed),
    verify: (ending, asked, known) => {
      const checks = EmailChecks.make(verifier, asked, known)
      return Effect.map(checks.check([ending], 1), () => checks.checked([ending])?.verified ?? [])
    },
    run: (request) => {
      if (request.plan.mode === "aggregate") return Walk.aggregate(means, request)
      return request.plan.hedge ? Walk.hedged(means, request) : Walk.sequential(means, request)
    }
  })
})

/** Wants the stores of circuits, limits and allowances: in memory, or shared between processes. */
export const layer = (
  policy: Policy = defaults
): Layer.Layer<
  Waterfall,
  never,
  | Slots.Slots
  | AnswerCache.AnswerCache
  | EmailVerifier.EmailVerifier
  | HitRates.HitRates
  | RunLog.RunLog
  | Suppression.Suppression
  | Allowances.Allowances
  | CircuitBreaker.CircuitBreakerStore
  | RateLimiter.RateLimiterStore
> => Layer.effect(Waterfall, make(policy))
