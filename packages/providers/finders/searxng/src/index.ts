/**
 * A SearXNG as the search engine behind a finder of contacts: a metasearch engine that operators run themselves, without a
 * key and without a charge. What becomes of the pages is `FoundPages`, in core.
 *
 * Facts are from its documentation (docs.searxng.org, "Search API" and "search:" of the settings; read on 2026-11-22) and,
 * where that is silent, from its issues.
 *
 * Gotchas
 * - JSON has to be among `search.formats` of its settings; as installed it is not, and then every question is 403.
 * - Its limiter takes programs for robots and answers 429; for an instance of one's own it is switched off.
 * - An engine behind it that was blocked or too slow is named in `unresponsive_engines`. Where nothing was found and some
 *   did not answer, nobody knows whether there is something: that is an error, not an empty list.
 */
import type { SearchEngine } from "@lading/core/contact"
import { SourceError, VendorHttp } from "@lading/core/waterfall"
import { Clock, Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

const source = "searxng"

export interface Options {
  /** Where it is: scheme and host, with the path that it may be under. */
  readonly baseUrl: string
}

const Results = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      url: Schema.optional(Schema.NullOr(Schema.String)),
      title: Schema.optional(Schema.NullOr(Schema.String))
    })
  ),
  /** Pairs of a name and a reason; how many there are is all that is read. */
  unresponsive_engines: Schema.optional(Schema.Array(Schema.Unknown))
})

const decode = VendorHttp.decode(source, Results)

const invalid = (problem: string) => new SourceError.InvalidResponse({ source, problem })

/** What a status other than 200 comes to. */
const refusal = ({ headers, status }: VendorHttp.Answer, now: number): SourceError.SourceError => {
  if (status === 403) return invalid("status 403: JSON is not among search.formats of its settings")
  if (status === 429) return new SourceError.RateLimited({ source, retryAfter: VendorHttp.retryAfter(headers, now) })
  if (status === 401) return new SourceError.Unauthorized({ source })
  if (status === 400) return new SourceError.InvalidInput({ source, problem: "status 400" })
  if (status >= 500) return new SourceError.Unavailable({ source, problem: `status ${status}` })
  return invalid(`status ${status}`)
}

const listings = Effect.fnUntraced(function* (body: unknown) {
  const { results, unresponsive_engines = [] } = yield* decode(body)
  const found = results.flatMap(({ title, url }) =>
    url === undefined || url === null || url === "" ? [] : [{ url, title: title ?? "" }]
  )
  if (found.length === 0 && unresponsive_engines.length > 0) {
    return yield* invalid(`nothing found, and ${unresponsive_engines.length} of its engines did not answer`)
  }
  return found
})

/** A SearXNG over the `HttpClient` of the context. */
export const make = ({ baseUrl }: Options): Effect.Effect<SearchEngine, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) => ({
    name: source,
    // It waits some seconds for the engines behind it (`outgoing.request_timeout`), which count its questions themselves.
    limits: { concurrency: 4, rate: { calls: 5, window: 1_000 }, timeout: 8_000 },
    search: Effect.fnUntraced(function* (query) {
      const answer = yield* HttpClientRequest.get("/search", {
        urlParams: { q: query, format: "json", categories: "general" }
      }).pipe(
        HttpClientRequest.prependUrl(baseUrl.replace(/\/+$/, "")),
        VendorHttp.json(source),
        Effect.provideService(HttpClient.HttpClient, client)
      )
      if (answer.status !== 200) return yield* refusal(answer, yield* Clock.currentTimeMillis)
      return yield* listings(answer.body)
    })
  }))
