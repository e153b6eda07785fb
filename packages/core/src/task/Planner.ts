/**
 * The port of a planner: somebody who turns plain words into a plan, a language model for example.
 *
 * What a planner is told is the prompt, the operations, the names of the columns of the inputs and the columns that are
 * wanted. It is never told a row: whatever stands in the data cannot talk it into another step. What it answers is judged
 * like a plan that a client sends; a step that is not allowed is refused, whoever thought of it.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { Detail } from "../request/InvalidRequest.ts"
import type { Operation } from "./Operations.ts"

/** Nobody plans now; with `retryable: false` the same again will not do better. */
export class PlannerUnavailable extends Schema.TaggedError<PlannerUnavailable>()("PlannerUnavailable", {
  problem: Schema.String,
  retryable: Schema.Boolean
}) {}

export interface Asked {
  readonly prompt: string
  /** Those that the task may run. */
  readonly operations: ReadonlyArray<Operation>
  /** Of the inputs; empty where there are none. */
  readonly columns: ReadonlyArray<string>
  /** Names of the columns that are wanted; empty where that is left to the planner. */
  readonly wanted: ReadonlyArray<string>
  /** What was wrong with the plan that it gave before; `null` the first time. */
  readonly refused: { readonly plan: unknown; readonly details: ReadonlyArray<Detail> } | null
}

export class Planner extends Context.Service<
  Planner,
  {
    /** Why there is none; `null` where there is one. */
    readonly absent: string | null
    /** A plan as JSON, which nobody has judged yet. */
    readonly plan: (asked: Asked) => Effect.Effect<unknown, PlannerUnavailable>
  }
>()("@lading/core/task/Planner") {}

/** For installations without a language model; `remedy` says what to do about it. */
export const layerNone = (remedy: string): Layer.Layer<Planner> =>
  Layer.succeed(Planner, {
    absent: remedy,
    plan: () => Effect.fail(new PlannerUnavailable({ problem: remedy, retryable: false }))
  })
