import { assert, describe, it } from "@effect/vitest"
import { type Source, VendorHttp } from "@lading/core/waterfall"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient, Headers, HttpClientRequest } from "effect/http"
import * as Http from "node:http"
import * as Simulator from "./Simulator.ts"

const vendor = (reply: Simulator.Reply) =>
  Simulator.make({
    vendor: "toy",
    credential: () => "any",
    answer: () => reply,
    miss: () => reply,
    wrongKey: () => reply,
    quotaExhausted: () => reply,
    rateLimited: () => reply,
    suppressed: null
  })

const ask = (url: string, credential?: Source.Credential) =>
  HttpClientRequest.get(url).pipe(VendorHttp.json("toy", credential), Effect.provide(FetchHttpClient.layer))

/** A vendor that sends pieces and does not say how long its answer is. */
const piecewise = (pieces: ReadonlyArray<string | Uint8Array>) =>
  Effect.acquireRelease(
    Effect.callback<Http.Server>((resume) => {
      const server = Http.createServer((_, response) => {
        for (const piece of pieces) response.write(piece)
        response.end()
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close().closeAllConnections())
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    })
  )

const askReply = Effect.fnUntraced(function* (reply: Simulator.Reply, credential?: Source.Credential) {
  const { url } = yield* vendor(reply)
  return yield* ask(url, credential)
})

describe("VendorHttp.json", () => {
  it.live("every status is an answer with its body", () =>
    Effect.gen(function* () {
      const { status, body } = yield* askReply({ status: 418, body: { tea: ["ü", 1, null] } })
      assert.strictEqual(status, 418)
      assert.deepStrictEqual(body, { tea: ["ü", 1, null] })
    })
  )

  for (const [what, status, body] of [
    ["an HTML page", 200, "<html></html>"],
    ["an empty 200", 200, ""],
    ["a 204", 204, ""]
  ] as const) {
    it.live(`${what} is no JSON`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* askReply({ status, body })).body, VendorHttp.NotJson)
      })
    )
  }

  it.live("keeps every digit of an integer that no number holds, as text, and leaves every other number a number", () =>
    Effect.gen(function* () {
      const text = `{ "request_id": 1039995589705121901, "deep": [{ "id": -9007199254740993 }], "endless": ${"9".repeat(400)},
        "held": 1152921504606846976, "safe": 9007199254740991, "short": 42, "quoted": "1039995589705121901",
        "fraction": 0.10000000000000000, "float": 1234567890123456789.5, "power": 1e30 }`
      assert.deepStrictEqual((yield* askReply({ status: 200, body: text })).body, {
        request_id: "1039995589705121901",
        deep: [{ id: "-9007199254740993" }],
        endless: "9".repeat(400),
        held: 2 ** 60,
        safe: Number.MAX_SAFE_INTEGER,
        short: 42,
        quoted: "1039995589705121901",
        fraction: 0.1,
        float: 1234567890123456800,
        power: 1e30
      })
    })
  )

  it.live("reads an answer with a long integer as deep as answers may be nested", () =>
    Effect.gen(function* () {
      const { body } = yield* askReply({
        status: 200,
        body: `${"[".repeat(200)}1039995589705121901${"]".repeat(200)}`
      })
      assert.include(JSON.stringify(body), "1039995589705121901")
    })
  )

  it.live("never follows a redirect, which would carry the key to another host", () =>
    Effect.gen(function* () {
      const elsewhere = yield* vendor({ status: 200, body: {} })
      const { status } = yield* askReply({ status: 302, headers: { location: elsewhere.url }, body: {} })
      assert.strictEqual(status, 302)
      assert.isEmpty(yield* elsewhere.calls)
    })
  )

  it.live("refuses an answer beyond the size limit, and takes one just below it", () =>
    Effect.gen(function* () {
      const quoted = (size: number) => ({ status: 200, body: JSON.stringify("x".repeat(size - 2)) })
      const error = yield* Effect.flip(askReply(quoted(VendorHttp.SIZE_LIMIT + 1)))
      assert.strictEqual(error._tag, "InvalidResponse")
      const { body } = yield* askReply(quoted(VendorHttp.SIZE_LIMIT))
      assert.strictEqual(String(body).length, VendorHttp.SIZE_LIMIT - 2)
    })
  )

  it.live("reads strings of megabytes, escapes and all", () =>
    Effect.gen(function* () {
      const escaped = `"${"\\n".repeat(2_000_000)}"`
      assert.strictEqual((yield* askReply({ status: 200, body: escaped })).body, "\n".repeat(2_000_000))
      const open = yield* askReply({ status: 200, body: `["${"[".repeat(4_000_000)}` })
      assert.strictEqual(open.body, VendorHttp.NotJson)
    })
  )

  it.live("reads an answer that comes in pieces, whatever they cut through, within the same limit", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode(JSON.stringify({ tea: "\u00fc" }))
      const cut = Array.from(bytes, (byte) => Uint8Array.of(byte))
      assert.deepStrictEqual((yield* ask(yield* piecewise(cut))).body, { tea: "\u00fc" })
      const half = "x".repeat(VendorHttp.SIZE_LIMIT / 2)
      const error = yield* Effect.flip(ask(yield* piecewise(['"', half, half, '"'])))
      assert.strictEqual(error._tag, "InvalidResponse")
    })
  )

  it.live(
    "refuses an answer that is nested deeper than any profile, and takes brackets in strings for what they are",
    () =>
      Effect.gen(function* () {
        const nested = (depth: number) => ({ status: 200, body: "[".repeat(depth) + "]".repeat(depth) })
        assert.strictEqual((yield* askReply(nested(100_000))).body, VendorHttp.NotJson)
        assert.strictEqual((yield* askReply(nested(201))).body, VendorHttp.NotJson)
        assert.notStrictEqual((yield* askReply(nested(200))).body, VendorHttp.NotJson)
        const quoted = { text: `${"[{".repeat(500)}\\"[` }
        assert.deepStrictEqual((yield* askReply({ status: 200, body: quoted })).body, quoted)
      })
  )

  it.live("nobody at the address is Unavailable, named without the address", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(vendor({ status: 200, body: {} }))
      const error = yield* Effect.flip(ask(`${url}/secret-path?key=secret`))
      assert(error._tag === "Unavailable")
      assert.strictEqual(error.problem, "TransportError ECONNREFUSED")
    })
  )

  it.live("takes an echoed credential out of the answer, both parts of a client's", () =>
    Effect.gen(function* () {
      const reply = { status: 200, body: { echo: { key: 'marker-"4711', id: "client-4711" }, name: "Acme" } }
      const one = yield* askReply(reply, { _tag: "ApiKey", key: Redacted.make('marker-"4711') })
      assert.deepStrictEqual(one.body, { echo: { key: "<redacted>", id: "client-4711" }, name: "Acme" })
      const client = {
        _tag: "Client",
        id: Redacted.make("client-4711"),
        secret: Redacted.make('marker-"4711')
      } as const
      const two = yield* askReply(reply, client)
      assert.deepStrictEqual(two.body, { echo: { key: "<redacted>", id: "<redacted>" }, name: "Acme" })
    })
  )

  const key = 'sk/4711+"marker=='
  const apiKey = { _tag: "ApiKey", key: Redacted.make(key) } as const
  for (const [what, body] of [
    ["with an escaped slash", JSON.stringify([key]).replaceAll("/", "\\/")],
    ["in \\u escapes", `["\\u0073k\\u002F4711\\u002b\\"marker=="]`],
    ["percent-encoded", JSON.stringify([`?api_key=${encodeURIComponent(key)}`])],
    ["percent-encoded in lower case", JSON.stringify([`?api_key=${encodeURIComponent(key).toLowerCase()}`])],
    ["percent-encoded throughout", JSON.stringify(["%73" + encodeURIComponent(key.slice(1)) + "%ff"])],
    ["as Basic user", JSON.stringify([`Basic ${btoa(`${key}:`)}`])],
    ["as Basic password without padding", JSON.stringify([btoa(`:${key}`).replace(/=+$/, "")])],
    ["as a member's name", JSON.stringify({ a: [{ [key]: 1 }] })]
  ] as const) {
    it.live(`takes an echoed key out of the answer ${what}`, () =>
      Effect.gen(function* () {
        const answer = yield* askReply({ status: 200, body }, apiKey)
        assert.notStrictEqual(answer.body, VendorHttp.NotJson)
        const text = JSON.stringify(answer.body)
        assert.include(text, "<redacted>")
        for (const part of ["4711", btoa(key).slice(0, 8), btoa(`:${key}`).slice(0, 8)]) assert.notInclude(text, part)
      })
    )
  }

  it.live("takes a client's Basic credentials out of the answer", () =>
    Effect.gen(function* () {
      const client = { _tag: "Client", id: Redacted.make("client-4711"), secret: Redacted.make("s3cret-4711") } as const
      const sent = btoa("client-4711:s3cret-4711")
      const { body } = yield* askReply({ status: 200, body: { sent, note: "100%\n" } }, client)
      assert.deepStrictEqual(body, { sent: "<redacted>", note: "100%\n" })
    })
  )

  it.live(
    "takes an echoed key out of an answer that is nested as deep as may be, and keeps nothing of a deeper one",
    () =>
      Effect.gen(function* () {
        const nested = (depth: number) => `${"[".repeat(depth)}"\\u0073k\\/4711+\\"marker=="${"]".repeat(depth)}`
        let inner = (yield* askReply({ status: 200, body: nested(200) }, apiKey)).body
        while (Array.isArray(inner)) inner = inner[0]
        assert.strictEqual(inner, "<redacted>")
        assert.strictEqual((yield* askReply({ status: 200, body: nested(200_000) }, apiKey)).body, VendorHttp.NotJson)
      })
  )
})

describe("VendorHttp.retryAfter", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0)
  for (const [header, millis] of [
    ["7", 7_000],
    ["0", 0],
    ["1.5", 1_500],
    ["Thu, 01 Jan 2026 12:00:30 GMT", 30_000],
    ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
    ["-1", null],
    ["soon", null],
    ["", null]
  ] as const) {
    it(`reads "${header}" as ${millis}`, () => {
      assert.strictEqual(VendorHttp.retryAfter(Headers.fromInput({ "retry-after": header }), now), millis)
    })
  }
  it("is null without the header", () => assert.isNull(VendorHttp.retryAfter(Headers.empty, now)))
})

describe("VendorHttp.decode", () => {
  const read = VendorHttp.decode(
    "toy",
    Schema.Struct({
      data: Schema.Struct({
        emails: Schema.Array(Schema.Struct({ value: Schema.NullOr(Schema.String) })),
        by: Schema.Record(Schema.String, Schema.Int)
      })
    })
  )
  const email = "mara.ellison@nordvik-robotics.example"
  for (const [body, problem] of [
    [{ data: { emails: [{ value: null }, { value: 4711 }], by: {} } }, "wrong value at data.emails[1].value"],
    [{ data: { emails: [{}], by: {} } }, "missing field at data.emails[0].value"],
    [{ data: { emails: [], by: { [email]: "x" } } }, "wrong value at data.by.*"],
    [[email], "wrong value at the root"],
    [VendorHttp.NotJson, "body is not JSON"]
  ] as const) {
    it.effect(`names the place and never a value: ${problem}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(read(body))
        assert.strictEqual(error._tag, "InvalidResponse")
        assert.strictEqual(error.problem, problem)
      })
    )
  }
})
