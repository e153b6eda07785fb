/**
 * Replay: what a request would be answered today from the raw answers that it was answered from then. The answers are
 * decoded by the adapters of today and merged by the rules of today; no vendor is asked and nothing is charged. What
 * comes out otherwise is a difference that a change of an adapter or of a rule has made.
 */
import { Context, type Effect, Schema } from "effect"
import type { AnswerCacheUnavailable } from "./AnswerCache.ts"
import type { RunLogUnavailable } from "./RunLog.ts"

/** There is no such run: never, no longer, or erased. */
export class UnknownRun extends Schema.TaggedError<UnknownRun>()("UnknownRun", { request_id: Schema.String }) {}

/** One source of a run, and how its answer was read again. */
export const ReplayedSource = Schema.Struct({
  source: Schema.String,
  /** The adapter and its version at that time. */
  adapter_then: Schema.String,
  /** `null` where the slot is bound to another vendor by now, or to none. */
  adapter_now: Schema.NullOr(Schema.String),
  /**
   * `decoded`: from its raw answer. `facts`: from the facts as they were read then, since the raw answer is not kept or
   * nobody can read it any more. `nothing`: it gave no answer. `lost`: its answer is no longer kept. `unreadable`: the
   * adapter of today refuses the raw answer.
   */
  reading: Schema.Literals(["decoded", "facts", "nothing", "lost", "unreadable"]),
  problem: Schema.NullOr(Schema.String)
})

const Told = Schema.Struct({ value: Schema.Unknown, source: Schema.NullOr(Schema.String) })

export const Difference = Schema.Struct({ field: Schema.String, before: Told, after: Told })

export const ReplayReport = Schema.Struct({
  request_id: Schema.String,
  account: Schema.String,
  operation: Schema.String,
  /** Epoch milliseconds. */
  answered_at: Schema.Int,
  /** Nothing came out otherwise, and every answer could be read again. */
  same: Schema.Boolean,
  /** Each subject of the request, in its order. */
  subjects: Schema.Array(
    Schema.Struct({
      identity: Schema.Unknown,
      sources: Schema.Array(ReplayedSource),
      differences: Schema.Array(Difference)
    })
  )
}).annotate({ identifier: "ReplayReport" })
export type ReplayReport = typeof ReplayReport.Type

export type ReplayError = UnknownRun | RunLogUnavailable | AnswerCacheUnavailable

export class Replay extends Context.Service<
  Replay,
  {
    readonly replay: (requestId: string) => Effect.Effect<ReplayReport, ReplayError>
  }
>()("@lading/core/waterfall/Replay") {}
