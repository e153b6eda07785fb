/**
 * What a vendor's answer says of how much it may still be asked: calls of a rate limit, or credits. An adapter tells it with
 * `tell` while it is called; `Guard` listens and keeps no more calls going than are left (`Allowances`). Nobody else listens,
 * and then telling does nothing.
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
