/**
 * A SearXNG on loopback: a real server that finds the pages of the index that it is given. Its faults are those of an
 * instance: `WrongKey` is one without JSON among its formats (403), `QuotaExhausted` its limiter (429).
 */
import { SearchIndex, Simulator } from "@lading/testing"
import type { Effect, Scope } from "effect"

export interface Options extends Simulator.Options {
  readonly index: ReadonlyArray<SearchIndex.Listed>
  /** Engines behind it that do not answer, each with its reason. */
  readonly unresponsive?: ReadonlyArray<readonly [engine: string, reason: string]>
}

/** It wants no credential; the kit wants one that is always there. */
const NOBODY = "nobody-asks-for-a-key"

const page = (status: number, title: string): Simulator.Reply => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><title>${status} ${title}</title><h1>${title}</h1>`
})

const answerOf = (
  query: string,
  results: ReadonlyArray<SearchIndex.Listed>,
  unresponsive: Options["unresponsive"] = []
): Simulator.Reply => ({
  status: 200,
  body: {
    query,
    number_of_results: 0,
    results: results.map(({ content, title, url }, at) => ({
      url,
      title,
      content,
      engine: "duckduckgo",
      engines: ["duckduckgo"],
      category: "general",
      template: "default.html",
      positions: [at + 1],
      score: 1 / (at + 1)
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: unresponsive
  }
})

const dialect = ({ index, unresponsive }: Options): Simulator.Dialect => ({
  vendor: "searxng",
  credential: () => NOBODY,
  answer: ({ path, query }) => {
    if (path !== "/search") return page(404, "Not Found")
    const { format, q = "" } = query
    if (q === "") return { status: 400, body: "No query" }
    return format === "json" ? answerOf(q, SearchIndex.find(index, q), unresponsive) : page(200, "SearXNG")
  },
  miss: ({ query }) => answerOf(query["q"] ?? "", []),
  wrongKey: () => page(403, "Forbidden"),
  quotaExhausted: () => page(429, "Too Many Requests"),
  rateLimited: (seconds) => {
    const said = page(429, "Too Many Requests")
    return seconds === null ? said : { ...said, headers: { ...said.headers, "retry-after": String(seconds) } }
  },
  suppressed: null
})

/** Starts it; it stops with its scope. Its `url` is the adapter's `baseUrl`. */
export const start = (options: Options): Effect.Effect<Simulator.Simulator, never, Scope.Scope> =>
  Simulator.make(dialect(options), options)
