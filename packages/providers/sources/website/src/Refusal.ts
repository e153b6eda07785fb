/** What a site that could not be read means for the question: a miss, or an error of the source. One table. */
import type { PageError } from "@lading/core/contact"
import { SourceError } from "@lading/core/waterfall"

export const source = "website"

/** Why the home page could not be read, as the error that it is, or as a miss. */
export const read = (error: PageError.PageError): SourceError.SourceError | { readonly _tag: "Miss" } => {
  const { problem } = error
  switch (error._tag) {
    // A domain without a site, and a site that does not want to be read, tell nothing: asking again would not help.
    case "HostNotFound":
    case "PageNotFound":
    case "PageForbidden":
    case "PageMoved":
      return { _tag: "Miss" }
    case "PageRefused":
      return new SourceError.InvalidInput({ source, problem })
    case "PageUnreachable":
      return new SourceError.Unavailable({ source, problem })
    case "PageUnavailable":
      return error.busy
        ? new SourceError.RateLimited({ source, retryAfter: error.retryAfter })
        : new SourceError.Unavailable({ source, problem })
    case "PageTimedOut":
      return new SourceError.TimedOut({ source })
    case "PageUnreadable":
      return new SourceError.InvalidResponse({ source, problem })
  }
}
