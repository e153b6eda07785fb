/** What every store of hit rates must do. Answers may be counted a moment later; who asks may be told what was so before. */
import { assert, layer as withLayer } from "@effect/vitest"
import { HitRates } from "@lading/core/waterfall"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"

let slots = 0
/** A slot that no other test counts. */
const newSlot = (): HitRates.Counted => ({
  operation: "company",
  source: `slot-${process.pid}-${Date.now()}-${++slots}`,
  adapter: "scripted@1",
  segment: "domain.no"
})

/** Within a hundredth: weights fade while one waits for them. */
const close = (actual: number | undefined, expected: number) =>
  Math.abs((actual ?? 0) - expected) <= expected / 100 + 1e-9

/** Asks until the weights are these; what is written late needs real time, what is read late that of the clock. */
const eventually = (counted: HitRates.Counted, hits: number, misses: number) =>
  Effect.gen(function* () {
    const rates = yield* HitRates.HitRates
    let seen: HitRates.Rate | undefined
    // Slowly: a statement is given up after a time of the same clock, and a busy database takes real time.
    for (let turn = 0; turn < 1000; turn++) {
      seen = (yield* rates.all).find((rate) => HitRates.keyOf(rate) === HitRates.keyOf(counted))
      if (close(seen?.hits, hits) && close(seen?.misses, misses)) return
      yield* TestClock.withLive(Effect.sleep("25 millis"))
      yield* TestClock.adjust("60 millis")
    }
    assert.deepStrictEqual([seen?.hits, seen?.misses], [hits, misses])
  })

/** Registers the suite. */
export const hitRatesSuite = <E>(name: string, layer: Layer.Layer<HitRates.HitRates, E>) =>
  withLayer(layer, { timeout: "60 seconds" })(`HitRates: ${name}`, (it) => {
    it.effect("counts hits and misses, also of many answers at once", () =>
      Effect.gen(function* () {
        const rates = yield* HitRates.HitRates
        const slot = newSlot()
        yield* Effect.forEach(
          Array.from({ length: 50 }, (_, index) => index % 5 === 0),
          (hit) => rates.record({ ...slot, hit }),
          { concurrency: "unbounded" }
        )
        yield* eventually(slot, 10, 40)
        yield* rates.record({ ...slot, hit: true })
        yield* eventually(slot, 11, 40)
      })
    )

    it.effect("counts operations, sources, adapters and segments apart", () =>
      Effect.gen(function* () {
        const rates = yield* HitRates.HitRates
        const slot = newSlot()
        const others: ReadonlyArray<HitRates.Counted> = [
          { ...slot, operation: "person" },
          { ...slot, source: newSlot().source },
          { ...slot, adapter: "scripted@2" },
          { ...slot, segment: "name" }
        ]
        yield* rates.record({ ...slot, hit: true })
        yield* Effect.forEach(others, (other) => rates.record({ ...other, hit: false }))
        yield* eventually(slot, 1, 0)
        yield* Effect.forEach(others, (other) => eventually(other, 0, 1))
      })
    )

    it.effect("an answer counts half as much after each half-life, and those that come then in full", () =>
      Effect.gen(function* () {
        const rates = yield* HitRates.HitRates
        const slot = newSlot()
        yield* Effect.forEach([true, true, true, true, false, false], (hit) => rates.record({ ...slot, hit }))
        yield* eventually(slot, 4, 2)
        yield* TestClock.adjust(HitRates.halfLife)
        yield* eventually(slot, 2, 1)
        yield* rates.record({ ...slot, hit: true })
        yield* eventually(slot, 3, 1)
      })
    )
  })
