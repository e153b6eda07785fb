/** From what is configured to the planner of tasks' prompts: a language model, or nobody. Loaded when it is configured. */
import { Planner } from "@lading/core/task"
import { Effect, Layer, type Redacted } from "effect"
import type { HttpClient } from "effect/http"
import * as Adapters from "./Adapters.ts"
import { CannotStart } from "./CannotStart.ts"
import * as PlannerVariables from "./PlannerVariables.ts"

export interface Options {
  readonly url: string | null
  readonly model: string | null
  readonly key: Redacted.Redacted | null
}

const { key: keyOf, model: modelOf, url: urlOf } = PlannerVariables.planner

/** What is said to whoever sends a prompt where nobody plans. */
const remedy = `this server has no language model: give steps in place of a prompt, or set ${urlOf.name} and ${modelOf.name} (docs/operations.md)`

const missing = (variable: string, by: string) =>
  new CannotStart({ variable, problem: `${by} is set, and says nothing without it` })

/** The planner of an installation; half of a model does not start. */
export const layerPlanner = ({
  planner: { key, model, url }
}: {
  readonly planner: Options
}): Layer.Layer<Planner.Planner, CannotStart, HttpClient.HttpClient> => {
  if (url !== null && model !== null) return Layer.unwrap(Adapters.loadPlanner({ baseUrl: url, model, key }))
  if (url !== null) return Layer.effectContext(Effect.fail(missing(modelOf.name, urlOf.name)))
  if (model !== null) return Layer.effectContext(Effect.fail(missing(urlOf.name, modelOf.name)))
  if (key !== null) return Layer.effectContext(Effect.fail(missing(urlOf.name, keyOf.name)))
  return Planner.layerNone(remedy)
}
