/**
 * What requests see of a Redis that dies, hangs, refuses and comes back: a process of the test's own, and real HTTP. Counts
 * and bounds only; that nobody waits for long is shown by a bound that a busy machine keeps too.
 */
import { assert, describe, it } from "@effect/vitest"
import { Slots } from "@lading/core/waterfall"
import { Context, Effect, Layer, Logger, type Redacted } from "effect"
import * as Receivers from "../../fixtures/Receivers.ts"
import * as RedisServers from "../../fixtures/RedisServers.ts"
import * as TestServer from "../../fixtures/TestServer.ts"
import { Buckets } from "../limits/Buckets.ts"
import * as Limits from "../limits/Limits.ts"
import * as Shared from "./Shared.ts"

const limit = { requests: 5, window: 3_600_000 }

/** A server whose limits are over Redis, and what it logs. */
const over = Effect.fnUntraced(function* (redis: RedisServers.RedisServer) {
  const logs: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))])
  const context = yield* Layer.build(Layer.provideMerge(RedisServers.stores(redis, "lading:", null), logger))
  const server = yield* TestServer.make({
    rateLimit: limit,
    slots: [Slots.bound("provider_a", TestServer.knowing)],
    buckets: Layer.succeed(Buckets, Context.get(context, Buckets)),
    limits: Layer.succeedContext(context)
  })
  const ask = Effect.promise(() => server.send("/api/company/enrich", { body: TestServer.acme }))
  const reach = Context.get(context, Shared.Reach)
  return { ask, isUp: reach.isUp, logs, server }
})

const outages = (logs: ReadonlyArray<string>) => logs.filter((line) => line.includes("does not answer"))

/** Ten at once: as many as the limit of this process allows are answered, and none waits for Redis for long. */
const askTen = Effect.fnUntraced(function* (ask: Effect.Effect<TestServer.Sent>) {
  const began = performance.now()
  const sent = yield* Effect.all(
    Array.from({ length: 10 }, () => ask),
    { concurrency: "unbounded" }
  )
  // One wait of 200 ms is meant; a request that waited for the socket's own time-out would take 5,000 and more.
  assert.isBelow(performance.now() - began, 4_000)
  return sent.map(({ status }) => status).toSorted()
})

const asMuchAsOne = [200, 200, 200, 200, 200, 429, 429, 429, 429, 429]

RedisServers.withServer(() => {
  describe("Redis that", () => {
    it.live(
      "is killed costs no request: each server goes on with limits of its own, says so once, and comes back",
      () =>
        Effect.gen(function* () {
          const redis = yield* RedisServers.make
          const { ask, isUp, logs } = yield* over(redis)
          assert.deepStrictEqual(yield* askTen(ask), asMuchAsOne)
          yield* redis.kill
          // Its own buckets are full, since they were not needed.
          assert.deepStrictEqual(yield* askTen(ask), asMuchAsOne)
          yield* Receivers.until(
            "it is noticed",
            Effect.map(isUp, (up) => !up)
          )
          assert.deepStrictEqual(
            yield* askTen(ask),
            Array.from({ length: 10 }, () => 429)
          )
          assert.strictEqual(outages(logs).length, 1, logs.join("\n"))
          yield* redis.start
          yield* Receivers.until("it is back", isUp)
          // Redis has begun anew.
          assert.deepStrictEqual(yield* askTen(ask), asMuchAsOne)
          assert.strictEqual(logs.filter((line) => line.includes("answers again")).length, 1)
          assert.strictEqual(outages(logs).length, 1)
          assert.notInclude(logs.join("\n"), RedisServers.password)
        })
    )

    it.live("hangs costs each request one moment, and is used again when it goes on", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const { ask, isUp, logs } = yield* over(redis)
        assert.strictEqual((yield* ask).status, 200)
        yield* redis.halt
        assert.deepStrictEqual(yield* askTen(ask), asMuchAsOne)
        assert.isFalse(yield* isUp)
        yield* Receivers.until("it is said", () => outages(logs).length === 1)
        yield* redis.goOn
        yield* Receivers.until("it is used", isUp)
        // It has counted the one before, and may have counted those that nobody waited for.
        const statuses = yield* askTen(ask)
        assert.isAtMost(statuses.filter((status) => status === 200).length, 4)
        assert.isTrue(yield* isUp)
      })
    )

    it.live("takes no writes is as good as none", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const { ask, isUp, logs } = yield* over(redis)
        assert.strictEqual((yield* ask).status, 200)
        yield* redis.send("CONFIG", "SET", "maxmemory", "1")
        assert.deepStrictEqual(yield* askTen(ask), asMuchAsOne)
        yield* Receivers.until("it is said", () => outages(logs).length === 1)
        assert.include(logs.join("\n"), "OOM")
        yield* redis.send("CONFIG", "SET", "maxmemory", "0")
        yield* Receivers.until("it is used", isUp)
      })
    )

    it.live("forgets its scripts is taught them again", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const { ask, isUp, logs } = yield* over(redis)
        assert.strictEqual((yield* ask).status, 200)
        yield* redis.send("SCRIPT", "FLUSH")
        assert.strictEqual((yield* ask).status, 200)
        assert.isTrue(yield* isUp)
        assert.deepStrictEqual(outages(logs), [])
      })
    )
  })

  describe("a start", () => {
    const start = (redisUrl: Redacted.Redacted) =>
      Layer.build(Limits.layer({ redisUrl, redisPrefix: "lading:" })).pipe(Effect.scoped, Effect.flip)

    it.live("with a Redis that cannot be used is refused, and says why without the password", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const refused = yield* start(redis.wrong)
        assert.match(refused.message, /^LADING_REDIS_URL: Redis cannot be used: WRONGPASS /)
        yield* redis.kill
        const gone = yield* start(redis.url)
        assert.strictEqual(gone.message, "LADING_REDIS_URL: Redis cannot be used: ECONNREFUSED")
        for (const { message } of [refused, gone]) assert.notInclude(message, RedisServers.password)
      })
    )

    it.live("waits for a Redis that hangs no longer than five seconds", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        yield* redis.halt
        const { message } = yield* start(redis.url)
        assert.match(message, /^LADING_REDIS_URL: Redis cannot be used: no answer in 5 seconds$/)
      })
    )
  })

  it.live("metrics tell whether limits are shared, and what was answered alone", () =>
    Effect.gen(function* () {
      const redis = yield* RedisServers.make
      const { ask, isUp, server } = yield* over(redis)
      yield* ask
      const metrics = Effect.map(
        Effect.promise(() => server.send("/metrics", { key: null })),
        ({ body }): string => body
      )
      assert.match(yield* metrics, /^lading_redis_up 1$/m)
      yield* redis.kill
      yield* ask
      yield* Receivers.until(
        "it is noticed",
        Effect.map(isUp, (up) => !up)
      )
      assert.match(yield* metrics, /^lading_redis_up 0$/m)
      assert.match(yield* metrics, /^lading_redis_fallbacks_total [1-9]\d*$/m)
    })
  )
})
