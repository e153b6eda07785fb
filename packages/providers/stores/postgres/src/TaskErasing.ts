/** Empties rows of agentic tasks that speak of somebody: what they cost stays, and their tasks count them anew. */
import { TaskRow } from "@lading/core/task"
import { Effect, Option } from "effect"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as TaskRows from "./TaskRows.ts"

const { openRow, placeOf, together, unavailable } = TaskRows

/** Rows that one statement empties. */
const portion = 500

interface Found {
  readonly task: string
  readonly path: ReadonlyArray<number>
  readonly state: TaskRow.State
  readonly sealed: Uint8Array
}

/** Of a row that no key opens any more nothing can be kept. */
const emptied = (means: TaskRows.Means, { path, sealed, state, task }: Found): TaskRow.TaskRow =>
  TaskRow.forgotten(Option.getOrElse(openRow(means, task, path, sealed), () => ({ ...TaskRow.first(null), state })))

const write = Effect.fnUntraced(function* (means: TaskRows.Means, found: ReadonlyArray<Found>) {
  const { seal, sql } = means
  const rows = found.map((one) => ({ ...one, row: emptied(means, one) }))
  yield* bounded(
    sql`with changed as (
        update lading.task_rows r
          set state = e.state, revision = r.revision + 1, sealed = e.sealed, subjects = '{}'
          from unnest(
            ${rows.map(({ task }) => task)}::text[],
            ${rows.map(({ path }) => path.join(" "))}::text[],
            ${rows.map(({ row }) => row.state)}::text[],
            ${rows.map(({ path, row, task }) => seal.seal(JSON.stringify(row), placeOf.row(task, path)))}::bytea[]
          ) as e (task, path, state, sealed)
          where r.task = e.task and r.path = string_to_array(e.path, ' ')::int[]
      ), gone as (
        select task, count(*) filter (where state = 'pending') as pending,
            count(*) filter (where state = 'completed') as completed, count(*) filter (where state = 'failed') as failed
          from unnest(${rows.map(({ task }) => task)}::text[], ${rows.map(({ state }) => state)}::text[]) as old (task, state)
          group by task
      )
      update lading.tasks t set pending = t.pending - g.pending, completed = t.completed - g.completed,
          failed = t.failed - g.failed, erased = t.erased + g.pending + g.completed + g.failed
        from gone g where t.id = g.task`,
    unavailable
  )
})

/** Gives the number of rows. */
export const make =
  (means: TaskRows.Means) =>
  (handles: ReadonlyArray<string>): Effect.Effect<number, ReturnType<typeof unavailable>> => {
    if (handles.length === 0) return Effect.succeed(0)
    const { sql } = means
    const digests = handles.map(digestOf)
    // Tasks first, as whoever deletes one with its rows does: nobody waits in a circle.
    const work = Effect.gen(function* () {
      yield* bounded(sql`lock table lading.tasks, lading.task_rows in share row exclusive mode`, unavailable)
      let total = 0
      while (true) {
        yield* Effect.yieldNow
        // What is emptied speaks of nobody any more, so each time these are others.
        const found = yield* bounded(
          sql<Found>`select task, path, state, sealed from lading.task_rows
            where subjects && ${digests}::text[] limit ${portion}`,
          unavailable
        )
        if (found.length > 0) yield* write(means, found)
        total += found.length
        if (found.length < portion) return total
      }
    })
    return together(means, work)
  }
