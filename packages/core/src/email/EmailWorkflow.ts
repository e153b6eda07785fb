/**
 * The durable part of a list: it waits until the request has been answered, puts the list into lanes, verifies them, and
 * settles. Each step may run again after a crash. A lane is a workflow of its own, so that several servers share a list.
 *
 * The payload is kept in the engine's own tables: no personal data is in it.
 */
import { Effect, Layer, Schema } from "effect"
import { Activity, DurableClock, Workflow } from "effect/workflow"
import { HoldId } from "../billing/Hold.ts"
import { rounds, Verifying } from "./Verifying.ts"

export const EmailWorkflow = Workflow.make("lading/email-list/1", {
  payload: Schema.Struct({
    id: Schema.String,
    account: Schema.String,
    /** The request's own hold, and the one for the list. */
    parent: HoldId,
    hold: HoldId,
    price_version: Schema.String
  }),
  idempotencyKey: ({ id }) => id
})

const LaneWorkflow = Workflow.make("lading/email-lane/1", {
  payload: Schema.Struct({ id: Schema.String, lane: Schema.Int }),
  idempotencyKey: ({ id, lane }) => `${id}/${lane}`
})

const list = Effect.fnUntraced(function* (payload: (typeof EmailWorkflow)["payloadSchema"]["Type"]) {
  const { answered, arrange, drop, finish } = yield* Verifying
  const goesOn = yield* Activity.make({ name: "answered", success: Schema.Boolean, execute: answered(payload.parent) })
  if (!goesOn) return yield* Activity.make({ name: "drop", execute: drop(payload) })
  const lanes = yield* Activity.make({
    name: "arrange",
    success: Schema.Array(Schema.Int),
    execute: arrange(payload.id)
  })
  yield* Effect.forEach(lanes, (lane) => LaneWorkflow.execute({ id: payload.id, lane }), {
    concurrency: "unbounded",
    discard: true
  })
  yield* Activity.make({ name: "finish", execute: finish(payload) })
})

type Lane = (typeof LaneWorkflow)["payloadSchema"]["Type"]

const Pause = Schema.NullOr(Schema.Finite)

/** Chunk after chunk, and again those addresses whose hosts want to be asked again. */
const direct = Effect.fnUntraced(function* ({ id, lane }: Lane) {
  const { chunks, pause, verify } = yield* Verifying
  const numbers = yield* Activity.make({
    name: "chunks",
    success: Schema.Array(Schema.Int),
    execute: chunks(id, lane)
  })
  for (let round = 1; round <= rounds; round++) {
    const wait =
      round === 1 ? 0 : yield* Activity.make({ name: `pause ${round}`, success: Pause, execute: pause(id, lane) })
    if (wait === null) return
    yield* DurableClock.sleep({ name: `round ${round}`, duration: wait })
    for (const number of numbers)
      yield* Activity.make({ name: `chunk ${number} round ${round}`, execute: verify(id, number, round) })
  }
})

/** Handed over, and asked for until it is there. */
const delegated = Effect.fnUntraced(function* ({ id, lane }: Lane) {
  const { handOver, look } = yield* Verifying
  yield* Activity.make({ name: "hand over", execute: handOver(id, lane) })
  for (let time = 0; ; time++) {
    const wait = yield* Activity.make({ name: `look ${time}`, success: Pause, execute: look(id, lane, time) })
    if (wait === null) return
    yield* DurableClock.sleep({ name: `wait ${time}`, duration: wait })
  }
})

/** Goes on with what was begun, here and by processes before this one. */
export const layer = Layer.merge(
  EmailWorkflow.toLayer((payload) => Effect.annotateLogs(list(payload), "task", payload.id)),
  LaneWorkflow.toLayer((lane) =>
    Effect.flatMap(Verifying, ({ isDelegated }) => (isDelegated ? delegated(lane) : direct(lane))).pipe(
      Effect.annotateLogs("task", lane.id)
    )
  )
)
