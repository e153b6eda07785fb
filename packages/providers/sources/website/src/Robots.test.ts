import { assert, describe, it } from "@effect/vitest"
import * as Robots from "./Robots.ts"

const origin = "https://acme.example"

const allows = (text: string, path: string): boolean => Robots.parse(origin, text).allows(new URL(path, origin))

describe("Robots", () => {
  it("allows everything where nothing is forbidden, or where what stands there is no robots.txt", () => {
    for (const text of [
      "",
      "User-agent: *\nDisallow:\n",
      "<!doctype html><title>404</title>",
      "\u0000\u0001",
      '{"ok": tru'
    ]) {
      assert.isTrue(allows(text, "/"), text)
      assert.isTrue(allows(text, "/contact"), text)
    }
  })

  it("obeys what is said to everybody, and what is said to lading before that", () => {
    const everybody = "User-agent: *\nDisallow: /private\nAllow: /private/contact$\n"
    assert.isFalse(allows(everybody, "/private/x"))
    assert.isTrue(allows(everybody, "/private/contact"))
    assert.isTrue(allows(everybody, "/contact"))
    const own = "User-agent: *\nDisallow: /\n\nUser-agent: Lading/2.0\nDisallow: /admin\n"
    assert.isTrue(allows(own, "/contact"))
    assert.isFalse(allows(own, "/admin/x"))
    assert.isFalse(allows("User-agent: GPTBot\nUser-agent: lading\nDisallow: /\n", "/"))
    assert.isTrue(allows("User-agent: GPTBot\nDisallow: /\n", "/"))
  })

  it("reads groups, comments, wildcards, line ends and a byte order mark as RFC 9309 has them", () => {
    const text = "\ufeffUSER-AGENT: * # all\r\nDisallow: /*.php$ # scripts\r\nDisallow: /a*/b\r"
    assert.isFalse(allows(text, "/x.php"))
    assert.isTrue(allows(text, "/x.php?y"))
    assert.isFalse(allows(text, "/abc/b"))
    assert.isTrue(allows(text, "/b"))
    // The longest rule counts, whatever their order.
    assert.isTrue(allows("User-agent: *\nDisallow: /x\nAllow: /x/y\n", "/x/y"))
    assert.isFalse(allows("User-agent: *\nAllow: /x\nDisallow: /x/y\n", "/x/y"))
    // A rule ends the list of agents, an unknown line too.
    assert.isTrue(allows("User-agent: *\nSitemap: /s.xml\nUser-agent: other\nDisallow: /\n", "/"))
  })

  it("tells the pause that is asked for", () => {
    assert.strictEqual(Robots.parse(origin, "User-agent: *\nCrawl-delay: 2.5\n").delay, 2_500)
    assert.strictEqual(Robots.parse(origin, "User-agent: *\nCrawl-delay: soon\n").delay, 0)
    assert.strictEqual(Robots.parse(origin, "User-agent: *\nCrawl-delay: -7\n").delay, 0)
    assert.strictEqual(Robots.parse(origin, "User-agent: other\nCrawl-delay: 9\n").delay, 0)
  })

  it("takes a moment for a file that is made to take long", () => {
    const path = `/${"a".repeat(198)}`
    const started = performance.now()
    for (const text of [
      `User-agent: *\n${`Disallow: /${"*a".repeat(900)}b\n`.repeat(250)}`,
      `${Array.from({ length: 2_000 }, (_, at) => `User-agent: a${at}\n`).join("")}${"Disallow: /x\n".repeat(20_000)}`,
      `User-agent: *\n${"Disallow: /a\n".repeat(40_000)}`,
      `User-agent: *\nDisallow: /${"*".repeat(500_000)}`
    ]) {
      allows(text, path)
    }
    assert.isBelow(performance.now() - started, 3_000)
  })
})
