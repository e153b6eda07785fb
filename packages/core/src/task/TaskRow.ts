/**
 * A row of a task: where it stands in the plan, and what it has learnt that is still needed. Whole answers are not kept:
 * each step leaves the values that later steps and the columns refer to. So a row is small, however much its operations say.
 *
 * Pure: what a step's outcome does to a row is a function.
 */
import { Schema } from "effect"
import * as Credits from "../billing/Credits.ts"
import { Detail } from "../request/InvalidRequest.ts"
import * as Mentions from "../value/Mentions.ts"
import * as Binding from "./Binding.ts"
import * as TaskPlan from "./TaskPlan.ts"

/** Where it is among the rows: `[3]` is the fourth input, `[3, 0]` the first element that it was divided into. */
export const Path = Schema.NonEmptyArray(Schema.Int)
export type Path = typeof Path.Type

/** `divided` is followed by the rows of its elements, and no row of the result itself. */
export const State = Schema.Literals(["pending", "completed", "failed", "divided", "erased"])
export type State = typeof State.Type

/** What was run for it. */
export const Done = Schema.Struct({
  step: Schema.String,
  operation: Schema.String,
  request_id: Schema.String,
  credits: Credits.Credits,
  sources: Schema.Array(Schema.String)
})
export type Done = typeof Done.Type

/** What gave no answer. */
export const Fault = Schema.Struct({
  step: Schema.String,
  code: Schema.String,
  message: Schema.String,
  details: Schema.Array(Detail)
})
export type Fault = typeof Fault.Type

export const TaskRow = Schema.Struct({
  state: State,
  /** The step that is next, counted from 0. */
  next: Schema.Int,
  /** Whether the next step has been divided for already: this row is an element of its list. */
  isElement: Schema.Boolean,
  /** By the texts of references; see `Binding`. */
  values: Schema.Record(Schema.String, Schema.Unknown),
  done: Schema.Array(Done),
  faults: Schema.Array(Fault),
  /** How often the next step was tried in vain. */
  tries: Schema.Int,
  /** The answer to the next step that a source is still working on, and since when (epoch milliseconds). */
  awaited: Schema.NullOr(Schema.Struct({ request_id: Schema.String, since: Schema.Finite })),
  /** Columns by name, once it has ended. */
  output: Schema.Record(Schema.String, Schema.Unknown)
})
export type TaskRow = typeof TaskRow.Type

const whole = `$${TaskPlan.input}`

/** A row that begins with this input, whatever the plan will be. */
export const first = (input: unknown): TaskRow => ({
  state: "pending",
  next: 0,
  isElement: false,
  values: { [whole]: input },
  done: [],
  faults: [],
  tries: 0,
  awaited: null,
  output: {}
})

/** The same with the values that its plan needs of its input; as it is where that was done before. */
export const begun = (plan: TaskPlan.TaskPlan, row: TaskRow): TaskRow => {
  const isFresh = row.next === 0 && !row.isElement && whole in row.values
  if (!isFresh) return row
  return { ...row, values: Binding.take(TaskPlan.neededAfter(plan, -1), TaskPlan.input, row.values[whole]) }
}

/** Handles of whom it speaks; names of operations look like domains, and speak of nobody. */
export const subjectsOf = ({ faults, output, values }: TaskRow): ReadonlyArray<string> =>
  Mentions.of([values, faults, output])

/** Somebody of whom it spoke has objected: only what it cost is left, with what went on with elements that are left out. */
export const erased = (row: TaskRow, elements: ReadonlyArray<TaskRow> = []): TaskRow => ({
  ...row,
  state: "erased",
  values: {},
  done: [row, ...elements].flatMap(({ done }) => done),
  faults: [],
  awaited: null,
  output: {}
})

/** The same for one that is kept with its elements: a row that was divided stays none of the result. */
export const forgotten = (row: TaskRow): TaskRow =>
  row.state === "divided" ? { ...erased(row), state: row.state } : erased(row)

const outputOf = ({ outputs }: TaskPlan.TaskPlan, values: Binding.Values): TaskRow["output"] =>
  Object.fromEntries(outputs.map(({ name, value }) => [name, Binding.filled(value, values)]))

/** Ends a row; its columns are what it knows by then. */
const ended = (plan: TaskPlan.TaskPlan, row: TaskRow, state: "completed" | "failed"): TaskRow => ({
  ...row,
  state,
  awaited: null,
  output: outputOf(plan, row.values),
  values: {}
})

/** Only what is still needed. */
const pruned = (plan: TaskPlan.TaskPlan, values: Binding.Values, index: number): Binding.Values => {
  const needed = new Set(TaskPlan.neededAfter(plan, index).map(({ text }) => text))
  return Object.fromEntries(Object.entries(values).filter(([text]) => needed.has(text)))
}

/** On to the next step, or to the end. */
const onward = (plan: TaskPlan.TaskPlan, row: TaskRow): TaskRow => {
  const next = row.next + 1
  const there = { ...row, next, isElement: false, tries: 0, awaited: null, values: pruned(plan, row.values, row.next) }
  return next < plan.steps.length ? there : ended(plan, there, "completed")
}

/** The step is not run for this row. */
export const passedOver = onward

/** What was run, with the latest of each request. */
const withDone = (done: TaskRow["done"], latest: Done): TaskRow["done"] => [
  ...done.filter(({ request_id }) => request_id !== latest.request_id),
  latest
]

/** The step was answered. */
export const answered = (plan: TaskPlan.TaskPlan, row: TaskRow, done: Done, body: unknown): TaskRow => {
  const needed = TaskPlan.neededAfter(plan, row.next)
  const values = { ...row.values, ...Binding.take(needed, done.step, body) }
  return onward(plan, { ...row, values, done: withDone(row.done, done) })
}

/** The step was answered, and a source is still working on a part of it; what it has cost by now is shown. */
export const awaiting = (row: TaskRow, done: Done, since: number): TaskRow => ({
  ...row,
  done: withDone(row.done, done),
  awaited: { request_id: done.request_id, since }
})

/** The row cannot go on, whatever its plan says of errors. */
export const stopped = (plan: TaskPlan.TaskPlan, row: TaskRow, fault: Fault): TaskRow =>
  ended(plan, { ...row, faults: [...row.faults, fault] }, "failed")

/** The step gave no answer and will not. */
export const failed = (plan: TaskPlan.TaskPlan, row: TaskRow, fault: Fault): TaskRow =>
  plan.steps[row.next]?.on_error === "continue"
    ? onward(plan, { ...row, faults: [...row.faults, fault] })
    : stopped(plan, row, fault)

/** Rows for the elements of a list. What was paid until now goes on with the first of them: it is shown there, once. */
export const divided = (
  plan: TaskPlan.TaskPlan,
  row: TaskRow,
  step: TaskPlan.Step,
  list: ReadonlyArray<unknown>
): { readonly row: TaskRow; readonly elements: ReadonlyArray<TaskRow> } => {
  // With nothing to divide into, the row is what is left to say that nothing was found.
  if (list.length === 0) return { row: ended(plan, row, "completed"), elements: [] }
  const references = [...TaskPlan.referencesOf(step), ...TaskPlan.neededAfter(plan, row.next)]
  const elements = list.map((element, index) => ({
    ...row,
    isElement: true,
    done: index === 0 ? row.done : [],
    values: { ...row.values, ...Binding.take(references, TaskPlan.itemOf(step), element) }
  }))
  return { row: { ...row, state: "divided", values: {}, done: [] }, elements }
}

/** What was charged for it. */
export const creditsOf = ({ done }: TaskRow): Credits.Credits =>
  done.reduce((sum, one) => Credits.add(sum, one.credits), Credits.zero)
