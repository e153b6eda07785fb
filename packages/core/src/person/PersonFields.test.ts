import { assert, describe, it } from "@effect/vitest"
import { PersonFields } from "./PersonFields.ts"

describe("a job's start", () => {
  const starts = (...texts: ReadonlyArray<string | null>) => {
    const said = texts.map((start_date) => ({ company_name: "Acme AS", title: "Buyer", start_date, is_current: false }))
    const origin = { source: "a", precedence: "plan", adapter: "a@1", observed_at: 0, mismatch: false } as const
    const readings = PersonFields.employment_history.read(said, { country: null })
    const observations = readings.map((reading, position) => ({
      field: "employment_history",
      position,
      reading,
      origin
    }))
    return PersonFields.employment_history.resolve(observations).value.map(({ start_date }) => start_date)
  }

  it("of which only the year is known goes with months of that year only", () => {
    assert.deepStrictEqual(starts("2020-03", "2020"), ["2020-03"])
    assert.deepStrictEqual(starts("2010-05", "2020"), ["2010-05", null])
    assert.deepStrictEqual(starts("2010-05", "2020-03", "2020"), ["2010-05", "2020-03"])
    assert.deepStrictEqual(starts("2010", "2020"), [null, null])
  })

  it("that nobody can read goes with any", () => {
    assert.deepStrictEqual(starts("2010-05", "soon", null), ["2010-05"])
  })
})
