/** What every store of suppressed subjects must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { Effect, type Layer } from "effect"

let digests = 0
const newDigest = (): string => `digest-${process.pid}-${Date.now()}-${++digests}`

/** Registers the suite. */
export const suppressionSuite = <E>(name: string, layer: Layer.Layer<Suppression.Suppression, E>) =>
  withLayer(layer, { timeout: "60 seconds" })(`Suppression: ${name}`, (it) => {
    it.effect("of many digests only the suppressed ones are found", () =>
      Effect.gen(function* () {
        const suppression = yield* Suppression.Suppression
        const [one, two, three] = [newDigest(), newDigest(), newDigest()]
        yield* suppression.add(one)
        yield* suppression.add(three)
        assert.deepStrictEqual(yield* suppression.find(() => [one, two, three]), new Set([one, three]))
        assert.deepStrictEqual(yield* suppression.find(() => [two]), new Set())
        assert.deepStrictEqual(yield* suppression.find(() => []), new Set())
      })
    )

    it.effect("suppressing again changes nothing, also at once", () =>
      Effect.gen(function* () {
        const suppression = yield* Suppression.Suppression
        const digest = newDigest()
        yield* Effect.all([suppression.add(digest), suppression.add(digest)], { concurrency: "unbounded" })
        yield* suppression.add(digest)
        assert.deepStrictEqual(yield* suppression.find(() => [digest, digest]), new Set([digest]))
      })
    )
  })
