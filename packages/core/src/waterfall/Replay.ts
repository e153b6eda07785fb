/**
 * Replay: what a request would be answered today from the raw answers that it was answered from then. The answers are
 * decoded by the adapters of today and merged by the rules of today; no vendor is asked and nothing is charged. What
 * comes out otherwise is a difference that a change of an adapter or of a rule has made.
 */
import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import * as AnswerCache from "./AnswerCache.ts"
import * as Ending from "./Ending.ts"
import * as KeptAnswers from "./KeptAnswers.ts"
import { type LoggedRun, LoggedRuns, type LoggedStep } from "./LoggedRun.ts"
import * as Merge from "./Merge.ts"
import type { Observation } from "./Observation.ts"
import * as Run from "./Run.ts"
import * as RunLog from "./RunLog.ts"
import * as Slots from "./Slots.ts"
import type { Operation, Operations } from "./Source.ts"
import type { Subject } from "./Subject.ts"
import * as VerifiedEmail from "./VerifiedEmail.ts"

/** There is no such run: never, no longer, or erased. */
export class UnknownRun extends Schema.TaggedError<UnknownRun>()("UnknownRun", { request_id: Schema.String }) {}

/** One source of a run, and how its answer was read again. */
export const ReplayedSource = Schema.Struct({
  source: Schema.String,
  /** The adapter and its version at that time. */
  adapter_then: Schema.String,
  /** `null` where the slot is bound to no vendor by now. */
  adapter_now: Schema.NullOr(Schema.String),
  /**
   * `decoded`: from its raw answer. `facts`: from the facts as they were read then, since the raw answer is not kept or
   * nobody can read it any more. `nothing`: it gave no answer. `lost`: its answer is no longer kept. `unreadable`: the
   * adapter of today refuses the raw answer.
   */
  reading: Schema.Literals(["decoded", "facts", "nothing", "lost", "unreadable"]),
  problem: Schema.NullOr(Schema.String)
})

type ReplayedSource = typeof ReplayedSource.Type

const Told = Schema.Struct({ value: Schema.Unknown, source: Schema.NullOr(Schema.String) })

export const Difference = Schema.Struct({ field: Schema.String, before: Told, after: Told })

type Difference = typeof Difference.Type

const ReplayedSubject = Schema.Struct({
  identity: Schema.Unknown,
  sources: Schema.Array(ReplayedSource),
  differences: Schema.Array(Difference)
})
type ReplayedSubject = typeof ReplayedSubject.Type

export const ReplayReport = Schema.Struct({
  request_id: Schema.String,
  account: Schema.String,
  operation: Schema.String,
  /** Epoch milliseconds. */
  answered_at: Schema.Int,
  /** Nothing came out otherwise, and every answer could be read again. */
  same: Schema.Boolean,
  /** Each subject of the request, in its order. */
  subjects: Schema.Array(ReplayedSubject)
}).annotate({ identifier: "ReplayReport" })
export type ReplayReport = typeof ReplayReport.Type

export type ReplayError = UnknownRun | RunLog.RunLogUnavailable | AnswerCache.AnswerCacheUnavailable

export class Replay extends Context.Service<
  Replay,
  {
    readonly replay: (requestId: string) => Effect.Effect<ReplayReport, ReplayError>
  }
>()("@lading/core/waterfall/Replay") {}

/** What a replay reads from. */
interface Means {
  readonly answers: AnswerCache.AnswerCache["Service"]
  readonly slots: Slots.Slots["Service"]
}

/** A source of the run, and what it says today. */
interface ReadAgain {
  readonly report: ReplayedSource
  readonly observations: ReadonlyArray<Observation>
}

type Replayer = (
  means: Means,
  run: LoggedRun,
  account: string
) => Effect.Effect<ReplayedSubject | null, AnswerCache.AnswerCacheUnavailable>

/** What the slot is bound to by now. */
const adapterNow = ({ slots }: Pick<Means, "slots">, { source }: LoggedStep): string | null => {
  const adapter = slots.byName.get(source)?.source ?? null
  return adapter === null ? null : `${adapter.adapter}@${adapter.version}`
}

/** The facts of a kept answer, decoded by the adapter of today where that can be done. */
const factsOf = <Name extends Operation, Profile>(
  { slots }: Pick<Means, "slots">,
  subject: Subject<Name, Profile>,
  step: LoggedStep,
  { facts, raw }: AnswerCache.Answer & { readonly _tag: "Hit" }
): Effect.Effect<{ readonly report: ReplayedSource; readonly facts: Operations[Name]["facts"] | null }> => {
  const adapter = slots.byName.get(step.source)?.source ?? null
  const same = adapter !== null && adapter.adapter === step.adapter.replace(/@.*$/s, "")
  const report = {
    source: step.source,
    adapter_then: step.adapter,
    adapter_now: adapterNow({ slots }, step),
    problem: null
  }
  const decode = same ? subject.serve(adapter)?.decode : undefined
  if (decode === undefined || raw === null) {
    const kept = Option.getOrNull(subject.decode(facts))
    return Effect.succeed({ report: { ...report, reading: kept === null ? "unreadable" : "facts" }, facts: kept })
  }
  return Effect.map(Effect.result(decode(raw)), (result) => {
    if (Result.isFailure(result)) {
      return { report: { ...report, reading: "unreadable", problem: result.failure.problem }, facts: null }
    }
    const outcome = result.success
    return { report: { ...report, reading: "decoded" }, facts: outcome._tag === "Hit" ? outcome.facts : null }
  })
}

const differencesOf = (before: LoggedRun, after: Merge.Merged<object>): ReadonlyArray<Difference> => {
  // What was kept is JSON: the other side must have been through it too.
  const now: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(after.profile))
  return [...new Set([...Object.keys(before.profile), ...Object.keys(now)])].flatMap((field) => {
    const told = [
      { value: before.profile[field] ?? null, source: before.field_sources[field] ?? null },
      { value: now[field] ?? null, source: after.field_sources[field] ?? null }
    ] as const
    return JSON.stringify(told[0]) === JSON.stringify(told[1]) ? [] : [{ field, before: told[0], after: told[1] }]
  })
}

/** How runs of one operation are replayed; `null` for a run that was kept in another shape. */
const replayer =
  <Name extends Operation, Profile extends object>(subject: Subject<Name, Profile>): Replayer =>
  (means, run, account) =>
    Option.match(subject.decodeIdentity(run.identity), {
      onNone: () => Effect.succeed(null),
      onSome: Effect.fnUntraced(function* (identity) {
        const readAgain = Effect.fnUntraced(function* (
          step: LoggedStep,
          entry: AnswerCache.Entry | null
        ): Effect.fn.Return<ReadAgain> {
          const silent = (reading: "nothing" | "lost") => ({
            report: {
              source: step.source,
              adapter_then: step.adapter,
              adapter_now: adapterNow(means, step),
              reading,
              problem: null
            },
            observations: []
          })
          if (step.outcome !== "hit") return silent("nothing")
          if (entry?.answer._tag !== "Hit") return silent("lost")
          const { facts, report } = yield* factsOf(means, subject, step, entry.answer)
          if (facts === null) return { report, observations: [] }
          const by = {
            source: step.source,
            adapter: report.adapter_now ?? step.adapter,
            observed_at: entry.observed_at
          }
          return { report, observations: Ending.read(subject, identity, facts, by) }
        })
        const references = run.steps.map(({ adapter, observed_at, own_key: ownKey, source }) => ({
          key: KeptAnswers.keyOf(subject, identity, { source, adapter, ownKey }, account),
          observed_at: observed_at ?? 0
        }))
        const entries = yield* means.answers.recall(references)
        const sources = yield* Effect.forEach(run.steps, (step, index) => readAgain(step, entries[index] ?? null))
        const said = [...Run.requested(subject, identity), ...sources.flatMap(({ observations }) => observations)]
        const judged = VerifiedEmail.judged(subject.table, said, run.verified ?? null)
        const merged = Merge.merge(subject.table, judged, run.order)
        return {
          identity: run.identity,
          sources: sources.map(({ report }) => report),
          differences: differencesOf(run, merged)
        }
      })
    })

/** What the operations are; core wires its own. */
export interface Subjects {
  readonly [operation: string]: Replayer
}

/** A subject whose runs can be replayed. */
export const of = replayer

const decodeRuns = Schema.decodeEffect(LoggedRuns)

const isRead = ({ reading }: ReplayedSource): boolean => reading !== "lost" && reading !== "unreadable"

const make = Effect.fnUntraced(function* (subjects: Subjects) {
  const means: Means = { answers: yield* AnswerCache.AnswerCache, slots: yield* Slots.Slots }
  const log = yield* RunLog.RunLog

  const replay = Effect.fnUntraced(function* (request_id: string): Effect.fn.Return<ReplayReport, ReplayError> {
    const kept = yield* log.find(request_id)
    const replayed = kept === null ? undefined : subjects[kept.operation]
    if (kept === null || replayed === undefined) return yield* new UnknownRun({ request_id })
    const { account, at, operation } = kept
    const unreadable = new RunLog.RunLogUnavailable({ problem: "the run was kept in another shape" })
    const { runs } = yield* Effect.mapError(decodeRuns(kept.runs), () => unreadable)
    const found = yield* Effect.forEach(runs, (run) =>
      Effect.flatMap(replayed(means, run, account), (subject) =>
        subject === null ? Effect.fail(unreadable) : Effect.succeed(subject)
      )
    )
    const same = found.every(({ differences, sources }) => differences.length === 0 && sources.every(isRead))
    return { request_id, account, operation, answered_at: at, same, subjects: found }
  })

  return Replay.of({ replay })
})

export const layer = (
  subjects: Subjects
): Layer.Layer<Replay, never, AnswerCache.AnswerCache | RunLog.RunLog | Slots.Slots> =>
  Layer.effect(Replay, make(subjects))
