/** The body of a question, with what of it an endpoint may not want. Its fields are those of OpenAI's "Create chat completion". */
import type { Planner } from "@lading/core/task"
import * as AnswerSchema from "./AnswerSchema.ts"
import * as Messages from "./Messages.ts"

export interface Asking {
  readonly format: "json_schema" | "json_object"
  /** Whether 0 is said: the same wish should become the same plan. */
  readonly temperature: boolean
}

/** Everything that there is to want. */
export const whole: Asking = { format: "json_schema", temperature: true }

const formatOf = ({ format }: Asking, { operations }: Planner.Asked) => {
  if (format === "json_object") return { type: format }
  const schema = AnswerSchema.make(operations.map(({ name }) => name))
  return { type: format, json_schema: { name: "task_plan", strict: false, schema } }
}

/** The bodies of one question. */
export const bodies = (model: string, asked: Planner.Asked) => {
  const messages = Messages.make(asked)
  return (asking: Asking) => ({
    model,
    messages,
    response_format: formatOf(asking, asked),
    ...(asking.temperature ? { temperature: 0 } : {})
  })
}
