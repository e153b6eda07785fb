/** The reader of pages, over the sites of the synthetic companies. */
import { assert, it } from "@effect/vitest"
import { PageReader } from "@lading/core/contact"
import { pageReaderSuite } from "@lading/testing/suites"
import { Effect, Layer } from "effect"
import * as Website from "./index.ts"
import * as Hostile from "./simulator/Hostile.ts"
import * as Simulator from "./simulator/index.ts"
import * as Server from "./simulator/Server.ts"

const contact = Hostile.site({
  "/contact": `<!doctype html><html lang="en-GB"><title>Contact - Acme Robotics</title>
    <h1>Contact</h1><p>Tel.: 020 7946 0071<br>Fax: 020 7946 0072</p>
    <a href="mailto:info@acme.example">Write</a> <a href="/about#top">About</a> <a href="javascript:void(0)">Menu</a>
    <a href="https://www.linkedin.com/company/acme-example" rel="me noopener">LinkedIn</a> studio@agency.example`,
  "/private": "<title>Private</title>",
  "/robots.txt": "User-agent: *\nDisallow: /private\n"
})

const layer = Layer.unwrap(
  Effect.map(Server.start({ "acme.example": contact }), ({ url }) => Website.layerPageReader({ baseUrl: url }))
)

pageReaderSuite("website", {
  layer,
  known: {
    url: "https://acme.example/contact",
    title: "Contact - Acme Robotics",
    language: "en-GB",
    text: "Tel.: 020 7946 0071\nFax",
    link: "https://acme.example/about",
    email: "info@acme.example",
    phone: "+44 20 7946 0071",
    linkedin: "https://www.linkedin.com/company/acme-example"
  },
  unknown: "https://acme.example/nothing"
})

it.live("reads what of a page is the site's own and what is not, and obeys robots.txt", () =>
  Effect.gen(function* () {
    const { read } = yield* PageReader.PageReader
    const page = yield* read("https://acme.example/contact#phone")
    assert.deepStrictEqual(page.emails, ["info@acme.example", "studio@agency.example"])
    assert.deepStrictEqual(page.phones, ["+44 20 7946 0071"])
    assert.deepStrictEqual(page.links, [
      { url: "https://acme.example/about", text: "About", rel: [] },
      { url: "https://www.linkedin.com/company/acme-example", text: "LinkedIn", rel: ["me", "noopener"] }
    ])
    // Asked with another country, a number without a code is another number.
    assert.deepStrictEqual((yield* read("https://acme.example/contact", { country: "NO" })).phones, [])
    assert.strictEqual((yield* Effect.flip(read("https://acme.example/private")))._tag, "PageForbidden")
  }).pipe(Effect.provide(layer))
)

it.live("reads the pages of the synthetic companies behind their redirects", () =>
  Effect.gen(function* () {
    const { url } = yield* Simulator.start()
    const page = yield* Effect.flatMap(PageReader.PageReader, ({ read }) =>
      read("http://nordvik-robotics.example/contact")
    ).pipe(Effect.provide(Website.layerPageReader({ baseUrl: url })))
    assert.strictEqual(page.url, "https://www.nordvik-robotics.example/contact")
    assert.strictEqual(page.language, "nb-NO")
    assert.include(page.emails, "info@nordvik-robotics.example")
  })
)
