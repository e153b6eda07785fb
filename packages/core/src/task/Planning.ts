/** Has a planner make the plan of a task that was ordered in plain words, and judges it like one that a client sends. */
import { Effect, Schema } from "effect"
import type { Scope } from "../account/Scope.ts"
import type { Detail } from "../request/InvalidRequest.ts"
import * as Fault from "../value/Fault.ts"
import * as Operations from "./Operations.ts"
import * as PlanCheck from "./PlanCheck.ts"
import type { Asked, Planner, PlannerUnavailable } from "./Planner.ts"
import { TaskPlan, wholeAnswers } from "./TaskPlan.ts"

/** No plan that can be run came of the words. */
export class Unplannable extends Schema.TaggedError<Unplannable>()("Unplannable", {
  details: Schema.NonEmptyArray(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}

/** How often a planner is told what was wrong with its plan. */
const corrections = 2

/** What is known of the task whose plan is wanted. */
export interface Wish {
  readonly prompt: string
  readonly columns: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<Scope>
}

const decode = Schema.decodeUnknownResult(TaskPlan, { errors: "all" })

interface Judged {
  readonly plan: TaskPlan | null
  readonly details: ReadonlyArray<Detail>
}

const missing = (plan: TaskPlan, wanted: ReadonlyArray<string>): ReadonlyArray<Detail> =>
  wanted
    .filter((name) => !plan.outputs.some((output) => output.name === name))
    .map((name) => ({ path: "outputs", message: `Expected a column ${name}` }))

/** Judges what a planner said. */
const judge = (
  said: unknown,
  { columns, scopes, wanted }: Wish,
  operations: Operations.Operations["Service"]
): Judged => {
  const decoded = decode(said)
  if (decoded._tag === "Failure") return { plan: null, details: Fault.of(decoded.failure.issue) }
  const plan =
    decoded.success.outputs.length > 0
      ? decoded.success
      : { ...decoded.success, outputs: wholeAnswers(decoded.success.steps) }
  const known = {
    operations: Operations.permitted(operations, scopes),
    all: operations.all,
    columns: new Set(columns)
  }
  return { plan, details: [...PlanCheck.problems(plan, known, "outputs"), ...missing(plan, wanted)] }
}

/** The plan, after at most `corrections` more tries. */
export const make = Effect.fnUntraced(function* (
  planner: Planner["Service"],
  operations: Operations.Operations["Service"],
  wish: Wish
): Effect.fn.Return<TaskPlan, PlannerUnavailable | Unplannable> {
  const { columns, prompt, scopes, wanted } = wish
  const asked = { prompt, columns, wanted, operations: Operations.permitted(operations, scopes) }
  let refused: Asked["refused"] = null
  for (let time = 0; time <= corrections; time++) {
    const said: unknown = yield* planner.plan({ ...asked, refused })
    const { details, plan } = judge(said, wish, operations)
    if (plan !== null && details.length === 0) return plan
    refused = { plan: said, details }
  }
  const [first, ...others] = refused?.details ?? []
  return yield* new Unplannable({
    details: [first ?? { path: "", message: "Expected a plan" }, ...others.slice(0, 20)]
  })
})
