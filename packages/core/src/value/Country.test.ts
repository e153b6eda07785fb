import { assert, it } from "@effect/vitest"
import * as Country from "./Country.ts"

it("knows countries by name, alpha-2 and alpha-3, in any case", () => {
  for (const text of ["Norway", "norway", "NO", "no", "NOR"]) assert.strictEqual(Country.code(text), "NO", text)
  assert.strictEqual(Country.code("UK"), "GB")
  for (const text of ["Laos", "laos", "LA"]) assert.strictEqual(Country.code(text), "LA")
  for (const text of ["Côte d’Ivoire", "Ivory Coast"]) assert.strictEqual(Country.code(text), "CI")
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

it("believes the name where name and code contradict each other", () => {
  assert.deepStrictEqual(Country.read("Germany", "FR"), { country: "Germany", country_code: "DE" })
  assert.deepStrictEqual(Country.read("DE", "FR"), { country: "Germany", country_code: "DE" })
  assert.deepStrictEqual(Country.read("Atlantis", "FR"), { country: "Atlantis", country_code: "FR" })
  assert.deepStrictEqual(Country.read("XQ", "FR"), { country: "XQ", country_code: "FR" })
})

it("reads abbreviations with dots, and shows what they stand for", () => {
  const america = { country: "United States of America", country_code: "US" }
  for (const text of ["U.S.A.", "U.S.A", "U.S.", "U. S. A.", "USA", "us"]) {
    assert.deepStrictEqual(Country.read(text, "US"), america, text)
    assert.deepStrictEqual(Country.read(text, null), america, text)
  }
  assert.strictEqual(Country.code("U.K."), "GB")
  assert.isNull(Country.code("X.X."))
})

it("does not look for what is longer than any name", () => {
  assert.deepStrictEqual(Country.read("x".repeat(1_000_000), "NO"), {
    country: "x".repeat(1_000_000),
    country_code: "NO"
  })
})

it("has every English name of a country, the usual one first", () => {
  const usual = {
    US: "United States",
    GB: "United Kingdom",
    KR: "South Korea",
    HK: "Hong Kong",
    MM: "Myanmar",
    no: "Norway"
  }
  for (const [code, name] of Object.entries(usual)) assert.strictEqual(Country.names(code)[0], name)
  assert.includeMembers([...Country.names("US")], ["United States of America", "USA"])
  assert.isEmpty(Country.names("XX"))
  for (const code of ["NO", "CD", "TR", "CI"]) assert.strictEqual(Country.code(Country.names(code)[0] ?? ""), code)
})
