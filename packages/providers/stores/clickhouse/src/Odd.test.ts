/** Records and questions as no generator makes them, against the plain rules. */
import { assert, it } from "@effect/vitest"
import { TradeFilter, TraderKeys, TradeLoads, type TradeQuestion, TradeRecord, TradeStore } from "@lading/core/trade"
import { Trade } from "@lading/testing"
import { Effect, Layer } from "effect"
import { describe } from "vitest"
import * as Bridge from "./fixtures/Bridge.ts"
import * as Clickhouse from "./index.ts"

const store = Layer.unwrap(
  Effect.map(Bridge.folder, (folder) => Clickhouse.layer.pipe(Layer.provide(Clickhouse.Engine.layerEmbedded(folder))))
)

const blank: TradeRecord.TradeRecord = { ...Trade.blank, source: "odd", date: "2021-05-03" }

const party = (
  name: string | null,
  country: string | null = null,
  tax_id: string | null = null
): TradeRecord.Party => ({
  ...TradeRecord.nobody,
  name,
  country,
  tax_id
})

const LAST = String(2n ** 64n - 1n)
const words = Array.from({ length: 130 }, (_, index) => `word${index}`).join(" ")

const differing: ReadonlyArray<Partial<TradeRecord.TradeRecord>> = [
  {},
  // From the earliest to the latest date that a reader takes.
  ...["1900-01-01", "1950-12-31", "1969-12-31", "2149-06-07", "2199-12-31"].map((date) => ({ date, hs_code: "0901" })),
  ...(["export", "import"] as const).map((flow) => ({ flow, date: "1955-08-15", gross_kg: 0 })),
  { importer: party("A\tB"), exporter: party("A", null, "B\t") },
  { importer: party("A"), exporter: party("A", null, "B") },
  { importer: party("Café “Ünïcode” 日本商事\n\\N'\""), exporter: party("\\N", "DE", "\\N") },
  { importer: party("x".repeat(5000), "FR"), exporter: party("y") },
  { importer: party("Same", "PE", "1"), exporter: party("Same", "PE", "1") },
  { port_of_loading: "Callao", port_of_unloading: "CALLAO", hs_code: "09" },
  { port_of_loading: "callão", port_of_unloading: "---", flow: "export" },
  { port_of_loading: "PECLL", port_of_unloading: null, transport: "sea", teu: 0 },
  { description: words, quantity: 0, quantity_unit: "KGM", amount: 0, amount_usd: 0, amount_kind: "fob" },
  { description: "0", quantity: 1e15, quantity_unit: "H87", amount_usd: 1e-7, amount_kind: "cif", net_kg: 1e300 },
  { description: "hasToken' OR 1=1", quantity: 5e-324, gross_kg: 0.1, net_kg: 7, hs_code: "090111" },
  { description: "ß ŒUVRE ﬁne Ⅳ İstanbul", hs_raw: "0901.11", origin_country: "XX", destination_country: "ZZ" },
  { bill_number: "B", master_bill_number: "B", amount_usd: -5, amount_kind: "customs" },
  { bill_number: "M", amount_usd: 17, amount_kind: "cif" },
  { bill_number: "H", master_bill_number: "M", version: Number.MAX_SAFE_INTEGER },
  { source: "other", bill_number: "M", key: "\0\b\f", version: -3 },
  { source: "O'THER", key: "1'\\", hs_raw: "\t", currency: "USD", packages: 0.5, package_kind: "\r\n" }
]
const records = differing.map((some, index) => ({ ...blank, key: `k${index}`, ...some }))

/** By name, country and tax id; the first has the largest number there is. */
const traderOf: TradeStore.TraderOf = ({ country, name, tax_id }) => {
  if (name === null || name === "") return null
  const known = [
    ...new Set(records.flatMap((record) => [record.importer, record.exporter]).map((one) => JSON.stringify(one)))
  ]
  const at = known.indexOf(JSON.stringify({ name, country, tax_id, address: null }))
  return at < 0 ? null : String(2n ** 64n - 1n - BigInt(at % 7) * 10n ** 15n - (at === 1 ? 0n : BigInt(at)))
}

const trader_ids = [
  ...new Set(
    records.flatMap(({ exporter, importer }) => [traderOf(importer, "importer"), traderOf(exporter, "exporter")])
  )
].filter((id) => id !== null)

const nobodies = ["0", "00", "01", "-1", "1e3", "1.0", " 1", LAST, "18446744073709551616", "99999999999999999999", ""]

const plain = TradeStore.make(records, traderOf)

const loadAll = Effect.gen(function* () {
  const loads = yield* TradeLoads.TradeLoads
  const { load } = yield* loads.begin({ name: "odd", digest: "odd", format: "odd", replaces: null })
  const rows = records.map((record) => ({
    record,
    importer_id: traderOf(record.importer, "importer"),
    exporter_id: traderOf(record.exporter, "exporter")
  }))
  yield* loads.write(load, { rows, rejected: 0, position: "end" })
  yield* loads.publish(load)
})

type Store = TradeStore.TradeStore["Service"]

const alike = Effect.fnUntraced(function* (
  name: string,
  ask: (store: Store) => Effect.Effect<unknown, TradeStore.TradeStoreError>
) {
  const [answer, expected] = [yield* ask(yield* TradeStore.TradeStore), yield* ask(plain)]
  const found = Trade.difference(answer, expected)
  assert.isNull(
    found,
    `${name} at ${found}\n${JSON.stringify(answer)?.slice(0, 1200)}\n${JSON.stringify(expected)?.slice(0, 1200)}`
  )
})

const windows = [
  { page: 1, limit: 5 },
  { page: 2, limit: 3 },
  { page: 1000, limit: 100 },
  { page: Number.MAX_SAFE_INTEGER, limit: 1000 }
]
const always = { from: null, to: null }
const everything = TradeFilter.all

const filters: ReadonlyArray<Partial<TradeFilter.TradeFilter>> = [
  { product: words },
  { product: `${words} more` },
  { product: "œuvre fine" },
  { product: "istanbul" },
  { importer: "cafe unicode" },
  { importer: "日本商事" },
  { exporter: "n" },
  { ports: ["callao"] },
  { ports: ["CALLAO", "nowhere"] },
  { ports: ["---"] },
  { ports: [""] },
  { origin_countries: [""] },
  { exporter_countries: ["", "DE"] },
  { hs_prefix: "0901" },
  { hs_prefix: "%" },
  { from: "0000-01-01", to: "9999-12-31" },
  { from: "2300-01-01" },
  { to: "1899-12-31" },
  { from: "2021-05-03", to: "2021-05-02" },
  { weight_kg: { least: -1e300, most: 1e300 } },
  { weight_kg: { least: 0, most: 0 } },
  { amount_usd: { least: 1e21, most: null } },
  { amount_usd: { least: null, most: -1e21 } },
  { amount_usd: { least: 0, most: 1e-7 } },
  { importer_ids: [...nobodies, ...Array.from({ length: 10_000 }, (_, index) => `${index + 1}`)] },
  { exporter_ids: trader_ids },
  { trader: { trader_id: "0", role: null } },
  { trader: { trader_id: LAST, role: null } }
]

describe.skipIf(Bridge.missing !== null)(`Odd records and questions (${Bridge.missing ?? "on chDB"})`, () => {
  it.layer(store, { timeout: "60 seconds" })((it) => {
    it.effect("a publication with nothing in it is one", () =>
      Effect.gen(function* () {
        const loads = yield* TradeLoads.TradeLoads
        const { load } = yield* loads.begin({ name: "none", digest: "none", format: "odd", replaces: null })
        yield* loads.write(load, { rows: [], rejected: 7, position: "7" })
        assert.deepStrictEqual(yield* loads.publish(load), { added: 0, replaced: 0, records: 0 })
        const store = yield* TradeStore.TradeStore
        assert.deepStrictEqual(yield* store.coverage, [])
        assert.strictEqual((yield* store.keyCounts(["a"])).traders, 0)
        assert.isNull(yield* store.details(LAST))
        assert.strictEqual(
          (yield* loads.begin({ name: "none", digest: "none", format: "odd", replaces: null })).state,
          "published"
        )
      })
    )

    it.effect(
      "all that can be asked is answered as by the plain rules",
      () =>
        Effect.gen(function* () {
          yield* loadAll
          yield* alike("coverage", (store) => store.coverage)
          for (const trader_id of [...trader_ids, ...nobodies])
            for (const role of ["importer", "exporter"] as const) {
              yield* alike(`details ${trader_id}`, (store) => store.details(trader_id))
              yield* alike(`trends ${trader_id}`, (store) =>
                store.trends({ trader_id, role, granularity: "quarter", ...always })
              )
            }
          const both = [...trader_ids, ...nobodies, ...nobodies]
          yield* alike("status", (store) => store.status(both.map((trader_id) => ({ trader_id, role: "importer" }))))
          yield* alike("totals", (store) => store.totals(both, "exporter"))
          for (const granularity of ["month", "quarter", "year"] as const)
            yield* alike(granularity, (store) =>
              store.procurement({ product: null, hs_prefix: null, country: null, granularity, ...always })
            )
          for (const window of windows) {
            yield* alike("statistics", (store) =>
              store.statistics({ filter: everything, group_by: ["month", "port", "hs"], hs_level: 4, window })
            )
            yield* alike("ports", (store) => store.portStatistics({ filter: everything, window }))
            yield* alike("companies", (store) =>
              store.companyStatistics({ filter: everything, role: "importer", window })
            )
          }
        }),
      240_000
    )

    it.effect(
      "odd filters, sorts and windows find what the plain rules find",
      () =>
        Effect.gen(function* () {
          for (const filter of [{}, ...filters])
            for (const by of ["date", "amount", "weight"] as const) {
              const question: TradeQuestion.RecordsQuestion = {
                filter: { ...everything, ...filter },
                sort: { by, order: by === "date" ? "asc" : "desc" },
                window: windows[by === "weight" ? 1 : 0] ?? assert.fail(),
                after: null
              }
              yield* alike(`records ${JSON.stringify(question).slice(0, 600)}`, (store) => store.records(question))
            }
          for (const window of windows)
            yield* alike(`records ${window.page}`, (store) =>
              store.records({ filter: everything, sort: { by: "amount", order: "asc" }, window, after: null })
            )
          for (const name of ["a b", "a", "x".repeat(5000), "ünïcode", "", words])
            yield* alike(`traders ${name.slice(0, 20)}`, (store) =>
              store.traders({ filter: everything, role: null, name, window: { page: 1, limit: 50 } })
            )
        }),
      240_000
    )

    it.effect("keys of odd names find their traders", () =>
      Effect.gen(function* () {
        const parties = records.flatMap(({ exporter, importer }) => [importer, exporter])
        const keys = [...new Set(parties.flatMap((one) => TraderKeys.of(one)))]
        yield* alike("no key", (store) => store.keyCounts([]))
        yield* alike("keys", (store) => Effect.map(store.keyCounts(keys), ({ counts }) => Object.fromEntries(counts)))
        yield* alike("candidates", (store) =>
          store.candidates({ keys: keys.map((key, at) => ({ key, weight: at + 1 })), country: "PE", limit: 50 })
        )
      })
    )

    it.effect("random questions", () =>
      Effect.gen(function* () {
        const [first, ...more] = records
        const [id, ...ids] = trader_ids
        assert.isDefined(first)
        assert.isDefined(id)
        const subject: Trade.Subject = { records: [first!, ...more], trader_ids: [id!, ...ids] }
        for (const { ask, name } of Trade.questions(subject, 180, 5)) yield* alike(name, ask)
      })
    )
  })
})
