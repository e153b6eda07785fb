/**
 * The log of runs: which question a request asked, what each of its sources came to, and what was made of it. With the
 * answers that the answer cache keeps it is all that a replay needs; no vendor and no credential.
 *
 * A run is JSON text, and sealed where it outlives the process: it speaks of people.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"

export class RunLogUnavailable extends Schema.TaggedError<RunLogUnavailable>()("RunLogUnavailable", {
  problem: Schema.String
}) {}

/** What is kept of one request. */
export interface LoggedRun {
  readonly request_id: string
  readonly account: string
  readonly operation: string
  /** Epoch milliseconds when it was answered. */
  readonly at: number
  /** Each subject that was asked about, as JSON text; see `Replay`. */
  readonly runs: string
}

export interface Keeping {
  /** Epoch milliseconds. */
  readonly kept_until: number
  /** Handles of everybody it speaks of (see `Suppression`). */
  readonly subjects: ReadonlyArray<string>
}

export class RunLog extends Context.Service<
  RunLog,
  {
    /**
     * Keeps a run, unless it speaks of somebody who has objected; a later one of the same request takes the place of the
     * earlier. May be written a moment later.
     */
    readonly record: (run: LoggedRun, keeping: Keeping) => Effect.Effect<void, RunLogUnavailable>
    /** `null` where there is none, or no longer. */
    readonly find: (requestId: string) => Effect.Effect<LoggedRun | null, RunLogUnavailable>
    /** Forgets every run that speaks of one of these handles; gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Effect.Effect<number, RunLogUnavailable>
    /** Forgets what need not be kept any more; gives the number of runs. */
    readonly sweep: Effect.Effect<number, RunLogUnavailable>
  }
>()("@lading/core/waterfall/RunLog") {}

/** For embedders that never replay: nothing is kept. */
export const layerNone: Layer.Layer<RunLog> = Layer.succeed(RunLog, {
  record: () => Effect.void,
  find: () => Effect.succeed(null),
  erase: () => Effect.succeed(0),
  sweep: Effect.succeed(0)
})

/** How many runs `layerMemory` keeps; the oldest goes first. */
export const memoryCapacity = 1_000

/** Runs in memory, lost with the process. */
export const layerMemory: Layer.Layer<RunLog> = Layer.sync(RunLog, () => {
  const runs = new Map<string, LoggedRun & Keeping>()

  const record = (run: LoggedRun, keeping: Keeping) => {
    runs.set(run.request_id, { ...run, ...keeping })
    for (const oldest of runs.keys()) {
      if (runs.size <= memoryCapacity) break
      runs.delete(oldest)
    }
  }

  const forget = (which: (run: LoggedRun & Keeping) => boolean): number => {
    const before = runs.size
    for (const [id, run] of runs) if (which(run)) runs.delete(id)
    return before - runs.size
  }

  const find = (id: string, now: number): LoggedRun | null => {
    const kept = runs.get(id)
    if (kept === undefined || kept.kept_until <= now) return null
    const { account, at, operation, request_id, runs: text } = kept
    return { account, at, operation, request_id, runs: text }
  }

  return {
    record: (run, keeping) => Effect.sync(() => record(run, keeping)),
    find: (id) => Effect.map(Clock.currentTimeMillis, (now) => find(id, now)),
    erase: (handles) =>
      Effect.sync(() => forget(({ subjects }) => handles.some((handle) => subjects.includes(handle)))),
    sweep: Effect.map(Clock.currentTimeMillis, (now) => forget(({ kept_until }) => kept_until <= now))
  }
})
