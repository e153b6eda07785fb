/** What is asked of a search engine, which of its pages are read, and what of them is the company's. */
import { assert, describe, it } from "@effect/vitest"
import { Pages } from "@lading/testing"
import { Effect, Layer } from "effect"
import * as Core from "../Core.ts"
import { Unauthorized, Unavailable } from "../waterfall/SourceError.ts"
import * as CompanyOnPage from "./CompanyOnPage.ts"
import { ContactFinder, type Sought } from "./ContactFinder.ts"
import * as FoundPages from "./FoundPages.ts"
import { PageTimedOut } from "./PageError.ts"
import { layerMemory, PageReader } from "./PageReader.ts"
import type { SearchEngine } from "./SearchEngine.ts"

const { sought } = Pages

const listed = Pages.index.map(({ title, url }) => ({ url, title }))

const engine = (search: SearchEngine["search"], timeout = 5_000): SearchEngine => ({
  name: "engine",
  limits: { concurrency: 4, rate: { calls: 1_000, window: 1_000 }, timeout },
  search
})

const found = (made: SearchEngine, who: Sought = sought, reader = layerMemory(Pages.all)) =>
  Effect.flatMap(ContactFinder, ({ find }) => find(who)).pipe(
    Effect.provide(FoundPages.layer(Effect.succeed(made)).pipe(Layer.provide([reader, Core.layerLimits])))
  )

describe("the query", () => {
  const cases: ReadonlyArray<readonly [Sought, string | null]> = [
    [sought, '"nordhavn maritime" nordhavn.example contact'],
    [{ ...sought, domain: null }, '"nordhavn maritime" Denmark contact'],
    [{ name: "Orion GmbH", domain: null, country: null }, '"orion gmbh" contact'],
    [{ name: null, domain: "acme.example", country: "NO" }, "acme.example contact"],
    [{ name: '!!g "x" site:evil.example -Søre', domain: null, country: null }, '"g x site evil example søre" contact'],
    [{ name: null, domain: null, country: "NO" }, null]
  ]
  for (const [who, query] of cases) {
    it(`${who.name ?? who.domain ?? "nobody"} is asked for as ${query}`, () =>
      assert.strictEqual(FoundPages.query(who), query))
  }

  it("is never longer than engines take", () => {
    const name = Array.from({ length: 90 }, (_, at) => `consolidated${at}`).join(" ")
    const query = FoundPages.query({ name, domain: `${"a".repeat(60)}.example`, country: null }) ?? ""
    assert.isAtMost(query.length, 400)
    assert.isAtMost(query.split(" ").length, 50)
  })
})

describe("which pages are read", () => {
  it("the own site's first, each once, nothing of networks, files and addresses that are not public", () => {
    assert.deepStrictEqual(FoundPages.choose(sought.domain, listed), [
      "https://nordhavn.example/kontakt",
      "https://directory.example/maritime",
      "https://stranger.example/contact",
      "https://gone.example/nordhavn"
    ])
    assert.notInclude(
      FoundPages.choose(sought.domain, listed, new Set(["nordhavn.example/kontakt"])),
      "https://nordhavn.example/kontakt"
    )
  })

  it("few of any one site, and few in all", () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ url: `https://s${at % 8}.example/${at}`, title: "" }))
    const chosen = FoundPages.choose(null, many)
    assert.strictEqual(chosen.length, 6)
    const one = Array.from({ length: 9 }, (_, at) => ({ url: `https://acme.example/${at}`, title: "" }))
    assert.strictEqual(FoundPages.choose(null, one).length, 2)
    assert.strictEqual(FoundPages.choose("acme.example", one).length, 3)
  })
})

describe("what of a page is the company's", () => {
  const marks = CompanyOnPage.marks(sought)

  it("all of its own site, of another what stands by its name", () => {
    assert.deepInclude(CompanyOnPage.said(marks, Pages.kontakt), { own: true })
    const said = CompanyOnPage.said(marks, Pages.directory)
    assert.isFalse(said?.own)
    assert.deepStrictEqual(said?.contact.emails, ["nordhavn@postbox.example"])
    assert.deepStrictEqual(said?.contact.phones, ["+45 32 12 34 50"])
    assert.isNull(said?.contact.facebook_url)
  })

  it("nothing of a page that does not speak of it", () => {
    assert.isNull(CompanyOnPage.said(marks, Pages.stranger))
    assert.isNull(
      CompanyOnPage.said(marks, Pages.page({ ...Pages.directory, text: "Aalund Marine ApS\npost@aalund.example" }))
    )
  })

  it("a name of one word has to stand whole, or in the title", () => {
    const orion = CompanyOnPage.marks({ name: "Orion GmbH", domain: null, country: "DE" })
    const stars = Pages.page({
      url: "https://stars.example/",
      text: "Orion is bright\na@stars.example",
      emails: ["a@stars.example"]
    })
    assert.isNull(CompanyOnPage.said(orion, stars))
    assert.isNotNull(CompanyOnPage.said(orion, { ...stars, text: "ORION GmbH\na@stars.example" }))
    const bare = CompanyOnPage.marks({ name: "Orion", domain: null, country: "DE" })
    assert.isNull(CompanyOnPage.said(bare, stars))
    // With the title alone no line says whose the address is, unless the site is called like the company.
    const site = Pages.page({ ...stars, url: "https://www.orion.example/", title: "Orion" })
    assert.isTrue(CompanyOnPage.said(bare, site)?.own)
  })

  it("names are found without accents, in capitals, and in scripts without spaces", () => {
    const says = (name: string, text: string) =>
      CompanyOnPage.said(
        CompanyOnPage.marks({ name, domain: null, country: null }),
        Pages.page({ url: "https://d.example/", text: `${text}\nx@y.example`, emails: ["x@y.example"] })
      ) !== null
    assert.isTrue(says("MULLER WERKE AG", "Die Müller-Werke in Ulm"))
    assert.isTrue(says("Müller Werke AG", "MUELLER WERKE"))
    assert.isTrue(says("株式会社ノルドハウン", "私たちノルドハウンは船を作ります"))
    assert.isFalse(says("Müller Werke AG", "Werke von Müller"))
  })
})

describe("the finder", () => {
  it.live("gives the own site first and then what the engine found, each named after who found it", () =>
    Effect.gen(function* () {
      const contacts = yield* found(engine(() => Effect.succeed(listed)))
      assert.deepStrictEqual(
        contacts.map(({ from, url }) => [from, url]),
        [
          ["website", "https://nordhavn.example/"],
          ["engine", "https://nordhavn.example/kontakt"],
          ["engine", "https://directory.example/maritime"]
        ]
      )
    })
  )

  it.live("is not asked about nobody", () =>
    Effect.gen(function* () {
      const contacts = yield* found(
        engine(() => Effect.die("asked")),
        { name: null, domain: null, country: null }
      )
      assert.deepStrictEqual(contacts, [])
    })
  )

  it.live("without the engine gives the own site, and without both says that nobody could look", () =>
    Effect.gen(function* () {
      const down = engine(() => Effect.fail(new Unavailable({ source: "engine", problem: "status 500" })))
      const own = yield* found(down)
      assert.deepStrictEqual(
        own.map(({ from, url }) => [from, url]),
        [["website", "https://nordhavn.example/"]]
      )
      const { problem } = yield* Effect.flip(found(down, { ...sought, domain: null }))
      assert.strictEqual(problem, "engine did not answer: Unavailable: status 500")
      assert.strictEqual((yield* Effect.flip(found(down, sought, layerMemory([]))))._tag, "ContactFinderUnavailable")
    })
  )

  it.live("gives up an engine that hangs, and a page that does", () =>
    Effect.gen(function* () {
      const late = yield* found(engine(() => Effect.never, 30))
      assert.deepStrictEqual(
        late.map(({ from }) => from),
        ["website"]
      )
      const slow = Layer.succeed(PageReader, {
        read: (url) =>
          url === Pages.kontakt.url
            ? Effect.fail(new PageTimedOut({ problem: "late" }))
            : Effect.flatMap(PageReader, ({ read }) => read(url)).pipe(Effect.provide(layerMemory(Pages.all)))
      })
      const rest = yield* found(
        engine(() => Effect.succeed(listed)),
        sought,
        slow
      )
      assert.deepStrictEqual(
        rest.map(({ url }) => url),
        [Pages.home.url, Pages.directory.url]
      )
    })
  )

  it.live("asks an engine that refuses the key no more after some times", () => {
    let asked = 0
    const refusing = engine(() =>
      Effect.suspend(() => {
        asked++
        return Effect.fail(new Unauthorized({ source: "engine" }))
      })
    )
    return Effect.gen(function* () {
      const { find } = yield* ContactFinder
      for (let turn = 0; turn < 9; turn++) yield* find(sought)
      assert.strictEqual(asked, 5)
    }).pipe(
      Effect.provide(
        FoundPages.layer(Effect.succeed(refusing)).pipe(Layer.provide([layerMemory(Pages.all), Core.layerLimits]))
      )
    )
  })
})
