/** Sites of every kind, over real HTTP: what is read of them, what is asked, and how much is kept. */
import { assert, describe, it } from "@effect/vitest"
import { Population } from "@lading/testing"
import { Effect } from "effect"
import * as Website from "./index.ts"
import { KEPT } from "./Kept.ts"
import * as Simulator from "./simulator/index.ts"
import { type Kind, kindOf } from "./simulator/Site.ts"

const world = Population.standard
const all = Array.from({ length: world.companies }, (_, index) => world.company(index))

const make = Effect.gen(function* () {
  const simulator = yield* Simulator.start()
  const source = yield* Website.make({ baseUrl: simulator.url })
  const ask = (domain: string) => source.company!.call({ domain, name: null }, { _tag: "None" })
  return { simulator, ask }
})

const paths = (calls: ReadonlyArray<{ readonly path: string }>) => calls.map(({ path }) => path)

describe("sites of the synthetic companies", () => {
  it.live("one with JSON-LD says it all", () =>
    Effect.gen(function* () {
      const { ask } = yield* make
      const outcome = yield* ask("nordvik-robotics.example")
      assert(outcome._tag === "Hit")
      assert.deepStrictEqual(outcome.facts, {
        name: "Nordvik Robotics",
        primary_domain: "nordvik-robotics.example",
        website_url: "https://www.nordvik-robotics.example",
        description:
          "Synthetic company for demonstrations. Nordvik Robotics of Oslo deals in robot arms and warehouse automation.",
        founded_year: 1960,
        estimated_employee_count: 384,
        phones: ["+44 20 7946 0071"],
        hq: {
          full_address: "Eksempelgata 12, 0150 Oslo, NO",
          city: "Oslo",
          state: null,
          postal_code: "0150",
          country: null,
          country_code: "NO"
        },
        social_links: {
          linkedin_url: "https://www.linkedin.com/company/nordvik-robotics-example",
          twitter_url: null,
          facebook_url: "https://www.facebook.com/nordvik-robotics-example",
          crunchbase_url: null,
          instagram_url: null
        },
        technologies: ["WordPress", "jQuery", "Google Analytics", "nginx"],
        keywords: [],
        emails: ["info@nordvik-robotics.example", "sales@nordvik-robotics.example"]
      })
    })
  )

  it.live("asks for robots.txt, the home page and what that links to, each once", () =>
    Effect.gen(function* () {
      const { ask, simulator } = yield* make
      yield* ask("acme-robotics.example")
      const asked = paths(yield* simulator.calls)
      assert.deepStrictEqual(asked.slice(0, 2), ["/robots.txt", "/"])
      assert.deepStrictEqual(asked.slice(2).toSorted(), ["/about-us", "/contact", "/imprint"])
      yield* simulator.reset
      // At home under www: the apex redirects, robots.txt as well as the page.
      yield* ask("nordvik-robotics.example")
      const redirected = paths(yield* simulator.calls)
      assert.deepStrictEqual(redirected.slice(0, 4), ["/robots.txt", "/robots.txt", "/", "/"])
      assert.deepStrictEqual(redirected.slice(4).toSorted(), ["/about-us", "/contact", "/imprint"])
    })
  )

  it.live("of each kind are read what they say, numbers with the country of the address", () =>
    Effect.gen(function* () {
      const { ask } = yield* make
      const hits = new Map<Kind, number>()
      for (const company of all) {
        const kind = kindOf(company)
        const outcome = yield* ask(company.domain)
        if (outcome._tag !== "Hit") continue
        const { description, emails, founded_year, hq, name, phones, primary_domain } = outcome.facts
        hits.set(kind, (hits.get(kind) ?? 0) + 1)
        assert.strictEqual(primary_domain, company.domain)
        // Domains are in ASCII, so that a title alone does not tell the name of `Müllerhain`.
        if (name !== null) assert.strictEqual(name, company.name)
        if (description !== null) assert.strictEqual(description, company.description)
        if (founded_year !== null) assert.strictEqual(founded_year, company.founded_year)
        if (hq !== null) assert.strictEqual(hq?.city, company.hq.city)
        const numbers = (phones ?? []).map((phone) => phone.replaceAll(" ", ""))
        assert.deepStrictEqual(
          numbers.filter((number) => !company.phones.includes(number)),
          [],
          company.domain
        )
        assert.deepStrictEqual(
          (emails ?? []).filter((email) => !company.emails.includes(email)),
          []
        )
      }
      assert.deepStrictEqual([...hits.keys()].toSorted(), ["compressed", "json_ld", "latin", "open_graph", "plain"])
      for (const [kind, count] of hits) assert.isAbove(count, 3, kind)
    })
  )

  it.live("that forbid robots are asked for robots.txt only, and miss", () =>
    Effect.gen(function* () {
      const { ask, simulator } = yield* make
      const forbidden = all.filter((company) => kindOf(company) === "forbidden")
      const asked: Array<string> = []
      for (const { domain } of forbidden) {
        yield* simulator.reset
        assert.strictEqual((yield* ask(domain))._tag, "Miss")
        asked.push(paths(yield* simulator.calls).join(" "))
      }
      // Some of them have no site: a robots.txt that is 404 allows everything, and the home page is 404 too.
      assert.deepStrictEqual([...new Set(asked)].toSorted(), ["/robots.txt", "/robots.txt /"])
    })
  )

  it.live("that have moved to another domain miss: what is there is somebody else's word", () =>
    Effect.gen(function* () {
      const { ask, simulator } = yield* make
      assert.strictEqual((yield* ask("nordvik-robotics-group.example"))._tag, "Miss")
      assert.deepStrictEqual(paths(yield* simulator.calls), ["/robots.txt", "/"])
    })
  )

  it.live("are kept in little, without the texts of their pages and without people", () =>
    Effect.gen(function* () {
      const { ask } = yield* make
      const outcome = yield* ask("nordvik-robotics.example")
      assert(outcome._tag === "Hit")
      const raw = JSON.stringify(outcome.raw)
      assert.isBelow(raw.length, KEPT / 10)
      assert.notInclude(raw, "Somebody Invented")
      assert.notInclude(raw, "A Customer Ltd")
      assert.notInclude(raw, "studio@agency.example")
      assert.notInclude(raw, "Our designers")
    })
  )
})
