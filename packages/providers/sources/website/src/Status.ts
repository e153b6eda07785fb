/** What a status means that is no page: one table. */
import { PageError } from "@lading/core/contact"
import { VendorHttp } from "@lading/core/waterfall"
import { Headers } from "effect/http"
import type { IncomingHttpHeaders } from "node:http"

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** An answer that is neither a page nor a redirect, as the error that it is. `now` in epoch milliseconds. */
export const trouble = (status: number, headers: IncomingHttpHeaders, now: number): PageError.PageError => {
  const problem = `status ${status}`
  const retryAfter = () => VendorHttp.retryAfter(Headers.fromInput({ "retry-after": headers["retry-after"] }), now)
  if (status >= 500) return new PageError.PageUnavailable({ problem, busy: false, retryAfter: retryAfter() })
  switch (status) {
    case 404:
    case 410:
      return new PageError.PageNotFound({ problem })
    case 401:
    case 402:
    case 403:
    case 407:
    case 451:
      return new PageError.PageForbidden({ problem })
    case 429:
      return new PageError.PageUnavailable({ problem, busy: true, retryAfter: retryAfter() })
    case 408:
    case 425:
      return new PageError.PageUnavailable({ problem, busy: false, retryAfter: null })
    default:
      return new PageError.PageUnreadable({ problem })
  }
}
