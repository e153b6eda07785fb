/**
 * `/api/customs` over real HTTP, with the plain store in memory over generated trade behind it: shapes, prices, aliases,
 * refusals, paging, and that what stands on the wire is what the store said.
 */
import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { ContactFinder } from "@lading/core/contact"
import { PersonDirectory } from "@lading/core/person"
import { TradeFilter, TradeQuestion, TradeStore } from "@lading/core/trade"
import { Slots } from "@lading/core/waterfall"
import { Trade } from "@lading/testing"
import { Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { LadingApi } from "../../api/LadingApi.ts"
import * as Customs from "../../fixtures/Customs.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const { generated, store } = Customs
/** The largest of those whose partners records name: some sources name the party at home alone. */
const [largest = "", second = ""] = Customs.traders.filter((id) => Customs.hasPartners(id))

/** A side on which it stands. */
const role = Effect.runSync(Effect.orDie(store.details(largest)))?.as_importer == null ? "exporter" : "importer"
const domain = "largest.example"

const contact: ContactFinder.WebContact = {
  title: "Contact",
  url: `https://${domain}/contact`,
  emails: [`sales@${domain}`, `info@${domain}`],
  phones: ["+47 22 00 00 00", "+47 22 00 00 01"],
  linkedin_url: "https://www.linkedin.com/company/largest",
  facebook_url: null,
  instagram_url: null,
  twitter_url: null,
  from: "website"
}

const finder = Layer.succeed(ContactFinder.ContactFinder, {
  find: ({ domain: sought }) => Effect.succeed(sought === domain ? [contact] : [])
})

const people = Effect.runSync(
  Effect.provide(
    PersonDirectory.PersonDirectory,
    PersonDirectory.layerMemory(
      ["Mara", "Una", "Ida"].map((first_name) => ({
        facts: { first_name, last_name: "Ellison", current_title: "Head of Sales", company_domain: domain },
        seniority: "head" as const,
        department: "sales" as const
      }))
    )
  )
)

const domains = [{ trader_id: largest, name: null, country: null, domain, origin: "operator" as const }]

const started = (options: TestServer.Options = {}) =>
  TestServer.make({
    trade: Customs.layer,
    finder,
    domains,
    slots: [Slots.bound("provider_a", { ...TestServer.knowing, personDirectory: people })],
    ...options
  })

const post = (server: TestServer.TestServer, path: string, body: unknown, asking: TestServer.Asking = {}) =>
  Effect.promise(() => server.send(`/api/customs/${path}`, { body, ...asking }))

const spent = (server: TestServer.TestServer) =>
  Effect.map(server.balance, ({ captured, held }) => {
    assert.strictEqual(held, 0)
    return Credits.toNumber(captured)
  })

/** What it answers and what it takes for it, as the envelope and the ledger say. */
const ask = Effect.fnUntraced(function* (server: TestServer.TestServer, path: string, body: unknown) {
  const before = yield* spent(server)
  const sent = yield* post(server, path, body)
  const charged = Math.round(((yield* spent(server)) - before) * 1e6) / 1e6
  assert.include([200, 201], sent.status, JSON.stringify(sent.body))
  assert.strictEqual(sent.body.success, true)
  assert.match(sent.body.request_id, /^req_[\w-]{20,}$/)
  assert.deepStrictEqual(Object.keys(sent.body), ["success", "request_id", "data", "meta", "error"])
  assert.deepStrictEqual({ ...sent.body.data, time: null, data: null }, { code: 1, msg: "ok", time: null, data: null })
  assert.match(sent.body.data.time, /^\d{10}$/)
  assert.deepStrictEqual(sent.body.meta, { billing: { credits_charged: charged, byok_used: false } })
  assert.isNull(sent.body.error)
  return { status: sent.status, headers: sent.headers, data: sent.body.data.data, charged }
})

const asked = (of: Effect.Effect<unknown, TradeStore.TradeStoreError>): any =>
  Effect.runSync(Effect.orDie(of) as Effect.Effect<any>)

const word =
  generated.flatMap(({ record }) => record.description?.split(" ") ?? []).find((text) => /^[a-z]{5,}$/i.test(text)) ??
  ""
const company = { company_id: largest, role }
const nobody = "999999999999999"
const window = { page: 1, limit: 5 }
const dates = { from: null, to: null }
const filter = { ...TradeFilter.all, product: word }

/** Each operation: a request with data, one without, what it takes for the first, and what the store says. */
interface Row {
  readonly path: string
  readonly full: any
  readonly empty: any
  readonly price: (data: any) => number
  readonly told: (data: any) => unknown
  readonly says: () => unknown
}

const perRow = ({ list }: any) => Math.round(list.length * 0.01 * 1e6) / 1e6
const once = (price: number) => () => price
const totals = ({ amount, amount_kinds, trade_count, weight }: any) => ({
  trade_count,
  weight_kg: weight,
  amount_usd: amount,
  amount_kinds
})
const measured = ({ amount_kinds, amount_usd, trade_count, weight_kg }: any) => ({
  trade_count,
  weight_kg,
  amount_usd,
  amount_kinds
})
const recordIds = ({ list, total }: any) => ({ total, ids: list.map(({ record_id }: any) => record_id) })
const rowIds = ({ list, total }: any) => ({
  total,
  ids: list.map(({ record }: any) => `${record.source}:${record.key}`)
})
const listOf =
  (key: string) =>
  ({ list, total }: any) => ({
    total,
    list: list.map((row: any) => ({ key: row[key], share: row.share, ...totals(row) }))
  })
const saysOf =
  (key: string) =>
  ({ list, total }: any) => ({
    total,
    list: list.map((row: any) => ({ key: row[key], share: row.share, ...measured(row) }))
  })
const points = ({ list, all_times }: any) => ({
  all_times,
  list: list.map(({ buyerCount, monthText, sellerCount, tradeCount }: any) => [
    monthText,
    tradeCount,
    sellerCount,
    buyerCount
  ])
})
const saidPoints = ({ points, trade_count }: any) => ({
  all_times: trade_count,
  list: points.map((point: any) => [point.date.slice(0, 7), point.trade_count, point.seller_count, point.buyer_count])
})
const records = (of: Partial<TradeFilter.TradeFilter>) => () =>
  rowIds(
    asked(store.records({ filter: { ...TradeFilter.all, ...of }, sort: TradeQuestion.newest, window, after: null }))
  )

const rows: ReadonlyArray<Row> = [
  {
    path: "records/search",
    full: { product: word, limit: 5 },
    empty: { product: "xyzzyq" },
    price: perRow,
    told: recordIds,
    says: records({ product: word })
  },
  {
    path: "companies/search",
    full: { product: word, limit: 5 },
    empty: { product: "xyzzyq" },
    price: perRow,
    told: ({ list, total }) => ({ total, list: list.map((row: any) => [row.company_id, row.name, row.trade_count]) }),
    says: () => {
      const { list, total } = asked(store.traders({ filter, role: null, name: null, window }))
      return {
        total,
        list: list.map((row: any) => [
          row.trader_id,
          row.name,
          row.as_importer.trade_count + row.as_exporter.trade_count
        ])
      }
    }
  },
  {
    path: "companies/details",
    full: { company_id: largest },
    empty: null,
    price: once(0.1),
    told: ({ aliases, as_exporter, as_importer, name }) => ({
      name,
      aliases,
      counts: [as_importer?.trade_count, as_exporter?.trade_count]
    }),
    says: () => {
      const { aliases, as_exporter, as_importer, name } = asked(store.details(largest))
      return { name, aliases, counts: [as_importer?.trade_count, as_exporter?.trade_count] }
    }
  },
  {
    path: "companies/records",
    full: { company_id: largest, limit: 5 },
    empty: { company_id: nobody },
    price: perRow,
    told: recordIds,
    says: records({ trader: { trader_id: largest, role: null } })
  },
  {
    path: "companies/partners",
    full: { ...company, limit: 5 },
    empty: { company_id: nobody, role },
    price: perRow,
    told: ({ list, total }) => ({
      total,
      list: list.map((row: any) => [row.partner.company_id, row.country, row.trade_count, row.hs_codes])
    }),
    says: () => {
      const { list, total } = asked(store.partners({ trader_id: largest, role, window, ...dates }))
      return { total, list: list.map((row: any) => [row.trader_id, row.country, row.trade_count, row.hs_codes]) }
    }
  },
  {
    path: "companies/hs-codes",
    full: { ...company, level: 4, limit: 5 },
    empty: { company_id: nobody, role },
    price: perRow,
    told: listOf("hs_code"),
    says: () => saysOf("hs_code")(asked(store.hsCodes({ trader_id: largest, role, level: 4, window, ...dates })))
  },
  {
    path: "companies/regions",
    full: { ...company, limit: 5 },
    empty: { company_id: nobody, role },
    price: perRow,
    told: listOf("country"),
    says: () => saysOf("country")(asked(store.regions({ trader_id: largest, role, window, ...dates })))
  },
  {
    path: "companies/trade-trends",
    full: { ...company, granularity: "quarter" },
    empty: { company_id: nobody, role },
    price: perRow,
    told: points,
    says: () => saidPoints(asked(store.trends({ trader_id: largest, role, granularity: "quarter", ...dates })))
  },
  {
    path: "companies/product-keywords",
    full: { ...company, limit: 5 },
    empty: { company_id: nobody, role },
    price: once(0.1),
    told: listOf("keyword"),
    says: () => saysOf("keyword")(asked(store.keywords({ trader_id: largest, role, window, ...dates })))
  },
  {
    path: "analytics/market-trend",
    full: { type: "importer", product: word },
    empty: { type: "importer", product: "xyzzyq" },
    price: once(1),
    told: points,
    says: () => saidPoints(asked(store.marketTrend({ role: "importer", product: word, ...dates })))
  },
  {
    path: "analytics/procurement-trends",
    full: { product: word },
    empty: { product: "xyzzyq" },
    price: once(1),
    told: points,
    says: () =>
      saidPoints(
        asked(store.procurement({ product: word, hs_prefix: null, country: null, granularity: "month", ...dates }))
      )
  },
  {
    path: "analytics/customs-statistics",
    full: { product: word, group_by: ["month", "company"], limit: 5 },
    empty: { product: "xyzzyq", group_by: ["hs"] },
    price: once(1),
    told: ({ list, total, totals: all }) => ({
      total,
      totals: totals(all),
      list: list.map((row: any) => [row.month, row.company?.company_id, row.trade_count, row.share])
    }),
    says: () => {
      const { list, total, totals } = asked(
        store.statistics({ filter, group_by: ["month", "company"], hs_level: 6, window })
      )
      return {
        total,
        totals,
        list: list.map((row: any) => [row.group.month, row.company?.trader_id, row.trade_count, row.share])
      }
    }
  },
  {
    path: "analytics/company-statistics",
    full: { product: word, role: "exporter", limit: 5 },
    empty: { product: "xyzzyq", role: "exporter" },
    price: once(1),
    told: listOf("company_id"),
    says: () => saysOf("trader_id")(asked(store.companyStatistics({ filter, role: "exporter", window })))
  },
  {
    path: "analytics/port-statistics",
    full: { product: word, limit: 5 },
    empty: { product: "xyzzyq" },
    price: once(1),
    told: listOf("port"),
    says: () => saysOf("port")(asked(store.portStatistics({ filter, window })))
  },
  {
    path: "analytics/world-regions",
    full: { role: "exporter" },
    empty: { role: "exporter", product: "xyzzyq" },
    price: once(1),
    told: ({ list }) => list.map((row: any) => [row.country, row.trade_count, row.company_count]),
    says: () =>
      asked(store.worldRegions({ role: "exporter", product: null, ...dates })).map((row: any) => [
        row.country,
        row.trade_count,
        row.company_count
      ])
  },
  {
    path: "transactions/chinese-suppliers",
    full: { limit: 5 },
    empty: { product: "xyzzyq" },
    price: perRow,
    told: recordIds,
    says: records({ exporter_countries: ["CN"] })
  },
  {
    path: "transactions/merchants",
    full: { company_id: largest, limit: 5 },
    empty: { company_id: nobody },
    price: perRow,
    told: recordIds,
    says: records({ trader: { trader_id: largest, role: null } })
  },
  {
    path: "transactions/merchants-new",
    full: { company_id: largest, limit: 5 },
    empty: { company_id: nobody },
    price: perRow,
    told: recordIds,
    says: records({ trader: { trader_id: largest, role: null } })
  },
  {
    path: "companies/match",
    full: { companyId: largest },
    empty: { name: "Xyzzyq Plugh" },
    price: once(0.1),
    told: ({ row }) => [row.id, row.name],
    says: () => [largest, asked(store.details(largest)).name]
  },
  {
    path: "companies/semantic-query",
    full: { company_id: largest },
    empty: { company_id: second },
    price: once(0.5),
    told: ([hit]) => hit.url,
    says: () => contact.url
  },
  {
    path: "companies/match-contacts",
    full: { company_id: largest, titles: ["sales"] },
    empty: { company_id: second },
    price: once(0.5),
    told: ({ list }) => list.map(({ first_name }: any) => first_name),
    says: () => ["Mara", "Una", "Ida"]
  },
  {
    path: "companies/bulk-status",
    full: { companies: [{ id: largest, type: "import" }] },
    empty: { companies: [] },
    price: once(0),
    told: (data) => data,
    says: () => {
      const [{ active, new_add, potential }] = asked(store.status([{ trader_id: largest, role: "importer" }]))
      return { [`${largest}-import`]: { new_add, active, potential } }
    }
  }
]

it("every operation of customs has its row here", () => {
  const paths: Array<string> = []
  HttpApi.reflect(LadingApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      if (group.identifier === "customs" && endpoint.method === "POST")
        paths.push(endpoint.path.replace("/api/customs/", ""))
    }
  })
  assert.deepStrictEqual(rows.map(({ path }) => path).sort(), paths.sort())
})

const size = (data: any): number => (Array.isArray(data) ? data : (data.list ?? Object.keys(data))).length

describe.each(rows)("POST /api/customs/$path", ({ empty, full, path, price, says, told }) => {
  it.live("answers what the store says, at its price", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { charged, data } = yield* ask(server, path, full)
      assert.isNull(Trade.difference(told(data), says()), JSON.stringify([told(data), says()]).slice(0, 2000))
      assert.isAbove(size(data), 0)
      assert.strictEqual(charged, price(data))
    })
  )

  if (empty !== null) {
    it.live("takes nothing where there is nothing", () =>
      Effect.gen(function* () {
        const server = yield* started()
        const { charged, data } = yield* ask(server, path, empty)
        assert.strictEqual(charged, 0)
        if (path === "companies/match")
          assert.deepStrictEqual(data, { row: null, total: 0, addressList: [], enterpriseList: "" })
        else assert.strictEqual(size(data), 0)
      })
    )
  }

  it.live("is for keys with the scope, and for accounts with the credits", () =>
    Effect.gen(function* () {
      const server = yield* started()
      yield* server.addKey("lad_live_only-companies", ["company", "people"])
      const forbidden = yield* post(server, path, full, { key: "lad_live_only-companies" })
      assert.deepStrictEqual([forbidden.status, forbidden.body.error.code], [403, "forbidden"])
      yield* server.ledger
        .adjust({ account: server.account, amount: -Credits.fromNumber(1000), key: "all", reason: "test" })
        .pipe(Effect.orDie)
      const poor = yield* post(server, path, full)
      if (path === "companies/bulk-status") assert.strictEqual(poor.status, 201)
      else assert.deepStrictEqual([poor.status, poor.body.error.code], [402, "insufficient_credits"])
    })
  )

  it.live("is 503 where there are no records, and says what is missing", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ trade: TradeStore.layerAbsent("LADING_TRADE says where they are") })
      const sent = yield* post(server, path, full)
      assert.deepStrictEqual(
        [sent.status, sent.body.error.code, sent.body.error.retryable],
        [503, "unavailable", false]
      )
      assert.include(sent.body.error.message, "LADING_TRADE")
      assert.strictEqual(yield* spent(server), 0)
    })
  )
})
