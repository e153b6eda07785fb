/**
 * What a plan costs at most, before it is run. A step's request is known but for what its references will be: for these the
 * operation's own sample stands in, which matters nowhere but where a row says how much is asked for.
 */
import { Effect, Schema } from "effect"
import * as Credits from "../billing/Credits.ts"
import * as Binding from "./Binding.ts"
import type { Operation, Operations } from "./Operations.ts"
import type { Step, TaskPlan } from "./TaskPlan.ts"

export const QuotedStep = Schema.Struct({
  id: Schema.String,
  operation: Schema.String,
  price: Schema.String.annotate({ description: "In words" }),
  worst: Schema.NullOr(Schema.Finite).annotate({
    description: "The most that it costs for one row; null where that depends on the row"
  }),
  per: Schema.Literals(["row", "element"]).annotate({
    description: "element: for each element of a list that nobody knows before"
  })
})

export const PlanQuote = Schema.Struct({
  rows: Schema.Int,
  steps: Schema.Array(QuotedStep),
  worst: Schema.NullOr(Schema.Finite).annotate({
    description: "The most that all rows cost; null where that depends on what is found"
  }),
  price_version: Schema.String
}).annotate({ identifier: "TaskQuote" })
export type PlanQuote = typeof PlanQuote.Type

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A reference for which the sample has nothing: what it will be may change the price. */
class Unknown extends Schema.TaggedError<Unknown>()("Unknown", {}) {}

/** The request with what the sample has in the place of references. */
const standIn = (input: unknown, sample: unknown): Effect.Effect<unknown, Unknown> => {
  if (typeof input === "string" && Binding.isMeant(input)) {
    return sample === undefined ? Effect.fail(new Unknown()) : Effect.succeed(sample)
  }
  if (Array.isArray(input)) {
    const known: ReadonlyArray<unknown> = Array.isArray(sample) ? sample : []
    return Effect.forEach(input, (inner: unknown, index) => standIn(inner, known[index] ?? known[0]))
  }
  if (!isObject(input)) return Effect.succeed(input)
  const known = isObject(sample) ? sample : {}
  return Effect.map(
    Effect.forEach(Object.entries(input), ([key, inner]) =>
      Effect.map(standIn(inner, known[key]), (value) => [key, value] as const)
    ),
    Object.fromEntries
  )
}

const worstOf = ({ sample, worst }: Operation, { input }: Step, account: string) =>
  standIn(input, sample).pipe(
    Effect.flatMap((request) => worst(request, account)),
    Effect.orElseSucceed(() => null)
  )

export const make = Effect.fnUntraced(function* (
  plan: TaskPlan,
  rows: number,
  {
    account,
    operations,
    price_version
  }: {
    readonly account: string
    readonly operations: Operations["Service"]
    readonly price_version: string
  }
): Effect.fn.Return<PlanQuote> {
  const divides = plan.steps.findIndex(({ for_each }) => for_each !== undefined)
  const priced = yield* Effect.forEach(plan.steps, (step, index) => {
    const operation = operations.find(step.operation)
    const isElement = divides !== -1 && index >= divides
    return Effect.map(operation === undefined ? Effect.succeed(null) : worstOf(operation, step, account), (worst) => ({
      step,
      worst,
      isElement,
      price: operation?.price ?? ""
    }))
  })
  const known = priced.flatMap(({ isElement, worst }) => (isElement || worst === null ? [] : [worst]))
  const isWhole = known.length === priced.length
  return {
    rows,
    price_version,
    worst: isWhole ? Credits.toNumber(Credits.times(Credits.sum(known), rows)) : null,
    steps: priced.map(({ isElement, price, step, worst }) => ({
      id: step.id,
      operation: step.operation,
      price,
      worst: worst === null ? null : Credits.toNumber(worst),
      per: isElement ? "element" : "row"
    }))
  }
})
