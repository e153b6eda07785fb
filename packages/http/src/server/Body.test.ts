/** Bodies as clients send them when they are careless or hostile: over raw sockets where `fetch` would not. */
import { assert, describe, it } from "@effect/vitest"
import { Slots } from "@lading/core/waterfall"
import { Effect } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"
import * as Details from "./Details.ts"

const company = "/api/company/enrich"
const limit = 1024 * 1024
const json = "Content-Type: application/json"

/** A request about Acme of exactly so many bytes, in which characters of two bytes count as two. */
const sized = (bytes: number): Buffer => {
  const head = '{"identity":{"domains":["acme.example"]},"ignored":"'
  const filler = bytes - head.length - 2
  return Buffer.from(`${head}${"é".repeat(Math.floor(filler / 2))}${"x".repeat(filler % 2)}"}`)
}

const chunked = (body: Buffer): ReadonlyArray<string | Uint8Array> => [
  TestServer.request(company, [json, "Transfer-Encoding: chunked"]),
  `${body.length.toString(16)}\r\n`,
  body,
  "\r\n0\r\n\r\n"
]

const whole = (body: Buffer): ReadonlyArray<string | Uint8Array> => [
  TestServer.request(company, [json, `Content-Length: ${body.length}`]),
  body
]

const answered = (text: string) => text.includes('"error":')
const statusOf = (text: string) => text.split("\r\n", 1)[0]
const tooLarge = '"code":"payload_too_large","message":"Expected a body of at most 1048576 bytes"'

describe("The length of a body", () => {
  it.live("1 MiB is taken, one byte more is 413, with a declared length and without", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const parts of [whole, chunked]) {
        const fits = yield* Effect.promise(() => TestServer.exchange(server.port, parts(sized(limit)), answered))
        assert.strictEqual(statusOf(fits), "HTTP/1.1 200 OK")
        const over = yield* Effect.promise(() => TestServer.exchange(server.port, parts(sized(limit + 1)), answered))
        assert.strictEqual(statusOf(over), "HTTP/1.1 413 Payload Too Large")
        assert.include(over, tooLarge)
        assert.match(over, /x-request-id: req_/)
      }
    })
  )

  it.live("a declared length that is too long is refused unread, and the connection ends", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const head = TestServer.request(company, [json, "Content-Length: 1000000000000"])
      const text = yield* Effect.promise(() => TestServer.exchange(server.port, [head]))
      assert.include(text, tooLarge)
      assert.match(text, /connection: close/i)
    })
  )

  it.live("a client that sends without end reads its 413 and is cut off", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`
      const endless = [
        TestServer.request(company, [json, "Transfer-Encoding: chunked"]),
        ...Array.from({ length: 200 }, () => chunk)
      ]
      const text = yield* Effect.promise(() => TestServer.exchange(server.port, endless))
      assert.include(text, tooLarge)
    })
  )
})

describe("What is not even a request", () => {
  it.live("is refused in the same shape: what cannot be parsed, too long headers, and a client that is too slow", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ node: { headersTimeoutMs: 100, requestTimeoutMs: 200 } })
      const rows = [
        { send: "rubbish\r\n\r\n", status: "400 Bad Request" },
        {
          send: TestServer.request(company, [`X-Long: ${"x".repeat(100_000)}`]),
          status: "431 Request Header Fields Too Large"
        },
        { send: "POST /api/company/enrich HTTP/1.1\r\nHost:", status: "408 Request Timeout" }
      ]
      for (const { send, status } of rows) {
        const text = yield* Effect.promise(() => TestServer.exchange(server.port, [send]))
        assert.strictEqual(statusOf(text), `HTTP/1.1 ${status}`)
        const { error, request_id } = JSON.parse(text.slice(text.indexOf("\r\n\r\n")))
        assert.strictEqual(error.code, "invalid_request")
        assert.include(text, `x-request-id: ${request_id}`)
        assert.include(text, "x-content-type-options: nosniff")
      }
    })
  )

  it.live("a body that does not come to its end in time costs its connection, and holds nothing", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ node: { headersTimeoutMs: 100, requestTimeoutMs: 200 } })
      const head = TestServer.request(company, [json, "Content-Length: 1000"])
      const text = yield* Effect.promise(() => TestServer.exchange(server.port, [head, "{"]))
      assert.strictEqual(statusOf(text), "HTTP/1.1 408 Request Timeout")
      assert.strictEqual((yield* server.balance).held, 0)
    })
  )
})

describe("What is in a body", () => {
  it.live("text that is not UTF-8 is refused", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const body = Buffer.concat([
        Buffer.from('{"identity":{"names":["'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"]}}')
      ])
      const sent = yield* Effect.promise(() => server.send(company, { body }))
      assert.strictEqual(sent.status, 400)
      assert.deepStrictEqual(sent.body.error.details, [{ path: "", message: "Expected JSON in UTF-8" }])
    })
  )

  it.live("200,000 levels of nesting neither crash nor take long, wherever they are", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const deep = "[".repeat(200_000) + "]".repeat(200_000)
      const objects = '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)
      const bodies = [
        { body: deep, status: 400 },
        { body: `{"identity":{"domains":${deep}}}`, status: 400 },
        { body: `{"identity":{"domains":["acme.example"]},"ignored":${deep}}`, status: 200 },
        { body: `{"identity":{"domains":["acme.example"]},"waterfall":${objects}}`, status: 200 }
      ]
      for (const { body, status } of bodies) {
        const started = performance.now()
        const sent = yield* Effect.promise(() => server.send(company, { body }))
        assert.strictEqual(sent.status, status)
        assert.isBelow(performance.now() - started, 5000)
      }
    })
  )

  it.live("a body of nothing but wrong values gets a bounded answer", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const names = (count: number) => `{"identity":{"names":[${"1,".repeat(count)}1]}}`
      const order = (count: number) =>
        `{"identity":{"names":["Acme"]},"waterfall":{"source_order":[${'"x",'.repeat(count)}"x"]}}`
      const details = (body: string) =>
        Effect.map(
          Effect.promise(() => server.send(company, { body })),
          (sent) => {
            assert.strictEqual(sent.status, 400)
            return sent.body.error.details
          }
        )
      for (const body of [names(20_000), order(20_000)]) {
        const some = yield* details(body)
        assert.strictEqual(some.length, Details.limit + 1)
        assert.match(some.at(-1).message, /^and \d+ more$/)
      }
      // Of so many the first one is enough.
      assert.deepStrictEqual(yield* details(names(200_000)), [
        { path: "identity.names[0]", message: "Expected string" }
      ])
      // What the use case refuses is bounded too.
      assert.strictEqual((yield* details(order(150_000))).length, Details.limit + 1)
    })
  )

  it.live("an empty body is 400, with a type and without", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const headers of [[json, "Content-Length: 0"], ["Content-Length: 0"], []]) {
        const text = yield* Effect.promise(() =>
          TestServer.exchange(server.port, [TestServer.request(company, headers)], answered)
        )
        assert.strictEqual(statusOf(text), "HTTP/1.1 400 Bad Request")
      }
    })
  )

  it.live("an own key stands in no answer and no log line, whatever is wrong with the request", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ slots: [Slots.bound("provider_a", TestServer.knowing)] })
      const marker = "own-key-secret-marker"
      for (const more of [{}, { mode: 1 }, { source_order: [marker] }]) {
        const body = { ...TestServer.acme, waterfall: { byok: { provider_a_api_key: marker }, ...more } }
        const sent = yield* Effect.promise(() => server.send(company, { body }))
        assert.strictEqual(sent.status, 400)
        assert.notInclude(JSON.stringify(sent.body), marker)
      }
      assert.notInclude(server.logs.join("\n"), marker)
      assert.notInclude(server.logs.join("\n"), TestServer.key)
    })
  )
})
