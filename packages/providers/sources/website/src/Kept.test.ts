import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Company from "./Company.ts"
import * as Extract from "./Extract.ts"
import { found } from "./fixtures/Page.ts"
import * as Kept from "./Kept.ts"

/** A page that says as much as may be kept of one. */
const loud = (path: string): Extract.Extract => {
  const words = "Acme says a lot of things about itself. ".repeat(60)
  const organization = JSON.stringify({
    "@type": "Organization",
    name: "Acme",
    description: words,
    sameAs: Array.from({ length: 100 }, (_, at) => `https://www.linkedin.com/company/acme-${at}${"x".repeat(150)}`)
  })
  const html = [
    `<title>${words}</title><meta name=description content="${words}"><meta name=keywords content="${words}">`,
    ...Array.from({ length: 10 }, () => `<script type="application/ld+json">${organization}</script>`),
    ...Array.from(
      { length: 100 },
      (_, at) => `<a href="mailto:a${at}@acme.example">x</a><a href="tel:+44207946${1000 + at}">x</a>`
    ),
    ...Array.from(
      { length: 100 },
      (_, at) => `<a href="https://www.linkedin.com/company/acme${at}${"y".repeat(200)}">x</a>`
    ),
    ...Array.from(
      { length: 30 },
      (_, at) => `<address>${"Acme ".repeat(100)}<br>Street ${at}<br>10115 Berlin</address>`
    )
  ]
  return Extract.of(
    found({ request: `GET https://acme.example${path}`, status: 200, headers: {}, html }),
    "acme.example",
    "further"
  )
}

describe("what is kept of a site", () => {
  it("is no larger than its limit, whatever its pages say, and can be read", () => {
    const pages = ["/", "/contact", "/about", "/imprint", "/company"].map(loud)
    const [home, ...others] = pages
    assert(home !== undefined)
    const kept = Kept.bounded({ domain: "acme.example", pages: [home, ...others], unread: [] })
    assert.isAtMost(JSON.stringify(kept).length, Kept.KEPT)
    assert.strictEqual(kept.pages[0].url, "https://acme.example/")
    const facts = Company.facts(Schema.decodeUnknownSync(Company.Site)(JSON.parse(JSON.stringify(kept))))
    assert.isNotNull(facts.description)
    assert.isNotEmpty(facts.emails ?? [])
    assert.strictEqual(kept.pages.length + kept.unread.length, pages.length, "what was left out is named")
  })

  it("is everything where that is little", () => {
    const page = Extract.of(
      found({ request: "GET https://acme.example/", status: 200, headers: {}, html: ["<title>Acme</title>"] }),
      "acme.example",
      "home"
    )
    const site = { domain: "acme.example", pages: [page, page, page] as const, unread: [] }
    assert.deepStrictEqual(Kept.bounded(site), site)
  })
})
