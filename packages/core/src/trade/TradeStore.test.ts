/** The rules of the port, on records few enough to count by hand. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Period from "./Period.ts"
import type { RecordPage } from "./TradeAnswer.ts"
import * as TradeFilter from "./TradeFilter.ts"
import * as TradeQuestion from "./TradeQuestion.ts"
import { nobody, type Party, type TradeRecord } from "./TradeRecord.ts"
import * as TradeRow from "./TradeRow.ts"
import * as TradeStore from "./TradeStore.ts"

const party = (name: string | null, more: Partial<Party> = {}): Party => ({ ...nobody, name, ...more })

let made = 0
const record = (more: Partial<TradeRecord> = {}): TradeRecord => ({
  source: "test",
  key: `K${String(++made).padStart(3, "0")}`,
  version: 1,
  flow: "import",
  date: "2024-06-15",
  importer: party("Quillmere Foods", { country: "PE" }),
  exporter: party("Harrowvane Ltd", { country: "CN" }),
  origin_country: "CN",
  destination_country: "PE",
  hs_raw: "0901110000",
  hs_code: "090111",
  hs_imputed: false,
  description: "green coffee beans",
  quantity: 10,
  quantity_unit: "KGM",
  quantity_unit_raw: "KG",
  gross_kg: 11,
  net_kg: 10,
  amount: 100,
  currency: "USD",
  amount_kind: "cif",
  amount_usd: 100,
  packages: null,
  package_kind: null,
  teu: null,
  port_of_loading: "CNSHA",
  port_of_unloading: "PECLL",
  transport: "sea",
  bill_number: null,
  master_bill_number: null,
  synthetic: true,
  ...more
})

/** Traders are known by the first word of their names. */
const traderOf = ({ name }: Party) => name?.split(" ")[0]?.toLowerCase() ?? null
const store = (...records: ReadonlyArray<TradeRecord>) => TradeStore.make(records, traderOf)
const from = (name: string, more: Partial<TradeRecord> = {}) => record({ exporter: party(name), ...more })

const { all } = TradeFilter
const window = { page: 1, limit: 20 }
const ever = { from: null, to: null }
const ofQuillmere = { trader_id: "quillmere", role: "importer", window, ...ever } as const
const search = (filter: Partial<TradeFilter.TradeFilter>) => ({
  filter: { ...all, ...filter },
  sort: TradeQuestion.newest,
  window,
  after: null
})
const keys = (page: { readonly list: ReadonlyArray<TradeRow.TradeRow> }) => page.list.map((row) => row.record.key)

describe("TradeStore", () => {
  it.effect(
    "status: active are partners of the last 12 months, new those never seen before, potential those not seen since",
    () =>
      Effect.gen(function* () {
        const it = store(
          from("Old Co", { date: "2022-01-01" }),
          from("Kept Co", { date: "2022-01-01" }),
          from("Kept Co", { date: "2024-01-01" }),
          from("Fresh Co", { date: "2024-01-02" }),
          // Twelve months before the newest record, to the day: an earlier year.
          from("Edge Co", { date: "2023-06-30" }),
          from("Inside Co", { date: "2023-07-01" }),
          // The newest record of the data set is somebody else's.
          record({ importer: party("Other Inc"), exporter: party("Kept Co"), date: "2024-06-30" }),
          record({ exporter: nobody, date: "2024-01-01" })
        )
        assert.deepStrictEqual(
          yield* it.status([
            { trader_id: "quillmere", role: "importer" },
            { trader_id: "kept", role: "exporter" },
            { trader_id: "quillmere", role: "exporter" },
            { trader_id: "nobody", role: "importer" }
          ]),
          [
            { trader_id: "quillmere", role: "importer", active: 3, new_add: 2, potential: 2 },
            { trader_id: "kept", role: "exporter", active: 2, new_add: 1, potential: 0 },
            { trader_id: "quillmere", role: "exporter", active: 0, new_add: 0, potential: 0 },
            { trader_id: "nobody", role: "importer", active: 0, new_add: 0, potential: 0 }
          ]
        )
      })
  )

  it.effect("counts the highest version of a bill, and no master bill beside its house bills", () =>
    Effect.gen(function* () {
      const it = store(
        record({ key: "A", version: 3, amount_usd: 30 }),
        record({ key: "A", version: 1, amount_usd: 10 }),
        record({ key: "A", source: "other", amount_usd: 1 }),
        record({ key: "M", bill_number: "M1", amount_usd: 500 }),
        record({ key: "H", bill_number: "H1", master_bill_number: "M1", amount_usd: 400 }),
        record({ key: "O", source: "other", bill_number: "M1", amount_usd: 7 })
      )
      const page = yield* it.records(search({}))
      assert.deepStrictEqual(page.list.map(({ record }) => TradeRow.id(record)).toSorted(), [
        "other:A",
        "other:O",
        "test:A",
        "test:H"
      ])
      assert.strictEqual((yield* it.details("quillmere"))?.as_importer?.amount_usd, 438)
    })
  )

  it.effect("records: every filter that says something has to hold", () =>
    Effect.gen(function* () {
      const it = store(
        record({ key: "1", description: "CAFÉ verde, tostado", gross_kg: null, net_kg: 5 }),
        record({
          key: "2",
          hs_code: "610910",
          flow: "export",
          transport: "air",
          origin_country: null,
          port_of_loading: "Hamburg"
        }),
        record({
          key: "3",
          importer: party("Lumenfold SA"),
          destination_country: "BR",
          amount_usd: null,
          date: "2024-06-14"
        })
      )
      const found = (filter: Partial<TradeFilter.TradeFilter>) => Effect.map(it.records(search(filter)), keys)
      assert.deepStrictEqual(yield* found({}), ["1", "2", "3"])
      assert.deepStrictEqual(yield* found({ product: "cafe" }), ["1"])
      assert.deepStrictEqual(yield* found({ product: "tostado verde" }), ["1"])
      assert.deepStrictEqual(yield* found({ product: "caf" }), [])
      assert.deepStrictEqual(yield* found({ product: "  " }), [])
      assert.deepStrictEqual(yield* found({ hs_prefix: "61" }), ["2"])
      assert.deepStrictEqual(yield* found({ flow: "import" }), ["1", "3"])
      assert.deepStrictEqual(yield* found({ importer: "SA lumenfold" }), ["3"])
      assert.deepStrictEqual(yield* found({ importer: "' or 1=1" }), [])
      assert.deepStrictEqual(yield* found({ importer_ids: ["lumenfold", "x"] }), ["3"])
      assert.deepStrictEqual(yield* found({ exporter_ids: ["lumenfold"] }), [])
      assert.deepStrictEqual(yield* found({ trader: { trader_id: "lumenfold", role: null } }), ["3"])
      assert.deepStrictEqual(yield* found({ trader: { trader_id: "lumenfold", role: "exporter" } }), [])
      assert.deepStrictEqual(yield* found({ origin_countries: ["CN"] }), ["1", "3"])
      assert.deepStrictEqual(yield* found({ exporter_countries: ["CN"] }), ["1", "2", "3"])
      assert.deepStrictEqual(yield* found({ destination_countries: ["BR", "CL"] }), ["3"])
      assert.deepStrictEqual(yield* found({ ports: ["hamburg"] }), ["2"])
      assert.deepStrictEqual(yield* found({ ports: ["PECLL"] }), ["1", "2", "3"])
      assert.deepStrictEqual(yield* found({ transport: ["air", "rail"] }), ["2"])
      assert.deepStrictEqual(yield* found({ from: "2024-06-15", to: "2024-06-15" }), ["1", "2"])
      assert.deepStrictEqual(yield* found({ weight_kg: { least: null, most: 5 } }), ["1"])
      assert.deepStrictEqual(yield* found({ amount_usd: { least: 100, most: 100 } }), ["1", "2"])
      assert.deepStrictEqual(yield* found({ product: "café", hs_prefix: "61" }), [])
    })
  )

  for (const by of ["date", "amount", "weight"] as const) {
    for (const order of ["asc", "desc"] as const) {
      it.effect(`records by ${by}, ${order}: pages and cursors give each record once, what has no value last`, () =>
        Effect.gen(function* () {
          const it = store(
            ...Array.from({ length: 23 }, (_, index) =>
              record({
                date: `2024-01-0${1 + (index % 4)}`,
                amount_usd: index % 5 === 0 ? null : index % 3,
                gross_kg: index % 7 === 0 ? null : index % 4,
                net_kg: null
              })
            )
          )
          const question = { ...search({}), sort: { by, order }, window: { page: 1, limit: 4 } }
          const read: Array<string> = []
          const values: Array<number | string | null> = []
          let after: TradeQuestion.Cursor | null = null
          for (let page = 1; page <= 6; page++) {
            const byCursor: RecordPage = yield* it.records({ ...question, after })
            const byNumber = yield* it.records({ ...question, window: { page, limit: 4 } })
            assert.deepStrictEqual(keys(byCursor), keys(byNumber))
            assert.strictEqual(byCursor.total, 23)
            read.push(...keys(byCursor))
            values.push(
              ...byCursor.list.map(({ record }) =>
                by === "date" ? record.date : by === "amount" ? record.amount_usd : record.gross_kg
              )
            )
            after = byCursor.next
            assert.strictEqual(after === null, page === 6)
          }
          assert.strictEqual(new Set(read).size, 23)
          const known = values.filter((value) => value !== null)
          assert.deepStrictEqual(values.slice(known.length), values.slice(known.length).fill(null))
          const sorted = known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
          assert.deepStrictEqual(known, order === "asc" ? sorted : sorted.toReversed())
          assert.deepStrictEqual((yield* it.records({ ...question, window: { page: 99, limit: 4 } })).list, [])
        })
      )
    }
  }

  it.effect("traders: by their records that match, with totals by side", () =>
    Effect.gen(function* () {
      const it = store(
        record({ gross_kg: 1, amount_usd: 5 }),
        record({
          importer: party("QUILLMERE FOODS SAC", { country: "PE" }),
          amount_usd: null,
          gross_kg: 2,
          date: "2024-07-01"
        }),
        record({
          importer: party("Lumenfold"),
          exporter: party("Quillmere Foods"),
          hs_code: "610910",
          gross_kg: 4,
          amount_kind: "fob"
        })
      )
      const asked = { filter: all, role: null, name: null, window }
      const traders = yield* it.traders(asked)
      assert.deepStrictEqual(
        traders.list.map(({ trader_id }) => trader_id),
        ["quillmere", "harrowvane", "lumenfold"]
      )
      assert.strictEqual(traders.total, 3)
      assert.deepStrictEqual(traders.list[0], {
        trader_id: "quillmere",
        name: "Quillmere Foods",
        country: "PE",
        as_importer: { trade_count: 2, weight_kg: 3, amount_usd: 5, amount_kinds: ["cif"] },
        as_exporter: { trade_count: 1, weight_kg: 4, amount_usd: 100, amount_kinds: ["fob"] },
        first_date: "2024-06-15",
        last_date: "2024-07-01"
      })
      const ids = (question: Partial<TradeQuestion.TradersQuestion>) =>
        Effect.map(it.traders({ ...asked, ...question }), ({ list }) => list.map(({ trader_id }) => trader_id))
      assert.deepStrictEqual(yield* ids({ role: "exporter" }), ["harrowvane", "quillmere"])
      assert.deepStrictEqual(yield* ids({ name: "foods sac" }), ["quillmere"])
      assert.deepStrictEqual(yield* ids({ filter: { ...all, hs_prefix: "61" } }), ["lumenfold", "quillmere"])
      assert.deepStrictEqual(yield* ids({ window: { page: 2, limit: 2 } }), ["lumenfold"])
      assert.deepStrictEqual(yield* it.totals(["lumenfold", "x", "lumenfold"], "importer"), [
        {
          trader_id: "lumenfold",
          name: "Lumenfold",
          country: null,
          trade_count: 1,
          weight_kg: 4,
          amount_usd: 100,
          amount_kinds: ["fob"]
        }
      ])
    })
  )

  it.effect("details: names by how often they are written, both sides, or nothing at all", () =>
    Effect.gen(function* () {
      const it = store(
        record({ importer: party("Quillmere SA", { address: "1 Sample Street", tax_id: "T1" }) }),
        record({ importer: party("Quillmere SA") }),
        record({ importer: party("QUILLMERE", { country: "PE" }), exporter: party("Brightquay") }),
        record({ importer: party("Quillmere Foods"), hs_code: null, description: null, date: "2023-01-01" })
      )
      const details = yield* it.details("quillmere")
      assert.strictEqual(details?.name, "Quillmere SA")
      assert.deepStrictEqual(details?.aliases, ["QUILLMERE", "Quillmere Foods"])
      assert.deepStrictEqual(
        [details?.addresses, details?.tax_ids, details?.country],
        [["1 Sample Street"], ["T1"], "PE"]
      )
      assert.isNull(details?.as_exporter)
      const side = details?.as_importer
      assert.deepStrictEqual(
        [side?.trade_count, side?.partner_count, side?.first_date, side?.last_date],
        [4, 2, "2023-01-01", "2024-06-15"]
      )
      assert.deepStrictEqual(
        side?.top_partners.map(({ share, trader_id }) => [trader_id, share]),
        [
          ["harrowvane", 0.75],
          ["brightquay", 0.25]
        ]
      )
      assert.deepStrictEqual(
        side?.top_hs_codes.map(({ hs_code, share }) => [hs_code, share]),
        [["090111", 0.75]]
      )
      assert.strictEqual(side?.top_products[0]?.trade_count, 3)
      assert.deepStrictEqual(
        side?.top_countries.map(({ country }) => country),
        ["CN"]
      )
      assert.isNull(yield* it.details("unknown"))
    })
  )

  it.effect("partners, codes, regions and keywords of a trader, the most frequent first", () =>
    Effect.gen(function* () {
      const it = store(
        from("Alder Co", { hs_code: "610910", date: "2024-02-01", origin_country: "VN" }),
        from("Alder Co", { hs_code: "090111", date: "2024-03-01" }),
        from("Birch Co", {
          hs_code: "0901",
          description: "raw cotton",
          origin_country: null,
          exporter: party("Birch Co", { country: "IN" })
        }),
        record({ exporter: nobody, hs_code: null, origin_country: null, description: null })
      )
      const partners = yield* it.partners(ofQuillmere)
      assert.deepStrictEqual(
        partners.list.map(({ hs_codes, share, trader_id }) => [trader_id, share, hs_codes]),
        [
          ["alder", 0.5, ["090111", "610910"]],
          ["birch", 0.25, []]
        ]
      )
      assert.deepStrictEqual([partners.list[0]?.first_date, partners.list[0]?.last_date], ["2024-02-01", "2024-03-01"])
      const codes = (level: TradeQuestion.HsLevel) =>
        Effect.map(it.hsCodes({ ...ofQuillmere, level }), ({ list }) =>
          list.map((one) => [one.hs_code, one.trade_count])
        )
      assert.deepStrictEqual(yield* codes(2), [
        ["09", 2],
        ["61", 1]
      ])
      assert.deepStrictEqual(yield* codes(6), [
        ["090111", 1],
        ["610910", 1]
      ])
      assert.deepStrictEqual(
        (yield* it.regions(ofQuillmere)).list.map((one) => [one.country, one.trade_count]),
        [
          ["CN", 1],
          ["IN", 1],
          ["VN", 1]
        ]
      )
      assert.deepStrictEqual(
        (yield* it.keywords(ofQuillmere)).list.slice(0, 1).map((one) => [one.keyword, one.trade_count]),
        [["bean", 2]]
      )
      assert.strictEqual((yield* it.keywords({ ...ofQuillmere, from: "2025-01-01" })).total, 0)
      assert.deepStrictEqual(
        (yield* it.partners({ ...ofQuillmere, to: "2024-02-28" })).list.map((one) => one.trader_id),
        ["alder"]
      )
    })
  )

  it.effect("trends: a point for each period with records, quantities of the most frequent unit only", () =>
    Effect.gen(function* () {
      const it = store(
        record({ date: "2024-01-31", quantity: 2 }),
        record({ date: "2024-02-01", quantity: 3, exporter: party("Alder") }),
        record({ date: "2024-02-28", quantity: 90, quantity_unit: "H87" }),
        record({ date: "2024-11-01", quantity: null, gross_kg: null, net_kg: null, amount_usd: null, exporter: nobody })
      )
      const ask = { ...ofQuillmere, granularity: "month" } as const
      const months = yield* it.trends(ask)
      assert.deepStrictEqual(
        months.points.map(({ period, quantity, trade_count }) => [period, trade_count, quantity]),
        [
          ["2024-01", 1, 2],
          ["2024-02", 2, 3],
          ["2024-11", 1, null]
        ]
      )
      assert.deepStrictEqual([months.quantity, months.quantity_unit, months.weight_kg], [5, "KGM", 33])
      assert.deepStrictEqual(
        [months.points[1]?.seller_count, months.points[1]?.buyer_count, months.points[1]?.date],
        [2, 1, "2024-02-01"]
      )
      assert.deepStrictEqual(
        [months.points[2]?.seller_count, months.points[2]?.weight_kg, months.points[2]?.amount_usd],
        [0, null, null]
      )
      const periods = (granularity: Period.Granularity) =>
        Effect.map(it.trends({ ...ask, granularity }), ({ points }) => points.map(({ period }) => period))
      assert.deepStrictEqual(yield* periods("quarter"), ["2024-Q1", "2024-Q4"])
      assert.deepStrictEqual(yield* periods("year"), ["2024"])
    })
  )

  it.effect("market trend: import declarations for importers, export declarations for exporters", () =>
    Effect.gen(function* () {
      const it = store(
        record({ date: "2024-01-05" }),
        record({ date: "2024-01-09", flow: "export" }),
        record({ date: "2024-02-01", importer: party("Lumenfold") }),
        record({ date: "2024-02-01", description: "tea" })
      )
      const ask = { product: "Coffee", role: "importer", from: "2024-01-01", to: "2024-12-31" } as const
      const trend = yield* it.marketTrend(ask)
      assert.deepStrictEqual(
        trend.points.map(({ buyer_count, period }) => [period, buyer_count]),
        [
          ["2024-01", 1],
          ["2024-02", 1]
        ]
      )
      assert.deepStrictEqual([trend.trade_count, trend.quantity, trend.weight_kg], [2, 20, 22])
      assert.strictEqual((yield* it.marketTrend({ ...ask, role: "exporter" })).trade_count, 1)
      const none = yield* it.marketTrend({ ...ask, product: "unobtainium" })
      assert.deepStrictEqual([none.points, none.trade_count, none.quantity, none.quantity_unit], [[], 0, null, null])
    })
  )

  it.effect("procurement: growth against the period of the calendar before, none over a gap", () =>
    Effect.gen(function* () {
      const it = store(
        record({ date: "2023-12-01", amount_usd: 100 }),
        record({ date: "2024-01-01", amount_usd: 150 }),
        record({ date: "2024-01-01", amount_usd: null }),
        record({ date: "2024-03-01" }),
        record({ date: "2024-03-01", destination_country: "BR" }),
        record({ date: "2024-03-01", flow: "export" })
      )
      const ask = { product: "coffee", hs_prefix: "09", country: "PE", granularity: "month", ...ever } as const
      const { points } = yield* it.procurement(ask)
      assert.deepStrictEqual(
        points.map(({ growth, period }) => [period, growth.trade_count, growth.amount_usd]),
        [
          ["2023-12", null, null],
          ["2024-01", 1, 0.5],
          ["2024-03", null, null]
        ]
      )
      assert.strictEqual((yield* it.procurement({ ...ask, country: null })).trade_count, 5)
      assert.strictEqual((yield* it.procurement({ ...ask, product: null, hs_prefix: "61" })).trade_count, 0)
    })
  )

  it.effect("statistics: by one to three dimensions of the declaring side, what is not said is a group", () =>
    Effect.gen(function* () {
      const it = store(
        record(),
        record({ origin_country: null, exporter: nobody }),
        record({ flow: "export", date: "2024-07-01", transport: "air", gross_kg: 9 })
      )
      const by = (...group_by: ReadonlyArray<TradeQuestion.Dimension>) =>
        it.statistics({ filter: all, group_by, hs_level: 2, window })
      const groups = (...group_by: ReadonlyArray<TradeQuestion.Dimension>) =>
        Effect.map(by(...group_by), ({ list }) => list.map(({ group, trade_count }) => [group, trade_count]))
      assert.deepStrictEqual(yield* groups("month"), [
        [{ month: "2024-06" }, 2],
        [{ month: "2024-07" }, 1]
      ])
      assert.deepStrictEqual(yield* groups("country"), [
        [{ country: null }, 1],
        [{ country: "CN" }, 1],
        [{ country: "PE" }, 1]
      ])
      assert.deepStrictEqual(yield* groups("port"), [
        [{ port: "PECLL" }, 2],
        [{ port: "CNSHA" }, 1]
      ])
      assert.deepStrictEqual(yield* groups("hs", "transport", "company"), [
        [{ hs: "09", transport: "sea", company: "quillmere" }, 2],
        [{ hs: "09", transport: "air", company: "harrowvane" }, 1]
      ])
      const companies = yield* by("company")
      assert.strictEqual(companies.list[0]?.company?.name, "Quillmere Foods")
      assert.deepStrictEqual([companies.total, companies.totals.weight_kg, companies.totals.trade_count], [2, 31, 3])
      assert.deepStrictEqual(
        (yield* it.statistics({ filter: { ...all, hs_prefix: "99" }, group_by: ["month"], hs_level: 6, window })).list,
        []
      )
    })
  )

  it.effect("companies, ports, world regions and coverage", () =>
    Effect.gen(function* () {
      const it = store(
        record(),
        record({ importer: party("Lumenfold"), destination_country: null }),
        record({
          flow: "export",
          date: "2024-07-01",
          exporter: party("Alder"),
          origin_country: "VN",
          port_of_loading: null
        }),
        record({ destination_country: "BR", description: "tea" })
      )
      const companies = yield* it.companyStatistics({ filter: all, role: "exporter", window })
      assert.deepStrictEqual(
        companies.list.map(({ partner_count, share, trader_id }) => [trader_id, share, partner_count]),
        [
          ["harrowvane", 0.75, 2],
          ["alder", 0.25, 1]
        ]
      )
      assert.deepStrictEqual(
        (yield* it.portStatistics({ filter: all, window })).list.map((one) => [one.port, one.share]),
        [["PECLL", 0.75]]
      )
      const world = (role: "exporter" | "importer", product: string | null) =>
        Effect.map(it.worldRegions({ role, product, ...ever }), (regions) =>
          regions.map((one) => [one.country, one.trade_count, one.company_count])
        )
      assert.deepStrictEqual(yield* world("importer", null), [
        ["PE", 2, 1],
        ["BR", 1, 1]
      ])
      assert.deepStrictEqual(yield* world("exporter", "coffee"), [
        ["CN", 2, 1],
        ["VN", 1, 1]
      ])
      assert.deepStrictEqual(yield* it.coverage, [
        { country: "BR", records: 1, first_date: "2024-06-15", last_date: "2024-06-15", flows: ["import"] },
        { country: "PE", records: 1, first_date: "2024-06-15", last_date: "2024-06-15", flows: ["import"] },
        { country: "VN", records: 1, first_date: "2024-07-01", last_date: "2024-07-01", flows: ["export"] }
      ])
    })
  )

  it.effect("key counts and candidates: traders by the keys of all their names and tax ids", () =>
    Effect.gen(function* () {
      const it = store(
        record({ importer: party("Quillmere Foods SAC", { country: "PE", tax_id: "20-555123456" }) }),
        record({ importer: party("QUILLMERE ALIMENTOS", { country: "PE" }), date: "2024-07-01" }),
        record({ importer: party("Lumenfold Foods", { country: "CL" }), exporter: party("Quarlmere Foods") }),
        record({ importer: party("TO ORDER"), exporter: nobody }),
        // Nobody counts a version that was replaced.
        record({ key: "R", exporter: party("Quillmere Zinc") }),
        record({ key: "R", version: 2, exporter: party("Harrowvane Ltd") })
      )
      const counts = yield* it.keyCounts([
        "quillmere",
        "harrowvane",
        "zinc",
        "#20555123456",
        "*mere",
        "nothing",
        "quillmere"
      ])
      // "TO ORDER" is a trader to who only looks at first words, and has no keys.
      assert.strictEqual(counts.traders, 5)
      assert.deepStrictEqual(
        [...counts.counts].toSorted(([a], [b]) => (a < b ? -1 : 1)),
        [
          ["#20555123456", 1],
          ["*mere", 2],
          ["harrowvane", 1],
          ["quillmere", 1]
        ]
      )
      const ask = (keys: ReadonlyArray<TradeQuestion.WeighedKey>, country: string | null = null, limit = 10) =>
        Effect.map(it.candidates({ keys, country, limit }), (found) => found.map(({ trader_id }) => trader_id))
      const mere = { key: "*mere", weight: 3 }
      assert.deepStrictEqual(yield* ask([mere]), ["quillmere", "quarlmere"])
      assert.deepStrictEqual(yield* ask([mere, { key: "quarlmere", weight: 1 }]), ["quarlmere", "quillmere"])
      assert.deepStrictEqual(yield* ask([mere, { key: "lumenfold", weight: 3 }], null, 1), ["quillmere"])
      assert.deepStrictEqual(yield* ask([mere, { key: "lumenfold", weight: 3 }], "CL"), [
        "lumenfold",
        "quillmere",
        "quarlmere"
      ])
      assert.deepStrictEqual(yield* ask([{ key: "nothing", weight: 9 }]), [])
      assert.deepStrictEqual(yield* ask([]), [])
      assert.deepStrictEqual((yield* it.candidates({ keys: [mere], country: null, limit: 1 }))[0], {
        trader_id: "quillmere",
        name: "QUILLMERE ALIMENTOS",
        country: "PE",
        aliases: ["Quillmere Foods", "Quillmere Foods SAC"],
        tax_ids: ["20-555123456"],
        trade_count: 3
      })
    })
  )

  it.effect("answers every question about an empty data set", () =>
    Effect.gen(function* () {
      const it = yield* TradeStore.TradeStore
      assert.deepStrictEqual(yield* it.records(search({})), { list: [], total: 0, next: null })
      assert.deepStrictEqual(yield* it.coverage, [])
      assert.deepStrictEqual(yield* it.keyCounts(["a"]), { traders: 0, counts: new Map() })
      assert.deepStrictEqual(yield* it.status([{ trader_id: "a", role: "importer" }]), [
        { trader_id: "a", role: "importer", active: 0, new_add: 0, potential: 0 }
      ])
      assert.strictEqual(
        (yield* it.statistics({ filter: all, group_by: ["hs"], hs_level: 4, window })).totals.trade_count,
        0
      )
    }).pipe(Effect.provide(TradeStore.layerMemory([], traderOf)))
  )
})

describe("Period", () => {
  it("knows the period of a date, its first day, and the one before", () => {
    assert.deepStrictEqual(
      (["month", "quarter", "year"] as const).map((granularity) => Period.of("2024-08-31", granularity)),
      ["2024-08", "2024-Q3", "2024"]
    )
    assert.deepStrictEqual(["2024-08", "2024-Q3", "2024"].map(Period.firstDay), [
      "2024-08-01",
      "2024-07-01",
      "2024-01-01"
    ])
    assert.deepStrictEqual(["2024-01", "2024-Q1", "2024", "2024-12"].map(Period.previous), [
      "2023-12",
      "2023-Q4",
      "2023",
      "2024-11"
    ])
  })

  it("counts a year back from a leap day to the end of February", () => {
    assert.deepStrictEqual(["2024-02-29", "2024-03-01"].map(Period.yearBefore), ["2023-02-28", "2023-03-01"])
  })
})
