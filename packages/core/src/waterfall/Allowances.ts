/**
 * Allowances: what vendors said that they still take, by name: a credential and what is asked with it. In this process,
 * unless the installation has a layer that several share.
 *
 * Gotchas
 * - The vendor's count is of the moment in which it answered. Calls that are in the air then are taken off it, so that
 *   several callers do not spend the last one each.
 * - A vendor's word is believed for an hour at most: after that it is asked again.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type Allowance, Listener } from "./Allowance.ts"

/** The longest that a vendor's word is believed, in milliseconds. */
export const believed = 3_600_000

export class Allowances extends Context.Service<
  Allowances,
  {
    /** Milliseconds until the vendor may be asked; 0 where it may, and then one call is taken off. */
    readonly take: (name: string) => Effect.Effect<number>
    /** A call is in the air from now on, until what it gives is run. */
    readonly begin: (name: string) => Effect.Effect<Effect.Effect<void>>
    /** The vendor has said something in answer to a call that is in the air. */
    readonly hear: (name: string, allowance: Allowance) => Effect.Effect<void>
  }
>()("@lading/core/waterfall/Allowances") {}

/** Runs a call with somebody who listens. */
export const listening = <A, E, R>(
  allowances: Allowances["Service"],
  name: string,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    allowances.begin(name),
    () => Effect.provideService(call, Listener, (allowance) => allowances.hear(name, allowance)),
    (end) => end
  )

/** Beyond so many names those that are over are forgotten. */
const MANY = 1_000

const make = (): Allowances["Service"] => {
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

  const take = (name: string, now: number): number => {
    const said = known.get(name)
    if (said === undefined) return 0
    if (said.resetAt <= now) {
      known.delete(name)
      return 0
    }
    if (said.remaining < 1) return said.resetAt - now
    known.set(name, { ...said, remaining: said.remaining - 1 })
    return 0
  }

  const hear = (name: string, { remaining, resetAt }: Allowance, now: number) => {
    if (known.size >= MANY) sweep(now)
    const others = Math.max(0, (inTheAir.get(name) ?? 0) - 1)
    known.set(name, { remaining: Math.max(0, remaining - others), resetAt: Math.min(resetAt, now + believed) })
  }

  return {
    take: (name) => Effect.map(Clock.currentTimeMillis, (now) => take(name, now)),
    hear: (name, allowance) => Effect.map(Clock.currentTimeMillis, (now) => hear(name, allowance, now)),
    begin: (name) =>
      Effect.sync(() => {
        count(name, 1)
        return Effect.sync(() => count(name, -1))
      })
  }
}

export const layerMemory: Layer.Layer<Allowances> = Layer.sync(Allowances, make)
