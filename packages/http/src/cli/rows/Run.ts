/**
 * Runs a job to its end: rows are read, started in their order while the budget allows, asked several at a time, and
 * written in their order, as they are finished.
 *
 * Rows that fail one after the other since nobody could answer are held back: when there are many of them, nobody can,
 * and the run ends before the first of them, so that the next one asks them again.
 */
import type { Credits } from "@lading/core/billing"
import { Effect, Stream } from "effect"
import type { Answered, Counterpart } from "./Asking.ts"
import * as Budget from "./Budget.ts"
import type { Columns } from "./Columns.ts"
import * as Input from "./Input.ts"
import type { Written } from "./Folder.ts"
import type { Job } from "./Job.ts"
import * as Outcome from "./Outcome.ts"
import type { Output } from "./Output.ts"
import * as Prices from "./Prices.ts"
import { CeilingReached, Stopped, type Unreadable } from "./Problem.ts"
import * as Question from "./Question.ts"
import * as Tally from "./Tally.ts"

export interface Task {
  readonly place: Input.Place
  readonly survey: Input.Survey
  readonly columns: Columns
  readonly options: Question.Options
  readonly job: Job
  readonly output: Output<Outcome.Outcome>
  readonly counterpart: Counterpart
  readonly ceiling: Credits.Credits | null
  readonly concurrency: number
  /** So many rows in a row that nobody could answer end the run; 0 for never. */
  readonly stopAfter: number
  /** Is told of every row that is safe. */
  readonly safe: (tally: Tally.Tally) => Effect.Effect<void>
}

/** Why a run ends before its last row. */
export type Reason = Stopped | CeilingReached

/** A row that is about to be asked. */
interface Next {
  readonly row: Input.Row
  readonly number: number
  readonly price: Prices.Price
}

/** A row that is done. */
interface Done extends Answered {
  readonly row: Input.Row
  readonly number: number
  readonly later: Credits.Credits
}

type Step<A> = { readonly _tag: "Ended"; readonly reason: Reason } | ({ readonly _tag: "Going" } & A)

const ended = (reason: Reason): Step<never> => ({ _tag: "Ended", reason })

/** Asks one row; whatever comes of it is a step, since the rows before it still have to be written. */
const asking =
  ({ columns, counterpart, job, options }: Task, budget: Budget.Budget) =>
  ({ number, price, row }: Next): Effect.Effect<Step<Done>> =>
    Question.of(columns, options, row, price.most).pipe(
      Effect.matchEffect({
        onFailure: ({ details }): Effect.Effect<Answered, Stopped> =>
          Outcome.ofOptions(details)
            ? Effect.fail(new Stopped({ problem: Outcome.details(details) }))
            : Effect.succeed({
                outcome: Outcome.failed(`line ${row.line}: ${Outcome.details(details)}`),
                unavailable: false
              }),
        onSuccess: (asked) => counterpart.ask(asked, `${job.id}-${number}`)
      }),
      Effect.map((answered) => ({ ...answered, later: Tally.laterOf(answered.outcome, price.worst) })),
      Effect.tap(({ later, outcome }) => budget.settle(price.worst, outcome.credits, later)),
      Effect.match({ onFailure: ended, onSuccess: (done): Step<Done> => ({ _tag: "Going", row, number, ...done }) })
    )

/** One row after the other, so that what was started is always a beginning of the file. */
const starting = (task: Task, budget: Budget.Budget) => {
  const { ceiling, columns, counterpart, job, options } = task
  const priceOf = Prices.make({ counterpart, columns, options, job, capped: ceiling !== null })
  return (row: Input.Row, number: number): Effect.Effect<Step<Next>> =>
    Effect.gen(function* () {
      const price = yield* priceOf(row)
      if (!(yield* budget.take(price.worst))) return ended(new CeilingReached({ worst: price.worst }))
      yield* job.asking(number)
      return { _tag: "Going", row, number, price } satisfies Step<Next>
    }).pipe(Effect.catchTag("Stopped", (stopped) => Effect.succeed(ended(stopped))))
}

const outage = (rows: number, error: string) =>
  new Stopped({ problem: `${rows} rows in a row could not be answered, the last one: ${error}` })

/** Writes what is done; gives why the run has to end, where it has to. */
const writing = ({ job, output, safe, stopAfter }: Task) => {
  const heldBack: Array<Done> = []

  const flush = Effect.fnUntraced(function* (rows: ReadonlyArray<Done>) {
    if (rows.length === 0) return
    const texts: ReadonlyArray<Written> = yield* Effect.forEach(rows, ({ later, number, outcome, row }) =>
      Effect.map(output.text({ row, outcome }), (text) => ({ number, row, outcome, later, text }))
    )
    const tally = rows.reduce((tally, { later, outcome }) => Tally.add(tally, outcome, later), job.tally())
    yield* job.append(texts, tally)
    yield* safe(tally)
  })

  const write = Effect.fnUntraced(function* (steps: ReadonlyArray<Step<Done>>) {
    const rows: Array<Done> = []
    let reason: Reason | null = null
    for (const step of steps) {
      if (reason !== null) break
      if (step._tag === "Ended") reason = step.reason
      else if (step.unavailable && stopAfter > 0) heldBack.push(step)
      else {
        rows.push(...heldBack.splice(0), step)
      }
      const last = heldBack.at(-1)
      if (last !== undefined && heldBack.length === stopAfter) reason = outage(stopAfter, last.outcome.error)
    }
    yield* flush(rows)
    return reason
  })

  return { write, rest: Effect.suspend(() => flush(heldBack)) }
}

/** Rows that are written and flushed together, at most, and how long the first of them waits for the others. */
const together = { rows: 100, wait: "200 millis" } as const

/** `null` when every row is in the result, or why it ended before. */
export const run = (task: Task): Effect.Effect<Reason | null, Unreadable | Stopped> =>
  Effect.gen(function* () {
    const { ceiling, concurrency, job, place, survey } = task
    const budget = Budget.make(ceiling === null ? null : { ceiling, spent: job.spent() })
    const [start, ask, { rest, write }] = [starting(task, budget), asking(task, budget), writing(task)]
    const before = job.tally().rows

    const reason = yield* Input.rows(place, survey).pipe(
      Stream.drop(before),
      Stream.mapEffect((row, index) => start(row, before + index + 1)),
      Stream.takeUntil(({ _tag }) => _tag === "Ended"),
      Stream.mapEffect((step) => (step._tag === "Ended" ? Effect.succeed(step) : ask(step)), { concurrency }),
      Stream.takeUntil(({ _tag }) => _tag === "Ended"),
      Stream.groupedWithin(together.rows, together.wait),
      Stream.mapEffect(write),
      Stream.filter((reason) => reason !== null),
      Stream.runHead
    )
    if (reason._tag === "None") yield* rest
    else if (reason.value._tag !== "CeilingReached") return reason.value
    yield* job.landed
    return reason._tag === "None" ? null : reason.value
  })
