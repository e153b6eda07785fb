/** Buckets that are taken from together: in the process, and over Redis, which must say the same. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Buckets from "./Buckets.ts"

const three = { name: "three", rate: { requests: 3, window: 60_000 } }
const seven = { name: "seven", rate: { requests: 7, window: 60_000 } }

const left = (bucket: Buckets.Bucket, { full }: Buckets.Taken, index = 0) =>
  Buckets.remaining(bucket.rate, full[index] ?? 0)

describe("buckets in the process", () => {
  it.effect("let as many through as they hold, and then one in each pace", () =>
    Effect.gen(function* () {
      const { take } = Buckets.make()
      for (const held of [2, 1, 0]) {
        const taken = yield* take([three])
        assert.deepStrictEqual([taken.taken, left(three, taken)], [true, held])
      }
      const refused = yield* take([three])
      assert.deepStrictEqual([refused.taken, refused.full, Buckets.wait(three.rate, 60_000)], [false, [60_000], 20_000])
      yield* TestClock.adjust(19_999)
      assert.isFalse((yield* take([three])).taken)
      yield* TestClock.adjust(1)
      assert.isTrue((yield* take([three])).taken)
      assert.isFalse((yield* take([three])).taken)
    })
  )

  it.effect("take nothing from one where another one is empty", () =>
    Effect.gen(function* () {
      const { take } = Buckets.make()
      for (const _ of [1, 2, 3]) yield* take([three, seven])
      for (let again = 0; again < 10; again++) {
        const refused = yield* take([three, seven])
        assert.isFalse(refused.taken)
        assert.strictEqual(left(seven, refused, 1), 4)
      }
      for (const held of [3, 2, 1, 0]) assert.strictEqual(left(seven, yield* take([seven])), held)
      assert.isFalse((yield* take([seven])).taken)
    })
  )

  it.effect("lose nothing to fractions: a window gives its whole number, over and over", () =>
    Effect.gen(function* () {
      const { take } = Buckets.make()
      for (let window = 0; window < 50; window++) {
        for (const held of [6, 5, 4, 3, 2, 1, 0]) assert.strictEqual(left(seven, yield* take([seven])), held)
        assert.isFalse((yield* take([seven])).taken)
        yield* TestClock.adjust(60_000)
      }
    })
  )

  it.effect("are forgotten when they are full, however many there were", () =>
    Effect.gen(function* () {
      const { size, take } = Buckets.make()
      let most = 0
      for (let key = 0; key < 20_000; key++) {
        yield* take([{ name: `key-${key}`, rate: { requests: 10, window: 1_000 } }])
        yield* TestClock.adjust(1)
        most = Math.max(most, size())
      }
      assert.isAtMost(most, 1_000)
    })
  )
})
