/**
 * Asking: how the answer of one step is had, from what is kept, from an equal call in the air, or from the vendor, and what
 * its errors come to. It spends nothing and counts nothing: that is `Booking`.
 */
import { Clock, Effect, Hash, Option, Redacted, Result, type Scope } from "effect"
import type * as Suppression from "../account/Suppression.ts"
import type * as EmailVerifier from "../email/EmailVerifier.ts"
import type * as AnswerCache from "./AnswerCache.ts"
import * as Ending from "./Ending.ts"
import type * as Flights from "./Flights.ts"
import * as Guard from "./Guard.ts"
import type * as Handles from "./Handles.ts"
import type * as HitRates from "./HitRates.ts"
import * as KeptAnswers from "./KeptAnswers.ts"
import type * as Latencies from "./Latencies.ts"
import type { Step } from "./Plan.ts"
import type { Policy } from "./Policy.ts"
import type { About, Request, Resumed } from "./Request.ts"
import * as Screening from "./Screening.ts"
import * as Source from "./Source.ts"
import type { Credential, Operation, Operations } from "./Source.ts"
import { type FailureReason, type SourceError, TimedOut } from "./SourceError.ts"

/** What a run works with. */
export interface Means {
  readonly policy: Policy
  readonly cache: AnswerCache.AnswerCache["Service"]
  readonly rates: HitRates.HitRates["Service"]
  readonly suppression: Suppression.Suppression["Service"]
  readonly guard: Guard.Guard
  readonly flights: Flights.Flights<Screening.Checked<unknown>, Guard.Trouble>
  readonly handles: Handles.Handles
  readonly latencies: Latencies.Latencies
  readonly verifier: EmailVerifier.EmailVerifier["Service"]
  /** Where what goes on after the request lives. */
  readonly scope: Scope.Scope
}

export type Seat = Flights.Seat<Screening.Checked<unknown>, Guard.Trouble>

/** Each error of a source, in the words of `sources_failed`. The one place where errors are told apart. */
export const failureReason = (error: SourceError): FailureReason => {
  switch (error._tag) {
    case "Unauthorized":
      return "unauthorized"
    case "QuotaExhausted":
      return "quota_exhausted"
    case "RateLimited":
      return "rate_limited"
    case "Unavailable":
      return "unavailable"
    case "TimedOut":
      return "timeout"
    case "InvalidResponse":
      return "invalid_response"
    case "InvalidInput":
      return "invalid_input"
    case "Suppressed":
      return "suppressed"
  }
}

export const troubled = (trouble: Guard.Trouble): Ending.StepResult<never> =>
  trouble._tag === "NotAsked"
    ? { _tag: "Skipped", reason: trouble.reason }
    : { _tag: "Failed", reason: failureReason(trouble) }

const complain = (source: string, trouble: Guard.Trouble): Effect.Effect<void> =>
  trouble._tag === "NotAsked"
    ? Effect.void
    : Effect.logWarning("source failed").pipe(
        Effect.annotateLogs({
          source,
          reason: failureReason(trouble),
          ...("problem" in trouble ? { problem: trouble.problem } : {})
        })
      )

const credentialOf = <Name extends Operation>(step: Step<Name>, account: string): Guard.CredentialNames =>
  step.ownKey
    ? Guard.ownCredential(step.source, account, fingerprint(step.credential))
    : Guard.platformCredential(step.source)

/** Names a credential without showing it: 32 bits of a hash only tell the keys of one account apart. */
const fingerprint = (credential: Credential): number => {
  switch (credential._tag) {
    case "None":
      return 0
    case "ApiKey":
      return Hash.string(Redacted.value(credential.key))
    case "Client":
      return Hash.string(`${Redacted.value(credential.id)}:${Redacted.value(credential.secret)}`)
  }
}

const answered = <Name extends Operation>(
  { answer, suppressed }: Screening.Checked<Operations[Name]["facts"]>,
  cached: boolean
): Ending.StepResult<Name> => ({ _tag: "Answered", cached, suppressed, ...answer })

const keyOf = <Name extends Operation, Profile>(
  { subject, identity, account }: About<Name, Profile>,
  step: Step<Name>
): AnswerCache.Key =>
  KeptAnswers.keyOf(
    subject,
    identity,
    { source: step.source, adapter: Ending.adapterOf(step), ownKey: step.ownKey },
    account
  )

/** The kept answer to each step of the plan, `null` where it has to be asked. */
export const kept = <Name extends Operation, Profile>(
  means: Means,
  request: Request<Name, Profile>
): Effect.Effect<ReadonlyArray<Ending.StepResult<Name> | null>> =>
  Effect.flatMap(
    KeptAnswers.find(
      means.cache,
      request.subject,
      request.plan.steps.map((step) => keyOf(request, step)),
      request.maxCacheAge
    ),
    (answers) =>
      Effect.forEach(answers, (answer) =>
        answer === null
          ? Effect.succeed(null)
          : Effect.map(Screening.check(means.suppression, request, answer), (known) => answered<Name>(known, true))
      )
  )

/** What answers are timed by. */
export const timedAs = <Name extends Operation>({ price, source }: Step<Name>): string => `${price.operation}:${source}`

/** Takes the time of a call with the platform's key: what an account's own keys are worth makes nobody else's calls late. */
const timing = <Name extends Operation, A, E>(
  { latencies }: Means,
  step: Step<Name>,
  call: Effect.Effect<A, E>
): Effect.Effect<A, E> => (step.ownKey ? call : latencies.timed(timedAs(step), call))

/** Calls, judges the answer and keeps it. What leads to somebody who objected is not kept; what is kept nobody waits for. */
const calling = <Name extends Operation, Profile>(
  means: Means,
  about: About<Name, Profile>,
  call: Guard.Call<Name>
): Effect.Effect<Screening.Checked<Operations[Name]["facts"]>, Guard.Trouble> =>
  means.guard.call(call).pipe(
    Effect.flatMap((answer) => Screening.check(means.suppression, about, answer)),
    Effect.tap(({ answer, suppressed }) =>
      suppressed
        ? Effect.void
        : Effect.forkIn(
            KeptAnswers.keep(means.cache, means.policy, keyOf(about, call.step), answer, about.identity),
            means.scope,
            { startImmediately: true }
          )
    )
  )

/** Equal for steps that ask the same of the same vendor with the same credential. */
export const questionOf = <Name extends Operation, Profile>(about: About<Name, Profile>, step: Step<Name>): string =>
  [credentialOf(step, about.account).circuit, ...Object.values(keyOf(about, step))].join("\n")

/**
 * Asks the vendor, or takes a seat in somebody's equal question that is in the air. Does not wait. What the vendor is
 * working on since an earlier question is not begun again, it is asked for.
 */
export const ask = <Name extends Operation, Profile>(
  means: Means,
  request: Request<Name, Profile>,
  step: Step<Name>,
  limit: number
): Effect.Effect<Seat> => {
  const credential = credentialOf(step, request.account)
  const question = questionOf(request, step)
  const boarding = means.flights.board(question, limit, (flight) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const handle = means.handles.find(question, now)
      const call = { step, identity: request.identity, credential, flight }
      flight.handle = handle
      return handle === null
        ? timing(means, step, calling(means, request, call))
        : resuming(means, question, calling(means, request, { ...call, handle }))
    })
  )
  return Effect.map(boarding, (seat) => ({
    ...seat,
    leave: Effect.andThen(leftBehind(means, question, seat), seat.leave)
  }))
}

/** Asks for what is pending: whatever it comes to but `Pending`, the question is begun afresh the next time. */
const resuming = <Facts>(
  { handles }: Means,
  question: string,
  call: Effect.Effect<Screening.Checked<Facts>, Guard.Trouble>
): Effect.Effect<Screening.Checked<Facts>, Guard.Trouble> =>
  call.pipe(
    Effect.tap(({ answer }) =>
      Effect.sync(() => (answer.outcome._tag === "Pending" ? undefined : handles.forget(question)))
    ),
    Effect.tapError((trouble) => Effect.sync(() => (isForNow(trouble) ? undefined : handles.forget(question))))
  )

/** What a vendor has begun for somebody who leaves is not begun again for the next one who asks. */
const leftBehind = ({ handles }: Means, question: string, seat: Seat): Effect.Effect<void> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const handle = seat.landed() === undefined ? seat.handle() : null
    if (handle !== null) handles.remember(question, handle, now)
  })

/** Whether what went wrong says nothing about the answer itself: it may be asked for again. */
const isForNow = (trouble: Guard.Trouble): boolean => {
  switch (trouble._tag) {
    case "NotAsked":
    case "RateLimited":
    case "TimedOut":
    case "Unavailable":
      return true
    case "InvalidInput":
    case "InvalidResponse":
    case "QuotaExhausted":
    case "Suppressed":
    case "Unauthorized":
      return false
  }
}

/** What can be said of a call that has not been waited for: what its vendor has begun is pending. */
const unlanded = <Name extends Operation>(
  { handle, trouble }: Flights.Unlanded<Guard.Trouble>,
  now: number
): Ending.StepResult<Name> =>
  handle !== null && (trouble === null || isForNow(trouble))
    ? pendingWith(handle, now)
    : trouble === null
      ? { _tag: "Failed", reason: "timeout" }
      : troubled(trouble)

const pendingWith = <Name extends Operation>(
  handle: string,
  observed_at: number,
  attempts = 1
): Ending.StepResult<Name> => ({
  _tag: "Answered",
  outcome: Source.pending(handle),
  attempts,
  observed_at,
  cached: false,
  suppressed: false
})

/** What a call that has landed comes to. */
export const landedAs = <Name extends Operation>(known: Screening.Checked<unknown>): Ending.StepResult<Name> =>
  // The key names the operation: whoever shares the flight shares the type of the facts.
  answered<Name>(known as Screening.Checked<Operations[Name]["facts"]>, false)

export const wait = <Name extends Operation>(step: Step<Name>, seat: Seat): Effect.Effect<Ending.StepResult<Name>> =>
  seat.wait.pipe(
    Effect.flatMap(({ landed, ...flight }) =>
      Option.isSome(landed)
        ? Effect.succeed<Ending.StepResult<Name>>(landedAs(landed.value))
        : Effect.map(Clock.currentTimeMillis, (now) => unlanded<Name>(flight, now))
    ),
    Effect.catch((trouble) => Effect.as(complain(step.source, trouble), troubled(trouble)))
  )

/** Asks once for an answer that its vendor has begun; a flight of its own. */
export const askAgain = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  means: Means,
  { attempts, handle, ...about }: Resumed<Name, Profile>
): Effect.fn.Return<Ending.StepResult<Name>> {
  const { account, identity, step } = about
  const flight: Flights.Flight<Guard.Trouble> = { asked: null, trouble: null, handle }
  const credential = credentialOf(step, account)
  const asked = yield* Effect.result(
    calling(means, about, { step, identity, credential, flight, handle }).pipe(
      Effect.timeoutOrElse({
        duration: step.adapter.limits.timeout,
        orElse: () => Effect.fail<Guard.Trouble>(new TimedOut({ source: step.adapter.adapter }))
      })
    )
  )
  const now = yield* Clock.currentTimeMillis
  if (Result.isFailure(asked) && isForNow(asked.failure)) return pendingWith(handle, now, attempts)
  if (Result.isFailure(asked)) {
    means.handles.forget(questionOf(about, step))
    yield* complain(step.source, asked.failure)
    return troubled(asked.failure)
  }
  const { answer, suppressed } = asked.success
  if (answer.outcome._tag !== "Pending") means.handles.forget(questionOf(about, step))
  return answered({ answer: { ...answer, attempts }, suppressed }, false)
})
