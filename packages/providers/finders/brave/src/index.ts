/**
 * Brave Search as the search engine behind a finder of contacts. What becomes of the pages is `FoundPages`, in core.
 *
 * Facts are from its documentation (api.search.brave.com/app/documentation/web-search: query, request headers, response
 * headers; read on 2026-11-22); the codes of its errors from answers that its users quote in public issues.
 *
 * Gotchas
 * - A key that it does not know is 422 with the code `SUBSCRIPTION_TOKEN_INVALID`, not 401.
 * - It takes the United States for the country of whoever names none: `ALL` is asked for, the land stands in the query.
 * - Its rate limits are lists, a number for each window (`1, 15000`: a second, a month). Only what succeeds is counted.
 */
import type { SearchEngine } from "@lading/core/contact"
import { Allowance, type Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Clock, Effect, Redacted, Schema } from "effect"
import { type Headers, HttpClient, HttpClientRequest } from "effect/http"

const source = "brave"

/** Where Brave Search is. */
export const defaultBaseUrl = "https://api.search.brave.com"

export interface Options {
  readonly key: Redacted.Redacted
  /** Scheme and host, without a path. */
  readonly baseUrl?: string
}

/** A page of results; without one `web` is left out. */
const Results = Schema.Struct({
  web: Schema.optional(
    Schema.NullOr(Schema.Struct({ results: Schema.Array(Schema.Struct({ url: Schema.String, title: Schema.String })) }))
  )
})

const decode = VendorHttp.decode(source, Results)

const ErrorAnswer = Schema.Struct({ error: Schema.Struct({ code: Schema.String }) })
const isError = Schema.is(ErrorAnswer)

/** A limit that comes back later than this is the plan's, not the second's. */
const SHORT = 3_600

/** What is left in each window, and the seconds until it is whole again. */
const windows = (headers: Headers.Headers) => {
  const numbers = (name: string) => (headers[name] ?? "").split(",").map((text) => Number.parseInt(text.trim(), 10))
  const resets = numbers("x-ratelimit-reset")
  return numbers("x-ratelimit-remaining").flatMap((remaining, at) => {
    const reset = resets[at] ?? Number.NaN
    return Number.isFinite(remaining) && Number.isFinite(reset) ? [{ remaining, reset }] : []
  })
}

/** Tells what is left: of the window that is used up for the longest time, else of the first one. */
const tell = (headers: Headers.Headers, now: number): Effect.Effect<void> => {
  const all = windows(headers)
  const [longest] = all.filter(({ remaining }) => remaining < 1).toSorted((a, b) => b.reset - a.reset)
  const binding = longest ?? all[0]
  if (binding === undefined) return Effect.void
  return Allowance.tell({ remaining: Math.max(0, binding.remaining), resetAt: now + binding.reset * 1000 })
}

/** What a status other than 200 comes to. The text of the error is not quoted. */
const refusal = ({ body, headers, status }: VendorHttp.Answer, now: number): SourceError.SourceError => {
  const code = isError(body) ? body.error.code : ""
  if (status === 401 || status === 403 || code === "SUBSCRIPTION_TOKEN_INVALID") {
    return new SourceError.Unauthorized({ source })
  }
  const spent = windows(headers).filter(({ remaining }) => remaining < 1)
  if (status === 402 || (status === 429 && (code === "QUOTA_LIMITED" || spent.some(({ reset }) => reset > SHORT)))) {
    return new SourceError.QuotaExhausted({ source })
  }
  if (status === 429) {
    const [first] = spent
    const reset = first === undefined ? null : first.reset * 1000
    return new SourceError.RateLimited({ source, retryAfter: VendorHttp.retryAfter(headers, now) ?? reset })
  }
  if (status === 400 || status === 404 || status === 422) {
    return new SourceError.InvalidInput({ source, problem: `status ${status}` })
  }
  if (status >= 500) return new SourceError.Unavailable({ source, problem: `status ${status}` })
  return new SourceError.InvalidResponse({ source, problem: `status ${status}` })
}

/** Brave Search over the `HttpClient` of the context. */
export const make = ({
  baseUrl = defaultBaseUrl,
  key
}: Options): Effect.Effect<SearchEngine, never, HttpClient.HttpClient> => {
  const credential: Source.Credential = { _tag: "ApiKey", key }
  return Effect.map(HttpClient.HttpClient, (client) => ({
    name: source,
    // What a plan allows it says in its headers, which are told; this bounds whoever has the largest.
    limits: { concurrency: 8, rate: { calls: 20, window: 1_000 }, timeout: 6_000 },
    search: Effect.fnUntraced(function* (query) {
      const answer = yield* HttpClientRequest.get("/res/v1/web/search", {
        urlParams: { q: query, count: "20", country: "ALL", result_filter: "web", text_decorations: "false" },
        headers: { "x-subscription-token": Redacted.value(key) }
      }).pipe(
        HttpClientRequest.prependUrl(baseUrl.replace(/\/+$/, "")),
        VendorHttp.json(source, credential),
        Effect.provideService(HttpClient.HttpClient, client)
      )
      const now = yield* Clock.currentTimeMillis
      yield* tell(answer.headers, now)
      if (answer.status !== 200) return yield* refusal(answer, now)
      const { web } = yield* decode(answer.body)
      return web?.results ?? []
    })
  }))
}
