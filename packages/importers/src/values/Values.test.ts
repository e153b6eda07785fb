import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import Papa from "papaparse"
import * as Countries from "./Countries.ts"
import * as Dates from "./Dates.ts"
import * as Hs from "./Hs.ts"
import * as Numbers from "./Numbers.ts"
import * as Placeholder from "./Placeholder.ts"
import * as Rates from "./Rates.ts"
import * as Units from "./Units.ts"

const upTo = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))

describe("Numbers", () => {
  it("reads by the decimal mark of the file, and refuses what would be another number by it", () => {
    const cases: ReadonlyArray<readonly [string, Numbers.DecimalMark, number | undefined]> = [
      ["1234.5", ".", 1234.5],
      ["1,234,567.5", ".", 1234567.5],
      ["1,5", ".", undefined],
      ["1.234", ".", 1.234],
      ["1.234,5", ",", 1234.5],
      ["1.234", ",", 1234],
      ["1,5", ",", 1.5],
      ["1.5", ",", undefined],
      ["12", ",", 12],
      ["1.234,5", "mixed", 1234.5],
      ["1.234", "mixed", 1.234],
      ["1.234.567", "mixed", 1234567],
      ["0,5", "mixed", 0.5],
      [",5", "mixed", 0.5],
      ["1,234.5", "mixed", undefined],
      ["1 234 567,5", ",", 1234567.5],
      ["1\u{a0}234.5", ".", 1234.5],
      ["1.5E+06", ".", 1500000],
      ["-7", ".", -7],
      ["1e999", ".", undefined],
      ["Infinity", ".", undefined],
      ["0x10", ".", undefined],
      ["12 kg", ".", undefined],
      ["1.2.3", ".", undefined]
    ]
    for (const [text, mark, number] of cases)
      assert.strictEqual(Numbers.parse(text, mark), number, `${text} by ${mark}`)
  })

  it.prop("reads back what each mark writes", [upTo(999_999_999), upTo(99)], ([whole, cents]) => {
    const number = Number(`${whole}.${String(cents).padStart(2, "0")}`)
    const english = number.toLocaleString("en-US", { minimumFractionDigits: 2 })
    const german = number.toLocaleString("de-DE", { minimumFractionDigits: 2 })
    assert.strictEqual(Numbers.parse(english, "."), number)
    for (const mark of [",", "mixed"] as const) assert.strictEqual(Numbers.parse(german, mark), number)
    for (const mark of [".", "mixed"] as const) assert.strictEqual(Numbers.parse(number.toFixed(2), mark), number)
  })
})

describe("Dates", () => {
  it("reads the formats of the sources", () => {
    const cases: ReadonlyArray<readonly [string, string, string | null | undefined]> = [
      ["iso", "2024-02-29", "2024-02-29"],
      ["iso", "2024-02-29T10:00:00Z", "2024-02-29"],
      ["iso", "2023-02-29", undefined],
      ["YYYYMMDD", "20240105", "2024-01-05"],
      ["DDMMYYYY", "05012024", "2024-01-05"],
      ["DDMMYYYY", "5012024", "2024-01-05"],
      ["DDMMYYYY", "00000000", null],
      ["YYMM", "2401", "2024-01-01"],
      ["YYMM", "9912", "1999-12-01"],
      ["YYMM", "901", "2009-01-01"],
      ["YYYYMM", "202413", undefined],
      ["YYYY", "2024", "2024-01-01"],
      ["DD-MM-YYYY", "5-1-2024", "2024-01-05"],
      ["D MON YYYY", "5 Ene 2024", "2024-01-05"],
      ["DD/MM/YYYY", "05/01/2024 13:45", "2024-01-05"],
      ["MM/DD/YY", "01/05/24", "2024-01-05"],
      ["DD.MM.YYYY", "05x01x2024", undefined],
      ["excel", "45296", "2024-01-05"],
      ["excel", "today", undefined]
    ]
    for (const [format, text, date] of cases)
      assert.strictEqual(Dates.parser(format)(text), date, `${text} by ${format}`)
    assert.isFalse(Dates.isFormat("sometimes"))
    assert.isFalse(Dates.isFormat("DDMM"))
  })

  it.prop("reads every day back, in every format that has one", [upTo(50_000)], ([days]) => {
    const date = new Date(Date.UTC(1970, 0, 1) + days * 86_400_000).toISOString().slice(0, 10)
    const [year = "", month = "", day = ""] = date.split("-")
    assert.strictEqual(Dates.parser("DD/MM/YYYY")(`${day}/${month}/${year}`), date)
    assert.strictEqual(Dates.parser("DDMMYYYY")(`${Number(day)}${month}${year}`), date)
    assert.strictEqual(Dates.parser("excel")(String(days + 25_569)), date)
  })
})

describe("Hs", () => {
  it("puts zeros back by the width of the source, and by nothing else", () => {
    const cases: ReadonlyArray<readonly [string, Hs.Width | null, string, string | null]> = [
      ["901110000", 10, "0901110000", "090111"],
      ["9011110", 8, "09011110", "090111"],
      ["8451.20.00", null, "84512000", "845120"],
      ["90111", null, "90111", null],
      ["90111", 6, "090111", "090111"],
      ["90111", "even", "090111", "090111"],
      ["37.0", "even", "37", "37"],
      ["77010000", 8, "77010000", null],
      ["98010000", 8, "98010000", "980100"],
      ["5", 10, "5", null],
      ["N/A", 8, "N/A", null]
    ]
    for (const [text, width, raw, code] of cases)
      assert.deepStrictEqual(Hs.read(text, width), { hs_raw: raw, hs_code: code }, `${text} of ${width}`)
  })
})

describe("Units", () => {
  it("knows each country's own codes, which are not the others'", () => {
    const code = (text: string, system: Units.System) => {
      const unit = Units.read(text, system)
      return unit === null ? null : unit.kind === "package" ? "package" : unit.code
    }
    assert.deepStrictEqual(
      [
        code("2U", "pe"),
        code("12U", "pe"),
        code("KG", "pe"),
        code("TM", "pe"),
        code("10", "br"),
        code("23", "br"),
        code("13", "br")
      ],
      ["PR", "DZN", "KGM", "TNE", "KGM", null, "PR"]
    )
    assert.deepStrictEqual(
      [
        code("NOS", "in"),
        code("MTS", "in"),
        code("MT", "cl"),
        code("MT", "common"),
        code("6", "cl"),
        code("06", "cl"),
        code("CTN", "in")
      ],
      ["H87", "TNE", "MTR", "TNE", "KGM", "KGM", "package"]
    )
    assert.deepStrictEqual(
      [code("no such", "common"), code("10", "common"), code("Metric Tons", "common")],
      [null, null, "TNE"]
    )
  })

  it("makes kilograms of weights, and of nothing else", () => {
    assert.strictEqual(Units.kilograms(1000, Units.read("Pounds")), 453.59237)
    for (const unit of Units.codes) {
      const found = Units.kilograms(1, Units.read(unit))
      const isWeight = ["KGM", "GRM", "MGM", "TNE", "DTN", "LBR", "ONZ", "APZ", "CTM", "STN", "LTN"].includes(unit)
      assert.strictEqual(found !== null, isWeight, unit)
    }
    for (const unit of ["PCS", "LTR", "M2", "CTN", "BAG", "PALLET", "PAR"])
      assert.isNull(Units.kilograms(1, Units.read(unit)))
  })

  const file = process.env["LADING_TEST_UNITS_FILE"] ?? ""
  it.skipIf(!existsSync(file))("has only codes of Recommendation 20, with its factors (LADING_TEST_UNITS_FILE)", () => {
    const { data } = Papa.parse<Record<string, string>>(readFileSync(file, "utf8"), { header: true })
    const listed = new Map(data.map((row) => [row["CommonCode"], row]))
    const missing = Units.codes.filter((code) => !listed.has(code) || /[XD]/.test(listed.get(code)?.["Status"] ?? ""))
    assert.deepStrictEqual(missing, [])
    const powers: Readonly<Record<string, number>> = { kg: 1, mg: 0.000001 }
    const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"
    for (const code of Units.codes) {
      const factor = listed.get(code)?.["ConversionFactor"]?.replaceAll(/[\s\u{a0}]/gu, "") ?? ""
      const [, number = "", power = "", unit = ""] = /^([\d,]*)(?:x?(10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*))?(kg|mg)$/u.exec(factor) ?? []
      const kg = Units.kilograms(1, Units.read(code))
      assert.strictEqual(kg !== null, unit !== "", `${code}: ${factor}`)
      // The list has a tenth of what a troy ounce is.
      if (kg === null || code === "APZ") continue
      const exponent = power
        .slice(2)
        .replace(/./gu, (sign) => (sign === "⁻" ? "-" : String(superscripts.indexOf(sign))))
      const listedKg =
        Number(number === "" ? "1" : number.replace(",", ".")) *
        10 ** Number(exponent || (power === "10" ? 1 : 0)) *
        (powers[unit] ?? 0)
      assert.isTrue(Math.abs(kg / listedKg - 1) < 1e-6, `${code}: ${kg} is not ${factor}`)
    }
  })
})

describe("Placeholder", () => {
  it("tells what names nobody from names", () => {
    for (const text of [
      "TO ORDER",
      "To the order of Sample Bank",
      "ORDER",
      "SAME AS CONSIGNEE",
      "N/A",
      "NA",
      "N.A.",
      "-",
      "...",
      "XXXXX",
      "A LA ORDEN",
      "UNKNOWN",
      "NOT AVAILABLE",
      "NO DISPONIBLE",
      "SIN NOMBRE",
      "IDEM",
      "UNTO ORDER",
      "0000"
    ])
      assert.isTrue(Placeholder.is(text), text)
    for (const text of [
      "ORDERLY FOODS",
      "TOTO LTD",
      "NANO SA",
      "SAMSON AS",
      "MISO FOODS",
      "XYZ",
      "3M",
      "NONESUCH LTD",
      "VARIOSA SL",
      "TO ORDERLY"
    ])
      assert.isFalse(Placeholder.is(text), text)
    assert.isTrue(Placeholder.is("Consumidor  final", new Set(["CONSUMIDOR FINAL"])))
  })
})

describe("Countries", () => {
  it("knows codes, numbers, and names in several languages", () => {
    for (const text of ["DE", "DEU", "276", "Germany", "ALEMANIA", "Alemanha", "Allemagne", "Deutschland"])
      assert.strictEqual(Countries.code(text), "DE", text)
    assert.deepStrictEqual(
      ["EE.UU.", "Países Bajos", "HOLANDA", "Corea del Sur", "ZZ", "Atlantis"].map(Countries.code),
      ["US", "NL", "NL", "KR", null, null]
    )
  })
})

describe("Rates", () => {
  it.effect("names the line that is wrong", () =>
    Effect.gen(function* () {
      const problem = (text: string) => Effect.map(Effect.flip(Rates.load("r.csv", text)), (error) => error.problem)
      assert.match(yield* problem("day,rate\n"), /line 1: expected the columns/)
      const head = "date,currency,usd_per_unit\n"
      assert.match(yield* problem(`${head}2024-01-01,EUR,1.1\n2024-02-30,EUR,1.1\n`), /line 3: expected a date/)
      assert.match(yield* problem(`${head}2024-01-01,euro,1.1`), /line 2: expected a currency/)
      assert.match(yield* problem(`${head}2024-01-01,EUR,-1`), /line 2: expected US dollars/)
      assert.match(yield* problem(`${head}2024-01-01,EUR,1,1`), /three columns/)
    })
  )

  it.effect("takes the nearest earlier day within the bound, whatever the order of lines", () =>
    Effect.gen(function* () {
      const { usd } = yield* Rates.load("r.csv", "date,currency,usd_per_unit\n2024-02-10,EUR,1.2\n2024-01-10,EUR,1.1\n")
      assert.deepStrictEqual(
        ["2024-01-09", "2024-01-10", "2024-02-09", "2024-02-10", "2024-03-12", "2024-03-13"].map((date) =>
          usd("EUR", date)
        ),
        [null, 1.1, 1.1, 1.2, 1.2, null]
      )
      assert.deepStrictEqual([usd("USD", "1999-01-01"), usd("JPY", "2024-01-10")], [1, null])
    })
  )
})
