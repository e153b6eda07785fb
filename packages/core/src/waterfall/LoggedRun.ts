/**
 * A run as the log keeps it: what was asked, what each source came to and what was made of it. The answers themselves are
 * the answer cache's; a step names its own by the source, the adapter, the identity and the time.
 */
import { Schema } from "effect"
import { VerifiedEmail } from "./VerifiedEmail.ts"

export const LoggedStep = Schema.Struct({
  source: Schema.String,
  /** The adapter and its version, e.g. `hunter@1`. */
  adapter: Schema.String,
  own_key: Schema.Boolean,
  outcome: Schema.Literals(["hit", "miss", "pending", "failed", "skipped"]),
  /** When the vendor said so, epoch milliseconds; `null` where it did not answer. */
  observed_at: Schema.NullOr(Schema.Int)
})
export type LoggedStep = typeof LoggedStep.Type

/** One subject of a request. */
export const LoggedRun = Schema.Struct({
  identity: Schema.Unknown,
  order: Schema.Array(Schema.String),
  steps: Schema.Array(LoggedStep),
  profile: Schema.Record(Schema.String, Schema.Unknown),
  field_sources: Schema.Record(Schema.String, Schema.String),
  /** What verifying the addresses came to; left out where none was to be verified. */
  verified: Schema.optionalKey(Schema.Array(VerifiedEmail))
})
export type LoggedRun = typeof LoggedRun.Type

/** All subjects of a request as JSON text; another version of this shape is another number. */
export const LoggedRuns = Schema.fromJsonString(
  Schema.Struct({ version: Schema.Literal(1), runs: Schema.Array(LoggedRun) })
)

/** The text, without running the schema: what goes in is ours. */
export const textOf = (runs: ReadonlyArray<LoggedRun>): string => JSON.stringify({ version: 1, runs })
