/** What every list of proofs of erasure must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Erasures } from "@lading/core/account"
import { Effect, type Layer } from "effect"

const proof = (id: string, erased_at: number): Erasures.Proof => ({
  id: `era_${process.pid}_${Date.now()}_${id}`,
  kind: "email",
  digest: "0".repeat(64),
  erased_at,
  erased: { answers: 2, outcomes: 0, runs: 1 }
})

/** Registers the suite. */
export const erasuresSuite = <E>(name: string, layer: Layer.Layer<Erasures.Erasures, E>) =>
  withLayer(layer, { timeout: "60 seconds" })(`Erasures: ${name}`, (it) => {
    it.effect("keeps every proof, and lists the newest first", () =>
      Effect.gen(function* () {
        const erasures = yield* Erasures.Erasures
        // Later than those of any other run on the same database.
        const now = Date.now()
        const [first, second] = [proof("1", now), proof("2", now + 1)]
        yield* erasures.record(first)
        yield* erasures.record(second)
        assert.deepStrictEqual(yield* erasures.list(2), [second, first])
        assert.deepStrictEqual(yield* erasures.list(1), [second])
      })
    )
  })
