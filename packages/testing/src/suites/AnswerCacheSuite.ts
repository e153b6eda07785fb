/** What every cache of answers must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { AnswerCache } from "@lading/core/waterfall"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"

let identities = 0
const newKey = (): AnswerCache.Key => ({
  tenant: "platform",
  source: "provider_a",
  adapter: "apollo@1",
  operation: "company",
  identity: `acme.example ${process.pid} ${Date.now()} ${++identities}`
})

const minute = 60_000

const hit = (facts: unknown, observed_at: number): AnswerCache.Entry => ({
  answer: { _tag: "Hit", facts, raw: { answer: facts } },
  observed_at
})

const until = (expires_at: number, subjects: ReadonlyArray<string> = []): AnswerCache.Keeping => ({
  expires_at,
  kept_until: expires_at,
  subjects
})

const get = (cache: AnswerCache.AnswerCache["Service"], key: AnswerCache.Key, since: number) =>
  Effect.map(cache.find([key], since), ([entry]) => entry ?? null)

/** Registers the suite. */
export const answerCacheSuite = <E>(name: string, layer: Layer.Layer<AnswerCache.AnswerCache, E>) =>
  withLayer(layer, { timeout: "60 seconds" })(`AnswerCache: ${name}`, (it) => {
    it.effect("gives what was put: a miss, and a hit with every kind of JSON in it", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const [one, two] = [newKey(), newKey()]
        const entry = hit({ text: "ü\u0000\ud800 '\"", list: [1, null, true, { a: [] }], big: 2 ** 53 }, now)
        yield* cache.put(one, entry, until(now + minute))
        yield* cache.put(two, { answer: { _tag: "Miss" }, observed_at: now }, until(now + minute))
        assert.deepStrictEqual(yield* get(cache, one, 0), entry)
        assert.deepStrictEqual(yield* get(cache, two, 0), { answer: { _tag: "Miss" }, observed_at: now })
        assert.isNull(yield* get(cache, newKey(), 0))
      })
    )

    it.effect("every part of the key counts, above all the tenant", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const key = newKey()
        yield* cache.put(key, hit({}, now), until(now + minute))
        for (const part of ["tenant", "source", "adapter", "operation", "identity"] as const) {
          assert.isNull(yield* get(cache, { ...key, [part]: `${key[part]}2` }, 0), part)
        }
      })
    )

    it.effect("an identity of any length and with any character is a key", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const key = { ...newKey(), identity: `\u0000${"x".repeat(20_000)}${++identities}` }
        yield* cache.put(key, hit({}, now), until(now + minute))
        assert.isNotNull(yield* get(cache, key, 0))
      })
    )

    it.effect("an answer that is older than asked for is not given", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const key = newKey()
        yield* cache.put(key, hit({}, now), until(now + minute))
        assert.isNotNull(yield* get(cache, key, now))
        assert.isNull(yield* get(cache, key, now + 1))
      })
    )

    it.effect("a newer answer takes the place of an older one and never the other way", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const key = newKey()
        yield* cache.put(key, hit("first", now), until(now + minute))
        yield* cache.put(key, hit("second", now + 1), until(now + minute))
        yield* cache.put(key, hit("late", now), until(now + minute))
        assert.deepStrictEqual(yield* get(cache, key, 0), hit("second", now + 1))
      })
    )

    it.effect("what has expired is not given, and the sweep forgets and counts it", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        yield* TestClock.adjust("30 days")
        yield* cache.sweep
        const now = yield* Clock.currentTimeMillis
        const [soon, later] = [newKey(), newKey()]
        yield* cache.put(soon, hit({}, now), until(now + minute))
        yield* cache.put(later, hit({}, now), until(now + 2 * minute))
        yield* TestClock.adjust(minute - 1)
        assert.isNotNull(yield* get(cache, soon, 0))
        yield* TestClock.adjust(1)
        assert.isNull(yield* get(cache, soon, 0))
        assert.strictEqual(yield* cache.sweep, 1)
        assert.strictEqual(yield* cache.sweep, 0)
        assert.isNotNull(yield* get(cache, later, 0))
      })
    )

    it.effect("an answer can be recalled as it was after a newer one has come, for as long as it is kept", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const key = newKey()
        const keeping = { expires_at: now + minute, kept_until: now + 3 * minute, subjects: [] }
        yield* cache.put(key, hit("first", now), keeping)
        yield* cache.put(key, hit("second", now + 1), keeping)
        const references = [
          { key, observed_at: now + 1 },
          { key, observed_at: now },
          { key, observed_at: now + 2 },
          { key: newKey(), observed_at: now }
        ]
        const expected = [hit("second", now + 1), hit("first", now), null, null]
        assert.deepStrictEqual(yield* cache.recall(references), expected)
        yield* TestClock.adjust(2 * minute)
        yield* cache.sweep
        assert.isNull(yield* get(cache, key, 0))
        assert.deepStrictEqual(yield* cache.recall(references), expected)
        yield* TestClock.adjust(minute)
        assert.deepStrictEqual(yield* cache.recall(references), [null, null, null, null])
        assert.strictEqual(yield* cache.sweep, 2)
      })
    )

    it.effect("what speaks of an erased subject is gone, for the cache and for a replay, and nothing else is", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const mara = `email:mara-${++identities}@acme.example`
        const [about, other] = [newKey(), newKey()]
        yield* cache.put(about, hit("Mara", now), until(now + minute, ["domain:acme.example", mara]))
        yield* cache.put(about, hit("Mara again", now + 1), until(now + minute, [mara]))
        yield* cache.put(other, hit("Noor", now), until(now + minute, [`${mara}.other`]))
        assert.strictEqual(yield* cache.erase([]), 0)
        assert.strictEqual(yield* cache.erase([mara]), 2)
        assert.strictEqual(yield* cache.erase([mara]), 0)
        assert.isNull(yield* get(cache, about, 0))
        assert.deepStrictEqual(yield* cache.recall([{ key: about, observed_at: now }]), [null])
        assert.deepStrictEqual(yield* get(cache, other, 0), hit("Noor", now))
      })
    )

    it.effect("many answers at once are all kept", () =>
      Effect.gen(function* () {
        const cache = yield* AnswerCache.AnswerCache
        const now = yield* Clock.currentTimeMillis
        const keys = Array.from({ length: 500 }, newKey)
        yield* Effect.forEach(
          keys,
          (key) => cache.put(key, hit(key.identity, now), until(now + minute, ["domain:x.example"])),
          {
            concurrency: "unbounded",
            discard: true
          }
        )
        const found = yield* cache.find(keys, 0)
        assert.deepStrictEqual(
          found,
          keys.map(({ identity }) => hit(identity, now))
        )
      })
    )
  })
