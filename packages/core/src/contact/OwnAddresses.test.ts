import { assert, describe, it } from "@effect/vitest"
import type { WebContact } from "./ContactFinder.ts"
import * as OwnAddresses from "./OwnAddresses.ts"

const page = (url: string, emails: ReadonlyArray<string>, phones: ReadonlyArray<string> = []): WebContact => ({
  title: "Contact",
  url,
  emails,
  phones,
  linkedin_url: null,
  facebook_url: null,
  instagram_url: null,
  twitter_url: null,
  from: "website"
})

const shown = (domain: string | null, ...pages: ReadonlyArray<WebContact>) =>
  OwnAddresses.only(domain, pages).map(({ emails, from, url }) => [url, emails, from])

describe("addresses on pages of a company", () => {
  it("are those of its own domain, and of those below it; others are left out", () => {
    assert.deepStrictEqual(
      shown(
        "acme.example",
        page("/", ["sales@ACME.example", "info@eu.acme.example", "hello@notacme.example", "by@maker.example"])
      ),
      [["/", ["sales@ACME.example", "info@eu.acme.example"], "website"]]
    )
    assert.deepStrictEqual(shown("shop.acme.example", page("/", ["sales@acme.example", "by@maker.example"])), [
      ["/", ["sales@acme.example"], "website"]
    ])
  })

  it("of others are left out on every page when one page has some of its own, and a page that says nothing else with them", () => {
    assert.deepStrictEqual(
      shown(
        "acme.example",
        page("/", ["by@maker.example"]),
        page("/office", ["by@maker.example"], ["+47 22 00 00 00"]),
        page("/contact", ["sales@acme.example"])
      ),
      [
        ["/office", [], "website"],
        ["/contact", ["sales@acme.example"], "website"]
      ]
    )
  })

  it("of others are shown where nothing else is there, and not as the company's", () => {
    assert.deepStrictEqual(
      shown("acme.example", page("/", ["acme@post.example"]), page("/office", [], ["+47 22 00 00 00"])),
      [
        ["/", ["acme@post.example"], "website_other_domain"],
        ["/office", [], "website"]
      ]
    )
    assert.deepStrictEqual(shown(null, page("/", ["acme@post.example"])), [
      ["/", ["acme@post.example"], "website_other_domain"]
    ])
  })
})
