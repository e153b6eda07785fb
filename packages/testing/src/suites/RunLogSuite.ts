/** What every log of runs must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { RunLog } from "@lading/core/waterfall"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"

let requests = 0
const newRun = (at: number): RunLog.LoggedRun => ({
  request_id: `req_${process.pid}_${Date.now()}_${++requests}`,
  account: "acc_1",
  operation: "company",
  at,
  runs: JSON.stringify({ text: "ü\u0000\ud800 '\"" })
})

const minute = 60_000

/** Registers the suite. */
export const runLogSuite = <E>(name: string, layer: Layer.Layer<RunLog.RunLog, E>) =>
  withLayer(layer, { timeout: "60 seconds" })(`RunLog: ${name}`, (it) => {
    it.effect("gives what was recorded, for as long as it is kept, and the sweep forgets and counts it", () =>
      Effect.gen(function* () {
        const log = yield* RunLog.RunLog
        yield* TestClock.adjust("30 days")
        yield* log.sweep
        const now = yield* Clock.currentTimeMillis
        const [soon, later] = [newRun(now), newRun(now)]
        yield* log.record(soon, { kept_until: now + minute, subjects: [] })
        yield* log.record(later, { kept_until: now + 2 * minute, subjects: [] })
        assert.deepStrictEqual(yield* log.find(soon.request_id), soon)
        assert.isNull(yield* log.find(`${soon.request_id}x`))
        yield* TestClock.adjust(minute)
        assert.isNull(yield* log.find(soon.request_id))
        assert.strictEqual(yield* log.sweep, 1)
        assert.deepStrictEqual(yield* log.find(later.request_id), later)
      })
    )

    it.effect("forgets every run that speaks of an erased subject, and nothing else", () =>
      Effect.gen(function* () {
        const log = yield* RunLog.RunLog
        const now = yield* Clock.currentTimeMillis
        const mara = `email:mara-${++requests}@acme.example`
        const [about, other] = [newRun(now), newRun(now)]
        yield* log.record(about, { kept_until: now + minute, subjects: ["domain:acme.example", mara] })
        yield* log.record(other, { kept_until: now + minute, subjects: [`${mara}.other`] })
        assert.strictEqual(yield* log.erase([mara]), 1)
        assert.isNull(yield* log.find(about.request_id))
        assert.deepStrictEqual(yield* log.find(other.request_id), other)
      })
    )
  })
