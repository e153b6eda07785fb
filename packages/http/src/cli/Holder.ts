/**
 * Somebody who holds a folder and does not listen: a server that starts, or another command that ends soon. So it is
 * waited for.
 */
import { Effect, Schedule, Schema } from "effect"
import type * as Failure from "./Failure.ts"
import * as Remote from "./Remote.ts"

export class Held extends Schema.TaggedError<Held>()("Held", { pid: Schema.Int, host: Schema.String }) {}

/** How often and how long it is waited for. */
const patience = { schedule: Schedule.spaced("100 millis"), times: 300 }

/** Tries again for as long as somebody holds the folder, within reason. */
export const awaited = <A, R>(
  folder: string,
  open: Effect.Effect<A, Failure.Failure | Held, R>
): Effect.Effect<A, Failure.Failure, R> =>
  open.pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "Held", ...patience }),
    Effect.catchTag("Held", ({ host, pid }) => Effect.fail(new Remote.OwnerSilent({ folder, host, pid, url: null })))
  )
