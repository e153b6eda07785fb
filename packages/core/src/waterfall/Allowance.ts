/**
 * What a vendor's answer says of how much it may still be asked: calls of a rate limit, or credits. An adapter tells it with
 * `tell` while it is called; `Guard` listens and keeps no more calls going than are left. Nobody else listens, and then
 * telling does nothing.
 *
 * Gotchas
 * - The vendor's count is of the moment in which it answered. Calls that are in the air then are taken off it, so that
 *   several callers do not spend the last one each.
 * - A vendor's word is believed for an hour at most: after that it is asked again.
 */
import { Clock, Context, Effect } from "effect"

export interface Allowance {
  /** What is left until `resetAt`. */
  readonly remaining: number
  /** When there is more, in epoch milliseconds. */
  readonly resetAt: number
}

/** Whoever wants to know. */
export const Listener = Context.Reference<(allowance: Allowance) => Effect.Effect<void>>(
  "@lading/core/waterfall/Allowance/Listener",
  { defaultValue: () => () => Effect.void }
)

/** Tells what the vendor said, from within the call of an adapter. */
export const tell = (allowance: Allowance): Effect.Effect<void> =>
  Effect.flatMap(Listener, (listen) => listen(allowance))

/** The same, where the vendor says how long to wait, in milliseconds. */
export const spent = (millis: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => tell({ remaining: 0, resetAt: now + millis }))

/** The longest that a vendor's word is believed, in milliseconds. */
const BELIEVED = 3_600_000

/** Beyond so many names those that are over are forgotten. */
const MANY = 1_000

/** What vendors said, by name: a credential and what is asked with it. */
export interface Allowances {
  /** Milliseconds until the vendor may be asked; 0 where it may, and then one call is taken off. */
  readonly take: (name: string, now: number) => number
  /** Runs a call with somebody who listens. */
  readonly listening: <A, E, R>(name: string, call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const make = (): Allowances => {
  const known = new Map<string, Allowance>()
  const inTheAir = new Map<string, number>()

  const count = (name: string, by: number) => {
    const calls = (inTheAir.get(name) ?? 0) + by
    if (calls === 0) inTheAir.delete(name)
    else inTheAir.set(name, calls)
  }

  const sweep = (now: number) => {
    for (const [name, { resetAt }] of known) if (resetAt <= now) known.delete(name)
  }

  const hear = (name: string, { remaining, resetAt }: Allowance, now: number) => {
    if (known.size >= MANY) sweep(now)
    const others = Math.max(0, (inTheAir.get(name) ?? 0) - 1)
    known.set(name, { remaining: Math.max(0, remaining - others), resetAt: Math.min(resetAt, now + BELIEVED) })
  }

  return {
    take: (name, now) => {
      const said = known.get(name)
      if (said === undefined) return 0
      if (said.resetAt <= now) {
        known.delete(name)
        return 0
      }
      if (said.remaining < 1) return said.resetAt - now
      known.set(name, { ...said, remaining: said.remaining - 1 })
      return 0
    },
    listening: (name, call) =>
      Effect.acquireUseRelease(
        Effect.sync(() => count(name, 1)),
        () =>
          Effect.provideService(call, Listener, (allowance) =>
            Effect.map(Clock.currentTimeMillis, (now) => hear(name, allowance, now))
          ),
        () => Effect.sync(() => count(name, -1))
      )
  }
}
