/**
 * The explanation: for each field the winner, the rule and every value that lost with its source and the reason; for
 * each planned step what happened. A function of the merge and of the run's report, nothing else.
 */
import { Schema } from "effect"
import type { LossReason, Rule } from "./Field.ts"
import type { Merged } from "./Merge.ts"
import type { Observation } from "./Observation.ts"

const Value = Schema.Unknown.annotate({ description: "The value, in the shape of the profile's field" })

const Said = Schema.Struct({
  source: Schema.String,
  adapter: Schema.String.annotate({ description: "The adapter and its version" }),
  value: Value,
  raw: Value.annotate({ description: "As the source wrote it" }),
  estimated: Schema.Boolean.annotate({ description: "The source gave a range" })
})

const rules: ReadonlyArray<Rule> = [
  "first_valid",
  "first_of_invalid",
  "union",
  "union_of_invalid",
  "first_whole",
  "first_of_each"
]
const reasons: ReadonlyArray<LossReason> = [
  "later_in_order",
  "invalid",
  "duplicate",
  "identity_mismatch",
  "undeliverable"
]

export const FieldExplanation = Schema.Struct({
  /** The source named in `field_sources`; `null` where nothing that was said counts. */
  winner: Schema.NullOr(Schema.String),
  rule: Schema.NullOr(Schema.Literals(rules)),
  /** Every source that contributed, first in order first. */
  sources: Schema.Array(Schema.String),
  values: Schema.Array(Said).annotate({ description: "What the field's value is made of" }),
  losers: Schema.Array(Schema.Struct({ ...Said.fields, reason: Schema.Literals(reasons) }))
})

/** What came of one source of the order. */
export const StepReport = Schema.Struct({
  source: Schema.String,
  outcome: Schema.Literals(["hit", "miss", "identity_mismatch", "pending", "failed", "skipped", "abandoned"]),
  /** Why it failed or was skipped. */
  reason: Schema.NullOr(Schema.String),
  cached: Schema.Boolean,
  credits: Schema.Finite
})
export type StepReport = typeof StepReport.Type

export const Explanation = Schema.Struct({
  fields: Schema.Record(Schema.String, FieldExplanation),
  steps: Schema.Array(StepReport)
}).annotate({ identifier: "Explanation" })
export type Explanation = typeof Explanation.Type

const said = ({ origin: { source, adapter }, reading: { value, raw, estimated } }: Observation) => ({
  source,
  adapter,
  value,
  raw,
  estimated
})

export const make = <Profile>(merged: Merged<Profile>, steps: ReadonlyArray<StepReport>): Explanation => ({
  fields: Object.fromEntries(
    Array.from(merged.decisions, ([field, { resolution, losses }]) => [
      field,
      {
        winner: resolution?.winners[0]?.origin.source ?? null,
        rule: resolution?.rule ?? null,
        sources: resolution?.contributors ?? [],
        values: (resolution?.winners ?? []).map(said),
        losers: losses.map(({ observation, reason }) => ({ ...said(observation), reason }))
      }
    ])
  ),
  steps
})
