/** `/api/tasks` with promises, for keys with the scope `tasks`. */
import { AgenticTasks, TaskRequest } from "@lading/core/task"
import type { Schema } from "effect"
import { Effect } from "effect"
import * as Group from "../api/TasksGroup.ts"
import { type CallOptions, type Client, got, headers, type Plain, type ReadOptions, run, sent } from "./Call.ts"

type Query<Fields extends Schema.Struct.Fields> = Partial<Schema.Struct<Fields>["Type"]>

/** Rows are had as pages of JSON, or all of them as one text. */
export const connect = ({ tasks }: Client) => ({
  create: (
    request: typeof TaskRequest.TaskRequest.Encoded,
    options: CallOptions = {}
  ): Plain<typeof AgenticTasks.Task> =>
    sent(
      [TaskRequest.TaskRequest, AgenticTasks.Task],
      request,
      (payload) => tasks.create({ payload, headers: headers(options) }),
      options
    ),
  /** The plan and its price; nothing is run. */
  plan: (
    request: typeof TaskRequest.PlanRequest.Encoded,
    options: CallOptions = {}
  ): Plain<typeof AgenticTasks.Planned> =>
    sent(
      [TaskRequest.PlanRequest, AgenticTasks.Planned],
      request,
      (payload) => tasks.plan({ payload, headers: headers(options) }),
      options
    ),
  list: (query: Query<typeof Group.ListQuery> = {}, options: ReadOptions = {}): Plain<typeof Group.taskList> =>
    got(Group.taskList, tasks.list({ query }), options),
  find: (task_id: string, options: ReadOptions = {}): Plain<typeof AgenticTasks.Task> =>
    got(AgenticTasks.Task, tasks.find({ params: { task_id } }), options),
  data: (
    task_id: string,
    query: Omit<Query<typeof Group.DataQuery>, "format"> = {},
    options: ReadOptions = {}
  ): Promise<Group.TaskRows> =>
    run(
      tasks
        .data({ params: { task_id }, query })
        .pipe(
          Effect.flatMap((answer) =>
            typeof answer === "string" ? Effect.die("pages are JSON") : Effect.succeed(answer.body.data)
          )
        ),
      options
    ),
  /** All rows, as CSV or JSON Lines. */
  export: (task_id: string, format: "csv" | "jsonl", options: ReadOptions = {}): Promise<string> =>
    run(
      tasks
        .data({ params: { task_id }, query: { format } })
        .pipe(Effect.map((answer) => (typeof answer === "string" ? answer : JSON.stringify(answer.body.data)))),
      options
    ),
  cancel: (task_id: string, options: CallOptions = {}): Plain<typeof AgenticTasks.Task> =>
    sent(
      [Group.Nothing, AgenticTasks.Task],
      {},
      (payload) => tasks.cancel({ params: { task_id }, payload, headers: headers(options) }),
      options
    )
})
