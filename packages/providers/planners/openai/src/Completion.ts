/**
 * A chat completion as a plan: `choices[0].message.content` read as JSON. Its fields are those of OpenAI's own client
 * (openai/openai-node, src/resources/chat/completions/completions.ts): `finish_reason`, `refusal`, `tool_calls`, `content`.
 * What it says of its own usage is not read.
 *
 * Gotchas
 * - No text of the model is quoted in a problem: it may repeat the wish.
 * - Models that think aloud, and those that only know `json_object`, put a block of thoughts before the JSON, or a fence
 *   around it. Both are taken away.
 */
import { Planner } from "@lading/core/task"
import { VendorHttp } from "@lading/core/waterfall"
import { Effect, Option, Schema } from "effect"

const Message = Schema.Struct({
  content: Schema.optional(Schema.NullOr(Schema.String)),
  refusal: Schema.optional(Schema.NullOr(Schema.String)),
  tool_calls: Schema.optional(Schema.NullOr(Schema.Array(Schema.Unknown))),
  function_call: Schema.optional(Schema.Unknown)
})

const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({ finish_reason: Schema.optional(Schema.NullOr(Schema.String)), message: Message })
  )
})
type Choice = (typeof Completion.Type)["choices"][0]

/** Longer texts are no plans of twenty steps. */
const LONGEST = 200_000

/** Deeper values are refused: no plan is, and whoever handles one goes down into it. */
const DEEPEST = 64

const unavailable = (problem: string, retryable: boolean) => new Planner.PlannerUnavailable({ problem, retryable })

/** What is wrong before its text is looked at; `null` where nothing is. */
const trouble = ({ finish_reason, message }: Choice): Planner.PlannerUnavailable | null => {
  if (typeof message.refusal === "string" && message.refusal !== "")
    return unavailable("the model refuses to plan this", false)
  if (finish_reason === "length") return unavailable("the model's answer was cut off at its greatest length", false)
  if (finish_reason === "content_filter") return unavailable("the model's answer was held back by a filter", false)
  if ((message.tool_calls ?? []).length > 0 || (message.function_call ?? null) !== null)
    return unavailable("the model calls a tool in place of a plan", false)
  return null
}

const after = (text: string, mark: string): string => {
  const at = text.lastIndexOf(mark)
  return at === -1 ? text : text.slice(at + mark.length)
}

/** Without thoughts before it and the fence around it. */
const bare = (content: string): string => {
  const said = (content.trimStart().startsWith("<think>") ? after(content, "</think>") : content).trim()
  if (!said.startsWith("```")) return said
  const begin = said.indexOf("\n")
  const end = said.lastIndexOf("```")
  return begin === -1 || end <= begin ? said : said.slice(begin + 1, end).trim()
}

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isTooDeep = (value: unknown, left = DEEPEST): boolean => {
  if (typeof value !== "object" || value === null) return false
  return left === 0 || Object.values(value).some((inner) => isTooDeep(inner, left - 1))
}

/** Members that are `null` are none: models fill optional ones with it. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)]]))
  )
}

/** A request that is written as JSON in a text is what it says. */
const withRequest = (step: unknown): unknown => {
  if (!isObject(step) || typeof step["input"] !== "string") return step
  const request = Option.getOrNull(parse(step["input"]))
  return isObject(request) && !isTooDeep(request) ? { ...step, input: request } : step
}

const planOf = (value: Readonly<Record<string, unknown>>): unknown => {
  const steps = value["steps"]
  return withoutNulls(Array.isArray(steps) ? { ...value, steps: steps.map(withRequest) } : value)
}

const decode = VendorHttp.decode("openai", Completion)

/** The plan in the body of an answer, which nobody has judged yet. */
export const read = Effect.fnUntraced(function* (body: unknown): Effect.fn.Return<unknown, Planner.PlannerUnavailable> {
  const { choices } = yield* Effect.mapError(decode(body), ({ problem }) =>
    unavailable(`the answer is no chat completion: ${problem}`, false)
  )
  const wrong = trouble(choices[0])
  if (wrong !== null) return yield* wrong
  const content = choices[0].message.content ?? ""
  if (content.trim() === "") return yield* unavailable("the model says nothing", true)
  if (content.length > LONGEST) return yield* unavailable("the model's answer is too long for a plan", false)
  const value = Option.getOrNull(parse(bare(content)))
  if (!isObject(value)) return yield* unavailable("the model's answer is no JSON object", true)
  if (isTooDeep(value)) return yield* unavailable("the model's answer is nested too deeply for a plan", false)
  return planOf(value)
})
