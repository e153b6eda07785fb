/**
 * How a command is stopped: the first SIGINT, SIGTERM or SIGHUP closes it gracefully, the next one ends the process at
 * once.
 *
 * Gotcha: a terminal sends Ctrl-C to the whole group and a package manager passes it on, so that one keystroke arrives
 * twice. What comes right after the first signal is therefore the same wish.
 */
import { Effect, Exit, Fiber, Schema, type Scope } from "effect"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Milliseconds in which a second signal is the echo of the first. */
const echo = 500

const listening = (onSignal: () => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      for (const signal of signals) process.on(signal, onSignal)
    }),
    () =>
      Effect.sync(() => {
        for (const signal of signals) process.off(signal, onSignal)
      })
  )

/** A signal has ended what was running, after it had closed what it had open. */
export class Interrupted extends Schema.TaggedError<Interrupted>()("Interrupted", {}) {}

/** Runs until its end, or until a signal comes: then it is interrupted, and fails with that. */
export const untilStopped = <A, E, R>(running: Effect.Effect<A, E, R>): Effect.Effect<A, E | Interrupted, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(running)
      let stopped: number | null = null
      yield* listening(() => {
        const now = performance.now()
        if (stopped === null) {
          stopped = now
          fiber.interruptUnsafe()
        } else if (now - stopped > echo) process.exit(130)
      })
      const exit = yield* Fiber.await(fiber)
      if (stopped !== null && Exit.hasInterrupts(exit)) return yield* new Interrupted()
      return yield* exit
    })
  )

/** Serves until a signal comes; being stopped by one is a success. */
export const serveUntilStopped = <E, R>(serving: Effect.Effect<never, E, R>): Effect.Effect<void, E, R> =>
  untilStopped(serving).pipe(
    Effect.catchIf(
      (error) => error instanceof Interrupted,
      () => Effect.void
    )
  )
