/**
 * Flights: equal calls at the same time are made once. Whoever comes while a call is in the air waits for the same
 * answer, each with a limit of its own; the call is interrupted when the last of them has left.
 */
import { Effect, Fiber, Option, type Scope } from "effect"

export interface Flight<E> {
  /** Somebody's time ran out while it was in the air: the call was too slow, and was not merely given up. */
  timedOut: boolean
  /** What last went wrong in it, while it waits to try again. */
  trouble: E | null
}

export interface Flights<A, E> {
  /** `None` when `limit` (milliseconds) passed first; `trouble` then says what it was waiting for. */
  readonly join: (
    key: string,
    limit: number,
    call: (flight: Flight<E>) => Effect.Effect<A, E>
  ) => Effect.Effect<{ readonly landed: Option.Option<A>; readonly trouble: E | null }, E>
}

interface Entry<A, E> extends Flight<E> {
  readonly fiber: Fiber.Fiber<A, E>
  waiting: number
}

/** Calls live in `scope`, not in the request that began them. */
export const make = <A, E>(scope: Scope.Scope): Flights<A, E> => {
  const inTheAir = new Map<string, Entry<A, E>>()

  const start = (key: string, call: (flight: Flight<E>) => Effect.Effect<A, E>): Effect.Effect<Entry<A, E>> => {
    const flight: Flight<E> = { timedOut: false, trouble: null }
    return Effect.map(
      Effect.forkIn(
        // Without the delay a call that ends at once would be over before its entry stands in the map.
        Effect.interruptible(Effect.suspend(() => call(flight))).pipe(
          Effect.ensuring(Effect.sync(() => inTheAir.delete(key)))
        ),
        scope
      ),
      (fiber) => {
        const entry: Entry<A, E> = Object.assign(flight, { fiber, waiting: 0 })
        inTheAir.set(key, entry)
        return entry
      }
    )
  }

  const leave = (key: string, entry: Entry<A, E>) =>
    Effect.sync(() => {
      entry.waiting--
      if (entry.waiting > 0) return
      if (inTheAir.get(key) === entry) inTheAir.delete(key)
      entry.fiber.interruptUnsafe()
    })

  return {
    join: (key, limit, call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const entry = inTheAir.get(key) ?? (yield* start(key, call))
          entry.waiting++
          return yield* restore(Fiber.join(entry.fiber)).pipe(
            (wait) => Effect.timeoutOption(wait, limit),
            Effect.tap((landed) =>
              Effect.sync(() => {
                if (Option.isNone(landed)) entry.timedOut = true
              })
            ),
            restore,
            Effect.map((landed) => ({ landed, trouble: entry.trouble })),
            Effect.ensuring(leave(key, entry))
          )
        })
      )
  }
}
