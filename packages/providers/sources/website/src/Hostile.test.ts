/** What sites can do to a visitor, over real HTTP: all of it ends, costs little, and says only what was there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import * as Website from "./index.ts"
import { KEPT } from "./Kept.ts"
import { PAGE_BYTES } from "./Options.ts"
import * as Hostile from "./simulator/Hostile.ts"
import * as Server from "./simulator/Server.ts"

const tick = Schedule.spaced(2)

const visiting = Effect.fnUntraced(function* (
  sites: Readonly<Record<string, Server.Handler>>,
  options: Website.Options = {}
) {
  const server = yield* Server.start(sites)
  const source = yield* Website.make({ baseUrl: server.url, ...options })
  const ask = (domain: string) => source.company!.call({ domain, name: null }, { _tag: "None" })
  return { server, ask }
})

const time = { connect: 1_000, home: 400, page: 200, pages: 300 }

describe("hostile sites", () => {
  it.live("a page without an end, fast or compressed, is cut off, and what was read by then counts", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* visiting(Hostile.sites)
      for (const domain of ["endless.example", "bomb.example"]) {
        const before = process.memoryUsage().arrayBuffers
        const outcome = yield* ask(domain)
        assert(outcome._tag === "Hit", domain)
        assert.strictEqual(outcome.facts.description, "Found before the end.")
        assert.isBelow(process.memoryUsage().arrayBuffers - before, 16 * PAGE_BYTES, domain)
      }
      yield* Effect.repeat(server.connections, { until: (count) => count === 0, schedule: tick })
    })
  )

  it.live("a compressed stream that never says anything ends with what may come over the wire", () =>
    Effect.gen(function* () {
      const { ask } = yield* visiting(Hostile.sites)
      assert.strictEqual((yield* ask("blocks.example"))._tag, "Miss")
    })
  )

  it.live("one that drips or is silent ends with its time, and its connection with it", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* visiting(Hostile.sites, { time })
      for (const domain of ["drip.example", "silent.example"]) {
        const started = performance.now()
        const error = yield* Effect.flip(ask(domain))
        assert.strictEqual(error._tag, "TimedOut", domain)
        assert.isBelow(performance.now() - started, 5_000)
        yield* Effect.repeat(server.connections, { until: (count) => count === 0, schedule: tick })
      }
    })
  )

  it.live("further pages that hang take no time from those that were read", () =>
    Effect.gen(function* () {
      const home = `<title>Acme</title><meta name="description" content="Here."><a href="/contact">Contact</a>
        <a href="/about">About</a><a href="/imprint">Imprint</a>`
      const { ask } = yield* visiting(
        {
          "acme.example": Hostile.site({
            "/": home,
            "/contact": () => undefined,
            "/imprint": () => undefined,
            "/about": "<p>Acme was founded in 1999.</p>"
          })
        },
        { time: { page: 1_000, pages: 1_500 } }
      )
      const outcome = yield* ask("acme.example")
      assert(outcome._tag === "Hit")
      assert.strictEqual(outcome.facts.description, "Here.")
      assert.strictEqual(outcome.facts.founded_year, 1999)
      assert.deepInclude(JSON.parse(JSON.stringify(outcome.raw)), {
        unread: [
          { url: "https://acme.example/contact", problem: "PageTimedOut" },
          { url: "https://acme.example/imprint", problem: "PageTimedOut" }
        ]
      })
    })
  )

  for (const [domain, tag] of [
    ["nogzip.example", "InvalidResponse"],
    ["oddencoding.example", "InvalidResponse"],
    ["headers.example", "InvalidResponse"],
    ["half.example", "Unavailable"],
    ["chain.example", "InvalidResponse"]
  ] as const) {
    it.live(`${domain} is ${tag}`, () =>
      Effect.gen(function* () {
        const { ask, server } = yield* visiting(Hostile.sites)
        assert.strictEqual((yield* Effect.flip(ask(domain)))._tag, tag)
        if (domain === "chain.example") {
          const asked = (yield* server.asked).map((line) => new URL(line.split(" ")[1] ?? "").pathname)
          assert.deepStrictEqual(asked, ["/robots.txt", "/", "/1", "/2", "/3", "/4", "/5"])
        }
      })
    )
  }

  it.live("script, foreign schemes and foreign addresses are text or nothing", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* visiting(Hostile.sites)
      const outcome = yield* ask("injection.example")
      assert(outcome._tag === "Hit")
      const { description, emails, name, phones, social_links } = outcome.facts
      assert.strictEqual(name, "Acme <img src=x onerror=alert(1)>")
      assert.strictEqual(description, `"><script>alert(document.domain)</script>`)
      assert.deepStrictEqual(phones, [])
      assert.deepStrictEqual(emails, ["info@injection.example"])
      assert.isTrue(Object.values(social_links ?? {}).every((link) => link === null))
      assert.isUndefined(Reflect.get({}, "polluted"))
      // None of its links may be asked for.
      assert.deepStrictEqual(yield* server.asked, [
        "GET https://injection.example/robots.txt",
        "GET https://injection.example/"
      ])
    })
  )

  it.live("100,000 nested elements and 100,000 links cost a moment", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* visiting(Hostile.sites)
      const started = performance.now()
      const deep = yield* ask("deep.example")
      assert(deep._tag === "Hit")
      assert.strictEqual(deep.facts.description, "Found before the end.")
      const links = yield* ask("links.example")
      assert(links._tag === "Hit")
      assert.isBelow(performance.now() - started, 5_000)
      assert.isBelow(JSON.stringify(links.raw).length, KEPT)
      const asked = (yield* server.asked).filter((line) => line.includes("links.example/contact"))
      assert.strictEqual(asked.length, 4)
    })
  )

  it.live("JSON-LD that is broken is left alone, and the rest of the page is read", () =>
    Effect.gen(function* () {
      const { ask } = yield* visiting(Hostile.sites)
      const outcome = yield* ask("linkeddata.example")
      assert(outcome._tag === "Hit")
      assert.strictEqual(outcome.facts.name, "Acme Works")
      assert.strictEqual(outcome.facts.hq?.country, "Norway")
    })
  )

  it.live("a visit that is interrupted leaves no connection", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* visiting(Hostile.sites)
      const fiber = yield* Effect.forkChild(ask("drip.example"))
      yield* Effect.repeat(server.asked, { until: (asked) => asked.length === 2, schedule: tick })
      yield* Fiber.interrupt(fiber)
      yield* Effect.repeat(server.connections, { until: (count) => count === 0, schedule: tick })
    })
  )
})
