import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import type { TradeRecord } from "@lading/core/trade"
import { Trade } from "@lading/testing"
import { Effect, Stream } from "effect"
import { parquetWriteBuffer } from "hyparquet-writer"
import { all, batches, differences, latin1, write } from "../fixtures/files.ts"
import { noOptions } from "../Format.ts"
import { formats } from "../Formats.ts"

const { file: format } = formats

const mapping = `
source: xx-imports
flow: import
key: [id, item]
date: { column: date, format: DD/MM/YYYY }
importer: { name: importer, country: { constant: ES } }
exporter: { name: supplier, address: { columns: [street, town] } }
hs: { column: hs, width: 8 }
quantity: { column: quantity, unit: unit }
gross_weight: { column: weight, unit: weight_unit }
`

const head = "id,item,date,importer,supplier,street,town,hs,quantity,unit,weight,weight_unit"
const line = 'A1,1,05/03/2024,"Ficticia, S.A.",  Muster   GmbH ,1 Sample Street,Nowhere,9011100,"1,200",PCS,10,LBS'

/** Records of a text under the mapping above, or another one. */
const readText = Effect.fnUntraced(function* (text: string | Uint8Array, by: string = mapping, name = "a.csv") {
  const [data = "", map = ""] = yield* write({ [name]: text, "a.yaml": by })
  return yield* all(format, [data], { mapping: map })
})

const failure = (text: string, by: string) => Effect.flip(readText(text, by))

describe("file format", () => {
  it.effect("reads a row by its mapping: quotes, white space, lost zeros, units", () =>
    Effect.gen(function* () {
      const { dropped, records, rejected } = yield* readText(`${head}\n${line}\n`)
      assert.deepStrictEqual([rejected, dropped, records.length], [[], 0, 1])
      const [record] = records
      assert.strictEqual(record?.key, "A1/1")
      assert.strictEqual(record?.date, "2024-03-05")
      assert.deepStrictEqual(record?.importer, { name: "Ficticia, S.A.", country: "ES", tax_id: null, address: null })
      assert.deepStrictEqual(record?.exporter, {
        name: "Muster GmbH",
        country: null,
        tax_id: null,
        address: "1 Sample Street, Nowhere"
      })
      assert.deepStrictEqual([record?.hs_raw, record?.hs_code], ["09011100", "090111"])
      assert.deepStrictEqual([record?.quantity, record?.quantity_unit, record?.quantity_unit_raw], [1200, "H87", "PCS"])
      assert.strictEqual(record?.gross_kg, 4.5359237)
      assert.isNull(record?.amount)
    }).pipe(Effect.scoped)
  )

  it.effect("rejects a line that is wrong with its number, column, text and what was expected, and reads on", () =>
    Effect.gen(function* () {
      const bad = [
        line.replace("05/03/2024", "31/02/2024"),
        line.replace('"1,200"', "many"),
        line.replace("A1", ""),
        "A1,1,05/03/2024",
        line.replace("10,LBS", "-3,LBS"),
        line
      ]
      const { records, rejected } = yield* readText(`${head}\r\n${bad.join("\r\n")}\r\n`)
      assert.strictEqual(records.length, 1)
      assert.deepStrictEqual(
        rejected.map(({ column, line: at, problem }) => [at, column, problem]),
        [
          [5, null, "expected 12 columns, found 3"],
          [2, "date", 'expected a date of the form DD/MM/YYYY, found "31/02/2024"'],
          [3, "quantity", 'expected a number, found "many"'],
          [4, "id", "expected a part of the key, found none"],
          [6, "weight", 'expected a number that is not negative, found "-3"']
        ]
      )
      assert.isTrue(
        rejected.every(({ file, text }) => (file.endsWith("a.csv") && text.startsWith("A1")) || text.startsWith("\t"))
      )
    }).pipe(Effect.scoped)
  )

  it.effect("knows the lines behind cells that span lines", () =>
    Effect.gen(function* () {
      const spanning = line.replace("1 Sample Street", '"1 Sample\nStreet"')
      const { records, rejected } = yield* readText([head, spanning, line.replace("05/03", "99/99"), line].join("\n"))
      assert.deepStrictEqual(records[0]?.exporter.address, "1 Sample Street, Nowhere")
      assert.deepStrictEqual([records.length, rejected.map((one) => one.line)], [2, [4]])
    }).pipe(Effect.scoped)
  )

  it.effect("loses one line to a quote that is never closed, not the rest of the file", () =>
    Effect.gen(function* () {
      const lost = line.replace('"Ficticia, S.A."', '"Ficticia')
      const plain = line.replace('"Ficticia, S.A."', "Ficticia").replace('"1,200"', "1200")
      const { records, rejected } = yield* readText([head, lost.replace('"1,200"', "1200"), plain, plain].join("\n"))
      assert.deepStrictEqual(
        rejected.map((one) => one.line),
        [2]
      )
      assert.strictEqual(records.length, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on behind a row of many megabytes that a lost quote made", () =>
    Effect.gen(function* () {
      const plain = line.replace('"Ficticia, S.A."', "Ficticia").replace('"1,200"', "1200")
      const many = Array.from({ length: 90_000 }, () => plain)
      const { records, rejected } = yield* readText([head, plain.replace("Ficticia", '"Ficticia'), ...many].join("\n"))
      assert.deepStrictEqual(
        rejected.map((one) => one.line),
        [2]
      )
      assert.strictEqual(records.length, many.length)
    }).pipe(Effect.scoped)
  )

  it.effect("reads latin-1 and windows-1252 as they are, and UTF-8 behind a byte order mark", () =>
    Effect.gen(function* () {
      const by = (encoding: string) => `${mapping}\nfile: { encoding: ${encoding} }`
      const named = line.replace("Ficticia, S.A.", "Ficción Ñandú")
      for (const encoding of ["latin-1", "windows-1252"]) {
        const { records } = yield* readText(latin1(`${head}\n${named}\n`), by(encoding))
        assert.strictEqual(records[0]?.importer.name, "Ficción Ñandú")
      }
      const { records } = yield* readText(`\u{feff}${head}\n${named}\n`)
      assert.strictEqual(records[0]?.importer.name, "Ficción Ñandú")
    }).pipe(Effect.scoped)
  )

  it.effect("goes on at the right byte behind text that is broken in its encoding", () =>
    Effect.gen(function* () {
      const broken = latin1(`${head}\n${`${line.replace("Ficticia, S.A.", "Ficción\nS.A.")}\n`.repeat(30_000)}`)
      const [data = "", map = ""] = yield* write({ "a.csv": broken, "a.yaml": mapping })
      const { steps, wrong } = yield* differences(format, [data], { mapping: map })
      assert.isTrue(steps > 1)
      assert.deepStrictEqual(wrong, [])
      const { records } = yield* all(format, [data], { mapping: map })
      assert.strictEqual(records.length, 30_000)
    }).pipe(Effect.scoped)
  )

  it.effect("takes lines of quotes as they are where the mapping says that nothing is quoted", () =>
    Effect.gen(function* () {
      const by =
        'source: a\nflow: export\nkey: [id]\ndate: { column: d, format: YYYYMMDD }\ndescription: goods\nfile: { delimiter: "|", quote: none }'
      const { records, rejected } = yield* readText('id|d|goods\n1|20240131|"5" pipe\n2|20240131|hose 2"\n', by)
      assert.deepStrictEqual(rejected, [])
      assert.deepStrictEqual(
        records.map(({ description }) => description),
        ['"5" pipe', 'hose 2"']
      )
    }).pipe(Effect.scoped)
  )

  it.effect("takes the first of several amounts, each with its kind, and never a sum of them", () =>
    Effect.gen(function* () {
      const by = `source: a
flow: import
key: [id]
date: { column: d, format: iso }
amount:
  - { column: cif, currency: { constant: USD }, kind: cif }
  - { column: fob, currency: cur, kind: { column: term, words: { FOB: fob, EXW: unknown } } }`
      const { records } = yield* readText(
        "id,d,cif,fob,cur,term\n1,2024-01-02,110,100,USD,FOB\n2,2024-01-02,-,100,EUR,FOB\n3,2024-01-02,,7,USD,EXW\n4,2024-01-02,,,USD,FOB\n",
        by
      )
      assert.deepStrictEqual(
        records.map(({ amount, amount_kind, amount_usd, currency }) => [amount, amount_kind, currency, amount_usd]),
        [
          [110, "cif", "USD", 110],
          [100, "fob", "EUR", null],
          [7, "unknown", "USD", 7],
          [null, "unknown", null, null]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("turns currencies into dollars by the operator's table", () =>
    Effect.gen(function* () {
      const by = `source: a\nflow: import\nkey: [id]\ndate: { column: d, format: iso }\namount: { column: v, currency: c, kind: fob }`
      const [data = "", map = "", rates = ""] = yield* write({
        "a.csv":
          "id,d,v,c\n1,2024-01-05,100,EUR\n2,2024-03-30,100,EUR\n3,2023-12-31,100,EUR\n4,2024-01-05,100,JPY\n5,2024-01-05,100,USD\n",
        "a.yaml": by,
        "r.csv": "date,currency,usd_per_unit\n2024-01-01,EUR,1.1\n2024-01-04,EUR,1.2\n2024-02-01,EUR,1.05\n"
      })
      const { records } = yield* all(format, [data], { mapping: map, rates })
      assert.deepStrictEqual(
        records.map(({ amount_usd }) => amount_usd),
        [120, null, null, null, 100]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("leaves rows out that the mapping drops, with their count", () =>
    Effect.gen(function* () {
      const by = `source: a\nflow: {column: way, words: {E: export}}\nkey: {columns: [id], row: true}\ndate: { column: d, format: iso }\ndrop: [{column: type, is_not: [200, "210"]}]`
      const { dropped, records, rejected } = yield* readText(
        "id,d,way,type\n1,2024-01-05,E,200\n1,2024-01-05,E,300\n1,2024-01-05,X,210\n1,2024-01-05,E,210\n",
        by
      )
      assert.strictEqual(dropped, 1)
      assert.deepStrictEqual(
        records.map(({ key }) => key),
        ["1/a:2", "1/a:5"]
      )
      assert.deepStrictEqual(
        rejected.map(({ problem }) => problem),
        ['expected import or export (by words of the mapping), found "X"']
      )
    }).pipe(Effect.scoped)
  )

  it.effect("names every wrong place of a mapping file, and what was expected there", () =>
    Effect.gen(function* () {
      const problem = (by: string) =>
        Effect.map(failure("a\n1\n", by), ({ problem, reason }) => [reason, problem] as const)
      const [reason, text] = yield* problem(
        "source: A B\nflow: sideways\nkey: [a]\ndate: { column: a, format: sometimes }\namount: { column: a, kind: ex works }\nhs: { column: a, width: 40, colour: red }\nfile: { encoding: utf-16 }"
      )
      assert.strictEqual(reason, "mapping")
      for (const path of ["source:", "flow", "date.format:", "amount", "hs.width", "hs.colour:", "file.encoding:"])
        assert.isTrue(text.includes(path), `${path} in\n${text}`)
      const lines = text.split("\n")
      assert.isTrue(
        lines.every((line) => /^[\w.[\]]+: \S/.test(line)),
        text
      )
      assert.notMatch(text, /RegExp|readonly| \| /)
      assert.include(lines, "source: Expected a name of up to 63 signs of a-z, 0-9 and -, e.g. kr-declarations")
      assert.include(lines, 'flow: Expected "import" or "export"')
      const [, missing] = yield* problem(
        "source: a\nflow: import\nkey: [a]\ndate: {column: b, format: iso}\norigin_country: c"
      )
      assert.strictEqual(missing, 'the mapping needs the columns "b", "c"; the file has "a"')
      const [, table] = yield* problem(
        "source: a\nflow: import\nkey: [a]\ndate: {column: a, format: iso}\norigin_country: {column: a, words: lands}"
      )
      assert.strictEqual(table, 'origin_country.words: Expected a table of this mapping, found "lands"')
      const [, noYaml] = yield* problem("source: [a")
      assert.match(noYaml, /no YAML/)
    }).pipe(Effect.scoped)
  )

  it.effect("says what it is not given, and what it cannot read", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(format.open(["a.csv"], noOptions))).reason, "option")
      const [map = ""] = yield* write({ "a.yaml": mapping })
      const nothing = yield* Effect.flip(all(format, ["/nowhere/a.csv"], { mapping: map }))
      assert.strictEqual(nothing.reason, "unreadable")
      assert.strictEqual((yield* failure("", mapping)).reason, "format")
      assert.match((yield* failure("\u{fffe}a", mapping)).problem, /columns/)
    }).pipe(Effect.scoped)
  )

  it.effect("says that a gzip file broke off, and gives what came before", () =>
    Effect.gen(function* () {
      const many = gzipSync(
        `${head}\n${Array.from({ length: 60_000 }, (_, index) => line.replace("A1", `A${index}`)).join("\n")}\n`
      )
      const [data = "", map = ""] = yield* write({
        "a.csv.gz": many.subarray(0, many.length - 1000),
        "a.yaml": mapping
      })
      const file = yield* format.open([data], { ...noOptions, mapping: map })
      const before: Array<number> = []
      const error = yield* Effect.flip(
        Stream.runForEach(file.batches(null), (batch) => Effect.sync(() => before.push(batch.records.length)))
      )
      assert.strictEqual(error.reason, "unreadable")
      assert.isTrue(before.length > 0)
    }).pipe(Effect.scoped)
  )

  it.effect("refuses positions that are none of these files", () =>
    Effect.gen(function* () {
      const [data = "", map = ""] = yield* write({ "a.csv": `${head}\n${line}\n`, "a.yaml": mapping })
      const file = yield* format.open([data], { ...noOptions, mapping: map })
      for (const position of ["", "x", "1:0:1:0", "0:-1:1:0", "0:1"]) {
        assert.strictEqual((yield* Effect.flip(batches(file, position))).reason, "position")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("says at the end when rows are missing that should be there", () =>
    Effect.gen(function* () {
      const [data = "", map = ""] = yield* write({ "a.csv": `${head}\n${line}\nbad\n`, "a.yaml": mapping })
      assert.strictEqual((yield* all(format, [data], { mapping: map, rows: 2 })).records.length, 1)
      const error = yield* Effect.flip(all(format, [data], { mapping: map, rows: 3 }))
      assert.match(error.problem, /expected 3 rows, found 2/)
    }).pipe(Effect.scoped)
  )
})

const trade = Trade.make({ records: 12_000 })
const records = Array.from({ length: trade.records }, (_, index) => trade.at(index).record)
const canonical = fileURLToPath(new URL("../fixtures/canonical.yaml", import.meta.url))
const tsv = () => `${Trade.columns.join("\t")}\n${[...Trade.chunks(trade, Trade.tsv)].join("")}`
const jsonl = () => [...Trade.chunks(trade, Trade.jsonl)].join("")

const tidy = (party: TradeRecord.Party) => ({ ...party, name: party.name?.replace(/\s+/g, " ") ?? null })

/** What a record says, whichever file it came by. Rates and units are read anew, hence without them. */
const essence = (record: (typeof records)[number]) => ({
  ...record,
  key: "",
  source: "",
  amount_usd: null,
  quantity_unit: null,
  importer: tidy(record.importer),
  exporter: tidy(record.exporter)
})

describe("file format, generated trade", () => {
  it.effect("gives the records that were written as TSV", () =>
    Effect.gen(function* () {
      const [data = ""] = yield* write({ "t.tsv": tsv() })
      const found = yield* all(format, [data], { mapping: canonical })
      assert.deepStrictEqual(found.rejected, [])
      assert.strictEqual(found.records.length, records.length)
      assert.strictEqual(found.batches.at(-1)?.read, found.bytes)
      for (const [index, record] of records.entries()) {
        const read = found.records[index]
        if (read === undefined) throw new Error("a record is missing")
        assert.deepStrictEqual(essence(read), essence(record))
        assert.strictEqual(read.key, `${record.source}/${record.key}`)
        if (record.quantity_unit !== null) assert.strictEqual(read.quantity_unit, record.quantity_unit)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("gives the same records from JSON Lines, Parquet, gzip, and two files one behind the other", () =>
    Effect.gen(function* () {
      const byPath = yield* Effect.promise(async () => {
        const { readFile } = await import("node:fs/promises")
        const text = await readFile(canonical, "utf8")
        return text.replace(/(importer|exporter)_(name|country|tax_id|address)/g, "$1.$2")
      })
      const lines = tsv().trimEnd().split("\n")
      const half = 5000
      const columns = Trade.columns.map((name, index) => ({
        name,
        data: lines.slice(1).map((one) => one.split("\t")[index] ?? ""),
        type: "STRING" as const
      }))
      const [text = "", paths = "", whole = "", zipped = "", first = "", second = "", parquet = ""] = yield* write({
        "t.jsonl": jsonl(),
        "paths.yaml": byPath,
        "t.tsv": tsv(),
        "t.tsv.gz": gzipSync(tsv()),
        "1.tsv": `${lines.slice(0, half).join("\n")}\n`,
        "2.tsv": [lines[0], ...lines.slice(half)].join("\n"),
        "t.parquet": new Uint8Array(parquetWriteBuffer({ columnData: columns, rowGroupSize: 5000 }))
      })
      const expected = (yield* all(format, [whole], { mapping: canonical })).records
      for (const [files, map] of [
        [[zipped], canonical],
        [[first, second], canonical],
        [[text], paths],
        [[parquet], canonical]
      ] as const) {
        const found = yield* all(format, files, { mapping: map })
        assert.deepStrictEqual(found.rejected, [])
        assert.deepStrictEqual(found.records, expected)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("gives from every position exactly what would have followed", () =>
    Effect.gen(function* () {
      const quoted = tsv().replaceAll(/[^\t\n]+/g, (cell) => `"${cell}"`)
      const columns = Trade.columns.map((name, index) => ({
        name,
        data: tsv()
          .trimEnd()
          .split("\n")
          .slice(1)
          .map((one) => one.split("\t")[index] ?? ""),
        type: "STRING" as const
      }))
      const by = yield* Effect.promise(async () => (await import("node:fs/promises")).readFile(canonical, "utf8"))
      const [plain = "", zipped = "", inQuotes = "", parquet = "", quotes = ""] = yield* write({
        "t.tsv": tsv(),
        "t.tsv.gz": gzipSync(tsv()),
        "q.tsv": quoted,
        "t.parquet": new Uint8Array(parquetWriteBuffer({ columnData: columns, rowGroupSize: 5000 })),
        "q.yaml": by.replace("file:", "file:\n  quote: '\"'")
      })
      for (const [files, mapping] of [
        [[plain, zipped], canonical],
        [[parquet], canonical],
        [[inQuotes], quotes]
      ] as const) {
        const { steps, wrong } = yield* differences(format, files, { mapping })
        assert.isTrue(steps >= 3)
        assert.deepStrictEqual(wrong, [])
      }
    }).pipe(Effect.scoped)
  )
})

const korea = process.env["LADING_TEST_KOREA_FILE"] ?? ""
const koreaMapping = fileURLToPath(new URL("../../../../examples/imports/korea-declarations.yaml", import.meta.url))

describe("the example for Korean declarations", () => {
  it.effect("reads rows of that shape", () =>
    Effect.gen(function* () {
      const [data = ""] = yield* write({
        "k.csv": `Declaration ID,Date,Mode of Transport,Importer ID,Seller ID,HS6 Code,Country of Origin,Net Mass,Item Price
1,2021-01-01,40,AAA,BBB,90111,CN,901.2,4150.5
`
      })
      const { records, rejected } = yield* all(format, [data], { mapping: koreaMapping })
      assert.deepStrictEqual(rejected, [])
      const [record] = records
      assert.deepStrictEqual(
        [record?.hs_code, record?.transport, record?.net_kg, record?.amount, record?.currency, record?.synthetic],
        ["090111", "air", 901.2, 4150.5, null, true]
      )
    }).pipe(Effect.scoped)
  )

  it.effect.skipIf(!existsSync(korea))("imports the published file (LADING_TEST_KOREA_FILE) without a reject", () =>
    Effect.gen(function* () {
      const { readFile } = yield* Effect.promise(() => import("node:fs/promises"))
      const lines = (yield* Effect.promise(() => readFile(korea, "utf8"))).trimEnd().split("\n").length
      const { records, rejected } = yield* all(format, [korea], { mapping: koreaMapping })
      assert.deepStrictEqual(rejected, [])
      assert.strictEqual(records.length, lines - 1)
      assert.isTrue(
        records.every(
          ({ date, hs_code, origin_country }) => /^\d{4}-/.test(date) && hs_code !== null && origin_country !== ""
        )
      )
      assert.isTrue(records.filter(({ transport }) => transport !== null).length > records.length * 0.9)
      assert.strictEqual(new Set(records.map(({ key }) => key)).size, records.length)
    }).pipe(Effect.scoped)
  )
})
