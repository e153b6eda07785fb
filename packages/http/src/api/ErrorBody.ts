/**
 * The body of every error: the same envelope as a success, so that one decoder serves both. Nothing was charged.
 */
import { InvalidRequest } from "@lading/core/request"
import { Schema } from "effect"

export const ErrorCode = Schema.Literals([
  "invalid_request",
  "unauthenticated",
  "insufficient_credits",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "idempotency_conflict",
  "conflict",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "internal",
  "unavailable",
  "deadline_exceeded"
])
export type ErrorCode = typeof ErrorCode.Type

export const ErrorBody = Schema.Struct({
  success: Schema.Literal(false),
  request_id: Schema.String,
  data: Schema.Null,
  meta: Schema.Struct({
    billing: Schema.Struct({ credits_charged: Schema.Literal(0), byok_used: Schema.Literal(false) })
  }),
  error: Schema.Struct({
    code: ErrorCode,
    message: Schema.String,
    retryable: Schema.Boolean.annotate({ description: "The same request may succeed later" }),
    details: Schema.Array(InvalidRequest.Detail).annotate({
      description: "For an invalid request every wrong field and what was expected there; never the value"
    })
  })
}).annotate({
  identifier: "ErrorBody",
  examples: [
    {
      success: false,
      request_id: "req_example0000000000000",
      data: null,
      meta: { billing: { credits_charged: 0, byok_used: false } },
      error: {
        code: "invalid_request",
        message: "1 field is wrong",
        retryable: false,
        details: [{ path: "identity.domains[0]", message: "Expected a domain name such as acme.example" }]
      }
    }
  ]
})
export type ErrorBody = typeof ErrorBody.Type
