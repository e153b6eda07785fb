/** Rows of agentic tasks as the table has them: how they are sealed, counted, opened, and written many at once. */
import { Credits } from "@lading/core/billing"
import { TaskRow, TaskStore } from "@lading/core/task"
import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { bounded, problemOf } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Int8 from "./Int8.ts"
import type { Seal } from "./Seal.ts"

export interface Means {
  readonly sql: SqlClient.SqlClient
  readonly seal: Seal["Service"]
}

export const unavailable = (problem: string) => new TaskStore.TaskStoreUnavailable({ problem })

type Asked<A> = Effect.Effect<A, TaskStore.TaskStoreUnavailable>

/** What is sealed for one place opens in no other. */
export const placeOf = {
  task: (id: string): string => `agentic task ${id}`,
  plan: (id: string): string => `plan of agentic task ${id}`,
  problem: (id: string): string => `problem of agentic task ${id}`,
  row: (id: string, path: ReadonlyArray<number>): string => `row of agentic task ${id} ${path.join(".")}`
}

/** All or nothing. Each statement in it is bounded by itself. */
export const together = <A>({ sql }: Means, work: Asked<A>): Asked<A> =>
  sql.withTransaction(work).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(unavailable(problemOf(error)))))

export const digestsOf = (row: TaskRow.TaskRow): ReadonlyArray<string> => TaskRow.subjectsOf(row).map(digestOf)

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(TaskRow.TaskRow))

export const openRow = ({ seal }: Means, id: string, path: ReadonlyArray<number>, sealed: Uint8Array) =>
  Option.flatMap(Option.fromNullishOr(seal.open(sealed, placeOf.row(id, path))), parse)

/** The columns in which a task counts its rows are called like their states. */
export const states = TaskRow.State.literals

export type Counts = { readonly [State in TaskRow.State]: number }

/** Rows by state, and what they were charged. */
export const tally = (rows: ReadonlyArray<TaskRow.TaskRow>): Counts & { readonly credits: Credits.Credits } => {
  const counts = { pending: 0, completed: 0, failed: 0, divided: 0, erased: 0 }
  for (const { state } of rows) counts[state]++
  return { ...counts, credits: Credits.sum(rows.map(TaskRow.creditsOf)) }
}

/** Rows that one statement writes: so many, or so many characters. */
const portion = { rows: 500, characters: 2_000_000 }

interface Numbered {
  readonly index: number
  readonly row: TaskRow.TaskRow
  readonly text: string
}

function* portions(rows: ReadonlyArray<TaskRow.TaskRow>): Generator<ReadonlyArray<Numbered>> {
  let [some, characters]: [Array<Numbered>, number] = [[], 0]
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify(row)
    if (some.length === portion.rows || (some.length > 0 && characters + text.length > portion.characters)) {
      yield some
      ;[some, characters] = [[], 0]
    }
    some.push({ index, row, text })
    characters += text.length
  }
  if (some.length > 0) yield some
}

/** Writes rows that begin; their paths are this one with one number more. */
const insert = (
  { seal, sql }: Means,
  id: string,
  path: ReadonlyArray<number>,
  rows: ReadonlyArray<Numbered & { readonly digests: ReadonlyArray<string> }>
) =>
  bounded(
    sql`insert into lading.task_rows (task, path, state, due, revision, credits, sealed, subjects)
      select ${id}, ${path}::int[] || index, state, 0, 1, credits, sealed, string_to_array(subjects, ' ')
        from unnest(
          ${rows.map(({ index }) => index)}::int[],
          ${rows.map(({ row }) => row.state)}::text[],
          ${rows.map(({ row }) => Int8.from(TaskRow.creditsOf(row)))}::bigint[],
          ${rows.map(({ index, text }) => seal.seal(text, placeOf.row(id, [...path, index])))}::bytea[],
          ${rows.map(({ digests }) => digests.join(" "))}::text[]
        ) as fresh (index, state, credits, sealed, subjects)`,
    unavailable
  )

/** Adds elements to a row. Within a transaction that has seen that nobody in them has objected. */
export const add = Effect.fnUntraced(function* (
  means: Means,
  id: string,
  path: ReadonlyArray<number>,
  elements: ReadonlyArray<TaskRow.TaskRow>
) {
  for (const some of portions(elements)) {
    // Sealing many takes seconds, and an embedded database answers without leaving the turn to anybody else.
    yield* Effect.yieldNow
    yield* insert(
      means,
      id,
      path,
      some.map((one) => ({ ...one, digests: digestsOf(one.row) }))
    )
  }
})

/** Writes the rows that a task begins with, emptied where somebody in them has objected. Within a transaction. */
export const begin = Effect.fnUntraced(function* (means: Means, id: string, rows: ReadonlyArray<TaskRow.TaskRow>) {
  const { sql } = means
  // An erasure waits for this lock, or was before it: then what it suppressed is seen.
  yield* bounded(sql`lock table lading.task_rows in row exclusive mode`, unavailable)
  const counts: Array<ReturnType<typeof tally>> = []
  for (const some of portions(rows)) {
    yield* Effect.yieldNow
    const spoken = some.map((one) => ({ ...one, digests: digestsOf(one.row) }))
    const all = [...new Set(spoken.flatMap(({ digests }) => digests))]
    const objected = yield* bounded(
      sql<{ digest: string }>`select digest from lading.suppressions where digest = any(${all}::text[])`,
      unavailable
    )
    const gone = new Set(objected.map(({ digest }) => digest))
    const shown = spoken.map((one) => {
      if (!one.digests.some((digest) => gone.has(digest))) return one
      const row = TaskRow.erased(one.row)
      return { index: one.index, row, text: JSON.stringify(row), digests: [] }
    })
    yield* insert(means, id, [], shown)
    counts.push(tally(shown.map(({ row }) => row)))
  }
  const sum = (state: TaskRow.State) => counts.reduce((total, one) => total + one[state], 0)
  yield* bounded(
    sql`update lading.tasks set ${sql.csv(states.map((state) => sql`${sql(state)} = ${sum(state)}`))},
      charged = ${Int8.from(Credits.sum(counts.map(({ credits }) => credits)))} where id = ${id}`,
    unavailable
  )
})
