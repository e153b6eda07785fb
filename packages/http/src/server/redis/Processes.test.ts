/**
 * Two servers as processes, each with a database and accounts of its own, over one Redis and one vendor: what one has learnt
 * of the vendor holds for the other, and both outlive Redis.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as PlainSimulator from "@lading/testing/plain/simulator"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import * as CommandLine from "../../fixtures/CommandLine.ts"
import * as Receivers from "../../fixtures/Receivers.ts"
import * as RedisServers from "../../fixtures/RedisServers.ts"

let home = ""
beforeAll(async () => {
  home = await CommandLine.folder()
})
afterAll(() => CommandLine.remove(home))

const key = "lad_live_key-of-two-processes"

interface Sent {
  readonly status: number
  readonly body: any
}

const start = Effect.fnUntraced(function* (name: string, environment: CommandLine.Environment) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      CommandLine.start(["serve"], {
        LADING_PORT: "0",
        LADING_API_KEY: key,
        LADING_DATA_DIR: join(home, name),
        LADING_DRAIN_MS: "0",
        LADING_TRADE: "none",
        LADING_SOURCE_ATTEMPTS: "1",
        LADING_CIRCUIT_FAILURES: "3",
        LADING_CIRCUIT_OPEN: "10 minutes",
        LADING_SOURCE_ORDER: "provider_a",
        ...environment
      })
    ),
    ({ child, ended }) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        await ended
      })
  )
  yield* Effect.promise(() => server.printed("documentation:"))
  const url = / on (http:\/\/\S+)/.exec(server.stdout())?.[1] ?? ""
  const send = (path: string, body?: unknown) =>
    Effect.promise(async (): Promise<Sent> => {
      const response = await fetch(url + path, {
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
      })
      return { status: response.status, body: await response.json() }
    })
  return { ...server, send }
})

const about = (domain: string) => ({ identity: { domains: [domain] } })

RedisServers.withServer(() => {
  describe("two servers on one Redis", () => {
    it.live("share a vendor's circuit, name Redis on /ready, and serve without it", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const vendor = yield* PlainSimulator.start()
        const environment = {
          LADING_REDIS_URL: Redacted.value(redis.url),
          LADING_PROVIDER_A_ADAPTER: "plain",
          LADING_PROVIDER_A_BASE_URL: vendor.url,
          LADING_PROVIDER_A_API_KEY: "synthetic-key"
        }
        const [one, other] = yield* Effect.all([start("one", environment), start("other", environment)], {
          concurrency: 2
        })
        // What nobody has configured: an account twice what its key may, and a fair share of what is answered at once.
        assert.deepStrictEqual((yield* one.send("/api/account")).body.data.limits, {
          requests_per_minute: 600,
          account_requests_per_minute: 1200,
          account_requests_at_once: null
        })
        const asked = Effect.map(vendor.calls, ({ length }) => length)
        yield* vendor.fail({ _tag: "ServerError", status: 503 })
        for (const domain of ["a.example", "b.example", "c.example"])
          assert.strictEqual((yield* one.send("/api/company/enrich", about(domain))).status, 503)
        assert.strictEqual(yield* asked, 3)
        const refused = yield* other.send("/api/company/enrich", about("d.example"))
        assert.strictEqual(refused.body.error.message, "No source could answer: provider_a circuit_open")
        assert.strictEqual(yield* asked, 3)

        const ready = { status: "ok", stores: { postgres: "ok", redis: "ok" } }
        assert.deepStrictEqual(yield* other.send("/ready"), { status: 200, body: ready })
        yield* redis.kill
        yield* vendor.reset
        // Its own circuit is closed, since it has met no failure.
        const alone = yield* other.send("/api/company/enrich", about("nordvik-robotics.example"))
        assert.strictEqual(alone.status, 200)
        assert.strictEqual(yield* asked, 1)
        const without = { status: "ok", stores: { postgres: "ok", redis: "unavailable" } }
        yield* Receivers.until(
          "it is named",
          Effect.map(other.send("/ready"), ({ body }) => body.stores.redis === "unavailable")
        )
        assert.deepStrictEqual(yield* other.send("/ready"), { status: 200, body: without })
        for (const { stderr, stdout } of [one, other])
          for (const output of [stderr(), stdout()]) assert.notInclude(output, RedisServers.password)
        yield* redis.start
        yield* Receivers.until(
          "it is back",
          Effect.map(other.send("/ready"), ({ body }) => body.stores.redis === "ok")
        )
      })
    )
  })
})
