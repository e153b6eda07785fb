/** Every row of the error table that these endpoints can give: status, code, whole body and headers, over real HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Accounts } from "@lading/core/account"
import { Ledger } from "@lading/core/billing"
import { Slots, SourceError } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Effect, Layer } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"

const company = "/api/company/enrich"
const people = "/api/people/enrich"

interface Expected {
  readonly status: number
  readonly code: string
  readonly message?: string
  readonly retryable?: boolean
  readonly details?: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

/** The whole body is compared: nothing may be missing, and nothing (no `_tag`, no cause) may be added. */
const refused = (sent: TestServer.Sent, expected: Expected) => {
  const id = sent.headers.get("x-request-id") ?? ""
  assert.match(id, /^req_[\w-]{20,}$/)
  assert.strictEqual(sent.headers.get("content-type"), "application/json")
  assert.deepStrictEqual(sent.body, {
    success: false,
    request_id: id,
    data: null,
    meta: { billing: { credits_charged: 0, byok_used: false } },
    error: {
      code: expected.code,
      message: expected.message ?? sent.body.error.message,
      retryable: expected.retryable ?? false,
      details: expected.details ?? []
    }
  })
  assert.strictEqual(sent.status, expected.status)
}

const asked = Effect.fnUntraced(function* (path: string, asking: TestServer.Asking, options?: TestServer.Options) {
  const server = yield* TestServer.make(options)
  const sent = yield* Effect.promise(() => server.send(path, asking))
  const { captured, held } = yield* Effect.orElseSucceed(server.balance, () => ({ captured: 0, held: 0 }))
  assert.strictEqual(captured + held, 0)
  return sent
})

const failing = (error: SourceError.SourceError): TestServer.Options => ({
  slots: [Slots.bound("provider_a", ScriptedSource.make({ company: () => Effect.fail(error), repeatable: false }))]
})

const wrong = "The request has wrong fields, see details"

describe("400 invalid_request", () => {
  it.live("malformed JSON is named without being quoted", () =>
    Effect.gen(function* () {
      for (const body of ['{"identity": secret-marker', '"', "{'a':1}", "nul", "[1,]", ""]) {
        const sent = yield* asked(company, { body })
        assert.notInclude(JSON.stringify(sent.body), "secret-marker")
        const message = body === "" ? "Expected a JSON body, got none" : "Expected JSON in UTF-8"
        if (body !== "")
          refused(sent, { status: 400, code: "invalid_request", message, details: [{ path: "", message }] })
        else assert.strictEqual(sent.status, 400)
      }
    })
  )

  it.live("own keys that are neither an object nor the word for the stored ones are told both", () =>
    Effect.gen(function* () {
      for (const byok of [3, null, "kept", [1]]) {
        const sent = yield* asked(company, { body: { identity: { domains: ["acme.example"] }, waterfall: { byok } } })
        const message = 'Expected "stored", or an object with your own keys'
        refused(sent, {
          status: 400,
          code: "invalid_request",
          message: wrong,
          details: [{ path: "waterfall.byok", message }]
        })
      }
    })
  )

  it.live("every wrong field is named with its path and what was expected, never with its value", () =>
    Effect.gen(function* () {
      const sent = yield* asked(company, {
        body: {
          identity: { domains: ["acme-secret-marker", 3], names: {} },
          waterfall: {
            mode: "secret-marker",
            timeout_ms: 1,
            max_credits: "secret-marker",
            required_fields: ["secret-marker"],
            byok: { provider_c_api_key: 77, provider_a_api_key: "" }
          },
          include_customs: "secret-marker",
          response: 1
        }
      })
      assert.notInclude(JSON.stringify(sent.body), "secret-marker")
      assert.deepStrictEqual(sent.body.error.details.map(({ path }: { path: string }) => path).sort(), [
        "identity.domains[0]",
        "identity.domains[1]",
        "identity.names",
        "include_customs",
        "response",
        "waterfall.byok.provider_a_api_key",
        "waterfall.byok.provider_c_api_key",
        "waterfall.max_credits",
        "waterfall.mode",
        "waterfall.required_fields[0]",
        "waterfall.timeout_ms"
      ])
      refused(sent, { status: 400, code: "invalid_request", message: wrong, details: sent.body.error.details })
    })
  )

  it.live("a field that the use case refuses is named in the same way", () =>
    Effect.gen(function* () {
      const sent = yield* asked(company, {
        body: { ...TestServer.acme, waterfall: { source_order: ["provider_a", "provider_a", "nobody"] } }
      })
      refused(sent, {
        status: 400,
        code: "invalid_request",
        message: wrong,
        details: [
          { path: "waterfall.source_order[1]", message: "Expected each source once" },
          { path: "waterfall.source_order[2]", message: "Expected one of provider_a" }
        ]
      })
    })
  )

  it.live("the missing identity is named, and one that names nobody too", () =>
    Effect.gen(function* () {
      for (const path of [company, people]) {
        for (const body of [{}, { identity: {} }, [], null, 1, "x"]) {
          const sent = yield* asked(path, { body: JSON.stringify(body) })
          const [{ path: where }] = sent.body.error.details
          refused(sent, { status: 400, code: "invalid_request", message: wrong, details: sent.body.error.details })
          assert.strictEqual(where, typeof body === "object" && body !== null && !Array.isArray(body) ? "identity" : "")
        }
      }
    })
  )

  it.live("an idempotency key that no header can hold for long is named", () =>
    Effect.gen(function* () {
      for (const value of ["", "x".repeat(256), "caf\u00e9"]) {
        const sent = yield* asked(company, { body: TestServer.acme, headers: { "idempotency-key": value } })
        refused(sent, {
          status: 400,
          code: "invalid_request",
          message: wrong,
          details: [{ path: "idempotency-key", message: "Expected 1 to 255 printable ASCII characters" }]
        })
      }
    })
  )
})

describe("401 and 403", () => {
  it.live("no key, an unknown key and a revoked key are the same 401, before the body is looked at", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* server.revokeKey(yield* server.addKey("lad_live_revoked", ["company"]))
      const message = "Expected a valid API key as Authorization: Bearer or X-API-Key"
      for (const key of [null, "lad_live_unknown", "lad_live_revoked", "x".repeat(10_000)]) {
        const sent = yield* Effect.promise(() => server.send(company, { key, body: "{malformed" }))
        refused(sent, { status: 401, code: "unauthenticated", message })
      }
    })
  )

  it.live("the key is taken from either header, the scheme in any case", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const given = [
        { authorization: `Bearer ${server.key}` },
        { authorization: `bearer ${server.key}` },
        { "x-api-key": server.key },
        { authorization: "Bearer lad_live_unknown", "x-api-key": server.key }
      ]
      for (const headers of given) {
        const sent = yield* Effect.promise(() => server.send(company, { key: null, headers, body: TestServer.acme }))
        assert.strictEqual(sent.status, 200)
      }
    })
  )

  it.live("a missing scope is named, that of a company's customs too", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* server.addKey("lad_live_company", ["company"])
      yield* server.addKey("lad_live_people", ["people"])
      const rows = [
        { key: "lad_live_people", path: company, body: "{malformed", scope: "company" },
        { key: "lad_live_company", path: people, body: "{malformed", scope: "people" },
        {
          key: "lad_live_company",
          path: company,
          body: JSON.stringify({ ...TestServer.acme, include_customs: true }),
          scope: "customs"
        }
      ]
      for (const { key, path, body, scope } of rows) {
        const sent = yield* Effect.promise(() => server.send(path, { key, body }))
        refused(sent, { status: 403, code: "forbidden", message: `The API key lacks the scope ${scope}` })
      }
      const plain = yield* Effect.promise(() =>
        server.send(company, { key: "lad_live_company", body: { ...TestServer.acme, include_customs: false } })
      )
      assert.strictEqual(plain.status, 200)
    })
  )
})

describe("402 insufficient_credits", () => {
  it.live("the balance does not cover the hold", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const ask = (round: number) => {
        const domains = Array.from({ length: 25 }, (_, index) => `acme-${round}-${index}.example`)
        return Effect.promise(() => server.send(company, { body: { identity: { domains } } }))
      }
      // 25 companies at 1.1 credits fit 36 times into 1,000.
      const sent = yield* Effect.forEach(Array.from({ length: 37 }), (_, round) => ask(round))
      assert.isTrue(sent.slice(0, 36).every(({ status }) => status === 200))
      const message = "The request may cost 27.5 credits, 10 are available"
      refused(sent[36]!, { status: 402, code: "insufficient_credits", message })
    })
  )

  it.live("max_credits does not cover the platform's fee and the first step", () =>
    Effect.gen(function* () {
      const sent = yield* asked(company, { body: { ...TestServer.acme, waterfall: { max_credits: 0.5 } } })
      const message = "The first step costs up to 1.1 credits, max_credits allows 0.5"
      refused(sent, { status: 402, code: "insufficient_credits", message })
    })
  )
})

describe("404 and 405", () => {
  it.live("an unknown route, whatever the method and the credential", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const path of [
        "/",
        "/api",
        "/api/company",
        "/api/company/more",
        "/api/company/enrich/one/more",
        "/%zz",
        "/api/%00",
        "/..;/health"
      ]) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const sent = yield* Effect.promise(() => server.send(path, { method, key: null }))
          refused(sent, { status: 404, code: "not_found", message: "There is no such route" })
        }
      }
    })
  )

  it.live("a wrong method on every route, with the right ones in Allow", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const get = ["GET", "HEAD"]
      const routes: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        [company, ["POST"]],
        [people, ["POST"]],
        ["/health", get],
        ["/ready", get],
        ["/metrics", get],
        ["/openapi.json", get],
        ["/docs", get]
      ]
      for (const [path, allowed] of routes) {
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
          if (allowed.includes(method)) continue
          const sent = yield* Effect.promise(() => server.send(path, { method, key: null }))
          const allow = allowed.join(", ")
          refused(sent, { status: 405, code: "method_not_allowed", message: `This route takes ${allow}` })
          assert.strictEqual(sent.headers.get("allow"), allow)
        }
      }
      const head = yield* Effect.promise(() => server.send(company, { method: "HEAD" }))
      assert.strictEqual(head.status, 405)
      const health = yield* Effect.promise(() => server.send("/health", { method: "HEAD", key: null }))
      assert.strictEqual(health.status, 200)
      assert.isNull(health.body)
    })
  )
})

describe("415 unsupported_media_type", () => {
  it.live("anything but JSON, and JSON that is compressed", () =>
    Effect.gen(function* () {
      const message = "Expected an uncompressed body of type application/json"
      const rows: ReadonlyArray<Readonly<Record<string, string>>> = [
        { "content-type": "text/plain" },
        { "content-type": "application/x-www-form-urlencoded" },
        { "content-type": "application/vnd.api+json" },
        { "content-type": "application/json-seq" },
        { "content-type": "" },
        { "content-encoding": "gzip" }
      ]
      for (const headers of rows) {
        const sent = yield* asked(company, { body: JSON.stringify(TestServer.acme), headers })
        refused(sent, { status: 415, code: "unsupported_media_type", message })
      }
    })
  )

  it.live("parameters and case of the type do not matter", () =>
    Effect.gen(function* () {
      for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"]) {
        const server = yield* TestServer.make()
        const sent = yield* Effect.promise(() =>
          server.send(company, { body: TestServer.acme, headers: { "content-type": type } })
        )
        assert.strictEqual(sent.status, 200)
      }
    })
  )
})

describe("429 rate_limited", () => {
  it.live("a key that asks too often is told when to come back; other keys are not concerned", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ rateLimit: { requests: 2, window: 60_000 } })
      yield* server.addKey("lad_live_other", ["company"])
      const ask = (key: string) => Effect.promise(() => server.send(company, { key, body: TestServer.acme }))
      const [first, second, third] = yield* Effect.forEach([1, 2, 3], () => ask(server.key))
      assert.deepStrictEqual([first!.status, second!.status], [200, 200])
      assert.strictEqual(first!.headers.get("ratelimit-limit"), "2")
      assert.strictEqual(first!.headers.get("ratelimit-remaining"), "1")
      assert.match(first!.headers.get("ratelimit-reset") ?? "", /^\d+$/)
      const message = "The key asks too often, see Retry-After"
      refused(third!, { status: 429, code: "rate_limited", message, retryable: true })
      assert.match(third!.headers.get("retry-after") ?? "", /^([1-9]|[1-5]\d|60)$/)
      assert.strictEqual(third!.headers.get("ratelimit-remaining"), "0")
      assert.strictEqual((yield* ask("lad_live_other")).status, 200)
      assert.isNull((yield* Effect.promise(() => server.send("/health"))).headers.get("ratelimit-limit"))
    })
  )
})

describe("500, 503 and 504", () => {
  it.live("a defect says nothing of its cause; the log has it with the request's id", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        ledger: Layer.effect(
          Ledger.Ledger,
          Effect.map(Ledger.Ledger, (ledger) => ({ ...ledger, open: () => Effect.die(new Error("cause-marker")) }))
        ).pipe(Layer.provide(Ledger.layerMemory))
      })
      const sent = yield* Effect.promise(() => server.send(company, { body: TestServer.acme }))
      refused(sent, { status: 500, code: "internal" })
      assert.notInclude(JSON.stringify(sent.body), "cause-marker")
      const logged = server.logs.filter((line) => line.includes("cause-marker"))
      assert.isTrue(logged.length > 0 && logged.every((line) => line.includes(sent.body.request_id)))
    })
  )

  it.live("accounts that do not answer are 503, not 401, whichever header had the key", () =>
    Effect.gen(function* () {
      const down = () => Effect.fail(new Accounts.AccountsUnavailable({ problem: "down" }))
      const accounts = Layer.effect(
        Accounts.Accounts,
        Effect.map(Accounts.Accounts, (accounts) => ({ ...accounts, authenticate: down }))
      ).pipe(Layer.provide(Accounts.layerMemory))
      const server = yield* TestServer.make({ accounts })
      for (const headers of [{ authorization: "Bearer lad_live_any" }, { "x-api-key": "lad_live_any" }]) {
        const sent = yield* Effect.promise(() => server.send(company, { key: null, headers, body: TestServer.acme }))
        refused(sent, { status: 503, code: "unavailable", message: "A store does not answer", retryable: true })
      }
    })
  )

  it.live("a ledger that does not answer is 503", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        ledger: Layer.effect(
          Ledger.Ledger,
          Effect.map(Ledger.Ledger, (ledger) => ({
            ...ledger,
            open: () => Effect.fail(new Ledger.LedgerUnavailable({ problem: "down" }))
          }))
        ).pipe(Layer.provide(Ledger.layerMemory))
      })
      const sent = yield* Effect.promise(() => server.send(company, { body: TestServer.acme }))
      refused(sent, { status: 503, code: "unavailable", message: "A store does not answer", retryable: true })
    })
  )

  it.live("every source that was asked failed: 503, nothing charged", () =>
    Effect.gen(function* () {
      const sent = yield* asked(
        company,
        { body: TestServer.acme },
        failing(new SourceError.Unavailable({ source: "scripted", problem: "down" }))
      )
      const message = "No source could answer: provider_a unavailable"
      refused(sent, { status: 503, code: "unavailable", message, retryable: true })
    })
  )

  it.live("nothing learnt before the deadline: 504, nothing charged", () =>
    Effect.gen(function* () {
      const slots = [Slots.bound("provider_a", ScriptedSource.make({ company: () => Effect.never }))]
      const body = { ...TestServer.acme, waterfall: { timeout_ms: 150 } }
      const sent = yield* asked(company, { body }, { slots })
      const message = "Nothing was learnt within 150 milliseconds"
      refused(sent, { status: 504, code: "deadline_exceeded", message, retryable: true })
    })
  )

  /** A server whose ledger does not come back from one of its operations. */
  const hanging = (operation: "open" | "settle") =>
    TestServer.make({
      requestTimeoutGraceMs: 100,
      ledger: Layer.effect(
        Ledger.Ledger,
        Effect.map(Ledger.Ledger, (ledger) => ({ ...ledger, [operation]: () => Effect.never }))
      ).pipe(Layer.provide(Ledger.layerMemory))
    })

  const hurried = { ...TestServer.acme, waterfall: { timeout_ms: 100 } }

  it.live("a store that gives no hold before the deadline is unavailable: 503", () =>
    Effect.gen(function* () {
      const server = yield* hanging("open")
      const sent = yield* Effect.promise(() => server.send(company, { body: hurried }))
      refused(sent, { status: 503, code: "unavailable", retryable: true })
    })
  )

  it.live("a store that never answers ends with the request's time-out and its grace: 504", () =>
    Effect.gen(function* () {
      const server = yield* hanging("settle")
      // Settling cannot be interrupted: the answer must not wait for that, nor may the server's stop.
      const sent = yield* Effect.promise(() => server.send(company, { body: hurried }))
      refused(sent, { status: 504, code: "deadline_exceeded", retryable: true })
    })
  )
})

describe("what is not refused", () => {
  it.live("unknown, repeated and dangerous fields are harmless", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const bodies = [
        '{"identity":{"domains":["acme.example"],"more":1},"extra":{"a":[]},"waterfall":{"byok":{"other_key":"x"}}}',
        '{"identity":{"domains":["other.example"]},"identity":{"domains":["acme.example"]}}',
        '{"__proto__":{"include_customs":"x"},"constructor":{"prototype":1},"identity":{"__proto__":[],"domains":["acme.example"]}}',
        '\ufeff{"identity":{"domains":["acme.example"]}}'
      ]
      for (const body of bodies) {
        const sent = yield* Effect.promise(() => server.send(company, { body }))
        assert.strictEqual(sent.status, 200)
        assert.strictEqual(sent.body.company.domain, "acme.example")
      }
      assert.isUndefined(({} as { include_customs?: unknown }).include_customs)
    })
  )

  it.live("a hit is billed and says who supplied what", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const sent = yield* Effect.promise(() => server.send(people, { body: TestServer.mara }))
      assert.strictEqual(sent.status, 200)
      assert.strictEqual(sent.body.meta.field_sources.current_title, "provider_a")
      assert.strictEqual(sent.headers.get("x-request-id"), sent.body.request_id)
      assert.isNull(sent.headers.get("idempotent-replayed"))
      assert.strictEqual((yield* server.balance).captured, 1_100_000)
    })
  )
})
