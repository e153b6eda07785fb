/**
 * What an answer of the plain vendor means that is not a 200: one table from status to a miss or an error.
 *
 * Gotcha: 404 is a miss only in the vendor's own words; a page of somebody else's is a wrong base URL.
 */
import { SourceError } from "@lading/core/waterfall"
import { Schema } from "effect"

const isNotFound = Schema.is(Schema.Struct({ error: Schema.Literal("not_found") }))

/** An answer that is no 200. */
export interface Refused {
  readonly status: number
  readonly body: unknown
  /** Milliseconds; `null` where the answer does not say it. */
  readonly retryAfter: number | null
}

/** A refusal as the error that it is, or as a miss. */
export const read = (
  source: string,
  { status, body, retryAfter }: Refused
): SourceError.SourceError | { readonly _tag: "Miss" } => {
  const problem = `status ${status}`
  if (status >= 500) return new SourceError.Unavailable({ source, problem })
  switch (status) {
    case 400:
    case 422:
      return new SourceError.InvalidInput({ source, problem })
    case 401:
      return new SourceError.Unauthorized({ source })
    case 402:
      return new SourceError.QuotaExhausted({ source })
    case 404:
      return isNotFound(body) ? { _tag: "Miss" } : new SourceError.InvalidResponse({ source, problem })
    case 429:
      return new SourceError.RateLimited({ source, retryAfter })
    case 451:
      return new SourceError.Suppressed({ source })
    default:
      return new SourceError.InvalidResponse({ source, problem })
  }
}
