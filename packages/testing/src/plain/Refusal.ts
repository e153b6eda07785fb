/**
 * What an answer of the plain vendor means that is not a 200: one table from status to a miss or an error.
 */
import { SourceError } from "@lading/core/waterfall"

/** `retryAfter` in milliseconds; `null` where the answer does not say it. */
export const read = (
  source: string,
  status: number,
  retryAfter: number | null
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
      return { _tag: "Miss" }
    case 429:
      return new SourceError.RateLimited({ source, retryAfter })
    case 451:
      return new SourceError.Suppressed({ source })
    default:
      return new SourceError.InvalidResponse({ source, problem })
  }
}
