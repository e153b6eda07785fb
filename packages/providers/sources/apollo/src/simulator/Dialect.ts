/**
 * How Apollo speaks apart from what it knows: where the key is, how it refuses, and the headers that come with every
 * answer to a key that is right.
 *
 * Gotchas
 * - The refusal of a key is a sentence, not JSON; the question about a key is a 200 for a wrong one too. What an answer says when the credits are used up is documented nowhere.
 * - `request_id` is an integer beyond 2^53, without quotes.
 */
import type { Simulator } from "@lading/testing"

/** Usage of the windows; a window without a limit has an empty header. */
const headers: Readonly<Record<string, string>> = {
  "x-rate-limit-minute": "1000",
  "x-minute-usage": "1",
  "x-minute-requests-left": "999",
  "x-rate-limit-hourly": "",
  "x-hourly-usage": "",
  "x-hourly-requests-left": "",
  "x-rate-limit-24-hour": "",
  "x-24-hour-usage": "",
  "x-24-hour-requests-left": ""
}

/** A number that is written digit by digit, whatever a number holds; the types of `JSON` do not know it yet. */
const integer: (digits: string) => unknown = Reflect.get(JSON, "rawJSON")

/** An identifier of Apollo's, as opaque as the true ones: 24 hexadecimal digits that follow from `about`. */
export const id = (about: string): string => [0, 1, 2].map((part) => hash(`${part}/${about}`)).join("")

/** FNV-1a. */
const hash = (text: string): string => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return (h >>> 0).toString(16).padStart(8, "0")
}

export const success = (body: Readonly<Record<string, unknown>>): Simulator.Reply => ({ status: 200, headers, body })

/** A record, or nothing, in the envelope of `people/match`. */
export const matched = (person: unknown): Simulator.Reply =>
  success({ person, request_id: integer("1039995589705121901") })

export const refusal = (status: number, body: Readonly<Record<string, unknown>>): Simulator.Reply => ({
  status,
  headers,
  body
})

export const missing = (parameter: string): Simulator.Reply =>
  refusal(422, { error: `Required parameter '${parameter}' missing` })

/** How each path says that there is nobody. */
const misses: Readonly<Record<string, Simulator.Reply>> = {
  "/api/v1/people/match": matched(null),
  "/api/v1/mixed_companies/search": success({
    accounts: [],
    organizations: [],
    pagination: { page: 1, per_page: 100, total_entries: 0, total_pages: 0 }
  }),
  "/api/v1/mixed_people/api_search": success({ total_entries: 0, people: [] })
}

const bearer = /^bearer\s+(.+)$/i

/** Apollo's way to speak, with the answers that `answer` knows. */
export const make = (answer: Simulator.Dialect["answer"]): Simulator.Dialect => ({
  vendor: "apollo",
  credential: ({ headers }) => headers["x-api-key"] ?? bearer.exec(headers["authorization"] ?? "")?.[1] ?? null,
  answer,
  miss: ({ path }) => misses[path] ?? success({ organization: null }),
  wrongKey: ({ path }) =>
    path === "/api/v1/auth/health"
      ? { status: 200, body: { healthy: true, is_logged_in: false } }
      : { status: 401, body: "Invalid API key. Please check the key and try again." },
  quotaExhausted: () => refusal(402, { error: "There are not enough credits for this request." }),
  rateLimited: (seconds) => ({
    status: 429,
    headers: {
      ...headers,
      "x-minute-requests-left": "0",
      ...(seconds === null ? {} : { "retry-after": String(seconds) })
    },
    body: { message: "The maximum number of api calls allowed for this path is 1000 times per minute." }
  }),
  suppressed: null
})
