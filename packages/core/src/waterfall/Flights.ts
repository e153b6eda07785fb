/**
 * Flights: equal calls at the same time are made once. Whoever comes while a call is in the air waits for the same
 * answer, each with a limit of its own; the call is interrupted when the last of them has left.
 *
 * Gotchas: a call that has been in the air for longer than the newcomer would wait is not joined, so that a call that
 * hangs cannot be kept alive by ever new ones.
 */
import { Clock, Effect, Exit, type Fiber, type Option, type Scope } from "effect"

export interface Flight<E> {
  /** Since when the vendor has the question, epoch milliseconds; `null` while the call still waits for its turn. */
  asked: number | null
  /** What last went wrong in it, while it waits to try again. */
  trouble: E | null
  /** What the vendor works on it under, once it has said so (`Source.Begun`). */
  handle: string | null
}

/** How a call stands when its waiter's limit has passed. */
export type Unlanded<E> = Pick<Flight<E>, "trouble" | "handle">

/** A seat in a call. Whoever has one waits once, and leaves in any case. */
export interface Seat<A, E> {
  /** `None` when the limit passed first; `trouble` then says what the call was waiting for. */
  readonly wait: Effect.Effect<Unlanded<E> & { readonly landed: Option.Option<A> }, E>
  /** How the call ended, when it has. */
  readonly landed: () => Exit.Exit<A, E> | undefined
  /** Whether the vendor has the question. */
  readonly asked: () => boolean
  /** What the vendor works on it under, by now. */
  readonly handle: () => string | null
  readonly leave: Effect.Effect<void>
}

export interface Flights<A, E> {
  /** Begins the call, or joins it when it is in the air. `limit` in milliseconds from now. Does not wait. */
  readonly board: (
    key: string,
    limit: number,
    call: (flight: Flight<E>) => Effect.Effect<A, E>
  ) => Effect.Effect<Seat<A, E>>
}

interface Entry<A, E> extends Flight<E> {
  readonly fiber: Fiber.Fiber<A, E>
  readonly started: number
  seats: number
}

/** Calls live in `scope`, not in the request that began them. */
export const make = <A, E>(scope: Scope.Scope): Flights<A, E> => {
  const inTheAir = new Map<string, Entry<A, E>>()

  const forget = (key: string, entry: Entry<A, E>) => {
    if (inTheAir.get(key) === entry) inTheAir.delete(key)
  }

  const start = (key: string, started: number, call: (flight: Flight<E>) => Effect.Effect<A, E>) => {
    const flight: Flight<E> = { asked: null, trouble: null, handle: null }
    return Effect.map(Effect.forkIn(Effect.interruptible(call(flight)), scope, { startImmediately: true }), (fiber) => {
      const entry: Entry<A, E> = Object.assign(flight, { fiber, started, seats: 0 })
      inTheAir.set(key, entry)
      fiber.addObserver(() => forget(key, entry))
      return entry
    })
  }

  const seat = (key: string, entry: Entry<A, E>, until: number): Seat<A, E> => {
    entry.seats++
    return {
      wait: Effect.map(within(entry.fiber, until), (landed) => ({
        landed,
        trouble: entry.trouble,
        handle: entry.handle
      })),
      landed: () => entry.fiber.pollUnsafe(),
      handle: () => entry.handle,
      asked: () => entry.asked !== null,
      leave: Effect.sync(() => {
        entry.seats--
        if (entry.seats > 0) return
        forget(key, entry)
        entry.fiber.interruptUnsafe()
      })
    }
  }

  return {
    board: (key, limit, call) =>
      Effect.uninterruptible(
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const known = inTheAir.get(key)
          const boarding =
            known !== undefined && now - known.started < limit ? Effect.succeed(known) : start(key, now, call)
          return Effect.map(boarding, (entry) => seat(key, entry, now + limit))
        })
      )
  }
}

/**
 * Waits until a point in time for a fibre that goes on without its waiter. A race of two effects would cost two fibres
 * more, and a fibre that has ended costs nothing.
 */
const within = <A, E>(fiber: Fiber.Fiber<A, E>, until: number): Effect.Effect<Option.Option<A>, E> =>
  Effect.withFiber((waiter) => {
    const ended = fiber.pollUnsafe()
    if (ended !== undefined) return Effect.asSome(ended)
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.callback((resume) => {
        const alarm = Effect.runForkWith(waiter.context)(Effect.sleep(Math.max(0, until - now)))
        alarm.addObserver((exit) => {
          if (Exit.isSuccess(exit)) resume(Effect.succeedNone)
        })
        const goOnWithout = fiber.addObserver((exit) => {
          alarm.interruptUnsafe()
          resume(Effect.asSome(exit))
        })
        return Effect.sync(() => {
          goOnWithout()
          alarm.interruptUnsafe()
        })
      })
    )
  })
