/**
 * When a webhook is tried again: pauses that grow for a day, each shortened by up to a fifth at random, so that what
 * failed together does not come back together, and once more when the day is over. A receiver that names a later time (`Retry-After`) is left alone until then.
 */
import type { Attempt } from "./Webhooks.ts"

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Milliseconds between one attempt and the next: eight attempts within 23 hours and 36 minutes, before the last one. */
export const pauses: ReadonlyArray<number> = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  8 * hour,
  8 * hour
]

/** The part of a pause that chance may take away. */
const jitter = 0.2

export interface Tried {
  /** How often it was tried before this attempt. */
  readonly before: number
  /** Epoch milliseconds when this attempt ended, and when the delivery is given up. */
  readonly now: number
  readonly expires_at: number
  /** Milliseconds that the receiver asks to be left alone; `null` where it does not. */
  readonly retryAfter: number | null
  /** From 0 to below 1. */
  readonly chance: number
}

/** Epoch milliseconds of the next attempt; `null` when it is over, delivered or given up. */
export const nextAt = (
  { problem }: Pick<Attempt, "problem">,
  { before, chance, expires_at, now, retryAfter }: Tried
): number | null => {
  // What this server cannot open another one may.
  if (problem === null || problem === "gone" || now >= expires_at) return null
  const pause = pauses[before]
  if (pause === undefined) return expires_at
  const wait = Math.max(Math.round(pause * (1 - jitter * chance)), retryAfter ?? 0)
  // A receiver that wants more time than there is gets one more attempt, at the very end.
  return Math.min(now + wait, expires_at)
}
