import { readFile } from "node:fs/promises"
import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Trade } from "@lading/testing"
import { Effect } from "effect"
import { all, latin1, write } from "../fixtures/files.ts"
import { formats } from "../Formats.ts"
import * as Inspect from "./Inspect.ts"

const inspected = Effect.fnUntraced(function* (name: string, content: string | Uint8Array) {
  const [file = ""] = yield* write({ [name]: content })
  const proposal = yield* Inspect.inspect(file)
  const [mapping = ""] = yield* write({ "m.yaml": proposal.yaml })
  const column = (field: string) => proposal.findings.find((one) => one.field === field)?.column ?? null
  return { file, mapping, proposal, column }
})

describe("inspect", () => {
  it.effect(
    "proposes a mapping that reads the file, from Spanish headers, latin-1, semicolons and decimal commas",
    () =>
      Effect.gen(function* () {
        const rows = Array.from(
          { length: 40 },
          (_, index) =>
            `${index + 1000};${(index % 28) + 1}/03/2024;FICTICIA ÑANDÚ ${index} S.A.;SAMPLE SUPPLY ${index};China;9011100;CAFÉ VERDE;1.200,5;KG;1.300,25;5.000,00;2`
        )
        const head =
          "Nro. Declaración;Fecha;Nombre importador;Proveedor;País de origen;Partida arancelaria;Descripción;Cantidad;Unidad de medida;Peso bruto;Valor CIF USD;Vía transporte"
        const { column, file, mapping, proposal } = yield* inspected(
          "importaciones.csv",
          latin1([head, ...rows].join("\r\n"))
        )
        assert.deepStrictEqual(
          ["importer.name", "exporter.name", "origin_country", "hs", "quantity.unit", "amount.cif", "date"].map(column),
          [
            "Nombre importador",
            "Proveedor",
            "País de origen",
            "Partida arancelaria",
            "Unidad de medida",
            "Valor CIF USD",
            "Fecha"
          ]
        )
        assert.isTrue(proposal.unknown.some((text) => text.startsWith("transport:") && text.endsWith("2")))
        const { records, rejected } = yield* all(formats.file, [file], { mapping })
        assert.deepStrictEqual([records.length, rejected], [40, []])
        const [record] = records
        assert.deepStrictEqual(
          [
            record?.importer.name,
            record?.date,
            record?.hs_code,
            record?.quantity,
            record?.gross_kg,
            record?.amount_usd,
            record?.origin_country
          ],
          ["FICTICIA ÑANDÚ 0 S.A.", "2024-03-01", "090111", 1200.5, 1300.25, 5000, "CN"]
        )
        assert.strictEqual(record?.amount_kind, "cif")
        assert.isTrue(proposal.findings.every(({ confidence }) => confidence > 0 && confidence <= 1))
      }).pipe(Effect.scoped)
  )

  it.effect("proposes one for generated trade, as TSV and as JSON Lines", () =>
    Effect.gen(function* () {
      const trade = Trade.make({ records: 500 })
      const tsv = `${Trade.columns.join("\t")}\n${[...Trade.chunks(trade, Trade.tsv)].join("")}`
      for (const [name, text] of [
        ["t.tsv", tsv],
        ["t.jsonl", [...Trade.chunks(trade, Trade.jsonl)].join("")]
      ] as const) {
        const { file, mapping, proposal } = yield* inspected(name, text)
        const { records, rejected } = yield* all(formats.file, [file], { mapping })
        assert.deepStrictEqual(rejected, [], proposal.yaml)
        assert.strictEqual(records.length, 500)
        records.forEach((record, index) => {
          const written = trade.at(index).record
          assert.deepStrictEqual(
            [record.flow, record.date, record.gross_kg, record.origin_country, record.description],
            [written.flow, written.date, written.gross_kg, written.origin_country, written.description]
          )
        })
      }
    }).pipe(Effect.scoped)
  )

  it.effect("says what it could not tell, and does not make it up", () =>
    Effect.gen(function* () {
      const { proposal } = yield* inspected("x.csv", "foo,bar\n1,2\n1,2\n")
      assert.deepStrictEqual(proposal.findings, [])
      for (const name of ["key:", "date:", "importer:", "exporter:", "hs:", "amount:", "flow:"])
        assert.isTrue(
          proposal.unknown.some((text) => text.startsWith(name)),
          name
        )
      assert.include(proposal.yaml, "Columns that were taken for nothing: foo, bar")
      assert.match(proposal.yaml, /^flow: import # a guess: nothing says whether/m)
      for (const [name, flow] of [
        ["exports-2024.csv", "export"],
        ["IMP_2024.csv", "import"]
      ] as const) {
        const { proposal } = yield* inspected(name, "foo,bar\n1,2\n1,2\n")
        assert.include(proposal.yaml, `flow: ${flow} # 30 %: the file's name`)
      }
      const { proposal: dates } = yield* inspected("y.csv", "date,fob\n01/02/2024,1\n03/04/2024,2\n")
      assert.isTrue(dates.unknown.some((text) => text.startsWith("date.format:")))
    }).pipe(Effect.scoped)
  )

  const korea = process.env["LADING_TEST_KOREA_FILE"] ?? ""
  it.effect.skipIf(!existsSync(korea))(
    "proposes a mapping that reads the Korean declarations (LADING_TEST_KOREA_FILE)",
    () =>
      Effect.gen(function* () {
        const { file, mapping } = yield* inspected("k.csv", yield* Effect.promise(() => readFile(korea)))
        const { records, rejected } = yield* all(formats.file, [file], { mapping })
        assert.deepStrictEqual(rejected, [])
        assert.isTrue(records.every(({ hs_code, net_kg }) => hs_code !== null && net_kg !== null))
      }).pipe(Effect.scoped)
  )
})
