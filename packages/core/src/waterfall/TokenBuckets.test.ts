/** The buckets that forget, beside those of `effect` that do not: on random histories they say the same. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Random } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as TokenBuckets from "./TokenBuckets.ts"

const rate = { limit: 5, refillRate: Duration.millis(200), allowOverflow: false }

describe("token buckets in the process", () => {
  it.effect("say what those of effect say, whatever is taken when", () =>
    Effect.gen(function* () {
      const reference = yield* RateLimiter.RateLimiterStore
      const { tokenBucket } = TokenBuckets.make()
      for (let step = 0; step < 5_000; step++) {
        const key = `key-${yield* Random.nextIntBetween(0, 3)}`
        const tokens = yield* Random.nextIntBetween(1, 3)
        const allowOverflow = (yield* Random.nextIntBetween(0, 4)) === 0
        const asked = { ...rate, key, tokens, allowOverflow }
        assert.deepStrictEqual(yield* tokenBucket(asked), yield* reference.tokenBucket(asked), `step ${step}`)
        yield* TestClock.adjust(yield* Random.nextIntBetween(0, 500))
      }
    }).pipe(Effect.provide(RateLimiter.layerStoreMemory))
  )

  it.effect("keep none that is full again, however many there were", () =>
    Effect.gen(function* () {
      const { size, tokenBucket } = TokenBuckets.make()
      let most = 0
      for (let key = 0; key < 20_000; key++) {
        yield* tokenBucket({ ...rate, key: `account-${key}`, tokens: 1 })
        yield* TestClock.adjust(1)
        most = Math.max(most, size())
      }
      // 200 are not full at any time.
      assert.isAtMost(most, 1_000)
    })
  )
})
