/** What every store of pending enrichments must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { EnrichmentStore } from "@lading/core/pending"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"

let requests = 0
const newEnrichment = () => ({
  request_id: `req_${process.pid}_${Date.now()}_${++requests}`,
  account: "acc_1",
  operation: "person",
  text: JSON.stringify({ text: "ü\u0000\ud800 '\"" })
})

const minute = 60_000

/** Registers the suite. */
export const enrichmentStoreSuite = <E>(
  name: string,
  layer: Layer.Layer<EnrichmentStore.EnrichmentStore | Suppression.Suppression, E>
) =>
  withLayer(layer, { timeout: "60 seconds" })(`EnrichmentStore: ${name}`, (it) => {
    it.effect("gives what was put, for as long as it is kept, and the sweep forgets and counts it", () =>
      Effect.gen(function* () {
        const store = yield* EnrichmentStore.EnrichmentStore
        yield* TestClock.adjust("30 days")
        yield* store.sweep
        const now = yield* Clock.currentTimeMillis
        const [soon, later, removed] = [newEnrichment(), newEnrichment(), newEnrichment()]
        assert.isTrue(yield* store.put(soon, { kept_until: now + minute, subjects: [] }))
        assert.isTrue(yield* store.put(later, { kept_until: now + 2 * minute, subjects: [] }))
        assert.isTrue(yield* store.put(removed, { kept_until: now + 2 * minute, subjects: [] }))
        assert.deepStrictEqual(yield* store.find(soon.request_id), { ...soon, revision: 1 })
        assert.isNull(yield* store.find(`${soon.request_id}x`))
        yield* TestClock.adjust(minute)
        assert.isNull(yield* store.find(soon.request_id))
        assert.strictEqual(yield* store.sweep, 1)
        assert.deepStrictEqual(yield* store.find(later.request_id), { ...later, revision: 1 })
        yield* store.remove(removed.request_id)
        yield* store.remove(removed.request_id)
        assert.isNull(yield* store.find(removed.request_id))
      })
    )

    it.effect("of two changes of one state one counts, and a state that is gone is not changed", () =>
      Effect.gen(function* () {
        const store = yield* EnrichmentStore.EnrichmentStore
        const now = yield* Clock.currentTimeMillis
        const first = newEnrichment()
        const keeping = { kept_until: now + minute, subjects: [] }
        yield* store.put(first, keeping)
        const changes = yield* Effect.all(
          ["one", "two"].map((text) => store.replace({ ...first, revision: 1, text }, keeping)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(changes.toSorted(), [false, true])
        const found = yield* store.find(first.request_id)
        assert.deepStrictEqual(found, { ...first, revision: 2, text: changes[0] === true ? "one" : "two" })
        assert.isTrue(yield* store.replace({ ...first, revision: 2, text: "three" }, keeping))
        yield* store.remove(first.request_id)
        assert.isFalse(yield* store.replace({ ...first, revision: 3, text: "four" }, keeping))
        assert.isNull(yield* store.find(first.request_id))
      })
    )

    it.effect("forgets every enrichment that speaks of an erased subject by now, and nothing else", () =>
      Effect.gen(function* () {
        const store = yield* EnrichmentStore.EnrichmentStore
        const kept_until = (yield* Clock.currentTimeMillis) + minute
        const mara = `email:mara-${++requests}@acme.example`
        const [about, later, other] = [newEnrichment(), newEnrichment(), newEnrichment()]
        yield* store.put(about, { kept_until, subjects: ["domain:acme.example", mara] })
        yield* store.put(later, { kept_until, subjects: [] })
        yield* store.replace({ ...later, revision: 1 }, { kept_until, subjects: [mara] })
        yield* store.put(other, { kept_until, subjects: [`${mara}.other`] })
        assert.strictEqual(yield* store.erase([mara]), 2)
        assert.isNull(yield* store.find(about.request_id))
        assert.isNull(yield* store.find(later.request_id))
        assert.isNotNull(yield* store.find(other.request_id))
      })
    )

    it.effect("keeps nothing of somebody who has objected, from the start or by a change", () =>
      Effect.gen(function* () {
        const store = yield* EnrichmentStore.EnrichmentStore
        const suppression = yield* Suppression.Suppression
        const kept_until = (yield* Clock.currentTimeMillis) + minute
        const mara = `email:mara-${++requests}@acme.example`
        const [about, other] = [newEnrichment(), newEnrichment()]
        yield* suppression.add(mara)
        assert.isFalse(yield* store.put(about, { kept_until, subjects: ["domain:acme.example", mara] }))
        assert.isNull(yield* store.find(about.request_id))
        assert.isTrue(yield* store.put(other, { kept_until, subjects: [] }))
        assert.isFalse(yield* store.replace({ ...other, revision: 1, text: "two" }, { kept_until, subjects: [mara] }))
        assert.deepStrictEqual(yield* store.find(other.request_id), { ...other, revision: 1 })
      })
    )
  })
