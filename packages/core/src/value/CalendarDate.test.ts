import { assert, it } from "@effect/vitest"
import { isDate } from "./CalendarDate.ts"

it("a date is a day that its month has, written in full", () => {
  for (const text of ["2024-02-29", "2027-12-31", "0001-01-01", "9999-12-31"]) assert.isTrue(isDate(text), text)
  for (const text of [
    "2023-02-29",
    "2027-04-31",
    "2027-13-01",
    "2027-00-10",
    "2027-1-1",
    "27-01-01",
    "2027-01-01Z",
    "",
    " "
  ])
    assert.isFalse(isDate(text), text)
})
