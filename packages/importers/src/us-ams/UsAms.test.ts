import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { all, batches, differences, write } from "../fixtures/files.ts"
import { noOptions } from "../Format.ts"
import { formats } from "../Formats.ts"
import { type TableName, tables } from "./Tables.ts"

const format = formats["us-ams"]

type Rows = ReadonlyArray<Readonly<Record<string, string>>>

const csv = (table: TableName, rows: Rows): string => {
  const columns: ReadonlyArray<string> = ["identifier", ...tables[table].columns]
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [columns, ...rows.map((row) => columns.map((column) => cell(row[column] ?? "")))]
    .map((line) => line.join(","))
    .join("\n")
}

type Given = Partial<Record<TableName, Rows>>

const stamped = (given: Given, stamp: string) =>
  Object.fromEntries(
    Object.entries(given).map(([name, rows]) => {
      if (name !== "header" && name !== "billgen" && !Object.hasOwn(tables, name)) throw new Error(name)
      return [`ams__${name}_2020__${stamp}.csv`, csv(name as TableName, rows)]
    })
  )

const read = Effect.fnUntraced(function* (given: Given, stamp = "202001311200") {
  const files = yield* write(stamped(given, stamp))
  return yield* all(format, files)
})

const head = {
  identifier: "1",
  carrier_code: "XXLU",
  port_of_unlading: "Port Hueneme, California",
  estimated_arrival_date: "2020-01-02",
  actual_arrival_date: "2020-01-03",
  foreign_port_of_lading: "Yantian,China (Mainland)",
  manifest_quantity: "120",
  manifest_unit: "CTN",
  weight: "1000",
  weight_unit: "Pounds",
  record_status_indicator: "New"
}
const bill = { identifier: "1", master_bol_number: "MAST1", house_bol_number: "HOUSE1", run_date: "2020-01-05" }

describe("US manifests", () => {
  it.effect("joins the tables of a bill: parties, pounds, packages, boxes, dates, master and house bill", () =>
    Effect.gen(function* () {
      const { records, rejected } = yield* read({
        header: [head],
        billgen: [bill],
        consignee: [
          {
            identifier: "1",
            consignee_name: "FICTICIOUS IMPORTERS OF WASHINGTON ",
            country_code: "US",
            consignee_address_1: "1 SAMPLE ST",
            city: "NOWHERE",
            zip_code: "00000"
          }
        ],
        shipper: [{ identifier: "1", shipper_party_name: "TO ORDER OF BANK", country_code: "CN" }],
        cargodesc: [
          {
            identifier: "1",
            container_number: "C1",
            description_sequence_number: "1",
            description_text: 'TABLES, "OAK"'
          },
          {
            identifier: "1",
            container_number: "C2",
            description_sequence_number: "1",
            description_text: 'TABLES, "OAK"'
          }
        ],
        tariff: [
          { identifier: "1", container_number: "C1", description_sequence_number: "1", harmonized_number: "9403.6" }
        ],
        container: [
          { identifier: "1", container_number: "C1", container_length: "4000" },
          { identifier: "1", container_number: "C2", container_length: "2000" }
        ]
      })
      assert.deepStrictEqual(rejected, [])
      assert.strictEqual(records.length, 1)
      const [record] = records
      assert.strictEqual(record?.key, "XXLU:MAST1:HOUSE1/1")
      assert.deepStrictEqual([record?.version, record?.date, record?.flow], [20200105, "2020-01-03", "import"])
      assert.deepStrictEqual([record?.bill_number, record?.master_bill_number], ["HOUSE1", "MAST1"])
      assert.deepStrictEqual(record?.importer, {
        name: "FICTICIOUS IMPORTERS OF WASHINGTON",
        country: "US",
        tax_id: null,
        address: "1 SAMPLE ST, NOWHERE, 00000"
      })
      assert.deepStrictEqual(record?.exporter, { name: null, country: "CN", tax_id: null, address: null })
      assert.strictEqual(record?.gross_kg, 453.59237)
      // Packages count what goods come in.
      assert.deepStrictEqual([record?.packages, record?.package_kind, record?.quantity], [120, "CTN", null])
      assert.deepStrictEqual([record?.teu, record?.description, record?.amount], [3, 'TABLES, "OAK"', null])
      assert.deepStrictEqual([record?.origin_country, record?.destination_country], [null, "US"])
    }).pipe(Effect.scoped)
  )

  it.effect("names a master bill by its own number, and a bill without number by its identifier", () =>
    Effect.gen(function* () {
      const { records } = yield* read({
        header: [head, { ...head, identifier: "2" }],
        billgen: [{ ...bill, house_bol_number: "" }]
      })
      assert.deepStrictEqual(
        records
          .map(({ bill_number, key, master_bill_number }) => [key, bill_number, master_bill_number])
          .toSorted(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1)),
        [
          ["XXLU:MAST1/1", "MAST1", null],
          ["id:2/1", null, null]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("puts back the zero of a code of odd length, and reads codes that have been numbers", () =>
    Effect.gen(function* () {
      const numbers = ["901.", "84122981.0", "37.", "8451", "9403601", "0", "x"]
      const { records } = yield* read({
        header: numbers.map((_, index) => ({ ...head, identifier: `${index}` })),
        tariff: numbers.map((harmonized_number, index) => ({ identifier: `${index}`, harmonized_number }))
      })
      assert.deepStrictEqual(
        numbers.map((_, index) => {
          const found = records.find(({ key }) => key === `id:${index}/1`)
          return [found?.hs_raw, found?.hs_code]
        }),
        [
          ["0901", "0901"],
          ["84122981", "841229"],
          ["37", "37"],
          ["8451", "8451"],
          ["09403601", "094036"],
          ["0", null],
          ["x", null]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("never counts a bill of several codes twice", () =>
    Effect.gen(function* () {
      const row = (identifier: string, code: string, container: string, weight = "", unit = "Kilograms") => ({
        identifier,
        container_number: container,
        description_sequence_number: "1",
        harmonized_number: code,
        harmonized_weight: weight,
        harmonized_weight_unit: unit
      })
      const boxes = (identifier: string) =>
        ["C1", "C2", "C3"].map((container_number) => ({ identifier, container_number, container_length: "4000" }))
      const { records } = yield* read({
        header: [head, { ...head, identifier: "2" }],
        tariff: [
          row("1", "940360", "C1", "100"),
          row("1", "940360", "C2", "50"),
          row("1", "090111", "C2", "10", "Pounds"),
          row("2", "940360", "C1", "100"),
          row("2", "090111", "C2")
        ],
        cargodesc: [
          { identifier: "1", container_number: "C1", description_sequence_number: "1", description_text: "TABLES" },
          {
            identifier: "1",
            container_number: "C2",
            description_sequence_number: "1",
            description_text: "COFFEE AND CHAIRS"
          }
        ],
        container: [...boxes("1"), ...boxes("2")]
      })
      const of = (identifier: string) => records.filter(({ key }) => key.startsWith(`id:${identifier}/`))
      const [tables1, coffee] = of("1")
      assert.deepStrictEqual(
        [tables1?.hs_code, tables1?.gross_kg, tables1?.description],
        ["940360", 150, "TABLES; COFFEE AND CHAIRS"]
      )
      assert.deepStrictEqual(
        [coffee?.hs_code, coffee?.gross_kg, coffee?.description],
        ["090111", 4.5359237, "COFFEE AND CHAIRS"]
      )
      assert.deepStrictEqual([tables1?.teu, coffee?.teu], [4, 2])
      // One of the weights is not known: none is given, since the rest would be taken for the whole.
      assert.deepStrictEqual(
        of("2").map(({ gross_kg, packages }) => [gross_kg, packages]),
        [
          [null, null],
          [null, null]
        ]
      )
      assert.strictEqual(
        of("2").reduce((sum, { teu }) => sum + (teu ?? 0), 0),
        6
      )
    }).pipe(Effect.scoped)
  )

  it.effect("leaves out empty containers and deleted bills, with their count", () =>
    Effect.gen(function* () {
      const { dropped, records } = yield* read({
        header: [head, { ...head, identifier: "2" }, { ...head, identifier: "3", record_status_indicator: "Deleted" }],
        cargodesc: [
          { identifier: "1", container_number: "C1", description_text: "EMPTY CONTAINER" },
          { identifier: "2", container_number: "C1", description_text: "EMPTY CONTAINER" },
          { identifier: "2", container_number: "C2", description_text: "TABLES" }
        ]
      })
      assert.deepStrictEqual(
        records.map(({ description, key }) => [key, description]),
        [["id:2/1", "TABLES"]]
      )
      assert.strictEqual(dropped, 3)
    }).pipe(Effect.scoped)
  )

  it.effect("takes a bill's rows of the latest publication only", () =>
    Effect.gen(function* () {
      const cargo = { identifier: "1", container_number: "C1", description_sequence_number: "1" }
      const files = yield* write({
        ...stamped({ header: [head], cargodesc: [{ ...cargo, description_text: "OLD" }] }, "202002010000"),
        ...stamped(
          { header: [{ ...head, weight: "2" }], cargodesc: [{ ...cargo, description_text: "NEW" }] },
          "202003010000"
        )
      })
      for (const order of [files, files.toReversed()]) {
        const { records } = yield* all(format, order)
        assert.deepStrictEqual(
          records.map(({ description, gross_kg, version }) => [description, gross_kg, version]),
          [["NEW", 0.90718474, 20200301]]
        )
      }
    }).pipe(Effect.scoped)
  )

  it.effect("does not take a weight for kilograms that is none, nor a length for boxes that is none", () =>
    Effect.gen(function* () {
      const { records } = yield* read({
        header: [
          { ...head, weight_unit: "Cubic Meters" },
          { ...head, identifier: "2", weight_unit: "" }
        ],
        container: [{ identifier: "1", container_number: "C1", container_length: "0" }]
      })
      assert.deepStrictEqual(
        records.map(({ gross_kg, teu }) => [gross_kg, teu]),
        [
          [null, null],
          [null, null]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("rejects what has no bill or no date, with file and line", () =>
    Effect.gen(function* () {
      const { records, rejected } = yield* read({
        header: [head, { ...head, identifier: "2", actual_arrival_date: "", estimated_arrival_date: "soon" }],
        billgen: [{ identifier: "3", master_bol_number: "M" }],
        consignee: [{ identifier: "", consignee_name: "LOST" }]
      })
      assert.strictEqual(records.length, 1)
      assert.deepStrictEqual(
        rejected.map(({ column, file, line }) => [/ams__([a-z]+)/.exec(file)?.[1], line, column]),
        [
          ["consignee", 2, "identifier"],
          ["billgen", 2, "identifier"],
          ["header", 3, "actual_arrival_date"]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("wants tables by their names, and the header among them", () =>
    Effect.gen(function* () {
      const files = yield* write({
        "bills.csv": "identifier\n1\n",
        ...stamped({ billgen: [bill] }, "1"),
        "ams__hazmat_2020__1.csv": "x\n"
      })
      const problem = (some: ReadonlyArray<string>) =>
        Effect.map(Effect.flip(all(format, some)), (error) => error.problem)
      assert.match(yield* problem(files.slice(0, 1)), /ams__<table>/)
      assert.match(yield* problem(files.slice(1)), /header/)
    }).pipe(Effect.scoped)
  )
})

const many = (count: number): Given => {
  const ids = Array.from({ length: count }, (_, index) => String((index * 7919) % count))
  return {
    header: ids.map((identifier) => ({ ...head, identifier })),
    billgen: ids.map((identifier) => ({ identifier, master_bol_number: `M${identifier}`, run_date: "2020-01-05" })),
    cargodesc: ids.map((identifier) => ({
      identifier,
      description_text: `GOODS ${identifier} ${"FILLER ".repeat(20)}`
    }))
  }
}

describe("US manifests, many", () => {
  it.effect(
    "gives from every position what would have followed, with parts on the disk and without",
    () =>
      Effect.gen(function* () {
        const files = yield* write(stamped(many(20_000), "202001311200"))
        const { steps, wrong } = yield* differences(format, files.toReversed())
        assert.isTrue(steps > 16)
        assert.deepStrictEqual(wrong, [])
        const found = yield* all(format, files)
        assert.strictEqual(new Set(found.records.map(({ key }) => key)).size, 20_000)
        assert.strictEqual(found.batches.at(-1)?.read, found.bytes)
        assert.deepStrictEqual(
          found.batches.map(({ read: sofar }) => sofar).toSorted((a, b) => a - b),
          found.batches.map(({ read: sofar }) => sofar)
        )
        const scratch = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(tmpdir(), "lading-scratch-"))),
          (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
        )
        const open = format.open(files, { ...noOptions, scratch })
        const some = yield* Stream.runCollect(Stream.take((yield* open).batches(null), found.batches.length - 5))
        assert.strictEqual((yield* Effect.promise(() => readdir(scratch))).length, 1)
        const rest = yield* batches(yield* open, some.at(-1)?.position ?? null)
        assert.deepStrictEqual(
          [...some, ...rest].map((batch) => batch.records),
          found.batches.map((batch) => batch.records)
        )
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(scratch)), [])
      }).pipe(Effect.scoped),
    240_000
  )
})
