/** Waiting for a store that is down: for work that nobody waits for, and that must not be lost. */
import { Effect, Schedule } from "effect"

/** Between two attempts. */
const untilUp = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])

/** Tries until it succeeds; says each time that it waits. */
export const patiently = <A, E extends { readonly problem: string }>(work: Effect.Effect<A, E>): Effect.Effect<A> =>
  work.pipe(
    Effect.tapError(({ problem }) => Effect.logWarning("a store is down, what goes on waits", problem)),
    Effect.retry(untilUp),
    Effect.orDie
  )
