/**
 * What a server tells of what it does, as a real process: log lines, and traces, metrics and logs for a collector. Each
 * line is one JSON object with the id of its request; no key, person, domain or body is anywhere.
 */
import { assert, it } from "@effect/vitest"
import { Population } from "@lading/testing"
import * as PlainSimulator from "@lading/testing/plain/simulator"
import { Effect } from "effect"
import * as Collector from "../fixtures/Collector.ts"
import * as CommandLine from "../fixtures/CommandLine.ts"
import { until } from "../fixtures/Receivers.ts"

const apiKey = "lad_live_marker-of-the-api-key"
const company = Population.standard.company(3)
const [person] = Population.standard.peopleOf(company)
assert(person !== undefined)

/** What must be nowhere. */
const markers: ReadonlyArray<string> = [
  apiKey,
  "marker-vendor-key",
  "marker-otlp-key",
  "marker-idempotency",
  "marker-of-a-query",
  "marker-of-a-body",
  "marker-of-a-header",
  "marker-hook",
  "marker-of-a-product",
  "mara.marker",
  company.domain,
  company.name,
  person.last_name
]

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

const vendor = Effect.gen(function* () {
  const simulator = yield* PlainSimulator.start({ seed: 1 })
  const environment: CommandLine.Environment = {
    LADING_PORT: "0",
    LADING_API_KEY: apiKey,
    LADING_DRAIN_MS: "0",
    LADING_RATE_LIMIT: "0",
    LADING_SOURCE_ATTEMPTS: "1",
    LADING_SOURCE_ORDER: "provider_a",
    LADING_PROVIDER_A_ADAPTER: "plain",
    LADING_PROVIDER_A_BASE_URL: simulator.url,
    LADING_PROVIDER_A_API_KEY: "marker-vendor-key",
    LADING_PROVIDER_B_ADAPTER: "none",
    LADING_PROVIDER_C_ADAPTER: "none",
    LADING_PROVIDER_D_ADAPTER: "none"
  }
  return { simulator, environment }
})

/** A server in a new folder; killed with the scope, if it has not ended by then. */
const serve = Effect.fnUntraced(function* (environment: CommandLine.Environment) {
  const folder = yield* Effect.acquireRelease(Effect.promise(CommandLine.folder), (path) =>
    Effect.promise(() => CommandLine.remove(path))
  )
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => CommandLine.start(["serve"], { LADING_DATA_DIR: folder, ...environment })),
    ({ child, ended }) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        await ended
      })
  )
  yield* Effect.promise(() => server.printed("documentation:"))
  const url = / on (http:\/\/\S+)/.exec(server.stdout())?.[1] ?? ""
  const send = async (
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
    method?: string
  ) => {
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    return { status: response.status, text: await response.text() }
  }
  const stop = Effect.promise(async () => {
    server.child.kill("SIGTERM")
    return await server.ended
  })
  return { send, stop, server }
})

const asked = { identity: { domains: [company.domain], names: [company.name] } }

/** Whatever can go well and wrong with a request, each with something in it that nobody may learn. */
const visit = async (send: Effect.Success<ReturnType<typeof serve>>["send"]) => {
  const traceparent = `00-${traceId}-${parentId}-01`
  const statuses = [
    await send("/api/company/enrich", asked, { traceparent, "x-marker": "marker-of-a-header" }),
    await send(
      "/api/company/enrich",
      { ...asked, waterfall: { max_cache_age_s: 0 } },
      { "idempotency-key": "marker-idempotency" }
    ),
    await send(
      "/api/company/enrich",
      { ...asked, waterfall: { max_cache_age_s: 0 } },
      { "idempotency-key": "marker-idempotency" }
    ),
    await send("/api/people/enrich", {
      identity: { first_name: person.first_name, last_name: person.last_name, domain: company.domain },
      response: { include_provider_raw: true },
      webhook_url: "https://marker-hook.example/hook"
    }),
    await send("/api/email/verify", { type: "single", email: "mara.marker@acme.example" }),
    await send("/api/customs/records/search", { product: "marker-of-a-product" }),
    await send("/api/company/enrich", '{"identity": {"domains": ["marker-of-a-body"'),
    await send("/api/company/enrich", { identity: { domains: [{ wrong: "marker-of-a-body" }] } }),
    await send("/api/nowhere/mara.marker?q=marker-of-a-query", {}),
    await send("/api/company/enrich?q=marker-of-a-query", undefined, {}, "PUT"),
    await send("/api/company/enrich", asked, { authorization: "Bearer lad_live_marker-of-a-header" }),
    await send("/api/admin/subjects", { subject: "mara.marker@acme.example" }, {}, "DELETE")
  ]
  return statuses.map(({ status }) => status)
}

const holdsNone = (where: string, text: Buffer | string) => {
  for (const marker of markers) assert.isFalse(text.includes(marker), `${where} holds ${marker}`)
}

const times = (text: Buffer, word: string): number => text.toString("latin1").split(word).length - 1

const limit = 120_000

it.live(
  "every log line of a server is one JSON object, a request's with its id, and none holds a key, a person, a domain or a body",
  () =>
    Effect.gen(function* () {
      const { environment, simulator } = yield* vendor
      const { send, stop } = yield* serve({ ...environment, LADING_LOG_LEVEL: "trace" })
      const statuses = yield* Effect.promise(() => visit(send))
      assert.deepStrictEqual(statuses.slice(0, 4), [200, 200, 200, 200])
      yield* simulator.fail({ _tag: "ServerError", status: 503 })
      yield* Effect.promise(() => send("/api/company/enrich", { ...asked, waterfall: { max_cache_age_s: 0 } }))
      const { code, stderr, stdout } = yield* stop
      assert.strictEqual(code, 0)
      holdsNone("the log", stderr)
      holdsNone("the standard output", stdout)
      const lines = stderr
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      for (const line of lines) {
        assert.containsAllKeys(line, ["level", "timestamp", "message", "annotations"])
      }
      const named = (message: string) => lines.filter((line) => line.message === message)
      assert.lengthOf(named("request"), statuses.length + 1)
      for (const line of [...named("request"), ...named("source failed")]) {
        assert.match(line.annotations.request_id, /^req_/)
      }
      assert.lengthOf(named("source failed"), 1)
      // Off unless it is wanted: nobody is told of a trace.
      assert.notInclude(stderr, "trace_id")
    }),
  limit
)

it.live(
  "a collector is told of each request and each vendor call, in the caller's trace, and of nothing that nobody may learn",
  () =>
    Effect.gen(function* () {
      const { environment, simulator } = yield* vendor
      const collector = yield* Collector.start({ answers: true })
      const { send, stop } = yield* serve({
        ...environment,
        LADING_OTLP_URL: collector.url,
        LADING_OTLP_HEADERS: "x-collector-key=marker-otlp-key",
        LADING_OTLP_SIGNALS: "traces,metrics,logs",
        LADING_OTLP_SERVICE: "lading-under-test",
        LADING_OTLP_ATTRIBUTES: "deployment.environment.name=a%20test"
      })
      yield* Effect.promise(() => visit(send))
      yield* simulator.fail({ _tag: "MalformedJson" })
      yield* Effect.promise(() => send("/api/company/enrich", { ...asked, waterfall: { max_cache_age_s: 0 } }))
      const { code, stderr } = yield* stop
      assert.strictEqual(code, 0, stderr)
      assert.deepStrictEqual([...new Set(collector.exports.map(({ path }) => path))].toSorted(), [
        "/v1/logs",
        "/v1/metrics",
        "/v1/traces"
      ])
      for (const { headers } of collector.exports) assert.strictEqual(headers["x-collector-key"], "marker-otlp-key")
      const [traces, metrics, logs] = ["traces", "metrics", "logs"].map(collector.told) as [Buffer, Buffer, Buffer]
      holdsNone("a trace", traces)
      holdsNone("a metric", metrics)
      holdsNone("a log record", logs)
      holdsNone("the log", stderr)
      // A span for each request and each call, and no other.
      const calls = yield* simulator.calls
      assert.strictEqual(times(traces, "source.call"), calls.length)
      assert.isAtLeast(calls.length, 3)
      assert.strictEqual(times(traces, "POST /api/company/enrich"), 7)
      assert.strictEqual(times(traces, "POST /api/people/enrich"), 1)
      for (const word of [
        "sql",
        "enrich.enrich",
        "CompanyEnrichment",
        "http.client",
        "lading/",
        "url.",
        "client.address"
      ]) {
        assert.strictEqual(times(traces, word), 0, word)
      }
      assert.isTrue(traces.includes(Buffer.from(traceId, "hex")))
      assert.isTrue(traces.includes(Buffer.from(parentId, "hex")))
      assert.include(stderr, `"trace_id":"${traceId}"`)
      for (const told of [traces, metrics, logs]) {
        assert.isAbove(times(told, "lading-under-test"), 0)
        assert.isAbove(times(told, "a test"), 0)
      }
      assert.isAbove(times(metrics, "lading_vendor_calls_total"), 0)
      assert.isAbove(times(logs, "req_"), 0)
    }),
  limit
)

it.live(
  "a collector that is silent, or is not there, holds up no request, and no stop for long; the log says so once",
  () =>
    Effect.gen(function* () {
      const { environment } = yield* vendor
      const silent = yield* Collector.start({ answers: false })
      for (const url of [silent.url, "http://127.0.0.1:1"]) {
        const { send, server, stop } = yield* serve({
          ...environment,
          LADING_OTLP_URL: url,
          LADING_OTLP_SIGNALS: "traces,metrics,logs"
        })
        const begun = performance.now()
        const statuses = yield* Effect.promise(() =>
          Promise.all(Array.from({ length: 300 }, () => send("/api/company/enrich", asked)))
        )
        assert.deepStrictEqual([...new Set(statuses.map(({ status }) => status))], [200])
        assert.isBelow(performance.now() - begun, 30_000)
        yield* until("it is said", () => server.stderr().includes("the collector takes no telemetry"))
        const stopping = performance.now()
        const { code, stderr } = yield* stop
        assert.strictEqual(code, 0)
        assert.isBelow(performance.now() - stopping, 10_000)
        assert.lengthOf(
          stderr.split("\n").filter((line) => line.includes("takes no telemetry")),
          1
        )
      }
    }),
  limit
)
