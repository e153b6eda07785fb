import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { all, latin1, write } from "../fixtures/files.ts"
import { formats } from "../Formats.ts"

const head = "FECH;ADUA;PAISGEN;PAISPRO;PAISCOM;DEPTODES;VIATRANS;PBK;PNK;CANU;NABAN;VAFODO;FLETE;VACID;NIT;DIGV;RZIMPO"
const row = (cells: Partial<Record<string, string>>) => {
  const values: Record<string, string> = {
    FECH: "2401",
    ADUA: "48",
    PAISGEN: "215",
    PAISPRO: "215",
    PAISCOM: "215",
    DEPTODES: "11",
    VIATRANS: "1",
    PBK: "1.234,5",
    PNK: "1200.5",
    CANU: "1.200",
    NABAN: "901110000",
    VAFODO: "1.000,00",
    FLETE: "-",
    VACID: "1100.00",
    NIT: "900123456",
    DIGV: "7",
    RZIMPO: "COMPAÑIA FICTICIA S A S"
  }
  return head
    .split(";")
    .map((name) => cells[name] ?? values[name])
    .join(";")
}

const read = Effect.fnUntraced(function* (...rows: ReadonlyArray<string>) {
  const [file = ""] = yield* write({ "enero.csv": latin1(`${[head, ...rows].join("\r\n")}\r\n`) })
  return yield* all(formats["co-imports"], [file])
})

describe("Colombia", () => {
  it.effect("reads a month of imports: latin-1, YYMM, lost zeros, both ways of writing numbers, CIF first", () =>
    Effect.gen(function* () {
      const { records, rejected } = yield* read(row({}), row({ VACID: "-", PAISGEN: "63", PBK: "0,5" }))
      assert.deepStrictEqual(rejected, [])
      const [first, second] = records
      assert.deepStrictEqual(
        [first?.key, first?.date, first?.hs_raw, first?.hs_code, first?.gross_kg, first?.net_kg, first?.quantity],
        ["2401/enero:2", "2024-01-01", "0901110000", "090111", 1234.5, 1200.5, 1.2]
      )
      assert.deepStrictEqual(first?.importer, {
        name: "COMPAÑIA FICTICIA S A S",
        country: "CO",
        tax_id: "900123456",
        address: null
      })
      assert.deepStrictEqual([first?.amount, first?.amount_kind, first?.origin_country], [1100, "cif", "CN"])
      assert.deepStrictEqual([second?.amount, second?.amount_kind, second?.origin_country], [1000, "fob", "AR"])
      assert.deepStrictEqual([second?.gross_kg, second?.transport], [0.5, "sea"])
      // The file has no column for the unit.
      assert.isNull(first?.quantity_unit)
    }).pipe(Effect.scoped)
  )

  it.effect("repairs the NIT", () =>
    Effect.gen(function* () {
      const nits = ["9001234567", "8001234567", "1234567890", "90012345678", "900.123.456-7", "0", "x"]
      const { records } = yield* read(...nits.map((NIT) => row({ NIT })))
      assert.deepStrictEqual(
        records.map(({ importer }) => importer.tax_id),
        ["900123456", "800123456", "1234567890", "900123456", "900123456", null, null]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("reads files that are divided by commas, and leaves unknown countries and names unknown", () =>
    Effect.gen(function* () {
      const comma = (text: string) => text.replaceAll(/;/g, ",")
      const [file = ""] = yield* write({
        "e.csv": latin1(
          [comma(head), comma(row({ PBK: "7", VAFODO: "1", PAISGEN: "999", RZIMPO: "NO DISPONIBLE" }))].join("\n")
        )
      })
      const [record] = (yield* all(formats["co-imports"], [file])).records
      assert.deepStrictEqual([record?.gross_kg, record?.origin_country, record?.importer.name], [7, null, null])
    }).pipe(Effect.scoped)
  )

  it.effect("rejects a month that is none", () =>
    Effect.gen(function* () {
      const { rejected } = yield* read(row({ FECH: "2413" }), row({ FECH: "-" }))
      assert.deepStrictEqual(
        rejected.map(({ column, line }) => [line, column]),
        [
          [2, "FECH"],
          [3, "FECH"]
        ]
      )
    }).pipe(Effect.scoped)
  )
})
