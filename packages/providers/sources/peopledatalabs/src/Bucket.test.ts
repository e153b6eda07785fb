import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { Bucket, range } from "./Bucket.ts"

it("reads every head-count and revenue range that the vendor documents", () => {
  const documented: ReadonlyArray<readonly [string, number, number | null]> = [
    ["1-10", 1, 10],
    ["11-50", 11, 50],
    ["51-200", 51, 200],
    ["201-500", 201, 500],
    ["501-1000", 501, 1000],
    ["1001-5000", 1001, 5000],
    ["5001-10000", 5001, 10_000],
    ["10001+", 10_001, null],
    ["$0-$1M", 0, 1e6],
    ["$1M-$10M", 1e6, 1e7],
    ["$10M-$25M", 1e7, 2.5e7],
    ["$25M-$50M", 2.5e7, 5e7],
    ["$50M-$100M", 5e7, 1e8],
    ["$100M-$250M", 1e8, 2.5e8],
    ["$250M-$500M", 2.5e8, 5e8],
    ["$500M-$1B", 5e8, 1e9],
    ["$1B-$10B", 1e9, 1e10],
    ["$10B+", 1e10, null]
  ]
  for (const [text, min, max] of documented) assert.deepStrictEqual(range(text), { min, max, text })
})

it("reads lower-case scales and an en-dash", () => {
  assert.deepStrictEqual(range("$25m–$50m"), { min: 2.5e7, max: 5e7, text: "$25m–$50m" })
})

it("another spelling is a wrong answer, not an unknown value", () => {
  const decode = Schema.decodeUnknownSync(Bucket)
  for (const text of ["", "many", "$25M", "25-", "1-2-3", "$10B++"])
    assert.throws(() => decode(text), undefined, undefined, text)
  assert.strictEqual(range(null), null)
})
