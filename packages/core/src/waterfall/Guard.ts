/**
 * Guard: how a slot's vendor is called. Around the one call of the adapter stand, from the outside in: the circuit
 * breaker (one outcome a call, whatever was retried in it), the only retry loop there is, what the vendor itself says it
 * still takes (`Allowance`), the token bucket and the concurrency limit. Time is bounded by those who wait, see `Flights`.
 *
 * Gotchas
 * - Circuits and buckets are keyed with the credential: a caller's bad key never opens the platform's circuit.
 * - The bucket is asked in `fail` mode and waited for here: in `delay` mode callers that gave up keep their tokens.
 * - A wait is bounded by `maxWait`; beyond it another source is asked sooner than this one answers.
 * - Circuits, buckets and allowances are several processes' where their stores are. The concurrency limit never is: a
 *   process that dies would keep its seats, and what vendors count is calls in a time.
 */
import { Cause, Clock, Duration, Effect, Exit, Random, Schema, type Scope, Semaphore, Stream } from "effect"
import { CircuitBreaker, RateLimiter } from "effect/persistence"
import * as Allowance from "./Allowance.ts"
import * as Allowances from "./Allowances.ts"
import type { Flight } from "./Flights.ts"
import * as Metrics from "./Metrics.ts"
import type { Step } from "./Plan.ts"
import { Begun, type Limits, type Operation, type Operations, type Outcome } from "./Source.ts"
import { InvalidResponse, RateLimited, type SourceError, TimedOut } from "./SourceError.ts"

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

/**
 * A credential, by the names that its limits are kept under. A circuit is forgotten when it is idle, so each own key has
 * one; a bucket never is, so an account has one for all of its keys.
 */
export interface CredentialNames {
  readonly circuit: string
  readonly bucket: string
}

export const platformCredential = (source: string): CredentialNames => ({
  circuit: `${source}:platform`,
  bucket: `${source}:platform`
})

/** `fingerprint` tells the keys of an account apart and shows none. */
export const ownCredential = (source: string, account: string, fingerprint: number): CredentialNames => ({
  circuit: `${source}:account:${account}:${fingerprint}`,
  bucket: `${source}:account:${account}`
})

export interface Call<Name extends Operation> {
  readonly step: Step<Name>
  readonly identity: Operations[Name]["identity"]
  readonly credential: CredentialNames
  readonly flight: Flight<Trouble>
  /** Of a pending answer: it is asked for again, and nothing is begun. */
  readonly handle?: string
}

export interface Guard {
  readonly call: <Name extends Operation>(
    call: Call<Name>
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

/**
 * Whether a call that was abandoned speaks against the vendor: it had the question for a quarter of the time that its
 * adapter asks for. Callers in a hurry abandon calls too, and say nothing about the vendor.
 */
const tooSlow = ({ asked, trouble }: Flight<Trouble>, { timeout }: Limits, now: number): boolean =>
  (asked !== null && now - asked >= timeout / 4) || (trouble !== null && breaks(trouble))

/** What calls go through. */
interface Means {
  readonly policy: Policy
  readonly breaker: CircuitBreaker.CircuitBreaker
  readonly limiter: RateLimiter.RateLimiter
  readonly allowances: Allowances.Allowances["Service"]
  /** Within the concurrency limit of a slot, for each bucket: an account's own calls take no seat of the platform's. */
  readonly seated: <A, E>(step: Callee, bucket: string, call: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** What a vendor counts by: the credential, and what is asked with it. */
const counted = <Name extends Operation>({ credential, step }: Call<Name>): string =>
  `${credential.circuit}:${step.price.operation}`

/** Goes on after a delay, unless all delays together are longer than the policy allows. */
const waiting = (
  { policy }: Means,
  delay: number,
  since: number,
  then: Effect.Effect<void, NotAsked>
): Effect.Effect<void, NotAsked> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - since + delay > policy.maxWait ? Effect.fail(crowded) : Effect.andThen(Effect.sleep(delay), then)
  )

/** Waits until the vendor takes a call by its own count, as long as the policy allows. */
const allowed = (means: Means, name: string, since: number): Effect.Effect<void, NotAsked> =>
  Effect.flatMap(means.allowances.take(name), (delay) =>
    delay === 0
      ? Effect.void
      : waiting(
          means,
          delay,
          since,
          Effect.suspend(() => allowed(means, name, since))
        )
  )

/** Takes a token; waits for it as long as the policy allows. */
const token = (means: Means, limits: Limits, bucket: string, since: number): Effect.Effect<void, NotAsked> =>
  means.limiter
    .consume({
      algorithm: "token-bucket",
      onExceeded: "fail",
      key: bucket,
      limit: limits.rate.calls,
      window: limits.rate.window
    })
    .pipe(
      Effect.asVoid,
      Effect.catchTag("RateLimiterError", ({ reason }) => {
        // A limiter that does not answer must not stop the vendor's answer.
        if (reason._tag === "RateLimitStoreError") return Effect.void
        const delay = Math.max(1, Duration.toMillis(reason.retryAfter))
        return waiting(
          means,
          delay,
          since,
          Effect.suspend(() => token(means, limits, bucket, since))
        )
      })
    )

/** What a defect in an adapter comes to: its source failed, the request goes on. */
const defective = (adapter: string, defect: unknown) =>
  Effect.andThen(
    Effect.logError("an adapter has a defect", Cause.die(defect)),
    Effect.fail(new InvalidResponse({ source: adapter, problem: "the adapter has a defect" }))
  )

/** A vendor that says how long to wait is left alone by everybody, not only by whoever asked. */
const busy = (error: SourceError): Effect.Effect<void> =>
  error instanceof RateLimited && error.retryAfter !== null ? Allowance.spent(error.retryAfter) : Effect.void

/** The adapter's own call: the question, or what has become of an answer that is pending. */
const asking = <Name extends Operation>({ flight, handle, identity, step }: Call<Name>) => {
  const { adapter, credential, serve } = step
  if (handle !== undefined) {
    return serve.resume === undefined
      ? Effect.fail(new InvalidResponse({ source: adapter.adapter, problem: "the adapter resumes nothing" }))
      : serve.resume(handle, credential)
  }
  return Effect.provideService(serve.call(identity, credential), Begun, (begun) => {
    flight.handle = begun
  })
}

/** The one call of the adapter, within the slot's own limits. */
const once = <Name extends Operation>(
  means: Means,
  asked: Call<Name>
): Effect.Effect<Outcome<Operations[Name]["facts"]>, Trouble> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const { step, credential, flight } = asked
    // Asking again is one request where a call may be several, and must not keep others from beginning.
    const bucket = asked.handle === undefined ? credential.bucket : `${credential.bucket}:later`
    const { adapter } = step.adapter
    const name = counted(asked)
    flight.trouble = crowded
    flight.asked = null
    const telling = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      flight.trouble = null
      flight.asked = now
      const call = Effect.catchDefect(
        Effect.suspend(() => asking(asked)),
        (defect) => defective(adapter, defect)
      )
      return Effect.withSpan(Allowances.listening(means.allowances, name, Effect.tapError(call, busy)), "source.call", {
        kind: "client",
        captureStackTrace: false,
        attributes: { source: step.source, adapter, operation: step.price.operation }
      })
    })
    // Waits first: whoever waits must not keep others from asking.
    return allowed(means, name, now).pipe(
      Effect.andThen(token(means, step.adapter.limits, bucket, now)),
      Effect.andThen(means.seated(step, bucket, telling))
    )
  })

const pauseBefore = ({ pause }: Policy, error: SourceError, count: number): Effect.Effect<number> =>
  error instanceof RateLimited && error.retryAfter !== null
    ? Effect.succeed(error.retryAfter)
    : Effect.map(Random.next, (random) => Math.round(pause * 2 ** (count - 1) * (0.5 + random / 2)))

/** The only retry loop of the house. */
const attempt = <Name extends Operation>(
  means: Means,
  call: Call<Name>,
  count: number
): Effect.Effect<Answered<Operations[Name]["facts"]>, Trouble> =>
  once(means, call).pipe(
    Effect.flatMap((outcome) =>
      Effect.map(Clock.currentTimeMillis, (observed_at) => ({ outcome, attempts: count, observed_at }))
    ),
    Effect.catch((error) => {
      const { policy } = means
      const repeatable = call.step.serve.repeatable || call.handle !== undefined
      const again = error._tag !== "NotAsked" && repeatable && retryable(error)
      if (!again || count >= policy.attempts) return Effect.fail(error)
      return Effect.flatMap(pauseBefore(policy, error, count), (pause) => {
        if (pause > policy.maxWait) return Effect.fail(error)
        call.flight.trouble = error
        call.flight.asked = null
        return Effect.andThen(
          Effect.sleep(pause),
          Effect.suspend(() => attempt(means, call, count + 1))
        )
      })
    })
  )

type State = CircuitBreaker.State["_tag"]

interface Watch {
  readonly show: (circuit: string, state: State) => Effect.Effect<void>
  /** A call is let through; what it gives is run when the call has succeeded. */
  readonly passing: (circuit: string) => Effect.Effect<Effect.Effect<void>>
}

/**
 * Shows the state of the platform's circuits in the metrics: what this process has done to them, and what another one did as
 * soon as this one meets it.
 */
const watch = Effect.fnUntraced(function* (
  breaker: CircuitBreaker.CircuitBreaker,
  slots: ReadonlyArray<string>
): Effect.fn.Return<Watch, never, Scope.Scope> {
  const byCircuit = new Map(slots.map((slot) => [platformCredential(slot).circuit, slot]))
  const shown = new Map<string, State>()
  const show = (circuit: string, state: State): Effect.Effect<void> => {
    const slot = byCircuit.get(circuit)
    if (slot === undefined || shown.get(circuit) === state) return Effect.void
    shown.set(circuit, state)
    return Metrics.circuit(slot, state)
  }
  yield* Effect.forEach(byCircuit.keys(), (circuit) => show(circuit, "Closed"), { discard: true })
  yield* breaker.transitions.pipe(
    Stream.runForEach(({ key, to }) => show(key, to)),
    Effect.forkScoped
  )
  return {
    show,
    passing: (circuit) =>
      Effect.sync(() => {
        const before = shown.get(circuit)
        // What has changed meanwhile was changed here, by another call.
        return Effect.suspend(() => (shown.get(circuit) === before ? show(circuit, "Closed") : Effect.void))
      })
  }
})

/** A seat for each call, for as long as there are calls: who has none leaves nothing behind. */
const seating = (): Means["seated"] => {
  const rows = new Map<string, { readonly semaphore: Semaphore.Semaphore; calls: number }>()
  return ({ adapter }, bucket, call) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const row = rows.get(bucket) ?? { semaphore: Semaphore.makeUnsafe(adapter.limits.concurrency), calls: 0 }
        row.calls++
        rows.set(bucket, row)
        return row
      }),
      ({ semaphore }) => semaphore.withPermit(call),
      (row) =>
        Effect.sync(() => {
          row.calls--
          if (row.calls === 0) rows.delete(bucket)
        })
    )
}

export const make: (
  slots: ReadonlyArray<string>,
  policy: Policy
) => Effect.Effect<
  Guard,
  never,
  Allowances.Allowances | CircuitBreaker.CircuitBreakerStore | RateLimiter.RateLimiterStore | Scope.Scope
> = Effect.fnUntraced(function* (slots, policy) {
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(policy.failures),
    openDuration: policy.open
  })
  const { passing, show } = yield* watch(breaker, slots)
  const means: Means = {
    policy,
    breaker,
    limiter: yield* RateLimiter.make,
    allowances: yield* Allowances.Allowances,
    seated: seating()
  }

  /** The breaker takes no notice of interruptions, so a call that was too slow is recorded by one that fails at once. */
  const blame = (circuit: string, source: string) =>
    Effect.ignore(breaker.execute(Effect.fail(new TimedOut({ source })), { key: circuit, classify }))

  return {
    call: (call) => {
      const { credential, flight, identity, step } = call
      const own = step.serve.circuit?.(identity)
      const circuit = own === undefined ? credential.circuit : `${credential.circuit}:${own}`
      const attempted = attempt(means, call, 1)
      return Effect.flatMap(passing(circuit), (passed) => Effect.tap(attempted, passed)).pipe(
        breaker.execute({ key: circuit, classify }),
        Effect.onInterrupt(() =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            tooSlow(flight, step.adapter.limits, now) ? blame(circuit, step.adapter.adapter) : Effect.void
          )
        ),
        Effect.catchTag("CircuitBreakerError", ({ reason }) =>
          Effect.andThen(
            show(circuit, reason._tag === "CircuitHalfOpen" ? "HalfOpen" : "Open"),
            Effect.fail(new NotAsked({ reason: "circuit_open" }))
          )
        )
      )
    }
  }
})
