/**
 * A language model by a script: a real server on loopback that speaks OpenAI's chat completions (`POST /v1/chat/completions`,
 * `GET /v1/models`; shapes as in openai/openai-node, src/resources). What it answers is a function of what it is asked; it
 * records that, and misbehaves as every simulator does (`Simulator.Fault`).
 *
 * Gotcha: nothing is understood here. A schema that is sent is recorded and not enforced: a real server may not enforce it
 * either.
 */
import type { Scope } from "effect"
import { Effect } from "effect"
import * as Simulator from "../simulator/Simulator.ts"

/** What the model was asked. */
export interface Asked {
  readonly model: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  /** As it was sent; `null` where there was none. */
  readonly response_format: unknown
  readonly temperature: number | null
}

/** What it says. */
export type Said =
  /** A text that ends by itself. */
  | { readonly _tag: "Text"; readonly text: string }
  /** A text that ends at its greatest length. */
  | { readonly _tag: "CutOff"; readonly text: string }
  /** It does not want to. */
  | { readonly _tag: "Refuses"; readonly reason: string }
  /** It calls a function in place of an answer. */
  | { readonly _tag: "CallsTool"; readonly name: string }
  /** The server answers for it. */
  | { readonly _tag: "Replies"; readonly reply: Simulator.Reply }

export type Script = (asked: Asked) => Said

/** JSON as a text, such as a plan. */
export const json = (value: unknown): Said => ({ _tag: "Text", text: JSON.stringify(value) })

/** An error as OpenAI sends it. */
export const error = (status: number, message: string, param: string | null, code: string | null): Simulator.Reply => ({
  status,
  body: { error: { message, type: "invalid_request_error", param, code } }
})

export interface Options extends Simulator.Options {
  /** Names of the models there are; `scripted` unless said. */
  readonly models?: ReadonlyArray<string>
  /** The types of `response_format` that it knows; all unless said. */
  readonly formats?: ReadonlyArray<string>
  /** Whether a temperature may be said, which models that reason do not want. */
  readonly temperature?: boolean
}

export interface ModelServer extends Simulator.Simulator {
  /** What the model was asked, oldest first; refused requests too. */
  readonly asked: Effect.Effect<ReadonlyArray<Asked>>
}

/** Stands for no key: a server that wants none takes it. */
const nobody = "(no key was sent)"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const messageOf = (message: unknown) =>
  isObject(message) ? { role: textOf(message["role"]), content: textOf(message["content"]) } : { role: "", content: "" }

const askedOf = (body: unknown): Asked => {
  const { messages, model, response_format, temperature } = isObject(body) ? body : {}
  return {
    model: textOf(model),
    messages: Array.isArray(messages) ? messages.map(messageOf) : [],
    response_format: response_format ?? null,
    temperature: typeof temperature === "number" ? temperature : null
  }
}

const completed = (model: string, message: Readonly<Record<string, unknown>>, finish_reason: string) => ({
  status: 200,
  body: {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: 1_760_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, refusal: null, ...message },
        finish_reason,
        logprobs: null
      }
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  }
})

const replyOf = (model: string, said: Said): Simulator.Reply => {
  switch (said._tag) {
    case "Text":
      return completed(model, { content: said.text }, "stop")
    case "CutOff":
      return completed(model, { content: said.text }, "length")
    case "Refuses":
      return completed(model, { refusal: said.reason }, "stop")
    case "CallsTool": {
      const call = { id: "call_scripted", type: "function", function: { name: said.name, arguments: "{}" } }
      return completed(model, { tool_calls: [call] }, "tool_calls")
    }
    case "Replies":
      return said.reply
  }
}

const answering = (script: Script, { formats, models, temperature }: Options) => {
  const known = models ?? ["scripted"]
  return (body: unknown): Simulator.Reply => {
    const asked = askedOf(body)
    const type = isObject(asked.response_format) ? textOf(asked.response_format["type"]) : "text"
    if (!known.includes(asked.model))
      return error(404, `The model \`${asked.model}\` does not exist`, null, "model_not_found")
    if (formats !== undefined && !formats.includes(type))
      return error(400, "This response_format type is unavailable now", "response_format", null)
    if (temperature === false && asked.temperature !== null)
      return error(400, "Unsupported value: 'temperature'", "temperature", "unsupported_value")
    return replyOf(asked.model, script(asked))
  }
}

const dialect = (script: Script, options: Options): Simulator.Dialect => {
  const complete = answering(script, options)
  const models = options.models ?? ["scripted"]
  return {
    vendor: "model",
    credential: ({ headers }) => headers["authorization"]?.replace(/^Bearer /, "") ?? nobody,
    answer: ({ body, method, path }) => {
      if (method === "POST" && path === "/v1/chat/completions") return complete(body)
      if (method !== "GET" || path !== "/v1/models") return error(404, "Unknown request URL", null, "unknown_url")
      return { status: 200, body: { object: "list", data: models.map((id) => ({ id, object: "model" })) } }
    },
    miss: ({ body }) => completed(askedOf(body).model, { content: "" }, "stop"),
    wrongKey: () => error(401, "Incorrect API key provided", null, "invalid_api_key"),
    quotaExhausted: () => error(429, "You exceeded your current quota", null, "insufficient_quota"),
    rateLimited: (seconds) => ({
      ...error(429, "Rate limit reached", null, "rate_limit_exceeded"),
      ...(seconds === null ? {} : { headers: { "retry-after": String(seconds) } })
    }),
    suppressed: null
  }
}

/**
 * Starts it; it stops with its scope. `url` ends in `/v1`, as clients want it. With `credentials` it wants one of them, else
 * any, or none.
 */
export const start = (script: Script, options: Options = {}): Effect.Effect<ModelServer, never, Scope.Scope> =>
  Effect.map(Simulator.make(dialect(script, options), options), (simulator) => ({
    ...simulator,
    url: `${simulator.url}/v1`,
    asked: Effect.map(simulator.calls, (calls) =>
      calls.filter(({ path }) => path === "/v1/chat/completions").map(({ body }) => askedOf(body))
    )
  }))
