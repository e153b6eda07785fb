/**
 * Agentic tasks in PostgreSQL, each row sealed by itself. Whoever writes rows reads in the same statement or transaction who
 * has objected; an erasure waits for it, and sees what was written (`TaskErasing`).
 *
 * A task counts its rows by state. A change of a row is one statement that changes the counts too: it locks the row, then
 * the task, so of two changes of one state of a row one counts, and rows are never more than allowed.
 */
import { Credits } from "@lading/core/billing"
import { AgenticTask, TaskPlan, TaskRow, TaskStore } from "@lading/core/task"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"
import { Seal } from "./Seal.ts"
import { swept } from "./Sweep.ts"
import * as TaskErasing from "./TaskErasing.ts"
import * as TaskRows from "./TaskRows.ts"

const { digestsOf, openRow, placeOf, together, unavailable } = TaskRows

type Means = TaskRows.Means

const decodeState = Schema.decodeUnknownOption(AgenticTask.State)
const parseOrdered = Schema.decodeUnknownOption(Schema.fromJsonString(AgenticTask.Ordered))
const parseProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))
const parsePlan = Schema.decodeUnknownOption(Schema.fromJsonString(TaskPlan.TaskPlan))

/** A task as its table has it. */
interface Found extends TaskRows.Counts {
  readonly id: string
  readonly state: string
  readonly sealed: Uint8Array
  readonly plan: Uint8Array | null
  readonly problem: Uint8Array | null
  readonly charged: bigint
  readonly ended_at: bigint | null
}

interface RowFound {
  readonly path: ReadonlyArray<number>
  readonly revision: number
  readonly sealed: Uint8Array
}

const taskOf = ({ seal }: Means, found: Found) => {
  const { completed, erased, failed, id, pending } = found
  const open = (sealed: Uint8Array, place: string) => Option.fromNullishOr(seal.open(sealed, place))
  return Option.gen(function* () {
    const ordered = yield* Option.flatMap(open(found.sealed, placeOf.task(id)), parseOrdered)
    const plan = found.plan === null ? null : yield* Option.flatMap(open(found.plan, placeOf.plan(id)), parsePlan)
    const problem =
      found.problem === null ? null : yield* Option.flatMap(open(found.problem, placeOf.problem(id)), parseProblem)
    const task: AgenticTask.AgenticTask = {
      ...ordered,
      state: yield* decodeState(found.state),
      plan,
      problem,
      counts: { total: pending + completed + failed + erased, pending, completed, failed: failed + erased },
      charged: Credits.of(Number(found.charged)),
      ended_at: found.ended_at === null ? null : Number(found.ended_at)
    }
    return task
  }).pipe(
    Option.match({
      onNone: () => Effect.fail(unavailable("the task was sealed with another key")),
      onSome: (task) => Effect.succeed(task)
    })
  )
}

const columns = "id, state, sealed, plan, problem, pending, completed, failed, erased, charged, ended_at"

const reading = (means: Means) => {
  const { sql } = means

  /** Whether or not it is kept any longer. */
  const read = Effect.fnUntraced(function* (id: string, after: number) {
    const [found] = yield* bounded(
      sql<Found>`select ${sql.literal(columns)} from lading.tasks where id = ${id} and kept_until > ${Int8.from(after)}`,
      unavailable
    )
    return found === undefined ? null : yield* taskOf(means, found)
  })

  const find = (id: string) => Effect.flatMap(Clock.currentTimeMillis, (now) => read(id, now))

  const list = Effect.fnUntraced(function* ({ account, after, limit, state }: TaskStore.Listing) {
    const now = yield* Clock.currentTimeMillis
    const listed = sql`account = ${account} and kept_until > ${Int8.from(now)}
      and (${state}::text is null or state = ${state}::text)`
    const [count] = yield* bounded(
      sql<{ total: bigint }>`select count(*) as total from lading.tasks where ${listed}`,
      unavailable
    )
    const found = yield* bounded(
      sql<Found>`select ${sql.literal(columns)} from lading.tasks where ${listed} and (${after}::text is null or number <
          (select number from lading.tasks where id = ${after}::text and account = ${account}))
        order by number desc limit ${limit}`,
      unavailable
    )
    return { tasks: yield* Effect.forEach(found, (one) => taskOf(means, one)), total: Number(count?.total ?? 0) }
  })

  return { read, find, list }
}

const pathOf = ([first = 0, ...rest]: ReadonlyArray<number>): TaskRow.Path => [first, ...rest]

const readingRows = (means: Means) => {
  const { sql } = means

  const opened = (id: string, found: ReadonlyArray<RowFound>) =>
    Effect.forEach(found, ({ path, revision, sealed }) =>
      Option.match(openRow(means, id, path, sealed), {
        onNone: () => Effect.fail(unavailable("the row was sealed with another key")),
        onSome: (row) => Effect.succeed({ path: pathOf(path), row, revision })
      })
    )

  const due = (id: string, now: number, limit: number) =>
    bounded(
      sql<RowFound>`select path, revision, sealed from lading.task_rows
        where task = ${id} and state = 'pending' and due <= ${Int8.from(now)} order by path limit ${limit}`,
      unavailable
    ).pipe(Effect.flatMap((found) => opened(id, found)))

  const soonest = (id: string) =>
    bounded(
      sql<{
        due: bigint | null
      }>`select min(due) as due from lading.task_rows where task = ${id} and state = 'pending'`,
      unavailable
    ).pipe(Effect.map(([row]) => (typeof row?.due === "bigint" ? Number(row.due) : null)))

  const rows = Effect.fnUntraced(function* (id: string, { from, limit, state }: TaskStore.Window) {
    const counted = state === null ? sql`pending + completed + failed + erased` : sql(state)
    const [count] = yield* bounded(
      sql<{ total: number }>`select ${counted} as total from lading.tasks where id = ${id}`,
      unavailable
    )
    const found = yield* bounded(
      sql<RowFound>`select path, revision, sealed from lading.task_rows
        where task = ${id} and ${state === null ? sql`state <> 'divided'` : sql`state = ${state}`}
        order by path offset ${from}::bigint limit ${limit}::bigint`,
      unavailable
    )
    const shown = yield* opened(id, found)
    return { rows: shown.map(({ path, row }) => ({ path, row })), total: count?.total ?? 0 }
  })

  return { due, soonest, rows }
}

/** What becomes of a task. */
const course = ({ seal, sql }: Means, { read }: ReturnType<typeof reading>) => {
  const put = Effect.fnUntraced(function* (
    means: Means,
    task: AgenticTask.Ordered,
    { plan, rows }: { readonly plan: TaskPlan.TaskPlan | null; readonly rows: ReadonlyArray<TaskRow.TaskRow> },
    kept_until: number
  ) {
    const { account, id } = task
    const fresh = yield* bounded(
      sql`insert into lading.tasks
          (id, account, state, sealed, plan, pending, completed, failed, divided, erased, charged, kept_until)
        values (${id}, ${account}, 'queued', ${seal.seal(JSON.stringify(task), placeOf.task(id))},
          ${plan === null ? null : seal.seal(JSON.stringify(plan), placeOf.plan(id))}, 0, 0, 0, 0, 0, 0,
          ${Int8.from(kept_until)})
        on conflict (id) do nothing returning 1`,
      unavailable
    )
    if (fresh.length > 0) yield* TaskRows.begin(means, id, rows)
  })

  const planning = (id: string) =>
    Effect.asVoid(
      bounded(sql`update lading.tasks set state = 'planning' where id = ${id} and state = 'queued'`, unavailable)
    )

  const begin = (id: string, plan: TaskPlan.TaskPlan) =>
    Effect.asVoid(
      bounded(
        sql`update lading.tasks set state = 'running', plan = ${seal.seal(JSON.stringify(plan), placeOf.plan(id))}
          where id = ${id} and state in ('queued', 'planning')`,
        unavailable
      )
    )

  const end = (id: string, { at, problem, state }: TaskStore.Ended) =>
    bounded(
      sql`update lading.tasks set state = ${state}, ended_at = ${Int8.from(at)},
          problem = ${problem === null ? null : seal.seal(JSON.stringify(problem), placeOf.problem(id))}
        where id = ${id} and state in ('queued', 'planning', 'running')`,
      unavailable
    ).pipe(Effect.andThen(read(id, Number.MIN_SAFE_INTEGER)))

  const remove = (id: string) => Effect.asVoid(bounded(sql`delete from lading.tasks where id = ${id}`, unavailable))

  return { put, planning, begin, end, remove }
}

/** What a change says of a task: whether the row was the one, whether it fitted, and how the task stands. */
interface Told {
  readonly found: boolean
  readonly objects: boolean
  readonly state: string | null
}

const noting = (means: Means) => {
  const { seal, sql } = means

  /**
   * Changes the row and what the task counts, or nothing. Both states of the row come along, as it is and emptied: the
   * statement sees who has objected, after it has locked the table against an erasure.
   */
  const change = (id: string, { due, elements, path, revision, row }: TaskStore.Change) => {
    const emptied = TaskRow.erased(row, elements)
    const [shown, empty] = [TaskRows.tally([row, ...elements]), TaskRows.tally([emptied])]
    const sealed = (one: TaskRow.TaskRow) => seal.seal(JSON.stringify(one), placeOf.row(id, path))
    const digests = digestsOf(row)
    const all = [...new Set([row, ...elements].flatMap(digestsOf))]
    const counts = TaskRows.states.map(
      (state) => sql`${sql(state)} = t.${sql(state)} - (held.state = ${state})::int
        + case when spoken.objects then ${empty[state]}::int else ${shown[state]}::int end`
    )
    return bounded(
      sql<Told>`with spoken as materialized (
          select exists (select 1 from lading.suppressions where digest = any(${all}::text[])) as objects
        ), held as materialized (
          select state, credits from lading.task_rows
            where task = ${id} and path = ${path}::int[] and revision = ${revision} for update
        ), counted as (
          update lading.tasks t set ${sql.csv(counts)}, charged = t.charged - held.credits
              + case when spoken.objects then ${Int8.from(empty.credits)}::bigint else ${Int8.from(shown.credits)}::bigint end
            from held, spoken
            where t.id = ${id} and (spoken.objects or
              t.pending + t.completed + t.failed + t.divided + t.erased + ${elements.length}::int <= ${AgenticTask.most.rows})
            returning t.state, spoken.objects
        ), changed as (
          update lading.task_rows r set revision = r.revision + 1, due = ${Int8.from(due)},
              state = case when c.objects then 'erased' else ${row.state}::text end,
              credits = case when c.objects then ${Int8.from(empty.credits)}::bigint
                else ${Int8.from(TaskRow.creditsOf(row))}::bigint end,
              sealed = case when c.objects then ${sealed(emptied)}::bytea else ${sealed(row)}::bytea end,
              subjects = case when c.objects then '{}' else ${digests}::text[] end
            from counted c where r.task = ${id} and r.path = ${path}::int[] and r.revision = ${revision}
        )
        select exists (select 1 from held) as found, (select objects from spoken) as objects,
          (select state from counted) as state`,
      unavailable
    )
  }

  return Effect.fnUntraced(function* (
    id: string,
    changed: TaskStore.Change
  ): Effect.fn.Return<TaskStore.Noted, TaskStore.TaskStoreUnavailable> {
    const work = Effect.gen(function* () {
      const [told] = yield* change(id, changed)
      if (told?.found !== true) return "stale"
      if (told.state === null) return "full"
      if (!told.objects) yield* TaskRows.add(means, id, changed.path, changed.elements)
      return ["queued", "planning", "running"].includes(told.state) ? "noted" : "ended"
    })
    return yield* changed.elements.length === 0 ? work : together(means, work)
  })
}

/** Rows first, in statements that stay below the time limit: one task may have many. */
const sweep = ({ sql }: Means) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const over = sql`select id from lading.tasks where kept_until <= ${Int8.from(now)}`
    const rows = swept((limit) =>
      bounded(
        sql`delete from lading.task_rows where ctid in
          (select ctid from lading.task_rows where task in (${over}) limit ${limit}) returning 1`,
        unavailable
      )
    )
    const tasks = swept((limit) =>
      bounded(sql`delete from lading.tasks where id in (${over} limit ${limit}) returning 1`, unavailable)
    )
    return Effect.andThen(rows, tasks)
  })

const make = Effect.gen(function* () {
  const means: Means = { sql: yield* SqlClient.SqlClient, seal: yield* Seal }
  const { find, list, read } = reading(means)
  const { put, ...rest } = course(means, { find, list, read })
  return TaskStore.TaskStore.of({
    ...rest,
    ...readingRows(means),
    find,
    list,
    put: (task, content, kept_until) => together(means, put(means, task, content, kept_until)),
    note: noting(means),
    erase: TaskErasing.make(means),
    sweep: sweep(means)
  })
})

export const layer: Layer.Layer<TaskStore.TaskStore, never, SqlClient.SqlClient | Seal> = Layer.effect(
  TaskStore.TaskStore,
  make
)
