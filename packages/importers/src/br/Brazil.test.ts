import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { all, latin1, write } from "../fixtures/files.ts"
import { formats } from "../Formats.ts"

const format = formats["br-comex"]

const exported = `"CO_ANO";"CO_MES";"CO_NCM";"CO_UNID";"CO_PAIS";"SG_UF_NCM";"CO_VIA";"CO_URF";"QT_ESTAT";"KG_LIQUIDO";"VL_FOB"
"2024";"01";"09011110";"21";"023";"MG";"01";"0817800";12;11900;54321
"2024";"1";"9011110";"11";"160";"SP";"04";"0817600";7;3;99
`
const imported = `"CO_ANO";"CO_MES";"CO_NCM";"CO_UNID";"CO_PAIS";"SG_UF_NCM";"CO_VIA";"CO_URF";"QT_ESTAT";"KG_LIQUIDO";"VL_FOB";"VL_FRETE";"VL_SEGURO"
"2024";"12";"84713012";"11";"998";"SP";"07";"0817600";7;3;99;10;1
`

describe("Brazil", () => {
  it.effect("reads exports: padded codes, its own country numbers and units, FOB, no companies", () =>
    Effect.gen(function* () {
      const [file = ""] = yield* write({ "EXP_2024.csv": latin1(exported) })
      const { records, rejected } = yield* all(format, [file], { rows: 2 })
      assert.deepStrictEqual(rejected, [])
      const said = records.map((one) => [
        one.date,
        one.hs_raw,
        one.destination_country,
        one.quantity_unit,
        one.net_kg,
        one.transport
      ])
      assert.deepStrictEqual(said, [
        ["2024-01-01", "09011110", "DE", "TNE", 11900, "sea"],
        ["2024-01-01", "09011110", "CN", "H87", 3, "air"]
      ])
      const [first] = records
      assert.deepStrictEqual([first?.source, first?.flow, first?.origin_country], ["br-exports", "export", "BR"])
      assert.deepStrictEqual([first?.amount_usd, first?.amount_kind, first?.exporter.name], [54321, "fob", null])
      assert.strictEqual(first?.key, "2024/01/09011110/21/023/MG/01/0817800")
    }).pipe(Effect.scoped)
  )

  it.effect("reads imports without adding freight, and countries by an operator's table", () =>
    Effect.gen(function* () {
      const [file = "", countries = ""] = yield* write({
        "IMP_2024.csv": latin1(imported),
        "PAIS.csv": latin1('"CO_PAIS";"CO_PAIS_ISON3";"CO_PAIS_ISOA3";"NO_PAIS"\n"998";"620";"PRT";"Portugal"\n')
      })
      const [before] = (yield* all(format, [file])).records
      const [after] = (yield* all(format, [file], { countries })).records
      assert.deepStrictEqual([before?.origin_country, after?.origin_country], [null, "PT"])
      assert.deepStrictEqual(
        [after?.flow, after?.amount, after?.amount_kind, after?.destination_country],
        ["import", 99, "fob", "BR"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("keeps the layout by municipality apart", () =>
    Effect.gen(function* () {
      const [file = ""] = yield* write({
        "EXP_2024_MUN.csv":
          "CO_ANO;CO_MES;SH4;CO_PAIS;SG_UF_MUN;CO_MUN;KG_LIQUIDO;VL_FOB\n2024;3;901;249;SP;3448302;5;6\n"
      })
      const [record] = (yield* all(format, [file])).records
      assert.deepStrictEqual(
        [record?.source, record?.hs_code, record?.date],
        ["br-exports-municipal", "0901", "2024-03-01"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("says that a download broke off, and does not guess which way the goods went", () =>
    Effect.gen(function* () {
      const [file = "", unnamed = "", wrong = ""] = yield* write({
        "EXP_2024.csv": latin1(exported),
        "2024.csv": latin1(exported),
        "EXP_2023.csv": latin1(imported)
      })
      assert.match((yield* Effect.flip(all(format, [file], { rows: 3 }))).problem, /expected 3 rows, found 2/)
      assert.match((yield* Effect.flip(all(format, [unnamed]))).problem, /EXP or IMP/)
      assert.match((yield* Effect.flip(all(format, [wrong]))).problem, /VL_FRETE/)
    }).pipe(Effect.scoped)
  )
})
