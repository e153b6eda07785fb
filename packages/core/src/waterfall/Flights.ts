/**
 * Flights: equal calls at the same time are made once. Whoever comes while a call is in the air waits for the same
 * answer, each with a limit of its own; the call is interrupted when the last of them has left.
 *
 * Gotchas: a call that has been in the air for longer than the newcomer would wait is not joined, so that a call that
 * hangs cannot be kept alive by ever new ones.
 */
import { Clock, Effect, Exit, type Fiber, Option, type Scope } from "effect"

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
  readonly started: number
  waiting: number
}

/** Calls live in `scope`, not in the request that began them. */
export const make = <A, E>(scope: Scope.Scope): Flights<A, E> => {
  const inTheAir = new Map<string, Entry<A, E>>()

  const forget = (key: string, entry: Entry<A, E>) => {
    if (inTheAir.get(key) === entry) inTheAir.delete(key)
  }

  const start = (key: string, started: number, call: (flight: Flight<E>) => Effect.Effect<A, E>) => {
    const flight: Flight<E> = { timedOut: false, trouble: null }
    return Effect.map(Effect.forkIn(Effect.interruptible(call(flight)), scope), (fiber) => {
      const entry: Entry<A, E> = Object.assign(flight, { fiber, started, waiting: 0 })
      inTheAir.set(key, entry)
      fiber.addObserver(() => forget(key, entry))
      return entry
    })
  }

  const leave = (key: string, entry: Entry<A, E>) =>
    Effect.sync(() => {
      entry.waiting--
      if (entry.waiting > 0) return
      forget(key, entry)
      entry.fiber.interruptUnsafe()
    })

  const wait = (entry: Entry<A, E>, limit: number) =>
    Effect.map(within(entry.fiber, limit), (landed) => {
      if (Option.isNone(landed)) entry.timedOut = true
      return { landed, trouble: entry.trouble }
    })

  return {
    join: (key, limit, call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const known = inTheAir.get(key)
          const boarding =
            known !== undefined && now - known.started < limit ? Effect.succeed(known) : start(key, now, call)
          return Effect.flatMap(boarding, (entry) => {
            entry.waiting++
            return Effect.ensuring(restore(wait(entry, limit)), leave(key, entry))
          })
        })
      )
  }
}

/** Waits for a fibre that goes on without its waiter. A race of two effects would cost two fibres more. */
const within = <A, E>(fiber: Fiber.Fiber<A, E>, limit: number): Effect.Effect<Option.Option<A>, E> =>
  Effect.withFiber((waiter) =>
    Effect.callback((resume) => {
      const alarm = Effect.runForkWith(waiter.context)(Effect.sleep(limit))
      const land = (exit: Exit.Exit<A, E>) => {
        alarm.interruptUnsafe()
        resume(Effect.asSome(exit))
      }
      alarm.addObserver((exit) => {
        if (Exit.isSuccess(exit)) resume(Effect.succeedNone)
      })
      const goOnWithout = fiber.addObserver(land)
      return Effect.sync(() => {
        goOnWithout()
        alarm.interruptUnsafe()
      })
    })
  )
