/** A visit, step by step: where the home page is looked for, which pages follow, and how long it may take. */
import { assert, describe, it } from "@effect/vitest"
import { PageError } from "@lading/core/contact"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Html from "./Html.ts"
import { time } from "./Options.ts"
import type { Found, Reading } from "./Reading.ts"
import type { Robots } from "./Robots.ts"
import * as Visit from "./Visit.ts"

type Answer = string | PageError.PageError | "hangs"

const everything: Robots = { allows: () => true, delay: 0 }

/** A reading that answers from a script; what is not in it has no address. */
const scripted = (answers: Readonly<Record<string, Answer>>, robots: Robots = everything) => {
  const asked: Array<string> = []
  const reading: Reading = {
    robots: () => Effect.succeed(robots),
    page: (url) =>
      Effect.suspend((): Effect.Effect<Found, PageError.PageError> => {
        asked.push(url.href)
        const answer = answers[url.href] ?? new PageError.HostNotFound({ problem: "no address" })
        if (answer === "hangs") return Effect.never
        if (typeof answer !== "string") return Effect.fail(answer)
        return Effect.succeed({ url, status: 200, headers: {}, markup: Html.read(answer) })
      })
  }
  return { asked, reading }
}

const unreachable = new PageError.PageUnreachable({ problem: "refused" })
const forbidden = new PageError.PageForbidden({ problem: "robots.txt" })

const home = `<meta name=description content=Here><a href="/contact">Contact</a><a href="/imprint">Imprint</a>
  <a href="/about">About</a><a href="/about/team">About the team</a><a href="/contact/oslo">Contact Oslo</a>`

describe("Visit", () => {
  const looked = (answers: Readonly<Record<string, Answer>>) => {
    const { asked, reading } = scripted(answers)
    return Effect.map(
      Effect.match(Visit.site(reading, "acme.example", time), {
        onFailure: ({ _tag }): string => _tag,
        onSuccess: (site) => site?.pages[0].url ?? "nobody's"
      }),
      (outcome) => [outcome, ...asked]
    )
  }

  it.effect("looks for the home page with https and without, then under www, until a server answers", () =>
    Effect.gen(function* () {
      const [https, http] = ["https://acme.example/", "http://acme.example/"]
      const [www, wwwHttp] = ["https://www.acme.example/", "http://www.acme.example/"]
      assert.deepStrictEqual(yield* looked({ [https]: "" }), [https, https])
      assert.deepStrictEqual(yield* looked({ [https]: unreachable, [http]: "" }), [http, https, http])
      // A name without an address has none with another scheme either.
      assert.deepStrictEqual(yield* looked({ [www]: "" }), [www, https, www])
      assert.deepStrictEqual(yield* looked({}), ["HostNotFound", https, www])
      // That a server does not answer tells more.
      assert.deepStrictEqual(yield* looked({ [wwwHttp]: unreachable, [www]: unreachable }), [
        "PageUnreachable",
        https,
        www,
        wwwHttp
      ])
      // What a server says is said once.
      assert.deepStrictEqual(yield* looked({ [https]: forbidden, [www]: "" }), ["PageForbidden", https])
    })
  )

  it.effect("reads at most four further pages, one of each kind first, those that robots.txt allows", () =>
    Effect.gen(function* () {
      const answers = Object.fromEntries(
        ["contact", "imprint", "about", "about/team", "contact/oslo"].map((path) => [
          `https://acme.example/${path}`,
          ""
        ])
      )
      const all = scripted({ "https://acme.example/": home, ...answers })
      yield* Visit.site(all.reading, "acme.example", time)
      assert.deepStrictEqual(
        all.asked.map((url) => new URL(url).pathname),
        ["/", "/contact", "/imprint", "/about", "/about/team"]
      )
      const some = scripted(
        { "https://acme.example/": home, ...answers },
        { allows: ({ pathname }) => pathname !== "/imprint", delay: 0 }
      )
      yield* Visit.site(some.reading, "acme.example", time)
      assert.deepStrictEqual(
        some.asked.map((url) => new URL(url).pathname),
        ["/", "/contact", "/about", "/about/team"]
      )
    })
  )

  it.effect("keeps the pause that a site asks for, and reads only the home page where it is a long one", () =>
    Effect.gen(function* () {
      const pages = {
        "https://acme.example/": home,
        "https://acme.example/contact": "",
        "https://acme.example/imprint": ""
      }
      const polite = scripted(pages, {
        allows: ({ pathname }) => /^\/(contact|imprint)?$/.test(pathname),
        delay: 1_000
      })
      const fiber = yield* Effect.forkChild(Visit.site(polite.reading, "acme.example", time))
      yield* TestClock.adjust(999)
      assert.strictEqual(polite.asked.length, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(polite.asked.length, 2)
      yield* TestClock.adjust(1_000)
      assert.strictEqual(polite.asked.length, 3)
      yield* Fiber.join(fiber)
      const slow = scripted(pages, { allows: () => true, delay: 10_000 })
      yield* Visit.site(slow.reading, "acme.example", time)
      assert.deepStrictEqual(slow.asked, ["https://acme.example/"])
    })
  )

  it.effect("ends with its time, with the pages that were read by then", () =>
    Effect.gen(function* () {
      const { reading } = scripted({
        "https://acme.example/": home,
        "https://acme.example/contact": "hangs",
        "https://acme.example/imprint": "<title>Imprint</title>",
        "https://acme.example/about": "hangs",
        "https://acme.example/about/team": "hangs"
      })
      const fiber = yield* Effect.forkChild(Visit.site(reading, "acme.example", time))
      yield* TestClock.adjust(time.pages)
      const site = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        site?.pages.map(({ title }) => title),
        [null, "Imprint"]
      )
      assert.deepStrictEqual(
        site?.unread.map(({ problem, url }) => `${new URL(url).pathname} ${problem}`),
        ["/contact PageTimedOut", "/about PageTimedOut", "/about/team PageTimedOut"]
      )
      const silent = scripted({ "https://acme.example/": "hangs" })
      const waiting = yield* Effect.forkChild(Effect.flip(Visit.site(silent.reading, "acme.example", time)))
      yield* TestClock.adjust(time.home)
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "PageTimedOut")
    })
  )

  it.effect("takes a page that a hoster put there for nobody's", () =>
    Effect.gen(function* () {
      for (const page of [
        "<title>Welcome to nginx!</title>",
        "<title>Apache2 Ubuntu Default Page: It works</title>",
        "<title>acme.example is for sale</title>",
        "<title>Acme.example domain name is for sale. Inquire now.</title>",
        "<title>Just a moment...</title>",
        "<title>Account Suspended</title>",
        '<script src="https://www.hugedomains.com/x.js"></script>'
      ]) {
        assert.strictEqual((yield* looked({ "https://acme.example/": page }))[0], "nobody's", page)
      }
      for (const page of ["<title>Acme: robots for sale and for rent</title>", "<title>Welcome to Acme</title>", ""]) {
        assert.strictEqual((yield* looked({ "https://acme.example/": page }))[0], "https://acme.example/", page)
      }
    })
  )
})
