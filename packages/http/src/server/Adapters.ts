/**
 * From an adapter's name to its code: the one place that knows the vendors. Each is imported when a slot is bound to it
 * and not before, so that a driver that is not configured is never loaded.
 *
 * A vendor that is added to the house is added here, by one entry.
 */
import type { PageReader } from "@lading/core/contact"
import type { Planner } from "@lading/core/task"
import type { Source } from "@lading/core/waterfall"
import type * as OpenAi from "@lading/openai"
import { Effect, type Layer } from "effect"
import type { HttpClient } from "effect/http"
import { CannotStart } from "./CannotStart.ts"

export interface Options {
  /** Scheme and host; left out, the vendor's own. */
  readonly baseUrl?: string
}

/** Makes the source over the `HttpClient` of the context. */
export type Make = (options: Options) => Effect.Effect<Source.Source, never, HttpClient.HttpClient>

interface Adapter {
  /** Whether there is no address to fall back on. */
  readonly needsBaseUrl: boolean
  readonly load: () => Promise<Make>
}

const adapters: ReadonlyMap<string, Adapter> = new Map([
  ["apollo", { needsBaseUrl: false, load: () => import("@lading/apollo").then(({ make }) => make) }],
  ["hunter", { needsBaseUrl: false, load: () => import("@lading/hunter").then(({ make }) => make) }],
  ["peopledatalabs", { needsBaseUrl: false, load: () => import("@lading/peopledatalabs").then(({ make }) => make) }],
  ["snov", { needsBaseUrl: false, load: () => import("@lading/snov").then(({ make }) => make) }],
  ["website", { needsBaseUrl: false, load: () => import("@lading/website").then(({ make }) => make) }],
  ["plain", { needsBaseUrl: true, load: () => import("../sandbox/PlainVendor.ts").then(({ make }) => make) }]
])

/** Every adapter there is. */
export const names: ReadonlyArray<string> = Array.from(adapters.keys())

export const needsBaseUrl = (name: string): boolean => adapters.get(name)?.needsBaseUrl ?? false

/** Loads the reader of pages of companies' own sites. */
export const loadPageReader = (options: Options): Effect.Effect<Layer.Layer<PageReader.PageReader>, CannotStart> =>
  Effect.tryPromise({
    try: () => import("@lading/website").then(({ layerPageReader }) => layerPageReader(options)),
    catch: (cause) => unloadable("website", cause)
  })

/** Loads an adapter of a search engine that finders of contacts ask. */
const searchEngine = <A>(name: string, module: () => Promise<A>): Effect.Effect<A, CannotStart> =>
  Effect.tryPromise({ try: module, catch: (cause) => unloadable(name, cause) })

export const loadSearxng = searchEngine("searxng", () => import("@lading/searxng").then(({ make }) => make))

export const loadBrave = searchEngine("brave", () => import("@lading/brave").then(({ make }) => make))

/** Loads the planner that asks a language model. */
export const loadPlanner = (
  options: OpenAi.Options
): Effect.Effect<Layer.Layer<Planner.Planner, never, HttpClient.HttpClient>, CannotStart> =>
  Effect.tryPromise({
    try: () => import("@lading/openai").then(({ layer }) => layer(options)),
    catch: (cause) => unloadable("openai", cause)
  })

const unloadable = (name: string, cause: unknown) =>
  new CannotStart({
    variable: null,
    problem: `the adapter ${name} cannot be loaded: ${cause instanceof Error ? cause.message : "unknown reason"}`
  })

/** Loads an adapter's code. */
export const load = (name: string): Effect.Effect<Make, CannotStart> => {
  const adapter = adapters.get(name)
  if (adapter === undefined) {
    const problem = `there is no adapter ${JSON.stringify(name)}, only ${names.join(", ")}`
    return Effect.fail(new CannotStart({ variable: null, problem }))
  }
  return Effect.tryPromise({
    try: adapter.load,
    catch: (cause) => unloadable(name, cause)
  })
}
