/**
 * How many requests Apollo still takes, by the headers of an answer: one count each for this minute, hour and day.
 *
 * Gotchas: the headers come only after the key was right; a window without a limit has an empty one. When a window ends is
 * not said, only how long it is.
 */
import type { Headers } from "effect/http"

const counts = ["x-minute-requests-left", "x-hourly-requests-left", "x-24-hour-requests-left"]

/** The least of the counts; `null` where there is none. */
export const requestsLeft = (headers: Headers.Headers): number | null => {
  const left = counts.flatMap((name) => {
    const said = headers[name]?.trim() ?? ""
    return /^\d{1,15}$/.test(said) ? [Number(said)] : []
  })
  return left.length === 0 ? null : Math.min(...left)
}
