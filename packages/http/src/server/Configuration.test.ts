import { assert, describe, it } from "@effect/vitest"
import { PriceBook } from "@lading/core/billing"
import { Waterfall } from "@lading/core/waterfall"
import { Effect, Redacted } from "effect"
import * as Adapters from "./Adapters.ts"
import * as Configuration from "./Configuration.ts"
import * as Variables from "./Variables.ts"

const day = 24 * 60 * 60 * 1000

const read = (environment: Configuration.Environment) => Configuration.read(environment)

const refusal = (environment: Configuration.Environment) =>
  Effect.map(Effect.flip(read(environment)), ({ message }) => message)

describe("Configuration", () => {
  it.effect("is complete without a single variable", () =>
    Effect.gen(function* () {
      const { policy, providers, ...rest } = yield* read({ PATH: "/bin" })
      assert.deepStrictEqual(rest, {
        host: "127.0.0.1",
        port: 8080,
        drainMs: null,
        rateLimit: null,
        accountRateLimit: null,
        inFlight: 1000,
        accountInFlight: null,
        metricsKey: null,
        logLevel: "info",
        logFormat: null,
        logErrors: false,
        telemetry: {
          url: null,
          headers: null,
          signals: ["traces", "metrics"],
          service: "lading",
          attributes: null
        },
        dataDir: "./.lading",
        databaseUrl: null,
        sealKey: null,
        sealFormerKeys: [],
        vaultKey: null,
        vaultFormerKeys: [],
        redisUrl: null,
        redisPrefix: "lading:",
        trade: null,
        traderDomains: null,
        clickhouseUrl: null,
        clickhouseCluster: null,
        apiKey: null,
        credits: 1_000_000,
        prices: PriceBook.standard,
        webhookInsecure: false,
        mcpCredits: 10,
        url: null,
        finder: { name: "website", url: null, key: null },
        email: {
          verifier: null,
          hello: null,
          sender: null,
          publicAddress: null,
          localAddress: null,
          proxy: null,
          nameServers: null,
          rules: null,
          lists: null,
          limits: null,
          connections: 300,
          zones: null,
          privateHosts: false,
          port: 25,
          reoonKey: null,
          reoonUrl: null,
          simulated: false
        },
        planner: { url: null, model: null, key: null },
        sourceOrder: ["provider_a", "provider_b", "provider_c", "provider_d"],
        warnings: []
      })
      assert.deepStrictEqual(policy, Waterfall.defaults)
      assert.deepStrictEqual(
        providers.map(({ adapter, byokOnly, slot }) => [slot, adapter, byokOnly]),
        [
          ["provider_a", "apollo", false],
          ["provider_b", "snov", false],
          ["provider_c", "hunter", false],
          ["provider_d", "peopledatalabs", true],
          ["website", null, false]
        ]
      )
    })
  )

  it.effect("asks companies' own sites where that is on, after all vendors unless an order says otherwise", () =>
    Effect.gen(function* () {
      const on = yield* read({ LADING_WEBSITE: "on" })
      assert.deepStrictEqual(on.sourceOrder, ["provider_a", "provider_b", "provider_c", "provider_d", "website"])
      const website = on.providers.find(({ slot }) => slot === "website")
      assert.deepStrictEqual([website?.adapter, website?.chosen], ["website", true])
      const ordered = yield* read({ LADING_WEBSITE: "on", LADING_SOURCE_ORDER: "website, c" })
      assert.deepStrictEqual(ordered.sourceOrder, ["website", "provider_c"])
      const without = yield* read({ LADING_WEBSITE: "on", LADING_SOURCE_ORDER: "provider_c" })
      assert.deepStrictEqual(without.sourceOrder, ["provider_c"])
      const off = yield* read({ LADING_WEBSITE: "off" })
      assert.deepStrictEqual(off.sourceOrder, ["provider_a", "provider_b", "provider_c", "provider_d"])
      assert.isNull(off.providers.find(({ slot }) => slot === "website")?.adapter)
    })
  )

  it.effect("takes an empty or blank value as not set", () =>
    Effect.gen(function* () {
      const { apiKey, port, prices } = yield* read({ LADING_PORT: "", LADING_API_KEY: "  ", LADING_PRICES: "" })
      assert.deepStrictEqual([port, apiKey, prices], [8080, null, PriceBook.standard])
    })
  )

  it.effect("reads every kind of value", () =>
    Effect.gen(function* () {
      const configuration = yield* read({
        LADING_PORT: "0",
        LADING_CACHE_HIT_TTL: "12 hours",
        LADING_CACHE_MISS_TTL: "0 seconds",
        LADING_SOURCE_ORDER: " provider_c, A ",
        LADING_PROVIDER_A_ADAPTER: "hunter",
        LADING_PROVIDER_A_API_KEY: "first-key",
        LADING_PROVIDER_A_UNIT_PRICE: "0.049",
        LADING_PROVIDER_C_ADAPTER: "none",
        LADING_DATABASE_URL: "postgres://me:secret@db.example/lading",
        LADING_SOURCE_ATTEMPTS: "1"
      })
      const [first, , third] = configuration.providers
      assert.strictEqual(configuration.port, 0)
      assert.deepStrictEqual([configuration.policy.keepHit, configuration.policy.keepMiss], [day / 2, 0])
      assert.strictEqual(configuration.policy.guard.attempts, 1)
      assert.deepStrictEqual(configuration.sourceOrder, ["provider_c", "provider_a"])
      assert.strictEqual(first?.adapter, "hunter")
      assert.deepStrictEqual([first?.unitPrice, third?.unitPrice], [0.049, null])
      assert.strictEqual(first?.apiKey && Redacted.value(first.apiKey), "first-key")
      assert.strictEqual(third?.adapter, null)
    })
  )

  it.effect("lays prices over the standard ones, under a version of their own", () =>
    Effect.gen(function* () {
      const LADING_PRICES = '{"company":{"source":2,"sources":{"provider_c":0.5}}}'
      const { prices } = yield* read({ LADING_PRICES })
      assert.deepStrictEqual(prices.company, { platform: 0.1, source: 2, sources: { website: 0, provider_c: 0.5 } })
      assert.deepStrictEqual(prices.person, PriceBook.standard.person)
      assert.notStrictEqual(prices.version, PriceBook.standard.version)
      const other = yield* read({ LADING_PRICES: '{"company":{"source":3}}' })
      assert.notStrictEqual(other.prices.version, prices.version)
      const named = yield* read({ LADING_PRICES: '{"version":"spring","company":{"source":3}}' })
      assert.strictEqual(named.prices.version, "spring")
    })
  )

  const wrong: ReadonlyArray<readonly [name: string, value: string]> = [
    ["LADING_HOST", "not a host"],
    ["LADING_PORT", "abc"],
    ["LADING_PORT", "-1"],
    ["LADING_PORT", "65536"],
    ["LADING_PORT", "8e3"],
    ["LADING_DRAIN_MS", "soon"],
    ["LADING_RATE_LIMIT", "1.5"],
    ["LADING_ACCOUNT_RATE_LIMIT", "-1"],
    ["LADING_ACCOUNT_IN_FLIGHT", "half"],
    ["LADING_REDIS_URL", "http://:secret@redis.example"],
    ["LADING_REDIS_URL", "redis.example:6379"],
    ["LADING_REDIS_PREFIX", "lading {*}"],
    ["LADING_METRICS_KEY", "with space"],
    ["LADING_LOG_LEVEL", "loud"],
    ["LADING_LOG_FORMAT", "xml"],
    ["LADING_OTLP_URL", "otel.acme.example:4318"],
    ["LADING_OTLP_URL", "http://collector.example:4318/v1/traces"],
    ["LADING_OTLP_HEADERS", "api-key"],
    ["LADING_OTLP_HEADERS", "api-key=a%0Ab"],
    ["LADING_OTLP_SIGNALS", "traces,traces"],
    ["LADING_OTLP_SIGNALS", "spans"],
    ["LADING_OTLP_SERVICE", "with space"],
    ["LADING_OTLP_ATTRIBUTES", "name=%"],
    ["LADING_DATABASE_URL", "mysql://root@db.example/x"],
    ["LADING_DATABASE_URL", "db.example"],
    ["LADING_API_KEY", "short"],
    ["LADING_API_KEY", "a key with spaces in it"],
    ["LADING_API_KEY", "schlüssel-mit-umlauten"],
    ["LADING_CREDITS", "many"],
    ["LADING_SOURCE_ORDER", "provider_a,provider_a"],
    ["LADING_SOURCE_ORDER", "provider_a,"],
    ["LADING_WEBSITE", "yes"],
    ["LADING_PROVIDER_A_ADAPTER", "website"],
    ["LADING_SOURCE_ORDER", "provider_e"],
    ["LADING_PRICES", "{"],
    ["LADING_PRICES", '{"company":{"source":-1}}'],
    ["LADING_PRICES", '{"company":{"platfrom":1}}'],
    ["LADING_PRICES", '{"company":{"sources":{"hunter":1}}}'],
    ["LADING_PRICES", '{"contact":{"source":1}}'],
    ["LADING_CACHE_HIT_TTL", "30"],
    ["LADING_CACHE_MISS_TTL", "Infinity"],
    ["LADING_SOURCE_ATTEMPTS", "0"],
    ["LADING_CIRCUIT_FAILURES", "none"],
    ["LADING_CIRCUIT_OPEN", "-5 seconds"],
    ["LADING_PROVIDER_A_ADAPTER", "apollo-creed"],
    ["LADING_PROVIDER_B_API_KEY", "line\nbreak"],
    ["LADING_PROVIDER_C_CLIENT_ID", "tab\there"],
    ["LADING_PROVIDER_C_CLIENT_SECRET", " padded"],
    ["LADING_CONTACT_FINDER", "google"],
    ["LADING_MCP_MAX_CREDITS", "1e3"],
    ["LADING_MCP_MAX_CREDITS", "-1"],
    ["LADING_URL", "127.0.0.1:8080"],
    ["LADING_CONTACT_FINDER_URL", "search.intranet"],
    ["LADING_CONTACT_FINDER_KEY", "two words"],
    ["LADING_PROVIDER_A_UNIT_PRICE", "-1"],
    ["LADING_PROVIDER_A_UNIT_PRICE", "1e3"],
    ["LADING_PROVIDER_D_BASE_URL", "ftp://vendor.example"],
    ["LADING_PROVIDER_D_BASE_URL", "https://user:password@vendor.example"]
  ]
  for (const [name, value] of wrong) {
    it.effect(`refuses ${name}=${JSON.stringify(value)} with one line that names it`, () =>
      Effect.gen(function* () {
        const message = yield* refusal({ [name]: value })
        assert.isTrue(message.startsWith(`${name}: expected `), message)
        assert.notInclude(message, "\n")
        const variable = Variables.all.find((one) => one.name === name)
        if (variable?.secret === true) assert.notInclude(message, value)
      })
    )
  }

  it.effect(
    "reads the standard names of OpenTelemetry where its own are not set, and names them when they are wrong",
    () =>
      Effect.gen(function* () {
        const standard = {
          OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318",
          OTEL_EXPORTER_OTLP_HEADERS: "api-key=marker%20one",
          OTEL_SERVICE_NAME: "trade",
          OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=production"
        }
        const { telemetry } = yield* read(standard)
        assert.deepStrictEqual(
          { ...telemetry, headers: telemetry.headers && Redacted.value(telemetry.headers) },
          {
            url: "http://collector.example:4318",
            headers: "api-key=marker%20one",
            signals: ["traces", "metrics"],
            service: "trade",
            attributes: "deployment.environment.name=production"
          }
        )
        const own = yield* read({ ...standard, LADING_OTLP_URL: "http://other.example:4318" })
        assert.strictEqual(own.telemetry.url, "http://other.example:4318")
        assert.isNull((yield* read({ ...standard, OTEL_SDK_DISABLED: "true" })).telemetry.url)
        const message = yield* refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: "marker of a host" })
        assert.isTrue(message.startsWith("OTEL_EXPORTER_OTLP_ENDPOINT: expected "), message)
        assert.notInclude(message, "marker")
      })
  )

  it.effect("names the adapters there are when another one is asked for", () =>
    Effect.gen(function* () {
      const message = yield* refusal({ LADING_PROVIDER_A_ADAPTER: "hunted" })
      assert.include(message, [...Adapters.names.filter((name) => name !== "website"), "none"].join(", "))
    })
  )

  it.effect("warns of a variable that it does not know, with the one that was probably meant", () =>
    Effect.gen(function* () {
      const { warnings } = yield* read({ LADING_PROT: "1", LADING_PROVIDER_C_APIKEY: "secret-value" })
      assert.deepStrictEqual(warnings, [
        "LADING_PROT is not known; did you mean LADING_PORT?",
        "LADING_PROVIDER_C_APIKEY is not known; did you mean LADING_PROVIDER_C_API_KEY?"
      ])
    })
  )

  it.effect("says which keys do nothing: those of a slot for own keys, and those without a vendor", () =>
    Effect.gen(function* () {
      const { providers } = yield* read({
        LADING_PROVIDER_B_ADAPTER: "none",
        LADING_PROVIDER_B_API_KEY: "secret-b",
        LADING_PROVIDER_C_API_KEY: "secret-c",
        LADING_PROVIDER_D_API_KEY: "secret-d"
      })
      assert.deepStrictEqual(Configuration.ignoredKeys(providers), [
        "LADING_PROVIDER_B_API_KEY is ignored: provider_b has no vendor, set LADING_PROVIDER_B_ADAPTER",
        "LADING_PROVIDER_D_API_KEY is ignored: provider_d works with the caller's own key only"
      ])
    })
  )

  it.effect("shows no secret when it is printed", () =>
    Effect.gen(function* () {
      const marker = "marker-of-a-secret-value"
      const configuration = yield* read({
        LADING_API_KEY: marker,
        LADING_METRICS_KEY: marker,
        LADING_DATABASE_URL: `postgres://me:${marker}@db.example/lading`,
        LADING_REDIS_URL: `redis://me:${marker}@redis.example:6379`,
        LADING_PROVIDER_C_API_KEY: marker,
        LADING_PROVIDER_C_CLIENT_SECRET: marker
      })
      assert.notInclude(JSON.stringify(configuration), marker)
    })
  )
})
