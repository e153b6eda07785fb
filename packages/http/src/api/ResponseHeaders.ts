/** Headers of answers. */
import { Schema } from "effect"

/** On every answer, errors included; a replayed body keeps the id of its first exchange, this header is always new. */
export const RequestId = Schema.optional(Schema.String.annotate({ description: "The id of this very exchange" }))

/** `true` where the answer is an earlier one under the same `Idempotency-Key`; charged once. */
export const IdempotentReplayed = Schema.optional(
  Schema.Literal("true").annotate({ description: "The answer is an earlier one under the same Idempotency-Key" })
)

/** On answers of endpoints that others have replaced (RFC 9745). */
export const Deprecation = Schema.optional(
  Schema.String.annotate({ description: "Since when the endpoint is deprecated, `@` and Unix seconds" })
)

/** On answers that may be kept (RFC 9110, 8.8.3): the same for as long as `data` is the same. */
export const ETag = Schema.optional(Schema.String.annotate({ description: "Of what stands under data" }))

export const CacheControl = Schema.optional(
  Schema.String.annotate({ description: "How long the answer may be kept, and whether by everybody" })
)

export const Vary = Schema.optional(Schema.String.annotate({ description: "What in a request the answer depends on" }))
