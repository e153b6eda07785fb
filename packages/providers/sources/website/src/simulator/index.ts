/**
 * The web on loopback: one server that answers for the site of every synthetic company. Its `url` is the source's
 * `baseUrl`, to which requests come in their absolute form; the host that they are for is in `Host`.
 *
 * A host that nobody has is 404, where the real web has no address.
 */
import { Population, Simulator } from "@lading/testing"
import type { Effect, Scope } from "effect"
import * as Site from "./Site.ts"

export * as Hostile from "./Hostile.ts"
export * as Server from "./Server.ts"

export interface Options extends Simulator.Options {
  readonly population?: Population.SyntheticPopulation
}

/** Sites want no credential; the kit wants one that is always there. */
const NOBODY = "nobody-asks-for-a-key"

const dialect = (population: Population.SyntheticPopulation): Simulator.Dialect => ({
  vendor: "website",
  credential: () => NOBODY,
  answer: ({ headers, path }) => Site.respond(population, headers["host"] ?? "", path),
  miss: () => Site.notFound,
  wrongKey: () => ({ status: 401, body: "who are you?" }),
  quotaExhausted: () => ({ status: 402, body: "payment required" }),
  rateLimited: (seconds) => ({
    status: 429,
    body: "too many requests",
    headers: seconds === null ? {} : { "retry-after": String(seconds) }
  }),
  suppressed: null
})

/** Starts the web; it stops with its scope. */
export const start = (options: Options = {}): Effect.Effect<Simulator.Simulator, never, Scope.Scope> =>
  Simulator.make(dialect(options.population ?? Population.standard), options)
