/** What a task is ordered with. */
import { Effect, Schema } from "effect"
import type { Scope } from "../account/Scope.ts"
import { type Detail, InvalidRequest } from "../request/InvalidRequest.ts"
import * as WebhookUrl from "../net/WebhookUrl.ts"
import * as AgenticTask from "./AgenticTask.ts"
import * as Binding from "./Binding.ts"
import * as Operations from "./Operations.ts"
import * as PlanCheck from "./PlanCheck.ts"
import type { Planner } from "./Planner.ts"
import * as TaskPlan from "./TaskPlan.ts"

/**
 * The most that there may be: characters of a prompt and, as JSON, of a plan; rows that are run at once; columns of all
 * inputs, and characters of a column's name; levels of what stands in inputs and plans.
 */
const most = { prompt: 10_000, plan: 64 * 1024, concurrency: 20, columns: 500, column: 200, levels: 50 } as const

const Row = Schema.Record(Schema.String, Schema.Unknown)

/** A column: a reference, a name with a value, or for a prompt a name alone. */
const OutputField = Schema.Union([Schema.NonEmptyString.check(Schema.isMaxLength(100)), TaskPlan.Output])
type OutputField = typeof OutputField.Type

const fields = {
  prompt: Schema.optional(
    Schema.NonEmptyString.check(Schema.isMaxLength(most.prompt)).annotate({
      description: "What is to be done, in plain words, for each row; needs a language model"
    })
  ),
  steps: Schema.optional(TaskPlan.Steps.annotate({ description: "The plan itself, in place of a prompt" })),
  inputs: Schema.optional(
    Schema.Array(Row)
      .check(Schema.isMaxLength(AgenticTask.most.inputs))
      .annotate({ description: "Rows: the plan is run for each of them; once where there are none" })
  ),
  output_fields: Schema.optional(
    Schema.Array(OutputField).check(Schema.isMaxLength(TaskPlan.most.outputs)).annotate({
      description:
        "Columns of the result: references such as $enrich.company.profile.name, objects with name and value, or for a prompt names; the whole answers unless said"
    })
  )
}

const oneOf = Schema.makeFilter(
  ({ prompt, steps }: { readonly prompt?: string | undefined; readonly steps?: unknown }) =>
    (prompt === undefined) !== (steps === undefined) || {
      path: ["prompt"],
      issue: "Expected either a prompt or steps"
    }
)

/** A plan to be shown and priced. */
export const PlanRequest = Schema.Struct(fields).check(oneOf).annotate({ identifier: "TaskPlanRequest" })
export type PlanRequest = typeof PlanRequest.Type

export const TaskRequest = Schema.Struct({
  name: Schema.optional(Schema.String.check(Schema.isMaxLength(200))),
  ...fields,
  max_credits: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })).annotate({
    description: "What the task can cost at most; held until it ends"
  }),
  concurrency: Schema.optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most.concurrency })).annotate({
      description: "How many rows are run at once; 5 unless said"
    })
  ),
  webhook_url: Schema.optional(WebhookUrl.WebhookUrl)
})
  .check(oneOf)
  .annotate({ identifier: "TaskRequest" })
export type TaskRequest = typeof TaskRequest.Type

/** A column of steps that were given. A text that is no reference is a name without a value. */
const outputOf = (
  field: OutputField,
  index: number
): { readonly output: TaskPlan.Output } | { readonly detail: Detail } => {
  if (typeof field !== "string") return { output: field }
  if (Binding.parse(field) !== null) return { output: { name: field.slice(1), value: field } }
  const message = "Expected a reference such as $enrich.company.profile.name, or an object with name and value"
  return { detail: { path: `output_fields[${index}]`, message } }
}

/** Every column that an input has. */
export const columnsOf = ({ inputs = [] }: PlanRequest): ReadonlyArray<string> => [
  ...new Set(inputs.flatMap((input) => Object.keys(input)))
]

/** Names of the columns that a planner is to fill. */
const wantedOf = ({ output_fields = [] }: PlanRequest): ReadonlyArray<string> =>
  output_fields.map((field) => (typeof field === "string" ? field : field.name))

/** Level by level, so that what is nested on purpose overflows nothing. */
const isDeep = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most.levels) return true
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []))
  }
  return false
}

const deep = `Expected at most ${most.levels} levels`

/** What is too much of it, before anything else is looked at. */
const bounds = ({ inputs = [], output_fields = [], steps = [] }: PlanRequest): ReadonlyArray<Detail> => {
  if (isDeep(inputs)) return [{ path: "inputs", message: deep }]
  if (isDeep([steps, output_fields])) return [{ path: "steps", message: deep }]
  const columns = columnsOf({ inputs })
  const isMany = columns.length > most.columns || columns.some(({ length }) => length > most.column)
  return [
    ...(JSON.stringify([steps, output_fields]).length > most.plan
      ? [{ path: "steps", message: `Expected a plan of at most ${most.plan} characters of JSON` }]
      : []),
    ...(isMany
      ? [
          {
            path: "inputs",
            message: `Expected at most ${most.columns} columns, with names of at most ${most.column} characters`
          }
        ]
      : [])
  ]
}

const refuse = (details: ReadonlyArray<Detail>): Effect.Effect<void, InvalidRequest> => {
  const [first, ...others] = details
  return first === undefined ? Effect.void : Effect.fail(new InvalidRequest({ details: [first, ...others] }))
}

/** What a request comes to: a plan, or what is to be planned. */
export interface Meant {
  readonly plan: TaskPlan.TaskPlan | null
  readonly columns: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<string>
}

/** Reads a request; a plan in it is judged as a whole, so that nothing is begun that cannot be done. */
export const read = Effect.fnUntraced(function* (
  request: PlanRequest,
  {
    operations,
    planner,
    scopes
  }: {
    readonly operations: Operations.Operations["Service"]
    readonly planner: Planner["Service"]
    readonly scopes: ReadonlyArray<Scope>
  }
): Effect.fn.Return<Meant, InvalidRequest> {
  yield* refuse(bounds(request))
  const columns = columnsOf(request)
  const { output_fields = [], steps } = request
  if (steps === undefined) {
    if (planner.absent !== null) yield* refuse([{ path: "prompt", message: planner.absent }])
    return { plan: null, columns, wanted: wantedOf(request) }
  }
  const read = output_fields.map(outputOf)
  const outputs = read.flatMap((one) => ("output" in one ? [one.output] : []))
  const plan = { steps, outputs: output_fields.length === 0 ? TaskPlan.wholeAnswers(steps) : outputs }
  const known = {
    operations: Operations.permitted(operations, scopes),
    all: operations.all,
    columns: new Set(columns)
  }
  yield* refuse([...PlanCheck.problems(plan, known), ...read.flatMap((one) => ("detail" in one ? [one.detail] : []))])
  return { plan, columns, wanted: [] }
})
