/**
 * What a row can cost at most. Under a ceiling it is asked for in a quote, once for each shape of a row, and kept with the
 * job: a row is sent with the same `max_credits` after every end, whatever prices do meanwhile.
 */
import { Credits } from "@lading/core/billing"
import { Effect } from "effect"
import type { Counterpart } from "./Asking.ts"
import type { Columns } from "./Columns.ts"
import type { Row } from "./Input.ts"
import type { Job } from "./Job.ts"
import { Stopped } from "./Problem.ts"
import * as Question from "./Question.ts"

export interface Price {
  /** `max_credits` of the request; `null` where it says nothing. */
  readonly most: Credits.Credits | null
  /** What is set aside of the ceiling; nothing without one. */
  readonly worst: Credits.Credits
}

export interface Wanted {
  readonly counterpart: Counterpart
  readonly columns: Columns
  readonly options: Question.Options
  readonly job: Job
  /** Whether there is a ceiling. */
  readonly capped: boolean
}

const quoted = Effect.fnUntraced(function* ({ columns, counterpart, job, options }: Wanted, shape: string) {
  const sample = yield* Question.sample(columns.kind, shape, options, job.rowCredits).pipe(
    Effect.mapError(({ details: [{ message, path }] }) => new Stopped({ problem: `${path}: ${message}` }))
  )
  const { fits_max_credits, held, least } = yield* counterpart.quote(sample)
  if (!fits_max_credits) return yield* new Stopped({ problem: `a row may cost ${least} credits; raise --row-credits` })
  const price = Credits.fromNumber(held)
  yield* job.setPrice(shape, price)
  return price
})

/** Of rows one after the other, so that no shape is asked for twice. */
export const make =
  (wanted: Wanted) =>
  (row: Row): Effect.Effect<Price, Stopped> => {
    const { capped, columns, job } = wanted
    const said = job.rowCredits
    const shape = Question.shapeOf(columns, row)
    // A row without anything to ask by costs nothing.
    if (!capped || shape === "") return Effect.succeed({ most: said, worst: Credits.zero })
    const known = job.price(shape)
    return Effect.map(known === undefined ? quoted(wanted, shape) : Effect.succeed(known), (worst) => ({
      most: said ?? worst,
      worst
    }))
  }
