/**
 * How much may still be asked, by the headers of an answer: calls in this window of 60 seconds, and credits.
 *
 * Gotchas
 * - Calls are a Python dictionary in single quotes, one entry for each window (`{'minute': 99}`): the least of them counts.
 * - Credits are of one kind of call and do not come back by themselves. Where none are left one call at a time is let
 *   through, since its refusal (402) says what is wrong, and a wait would not.
 */
import type { Allowance } from "@lading/core/waterfall"
import type { Headers } from "effect/http"
import { retryAfter } from "./RateReset.ts"

/** The vendor's window, in milliseconds; also how long a count of credits is believed. */
const WINDOW = 60_000

const least = (numbers: ReadonlyArray<number>): number | null => (numbers.length === 0 ? null : Math.min(...numbers))

const callsLeft = (headers: Headers.Headers): number | null => {
  const said = headers["x-ratelimit-remaining"] ?? ""
  return least([...said.matchAll(/(?:^|:)\s*(\d{1,15})\s*(?=[,}]|$)/g)].map(([, digits]) => Number(digits)))
}

const creditsLeft = (headers: Headers.Headers): number | null => {
  const said = headers["x-totallimit-remaining"]?.trim() ?? ""
  return /^\d{1,15}$/.test(said) ? Number(said) : null
}

/** What the headers say is left; `null` where they do not say. `now` in epoch milliseconds. */
export const allowance = (headers: Headers.Headers, now: number): Allowance.Allowance | null => {
  const calls = callsLeft(headers)
  const credits = creditsLeft(headers)
  if (credits !== null && (calls === null || credits < calls)) {
    return { remaining: Math.max(1, credits), resetAt: now + WINDOW }
  }
  return calls === null ? null : { remaining: calls, resetAt: now + (retryAfter(headers, now) ?? WINDOW) }
}
