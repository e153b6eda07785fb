/** `/api/tasks`: plans of the server's own operations, run for many rows after their requests. */
import { AgenticTask, AgenticTasks, TaskRequest } from "@lading/core/task"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "./Authorization.ts"
import * as Example from "./Example.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

/** The longest body of an order, in bytes. */
export const bodyLimit = 16 * 1024 * 1024

/** Entries of a page, where nobody says how many. */
export const perPage = 20

/** By name: a declaration can say an interface, where it would have to spell out how a schema was built. */
export interface Order extends TaskRequest.TaskRequest {}
export interface PlanOrder extends TaskRequest.PlanRequest {}
export interface Task extends AgenticTasks.Task {}
export interface Planned extends AgenticTasks.Planned {}

const order: Schema.Codec<Order> = TaskRequest.TaskRequest.annotate({ examples: [Example.task] })
const planOrder: Schema.Codec<PlanOrder> = TaskRequest.PlanRequest
const task: Schema.Codec<Task> = AgenticTasks.Task
const planned: Schema.Codec<Planned> = AgenticTasks.Planned

const pageOf = <Entry extends Schema.Top>(entry: Entry) =>
  Schema.Struct({
    list: Schema.Array(entry),
    total: Schema.Int,
    current_page: Schema.Int,
    next_cursor: Schema.NullOr(Schema.String)
  })

const List = pageOf(AgenticTasks.Task).annotate({ identifier: "TaskList" })
export interface TaskList extends Schema.Schema.Type<typeof List> {}
export const taskList: Schema.Codec<TaskList> = List

const Rows = pageOf(AgenticTasks.Row).annotate({ identifier: "TaskRows" })
export interface TaskRows extends Schema.Schema.Type<typeof Rows> {}
const taskRows: Schema.Codec<TaskRows> = Rows

/** What asks for nothing more than that it is done. */
export const Nothing = Schema.Struct({})

const limit = Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
  description: `1 to 100; ${perPage} by default`
})

const cursor = Schema.optional(Schema.String.check(Schema.isMaxLength(500))).annotate({
  description: "next_cursor of the page before"
})

export const ListQuery = {
  status: Schema.optional(AgenticTask.State),
  limit,
  cursor
}

/** How the rows may be had as a whole. */
const Format = Schema.Literals(["json", "csv", "jsonl"])

export const DataQuery = {
  status: Schema.optional(Schema.Literals(["pending", "completed", "failed"])).annotate({
    description: "Rows in this state only"
  }),
  format: Schema.optional(Format).annotate({
    description: "json, a page at a time, unless said; csv and jsonl give all rows, and no pages"
  }),
  page: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))).annotate({
    description: "From 1, which is the default"
  }),
  limit,
  cursor
}

const TaskPath = {
  task_id: Schema.String.annotate({ description: "The id of the task, `task_…`" }).check(
    Schema.makeFilter((text) => /^task_[\w-]{1,100}$/.test(text) || "Expected the id of a task")
  )
}

const requestHeaders = { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) }
const repeatableHeaders = { "x-request-id": RequestId, "idempotent-replayed": IdempotentReplayed }

const repeatable = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), repeatableHeaders)

const answered = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), { "x-request-id": RequestId })

const Csv = Schema.String.annotate({ description: "With a header; format=csv" }).pipe(
  HttpApiSchema.asText({ contentType: "text/csv" })
)

const Lines = Schema.String.annotate({ description: "One row in each line; format=jsonl" }).pipe(
  HttpApiSchema.asText({ contentType: "application/x-ndjson" })
)

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const post = [...Refusal.common, ...Refusal.operation]
const read = [...Refusal.common, ...Refusal.reading]

export const tasks = HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.post("create", "/api/tasks", {
      headers: requestHeaders,
      payload: order,
      success: HttpApiSchema.WithHeaders(SuccessBody.of(task).pipe(HttpApiSchema.status(201)), repeatableHeaders),
      error: post
    }).annotateMerge(
      described(
        "Order a task",
        `Runs steps, or what a language model makes of a prompt, for each of up to ${AgenticTask.most.inputs} inputs. max_credits is held until the task ends, and nothing is spent beyond it; each step costs what its operation costs. The key needs the scope of every operation. Bodies up to ${bodyLimit} bytes.`
      )
    ),
    HttpApiEndpoint.post("plan", "/api/tasks/plan", {
      headers: requestHeaders,
      payload: planOrder,
      success: repeatable(planned),
      error: post
    }).annotateMerge(
      described("Plan a task, and price it", "The plan and what it can cost at most, before anything is run. Free.")
    ),
    HttpApiEndpoint.get("list", "/api/tasks", {
      query: ListQuery,
      success: answered(taskList),
      error: read
    }).annotateMerge(described("List tasks", "The account's own, the newest first; kept for 30 days. Free.")),
    HttpApiEndpoint.get("find", "/api/tasks/:task_id", {
      params: TaskPath,
      success: answered(task),
      error: read
    }).annotateMerge(described("Show a task", "Its plan, and how far it has come. Free.")),
    HttpApiEndpoint.get("data", "/api/tasks/:task_id/data", {
      params: TaskPath,
      query: DataQuery,
      success: [answered(taskRows), Csv, Lines],
      error: read
    }).annotateMerge(
      described(
        "The rows of a task",
        "As they are by now, in the order of the inputs, each with its columns, sources, credits and errors. Free."
      )
    ),
    HttpApiEndpoint.post("cancel", "/api/tasks/:task_id/cancel", {
      params: TaskPath,
      headers: requestHeaders,
      payload: Nothing,
      success: repeatable(task),
      error: post
    }).annotateMerge(
      described(
        "Cancel a task",
        "No step is begun any more, and what is left of max_credits comes back. What was done stays, and is charged."
      )
    )
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "Many rows, several steps, one ceiling. Needs the scope tasks" }))
