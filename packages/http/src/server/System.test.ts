/** The endpoints of the server itself: liveness, readiness, metrics, and the interface for readers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as Mail from "../fixtures/Mail.ts"
import * as TestServer from "../fixtures/TestServer.ts"
import * as Documents from "./Documents.ts"
import * as Readiness from "./Readiness.ts"

const get = (server: TestServer.TestServer, path: string, asking: TestServer.Asking = {}) =>
  Effect.promise(() => server.send(path, { key: null, ...asking }))

describe("/health and /ready", () => {
  it.live("the process lives, whatever its stores say", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ probes: [Readiness.probe("ledger", Effect.fail("down"))] })
      const sent = yield* get(server, "/health")
      assert.strictEqual(sent.status, 200)
      assert.deepStrictEqual(sent.body, { status: "ok" })
      assert.match(sent.headers.get("x-request-id") ?? "", /^req_[\w-]{20,}$/)
    })
  )

  it.live("each store is named; one that fails, dies or never answers is unavailable and makes it 503", () =>
    Effect.gen(function* () {
      const ok = Readiness.probe("accounts", Effect.void)
      const up = yield* TestServer.make({ probes: [ok] })
      const ready = yield* get(up, "/ready")
      assert.strictEqual(ready.status, 200)
      assert.deepStrictEqual(ready.body, { status: "ok", stores: { accounts: "ok" } })
      for (const check of [Effect.fail("down"), Effect.die("broken"), Effect.never]) {
        const server = yield* TestServer.make({ probes: [ok, Readiness.probe("ledger", check)] })
        const sent = yield* get(server, "/ready")
        assert.strictEqual(sent.status, 503)
        assert.deepStrictEqual(sent.body, { status: "unavailable", stores: { accounts: "ok", ledger: "unavailable" } })
      }
    })
  )
})

describe("a store that the server can do without", () => {
  it.live("is named on /ready, and makes it no 503", () =>
    Effect.gen(function* () {
      const probes = [
        Readiness.probe("accounts", Effect.void),
        Readiness.probe("redis", Effect.fail("down"), { spared: true })
      ]
      const sent = yield* get(yield* TestServer.make({ probes }), "/ready")
      assert.deepStrictEqual(
        [sent.status, sent.body],
        [200, { status: "ok", stores: { accounts: "ok", redis: "unavailable" } }]
      )
    })
  )
})

describe("/metrics", () => {
  it.live("count requests by declared route, method and status, with latency, credits and vendor calls", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const credits = Effect.map(get(server, "/metrics"), ({ body }) =>
        Number(
          /^lading_source_credits_total\{source="provider_a",operation="company"\} ([\d.]+)$/m.exec(body)?.[1] ?? 0
        )
      )
      const before = yield* credits
      yield* Effect.promise(() => server.send("/api/company/enrich", { body: TestServer.acme }))
      // Counters are the process': other tests have charged in it, decimals too.
      assert.closeTo((yield* credits) - before, 1, 1e-6)
      yield* get(server, "/secret-marker/../path?secret=marker")
      const sent = yield* get(server, "/metrics")
      assert.strictEqual(sent.status, 200)
      assert.match(sent.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
      for (const line of [
        /^lading_http_requests_total\{route="\/api\/company\/enrich",method="POST",status="200"\} \d+$/m,
        /^lading_http_requests_total\{route="unmatched",method="GET",status="404"\} \d+$/m,
        /^lading_http_request_seconds_bucket\{route="\/api\/company\/enrich",method="POST",le="0\.5"\} \d+$/m,
        /^lading_http_requests_in_flight \d+$/m,
        /^lading_platform_credits_total\{operation="company"\} [\d.]+$/m,
        /^lading_vendor_calls_total\{source="provider_a",operation="company",outcome="hit"\} \d+$/m,
        /^lading_circuit_state\{source="provider_a"\} 0$/m
      ]) {
        assert.match(sent.body, line)
      }
      assert.notInclude(sent.body, "secret-marker")
      assert.notInclude(server.logs.join("\n"), "secret-marker")
    })
  )

  it.live("want their key when one is set, and no API key opens them", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ metricsKey: Option.some(Redacted.make("metrics-key")) })
      for (const authorization of ["", "metrics-key", "Bearer", "Bearer metrics-kex", `Bearer ${TestServer.key}`]) {
        const sent = yield* get(server, "/metrics", { headers: { authorization } })
        assert.strictEqual(sent.status, 401)
        assert.strictEqual(sent.body.error.code, "unauthenticated")
      }
      const sent = yield* get(server, "/metrics", { headers: { authorization: "Bearer metrics-key" } })
      assert.strictEqual(sent.status, 200)
    })
  )
})

describe("/openapi.json and /docs", () => {
  it.live("document every path with its refusals in one schema, both credentials, and the headers", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { status, body } = yield* get(server, "/openapi.json")
      assert.strictEqual(status, 200)
      assert.strictEqual(body.info.version, "2.0")
      assert.deepStrictEqual(Object.keys(body.paths).sort(), [
        "/api/account",
        "/api/account/vendor-keys",
        "/api/account/vendor-keys/{slot}",
        "/api/admin/accounts",
        "/api/admin/accounts/{account}/adjustments",
        "/api/admin/accounts/{account}/grants",
        "/api/admin/accounts/{account}/keys",
        "/api/admin/accounts/{account}/limits",
        "/api/admin/accounts/{account}/refunds",
        "/api/admin/accounts/{account}/usage",
        "/api/admin/keys/{key}",
        "/api/admin/ledger/audit",
        "/api/admin/runs/{request_id}/replay",
        "/api/admin/subjects",
        "/api/admin/trade/loads",
        "/api/admin/trade/loads/{load}",
        "/api/admin/trade/loads/{load}/parts/{part}",
        "/api/admin/trade/loads/{load}/publication",
        "/api/company/enrich",
        "/api/company/enrich/{request_id}",
        "/api/company/search",
        "/api/customs/analytics/company-statistics",
        "/api/customs/analytics/customs-statistics",
        "/api/customs/analytics/market-trend",
        "/api/customs/analytics/port-statistics",
        "/api/customs/analytics/procurement-trends",
        "/api/customs/analytics/world-regions",
        "/api/customs/companies/bulk-status",
        "/api/customs/companies/details",
        "/api/customs/companies/hs-codes",
        "/api/customs/companies/match",
        "/api/customs/companies/match-contacts",
        "/api/customs/companies/partners",
        "/api/customs/companies/product-keywords",
        "/api/customs/companies/records",
        "/api/customs/companies/regions",
        "/api/customs/companies/search",
        "/api/customs/companies/semantic-query",
        "/api/customs/companies/trade-trends",
        "/api/customs/records/search",
        "/api/customs/reference/countries",
        "/api/customs/transactions/chinese-suppliers",
        "/api/customs/transactions/merchants",
        "/api/customs/transactions/merchants-new",
        "/api/email/verify",
        "/api/people/enrich",
        "/api/people/enrich/{request_id}",
        "/api/people/search",
        "/api/quotes",
        "/api/reference/codes",
        "/api/reference/industries",
        "/api/reference/technologies",
        "/api/tasks",
        "/api/tasks/plan",
        "/api/tasks/{task_id}",
        "/api/tasks/{task_id}/cancel",
        "/api/tasks/{task_id}/data",
        "/api/webhooks/deliveries",
        "/api/webhooks/deliveries/{delivery_id}",
        "/api/webhooks/deliveries/{delivery_id}/replay",
        "/api/webhooks/secret",
        "/health",
        "/metrics",
        "/ready"
      ])
      assert.deepStrictEqual(Object.keys(body.components.securitySchemes), ["bearer", "api_key"])
      assert.deepStrictEqual(
        body.tags.map(({ name }: { name: string }) => name),
        [
          "company",
          "people",
          "customs",
          "email",
          "tasks",
          "quotes",
          "reference",
          "account",
          "webhooks",
          "admin",
          "system"
        ]
      )
      const posts = Object.keys(body.paths).filter((path) => body.paths[path].post !== undefined)
      assert.lengthOf(posts, 39)
      for (const path of posts) {
        const { responses, parameters, security } = body.paths[path].post
        const created = ["/api/email/verify", "/api/tasks"]
        const done = path.endsWith("/bulk-status") || created.includes(path) ? 201 : 200
        const statuses = [done, 400, 401, 402, 403, 404, 405, 409, 413, 415, 429, 500, 503, 504]
        assert.deepStrictEqual(Object.keys(responses), statuses.map(String))
        for (const status of statuses.slice(1)) {
          const { schema } = responses[status].content["application/json"]
          assert.deepStrictEqual(schema, { $ref: "#/components/schemas/ErrorBody" })
        }
        assert.deepStrictEqual(Object.keys(responses[done].headers).slice(0, 2), [
          "x-request-id",
          "idempotent-replayed"
        ])
        const header = parameters.find((parameter: { readonly in: string }) => parameter.in === "header")
        assert.strictEqual(header.name, "idempotency-key")
        assert.deepStrictEqual(security, [{ bearer: [] }, { api_key: [] }])
      }
      const { CompanyEnrichmentRequest, PersonEnrichmentRequest, ErrorBody } = body.components.schemas
      for (const schema of [CompanyEnrichmentRequest, PersonEnrichmentRequest, ErrorBody]) {
        assert.isAbove(schema.examples.length, 0)
      }
      assert.notInclude(JSON.stringify(body), 'additionalProperties":false')
    })
  )

  it.live("the examples work as they stand", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ verifier: Mail.layerUnasked })
      const { body } = yield* get(server, "/openapi.json")
      const { CompanyEnrichmentRequest, EmailVerificationRequest, PersonEnrichmentRequest } = body.components.schemas
      for (const [path, { examples }, status] of [
        ["/api/company/enrich", CompanyEnrichmentRequest, 200],
        ["/api/email/verify", EmailVerificationRequest, 201],
        ["/api/people/enrich", PersonEnrichmentRequest, 200]
      ]) {
        const sent = yield* Effect.promise(() => server.send(path, { body: examples[0] }))
        assert.strictEqual(sent.status, status)
      }
    })
  )

  it.live("the page carries all it needs, and its policy forbids anything from elsewhere", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const page = yield* get(server, "/docs")
      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.headers.get("content-security-policy"), Documents.policy)
      assert.notMatch(page.body, /<(script|link|img)[^>]+(src|href)="?(https?:)?\/\//)
    })
  )
})

describe("Logs", () => {
  it.live("one line an exchange: route, status, time, ids; no body, no address, no query", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const sent = yield* Effect.promise(() =>
        server.send("/api/company/enrich?q=secret-marker", { body: TestServer.acme })
      )
      const line = JSON.parse(server.logs.find((line) => line.includes(sent.body.request_id)) ?? "{}")
      assert.deepStrictEqual(Object.keys(line.annotations).sort(), [
        "key",
        "method",
        "ms",
        "path",
        "request_id",
        "status"
      ])
      assert.strictEqual(line.annotations.path, "/api/company/enrich")
      assert.strictEqual(line.annotations.status, 200)
      assert.match(line.annotations.key, /^key_/)
      for (const secret of ["secret-marker", "acme.example", "127.0.0.1", TestServer.key]) {
        assert.notInclude(server.logs.join("\n"), secret)
      }
    })
  )
})

describe("headers of every answer", () => {
  it.live("keep browsers from guessing, and everybody on the way from keeping what is asked under /api", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const answers = {
        "/health": null,
        "/docs": null,
        "/api/nothing": null,
        "/api/company/enrich": "no-store",
        "/api/admin/accounts": "no-store"
      }
      for (const [path, cache] of Object.entries(answers)) {
        const { headers } = yield* get(server, path, path.endsWith("/enrich") ? { body: TestServer.acme } : {})
        assert.deepStrictEqual(
          ["x-content-type-options", "referrer-policy", "cache-control"].map((name) => headers.get(name)),
          ["nosniff", "no-referrer", cache],
          path
        )
        // No other origin may read anything: nothing here answers a browser's question for it.
        assert.isNull(headers.get("access-control-allow-origin"))
      }
    })
  )
})
