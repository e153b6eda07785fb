/** What several servers count together, over a Redis of the test's own: each has its stores and its connection. */
import { assert, describe, it } from "@effect/vitest"
import { Allowance, Guard, Slots, Source, SourceError } from "@lading/core/waterfall"
import { GuardedCall, ScriptedSource } from "@lading/testing"
import { Clock, Context, Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import * as Receivers from "../../fixtures/Receivers.ts"
import * as RedisServers from "../../fixtures/RedisServers.ts"
import * as TestServer from "../../fixtures/TestServer.ts"
import * as Buckets from "../limits/Buckets.ts"

const hit = Source.hit({ name: "Acme" }, null)
const platform = Guard.platformCredential("s")

/** The guards of two servers. */
const two = Effect.fnUntraced(function* (redis: RedisServers.RedisServer, policy: Partial<Guard.Policy> = {}) {
  const guard = Effect.gen(function* () {
    const context = yield* Layer.build(RedisServers.stores(redis))
    return yield* Guard.make(["s"], { ...Guard.defaults, ...policy }).pipe(Effect.provideContext(context))
  })
  return [yield* guard, yield* guard] as const
})

const ask = GuardedCall.make

const reasonOf = (exit: Exit.Exit<unknown, Guard.Trouble>): string => {
  if (Exit.isSuccess(exit)) return "answered"
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return "defect"
  return error.value._tag === "NotAsked" ? error.value.reason : error.value._tag
}

const countOf = (words: ReadonlyArray<string>, word: string) => words.filter((one) => one === word).length

RedisServers.withServer(() => {
  describe("servers on one Redis", () => {
    it.live("keep to a vendor's limit together", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        let calls = 0
        const vendor = ScriptedSource.make({
          company: () => Effect.sync(() => (calls++, hit)),
          limits: { rate: { calls: 20, window: 3_600_000 } }
        })
        const guards = yield* two(redis)
        const ended = yield* Effect.forEach(
          Array.from({ length: 60 }),
          (_, index) => Effect.map(Effect.exit(ask(guards[index % 2 === 0 ? 0 : 1], vendor)), reasonOf),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(calls, 20)
        assert.deepStrictEqual([countOf(ended, "answered"), countOf(ended, "rate_limited")], [20, 40])
      })
    )

    it.live("keep to what the vendor itself says, whoever was told", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        let calls = 0
        const vendor = ScriptedSource.make({
          company: () =>
            Effect.gen(function* () {
              const remaining = 3 - calls++
              yield* Allowance.tell({ remaining, resetAt: (yield* Clock.currentTimeMillis) + 3_600_000 })
              return hit
            })
        })
        const [one, other] = yield* two(redis)
        yield* ask(one, vendor)
        for (const guard of [other, one, other]) yield* ask(guard, vendor)
        assert.strictEqual(calls, 4)
        for (const guard of [one, other])
          assert.strictEqual(reasonOf(yield* Effect.exit(ask(guard, vendor))), "rate_limited")
        assert.strictEqual(calls, 4)
      })
    )

    it.live("leave a vendor alone that has told one of them when to come back", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        let calls = 0
        const vendor = ScriptedSource.make({
          company: () => {
            calls++
            return Effect.fail(new SourceError.RateLimited({ source: "s", retryAfter: 600_000 }))
          }
        })
        const [one, other] = yield* two(redis)
        assert.strictEqual(reasonOf(yield* Effect.exit(ask(one, vendor))), "RateLimited")
        assert.strictEqual(reasonOf(yield* Effect.exit(ask(other, vendor))), "rate_limited")
        assert.strictEqual(calls, 1)
      })
    )

    it.live("take off what another one has in the air, when the vendor answers the first", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const go = yield* Deferred.make<void>()
        let calls = 0
        const vendor = ScriptedSource.make({
          company: () =>
            Effect.gen(function* () {
              const first = calls++ === 0
              if (first) yield* Deferred.await(go)
              else return yield* Effect.never
              yield* Allowance.tell({ remaining: 2, resetAt: (yield* Clock.currentTimeMillis) + 3_600_000 })
              return hit
            })
        })
        const [one, other] = yield* two(redis)
        const answered = yield* Effect.forkChild(ask(one, vendor))
        yield* Receivers.until("one asks", () => calls === 1)
        const flying = yield* Effect.forEach([1, 2], () => Effect.forkChild(ask(other, vendor)))
        yield* Receivers.until("the other asks twice", () => calls === 3)
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(answered)
        assert.strictEqual(reasonOf(yield* Effect.exit(ask(one, vendor))), "rate_limited")
        yield* Effect.forEach(flying, Fiber.interrupt)
      })
    )

    it.live("open a vendor's circuit for each other, and close it", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        let calls = 0
        let isUp = false
        const vendor = ScriptedSource.make({
          company: () => {
            calls++
            return isUp
              ? Effect.succeed(hit)
              : Effect.fail(new SourceError.Unavailable({ source: "s", problem: "down" }))
          }
        })
        const [one, other] = yield* two(redis, { attempts: 1, failures: 3, open: 2_000 })
        for (let failure = 0; failure < 3; failure++)
          assert.strictEqual(reasonOf(yield* Effect.exit(ask(one, vendor))), "Unavailable")
        assert.strictEqual(reasonOf(yield* Effect.exit(ask(other, vendor))), "circuit_open")
        assert.strictEqual(calls, 3)
        isUp = true
        const closed = Effect.map(Effect.exit(ask(other, vendor)), Exit.isSuccess)
        yield* Receivers.until("the other one tries it", closed)
        assert.strictEqual(reasonOf(yield* Effect.exit(ask(one, vendor))), "answered")
      })
    )

    it.live("open nobody else's circuit for an account's bad key, and show no key in Redis", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        let isGood = false
        const vendor = ScriptedSource.make({
          company: () => (isGood ? Effect.succeed(hit) : Effect.fail(new SourceError.Unauthorized({ source: "s" })))
        })
        const [one, other] = yield* two(redis, { attempts: 1, failures: 2, open: 600_000 })
        const bad = Guard.ownCredential("s", "account", 1)
        for (let failure = 0; failure < 2; failure++) yield* Effect.exit(ask(one, vendor, bad))
        isGood = true
        assert.strictEqual(reasonOf(yield* Effect.exit(ask(other, vendor, bad))), "circuit_open")
        for (const guard of [one, other])
          for (const credential of [platform, Guard.ownCredential("s", "account", 2), Guard.ownCredential("s", "b", 1)])
            assert.strictEqual(reasonOf(yield* Effect.exit(ask(guard, vendor, credential))), "answered")
      })
    )

    it.live(
      "count an account's requests together, in one bucket beside those of its keys, and keep nothing for good",
      () =>
        Effect.gen(function* () {
          const redis = yield* RedisServers.make
          const start = Effect.gen(function* () {
            const context = yield* Layer.build(RedisServers.stores(redis))
            return Context.get(context, Buckets.Buckets)
          })
          const servers = [yield* start, yield* start] as const
          const key = { name: "{a}:key:one", rate: { requests: 100, window: 60_000 } }
          const account = { name: "{a}:account", rate: { requests: 30, window: 3_600_000 } }
          const taken = yield* Effect.forEach(
            Array.from({ length: 80 }),
            (_, index) => servers[index % 2 === 0 ? 0 : 1].take([key, account]),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(taken.filter((one) => one.taken).length, 30)
          // What the account's bucket has refused has cost the key nothing.
          const { full } = yield* servers[0].take([key])
          assert.isAtLeast(Buckets.remaining(key.rate, full[0] ?? 0), 69)
          const keys = yield* redis.keys
          assert.deepStrictEqual(
            keys.map(([name]) => name),
            ["lading:rate:{a}:account", "lading:rate:{a}:key:one"]
          )
          for (const [name, life] of keys) assert.isAtLeast(life, 1, name)
        })
    )

    it.live("say the same as one that counts alone, refusals and fractions too", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const shared = Context.get(yield* Layer.build(RedisServers.stores(redis)), Buckets.Buckets)
        const alone = Buckets.make()
        // So slow that nothing comes back meanwhile.
        const seven = { name: "seven", rate: { requests: 7, window: 1e9 } }
        const three = { name: "three", rate: { requests: 3, window: 1e9 } }
        for (const wanted of [
          [seven],
          [seven, three],
          [three],
          [three, seven],
          [three],
          [seven],
          [seven, three],
          [seven],
          [seven],
          [seven],
          [seven]
        ]) {
          const [one, other] = [yield* shared.take(wanted), yield* alone.take(wanted)]
          const levels = ({ full, taken }: Buckets.Taken) => [
            taken,
            wanted.map(({ rate }, index) => Math.round(((full[index] ?? 0) / rate.window) * 1000))
          ]
          assert.deepStrictEqual(levels(one), levels(other))
        }
      })
    )

    it.live(
      "leave nothing in Redis that stays, nor anything of a key: whole requests, one with an own key of the caller",
      () =>
        Effect.gen(function* () {
          const redis = yield* RedisServers.make
          const limit = { requests: 3, window: 60_000 }
          const context = yield* Layer.build(RedisServers.stores(redis, "other:"))
          const vendor: Source.Source = { ...TestServer.knowing, credential: "ApiKey" }
          const platform: Source.Credential = { _tag: "ApiKey", key: Redacted.make("secret-key-of-the-platform") }
          const server = yield* TestServer.make({
            slots: [Slots.bound("provider_a", vendor, platform)],
            rateLimit: limit,
            accountRateLimit: { requests: 4, window: 60_000 },
            buckets: Layer.succeed(Buckets.Buckets, Context.get(context, Buckets.Buckets)),
            limits: Layer.succeedContext(context)
          })
          const waterfall = { byok: { provider_a_api_key: "secret-key-of-a-caller" } }
          for (const more of [{}, { waterfall }]) {
            const asking = { body: { ...TestServer.acme, ...more } }
            assert.strictEqual((yield* Effect.promise(() => server.send("/api/company/enrich", asking))).status, 200)
          }
          const keys = yield* redis.keys
          const circuits = keys.flatMap(([name]) => (name.startsWith("other:circuit:") ? [name] : []))
          assert.lengthOf(circuits, 2)
          assert.include(circuits, "other:circuit:provider_a:platform")
          assert.isTrue(circuits.some((name) => name.startsWith(`other:circuit:provider_a:account:${server.account}:`)))
          for (const [name, life] of keys) {
            assert.match(name, /^other:(?:rate|bucket|circuit|allowance|trial)/)
            assert.isAtLeast(life, 0, name)
            assert.notInclude(name, "secret")
            assert.notInclude(name, TestServer.key)
          }
        })
    )
  })
})
