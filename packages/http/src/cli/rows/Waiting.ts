/**
 * Waits for rows whose answers come later: all of them are looked at in rounds, with growing pauses between, until every
 * one is complete or the time is over. What has come is safe at once.
 */
import { Clock, Duration, Effect, Option, Stream } from "effect"
import type { Counterpart, Found } from "./Asking.ts"
import type { Columns } from "./Columns.ts"
import type { Job } from "./Job.ts"
import type { PendingRow } from "./Late.ts"
import * as Outcome from "./Outcome.ts"
import type { Output } from "./Output.ts"
import type { Stopped } from "./Problem.ts"
import * as Question from "./Question.ts"
import * as Tally from "./Tally.ts"

export interface Task {
  readonly job: Job
  readonly counterpart: Counterpart
  readonly columns: Columns
  readonly options: Question.Options
  readonly output: Output<Outcome.Outcome>
  readonly concurrency: number
  /** How long is waited; nobody is asked where it is nothing. */
  readonly patience: Duration.Duration
  /** Is told of every row that is safe. */
  readonly safe: (tally: Tally.Tally) => Effect.Effect<void>
}

/** Milliseconds between two rounds: the first, by how much it grows, and the longest. */
const pauses = { first: 1000, factor: 1.5, longest: 15_000 } as const

/** Rows that are flushed together, at most, and how long the first of them waits for the others. */
const together = { rows: 100, wait: "200 millis" } as const

interface Late {
  readonly pending: PendingRow
  readonly outcome: Outcome.Outcome
}

/** Rows that this process has asked again, under the ids that they have now. */
type Again = Map<number, string>

/** A row whose answer is unknown: lost, or asked again where the answers are lost with their process. */
const unknown = Effect.fnUntraced(function* (task: Task, pending: PendingRow, again: Again) {
  const { columns, counterpart, job, options } = task
  if (!counterpart.forgets) return Outcome.lost(pending.outcome)
  const most = job.price(Question.shapeOf(columns, pending.row)) ?? null
  const question = yield* Effect.option(Question.of(columns, options, pending.row, job.rowCredits ?? most))
  if (Option.isNone(question)) return Outcome.lost(pending.outcome)
  const { outcome } = yield* counterpart.ask(question.value, `${job.id}-${pending.number}`)
  if (outcome.status !== "pending") return outcome
  again.set(pending.number, outcome.request_id)
  return null
})

const look = Effect.fnUntraced(function* (
  task: Task,
  pending: PendingRow,
  again: Again
): Effect.fn.Return<Late | null, Stopped> {
  const { columns, counterpart } = task
  const found: Found = yield* counterpart.find(columns.kind, again.get(pending.number) ?? pending.outcome.request_id)
  switch (found._tag) {
    case "NotYet":
      return null
    case "Found":
      return { pending, outcome: found.outcome }
    case "Unknown": {
      const outcome = yield* unknown(task, pending, again)
      return outcome === null ? null : { pending, outcome }
    }
  }
})

const write = Effect.fnUntraced(function* ({ job, output, safe }: Task, rows: ReadonlyArray<Late>) {
  const completed = yield* Effect.forEach(rows, ({ outcome, pending: { number, row } }) =>
    Effect.map(output.text({ row, outcome }), (text) => ({ number, text }))
  )
  const tally = rows.reduce(
    (tally, { outcome, pending }) => Tally.complete(tally, pending.outcome, outcome, pending.later),
    job.tally()
  )
  yield* job.complete(completed, tally)
  yield* safe(tally)
})

/** Looks at every pending row once. */
const round = (task: Task, again: Again) =>
  task.job.pending.pipe(
    Stream.mapEffect((pending) => look(task, pending, again), { concurrency: task.concurrency, unordered: true }),
    Stream.filter((late) => late !== null),
    Stream.groupedWithin(together.rows, together.wait),
    Stream.runForEach((rows) => write(task, rows))
  )

/** Until no row is pending, or the time is over. */
export const run = Effect.fnUntraced(function* (task: Task): Effect.fn.Return<void, Stopped> {
  const { job, patience } = task
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
  const again: Again = new Map()
  let pause: number = pauses.first
  while (job.tally().pending > 0) {
    const left = until - (yield* Clock.currentTimeMillis)
    if (left <= 0) return
    yield* Effect.sleep(Duration.millis(Math.min(pause, left)))
    yield* round(task, again)
    pause = Math.min(pause * pauses.factor, pauses.longest)
  }
})
