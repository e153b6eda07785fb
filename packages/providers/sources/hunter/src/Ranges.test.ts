import { assert, describe, it } from "@effect/vitest"
import * as Ranges from "./Ranges.ts"

describe("Ranges.read", () => {
  const cases: ReadonlyArray<readonly [string, ReturnType<typeof Ranges.read>]> = [
    ["11-50", { min: 11, max: 50, text: "11-50" }],
    ["251-1K", { min: 251, max: 1000, text: "251-1K" }],
    ["1K-5K", { min: 1000, max: 5000, text: "1K-5K" }],
    ["1.5k-5k", { min: 1500, max: 5000, text: "1.5k-5k" }],
    ["11\u201350", { min: 11, max: 50, text: "11\u201350" }],
    ["11 - 50", { min: 11, max: 50, text: "11 - 50" }],
    ["10001+", { min: 10001, max: null, text: "10001+" }],
    ["10,001+", { min: 10001, max: null, text: "10,001+" }],
    ["100K+", { min: 100000, max: null, text: "100K+" }],
    ["240", 240],
    ["$10M-$50M", { min: 10e6, max: 50e6, text: "$10M-$50M" }],
    ["$1B+", { min: 1e9, max: null, text: "$1B+" }]
  ]
  for (const [text, expected] of cases) {
    it(`reads ${text}`, () => assert.deepStrictEqual(Ranges.read(text), expected))
  }

  for (const text of ["", "many", "-50", "50-11", "$10-50M", "\u20ac10M-\u20ac50M", "11-50-90"]) {
    it(`does not guess at "${text}"`, () => assert.isNull(Ranges.read(text)))
  }
})
