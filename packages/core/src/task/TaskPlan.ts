/**
 * A plan: which operations a task runs for each of its rows, in which order, and what of their answers it shows. It is data
 * that somebody can read before anything is run: each step is one operation of the server with its request, in which texts
 * such as `$input.domain` stand for values of the row (`Binding`).
 *
 * The steps of a row are run one after the other. A step with `for_each` divides the row: it and all later steps are run for
 * each element of a list, which is known under the name in `as`.
 */
import { Schema } from "effect"
import * as Binding from "./Binding.ts"

/** How many steps a plan may have, and columns. */
export const most = { steps: 20, outputs: 100 } as const

const Name = Schema.String.check(
  Schema.makeFilter(
    (text) => /^[a-z][a-z0-9_]{0,39}$/.test(text) || "Expected a name of small letters, digits and _, e.g. find_people"
  )
)

const Reference = Schema.String.check(
  Schema.makeFilter((text) => Binding.parse(text) !== null || "Expected a reference, e.g. $search.data.list")
)

export const Step = Schema.Struct({
  id: Name.annotate({ description: "What later steps know its answer by: $<id>.<path into the body of the answer>" }),
  operation: Schema.String.check(Schema.isMaxLength(60)).annotate({ description: "e.g. company.enrich" }),
  input: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The request; a text that begins with $ is replaced by the value it refers to, $$ stands for one $"
  }),
  for_each: Schema.optional(
    Reference.annotate({ description: "A list: this step and all later ones are run for each of its elements" })
  ),
  as: Schema.optional(Name.annotate({ description: "What an element of for_each is known by; item unless said" })),
  when: Schema.optional(
    Reference.annotate({
      description: "The step is passed over unless this value is there: null, false, 0, empty are not"
    })
  ),
  unless: Schema.optional(Reference.annotate({ description: "The step is passed over if this value is there" })),
  on_error: Schema.optional(
    Schema.Literals(["end_row", "continue"]).annotate({
      description: "end_row (the default) fails the row; continue goes on without an answer of this step"
    })
  )
}).annotate({ identifier: "TaskStep" })
export type Step = typeof Step.Type

/** Those of a plan. */
export const Steps = Schema.Array(Step).check(Schema.isMinLength(1), Schema.isMaxLength(most.steps))

export const Output = Schema.Struct({
  name: Schema.NonEmptyString.check(Schema.isMaxLength(100)).annotate({ description: "Of the column" }),
  value: Schema.Unknown.annotate({
    description: "A reference such as $enrich.company.profile.name, or JSON with references in it"
  })
})
export type Output = typeof Output.Type

export const TaskPlan = Schema.Struct({
  steps: Steps,
  outputs: Schema.Array(Output).check(Schema.isMaxLength(most.outputs))
}).annotate({ identifier: "TaskPlan" })
export type TaskPlan = typeof TaskPlan.Type

/** What the input of a task is known by. */
export const input = "input"

/** What an element is known by. */
export const itemOf = ({ as = "item" }: Step): string => as

/** Every reference of a step's own request and conditions; `for_each` is judged before there is an element. */
export const referencesOf = ({ input, unless, when }: Step): ReadonlyArray<Binding.Reference> =>
  Binding.within([input, when ?? null, unless ?? null])

/** Every reference that is needed after a step has been answered, or before the first one (`-1`). */
export const neededAfter = ({ outputs, steps }: TaskPlan, index: number): ReadonlyArray<Binding.Reference> => {
  const later = steps
    .slice(index + 1)
    .flatMap((step) => [...referencesOf(step), ...(step.for_each === undefined ? [] : Binding.within(step.for_each))])
  const all = [...later, ...Binding.within(outputs.map(({ value }) => value))]
  return [...new Map(all.map((reference) => [reference.text, reference])).values()]
}

/** What is shown where nobody says what: each step's answer as a whole. */
export const wholeAnswers = (steps: ReadonlyArray<Step>): ReadonlyArray<Output> =>
  steps.map(({ id }) => ({ name: id, value: `$${id}` }))
