import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as RandomPool from "./RandomPool.ts"

describe("RandomPool", () => {
  it.effect("gives every byte once, in the wished size, and never changes what it gave", () =>
    Effect.gen(function* () {
      const { randomBytes } = yield* SecureRandom.SecureRandom
      const drawn = yield* Effect.forEach(Array.from({ length: 5000 }), () => randomBytes(18))
      const texts = drawn.map((bytes) => Buffer.from(bytes).toString("hex"))
      assert.strictEqual(new Set(texts).size, drawn.length)
      yield* Effect.forEach(Array.from({ length: 1000 }), () => randomBytes(18))
      assert.deepStrictEqual(
        drawn.map((bytes) => Buffer.from(bytes).toString("hex")),
        texts
      )
      for (const size of [0, 1, 256, 257, 10_000]) assert.strictEqual((yield* randomBytes(size)).length, size)
    }).pipe(Effect.provide(RandomPool.layer))
  )

  it.effect("every byte comes up about as often as any other", () =>
    Effect.gen(function* () {
      const { randomBytes } = yield* SecureRandom.SecureRandom
      const counts = Array.from({ length: 256 }, () => 0)
      for (const bytes of yield* Effect.forEach(Array.from({ length: 4000 }), () => randomBytes(64))) {
        for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1
      }
      // 1,000 each on the average; beyond ten standard deviations something is wrong.
      assert.isAbove(Math.min(...counts), 680)
      assert.isBelow(Math.max(...counts), 1320)
    }).pipe(Effect.provide(RandomPool.layer))
  )
})
