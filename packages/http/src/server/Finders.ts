/**
 * From what is configured to the finder of contacts: companies' own sites alone, or with a search engine beside them. What
 * it needs and has not got ends the start.
 */
import type { Core } from "@lading/core"
import { ContactFinder, FoundPages, type PageReader, type SearchEngine } from "@lading/core/contact"
import { Effect, Layer, type Redacted } from "effect"
import type { HttpClient } from "effect/http"
import * as Adapters from "./Adapters.ts"
import { CannotStart } from "./CannotStart.ts"

export const names = ["website", "searxng", "brave"] as const
export type Name = (typeof names)[number]

export interface Options {
  readonly name: Name
  readonly url: string | null
  readonly key: Redacted.Redacted | null
}

/** How pages are read. */
interface Pages {
  /** Whether companies' own sites may be read where no search engine is chosen. */
  readonly enabled: boolean
  /** A relay that every page is asked for at, for simulators; `null` for the web. */
  readonly baseUrl: string | null
}

type Engine = Effect.Effect<SearchEngine, CannotStart, HttpClient.HttpClient>

const cannot = (variable: "URL" | "KEY", problem: string) =>
  Effect.fail(new CannotStart({ variable: `LADING_CONTACT_FINDER_${variable}`, problem }))

const searxng = Effect.fnUntraced(function* ({
  key,
  url
}: Options): Effect.fn.Return<SearchEngine, CannotStart, HttpClient.HttpClient> {
  if (url === null) return yield* cannot("URL", "LADING_CONTACT_FINDER=searxng needs the address of your SearXNG")
  if (key !== null) return yield* cannot("KEY", "expected nothing: SearXNG takes no key")
  const make = yield* Adapters.loadSearxng
  return yield* make({ baseUrl: url })
})

const brave = Effect.fnUntraced(function* ({
  key,
  url
}: Options): Effect.fn.Return<SearchEngine, CannotStart, HttpClient.HttpClient> {
  if (key === null) return yield* cannot("KEY", "LADING_CONTACT_FINDER=brave needs it")
  const make = yield* Adapters.loadBrave
  return yield* make({ key, ...(url === null ? {} : { baseUrl: url }) })
})

const over = (engine: Engine, reader: Layer.Layer<PageReader.PageReader, CannotStart>) =>
  FoundPages.layer(engine).pipe(Layer.provide(reader))

/** Whoever chooses a search engine has pages read; otherwise nothing is, unless `LADING_WEBSITE` says so. */
export const layer = (
  options: Options,
  { baseUrl, enabled }: Pages
): Layer.Layer<ContactFinder.ContactFinder, CannotStart, HttpClient.HttpClient | Core.Limits> => {
  const reader = Layer.unwrap(Adapters.loadPageReader(baseUrl === null ? {} : { baseUrl }))
  switch (options.name) {
    case "website":
      return enabled ? ContactFinder.layerSite.pipe(Layer.provide(reader)) : ContactFinder.layerNone
    case "searxng":
      return over(searxng(options), reader)
    case "brave":
      return over(brave(options), reader)
  }
}
