/**
 * Whom a reader connects to, over real sockets: names are resolved, judged and pinned, at the first request and at each
 * hop. All addresses are of loopback; that some of them may be asked and others not is what `permit` is for.
 */
import { assert, describe, it } from "@effect/vitest"
import { PageReader } from "@lading/core/contact"
import { Effect, Layer, Result } from "effect"
import { Dns, NetAddress } from "effect/net"
import * as Net from "node:net"
import * as Website from "./index.ts"
import * as Hostile from "./simulator/Hostile.ts"
import * as Server from "./simulator/Server.ts"

const permitted = (address: string) => address === "127.0.0.1"

const zone = (hosts: Readonly<Record<string, ReadonlyArray<string>>>) => Result.getOrThrow(Dns.makeStatic({ hosts }))

/** Reads one page with a reader of these options; the error's tag where there is none. */
const reading = (url: string, options: Website.Options) =>
  Effect.flatMap(PageReader.PageReader, ({ read }) => read(url)).pipe(
    Effect.match({ onFailure: ({ _tag }): string => _tag, onSuccess: ({ title }) => `title: ${title}` }),
    Effect.provide(Layer.fresh(Website.layerPageReader(options)))
  )

const acme = Hostile.site({
  "/robots.txt": "User-agent: *\nDisallow: /admin",
  "/": "<title>Acme</title>",
  "/secret": "<title>Secret</title>"
})

describe("whom a reader connects to", () => {
  it.live("nobody, where a name leads to an address that is not public", () =>
    Effect.gen(function* () {
      const server = yield* Server.start({ "acme.example": acme })
      const url = `http://acme.example:${server.port}/`
      for (const addresses of [
        ["127.0.0.1"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["100.100.100.200"],
        ["0.0.0.0"],
        ["64:ff9b::7f00:1"],
        // One of them is enough.
        ["127.0.0.1", "8.8.8.8"],
        ["8.8.8.8", "fd00::1"]
      ]) {
        const outcome = yield* reading(url, { dns: zone({ "acme.example": addresses }), ports: [server.port] })
        assert.strictEqual(outcome, "PageRefused", addresses.join(", "))
      }
      assert.strictEqual(yield* server.connections, 0)
      assert.isEmpty(yield* server.asked)
    })
  )

  it.live("the address that was judged, although the name leads elsewhere a moment later", () =>
    Effect.gen(function* () {
      const inside = yield* Server.start({ "acme.example": Hostile.site({ "/": "<title>Inside</title>" }) })
      const lookups: Array<string> = []
      const dns = Dns.make({
        lookup: (name) =>
          Effect.sync(() => [NetAddress.ipFromStringUnsafe(lookups.push(name) === 1 ? "127.0.0.2" : "127.0.0.1")])
      })
      // The same port at two addresses of loopback.
      const outside = Net.createServer((socket) => {
        socket.on("error", () => socket.destroy())
        socket.once("data", (data) => {
          const body = data.includes("GET /robots.txt") ? "" : "<title>Outside</title>"
          socket.end(
            `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`
          )
        })
      })
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => {
          outside.listen(inside.port, "127.0.0.2", () => resume(Effect.void))
        }),
        () => Effect.sync(() => outside.close())
      )
      const outcome = yield* reading(`http://acme.example:${inside.port}/`, {
        dns,
        ports: [inside.port],
        permit: (address) => address === "127.0.0.2"
      })
      // Each request closes its connection, so the page is a second one.
      assert.strictEqual(outcome, "title: Outside")
      // In no search domain of the operator's.
      assert.deepStrictEqual(lookups, ["acme.example."])
      assert.isEmpty(yield* inside.asked)
    })
  )

  it.live("nobody whom a redirect names that may not be asked, and nobody else's domain", () =>
    Effect.gen(function* () {
      const inside = yield* Server.start({ "internal.acme.example": acme, "127.0.0.2": acme }, { host: "127.0.0.2" })
      const targets: ReadonlyArray<readonly [to: string, outcome: string]> = [
        [`http://internal.acme.example:${inside.port}/secret`, "PageRefused"],
        [`http://127.0.0.2:${inside.port}/secret`, "PageMoved"],
        ["http://169.254.169.254/latest/meta-data/", "PageMoved"],
        ["http://localhost/", "PageMoved"],
        ["https://other.example/", "PageMoved"],
        ["https://acme.example.evil.example/", "PageMoved"],
        ["http://acme.example:25/", "PageRefused"],
        ["http://user:password@acme.example/", "PageRefused"],
        ["ftp://acme.example/", "PageRefused"],
        ["gopher://acme.example/", "PageRefused"],
        ["file:///etc/passwd", "PageMoved"],
        ["http://nowhere.acme.example/", "HostNotFound"],
        ["http://[", "PageUnreadable"]
      ]
      for (const [to, outcome] of targets) {
        const server = yield* Server.start({
          "acme.example": (response, url) =>
            url.pathname === "/robots.txt" ? Hostile.status(404)(response, url) : Hostile.redirect(to)(response, url)
        })
        const seen = yield* reading(`http://acme.example:${server.port}/`, {
          dns: zone({ "acme.example": ["127.0.0.1"], "internal.acme.example": ["127.0.0.2"] }),
          ports: [80, server.port, inside.port],
          permit: permitted
        })
        assert.strictEqual(seen, outcome, to)
      }
      assert.isEmpty(yield* inside.asked)
    })
  )

  it.live("the same owner's other host, by a redirect of robots.txt and of the page", () =>
    Effect.gen(function* () {
      const server = yield* Server.start({
        "www.acme.example": acme,
        "acme.example": (response, url) => Hostile.redirect(`http://www.${url.host}${url.pathname}`, 301)(response, url)
      })
      const outcome = yield* reading(`http://acme.example:${server.port}/`, {
        dns: zone({ "acme.example": ["127.0.0.1"], "www.acme.example": ["127.0.0.1"] }),
        ports: [server.port],
        permit: permitted
      })
      assert.strictEqual(outcome, "title: Acme")
      assert.deepStrictEqual(
        (yield* server.asked).map((line) => line.replace(`:${server.port}`, "")),
        [
          "GET http://acme.example/robots.txt",
          "GET http://www.acme.example/robots.txt",
          "GET http://acme.example/",
          "GET http://www.acme.example/"
        ]
      )
    })
  )

  it.live("says what is wrong with a server that cannot be talked to", () =>
    Effect.gen(function* () {
      const silent = Net.createServer(() => undefined)
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => {
          silent.listen(0, "127.0.0.1", () => resume(Effect.void))
        }),
        () => Effect.sync(() => silent.close())
      )
      const address = silent.address()
      assert(typeof address === "object" && address !== null)
      const plain = yield* Server.start({ "acme.example": acme })
      const options = { dns: zone({ "acme.example": ["127.0.0.1"] }), permit: permitted }
      // A handshake that never comes to an end, one with a server that speaks no TLS, and no server at all.
      const waiting = { ...options, ports: [address.port], time: { connect: 50 } }
      assert.strictEqual(yield* reading(`https://acme.example:${address.port}/`, waiting), "PageUnreachable")
      assert.strictEqual(
        yield* reading(`https://acme.example:${plain.port}/`, { ...options, ports: [plain.port] }),
        "PageUnreachable"
      )
      assert.strictEqual(yield* reading("http://acme.example:9/", { ...options, ports: [9] }), "PageUnreachable")
      assert.strictEqual(yield* reading("http://nobody.example/", options), "HostNotFound")
    })
  )
})
