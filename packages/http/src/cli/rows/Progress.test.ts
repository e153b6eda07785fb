/** What is shown while rows are asked. */
import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import * as Progress from "./Progress.ts"
import * as Tally from "./Tally.ts"

const state: Progress.State = {
  tally: { ...Tally.zero, rows: 250, ok: 120, nothing_found: 130, credits: Credits.fromNumber(145.3) },
  total: 1000,
  before: 50,
  elapsed: 20_000
}

describe("progress", () => {
  it("says rows, hits, credits, rate and time left, of this run's rows", () => {
    assert.strictEqual(
      Progress.line(state),
      "250/1,000 rows (25 %), 120 found, 145.3 credits, 10.0 rows/s, 1 min 15 s left"
    )
  })

  it("is a bar that fits the terminal", () => {
    assert.isTrue(Progress.bar(state, 200).startsWith("[#####...............] 250/1,000 rows"))
    assert.strictEqual(Progress.bar(state, 40).length, 39)
    assert.strictEqual(Progress.bar(state, 0).length, 79)
  })

  it("holds for nothing to do, and before the first row", () => {
    assert.strictEqual(
      Progress.line({ tally: Tally.zero, total: 0, before: 0, elapsed: 0 }),
      "0/0 rows (100 %), 0 found, 0 credits, 0.0 rows/s"
    )
  })

  it("names long times by their two largest units", () => {
    assert.deepStrictEqual([7_400, 125_000, 3_720_000].map(Progress.duration), ["7 s", "2 min 05 s", "1 h 02 min"])
  })
})
