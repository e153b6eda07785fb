import { assert, it } from "@effect/vitest"
import * as Country from "./Country.ts"

it("knows countries by name, alpha-2 and alpha-3, in any case", () => {
  for (const text of ["Norway", "norway", "NO", "no", "NOR"]) assert.strictEqual(Country.code(text), "NO", text)
  assert.strictEqual(Country.code("UK"), "GB")
  assert.strictEqual(Country.code("USA"), "US")
  assert.isNull(Country.code("Atlantis"))
  assert.isNull(Country.code("XX"))
  assert.isNull(Country.code(""))
})

it("shows the name that was said, and the official one where only a code was", () => {
  assert.deepStrictEqual(Country.read("Norge (Norway)", "no"), { country: "Norge (Norway)", country_code: "NO" })
  assert.deepStrictEqual(Country.read(null, "NO"), { country: "Norway", country_code: "NO" })
  assert.deepStrictEqual(Country.read("NO", null), { country: "Norway", country_code: "NO" })
  assert.deepStrictEqual(Country.read("Atlantis", undefined), { country: "Atlantis", country_code: null })
  assert.deepStrictEqual(Country.read(" ", ""), { country: null, country_code: null })
})
