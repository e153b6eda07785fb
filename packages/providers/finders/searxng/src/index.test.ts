/** The finder over a SearXNG: real HTTP to a simulated one, and pages in memory. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { FoundPages, PageReader } from "@lading/core/contact"
import type { SourceError } from "@lading/core/waterfall"
import { Pages, type Simulator } from "@lading/testing"
import { contactFinderSuite } from "@lading/testing/suites"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Searxng from "./index.ts"
import { start } from "./simulator/index.ts"

const finder = (baseUrl: string, pages: ReadonlyArray<PageReader.Page> = Pages.all) =>
  FoundPages.layer(Searxng.make({ baseUrl })).pipe(
    Layer.provide([PageReader.layerMemory(pages), Core.layerLimits, FetchHttpClient.layer])
  )

contactFinderSuite("searxng", {
  layer: Layer.unwrap(Effect.map(start({ index: Pages.index }), ({ url }) => finder(`${url}/`))),
  // Without the own site, which would be there all the same.
  down: finder("http://127.0.0.1:1", []),
  known: {
    sought: Pages.sought,
    url: Pages.kontakt.url,
    email: "salg@nordhavn.example",
    phone: "+45 32 12 34 56",
    from: ["website", "searxng"]
  },
  unknown: Pages.unknown
})

const asked = Effect.fnUntraced(function* (options: Partial<Parameters<typeof start>[0]>, fault?: Simulator.Fault) {
  const simulator = yield* start({ index: Pages.index, ...options })
  if (fault !== undefined) yield* simulator.fail(fault)
  const { search } = yield* Searxng.make({ baseUrl: simulator.url })
  return { simulator, search }
}, Effect.provide(FetchHttpClient.layer))

describe("SearXNG", () => {
  it.live("is asked for JSON of the web, and gives addresses and titles in its order", () =>
    Effect.gen(function* () {
      const { search, simulator } = yield* asked({})
      const found = yield* search('"nordhavn maritime" contact')
      assert.deepStrictEqual(found[0], { url: Pages.directory.url, title: "Maritime suppliers" })
      const [call] = yield* simulator.calls
      assert.deepStrictEqual([call?.method, call?.path], ["GET", "/search"])
      assert.deepStrictEqual(call?.query, { q: '"nordhavn maritime" contact', format: "json", categories: "general" })
    })
  )

  it.live("has found nothing only where every engine behind it answered", () =>
    Effect.gen(function* () {
      const unresponsive = [["google", "timeout"]] as const
      const { search } = yield* asked({ unresponsive })
      assert.isNotEmpty(yield* search('"nordhavn maritime"'))
      const error = yield* Effect.flip(search('"zzyxoma"'))
      assert(error._tag === "InvalidResponse")
      assert.include(error.problem, "1 of its engines")
      const { search: healthy } = yield* asked({})
      assert.deepStrictEqual(yield* healthy('"zzyxoma"'), [])
    })
  )

  const faults: ReadonlyArray<readonly [Simulator.Fault, SourceError.SourceError["_tag"]]> = [
    [{ _tag: "WrongKey" }, "InvalidResponse"],
    [{ _tag: "QuotaExhausted" }, "RateLimited"],
    [{ _tag: "RateLimited", retryAfterSeconds: 7 }, "RateLimited"],
    [{ _tag: "ServerError", status: 502 }, "Unavailable"],
    [{ _tag: "Drop" }, "Unavailable"],
    [{ _tag: "MalformedJson" }, "InvalidResponse"],
    [{ _tag: "TruncatedJson" }, "Unavailable"],
    [{ _tag: "WrongShape" }, "InvalidResponse"]
  ]
  for (const [fault, tag] of faults) {
    it.live(`is ${tag} on ${fault._tag}`, () =>
      Effect.gen(function* () {
        const { search } = yield* asked({}, fault)
        const error = yield* Effect.flip(search('"nordhavn maritime"'))
        assert.strictEqual(error._tag, tag)
        if (fault._tag === "WrongKey") assert.include(JSON.stringify(error), "search.formats")
        if (fault._tag === "RateLimited") assert.deepInclude(error, { retryAfter: 7_000 })
      })
    )
  }
})
