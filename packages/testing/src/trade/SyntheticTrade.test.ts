import { assert, describe, it } from "@effect/vitest"
import { TradeRecord } from "@lading/core/trade"
import { Schema } from "effect"
import * as Trade from "./index.ts"

const trade = Trade.make({ records: 60_000 })
const all = [...trade.stream()]
const records = all.map(({ record }) => record)

const counted = <A>(of: ReadonlyArray<A>): ReadonlyMap<A, number> => {
  const counts = new Map<A, number>()
  for (const one of of) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}
const share = <A>(of: ReadonlyArray<A>, which: (one: A) => boolean) => of.filter(which).length / of.length
const monthOf = ({ record }: Trade.Generated) => record.date.slice(0, 7)
const names = all.flatMap(({ record, importer, exporter }) => [
  { trader: importer, name: record.importer.name, source: record.source },
  { trader: exporter, name: record.exporter.name, source: record.source }
])

describe("SyntheticTrade", () => {
  it("makes records of the domain's shape, every one marked as synthetic", () => {
    const isRecord = Schema.is(TradeRecord.TradeRecord)
    for (const record of records) {
      assert.isTrue(isRecord(record) && record.synthetic)
      for (const { tax_id } of [record.importer, record.exporter]) {
        if (tax_id !== null) assert.match(tax_id, /^SAMPLE-[A-Z]{2}-\d{8}$/)
      }
    }
  })

  it("makes record i from seed and i alone: parts made apart, in any order, are the same", () => {
    const apart = Trade.make({ records: 60_000 })
    for (let index = 59_999; index >= 0; index -= 97) assert.deepStrictEqual(apart.at(index), all[index])
    assert.deepStrictEqual([...Trade.make({ records: 60_000 }).stream(41_000, 41_050)], all.slice(41_000, 41_050))
    assert.notDeepEqual(Trade.make({ records: 60_000, seed: 2 }).at(5), all[5])
  })

  it("puts the records of a month into its shard, the last shard into the last month", () => {
    assert.strictEqual(trade.shards.length, 61)
    trade.shards.slice(0, -1).forEach((start, shard) => {
      const months = new Set(all.slice(start, trade.shards[shard + 1]).map(monthOf))
      assert.strictEqual(months.size, 1)
    })
    assert.deepStrictEqual([monthOf(all[0]!), monthOf(all.at(-1)!)], ["2021-01", "2025-12"])
  })

  it("gives every bill a key of its own within its source, and every version of it another number", () => {
    const versions = records.map(({ source, key, version }) => `${source} ${key} ${version}`)
    assert.strictEqual(new Set(versions).size, records.length)
    const bills = new Set(records.map(({ source, key }) => `${source} ${key}`))
    const corrections = records.filter(({ version }) => version > 1)
    assert.strictEqual(new Set(records.map(({ key }) => key)).size, bills.size)
    assert.isTrue(corrections.length > 0.015 * records.length && corrections.length < 0.025 * records.length)
    // Two corrections of one bill are rare, so nearly every correction takes a record from the count.
    assert.strictEqual(bills.size, records.length - corrections.length)
  })

  it("a correction changes what was weighed and paid, not who traded what", () => {
    const first = new Map(records.filter(({ version }) => version === 1).map((record) => [record.key, record]))
    for (const record of records.filter(({ version }) => version > 1)) {
      const before = first.get(record.key)
      assert.deepStrictEqual(
        [record.importer, record.exporter, record.date, record.description],
        [before?.importer, before?.exporter, before?.date, before?.description]
      )
    }
    assert.isTrue(
      share(
        records.filter(({ version }) => version > 1),
        (one) => one.gross_kg !== first.get(one.key)?.gross_kg
      ) > 0.7
    )
  })

  it("has a heavy tail: a tenth of the importers has most of the records, and half of them next to nothing", () => {
    const sizes = [...counted(all.map(({ importer }) => importer)).values()].toSorted((a, b) => b - a)
    const tenth = sizes.slice(0, Math.ceil(sizes.length / 10)).reduce((sum, size) => sum + size, 0)
    const half = sizes.slice(Math.floor(sizes.length / 2)).reduce((sum, size) => sum + size, 0)
    assert.isTrue(tenth > 0.4 * all.length, `${tenth / all.length}`)
    assert.isTrue(half < 0.2 * all.length, `${half / all.length}`)
    assert.isTrue(sizes.length > 300)
  })

  it("moves grapes in their season, and bearings all the year", () => {
    const byMonth = (hs: string) => {
      const of = all.filter(({ record }) => record.hs_code === hs).map(({ record }) => Number(record.date.slice(5, 7)))
      const months = Array.from({ length: 12 }, (_, month) => of.filter((one) => one === month + 1).length)
      return {
        highest: months.indexOf(Math.max(...months)) + 1,
        ratio: Math.max(...months) / Math.max(1, Math.min(...months))
      }
    }
    assert.isTrue([12, 1, 2].includes(byMonth("080610").highest))
    assert.isTrue(byMonth("080610").ratio > 4, `${byMonth("080610").ratio}`)
    assert.isTrue(byMonth("848210").ratio < 2.5, `${byMonth("848210").ratio}`)
  })

  it("has relations that are new, that died and that paused, besides those that went on", () => {
    const of = (least: number) =>
      [...Map.groupBy(all, ({ relation }) => relation).values()].filter((one) => one.length >= least)
    const large = of(20)
    const first = of(5).map((of) => of.map(monthOf).toSorted()[0] ?? "")
    const last = large.map((of) => of.map(monthOf).toSorted().at(-1) ?? "")
    assert.isTrue(large.length > 300)
    assert.isTrue(share(first, (month) => month > "2024-12") > 0.015, `${share(first, (month) => month > "2024-12")}`)
    assert.isTrue(share(last, (month) => month < "2025-01") > 0.07, `${share(last, (month) => month < "2025-01")}`)
    const gap = (of: ReadonlyArray<Trade.Generated>) => {
      const months = [
        ...new Set(of.map(({ record }) => Number(record.date.slice(0, 4)) * 12 + Number(record.date.slice(5, 7))))
      ]
      return Math.max(
        ...months.toSorted((a, b) => a - b).map((month, index, sorted) => month - (sorted[index - 1] ?? month))
      )
    }
    const busy = large.filter((of) => of.length >= 60)
    assert.isTrue(share(busy, (of) => gap(of) > 6) > 0.02, `${share(busy, (of) => gap(of) > 6)}`)
    assert.isTrue(share(busy, (of) => gap(of) <= 6) > 0.4, `${share(busy, (of) => gap(of) <= 6)}`)
  })

  it("spells a third of the names otherwise, a dozen ways at most, and cuts those of manifests", () => {
    const named = names.flatMap(({ name, source, trader }) => (name === null ? [] : [{ name, source, trader }]))
    const plain = (trader: number) => trade.trader(trader).name.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase()
    const folded = (name: string) => name.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase()
    const otherwise = share(named, ({ name, trader }) => !plain(trader).startsWith(folded(name)))
    assert.isTrue(otherwise > 0.25 && otherwise < 0.4, `${otherwise}`)
    for (const of of Map.groupBy(named, ({ trader }) => trader).values()) {
      assert.isTrue(new Set(of.map(({ name }) => name)).size <= 3 * Trade.SPELLINGS)
    }
    const manifests = named.filter(({ source }) => source === "sample-us-manifests")
    assert.isTrue(manifests.every(({ name }) => name.length <= 35))
    assert.isTrue(share(manifests, ({ name }) => name.length === 35) > 0.01)
    assert.isTrue(named.some(({ name }) => name.length > 35))
  })

  it("has names for a million traders, none twice", () => {
    const names = new Set<string>()
    for (let number = 0; number < 1_000_000; number += 3) names.add(trade.trader(number).name)
    assert.strictEqual(names.size, 333_334)
  })

  it("leaves out what its sources leave out", () => {
    const of = (source: string) => records.filter((record) => record.source === source)
    const manifests = of("sample-us-manifests")
    const close = (value: number, wanted: number) =>
      assert.isTrue(Math.abs(value - wanted) < 0.02, `${value} ${wanted}`)
    close(
      share(manifests, ({ hs_code }) => hs_code !== null),
      0.37
    )
    close(
      share(manifests, ({ importer }) => importer.country !== null),
      0.26
    )
    close(
      share(manifests, ({ master_bill_number }) => master_bill_number !== null),
      0.43
    )
    assert.isTrue(
      manifests.every(
        ({ amount, amount_usd, transport }) => amount === null && amount_usd === null && transport === "sea"
      )
    )
    assert.isTrue(
      of("sample-pe-imports").every(({ exporter, amount_kind }) => exporter.name === null && amount_kind === "cif")
    )
    assert.isTrue(
      of("sample-pe-exports").every(({ importer, amount_kind }) => importer.name === null && amount_kind === "fob")
    )
    assert.isTrue(
      of("sample-in-exports").every(({ amount, amount_usd, currency }) => currency === "INR" && amount! > amount_usd!)
    )
    for (const { flow, gross_kg, net_kg } of records) {
      assert.include(["import", "export"], flow)
      assert.isTrue(net_kg === null || net_kg <= gross_kg!)
    }
    assert.strictEqual(new Set(records.map(({ source }) => source)).size, 9)
  })

  it("has master bills beside the house bills that travel under them", () => {
    const masters = new Set(records.flatMap(({ master_bill_number }) => master_bill_number ?? []))
    const both = records.filter(({ bill_number }) => bill_number !== null && masters.has(bill_number))
    assert.isTrue(both.length > 0)
  })

  it("writes TSV and JSON Lines of the same records, in parts that make the whole", () => {
    const text = [...Trade.chunks(trade, Trade.tsv, { to: 500, lines: 64 })].join("")
    const lines = text.trimEnd().split("\n")
    assert.strictEqual(lines.length, 500)
    lines.forEach((line, index) => {
      const cells = line.split("\t")
      assert.strictEqual(cells.length, Trade.columns.length)
      assert.strictEqual(cells[Trade.columns.indexOf("importer_name")], records[index]?.importer.name ?? "\\N")
      assert.strictEqual(cells[Trade.columns.indexOf("gross_kg")], String(records[index]?.gross_kg))
    })
    const json = [...Trade.chunks(trade, Trade.jsonl, { from: 70, to: 90, lines: 7 })].join("").trimEnd().split("\n")
    assert.deepStrictEqual(
      json.map((line) => JSON.parse(line)),
      records.slice(70, 90)
    )
  })

  it("finds 100 million as fast as 60 thousand: nothing is made before it is asked for", () => {
    const huge = Trade.make({ records: 100_000_000 })
    assert.strictEqual(huge.shards.at(-1), 100_000_000)
    assert.strictEqual(huge.at(99_999_999).record.date.slice(0, 7), "2025-12")
  })
})
