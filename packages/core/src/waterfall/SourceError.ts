/**
 * How a source can fail: a closed set, matched exhaustively once, in the waterfall.
 *
 * Gotchas: a miss is no error (`Outcome.miss`). `problem` is for operators: it may name a status, a path or a field of
 * the vendor's answer, never a credential or a URL with one.
 */
import { Schema } from "effect"

/** The adapter's name, for logs; the waterfall knows the slot. */
const source = Schema.String

/** The vendor refuses the credential (401, a scope that is missing). */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", { source }) {}

/** The vendor's plan or credit pool is used up (402 and the like). */
export class QuotaExhausted extends Schema.TaggedError<QuotaExhausted>()("QuotaExhausted", { source }) {}

/** Too many calls for now. `retryAfter` in milliseconds where the vendor says it, else `null`. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  source,
  retryAfter: Schema.NullOr(Schema.Finite)
}) {}

/** The vendor cannot be reached or is broken for now (5xx, a dropped connection). */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  source,
  problem: Schema.String
}) {}

/** No answer within the time that this call had. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", { source }) {}

/** The answer does not have the shape that the vendor promised. */
export class InvalidResponse extends Schema.TaggedError<InvalidResponse>()("InvalidResponse", {
  source,
  problem: Schema.String
}) {}

/** The vendor cannot work with this identity (400). */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  source,
  problem: Schema.String
}) {}

/** The subject objected at the vendor (451 and the like): nothing may be kept or derived. */
export class Suppressed extends Schema.TaggedError<Suppressed>()("Suppressed", { source }) {}

export type SourceError =
  | Unauthorized
  | QuotaExhausted
  | RateLimited
  | Unavailable
  | TimedOut
  | InvalidResponse
  | InvalidInput
  | Suppressed

/** Why a source failed, in the words of `sources_failed`. */
export const FailureReason = Schema.Literals([
  "timeout",
  "unavailable",
  "rate_limited",
  "unauthorized",
  "quota_exhausted",
  "invalid_response",
  "invalid_input",
  "suppressed"
])
export type FailureReason = typeof FailureReason.Type
