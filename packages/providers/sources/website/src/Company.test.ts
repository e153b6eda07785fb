import { assert, describe, it } from "@effect/vitest"
import { type CompanyFacts, CompanySubject } from "@lading/core/company"
import { Merge } from "@lading/core/waterfall"
import { Effect, Exit, Option, Schema } from "effect"
import * as Company from "./Company.ts"
import * as Extract from "./Extract.ts"
import { type Fixture, found } from "./fixtures/Page.ts"
import graph from "./fixtures/graph.json" with { type: "json" }
import imprint from "./fixtures/imprint.json" with { type: "json" }
import openGraph from "./fixtures/open-graph.json" with { type: "json" }
import * as Website from "./index.ts"

const domainOf = ({ request }: Fixture): string => new URL(request.replace(/^GET /, "")).hostname.replace(/^www\./, "")

const siteOf = (home: Fixture, ...further: ReadonlyArray<Fixture>): Company.Site => ({
  domain: domainOf(home),
  pages: [
    Extract.of(found(home), domainOf(home), "home"),
    ...further.map((page) => Extract.of(found(page), domainOf(home), "further"))
  ],
  unread: []
})

const page = (html: string, request = "GET https://acme.example/", headers = {}): Fixture => ({
  request,
  status: 200,
  headers,
  html: [html]
})

const facts = (html: string): CompanyFacts => Company.facts(siteOf(page(html)))

const organization = (members: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@type": "Organization", ...members })}</script>`

const none = { linkedin_url: null, twitter_url: null, facebook_url: null, crunchbase_url: null, instagram_url: null }

describe("Company", () => {
  it("says what a graph of JSON-LD says, and nothing of the studio that built the site", () => {
    assert.deepStrictEqual(Company.facts(siteOf(graph)), {
      name: "Velham Freight",
      primary_domain: "velham-freight.example",
      website_url: "https://www.velham-freight.example",
      description: "Groupage, every day.",
      founded_year: 1987,
      estimated_employee_count: { min: 51, max: 200, text: "51-200" },
      phones: ["+44 20 7946 0311", "+44 20 7946 0312"],
      hq: {
        full_address: "4 Example Yard, EC1A 1AA London, GB",
        city: "London",
        state: null,
        postal_code: "EC1A 1AA",
        country: null,
        country_code: "GB"
      },
      social_links: {
        ...none,
        twitter_url: "https://www.twitter.com/velham_example",
        facebook_url: "https://www.facebook.com/velham.example"
      },
      technologies: ["WordPress", "jQuery", "Cloudflare", "PHP"],
      keywords: [],
      emails: ["office@velham-freight.example", "sales@velham-freight.example"]
    })
  })

  it("says what OpenGraph, cards and rel=me say", () => {
    assert.deepStrictEqual(Company.facts(siteOf(openGraph)), {
      name: "Brightquay Foods",
      primary_domain: "brightquay.example",
      website_url: "https://brightquay.example",
      description: "Oat drinks from Paris.",
      founded_year: null,
      estimated_employee_count: null,
      phones: ["+33 1 99 00 12 34"],
      hq: {
        full_address: "9 rue de l’Exemple, 75002 Paris, France",
        city: "Paris",
        state: null,
        postal_code: "75002",
        country: "France",
        country_code: null
      },
      social_links: {
        ...none,
        twitter_url: "https://www.twitter.com/brightquay_ex",
        instagram_url: "https://www.instagram.com/brightquay.example"
      },
      technologies: ["Shopify", "nginx"],
      keywords: ["oat drinks", "Spices"],
      emails: ["bonjour@brightquay.example"]
    })
  })

  it("says what an imprint says, with the country of the domain or the language", () => {
    const home = page(
      "<html lang=de-DE><title>Müllerhain Chemicals | Willkommen</title>",
      "GET https://muellerhain-chemicals.example/"
    )
    const said = Company.facts(siteOf(home, imprint))
    assert.deepStrictEqual(said.phones, ["+49 30 23125123"])
    assert.deepStrictEqual(said.emails, ["info@muellerhain-chemicals.example"])
    assert.strictEqual(said.founded_year, 1921)
    assert.deepStrictEqual([said.hq?.full_address, said.hq?.city], ["Musterstraße 7, 10115 Berlin", "Berlin"])
  })

  it("takes an organization of somebody else for nobody, and one without an address for its own", () => {
    assert.isNull(facts(organization({ name: "Other", url: "https://other.example/" })).name)
    assert.strictEqual(facts(organization({ name: "Acme", url: "https://shop.acme.example/" })).name, "Acme")
    assert.strictEqual(facts(organization({ name: "Acme", url: "/" })).name, "Acme")
    const review = {
      "@type": "Review",
      itemReviewed: { "@type": "Organization", name: "Other" },
      author: { "@type": "Organization", name: "Another" }
    }
    assert.isNull(facts(`<script type="application/ld+json">${JSON.stringify(review)}</script>`).name)
    const parent = organization({
      name: "Acme",
      parentOrganization: { "@type": "Organization", name: "Holding", email: "x@acme.example" }
    })
    assert.deepStrictEqual([facts(parent).name, facts(parent).emails], ["Acme", []])
  })

  it("takes the part of a title that is the domain's word for a name, and no other", () => {
    const named = (title: string, domain: string) =>
      Company.facts(siteOf(page(`<title>${title}</title>`, `GET https://${domain}/`))).name
    assert.strictEqual(named("Home | Nordvik Robotics", "nordvik-robotics.example"), "Nordvik Robotics")
    assert.strictEqual(named("Nordvik Robotics AS – Robots", "nordvikrobotics.example"), "Nordvik Robotics AS")
    assert.isNull(named("Robots for everybody", "nordvik-robotics.example"))
    assert.isNull(named("Welcome", "ab.example"))
    assert.isNull(named("", "acme.example"))
  })

  it("takes a page on a network for its own where the site says so, or where its handle is like domain or name", () => {
    const links = (html: string) => facts(`<meta property="og:site_name" content="Burger Quay">${html}`).social_links
    const linkedin = (handle: string, rel = "") =>
      links(`<a href="https://www.linkedin.com/company/${handle}" rel="${rel}">x</a>`)?.linkedin_url
    for (const handle of ["acme", "acme-example", "the-acme-company", "burgerquay-no"]) {
      assert.strictEqual(linkedin(handle), `https://www.linkedin.com/company/${handle}`)
    }
    assert.isNull(linkedin("studio-example"))
    assert.strictEqual(linkedin("bq-holding", "me"), "https://www.linkedin.com/company/bq-holding")
  })

  it("reads values of JSON-LD in every shape that they come in, and leaves the rest", () => {
    const said = facts(
      organization({
        name: ["", { "@value": "Acme", "@language": "en" }],
        description: { "@value": " Robots.\n" },
        telephone: 442079460071,
        foundingDate: "soon",
        numberOfEmployees: "about 20",
        sameAs: "https://www.facebook.com/acme.example",
        address: "Somewhere 1, Oslo",
        email: ["info@other.example", 7, null]
      })
    )
    assert.deepStrictEqual(
      [said.name, said.description, said.founded_year, said.estimated_employee_count, said.hq, said.emails],
      ["Acme", "Robots.", null, null, null, []]
    )
    assert.strictEqual(said.social_links?.facebook_url, "https://www.facebook.com/acme.example")
    for (const [value, expected] of [
      [20, 20],
      ["20", 20],
      [{ value: 20 }, 20],
      [{ minValue: 20 }, { min: 20, max: null, text: "20+" }],
      [{ maxValue: 20 }, null],
      [-3, null],
      [1.5, null],
      [true, null]
    ] as const) {
      const count = facts(organization({ numberOfEmployees: value })).estimated_employee_count
      assert.deepStrictEqual(count, expected, JSON.stringify(value))
    }
  })

  it("says nothing of a page that says nothing: then it is a miss", () => {
    assert.isFalse(Company.saysSomething(facts("")))
    assert.isFalse(Company.saysSomething(facts("<script src=/wp-content/x.js></script>")))
    for (const html of [
      "<meta name=description content=x>",
      "<a href=mailto:x@acme.example>",
      "<a href=https://linkedin.com/company/acme-example>"
    ]) {
      assert.isTrue(Company.saysSomething(facts(html)), html)
    }
  })

  const site = siteOf(graph, openGraph, imprint)
  const paths = (json: unknown): ReadonlyArray<ReadonlyArray<string>> =>
    typeof json !== "object" || json === null
      ? [[]]
      : [[], ...Object.entries(json).flatMap(([key, value]) => paths(value).map((rest) => [key, ...rest]))]
  const replaced = (json: unknown, [key, ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
    if (key === undefined || typeof json !== "object" || json === null) return value
    const entries = Object.entries(json).map(([name, member]) => [
      name,
      name === key ? replaced(member, rest, value) : member
    ])
    return Array.isArray(json) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
  }
  const all = paths(site)

  it.effect.prop(
    "a raw answer of any shape is facts that can be kept and merged, a miss or InvalidResponse",
    { at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })), value: Schema.Json },
    ({ at, value }) =>
      Effect.gen(function* () {
        const { company } = yield* Website.make()
        const exit = yield* Effect.exit(company!.decode!(replaced(site, all[at % all.length] ?? [], value)))
        if (Exit.isFailure(exit)) {
          assert.strictEqual(Option.getOrNull(Exit.findErrorOption(exit))?._tag, "InvalidResponse", String(exit))
          return
        }
        if (exit.value._tag !== "Hit") return
        const said = exit.value.facts
        assert.isTrue(Option.isSome(CompanySubject.decode(JSON.parse(JSON.stringify(said)))))
        const origin = { source: "s", precedence: "plan", adapter: "a@1", observed_at: 0, mismatch: false } as const
        Merge.merge(
          CompanySubject.table,
          Merge.observe(CompanySubject.table, said, CompanySubject.region(said), origin),
          ["s"]
        )
      }),
    { arbitrary: { runs: 400 }, timeout: 60_000 }
  )
})
