/**
 * Guard: how a slot's vendor is called. Around the one call of the adapter stand, from the outside in: the circuit
 * breaker (one outcome a call, whatever was retried in it), the only retry loop there is, the token bucket and the
 * concurrency limit. Time is bounded by those who wait, see `Flights`.
 *
 * Gotchas
 * - Circuits and buckets are keyed with the credential: a caller's bad key never opens the platform's circuit.
 * - The bucket is asked in `fail` mode and waited for here: in `delay` mode callers that gave up keep their tokens.
 * - A wait is bounded by `maxWait`; beyond it another source is asked sooner than this one answers.
 */
import { Clock, Duration, Effect, Exit, Random, Schema, type Scope, Semaphore, Stream } from "effect"
import { CircuitBreaker, RateLimiter } from "effect/persistence"
import type { Flight } from "./Flights.ts"
import * as Metrics from "./Metrics.ts"
import type { Step } from "./Plan.ts"
import type { Operation, Operations, Outcome } from "./Source.ts"
import { RateLimited, type SourceError, TimedOut } from "./SourceError.ts"

/** The vendor was not asked: its circuit is open, or our own limit for it is used up for now. */
export class NotAsked extends Schema.TaggedError<NotAsked>()("NotAsked", {
  reason: Schema.Literals(["circuit_open", "rate_limited"])
}) {}

export interface Policy {
  /** How often a repeatable call is made in all. */
  readonly attempts: number
  /** The first pause before a retry, in milliseconds; doubled each time, jittered. */
  readonly pause: number
  /** The longest wait for a retry or a token, in milliseconds. */
  readonly maxWait: number
  /** Consecutive failures that open a circuit. */
  readonly failures: number
  /** How long a circuit stays open, in milliseconds. */
  readonly open: number
}

export const defaults: Policy = { attempts: 3, pause: 200, maxWait: 5_000, failures: 5, open: 30_000 }

export interface Answered<Facts> {
  readonly outcome: Outcome<Facts>
  readonly attempts: number
  readonly observed_at: number
}

export type Trouble = SourceError | NotAsked

/** Of a step, what limits are kept by. */
type Callee = Pick<Step<Operation>, "source" | "adapter">

const crowded = new NotAsked({ reason: "rate_limited" })

export interface Guard {
  readonly call: <Name extends Operation>(
    step: Step<Name>,
    identity: Operations[Name]["identity"],
    /** Names the credential, see `credentialKey` in `Waterfall`. */
    credential: string,
    flight: Flight<Trouble>
  ) => Effect.Effect<Answered<Operations[Name]["facts"]>, Trouble>
}

const retryable = (error: SourceError): boolean => error._tag === "RateLimited" || error._tag === "Unavailable"

/** Failures that speak against the vendor or the credential; all others speak about the question. */
const breaks = (error: Trouble): boolean => {
  switch (error._tag) {
    case "Unavailable":
    case "TimedOut":
    case "Unauthorized":
    case "QuotaExhausted":
      return true
    case "RateLimited":
    case "InvalidResponse":
    case "InvalidInput":
    case "Suppressed":
    case "NotAsked":
      return false
  }
}

const classify = <A>(exit: Exit.Exit<A, Trouble>): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return CircuitBreaker.success
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" && breaks(error.value) ? CircuitBreaker.failure() : CircuitBreaker.ignored
}

/** Whether a flight that was interrupted speaks against the vendor: time ran out while the vendor had the question. */
const tooSlow = (flight: Flight<Trouble>): boolean =>
  flight.timedOut && (flight.trouble === null || breaks(flight.trouble))

export const make: (
  slots: ReadonlyArray<string>,
  policy: Policy
) => Effect.Effect<
  Guard,
  never,
  CircuitBreaker.CircuitBreakerStore | RateLimiter.RateLimiterStore | Scope.Scope
> = Effect.fnUntraced(function* (slots, policy) {
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(policy.failures),
    openDuration: policy.open
  })
  const limiter = yield* RateLimiter.make
  const semaphores = new Map<string, Semaphore.Semaphore>()

  const platformKeys = new Map(slots.map((slot) => [`${slot}:platform`, slot]))
  yield* Effect.forEach(slots, (slot) => Metrics.circuit(slot, "Closed"), { discard: true })
  yield* breaker.transitions.pipe(
    Stream.runForEach(({ key, to }) => {
      const slot = platformKeys.get(key)
      return slot === undefined ? Effect.void : Metrics.circuit(slot, to)
    }),
    Effect.forkScoped
  )

  const semaphore = (step: Callee) => {
    const known = semaphores.get(step.source)
    if (known !== undefined) return known
    const fresh = Semaphore.makeUnsafe(step.adapter.limits.concurrency)
    semaphores.set(step.source, fresh)
    return fresh
  }

  /** Takes a token; waits for it as long as the policy allows. */
  const token = (
    step: Callee,
    credential: string,
    since: number
  ): Effect.Effect<void, NotAsked> => {
    const { calls, window } = step.adapter.limits.rate
    return limiter
      .consume({ algorithm: "token-bucket", onExceeded: "fail", key: credential, limit: calls, window })
      .pipe(
        Effect.asVoid,
        Effect.catchTag("RateLimiterError", ({ reason }) => {
          // A limiter that does not answer must not stop the vendor's answer.
          if (reason._tag === "RateLimitStoreError") return Effect.void
          const delay = Math.max(1, Duration.toMillis(reason.retryAfter))
          return Effect.flatMap(Clock.currentTimeMillis, (now) => {
            if (now - since + delay > policy.maxWait) return Effect.fail(crowded)
            return Effect.andThen(Effect.sleep(delay), token(step, credential, since))
          })
        })
      )
  }

  const once = <Name extends Operation>(
    step: Step<Name>,
    identity: Operations[Name]["identity"],
    credential: string,
    flight: Flight<Trouble>
  ): Effect.Effect<Outcome<Operations[Name]["facts"]>, Trouble> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => token(step, credential, now)).pipe(
      Effect.andThen(() => {
        flight.trouble = null
        return Effect.withSpan(step.serve.call(identity, step.credential), "source.call", {
          kind: "client",
          captureStackTrace: false,
          attributes: { source: step.source, adapter: step.adapter.adapter, operation: step.price.operation }
        })
      }),
      (asking) =>
        Effect.suspend(() => {
          flight.trouble = crowded
          return semaphore(step).withPermit(asking)
        })
    )

  /** The only retry loop of the house. */
  const attempt = <Name extends Operation>(
    step: Step<Name>,
    identity: Operations[Name]["identity"],
    credential: string,
    flight: Flight<Trouble>,
    count: number
  ): Effect.Effect<Answered<Operations[Name]["facts"]>, Trouble> =>
    once(step, identity, credential, flight).pipe(
      Effect.flatMap((outcome) =>
        Effect.map(Clock.currentTimeMillis, (observed_at) => ({ outcome, attempts: count, observed_at }))
      ),
      Effect.catch((error) => {
        if (error._tag === "NotAsked" || !step.serve.repeatable || !retryable(error) || count >= policy.attempts) {
          return Effect.fail(error)
        }
        return Effect.flatMap(pauseBefore(error, count), (pause) => {
          if (pause > policy.maxWait) return Effect.fail(error)
          flight.trouble = error
          return Effect.andThen(
            Effect.sleep(pause),
            Effect.suspend(() => attempt(step, identity, credential, flight, count + 1))
          )
        })
      })
    )

  const pauseBefore = (error: SourceError, count: number): Effect.Effect<number> =>
    error instanceof RateLimited && error.retryAfter !== null
      ? Effect.succeed(error.retryAfter)
      : Effect.map(Random.next, (random) => policy.pause * 2 ** (count - 1) * (0.5 + random / 2))

  /** The breaker takes no notice of interruptions, so a call that was too slow is recorded by one that fails at once. */
  const blame = (credential: string, source: string) =>
    Effect.ignore(breaker.execute(Effect.fail(new TimedOut({ source })), { key: credential, classify }))

  return {
    call: (step, identity, credential, flight) =>
      attempt(step, identity, credential, flight, 1).pipe(
        breaker.execute({ key: credential, classify }),
        Effect.onInterrupt(() => (tooSlow(flight) ? blame(credential, step.adapter.adapter) : Effect.void)),
        Effect.catchTag("CircuitBreakerError", () => Effect.fail(new NotAsked({ reason: "circuit_open" })))
      )
  }
})
