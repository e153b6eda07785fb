import { assert, it } from "@effect/vitest"
import * as PartialDate from "./PartialDate.ts"

it("gives the month that was said, and never one that was not", () => {
  assert.strictEqual(PartialDate.month("2021-03"), "2021-03")
  assert.strictEqual(PartialDate.month("2021-03-15T00:00:00Z"), "2021-03")
  for (const text of ["2021", "2021-13", "2021-3", "March 2021", "", null, undefined]) {
    assert.isNull(PartialDate.month(text), String(text))
  }
  assert.strictEqual(PartialDate.year("2021"), 2021)
  assert.strictEqual(PartialDate.year("2021-03-15"), 2021)
  assert.isNull(PartialDate.year("20210315"))
})
