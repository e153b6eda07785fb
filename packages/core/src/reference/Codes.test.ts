import { assert, describe, it } from "@effect/vitest"
import iso from "i18n-iso-countries"
import languageCodes from "iso-639-1"
import * as TradePlace from "../trade/TradePlace.ts"
import * as Codes from "./Codes.ts"

describe("codes of countries", () => {
  it("are those of ISO 3166-1, each once and in order", () => {
    const codes = Codes.countries.map(({ code }) => code)
    assert.deepStrictEqual(codes, Object.keys(iso.getAlpha2Codes()).sort())
    for (const { calling_code, code3, currency, numeric } of Codes.countries) {
      assert.match(code3 ?? "", /^[A-Z]{3}$/)
      assert.match(numeric ?? "", /^\d{3}$/)
      assert.match(calling_code ?? "", /^\+[1-9]\d{0,4}$/)
      if (currency !== null) assert.match(currency, /^[A-Z]{3}$/)
    }
  })

  it("carry what is known and null where nothing is", () => {
    const of = (code: string) => Codes.countries.find((country) => country.code === code)
    assert.deepStrictEqual(of("NO"), {
      code: "NO",
      code3: "NOR",
      numeric: "578",
      name: "Norway",
      calling_code: "+47",
      currency: "NOK",
      continent: "Europe"
    })
    assert.strictEqual(of("AF")?.numeric, "004")
    // One of the islands of the North American number plan: area codes are no calling codes.
    assert.strictEqual(of("DO")?.calling_code, "+1")
    assert.isNull(of("AQ")?.currency)
    assert.strictEqual(of("KR")?.name, "South Korea")
  })

  it("say the same as places of trade do", () => {
    for (const { code, code3, currency, name, numeric, region } of TradePlace.countries) {
      const country = Codes.countries.find((one) => one.code === code)
      assert.deepInclude(country, { code3, numeric, name, currency, continent: region })
    }
  })
})

describe("codes of languages", () => {
  it("are those of ISO 639-1, each once and in order, with both names", () => {
    assert.deepStrictEqual(
      Codes.languages.map(({ code }) => code),
      languageCodes.getAllCodes().toSorted()
    )
    assert.deepInclude(Codes.languages, { code: "de", name: "German", native_name: "Deutsch" })
    for (const { name, native_name } of Codes.languages) assert.isTrue(name !== "" && native_name !== "")
  })
})
