/**
 * What an endpoint means by another status than 200, and what of a request it did not want. Statuses as in OpenAI's guide
 * "Error codes" (developers.openai.com/docs/guides/error-codes); the body is `{ error: { message, param, code } }`, other
 * servers have `{ error: "…" }` or `{ message: "…" }`.
 *
 * Gotchas
 * - 429 is also what an account without credits gets (`insufficient_quota`): that does not pass.
 * - Messages are quoted for an unknown model only. Others may repeat the key in part, or what was asked.
 */
import { Planner } from "@lading/core/task"
import { VendorHttp } from "@lading/core/waterfall"
import type { Asking } from "./Asking.ts"

const unavailable = (problem: string, retryable: boolean) => new Planner.PlannerUnavailable({ problem, retryable })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const LONGEST_MESSAGE = 200

/** What its error says under this name, on one line; empty where it says nothing. */
const said = (body: unknown, name: "code" | "message"): string => {
  const error = isObject(body) ? (body["error"] ?? body) : null
  const value = isObject(error) ? error[name] : name === "message" ? error : ""
  if (typeof value !== "string") return ""
  return value.replaceAll(/[\p{Cc}\s]+/gu, " ").slice(0, LONGEST_MESSAGE)
}

/** Of an answer that is no 200. */
export const of = ({ body, status }: VendorHttp.Answer): Planner.PlannerUnavailable => {
  if (status === 401 || status === 403) return unavailable(`the model's endpoint refuses the key (${status})`, false)
  if (status === 404) {
    const message = said(body, "message")
    return unavailable(
      `the model's endpoint knows no such model or address (404)${message === "" ? "" : `: ${message}`}`,
      false
    )
  }
  if (status === 429 && said(body, "code") === "insufficient_quota")
    return unavailable("no credits are left at the model's endpoint (429)", false)
  if (status === 408 || status === 429 || status >= 500)
    return unavailable(`the model's endpoint answers ${status}`, true)
  return unavailable(`the model's endpoint refuses the question (${status})`, false)
}

/** Longer ones are not searched. */
const LONGEST_BODY = 20_000

/**
 * The same question without what this answer complains of; `null` where there is nothing to leave out.
 *
 * - `json_schema` is unknown to servers that only have `json_object` (DeepSeek: "This response_format type is unavailable
 *   now", caura-ai/caura pull request 1475).
 * - `temperature` is refused by models that reason (OpenAI: "does not support 0 with this model", `param: "temperature"`,
 *   vercel/ai issue 6034).
 */
export const milder = (asking: Asking, { body, status }: VendorHttp.Answer): Asking | null => {
  if (status !== 400 && status !== 422) return null
  const text = body === VendorHttp.NotJson ? "" : JSON.stringify(body).slice(0, LONGEST_BODY).toLowerCase()
  if (asking.temperature && text.includes("temperature")) return { ...asking, temperature: false }
  if (asking.format === "json_schema" && /response_format|json_schema|response format/.test(text))
    return { ...asking, format: "json_object" }
  return null
}
