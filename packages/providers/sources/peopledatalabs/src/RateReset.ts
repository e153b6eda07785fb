/**
 * When a caller who asked too often may ask again. People Data Labs sends no `Retry-After` but `x-ratelimit-reset`, the
 * UTC time at which its window of 60 seconds ends.
 *
 * Gotchas
 * - The documents do not say how the time is spelled: ISO 8601, a date without a zone (which is UTC), an HTTP date and
 *   Unix seconds or milliseconds are read. What is none of these says nothing.
 * - The neighbouring headers are Python dictionaries in single quotes (`{'minute': 100}`): the reset is looked for inside
 *   one as well.
 */
import { VendorHttp } from "@lading/core/waterfall"
import type { Headers } from "effect/http"

/** Milliseconds from `now` (epoch milliseconds); 0 where the time is over, `null` where the vendor does not say. */
export const retryAfter = (headers: Headers.Headers, now: number): number | null => {
  const said = VendorHttp.retryAfter(headers, now)
  if (said !== null) return said
  const reset = instant(bare(headers["x-ratelimit-reset"] ?? ""))
  return reset === null ? null : Math.max(0, reset - now)
}

/** The text without quotes, or the first value of a dictionary. */
const bare = (value: string): string =>
  (/^\{\s*['"][^'"]*['"]\s*:\s*([^,}]*)/.exec(value.trim())?.[1] ?? value).trim().replace(/^['"]|['"]$/g, "")

/** Below this a plain number is no Unix time in seconds, and from its thousandfold on it is one in milliseconds. */
const EARLIEST_UNIX_SECONDS = 1e9

const instant = (value: string): number | null => {
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value)
    if (number < EARLIEST_UNIX_SECONDS) return null
    return Math.ceil(number < EARLIEST_UNIX_SECONDS * 1000 ? number * 1000 : number)
  }
  const zoned = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i.test(value)
  const parsed = Date.parse(zoned ? value : `${value.replace(" ", "T")}Z`)
  return Number.isNaN(parsed) ? null : parsed
}
