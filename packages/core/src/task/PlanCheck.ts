/**
 * What is wrong with a plan, field by field: an operation that there is not or that the key may not run, a reference to
 * nothing, a request that its operation would refuse whatever the rows say. Pure but for the operations' own judgement.
 */
import type { Detail } from "../request/InvalidRequest.ts"
import * as Binding from "./Binding.ts"
import type { Operation } from "./Operations.ts"
import * as TaskPlan from "./TaskPlan.ts"

export interface Known {
  /** Those that the task may run. */
  readonly operations: ReadonlyArray<Pick<Operation, "name">>
  /** All there are, of which some need a scope that the key lacks. */
  readonly all: ReadonlyArray<Pick<Operation, "name" | "scopes">>
  /** Columns of the inputs; a reference to another one is an error, where there are inputs at all. */
  readonly columns: ReadonlySet<string>
}

const operationProblem = ({ all, operations }: Known, { operation }: TaskPlan.Step): string | null => {
  if (operations.some(({ name }) => name === operation)) return null
  const known = all.find(({ name }) => name === operation)
  return known === undefined
    ? `Expected one of ${operations.map(({ name }) => name).join(", ")}`
    : `The API key lacks a scope of ${operation}: ${known.scopes.join(", ")}`
}

/** Of a text that is meant as a reference. */
const referenceProblem = (text: string, roots: ReadonlySet<string>, { columns }: Known): string | null => {
  const reference = Binding.parse(text)
  if (reference === null) return "Expected a reference such as $input.domain; a text that begins with $ is written $$"
  const { path, root } = reference
  if (!roots.has(root)) return `There is no ${root} before this step, only ${[...roots].join(", ")}`
  const [column] = path
  if (root === TaskPlan.input && typeof column === "string" && !columns.has(column)) {
    return columns.size === 0
      ? "There are no inputs to refer to"
      : `No input has ${column}, only ${[...columns].slice(0, 20).join(", ")}`
  }
  return null
}

const referenceProblems = (
  value: unknown,
  at: string,
  roots: ReadonlySet<string>,
  known: Known
): ReadonlyArray<Detail> =>
  Binding.texts(value).flatMap(([path, text]) => {
    const message = referenceProblem(text, roots, known)
    return message === null ? [] : [{ path: path === "" ? at : `${at}.${path}`, message }]
  })

/** Roots are added as steps are looked at: a step may refer to those before it, and to its own element. */
const stepProblems = (step: TaskPlan.Step, at: string, roots: Set<string>, known: Known): ReadonlyArray<Detail> => {
  const details: Array<Detail> = []
  const operation = operationProblem(known, step)
  if (operation !== null) details.push({ path: `${at}.operation`, message: operation })
  if (step.for_each !== undefined) {
    details.push(...referenceProblems(step.for_each, `${at}.for_each`, roots, known))
    const item = TaskPlan.itemOf(step)
    if (roots.has(item))
      details.push({ path: `${at}.as`, message: `Expected a name that nothing else has, not ${item}` })
    roots.add(item)
  } else if (step.as !== undefined) {
    details.push({ path: `${at}.as`, message: "Expected for_each beside it" })
  }
  details.push(...referenceProblems(step.input, `${at}.input`, roots, known))
  for (const name of ["when", "unless"] as const) {
    const condition = step[name]
    if (condition !== undefined) details.push(...referenceProblems(condition, `${at}.${name}`, roots, known))
  }
  if (roots.has(step.id))
    details.push({ path: `${at}.id`, message: `Expected a name that nothing else has, not ${step.id}` })
  roots.add(step.id)
  return details
}

/** Every problem of a plan; `at` is where it stands in the request. */
export const problems = (plan: TaskPlan.TaskPlan, known: Known, outputsAt = "output_fields"): ReadonlyArray<Detail> => {
  const roots = new Set([TaskPlan.input])
  const steps = plan.steps.flatMap((step, index) => stepProblems(step, `steps[${index}]`, roots, known))
  const names = new Set<string>()
  const outputs = plan.outputs.flatMap(({ name, value }, index) => {
    const at = `${outputsAt}[${index}]`
    const twice = names.has(name) ? [{ path: at, message: `Expected each column once, ${name} stands twice` }] : []
    names.add(name)
    return [...twice, ...referenceProblems(value, at, roots, known)]
  })
  return [...steps, ...outputs]
}
