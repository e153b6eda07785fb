/**
 * How Hunter speaks apart from what it knows: where the key is, and how it refuses.
 *
 * Gotcha: Hunter's documentation tells the rate limit with 403 and no header, its own client reads 429 with
 * `Retry-After`. The simulator does the one without and the other with a time to wait.
 */
import type { Simulator } from "@lading/testing"

/** Hunter's error envelope. */
export const refusal = (status: number, id: string, details: string): Simulator.Reply => ({
  status,
  body: { errors: [{ id, code: status, details }] }
})

/** Hunter's success envelope. */
export const success = (data: unknown, meta: unknown): Simulator.Reply => ({ status: 200, body: { data, meta } })

export const missing = (name: string): Simulator.Reply =>
  refusal(400, "wrong_params", `The parameter ${name} is missing.`)

const bearer = /^bearer\s+(.+)$/i

/** What the enrichments say when they know nothing. */
export const notFound = refusal(404, "not_found", "Nothing is known about it.")

/** What the finder says when it knows nothing: a success without a value. */
export const nothingFound = (asked: Simulator.Asked): Simulator.Reply => ({
  status: 200,
  body: {
    data: {
      first_name: null,
      last_name: null,
      email: null,
      score: null,
      domain: asked.query["domain"] ?? null,
      accept_all: null,
      position: null,
      company: null,
      twitter: null,
      linkedin_url: null,
      phone_number: null,
      sources: [],
      verification: { date: null, status: null }
    },
    meta: {
      params: {
        first_name: asked.query["first_name"] ?? null,
        last_name: asked.query["last_name"] ?? null,
        full_name: asked.query["full_name"] ?? null,
        domain: asked.query["domain"] ?? null,
        company: asked.query["company"] ?? null,
        max_duration: asked.query["max_duration"] ?? null
      }
    }
  }
})

const miss: Simulator.Dialect["miss"] = (asked) => {
  switch (asked.path) {
    case "/v2/email-finder":
      return nothingFound(asked)
    case "/v2/discover":
      return success([], { results: 0, limit: 100, offset: 0, params: {}, filters: {} })
    case "/v2/domain-search":
      return success({ domain: "nobody.example", organization: null, emails: [] }, { results: 0, limit: 10, offset: 0 })
    default:
      return notFound
  }
}

/** Hunter's way to speak, with the answers that `answer` knows. */
export const make = (answer: Simulator.Dialect["answer"]): Simulator.Dialect => ({
  vendor: "hunter",
  credential: ({ headers, query }) =>
    bearer.exec(headers["authorization"] ?? "")?.[1] ?? headers["x-api-key"] ?? query["api_key"] ?? null,
  answer,
  miss,
  wrongKey: () => refusal(401, "authentication_failed", "No user has this key."),
  quotaExhausted: () => refusal(402, "payment_required", "All requests of this month are used."),
  rateLimited: (seconds) =>
    seconds === null
      ? refusal(403, "forbidden", "The rate limit is reached.")
      : {
          ...refusal(429, "too_many_requests", "Too many requests."),
          headers: { "retry-after": String(seconds) }
        },
  suppressed: () => refusal(451, "claimed_email", "The owner of this address objected.")
})
