/**
 * Brave Search on loopback: a real server that finds the pages of the index that it is given. `WrongKey` is what Brave says
 * of a token that it does not know (422), `QuotaExhausted` a month that is used up (429, the second of its two windows).
 */
import { SearchIndex, Simulator } from "@lading/testing"
import type { Effect, Scope } from "effect"

export interface Options extends Simulator.Options {
  readonly index: ReadonlyArray<SearchIndex.Listed>
}

/** What is left in a second and in a month, and the seconds until it is whole again. */
const limits = (second: number, month: number, reset = 1) => ({
  "x-ratelimit-limit": "20, 15000",
  "x-ratelimit-policy": "20;w=1, 15000;w=2592000",
  "x-ratelimit-remaining": `${second}, ${month}`,
  "x-ratelimit-reset": `${reset}, 1419704`
})

const refused = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Simulator.Reply => ({
  status,
  headers,
  body: {
    type: "ErrorResponse",
    error: { id: "invented", status, code, detail: "Invented.", meta: {} },
    time: 1795000000
  }
})

const answerOf = (query: string, found: ReadonlyArray<SearchIndex.Listed>): Simulator.Reply => {
  const results = found.map(({ content, title, url }) => ({
    type: "search_result",
    subtype: "generic",
    title,
    url,
    description: content,
    language: "en",
    family_friendly: true,
    is_source_local: false,
    is_source_both: false
  }))
  const body = { type: "search", query: { original: query, more_results_available: false } }
  // Without a result there is no `web`.
  const web = results.length === 0 ? {} : { web: { type: "search", results, family_friendly: true } }
  return { status: 200, headers: limits(19, 14_000), body: { ...body, ...web } }
}

const dialect = ({ index }: Options): Simulator.Dialect => ({
  vendor: "brave",
  credential: ({ headers }) => headers["x-subscription-token"] ?? null,
  answer: ({ path, query }) => {
    if (path !== "/res/v1/web/search") return refused(404, "RESOURCE_NOT_FOUND")
    const { count = "20", q = "" } = query
    if (q === "" || q.length > 400 || !/^(?:[1-9]|1\d|20)$/.test(count)) return refused(422, "VALIDATION")
    return answerOf(q, SearchIndex.find(index, q).slice(0, Number(count)))
  },
  miss: ({ query }) => answerOf(query["q"] ?? "", []),
  wrongKey: () => refused(422, "SUBSCRIPTION_TOKEN_INVALID"),
  quotaExhausted: () => refused(429, "QUOTA_LIMITED", limits(19, 0)),
  rateLimited: (seconds) => refused(429, "RATE_LIMITED", seconds === null ? {} : limits(0, 14_000, seconds)),
  suppressed: null
})

/** Starts it; it stops with its scope. Its `url` is the adapter's `baseUrl`. */
export const start = (options: Options): Effect.Effect<Simulator.Simulator, never, Scope.Scope> =>
  Simulator.make(dialect(options), options)
