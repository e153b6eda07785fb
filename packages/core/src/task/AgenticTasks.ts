/**
 * Agentic tasks: a plan of the server's own operations, run for each of many rows after the request that ordered it.
 * `/api/tasks` is this use case behind HTTP; embedders call it directly.
 *
 * `max_credits` is held when the task is ordered, and every step is paid out of that hold: a task cannot cost more, and
 * nothing else can take what it may need. What it does not need comes back when it ends.
 */
import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { WorkflowEngine } from "effect/workflow"
import type { Scope } from "../account/Scope.ts"
import * as Suppression from "../account/Suppression.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import { HoldId } from "../billing/Hold.ts"
import type * as Ledger from "../billing/Ledger.ts"
import * as WebhookUrl from "../net/WebhookUrl.ts"
import type { Caller } from "../request/Caller.ts"
import type { InvalidRequest } from "../request/InvalidRequest.ts"
import * as Mentions from "../value/Mentions.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import * as WaterfallOptions from "../waterfall/WaterfallOptions.ts"
import * as AgenticTask from "./AgenticTask.ts"
import { Operations } from "./Operations.ts"
import * as PlanQuote from "./PlanQuote.ts"
import { Planner, type PlannerUnavailable } from "./Planner.ts"
import * as Planning from "./Planning.ts"
import { RunningTasks } from "./RunningTasks.ts"
import { Output, Step, type TaskPlan } from "./TaskPlan.ts"
import * as TaskRequest from "./TaskRequest.ts"
import * as TaskRow from "./TaskRow.ts"
import { TaskStore, TaskStoreUnavailable, type Window } from "./TaskStore.ts"
import { TaskWorkflow } from "./TaskWorkflow.ts"

/** There is no such task: it is another account's, or it is kept no longer. */
export class UnknownTask extends Schema.TaggedError<UnknownTask>()("UnknownTask", {}) {}

/** It has ended already. */
export class TaskEnded extends Schema.TaggedError<TaskEnded>()("TaskEnded", { state: AgenticTask.State }) {}

const Text = Schema.NullOr(Schema.String)
const Instant = Schema.String.annotate({ description: "ISO 8601, UTC" })

/** A plan as it is shown. */
const Plan = Schema.Struct({ steps: Schema.Array(Step), output_fields: Schema.Array(Output) })

export const Task = Schema.Struct({
  task_id: Schema.String,
  name: Schema.String,
  status: AgenticTask.State,
  prompt: Text,
  plan: Schema.NullOr(Plan).annotate({ description: "null until it is planned" }),
  progress: Schema.Struct({
    total: Schema.Int,
    completed: Schema.Int,
    failed: Schema.Int,
    pending: Schema.Int,
    percentage: Schema.Int
  }).annotate({ description: "Rows" }),
  max_credits: Schema.Finite,
  credits_charged: Schema.Finite.annotate({ description: "So far" }),
  concurrency: Schema.Int,
  error: Text.annotate({ description: "Why it failed, or went no further" }),
  created_at: Instant,
  expires_at: Instant,
  ended_at: Schema.NullOr(Instant)
}).annotate({ identifier: "AgenticTask" })
export type Task = typeof Task.Type

export const Row = Schema.Struct({
  row: Schema.String.annotate({
    description: "Of the input, counted from 0; 3.0 is the first element of what input 3 found"
  }),
  status: Schema.Literals(["pending", "completed", "failed", "erased"]),
  output: Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Columns, once it has ended" }),
  credits_charged: Schema.Finite,
  sources: Schema.Array(Schema.String),
  steps: Schema.Array(
    Schema.Struct({
      step: Schema.String,
      operation: Schema.String,
      request_id: Schema.String,
      credits_charged: Schema.Finite,
      sources: Schema.Array(Schema.String)
    })
  ).annotate({ description: "What was run for it" }),
  errors: Schema.Array(TaskRow.Fault)
}).annotate({ identifier: "TaskRow" })
export type Row = typeof Row.Type

export interface Rows {
  readonly list: ReadonlyArray<Row>
  readonly total: number
}

export const Planned = Schema.Struct({ plan: Plan, quote: PlanQuote.PlanQuote })
export type Planned = typeof Planned.Type

/** A task that was ordered, by the request that did. */
export const Accepted = Schema.Struct({ request_id: Schema.String, task: Task })
export type Accepted = typeof Accepted.Type

/** Who orders a task, and what the key may do: its steps may do no more. */
export interface Orderer {
  readonly caller: Caller
  readonly scopes: ReadonlyArray<Scope>
}

export type OrderError = Billing.BillingError | InvalidRequest | TaskStoreUnavailable

export type PlanError = InvalidRequest | PlannerUnavailable | Planning.Unplannable | Enrichment.DeadlineExceeded

export type ReadError = TaskStoreUnavailable | UnknownTask | Suppression.SuppressionUnavailable

/** The newest first. */
export interface Listing {
  readonly status?: AgenticTask.State | undefined
  /** The id of the last task of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

export class AgenticTasks extends Context.Service<
  AgenticTasks,
  {
    /** Takes a task over; it is run after the answer. */
    readonly create: (
      request: TaskRequest.TaskRequest,
      orderer: Orderer
    ) => Effect.Effect<Billing.Answered<Accepted>, OrderError>
    /** The plan and what it costs at most. Nothing is kept, and nothing is run. Free. */
    readonly plan: (request: TaskRequest.PlanRequest, orderer: Orderer) => Effect.Effect<Planned, PlanError>
    readonly list: (
      account: string,
      listing: Listing
    ) => Effect.Effect<
      { readonly tasks: ReadonlyArray<Task>; readonly total: number },
      TaskStoreUnavailable | Suppression.SuppressionUnavailable
    >
    readonly find: (account: string, id: string) => Effect.Effect<Task, ReadError>
    /** Rows in the order of the inputs, as they are by now; nobody who has objected. */
    readonly rows: (account: string, id: string, window: Window) => Effect.Effect<Rows, ReadError>
    /** Ends it; steps in the air come to their end, and what was charged stays charged. */
    readonly cancel: (account: string, id: string) => Effect.Effect<Task, ReadError | TaskEnded>
  }
>()("@lading/core/task/AgenticTasks") {}

const HOUR = 60 * 60 * 1000

/** How long a task is worked on, how long its hold outlives that, and how long its rows are kept; in milliseconds. */
const life = { work: 24 * HOUR, grace: HOUR, kept: 30 * 24 * HOUR }

/** How many rows are run at once, unless it is said. */
const usual = 5

/** How long a request may take, in milliseconds: a planner takes its time. */
export const timeout = WaterfallOptions.timeout.maximum

const shownPlan = ({ outputs, steps }: TaskPlan) => ({ steps, output_fields: outputs })

const instant = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

const taskOf = (task: AgenticTask.AgenticTask): Task => ({
  task_id: task.id,
  name: task.name,
  status: task.state,
  prompt: task.prompt,
  plan: task.plan === null ? null : shownPlan(task.plan),
  progress: AgenticTask.progressOf(task.counts),
  max_credits: Credits.toNumber(task.max_credits),
  credits_charged: Credits.toNumber(task.charged),
  concurrency: task.concurrency,
  error: task.problem,
  created_at: instant(task.received_at),
  expires_at: instant(task.expires_at),
  ended_at: task.ended_at === null ? null : instant(task.ended_at)
})

const rowOf = (path: TaskRow.Path, row: TaskRow.TaskRow): Row => ({
  row: path.join("."),
  status: row.state === "divided" ? "completed" : row.state,
  output: row.output,
  credits_charged: Credits.toNumber(TaskRow.creditsOf(row)),
  sources: [...new Set(row.done.flatMap(({ sources }) => sources))],
  steps: row.done.map(({ credits, ...done }) => ({ ...done, credits_charged: Credits.toNumber(credits) })),
  errors: row.faults
})

const codec = Schema.fromJsonString(Accepted)

/** Hands a task over to the engine. */
const start = (engine: WorkflowEngine.WorkflowEngine["Service"], task: AgenticTask.Ordered) => {
  const { account, hold, id, parent, price_version } = task
  return TaskWorkflow.execute({ id, account, parent, hold, price_version }, { discard: true }).pipe(
    Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("the workflow engine does not answer", defect),
        new TaskStoreUnavailable({ problem: "the workflow engine does not answer" })
      )
    )
  )
}

interface Order {
  readonly request: TaskRequest.TaskRequest
  readonly orderer: Orderer
  readonly meant: TaskRequest.Meant
  readonly price_version: string
  readonly now: number
}

const orderedOf = (
  { meant, now, orderer, price_version, request }: Order,
  holds: { readonly parent: Ledger.HoldId; readonly child: Ledger.HoldId }
): AgenticTask.Ordered => ({
  id: `task_${orderer.caller.request_id.replace(/^req_/, "")}`,
  account: orderer.caller.account,
  api_key: orderer.caller.api_key,
  scopes: orderer.scopes,
  name: request.name ?? "",
  prompt: request.prompt ?? null,
  wanted: meant.wanted,
  columns: meant.columns,
  concurrency: request.concurrency ?? usual,
  max_credits: Credits.floor(request.max_credits),
  webhook_url: request.webhook_url ?? null,
  received_at: orderer.caller.received_at,
  expires_at: now + life.work,
  price_version,
  parent: holds.parent,
  hold: holds.child
})

/** What is shown before it is kept has no hold yet. */
const noHold = HoldId.make("")

/** As a task is when it is ordered. */
const fresh = { state: "queued", problem: null, ended_at: null, charged: Credits.zero } as const

const ordering = Effect.gen(function* () {
  const { charge, prices } = yield* Billing.Billing
  const store = yield* TaskStore
  const engine = yield* WorkflowEngine.WorkflowEngine
  const admission = yield* WebhookUrl.Policy
  const known = { operations: yield* Operations, planner: yield* Planner }

  /**
   * The workflow before the rows, which take their time: whoever dies meanwhile leaves a workflow that finds its request
   * never settled, and gives the credits back.
   */
  const begin = Effect.fnUntraced(function* (order: Order, task: AgenticTask.Ordered) {
    // Without inputs there is one row, which nothing is known of.
    const rows = (order.request.inputs ?? [{}]).map(TaskRow.first)
    const content = { plan: order.meant.plan, rows }
    yield* Effect.onError(
      Effect.andThen(start(engine, task), store.put(task, content, task.expires_at + life.grace + life.kept)),
      () => Effect.ignore(store.remove(task.id))
    )
  })

  const create: AgenticTasks["Service"]["create"] = Effect.fnUntraced(function* (request, orderer) {
    yield* Effect.provideService(WebhookUrl.admit(request.webhook_url), WebhookUrl.Policy, admission)
    const { caller, scopes } = orderer
    const meant = yield* TaskRequest.read(request, { ...known, scopes })
    const order: Order = {
      request,
      orderer,
      meant,
      price_version: prices.version,
      now: yield* Clock.currentTimeMillis
    }
    const amount = Credits.floor(request.max_credits)
    const total = (request.inputs ?? [{}]).length
    const deadline = caller.received_at + timeout
    const billed = { caller, operation: "task", quote: amount, least: Credits.zero, ceiling: null, deadline, codec }
    return yield* charge(billed, (tab) => {
      tab.reserve(amount)
      const shown = orderedOf(order, { parent: noHold, child: noHold })
      const counts = { total, pending: total, completed: 0, failed: 0 }
      return Effect.succeed({
        answer: { request_id: caller.request_id, task: taskOf({ ...shown, ...fresh, plan: meant.plan, counts }) },
        deferred: {
          amount,
          ttl: life.work + life.grace,
          begin: (holds: { readonly parent: Ledger.HoldId; readonly child: Ledger.HoldId }) =>
            begin(order, orderedOf(order, holds))
        }
      })
    })
  })
  return create
})

const planning = Effect.gen(function* () {
  const { prices } = yield* Billing.Billing
  const operations = yield* Operations
  const planner = yield* Planner

  const plan: AgenticTasks["Service"]["plan"] = Effect.fnUntraced(function* (request, { caller, scopes }) {
    const { columns, plan, wanted } = yield* TaskRequest.read(request, { operations, planner, scopes })
    const wish = { prompt: request.prompt ?? "", columns, wanted, scopes }
    const made =
      plan ??
      (yield* Enrichment.within(caller.received_at + timeout, timeout)(Planning.make(planner, operations, wish)))
    const known = { account: caller.account, operations, price_version: prices.version }
    return { plan: shownPlan(made), quote: yield* PlanQuote.make(made, (request.inputs ?? [{}]).length, known) }
  })
  return plan
})

const reading = Effect.gen(function* () {
  const store = yield* TaskStore
  const suppression = yield* Suppression.Suppression
  const { release } = yield* RunningTasks

  const own = Effect.fnUntraced(function* (account: string, id: string) {
    const task = yield* store.find(id)
    return task === null || task.account !== account ? yield* new UnknownTask() : task
  })

  /** Without the words of those that speak of somebody who has objected. */
  const shown = Effect.fnUntraced(function* (tasks: ReadonlyArray<AgenticTask.AgenticTask>) {
    const objected = yield* suppression.find(() => tasks.flatMap(AgenticTask.subjectsOf))
    if (objected.size === 0) return tasks
    return tasks.map((task) =>
      AgenticTask.subjectsOf(task).some((handle) => objected.has(handle)) ? AgenticTask.wordless(task) : task
    )
  })

  const list: AgenticTasks["Service"]["list"] = (account, { after = null, limit, status = null }) =>
    Effect.gen(function* () {
      const { tasks, total } = yield* store.list({ account, state: status, after, limit })
      return { tasks: (yield* shown(tasks)).map(taskOf), total }
    })

  const rows: AgenticTasks["Service"]["rows"] = Effect.fnUntraced(function* (account, id, window) {
    const task = yield* own(account, id)
    const { rows, total } = yield* store.rows(task.id, window)
    const objected = yield* suppression.find(() => Mentions.of(rows))
    const shown = rows.map(({ path, row }) => {
      const isSpokenOf = objected.size > 0 && Mentions.of(row).some((handle) => objected.has(handle))
      return rowOf(path, isSpokenOf ? TaskRow.erased(row) : row)
    })
    return { list: shown, total }
  })

  const cancel: AgenticTasks["Service"]["cancel"] = Effect.fnUntraced(function* (account, id) {
    const task = yield* own(account, id)
    const ended = yield* store.end(task.id, { state: "cancelled", problem: null, at: yield* Clock.currentTimeMillis })
    if (ended === null) return yield* new UnknownTask()
    if (ended.state !== "cancelled") return yield* new TaskEnded({ state: ended.state })
    // The credits are wanted back now; its workflow tells of its end when the steps in the air have ended.
    yield* release(ended)
    const [one = ended] = yield* shown([(yield* store.find(task.id)) ?? ended])
    return taskOf(one)
  })

  return {
    list,
    rows,
    cancel,
    find: Effect.fnUntraced(function* (account: string, id: string) {
      const task = yield* own(account, id)
      const [one = task] = yield* shown([task])
      return taskOf(one)
    })
  }
})

export const layer = Layer.effect(
  AgenticTasks,
  Effect.map(Effect.all([ordering, planning, reading]), ([create, plan, others]) =>
    AgenticTasks.of({ create, plan, ...others })
  )
)
