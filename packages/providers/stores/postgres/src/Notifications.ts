/**
 * What servers on one database tell one another at once, through `NOTIFY`. Whoever listens has a connection of its own
 * for it, on which nothing is sent while nobody says anything.
 *
 * Gotchas: what is said while nobody listens is lost, so whoever hears must be right without it too, only later; and
 * when a connection is back, anything may have been missed. The embedded database has one connection and one process:
 * nobody listens there. A pooler that shares sessions between transactions lets nothing through.
 */
import { Context, Effect, Queue, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { problemOf } from "./Bounded.ts"

/** Listens on a channel, on a connection of its own, until the scope closes; fails when the connection is lost. */
export type Listen = (
  channel: string
) => Effect.Effect<Queue.Dequeue<{ readonly payload: string }, SqlError>, SqlError, Scope.Scope>

/** How one listens; `null` where nobody else works on the database. */
export const Listening: Context.Reference<Listen | null> = Context.Reference<Listen | null>(
  "@lading/postgres/Notifications/Listening",
  { defaultValue: () => null }
)

export interface Hearing {
  readonly heard: (payload: string) => void
  /** From now on everything is heard; what was said before may have been missed. */
  readonly begun: () => void
}

/** Between two attempts to listen. */
const pause = "1 second"

/** Hears what is said on the channel for as long as the scope is open, whatever happens to the connection. */
export const hear = Effect.fnUntraced(function* (channel: string, { begun, heard }: Hearing) {
  const listen = yield* Listening
  if (listen === null) return
  /** Said once, until the next connection. */
  let complained = false

  const attend = Effect.gen(function* () {
    const queue = yield* listen(channel)
    complained = false
    begun()
    return yield* Effect.forever(Effect.map(Queue.take(queue), ({ payload }) => heard(payload)))
  }).pipe(Effect.scoped)

  const complain = (error: SqlError) => {
    if (complained) return Effect.void
    complained = true
    return Effect.logWarning("other servers are not heard", { channel, problem: problemOf(error) })
  }

  yield* attend.pipe(Effect.catch(complain), Effect.repeat(Schedule.spaced(pause)), Effect.forkScoped)
})
