/**
 * The durable part of a task: it waits until the request has been answered, has the plan made, runs the rows pass by pass,
 * and settles. Each part may run again after a crash: where the rows stand is in the store.
 *
 * The payload is kept in the engine's own tables: no personal data is in it.
 */
import { Effect, Schema } from "effect"
import { Activity, DurableClock, Workflow } from "effect/workflow"
import { HoldId } from "../billing/Hold.ts"
import { RunningTasks } from "./RunningTasks.ts"

export const TaskWorkflow = Workflow.make("lading/agentic-task/1", {
  payload: Schema.Struct({
    id: Schema.String,
    account: Schema.String,
    /** The request's own hold, and the task's. */
    parent: HoldId,
    hold: HoldId,
    price_version: Schema.String
  }),
  idempotencyKey: ({ id }) => id
})

const Pause = Schema.NullOr(Schema.Finite)

const steps = Effect.fnUntraced(function* (payload: (typeof TaskWorkflow)["payloadSchema"]["Type"]) {
  const { answered, begin, drop, finish, run } = yield* RunningTasks
  const goesOn = yield* Activity.make({ name: "answered", success: Schema.Boolean, execute: answered(payload.parent) })
  if (!goesOn) return yield* Activity.make({ name: "drop", execute: drop(payload) })
  yield* Activity.make({ name: "begin", execute: begin(payload.id) })
  for (let pass = 0; ; pass++) {
    const wait = yield* Activity.make({ name: `pass ${pass}`, success: Pause, execute: run(payload.id) })
    if (wait === null) break
    if (wait > 0) yield* DurableClock.sleep({ name: `wait ${pass}`, duration: wait })
  }
  yield* Activity.make({ name: "finish", execute: finish(payload) })
})

/** Goes on with what was begun, here and by processes before this one. */
export const layer = TaskWorkflow.toLayer((payload) => Effect.annotateLogs(steps(payload), "task", payload.id))
