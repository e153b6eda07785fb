/**
 * What an answer of Hunter's means that is not a 200: one table from status to outcome or error.
 *
 * Gotchas (Hunter's documentation and its own client disagree on the roles of 403 and 429)
 * - 202 (still verifying) and 222 (the other mail server misbehaved) are in the 2xx range and are no success. Both say
 *   to ask again, which costs nothing more: they are `Unavailable`, the error that is repeated.
 * - 403 is the rate limit when its details speak of one, else a feature that the key's plan lacks.
 * - 429 with `Retry-After` is the rate limit. Without it, it is what the documentation says (the plan's usage limit) when
 *   the details speak of usage or plan, else a rate limit.
 * - 404 is a miss only in Hunter's own error envelope; a page of somebody else's is a wrong base URL.
 */
import { Said, SourceError } from "@lading/core/waterfall"
import { Option, Schema } from "effect"

/** The adapter's name in errors and attributions. */
export const source = "hunter"

/** Hunter's error envelope; any part of it may be missing. */
const Errors = Schema.Struct({
  errors: Schema.Array(Schema.Struct({ id: Said.said(Schema.String), details: Said.said(Schema.String) }))
})
const readErrors = Schema.decodeUnknownOption(Errors)

/** An answer that is no 200. */
export interface Refused {
  readonly status: number
  /** Decoded JSON, or anything else: a 5xx comes as HTML from whatever stands in front of Hunter. */
  readonly body: unknown
  /** Milliseconds, where the answer says it. */
  readonly retryAfter: number | null
}

const speaksOfRate = /\brate\b|\blimit|too many/i
const speaksOfPlan = /usage|\bplan\b|upgrade|quota|credit|exhausted/i

/** An identifier of Hunter's (`invalid_domain`); never the free text beside it, which may repeat what was asked. */
const named = (status: number, id: string): string => (/^[a-z_]{1,40}$/.test(id) ? `${status} ${id}` : `${status}`)

/** A refusal as the error that it is, or as a miss. */
export const read = ({ body, retryAfter, status }: Refused): SourceError.SourceError | { readonly _tag: "Miss" } => {
  const errors = Option.getOrNull(readErrors(body))?.errors ?? null
  const id = errors?.[0]?.id ?? ""
  const details = `${id.replaceAll("_", " ")} ${errors?.[0]?.details ?? ""}`
  const problem = named(status, id)
  if (status >= 500) return new SourceError.Unavailable({ source, problem })
  switch (status) {
    case 202:
    case 222:
    case 408:
    case 409:
      return new SourceError.Unavailable({ source, problem })
    case 400:
    case 422:
      return new SourceError.InvalidInput({ source, problem })
    case 401:
      return new SourceError.Unauthorized({ source })
    case 402:
      return new SourceError.QuotaExhausted({ source })
    case 403:
      return speaksOfRate.test(details)
        ? new SourceError.RateLimited({ source, retryAfter })
        : new SourceError.Unauthorized({ source })
    case 404:
      return id === "not_found" ? { _tag: "Miss" } : new SourceError.InvalidResponse({ source, problem })
    case 429:
      return retryAfter === null && speaksOfPlan.test(details)
        ? new SourceError.QuotaExhausted({ source })
        : new SourceError.RateLimited({ source, retryAfter })
    case 451:
      return new SourceError.Suppressed({ source })
    default:
      return new SourceError.InvalidResponse({ source, problem })
  }
}
