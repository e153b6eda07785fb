/**
 * The waterfall: asks the sources of a plan in order (or all at once), turns what they say into observations and puts
 * what it costs on the tab. It merges nothing and holds no money: that is done before and after it.
 *
 * A step goes through the answer cache, the tab, the calls in the air and the slot's guard. One deadline bounds all of
 * it; a source that hangs gets its share of the time and the others get the rest.
 */
import { Clock, Context, Effect, Exit, Hash, Layer, Option, Redacted, type Scope } from "effect"
import type { CircuitBreaker, RateLimiter } from "effect/persistence"
import * as Suppression from "../account/Suppression.ts"
import * as Credits from "../billing/Credits.ts"
import type { PriceBook } from "../billing/PriceBook.ts"
import type { Tab } from "../billing/Tab.ts"
import * as Mentions from "../value/Mentions.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as Ending from "./Ending.ts"
import * as Flights from "./Flights.ts"
import * as Guard from "./Guard.ts"
import * as HitRates from "./HitRates.ts"
import * as KeptAnswers from "./KeptAnswers.ts"
import * as LoggedRun from "./LoggedRun.ts"
import * as Merge from "./Merge.ts"
import * as Metrics from "./Metrics.ts"
import type { Observation } from "./Observation.ts"
import type { DynamicReason, Plan, Step } from "./Plan.ts"
import * as RunLog from "./RunLog.ts"
import * as Run from "./Run.ts"
import * as Slots from "./Slots.ts"
import type { Credential, Operation, Operations } from "./Source.ts"
import type { FailureReason, SourceError } from "./SourceError.ts"
import type { Subject } from "./Subject.ts"

export interface Policy extends KeptAnswers.Lives {
  readonly guard: Guard.Policy
}

const day = 24 * 60 * 60 * 1000

export const defaults: Policy = { guard: Guard.defaults, keepHit: 30 * day, keepMiss: day, keepRaw: 30 * day }

export interface Request<Name extends Operation, Profile> {
  readonly subject: Subject<Name, Profile>
  readonly identity: Operations[Name]["identity"]
  readonly plan: Plan<Name>
  readonly prices: PriceBook
  readonly tab: Tab
  /** Epoch milliseconds after which nothing is waited for. */
  readonly deadline: number
  /** The oldest cached answer that is taken, in milliseconds; 0 asks afresh, `null` takes whatever is kept. */
  readonly maxCacheAge: number | null
  /** Whose own keys these are; answers to them are shared with nobody else. */
  readonly account: string
  /** What `fill_missing` goes on for. */
  readonly required: ReadonlyArray<string>
}

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
    /** Never fails: what went wrong with a source is in the run's `failed`. */
    readonly run: <Name extends Operation, Profile>(request: Request<Name, Profile>) => Effect.Effect<Run.Run>
    /** Keeps what an answered request needs to be replayed. Nobody waits for it, and without it the answer stands. */
    readonly log: (request: Logged) => Effect.Effect<void>
  }
>()("@lading/core/waterfall/Waterfall") {}

/** Each error of a source, in the words of `sources_failed`. The one place where errors are told apart. */
const failureReason = (error: SourceError): FailureReason => {
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

const troubled = (trouble: Guard.Trouble): Ending.StepResult<never> =>
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

/** What a run works with. */
interface Means {
  readonly policy: Policy
  readonly cache: AnswerCache.AnswerCache["Service"]
  readonly rates: HitRates.HitRates["Service"]
  readonly suppression: Suppression.Suppression["Service"]
  readonly guard: Guard.Guard
  readonly flights: Flights.Flights<Checked<unknown>, Guard.Trouble>
  /** Where what goes on after the request lives. */
  readonly scope: Scope.Scope
}

type Seat = Flights.Seat<Checked<unknown>, Guard.Trouble>

/** An answer, and whether it is about somebody who objected. */
interface Checked<Facts> {
  readonly answer: Guard.Answered<Facts>
  readonly suppressed: boolean
}

/**
 * An answer without what may not be shown: about the subject, or about anybody else that it mentions. What was withheld
 * stands in the raw answer too, so that goes with it. A store that is down must let nothing through.
 */
const checked = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  { suppression }: Means,
  { subject, identity }: Request<Name, Profile>,
  answer: Guard.Answered<Operations[Name]["facts"]>
): Effect.fn.Return<Checked<Operations[Name]["facts"]>> {
  const { outcome } = answer
  if (outcome._tag !== "Hit") return { answer, suppressed: false }
  const own = () => subject.handles(identity, outcome.facts)
  const found = yield* Effect.catch(
    suppression.find(() => [...own(), ...Mentions.of([outcome.facts, outcome.raw])]),
    (error) => Effect.as(Effect.logWarning("suppression unavailable", error.problem), null)
  )
  if (found === null) return { answer, suppressed: true }
  if (found.size === 0) return { answer, suppressed: false }
  const facts = withhold(subject, outcome.facts, own(), found)
  return facts === null
    ? { answer, suppressed: true }
    : { answer: { ...answer, outcome: { _tag: "Hit", facts, raw: null } }, suppressed: false }
})

/** What is left of facts; `null` when they are about somebody who objected, or make no sense without. */
const withhold = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  facts: Operations[Name]["facts"],
  own: ReadonlyArray<string>,
  suppressed: ReadonlySet<string>
): Operations[Name]["facts"] | null => {
  const objected = { own: new Set(own.filter((handle) => suppressed.has(handle))), mentioned: suppressed }
  const left = subject.withhold(facts, objected)
  return left === null ? null : Option.getOrNull(subject.decode(Mentions.without(left, suppressed)))
}

const answered = <Name extends Operation>(
  { answer, suppressed }: Checked<Operations[Name]["facts"]>,
  cached: boolean
): Ending.StepResult<Name> => ({ _tag: "Answered", cached, suppressed, ...answer })

const keyOf = <Name extends Operation, Profile>(
  { subject, identity, account }: Request<Name, Profile>,
  step: Step<Name>
): AnswerCache.Key =>
  KeptAnswers.keyOf(
    subject,
    identity,
    { source: step.source, adapter: Ending.adapterOf(step), ownKey: step.ownKey },
    account
  )

/** The kept answer to each step of the plan, `null` where it has to be asked. */
const kept = <Name extends Operation, Profile>(
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
          : Effect.map(checked(means, request, answer), (known) => answered<Name>(known, true))
      )
  )

/**
 * Asks the vendor, or takes a seat in somebody's equal question that is in the air. Does not wait. What leads to somebody
 * who objected is not kept; what is kept nobody waits for.
 */
const ask = <Name extends Operation, Profile>(
  means: Means,
  request: Request<Name, Profile>,
  step: Step<Name>,
  limit: number
): Effect.Effect<Seat> => {
  const key = keyOf(request, step)
  const credential = credentialOf(step, request.account)
  return means.flights.board([credential.circuit, ...Object.values(key)].join("\n"), limit, (flight) =>
    means.guard.call({ step, identity: request.identity, credential, flight }).pipe(
      Effect.flatMap((answer) => checked(means, request, answer)),
      Effect.tap(({ answer, suppressed }) =>
        suppressed
          ? Effect.void
          : Effect.forkIn(KeptAnswers.keep(means.cache, means.policy, key, answer, request.identity), means.scope, {
              startImmediately: true
            })
      )
    )
  )
}

/** What a call that has landed comes to. */
const landedAs = <Name extends Operation>(known: Checked<unknown>): Ending.StepResult<Name> =>
  // The key names the operation: whoever shares the flight shares the type of the facts.
  answered<Name>(known as Checked<Operations[Name]["facts"]>, false)

const wait = <Name extends Operation>(step: Step<Name>, seat: Seat): Effect.Effect<Ending.StepResult<Name>> =>
  seat.wait.pipe(
    Effect.map(({ landed, trouble }): Ending.StepResult<Name> => {
      if (Option.isSome(landed)) return landedAs(landed.value)
      return trouble === null ? { _tag: "Failed", reason: "timeout" } : troubled(trouble)
    }),
    Effect.catch((trouble) => Effect.as(complain(step.source, trouble), troubled(trouble)))
  )

/** Puts what a step came to on the tab, and measures it. */
const conclude = <Name extends Operation, Profile>(
  { rates }: Means,
  request: Request<Name, Profile>,
  step: Step<Name>,
  result: Ending.StepResult<Name>,
  /** When the vendor was asked, epoch milliseconds; `null` for a kept answer. */
  asked: number | null
): Effect.Effect<Ending.Ending> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const ending = Ending.make(request.subject, request.identity, step, request.prices, result)
    const { verdict, cached, credits, byok, vendorUnits } = ending
    const { operation } = step.price
    if (asked !== null) request.tab.charge(step.worst, { payee: { _tag: "Source", source: step.source }, credits })
    if (byok && vendorUnits > 0) request.tab.memo({ source: step.source, units: vendorUnits })
    if (verdict._tag === "Skipped") return Effect.succeed(ending)
    const measure = Metrics.step({
      source: step.source,
      operation,
      outcome: verdict._tag === "Failed" ? verdict.reason : verdict._tag.toLowerCase(),
      cached,
      millis: now - (asked ?? now),
      credits: Credits.toNumber(credits)
    })
    const counted = !cached && (verdict._tag === "Hit" || verdict._tag === "Miss")
    return Effect.as(
      counted ? Effect.andThen(measure, rates.record(operation, step.source, verdict._tag === "Hit")) : measure,
      ending
    )
  })

/** A step whose vendor is being asked. */
interface Boarded<Name extends Operation> {
  readonly step: Step<Name>
  readonly seat: Seat
  done: boolean
}

/**
 * Calls for reserved steps at the same time, each within its limit. When the caller leaves in between, whoever has
 * answered by then is booked all the same.
 */
const buy = <Name extends Operation, Profile>(
  means: Means,
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
        return Effect.map(ask(means, request, step, limit), (seat): Boarded<Name> => ({ step, seat, done: false }))
      })
      const book = (one: Boarded<Name>, result: Ending.StepResult<Name>) => {
        one.done = true
        return conclude(means, request, one.step, result, now)
      }
      const bookLanded = Effect.forEach(
        boarded,
        (one) => {
          const landing = one.done ? undefined : one.seat.landed()
          return landing === undefined || Exit.isFailure(landing) ? Effect.void : book(one, landedAs(landing.value))
        },
        { discard: true }
      )
      return yield* Effect.forEach(boarded, (one) =>
        Effect.flatMap(restore(wait<Name>(one.step, one.seat)), (result) => book(one, result))
      ).pipe(
        Effect.onInterrupt(() => bookLanded),
        Effect.ensuring(Effect.forEach(boarded, ({ seat }) => seat.leave, { discard: true }))
      )
    })
  )

/** `first_match` and `fill_missing`: one after the other, as long as there is a reason to ask. */
const sequential = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  means: Means,
  request: Request<Name, Profile>
) {
  const { plan } = request
  const requested = Run.requested(request.subject, request.identity)
  const observations: Array<Observation> = [...requested]
  const endings: Array<Ending.Ending> = []
  const known = yield* kept(means, request)
  const pass = (step: Step<Name>, index: number): Effect.Effect<ReadonlyArray<Ending.Ending>> => {
    const needless = needlessAfter(request, step, endings, observations)
    if (needless !== null) return Effect.succeed([Ending.skipped(step.source, needless)])
    const answer = known[index] ?? null
    if (answer !== null) return Effect.map(conclude(means, request, step, answer, null), (ending) => [ending])
    return request.tab.reserve(step.worst)
      ? buy(means, request, [step], plan.steps.length - index)
      : Effect.succeed([Ending.skipped(step.source, "budget_exhausted")])
  }
  for (const [index, step] of plan.steps.entries()) {
    for (const ending of yield* pass(step, index)) {
      endings.push(ending)
      observations.push(...ending.observations)
    }
  }
  return Run.make(plan, requested, endings)
})

/** All at once. */
const aggregate = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  means: Means,
  request: Request<Name, Profile>
) {
  const { plan } = request
  const known = yield* kept(means, request)
  // In plan order and before the first call, so that a ceiling cuts off the same sources every time.
  const reserved = plan.steps.filter(
    (step, index) => (known[index] ?? null) === null && request.tab.reserve(step.worst)
  )
  const bought = yield* buy(means, request, reserved, 1)
  const bySource = new Map(bought.map((ending) => [ending.source, ending]))
  const endings = yield* Effect.forEach(plan.steps, (step, index) => {
    const answer = known[index] ?? null
    return answer === null
      ? Effect.succeed(bySource.get(step.source) ?? Ending.skipped(step.source, "budget_exhausted"))
      : conclude(means, request, step, answer, null)
  })
  return Run.make(plan, Run.requested(request.subject, request.identity), endings)
})

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
  const means: Means = {
    policy,
    cache: yield* AnswerCache.AnswerCache,
    rates: yield* HitRates.HitRates,
    suppression: yield* Suppression.Suppression,
    guard: yield* Guard.make(
      slots.all.map((slot) => slot.name),
      policy.guard
    ),
    flights: Flights.make(scope),
    scope
  }
  return Waterfall.of({
    attempts: policy.guard.attempts,
    log: (request) => Effect.asVoid(Effect.forkIn(record(runLog, policy, request), scope, { startImmediately: true })),
    run: (request) => (request.plan.mode === "aggregate" ? aggregate(means, request) : sequential(means, request))
  })
})

/** Why the next step need not be asked after those that have ended; `null` when it must be. */
const needlessAfter = <Name extends Operation, Profile>(
  { plan, subject, required }: Request<Name, Profile>,
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

/** Wants the stores of circuits and limits: in memory, or shared between processes. */
export const layer = (
  policy: Policy = defaults
): Layer.Layer<
  Waterfall,
  never,
  | Slots.Slots
  | AnswerCache.AnswerCache
  | HitRates.HitRates
  | RunLog.RunLog
  | Suppression.Suppression
  | CircuitBreaker.CircuitBreakerStore
  | RateLimiter.RateLimiterStore
> => Layer.effect(Waterfall, make(policy))
