/**
 * The durable part of a pending enrichment: it waits until the request has been answered, gathers what is still to come,
 * and settles it. Each step may run again after a crash; none holds anything that is not in the store.
 *
 * The payload is kept in the engine's own tables: no personal data is in it.
 */
import { Effect, Schema } from "effect"
import { Activity, Workflow } from "effect/workflow"
import { HoldId } from "../billing/Hold.ts"
import { Gathering } from "./Gathering.ts"

export const Payload = Schema.Struct({
  request_id: Schema.String,
  account: Schema.String,
  /** The request's own hold, and the one for what is still to come. */
  parent: HoldId,
  hold: HoldId,
  price_version: Schema.String
})
export type Payload = typeof Payload.Type

export const PendingWorkflow = Workflow.make("lading/pending-enrichment/1", {
  payload: Payload,
  idempotencyKey: ({ request_id }) => request_id
})

const steps = Effect.fnUntraced(function* (payload: Payload) {
  const { answered, drop, finish, gather } = yield* Gathering
  const goesOn = yield* Activity.make({ name: "answered", success: Schema.Boolean, execute: answered(payload) })
  if (!goesOn) return yield* Activity.make({ name: "drop", execute: drop(payload) })
  yield* Activity.make({ name: "gather", execute: gather(payload.request_id) })
  yield* Activity.make({ name: "finish", execute: finish(payload) })
})

const run = (payload: Payload) => Effect.annotateLogs(steps(payload), "request_id", payload.request_id)

/** Goes on with what was begun, here and by processes before this one. */
export const layer = PendingWorkflow.toLayer(run)
