/** `meta.waterfall`: what happened to each source of the order. */
import { Schema } from "effect"
import { Mode, type Plan } from "./Plan.ts"
import { Ranked } from "./Ranked.ts"
import type { Run } from "./Run.ts"
import type { Operation } from "./Source.ts"
import { FailureReason } from "./SourceError.ts"
import { VerifiedEmail } from "./VerifiedEmail.ts"

const Sources = Schema.Array(Schema.String)

export const WaterfallMeta = Schema.Struct({
  mode: Mode,
  all_fields_filled: Schema.Boolean.annotate({ description: "Every required field has a value" }),
  total_latency_ms: Schema.Int,
  async_pending: Schema.Boolean.annotate({ description: "A source is still working on its answer" }),
  sources_attempted: Sources,
  sources_skipped: Schema.Array(Schema.Struct({ source: Schema.String, reason: Schema.String })),
  sources_failed: Schema.Array(Schema.Struct({ source: Schema.String, reason: FailureReason })),
  cache_hits: Sources,
  hedged: Schema.optional(Schema.Array(Schema.Struct({ source: Schema.String, by: Schema.String }))).annotate({
    description: "Where hedging was asked for: each source that was late, and the one that was asked beside it"
  }),
  source_ranking: Schema.optional(Schema.Array(Ranked)).annotate({
    description: "Why the sources stand in this order, where the cheapest one was asked for"
  }),
  verified_emails: Schema.optional(Schema.Array(VerifiedEmail)).annotate({
    description: "Where verify_emails was asked for: every address that a source gave, those that were refused too"
  })
}).annotate({ identifier: "WaterfallMeta" })
export type WaterfallMeta = typeof WaterfallMeta.Type

export const make = (
  run: Run,
  { mode, ranking }: Pick<Plan<Operation>, "mode" | "ranking">,
  allFilled: boolean,
  latency: number
): WaterfallMeta => ({
  mode,
  all_fields_filled: allFilled,
  total_latency_ms: Math.max(0, Math.round(latency)),
  async_pending: run.pending.length > 0,
  sources_attempted: run.attempted,
  sources_skipped: run.skipped,
  sources_failed: run.failed,
  cache_hits: run.cacheHits,
  ...(run.hedged === null ? {} : { hedged: run.hedged }),
  ...(ranking === null ? {} : { source_ranking: ranking }),
  ...(run.verified === null ? {} : { verified_emails: run.verified })
})
