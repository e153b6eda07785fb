/**
 * Runs the rows of a task: each from where it stands to its end, several at once, every step noted down before the next
 * one. Whatever happens to the process, a row goes on where it stood, and a step that was answered and not noted is replayed
 * under its idempotency key: it is never charged twice.
 *
 * What pays is the task's hold, which no step can go beyond. A step whose worst price is more than what is left waits for
 * those that run beside it, which give back what they did not need; where nobody runs beside it, the task is out of credits.
 */
import { Clock, Deferred, Effect, Fiber, Schema } from "effect"
import type { Caller } from "../request/Caller.ts"
import { patiently } from "../request/Patience.ts"
import { type AgenticTask, most } from "./AgenticTask.ts"
import * as Binding from "./Binding.ts"
import type { Operation, OperationFailed, Operations, Outcome } from "./Operations.ts"
import type { Step, TaskPlan } from "./TaskPlan.ts"
import * as TaskRow from "./TaskRow.ts"
import type { Change, Opened, TaskStore } from "./TaskStore.ts"

/** How long until a step that may do better is tried again, in milliseconds; there are no more tries than that. */
const pauses = [1_000, 5_000, 30_000] as const

/** Between two looks, in milliseconds: at an answer that a source still works on, and at a twin that another process left. */
const looks = { awaited: 5_000, twin: 2_000 } as const

/** How long an answer is waited for that is not complete, in milliseconds. Then it is taken as it is. */
const patience = 60 * 60 * 1000

/** The most that a row may keep, and all elements of one together of what they share; in characters of JSON. */
const mostKept = 256 * 1024
const mostDivided = 64 * 1024 * 1024

/** The step is not run any more. */
class Over extends Schema.TaggedError<Over>()("Over", {}) {}

/** What the rows of a pass share. */
export interface Pass {
  /** Steps that run, and so may give something back. */
  running: number
  /** Rows whose answers are not complete: what was held for these may come back. */
  readonly awaited: Set<string>
  /** Nothing more is begun: the hold is spent, or the task has ended. */
  over: "spent" | "ended" | null
  /** Done when a step ends that was paid, or when nothing more is begun. */
  changed: Deferred.Deferred<void>
}

/** `awaited` outlives the pass. */
export const openPass = (awaited: Set<string>): Effect.Effect<Pass> =>
  Effect.map(Deferred.make<void>(), (changed) => ({ running: 0, awaited, over: null, changed }))

/** Lets those look again who wait for credits. */
const change = Effect.fnUntraced(function* (pass: Pass) {
  const { changed } = pass
  pass.changed = yield* Deferred.make<void>()
  yield* Deferred.succeed(changed, undefined)
})

/**
 * Runs a step when the hold covers it. One that is not covered waits aside until another gives something back; when all of
 * them wait, nobody will.
 */
const paid = (
  pass: Pass,
  step: Effect.Effect<Outcome, OperationFailed>
): Effect.Effect<Outcome, OperationFailed | Over> =>
  Effect.gen(function* (): Effect.fn.Return<Outcome, OperationFailed | Over> {
    if (pass.over !== null) return yield* new Over()
    pass.running += 1
    const { changed } = pass
    const exit = yield* Effect.onExit(Effect.result(step), () => Effect.sync(() => void (pass.running -= 1)))
    const isUnpaid = exit._tag === "Failure" && exit.failure.isUnpaid
    if (!isUnpaid) {
      yield* change(pass)
      return yield* Effect.fromResult(exit)
    }
    // Something came back while it was refused, or may come back.
    if (pass.changed !== changed) return yield* paid(pass, step)
    if (pass.running > 0) {
      yield* Deferred.await(changed)
      return yield* paid(pass, step)
    }
    pass.over = "spent"
    yield* change(pass)
    return yield* new Over()
  })

/** What a row is run by. */
export interface Means {
  readonly operations: Operations["Service"]
  readonly store: TaskStore["Service"]
  readonly task: AgenticTask
  readonly plan: TaskPlan
  readonly pass: Pass
}

/** What becomes of a row next. */
type Next = Pick<Change, "row" | "due" | "elements">

const at = (row: TaskRow.TaskRow, due = 0): Next => ({ row, due, elements: [] })

const faultOf = (step: Step, { code, details, message }: Pick<OperationFailed, "code" | "details" | "message">) => ({
  step: step.id,
  code,
  message,
  details
})

/** Under which a step of a row is known for good, whoever runs it. */
const requestIdOf = ({ id }: AgenticTask, path: TaskRow.Path, { id: step }: Step): string =>
  `${id.replace(/^task_/, "req_")}-${path.join("-")}-${step}`

const callerOf = ({ task }: Means, path: TaskRow.Path, step: Step, now: number): Caller => ({
  account: task.account,
  api_key: task.api_key,
  request_id: requestIdOf(task, path, step),
  received_at: now,
  idempotency: { key: `task:${task.id}:${path.join(".")}:${step.id}`, fingerprint: step.operation },
  paid_by: task.hold
})

/** What was run for a row, and what it has cost by now. */
const doneOf = (
  { task }: Means,
  { path }: Opened,
  step: Step,
  { credits, sources }: Pick<Outcome, "credits" | "sources">
): TaskRow.Done => ({
  step: step.id,
  operation: step.operation,
  request_id: requestIdOf(task, path, step),
  credits,
  sources
})

/** The step failed: again later, or not. */
const failed = ({ plan }: Means, { row }: Opened, step: Step, failure: OperationFailed, now: number): Next => {
  // A process that has died left its request: it can be asked again when its hold is over.
  if (failure.code === "idempotency_conflict" && failure.retryable) return at(row, now + looks.twin)
  const pause = failure.retryable ? pauses[row.tries] : undefined
  if (pause !== undefined) return at({ ...row, tries: row.tries + 1 }, now + pause)
  return at(TaskRow.failed(plan, row, faultOf(step, failure)))
}

/**
 * A step that was begun goes on when the pass is given up, since the server stops: interrupted, it would book what its
 * sources have billed by then, and be run and billed again. Its outcome is found under its key.
 */
const toItsEnd = <A, E>(step: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.forkDetach(step), Fiber.join)

const run = Effect.fnUntraced(function* (means: Means, opened: Opened, step: Step, operation: Operation) {
  const { pass, task } = means
  const { path, row } = opened
  const now = yield* Clock.currentTimeMillis
  const { awaited } = row
  const asked =
    awaited === null || operation.latest === null
      ? paid(
          pass,
          toItsEnd(
            operation.run(Binding.filled(step.input, row.values), {
              caller: callerOf(means, path, step, now),
              scopes: task.scopes
            })
          )
        )
      : operation.latest(awaited.request_id, task.account)
  return yield* asked.pipe(
    Effect.map((outcome): Next => {
      const since = awaited?.since ?? now
      if (!outcome.isPending || operation.latest === null || now - since >= patience)
        return at(TaskRow.answered(means.plan, row, doneOf(means, opened, step, outcome), outcome.body))
      return at(TaskRow.awaiting(row, doneOf(means, opened, step, outcome), since), now + looks.awaited)
    }),
    Effect.catchTag("OperationFailed", (failure) =>
      Effect.map(Clock.currentTimeMillis, (then) => failed(means, opened, step, failure, then))
    )
  )
})

const isPassedOver = ({ unless, when }: Step, { values }: TaskRow.TaskRow): boolean =>
  (when !== undefined && !Binding.isThere(values[when])) || (unless !== undefined && Binding.isThere(values[unless]))

/** Value by value, since all of them may be more than a text can be. */
const isMuch = (values: Readonly<Record<string, unknown>>): boolean => {
  let size = 0
  for (const value of Object.values(values)) {
    size += JSON.stringify(value).length
    if (size > mostKept) return true
  }
  return false
}

/** The row is ended where it is, without what it knows: that may be what there is too much of. */
const given = (code: string, { plan }: Means, { row }: Opened, message: string): Next => {
  const step = plan.steps[row.next]?.id ?? ""
  return at(TaskRow.stopped({ ...plan, outputs: [] }, row, { step, code, message, details: [] }))
}

const tooMuch = (means: Means, opened: Opened, message: string): Next =>
  given("payload_too_large", means, opened, message)

const tooManyRows = "The task would have too many rows: search for less"
const tooLargeRows = "What later steps need of this row is too much: refer to less"

/** Judged before anything is made of it: each element has all that the row keeps. */
const divided = (means: Means, opened: Opened, step: Step, list: unknown): Next => {
  const elements: ReadonlyArray<unknown> = Array.isArray(list) ? list : []
  if (elements.length > most.elements) return tooMuch(means, opened, tooManyRows)
  const { [step.for_each ?? ""]: _, ...shared } = opened.row.values
  if (isMuch(shared) || JSON.stringify(shared).length * elements.length > mostDivided)
    return tooMuch(means, opened, tooLargeRows)
  return { ...TaskRow.divided(means.plan, opened.row, step, elements), due: 0 }
}

/** One step of a row. */
const advance = Effect.fnUntraced(function* (means: Means, opened: Opened) {
  const { operations, plan } = means
  const { row } = opened
  const step = plan.steps[row.next]
  if (step === undefined) return at({ ...row, state: "completed" })
  if (step.for_each !== undefined && !row.isElement) return divided(means, opened, step, row.values[step.for_each])
  if (isPassedOver(step, row)) return at(TaskRow.passedOver(plan, row))
  const operation = operations.find(step.operation)
  if (operation === undefined) {
    const message = `There is no operation ${step.operation} any more`
    return at(TaskRow.failed(plan, row, faultOf(step, { code: "not_found", message, details: [] })))
  }
  return yield* run(means, opened, step, operation)
})

const isLarge = ({ elements, row }: Next): boolean =>
  [row, ...elements].some(({ output, values }) => isMuch(values) || isMuch(output))

/** A defect of ours ends the row, and no other. */
const orGivenUp =
  (means: Means, opened: Opened) =>
  <E>(next: Effect.Effect<Next, E>): Effect.Effect<Next, E> =>
    Effect.catchDefect(next, (defect) =>
      Effect.as(
        Effect.logError("a row of a task is given up", defect),
        given("internal", means, opened, "A defect of the server; its log has more under the id of the task")
      )
    )

/** Notes it down; a row that has become too much fails instead. */
const noted = Effect.fnUntraced(function* (means: Means, opened: Opened, next: Next) {
  const { store, task } = means
  const { path, revision } = opened
  const note = (change: Next) => patiently(store.note(task.id, { path, revision, ...change }))
  // What was run is shown, whatever became of it.
  const ran = { ...opened, row: { ...opened.row, done: next.row.done } }
  const kept = isLarge(next) ? tooMuch(means, ran, tooLargeRows) : next
  const said = yield* note(kept)
  if (said !== "full") return { said, kept }
  const full = tooMuch(means, opened, tooManyRows)
  return { said: yield* note(full), kept: full }
})

/** Runs a row until it ends, waits, is divided, or cannot be paid. */
export const runRow = Effect.fnUntraced(
  function* (means: Means, opened: Opened) {
    let now: Opened = { ...opened, row: TaskRow.begun(means.plan, opened.row) }
    while (means.pass.over === null) {
      const next = yield* orGivenUp(means, now)(advance(means, now))
      const { kept, said } = yield* noted(means, now, next)
      if (said === "ended") means.pass.over ??= "ended"
      const name = now.path.join(".")
      if (kept.row.awaited === null) means.pass.awaited.delete(name)
      else means.pass.awaited.add(name)
      const goesOn = said === "noted" && kept.row.state === "pending" && kept.due === 0 && kept.elements.length === 0
      if (!goesOn) return
      now = { path: now.path, row: kept.row, revision: now.revision + 1 }
    }
  },
  Effect.catchTag("Over", () => Effect.void)
)
