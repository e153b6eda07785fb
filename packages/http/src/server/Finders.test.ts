/**
 * Contacts of a company behind `POST /api/customs/companies/semantic-query`, as it is configured: the search engine over
 * real HTTP, and the pages that it lists over real HTTP as well, from sites on loopback.
 */
import { assert, describe, it } from "@effect/vitest"
import { start as startBrave } from "@lading/brave/simulator"
import { Core } from "@lading/core"
import { start as startSearxng } from "@lading/searxng/simulator"
import type { SearchIndex } from "@lading/testing"
import { Hostile, Server as Web } from "@lading/website/simulator"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Customs from "../fixtures/Customs.ts"
import * as TestServer from "../fixtures/TestServer.ts"
import * as Configuration from "./Configuration.ts"
import * as Finders from "./Finders.ts"

const trader = Customs.traders[0] ?? ""
const name = Effect.runSync(Effect.orDie(Customs.store.details(trader)))?.name ?? ""
const domains = [
  { trader_id: trader, name: null, country: null, domain: "largest.example", origin: "operator" as const }
]

const secret = "finder-key-marker-77a1"

/** Not linked to from its home page, so that only an engine knows of it. */
const sites = {
  "largest.example": Hostile.site({
    "/": `<title>${name}</title><p>Write to <a href="mailto:info@largest.example">us</a></p>`,
    "/desk": `<title>Sales desk</title><p>Tel.: <a href="tel:+4722000071">22 00 00 71</a>
      <a href="mailto:desk@largest.example">desk</a> <a href="mailto:studio@agency.example">studio</a></p>`,
    "/away": Hostile.redirect("http://169.254.169.254/latest/meta-data/")
  }),
  "directory.example": Hostile.site({
    "/list": `<title>Traders</title><p>${name}</p><p>Phone: +47 22 00 00 72</p><p>listed@postbox.example</p>`
  }),
  "stranger.example": Hostile.site({ "/": "<title>Stranger</title><p>me@stranger.example</p>" })
}

const index: ReadonlyArray<SearchIndex.Listed> = [
  "https://directory.example/list",
  "https://stranger.example/",
  "https://largest.example/away",
  "http://127.0.0.1/admin",
  "https://largest.example/desk"
].map((url) => ({ url, title: "Found", content: `${name} and others` }))

const finder = Effect.fnUntraced(function* (environment: Configuration.Environment, baseUrl: string) {
  const { finder: options } = yield* Configuration.read(environment)
  return Finders.layer(options, { enabled: true, baseUrl }).pipe(
    Layer.provide([Core.layerLimits, FetchHttpClient.layer]),
    Layer.orDie
  )
})

const started = Effect.fnUntraced(function* (environment: Configuration.Environment) {
  const web = yield* Web.start(sites)
  const server = yield* TestServer.make({
    trade: Customs.layer,
    domains,
    finder: yield* finder(environment, web.url)
  })
  const ask = (body: unknown) => Effect.promise(() => server.send("/api/customs/companies/semantic-query", { body }))
  return { ask, server, web }
})

const contact = { mobile: "", email: "", facebook: "", linkedin: "", instagram: "", twitter: "" }

const expected = (from: string) => [
  {
    title: name,
    url: "https://largest.example/",
    contact: { ...contact, email: "info@largest.example" },
    from: "website"
  },
  {
    title: "Sales desk",
    url: "https://largest.example/desk",
    contact: { ...contact, mobile: "+47 22 00 00 71", email: "desk@largest.example" },
    from
  },
  { title: "Traders", url: "https://directory.example/list", contact: { ...contact, mobile: "+47 22 00 00 72" }, from }
]

const environments = {
  searxng: (url: string) => ({ LADING_CONTACT_FINDER: "searxng", LADING_CONTACT_FINDER_URL: url }),
  brave: (url: string) => ({
    LADING_CONTACT_FINDER: "brave",
    LADING_CONTACT_FINDER_URL: url,
    LADING_CONTACT_FINDER_KEY: secret
  })
}

const starts = { searxng: startSearxng, brave: startBrave }

for (const engine of ["searxng", "brave"] as const) {
  describe(`web contacts by ${engine}`, () => {
    const simulated = Effect.fnUntraced(function* () {
      const simulator = yield* starts[engine]({ index, ...(engine === "brave" ? { credentials: [secret] } : {}) })
      return { simulator, ...(yield* started(environments[engine](simulator.url))) }
    })

    it.live("are those of the own site, then of pages that speak of the company, for one price", () =>
      Effect.gen(function* () {
        const { ask, server, simulator, web } = yield* simulated()
        const sent = yield* ask({ company_id: trader })
        assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
        assert.deepStrictEqual(sent.body.data.data, expected(engine))
        assert.strictEqual(sent.body.meta.billing.credits_charged, 0.5)
        assert.strictEqual((yield* simulator.calls).length, 1)
        // Neither the listed address that is not public was asked, nor the one that a page led to.
        const asked = yield* web.asked
        assert.isEmpty(asked.filter((line) => /127\.0\.0\.1|169\.254/.test(line)))
        assert.notInclude(server.logs.join("\n"), secret)
      })
    )

    it.live("are none and free where there is nothing", () =>
      Effect.gen(function* () {
        const { ask } = yield* simulated()
        const sent = yield* ask({ company_name: "Zzyxoma Prefabs Ltda" })
        assert.strictEqual(sent.status, 200)
        assert.deepStrictEqual(sent.body.data.data, [])
        assert.strictEqual(sent.body.meta.billing.credits_charged, 0)
      })
    )

    it.live("are found for a company without a domain, and say that its addresses may be of anybody", () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make({
          trade: Customs.layer,
          finder: yield* finder(
            environments[engine]((yield* starts[engine]({ index })).url),
            (yield* Web.start(sites)).url
          )
        })
        const sent = yield* Effect.promise(() =>
          server.send("/api/customs/companies/semantic-query", { body: { company_id: trader } })
        )
        const listed = sent.body.data.data.find(({ url }: { url: string }) => url === "https://directory.example/list")
        assert.strictEqual(listed.contact.email, "listed@postbox.example")
        assert.strictEqual(listed.from, `${engine}_other_domain`)
      })
    )

    it.live("are those of the own site where the engine is down, and 503 where that is not known", () =>
      Effect.gen(function* () {
        const { ask, server, simulator } = yield* simulated()
        yield* simulator.fail({ _tag: "ServerError", status: 500 })
        const known = yield* ask({ company_id: trader })
        assert.deepStrictEqual(known.body.data.data, expected(engine).slice(0, 1))
        assert.isTrue(server.logs.some((line) => line.includes("own sites only") && line.includes(engine)))
        assert.isFalse(server.logs.some((line) => line.includes(name)))
        const sent = yield* ask({ company_name: "Zzyxoma Prefabs Ltda" })
        assert.strictEqual(sent.status, 503)
        assert.deepInclude(sent.body.error, { code: "unavailable", retryable: true })
        assert.strictEqual(sent.body.meta.billing.credits_charged, 0)
      })
    )
  })
}

describe("the finder as it is configured", () => {
  const refusal = (environment: Configuration.Environment) =>
    Effect.gen(function* () {
      const { finder: options } = yield* Configuration.read(environment)
      const layer = Finders.layer(options, { enabled: true, baseUrl: null }).pipe(
        Layer.provide([Core.layerLimits, FetchHttpClient.layer])
      )
      return (yield* Effect.flip(Layer.build(layer))).message
    })

  it.live("does not start without what the engine needs, and says what that is", () =>
    Effect.gen(function* () {
      assert.match(yield* refusal({ LADING_CONTACT_FINDER: "searxng" }), /^LADING_CONTACT_FINDER_URL: /)
      assert.match(yield* refusal({ LADING_CONTACT_FINDER: "brave" }), /^LADING_CONTACT_FINDER_KEY: /)
      const keyed = { LADING_CONTACT_FINDER_URL: "http://search.acme.example", LADING_CONTACT_FINDER_KEY: secret }
      const message = yield* refusal({ ...keyed, LADING_CONTACT_FINDER: "searxng" })
      assert.strictEqual(message, "LADING_CONTACT_FINDER_KEY: expected nothing: SearXNG takes no key")
    })
  )
})
