/**
 * Refusals: what a request fails with, one class for each status. In the process they are tagged errors that a handler
 * or a client matches on; on the wire all of them are the one `ErrorBody`, without a tag.
 *
 * Gotchas
 * - 409 has two codes (`idempotency_conflict`, `conflict`), so that class says which.
 * - `request_id` is the id of the request that failed; whoever answers fills it in, see `server/Exchange`.
 */
import type { InvalidRequest as Invalid } from "@lading/core/request"
import { type Cause, Data, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ErrorBody, type ErrorCode } from "./ErrorBody.ts"
import { RequestId } from "./ResponseHeaders.ts"

interface Said<Code extends ErrorCode = ErrorCode> {
  readonly request_id: string
  readonly message: string
  readonly code: Code
  readonly retryable: boolean
  readonly details: ReadonlyArray<Invalid.Detail>
  /** Seconds until it makes sense to ask again: the header `Retry-After`. */
  readonly retry_after: number | null
}

/** What is said where the class does not say it already. */
export type Saying<Code extends ErrorCode = never> = Pick<Said, "request_id" | "message"> & Partial<Said<Code>>

const headers = {
  "x-request-id": RequestId,
  "retry-after": Schema.optional(Schema.FiniteFromString).annotate({ description: "Seconds" })
}

/** The body of a refusal, as it stands on the wire. */
export const body = ({ request_id, code, message, retryable, details }: Said): ErrorBody => ({
  success: false,
  request_id,
  data: null,
  meta: { billing: { credits_charged: 0, byok_used: false } },
  error: { code, message, retryable, details }
})

/** A class of refusals; written out, so that declarations can name it. */
interface RefusalClass<Tag extends string, Code extends ErrorCode> {
  new (saying: Saying<Code>): Cause.YieldableError & Said<Code> & { readonly _tag: Tag; readonly status: number }
  readonly status: number
  /** What it may say, the usual one first. */
  readonly codes: readonly [Code, ...ReadonlyArray<Code>]
}

const refusal = <const Tag extends string, const Code extends ErrorCode>(
  tag: Tag,
  status: number,
  codes: readonly [Code, ...ReadonlyArray<Code>],
  retryable: boolean
): RefusalClass<Tag, Code> =>
  class extends Data.TaggedError(tag)<Said<Code>> {
    static readonly status = status
    static readonly codes = codes
    readonly status = status
    constructor(saying: Saying<Code>) {
      super({ code: codes[0], retryable, details: [], retry_after: null, ...saying })
    }
  }

/** Malformed JSON, a wrong or missing field, a bad range. */
export class InvalidRequest extends refusal("InvalidRequest", 400, ["invalid_request"], false) {}

/** No key, an unknown key, a revoked key: which of them is not said. */
export class Unauthenticated extends refusal("Unauthenticated", 401, ["unauthenticated"], false) {}

export class InsufficientCredits extends refusal("InsufficientCredits", 402, ["insufficient_credits"], false) {}

/** The key lacks a scope. */
export class Forbidden extends refusal("Forbidden", 403, ["forbidden"], false) {}

export class NotFound extends refusal("NotFound", 404, ["not_found"], false) {}

export class MethodNotAllowed extends refusal("MethodNotAllowed", 405, ["method_not_allowed"], false) {}

/**
 * The idempotency key is taken: retryable where a twin is still running, whose answer can be had later. With the code
 * `conflict`: what is asked does not fit what has happened meanwhile.
 */
export class Conflict extends refusal("Conflict", 409, ["idempotency_conflict", "conflict"], false) {}

export class PayloadTooLarge extends refusal("PayloadTooLarge", 413, ["payload_too_large"], false) {}

export class UnsupportedMediaType extends refusal("UnsupportedMediaType", 415, ["unsupported_media_type"], false) {}

export class RateLimited extends refusal("RateLimited", 429, ["rate_limited"], true) {}

/** A defect of ours. */
export class Internal extends refusal("Internal", 500, ["internal"], false) {}

/** A store is down, every source that was asked failed, or the server stops. */
export class Unavailable extends refusal("Unavailable", 503, ["unavailable"], true) {}

/** Nothing was learnt before the deadline. */
export class DeadlineExceeded extends refusal("DeadlineExceeded", 504, ["deadline_exceeded"], true) {}

export type Refusal =
  | InvalidRequest
  | Unauthenticated
  | InsufficientCredits
  | Forbidden
  | NotFound
  | MethodNotAllowed
  | Conflict
  | PayloadTooLarge
  | UnsupportedMediaType
  | RateLimited
  | Internal
  | Unavailable
  | DeadlineExceeded

const classes = [
  InvalidRequest,
  Unauthenticated,
  InsufficientCredits,
  Forbidden,
  NotFound,
  MethodNotAllowed,
  Conflict,
  PayloadTooLarge,
  UnsupportedMediaType,
  RateLimited,
  Internal,
  Unavailable,
  DeadlineExceeded
] as const

/** Whether something that was thrown is what a server refused a request with; its `code` narrows it down. */
export const is = (error: unknown): error is Refusal => classes.some((refusal) => error instanceof refusal)

/** The schema of a refusal: its class on this side, `ErrorBody` with headers on the other. */
const wire = <Self extends Refusal, Code extends ErrorCode>(
  refuse: {
    new (saying: Saying<Code>): Self
    readonly status: number
    readonly codes: ReadonlyArray<Code>
  },
  description: string
) =>
  Schema.instanceOf(refuse)
    .pipe(
      HttpApiSchema.encodeToWithHeaders(
        { body: ErrorBody.pipe(HttpApiSchema.status(refuse.status)), headers },
        {
          decode: ({ body: { request_id, error }, headers }) => {
            const { code, ...said } = error
            const known = refuse.codes.find((one) => one === code)
            const retry_after = headers["retry-after"] ?? null
            return new refuse({ request_id, ...said, retry_after, ...(known === undefined ? {} : { code: known }) })
          },
          encode: (refusal) => ({
            body: body(refusal),
            headers: refusal.retry_after === null ? {} : { "retry-after": refusal.retry_after }
          })
        }
      )
    )
    .annotate({ description })

/** What even an endpoint can refuse with that reads nothing of a request. */
export const always = [
  wire(MethodNotAllowed, "The route has other methods, see Allow"),
  wire(Internal, "A defect of the server")
] as const

/** What every endpoint under `/api` can refuse with, whoever asks. */
export const common = [
  wire(InvalidRequest, "A field is wrong, or the body is not JSON"),
  wire(NotFound, "No such route, or nothing under this name"),
  ...always,
  wire(Unavailable, "A store is down, every source that was asked failed, or the server stops; nothing is charged")
] as const

export const unauthenticated = wire(Unauthenticated, "No key, an unknown key or a revoked key")

export const forbidden = wire(Forbidden, "The key lacks the scope")

/** What is asked does not fit what has happened meanwhile, e.g. a part of a load that somebody else goes on with. */
export const conflict = wire(Conflict, "Something else has happened meanwhile, see the message")

const deadlineExceeded = wire(DeadlineExceeded, "Nothing was learnt before the deadline; nothing is charged")

const rateLimited = wire(RateLimited, "Too many requests, see Retry-After")

/** What an endpoint that reads a body can refuse with besides. */
export const bodied = [
  wire(PayloadTooLarge, "The body is too long"),
  wire(UnsupportedMediaType, "The body is not application/json")
] as const

/** What an endpoint without a body can refuse with besides. */
export const reading = [forbidden, rateLimited, deadlineExceeded] as const

/** What an operation that takes a body and spends credits can refuse with besides. */
export const operation = [
  wire(InsufficientCredits, "The balance, or max_credits, does not cover the request"),
  wire(Conflict, "The Idempotency-Key belongs to another request, or to one that still runs"),
  ...reading,
  ...bodied
] as const
