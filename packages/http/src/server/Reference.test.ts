/** References over HTTP: shapes, words, keys, and tags by which clients keep them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import iso from "i18n-iso-countries"
import * as TestServer from "../fixtures/TestServer.ts"

const codes = "/api/reference/codes"
const industries = "/api/reference/industries"
const technologies = "/api/reference/technologies"

const get = (server: TestServer.TestServer, path: string, asking?: TestServer.Asking) =>
  Effect.promise(() => server.send(path, asking))

const envelope = {
  success: true,
  meta: { billing: { credits_charged: 0, byok_used: false } },
  error: null
}

describe("GET /api/reference/codes", () => {
  it.live("has every country of the standard and every language, without a key or with any", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const key of [null, "lad_live_unknown", server.key]) {
        const { body, headers, status } = yield* get(server, codes, { key })
        assert.strictEqual(status, 200)
        const { data, request_id, ...rest } = body
        assert.deepStrictEqual(rest, envelope)
        assert.strictEqual(headers.get("x-request-id"), request_id)
        assert.deepStrictEqual(Object.keys(data), ["countries", "languages"])
        assert.sameMembers(
          data.countries.map(({ code }: { readonly code: string }) => code),
          Object.keys(iso.getAlpha2Codes())
        )
        assert.deepInclude(data.countries, {
          code: "BR",
          code3: "BRA",
          numeric: "076",
          name: "Brazil",
          calling_code: "+55",
          currency: "BRL",
          continent: "South America"
        })
        assert.deepInclude(data.languages, { code: "pt", name: "Portuguese", native_name: "Português" })
        assert.isAbove(data.languages.length, 180)
      }
    })
  )

  it.live("may be kept by everybody for a day", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { headers } = yield* get(server, codes, { key: null })
      assert.strictEqual(headers.get("cache-control"), "public, max-age=86400")
      assert.isNull(headers.get("vary"))
      assert.isNull(headers.get("ratelimit-limit"))
    })
  )
})

describe("GET /api/reference/industries and technologies", () => {
  it.live("list entries, all of them or those with the words", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const all = yield* get(server, industries)
      const { data, request_id: _, ...rest } = all.body
      assert.deepStrictEqual(rest, envelope)
      const { list, ...page } = data
      assert.deepStrictEqual(page, { total: list.length, current_page: 1, next_cursor: null })
      assert.deepStrictEqual(list[0], {
        code: "A",
        name: "Agriculture, forestry and fishing",
        parent: null,
        scheme: "isic4"
      })
      const found = yield* get(server, `${industries}?q=${encodeURIComponent("SÚPPLY chain")}`)
      assert.deepStrictEqual(found.body.data, {
        list: [
          {
            code: "logistics-and-supply-chain",
            name: "Logistics and Supply Chain",
            parent: "52",
            scheme: "lading"
          }
        ],
        total: 1,
        current_page: 1,
        next_cursor: null
      })
      const nothing = yield* get(server, `${technologies}?q=zzz`)
      assert.deepStrictEqual([nothing.status, nothing.body.data.list, nothing.body.data.total], [200, [], 0])
      const some = yield* get(server, `${technologies}?q=node+js`)
      assert.deepStrictEqual(some.body.data.list, [{ name: "Node.js", category: "JavaScript" }])
      const everything = yield* get(server, `${technologies}?q=%20`)
      assert.isAbove(everything.body.data.total, 250)
      assert.strictEqual((yield* server.balance).available, 1_000_000_000)
    })
  )

  it.live("need a key, of whatever scope", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* server.addKey("lad_live_only-email", ["email"])
      for (const path of [industries, technologies]) {
        for (const key of [null, "lad_live_unknown"]) {
          const { body, headers, status } = yield* get(server, path, { key })
          assert.deepStrictEqual([status, body.error.code], [401, "unauthenticated"])
          assert.strictEqual(headers.get("cache-control"), "no-store")
        }
        const { headers, status } = yield* get(server, path, { key: "lad_live_only-email" })
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("cache-control"), "private, max-age=86400")
        assert.strictEqual(headers.get("vary"), "Authorization, X-API-Key")
      }
    })
  )

  it.live("refuse what is too long, is no word, or comes twice, and name the field", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const query of [`q=${"a".repeat(101)}`, "q=%21%3F", "q=a&q=b"]) {
        const { body, status } = yield* get(server, `${industries}?${query}`)
        assert.deepStrictEqual([status, body.error.code], [400, "invalid_request"], query)
        assert.match(body.error.details[0].path, /^q\b/)
        assert.match(body.error.details[0].message, /^Expected /)
      }
      const longest = yield* get(server, `${industries}?q=${"a".repeat(100)}`)
      assert.strictEqual(longest.status, 200)
    })
  )

  it.live("count for the rate", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ rateLimit: { requests: 2, window: 60_000 } })
      const statuses = []
      for (const path of [industries, technologies, industries, codes]) statuses.push((yield* get(server, path)).status)
      assert.deepStrictEqual(statuses, [200, 200, 429, 200])
    })
  )
})

describe("tags of references", () => {
  it.live("are the same for the same data, and another for other data", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const tag = (path: string) => Effect.map(get(server, path), ({ headers }) => headers.get("etag") ?? "")
      const paths = [codes, industries, technologies, `${industries}?q=steel`]
      const tags = yield* Effect.forEach(paths, tag)
      for (const one of tags) assert.match(one, /^"[0-9a-f]{32}"$/)
      assert.strictEqual(new Set(tags).size, paths.length)
      assert.deepStrictEqual(yield* Effect.forEach(paths, tag), tags)
      assert.strictEqual(yield* tag(`${industries}?q=STEEL`), tags[3])
    })
  )

  it.live("answer 304 without a body to whoever has them: alone, in a list, as weak ones, as any", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const path of [codes, industries, `${technologies}?q=node`]) {
        const first = yield* get(server, path)
        const etag = first.headers.get("etag") ?? ""
        for (const known of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
          const again = yield* get(server, path, { headers: { "if-none-match": known } })
          assert.deepStrictEqual([again.status, again.body], [304, null], known)
          for (const name of ["etag", "cache-control", "vary"])
            assert.strictEqual(again.headers.get(name), first.headers.get(name))
          assert.match(again.headers.get("x-request-id") ?? "", /^req_/)
        }
        const other = yield* get(server, path, { headers: { "if-none-match": '"other"' } })
        assert.strictEqual(other.status, 200)
      }
      const stranger = yield* get(server, industries, { key: null, headers: { "if-none-match": "*" } })
      assert.strictEqual(stranger.status, 401)
    })
  )

  it.live("stand in the answer to HEAD too, and other methods are refused", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const path of [codes, industries, technologies]) {
        const { headers } = yield* get(server, path)
        const head = yield* get(server, path, { method: "HEAD" })
        assert.deepStrictEqual([head.status, head.body], [200, null])
        assert.strictEqual(head.headers.get("etag"), headers.get("etag"))
        const post = yield* get(server, path, { method: "POST", body: {} })
        assert.deepStrictEqual([post.status, post.body.error.code], [405, "method_not_allowed"])
        assert.strictEqual(post.headers.get("allow"), "GET, HEAD")
      }
      const astray = yield* get(server, "/api/reference/ports")
      assert.deepStrictEqual([astray.status, astray.body.error.code], [404, "not_found"])
    })
  )
})
