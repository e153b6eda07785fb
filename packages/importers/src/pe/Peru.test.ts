import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { dbf, zip } from "../fixtures/dbf.ts"
import { all, differences, write } from "../fixtures/files.ts"
import { formats } from "../Formats.ts"

const text = (name: string, width: number) => ({ name, type: "C" as const, width })
const number = (name: string, width: number) => ({ name, type: "N" as const, width })

/** In small letters, as a layout of the imports has them. */
const importFields =
  `codi_aduan:3 ano_prese:4 nume_corre:6 nume_serie:4 fech_ingsi:8 libr_tribu:11 dnombre:60 via_transp:1 pais_orige:2
puer_embar:5 desc_comer:40 desc_matco:20 desc_usoap:20 desc_fopre:20 desc_otros:20 unid_fides:12 clase:3`
    .split(/\s/)
    .map((field) => text(field.split(":")[0] ?? "", Number(field.split(":")[1])))
const importNumbers = [
  "part_nandi",
  "fob_dolpol",
  "fle_dolar",
  "seg_dolar",
  "peso_neto",
  "peso_bruto",
  "unid_fiqty",
  "cant_bulto"
]
const imports = [...importFields, ...importNumbers.map((name) => number(name, 15))]

const row = {
  codi_aduan: "118",
  ano_prese: "2024",
  nume_corre: "001234",
  nume_serie: "1",
  fech_ingsi: "20240105",
  libr_tribu: "20999999991",
  dnombre: "INDUSTRIAS FICTICIAS AÑO NUEVO S.A.C.",
  via_transp: "1",
  pais_orige: "CN",
  puer_embar: "CNSHA",
  desc_comer: "CAFE SIN TOSTAR",
  desc_otros: "EN SACOS",
  unid_fides: "2U",
  clase: "CTN",
  part_nandi: "901110000",
  fob_dolpol: "1000.50",
  fle_dolar: "100.00",
  seg_dolar: "10.00",
  peso_neto: "90.000",
  peso_bruto: "100.500",
  unid_fiqty: "12.000",
  cant_bulto: "3"
}

describe("Peru", () => {
  it.effect("reads imports straight out of the ZIP: latin-1, lost zeros, FOB without freight and insurance", () =>
    Effect.gen(function* () {
      const [file = ""] = yield* write({
        "ma010724.zip": zip({ "notes.txt": new Uint8Array(9), "MA.DBF": dbf(imports, [row]) })
      })
      const { bytes, batches, records, rejected } = yield* all(formats["pe-imports"], [file])
      assert.deepStrictEqual(rejected, [])
      assert.strictEqual(batches.at(-1)?.read !== undefined && bytes !== null, true)
      assert.deepStrictEqual(records, [
        {
          source: "pe-imports",
          key: "118/2024/001234/1",
          version: 1,
          flow: "import",
          date: "2024-01-05",
          importer: {
            name: "INDUSTRIAS FICTICIAS AÑO NUEVO S.A.C.",
            country: "PE",
            tax_id: "20999999991",
            address: null
          },
          exporter: { name: null, country: null, tax_id: null, address: null },
          origin_country: "CN",
          destination_country: "PE",
          hs_raw: "0901110000",
          hs_code: "090111",
          hs_imputed: false,
          description: "CAFE SIN TOSTAR EN SACOS",
          quantity: 12,
          quantity_unit: "PR",
          quantity_unit_raw: "2U",
          gross_kg: 100.5,
          net_kg: 90,
          amount: 1000.5,
          currency: "USD",
          amount_kind: "fob",
          amount_usd: 1000.5,
          packages: 3,
          package_kind: "CTN",
          teu: null,
          port_of_loading: "CNSHA",
          port_of_unloading: null,
          transport: "sea",
          bill_number: null,
          master_bill_number: null,
          synthetic: false
        }
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("reads exports, by the date of their number and the code of the means of transport", () =>
    Effect.gen(function* () {
      const names =
        "FNUM:8 NDCL:6 CADU:3 NDOC:11 DNOMBRE:40 DDIRPRO:40 NSER:4 CPAIDES:2 CPUEDES:5 CVIATRA:1 CUNITRA:1 TUNIFIS:5 DCOM:20 DMER2:20 DMER3:20 DMER4:20 DMER5:20"
      const fields = [
        ...names.split(" ").map((field) => text(field.split(":")[0] ?? "", Number(field.split(":")[1]))),
        ...["PART_NANDI", "VFOBSERDOL", "VPESNET", "VPESBRU", "QUNIFIS"].map((name) => number(name, 15))
      ]
      const export1 = {
        FNUM: "20240229",
        NDCL: "000077",
        CADU: "118",
        NDOC: "12345678",
        DNOMBRE: "PERSONA FICTICIA",
        DDIRPRO: "CALLE 1",
        NSER: "2",
        CPAIDES: "US",
        CPUEDES: "USMIA",
        CVIATRA: "9",
        CUNITRA: "4",
        TUNIFIS: "KG",
        DCOM: "UVAS",
        DMER2: "FRESCAS",
        PART_NANDI: "806100000",
        VFOBSERDOL: "5.5",
        VPESNET: "2",
        VPESBRU: "3",
        QUNIFIS: "2"
      }
      const [file = ""] = yield* write({ "x.dbf": dbf(fields, [export1]) })
      const [record] = (yield* all(formats["pe-exports"], [file])).records
      assert.deepStrictEqual(
        [
          record?.key,
          record?.date,
          record?.hs_code,
          record?.transport,
          record?.quantity_unit,
          record?.destination_country
        ],
        ["118/20240229/000077/2", "2024-02-29", "080610", "air", "KGM", "US"]
      )
      // Eight digits are a person's document, and no RUC.
      assert.deepStrictEqual(record?.exporter, {
        name: "PERSONA FICTICIA",
        country: "PE",
        tax_id: null,
        address: "CALLE 1"
      })
    }).pipe(Effect.scoped)
  )

  it.effect("drops rows that the table has deleted, and counts them", () =>
    Effect.gen(function* () {
      const [file = ""] = yield* write({
        "ma.dbf": dbf(imports, [row, row, { ...row, fech_ingsi: "00000000" }], new Set([0]))
      })
      const { dropped, records, rejected } = yield* all(formats["pe-imports"], [file])
      assert.deepStrictEqual([records.length, dropped], [1, 1])
      assert.deepStrictEqual(
        rejected.map(({ column, line }) => [line, column]),
        [[3, "FECH_INGSI"]]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("gives from every position what would have followed, out of a ZIP too", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 9000 }, (_, index) => ({ ...row, nume_corre: String(index) }))
      const table = dbf(imports, rows, new Set([5, 4095, 4096, 8999]))
      const [plain = "", zipped = ""] = yield* write({ "a.dbf": table, "a.zip": zip({ "A.DBF": table }) })
      const { steps, wrong } = yield* differences(formats["pe-imports"], [zipped, plain])
      assert.strictEqual(steps, 6)
      assert.deepStrictEqual(wrong, [])
    }).pipe(Effect.scoped)
  )

  it.effect("says that a table broke off, is another format, or is not in the ZIP", () =>
    Effect.gen(function* () {
      const table = dbf(
        imports,
        Array.from({ length: 30 }, () => row)
      )
      const [short = "", other = "", none = "", two = "", exported = ""] = yield* write({
        "short.dbf": table.subarray(0, table.length - 900),
        "other.dbf": new TextEncoder().encode("a,b\n1,2\n".repeat(10)),
        "none.zip": zip({ "a.txt": table }),
        "two.zip": zip({ "a.dbf": table, "b.dbf": table }),
        "exported.dbf": table
      })
      const problem = (file: string) =>
        Effect.map(Effect.flip(all(formats["pe-imports"], [file])), (error) => error.problem)
      assert.match(yield* problem(short), /ends after \d+ of 30 rows/)
      assert.match(yield* problem(other), /expected dBase III/)
      assert.match(yield* problem(none), /found none/)
      assert.match(yield* problem(two), /found a\.dbf, b\.dbf/)
      const wrong = yield* Effect.flip(all(formats["pe-exports"], [exported]))
      assert.match(wrong.problem, /needs the columns "CADU"/)
    }).pipe(Effect.scoped)
  )
})
