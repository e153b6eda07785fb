/** The finder over Brave Search: real HTTP to a simulated one, and pages in memory. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { FoundPages, PageReader } from "@lading/core/contact"
import { Allowance, type SourceError } from "@lading/core/waterfall"
import { Pages, type Simulator } from "@lading/testing"
import { contactFinderSuite } from "@lading/testing/suites"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Brave from "./index.ts"
import { start } from "./simulator/index.ts"

const secret = "brave-contract-marker-90d2"
const key = Redacted.make(secret)

const finder = (baseUrl: string, pages: ReadonlyArray<PageReader.Page> = Pages.all) =>
  FoundPages.layer(Brave.make({ baseUrl, key })).pipe(
    Layer.provide([PageReader.layerMemory(pages), Core.layerLimits, FetchHttpClient.layer])
  )

contactFinderSuite("brave", {
  layer: Layer.unwrap(Effect.map(start({ index: Pages.index, credentials: [secret] }), ({ url }) => finder(url))),
  down: finder("http://127.0.0.1:1", []),
  known: {
    sought: Pages.sought,
    url: Pages.kontakt.url,
    email: "salg@nordhavn.example",
    phone: "+45 32 12 34 56",
    from: ["website", "brave"]
  },
  unknown: Pages.unknown
})

const asked = Effect.fnUntraced(function* (fault: Simulator.Fault | null) {
  const simulator = yield* start({ index: Pages.index, credentials: [secret] })
  if (fault !== null) yield* simulator.fail(fault)
  const { search } = yield* Brave.make({ baseUrl: simulator.url, key })
  const heard: Array<Allowance.Allowance> = []
  const listening = (query: string) =>
    Effect.provideService(search(query), Allowance.Listener, (allowance) =>
      Effect.sync(() => void heard.push(allowance))
    )
  return { simulator, search: listening, heard }
}, Effect.provide(FetchHttpClient.layer))

describe("Brave Search", () => {
  it.live("is asked for the whole world, and gives addresses and titles in its order", () =>
    Effect.gen(function* () {
      const { search, simulator } = yield* asked(null)
      const found = yield* search('"nordhavn maritime" contact')
      assert.deepStrictEqual(found[0], { url: Pages.directory.url, title: "Maritime suppliers" })
      const [call] = yield* simulator.calls
      assert.deepInclude(call?.query, { q: '"nordhavn maritime" contact', country: "ALL", count: "20" })
      assert.isTrue(call?.authorized)
      assert.notInclude(JSON.stringify(call), secret)
      assert.deepStrictEqual(yield* search('"zzyxoma"'), [])
    })
  )

  it.live("tells what is left of the window that is used up, else of the second", () =>
    Effect.gen(function* () {
      const before = Date.now()
      const { heard, search, simulator } = yield* asked(null)
      yield* search('"nordhavn maritime"')
      assert.strictEqual(heard[0]?.remaining, 19)
      assert.isBelow((heard[0]?.resetAt ?? 0) - before, 60_000)
      yield* simulator.fail({ _tag: "QuotaExhausted" })
      yield* Effect.flip(search('"nordhavn maritime"'))
      assert.strictEqual(heard[1]?.remaining, 0)
      assert.isAbove((heard[1]?.resetAt ?? 0) - before, 1_419_000_000)
    })
  )

  const faults: ReadonlyArray<readonly [Simulator.Fault, SourceError.SourceError["_tag"]]> = [
    [{ _tag: "WrongKey" }, "Unauthorized"],
    [{ _tag: "QuotaExhausted" }, "QuotaExhausted"],
    [{ _tag: "RateLimited", retryAfterSeconds: 7 }, "RateLimited"],
    [{ _tag: "RateLimited", retryAfterSeconds: null }, "RateLimited"],
    [{ _tag: "ServerError", status: 502 }, "Unavailable"],
    [{ _tag: "Drop" }, "Unavailable"],
    [{ _tag: "MalformedJson" }, "InvalidResponse"],
    [{ _tag: "TruncatedJson" }, "Unavailable"],
    [{ _tag: "WrongShape" }, "InvalidResponse"]
  ]
  for (const [fault, tag] of faults) {
    it.live(`is ${tag} on ${JSON.stringify(fault)}`, () =>
      Effect.gen(function* () {
        const { search } = yield* asked(fault)
        const error = yield* Effect.flip(search('"nordhavn maritime"'))
        assert.strictEqual(error._tag, tag)
        assert.notInclude(JSON.stringify(error), secret)
        if (fault._tag === "RateLimited") {
          const { retryAfterSeconds: seconds } = fault
          assert.deepInclude(error, { retryAfter: seconds === null ? null : seconds * 1000 })
        }
      })
    )
  }

  it.live("cannot work with a question that is too long", () =>
    Effect.gen(function* () {
      const { search } = yield* asked(null)
      assert.strictEqual((yield* Effect.flip(search("a".repeat(401))))._tag, "InvalidInput")
    })
  )
})
