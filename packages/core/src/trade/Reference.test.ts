import { readFileSync, existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import iso from "i18n-iso-countries"
import * as HsCode from "./HsCode.ts"
import * as TradePlace from "./TradePlace.ts"

describe("HsCode", () => {
  it("has 21 sections that part the chapters 1 to 97 without a gap", () => {
    assert.strictEqual(HsCode.sections.length, 21)
    HsCode.sections.forEach(({ first, last }, index) => {
      assert.isTrue(first <= last)
      assert.strictEqual(first, (HsCode.sections[index - 1]?.last ?? 0) + 1)
    })
    assert.strictEqual(HsCode.sections.at(-1)?.last, 97)
  })

  it("has 96 chapters, all but 77, each under its own number", () => {
    assert.strictEqual(HsCode.chapters.length, 96)
    assert.isNull(HsCode.chapter("77"))
    assert.isNull(HsCode.chapter("98"))
    for (const [code, name, section] of [
      ["09", "Coffee, tea and spices", "II"],
      ["27", "Mineral fuels and oils", "V"],
      ["52", "Cotton", "XI"],
      ["74", "Copper", "XV"],
      ["78", "Lead", "XV"],
      ["84", "Machinery, boilers and reactors", "XVI"],
      ["97", "Art, collections and antiques", "XXI"]
    ] as const) {
      assert.deepStrictEqual(HsCode.chapter(`${code}0111`), { code, name, section })
    }
  })

  it("loads a list of codes over the chapters, and says of each refused line why", () => {
    const { list, rejected } = HsCode.load([
      { hscode: "09", description: "not used: chapters are built in" },
      { hscode: "0901", description: "Coffee" },
      { hscode: "090111", description: " Coffee, not roasted " },
      { hscode: "90111", description: "a zero was lost" },
      { hscode: "7701", description: "kept free" },
      { hscode: "9999AA", description: "letters" },
      { hscode: "0902", description: "  " },
      { hscode: "9999", description: "Other goods" }
    ])
    assert.deepStrictEqual(rejected, [
      { line: 4, problem: "no_code" },
      { line: 5, problem: "unknown_chapter" },
      { line: 6, problem: "no_code" },
      { line: 7, problem: "no_description" }
    ])
    assert.strictEqual(list.size, 3)
    assert.deepStrictEqual(["090111", "0901110000", "090199", "0910", "09", "999900", "77", ""].map(list.describe), [
      "Coffee, not roasted",
      "Coffee, not roasted",
      "Coffee",
      "Coffee, tea and spices",
      "Coffee, tea and spices",
      "Other goods",
      null,
      null
    ])
    assert.strictEqual(HsCode.builtIn.describe("0901"), "Coffee, tea and spices")
  })

  // Published lists are not in the repository: the variable names one, and without it there is nothing to agree with.
  const file = process.env["LADING_TEST_HS_FILE"] ?? ""
  it.skipIf(!existsSync(file))("agrees with a published list on chapters and their sections", () => {
    const lines = readFileSync(file, "utf8").trim().split(/\r?\n/).slice(1)
    const rows = lines.map((text) => /^([^,]*),([^,]*),(.*),([^,]*),([^,]*)$/.exec(text)?.slice(1) ?? [])
    const { list, rejected } = HsCode.load(rows.map(([, hscode = "", description = ""]) => ({ hscode, description })))
    // The last line of such lists is the sum of all.
    assert.isTrue(rejected.every(({ line }) => line === rows.length))
    assert.isTrue(list.size > 6000)
    const chapters = rows.filter(([, code]) => code?.length === 2 && code < "98")
    assert.strictEqual(chapters.length, 96)
    for (const [section, code = ""] of chapters) assert.strictEqual(HsCode.chapter(code)?.section, section)
  })
})

describe("TradePlace", () => {
  it("has every country of ISO 3166-1, each with codes, region and a point on the map", () => {
    assert.deepStrictEqual(
      TradePlace.countries.map(({ code }) => code),
      Object.keys(iso.getAlpha2Codes()).toSorted()
    )
    for (const { code3, lat, lon, numeric } of TradePlace.countries) {
      assert.match(code3, /^[A-Z]{3}$/)
      assert.match(numeric, /^\d{3}$/)
      assert.isTrue(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)
    }
    assert.deepStrictEqual(TradePlace.country("PE"), {
      code: "PE",
      code3: "PER",
      numeric: "604",
      name: "Peru",
      region: "South America",
      currency: "PEN",
      lat: -9.5,
      lon: -75.5
    })
    assert.isNull(TradePlace.country("XX"))
  })

  it("puts countries where their ports are: nowhere further than a continent away", () => {
    const far = TradePlace.countries.filter(({ code, lat, lon }) => {
      const own = TradePlace.ports.filter((port) => port.country === code)
      const near = own.filter(
        ({ point }) => point !== null && Math.hypot(point.lat - lat, ((point.lon - lon + 540) % 360) - 180) < 25
      )
      return own.some(({ point }) => point !== null) && near.length === 0
    })
    assert.deepStrictEqual(
      far.map(({ code }) => code),
      []
    )
  })

  it("finds a port by its code or its name, and none where the name is of several", () => {
    const callao = TradePlace.port("PECLL")
    assert.deepStrictEqual([callao?.name, callao?.country], ["Callao", "PE"])
    assert.isTrue(Math.abs((callao?.point?.lat ?? 0) + 12) < 0.2 && Math.abs((callao?.point?.lon ?? 0) + 77.1) < 0.2)
    for (const text of ["callao", " CALLAO ", "pe cll"]) assert.deepStrictEqual(TradePlace.port(text), callao, text)
    assert.strictEqual(TradePlace.port("Cartagena", "CO")?.locode, "COCTG")
    assert.strictEqual(TradePlace.port("Cartagena", "ES")?.country, "ES")
    assert.isNull(TradePlace.port("Cartagena"))
    assert.isNull(TradePlace.port("Nowhere"))
    assert.isNull(TradePlace.port(""))
  })

  it("turns coordinates that are listed the wrong way round", () => {
    const { lat = 0, lon = 0 } = TradePlace.port("CDMAT")?.point ?? {}
    assert.isTrue(Math.abs(lat + 5.8) < 0.1 && Math.abs(lon - 13.5) < 0.1)
    // Far from the middle of their country, and yet right.
    assert.isTrue((TradePlace.port("USHNL")?.point?.lon ?? 0) < -150)
    assert.isTrue((TradePlace.port("RUVVO")?.point?.lon ?? 0) > 130)
  })

  it("knows a port with two codes as one", () => {
    assert.deepStrictEqual(TradePlace.port("CNSGH"), TradePlace.port("CNSHA"))
  })
})
