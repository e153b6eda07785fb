/** The answers about customs records, field by field, as the interface spells them; and what else is served beside them. */
import { assert, describe, it } from "@effect/vitest"
import { ContactFinder } from "@lading/core/contact"
import { TradeFilter, TradeQuestion, TradeStore } from "@lading/core/trade"
import { Slots } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Effect, Layer } from "effect"
import * as Customs from "../../fixtures/Customs.ts"
import * as TestServer from "../../fixtures/TestServer.ts"
import * as Readiness from "../Readiness.ts"

const trader = Customs.traders.find((id) => Customs.hasPartners(id)) ?? ""
const details = Effect.runSync(Effect.orDie(Customs.store.details(trader)))!
const role = details.as_importer === null ? "exporter" : "importer"
const word =
  Customs.generated
    .flatMap(({ record }) => record.description?.split(" ") ?? [])
    .find((text) => /^[a-z]{5,}$/i.test(text)) ?? ""

const finder = Layer.succeed(ContactFinder.ContactFinder, {
  find: ({ domain }) =>
    Effect.succeed([
      {
        title: "About us",
        url: `https://${domain}/about`,
        emails: ["a@largest.example", "b@largest.example"],
        phones: ["+47 22 00 00 00", "+47 22 00 00 01"],
        linkedin_url: "https://www.linkedin.com/company/largest",
        facebook_url: null,
        instagram_url: null,
        twitter_url: null,
        from: "website"
      }
    ])
})

const domains = [
  { trader_id: trader, name: null, country: null, domain: "largest.example", origin: "operator" as const }
]

const started = (options: TestServer.Options = {}) =>
  TestServer.make({ trade: Customs.layer, finder, domains, ...options })

const send = (server: TestServer.TestServer, path: string, body: unknown, asking: TestServer.Asking = {}) =>
  Effect.promise(() => server.send(path, { body, ...asking }))

const data = (server: TestServer.TestServer, path: string, body: unknown) =>
  Effect.map(send(server, `/api/customs/${path}`, body), (sent) => {
    assert.include([200, 201], sent.status, JSON.stringify(sent.body))
    return sent.body.data.data
  })

describe("as the interface spells it", () => {
  it.live("product keywords have their page as text", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const page = yield* data(server, "companies/product-keywords", {
        tradeType: role,
        company_id: trader,
        limit: 2,
        page: 1
      })
      assert.deepStrictEqual(Object.keys(page), ["list", "current_page", "total"])
      assert.strictEqual(page.current_page, "1")
      assert.isTrue(Number.isInteger(page.total))
      const none = yield* data(server, "companies/product-keywords", { tradeType: role, company_id: "nobody" })
      assert.deepStrictEqual(none, { list: [], current_page: "1", total: 0 })
    })
  )

  it.live("market trends have texts for sums, and Unix seconds", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const trend = yield* data(server, "analytics/market-trend", { type: "importer", product: word })
      assert.deepStrictEqual(Object.keys(trend), ["list", "all_times", "all_qty", "all_weight"])
      for (const key of ["all_times", "all_qty", "all_weight"]) assert.isTrue(Number.isInteger(trend[key]), key)
      for (const point of trend.list) {
        assert.deepStrictEqual(Object.keys(point), [
          "quantity",
          "weight",
          "amount",
          "date",
          "sellerCount",
          "buyerCount",
          "monthText",
          "tradeCount"
        ])
        assert.match(point.quantity, /^\d+$/)
        assert.match(point.weight, /^\d+\.\d{2}$/)
        assert.match(point.amount, /^\d+\.\d{2}$/)
        assert.match(point.monthText, /^\d{4}-\d{2}$/)
        assert.strictEqual(new Date(point.date * 1000).toISOString(), `${point.monthText}-01T00:00:00.000Z`)
      }
      const none = yield* data(server, "analytics/market-trend", { type: "importer", product: "xyzzyq" })
      assert.deepStrictEqual(none, { list: [], all_times: 0, all_qty: 0, all_weight: 0 })
    })
  )

  it.live("a match has a row with every field, unknown ones null, empty or 0", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { addressList, enterpriseList, row, total } = yield* data(server, "companies/match", {
        name: details.name,
        companyId: trader
      })
      assert.deepInclude(row, {
        id: trader,
        name: details.name,
        website_url: "https://largest.example",
        phone: null,
        founded_year: null,
        annual_revenue: 0,
        employee_info_num: 0,
        logo: "",
        estimated_num_employees: ""
      })
      assert.strictEqual(Object.keys(row).length, 24)
      assert.strictEqual(row.country_logo, `/assets/flags/${details.country!.toLowerCase()}.svg`)
      assert.strictEqual(enterpriseList.split(",")[0], trader)
      assert.strictEqual(addressList.length, total)
      assert.deepStrictEqual(Object.keys(addressList[0]), ["companyName", "area", "address"])
      const byName = yield* data(server, "companies/match", { name: details.name })
      assert.include(byName.enterpriseList.split(","), trader)
    })
  )

  it.live("contacts are joined by commas, what is absent is empty, and the answer is deprecated", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const sent = yield* send(server, "/api/customs/companies/semantic-query", {
        company_name: "x",
        company_id: trader
      })
      assert.match(sent.headers.get("deprecation") ?? "", /^@\d+$/)
      assert.deepStrictEqual(sent.body.data.data, [
        {
          title: "About us",
          url: "https://largest.example/about",
          contact: {
            mobile: "+47 22 00 00 00,+47 22 00 00 01",
            email: "a@largest.example,b@largest.example",
            facebook: "",
            linkedin: "https://www.linkedin.com/company/largest",
            instagram: "",
            twitter: ""
          },
          from: "website"
        }
      ])
      const merchants = yield* send(server, "/api/customs/transactions/merchants", { company_id: trader })
      assert.match(merchants.headers.get("deprecation") ?? "", /^@\d+$/)
      assert.isNull(merchants.body.data.data.next_cursor)
      const fresh = yield* send(server, "/api/customs/transactions/merchants-new", { company_id: trader, limit: 1 })
      assert.isNull(fresh.headers.get("deprecation"))
      assert.containsAllKeys(fresh.body.data.data.list[0], [
        "hs_raw",
        "gross_kg",
        "net_kg",
        "amount_kind",
        "teu",
        "version"
      ])
      assert.containsAllKeys(fresh.body.data.data.list[0].importer, [
        "company_id",
        "name",
        "country",
        "tax_id",
        "address"
      ])
    })
  )

  it.live("nobody who has objected is shown, nor is their site read", () =>
    Effect.gen(function* () {
      const sought: Array<string | null> = []
      const counting = Layer.succeed(ContactFinder.ContactFinder, {
        find: ({ domain }) => Effect.sync(() => void sought.push(domain)).pipe(Effect.as([]))
      })
      const server = yield* started({ finder: counting, ownerToken: "owner-token-of-this-test" })
      const erased = yield* send(server, "/api/admin/subjects", { subject: "largest.example" }, { method: "DELETE" })
      assert.strictEqual(erased.status, 200, JSON.stringify(erased.body))
      assert.deepStrictEqual(yield* data(server, "companies/semantic-query", { company_id: trader }), [])
      assert.deepStrictEqual(sought, [null])
      assert.strictEqual((yield* data(server, "companies/match", { companyId: trader })).row.website_url, null)
    })
  )

  it.live("the countries that declare, free of charge", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const sent = yield* Effect.promise(() => server.send("/api/customs/reference/countries"))
      const coverage = yield* Customs.store.coverage
      assert.strictEqual(sent.body.data.data.total, coverage.length)
      assert.deepStrictEqual(Object.keys(sent.body.data.data.list[0]), [
        "code",
        "name",
        "region",
        "records",
        "first_date",
        "last_date",
        "flows"
      ])
      assert.strictEqual(sent.body.meta.billing.credits_charged, 0)
      assert.strictEqual(
        (yield* Effect.promise(() => server.send("/api/customs/reference/countries", { key: null }))).status,
        401
      )
    })
  )

  it.live("a record has the fields of the decisions, unknown ones null", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { list } = yield* data(server, "records/search", { limit: 100 })
      const fields =
        "record_id date flow hs_code hs_description product importer exporter origin_country destination_country port_of_loading port_of_unloading transport quantity quantity_unit weight_kg amount currency amount_usd bill_number source synthetic".split(
          " "
        )
      for (const record of list) {
        assert.deepStrictEqual(Object.keys(record), fields)
        assert.deepStrictEqual(Object.keys(record.importer), ["company_id", "name", "country"])
        assert.isTrue(record.synthetic)
        assert.isFalse(Object.values(record).some((value) => value === undefined || value === ""))
      }
    })
  )
})

it.live("match-contacts also needs the scope people, include_customs the scope customs", () =>
  Effect.gen(function* () {
    const server = yield* started()
    const key = yield* server.addKey("lad_live_only-customs", ["customs"]).pipe(Effect.as("lad_live_only-customs"))
    const sent = yield* send(server, "/api/customs/companies/match-contacts", { company_id: trader }, { key })
    assert.deepStrictEqual([sent.status, sent.body.error.code], [403, "forbidden"])
    assert.strictEqual(
      (yield* send(server, "/api/customs/companies/details", { company_id: trader }, { key })).status,
      200
    )
  })
)

describe("company.customs", () => {
  const asked = { identity: { domains: ["largest.example"] }, include_customs: true }

  it.live("is the trader of the domain, for no more credits, in a replay too", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const plain = yield* send(server, "/api/company/enrich", { ...asked, include_customs: false })
      assert.isNull(plain.body.company.customs)
      const headers = { "idempotency-key": "customs" }
      const sent = yield* send(server, "/api/company/enrich", asked, { headers })
      const { customs } = sent.body.company
      assert.deepStrictEqual(Object.keys(customs), ["company_id", "name", "match_score", "as_importer", "as_exporter"])
      assert.deepStrictEqual([customs.company_id, customs.name, customs.match_score], [trader, details.name, 1])
      const side = customs[`as_${role}`]
      assert.deepInclude(side, {
        trade_count: details[`as_${role}`]!.trade_count,
        partner_count: details[`as_${role}`]!.partner_count
      })
      assert.containsAllKeys(side, [
        "amount_usd",
        "weight_kg",
        "first_date",
        "last_date",
        "top_products",
        "top_hs_codes",
        "top_countries"
      ])
      assert.strictEqual(sent.body.meta.billing.credits_charged, 0.1)
      const again = yield* send(server, "/api/company/enrich", asked, { headers })
      assert.deepStrictEqual(again.body, sent.body)
    })
  )

  it.live("is found by name and country, of each of several companies, and null where none matches", () =>
    Effect.gen(function* () {
      const knowing = ScriptedSource.make({
        company: ({ domain }) =>
          Effect.succeed({
            _tag: "Hit",
            facts: {
              name: domain === "named.example" ? details.name : "Xyzzyq Plugh",
              hq: { country_code: details.country ?? "NO" }
            },
            raw: {}
          })
      })
      const server = yield* started({ domains: [], slots: [Slots.bound("provider_a", knowing)] })
      const sent = yield* send(server, "/api/company/enrich", {
        identity: { domains: ["named.example", "other.example"] },
        include_customs: true
      })
      const [named, other] = sent.body.companies
      assert.strictEqual(named.customs.name, details.name)
      assert.strictEqual(sent.body.company.customs.company_id, named.customs.company_id)
      assert.isNull(other.customs)
      // What was learnt on the way: the domain leads to the trader, and the trader to the domain.
      const found = yield* data(server, "companies/match", { companyId: named.customs.company_id })
      assert.strictEqual(found.row.website_url, "https://named.example")
    })
  )

  it.live("is null, and fails nothing, where there is no store or it does not answer", () =>
    Effect.gen(function* () {
      const down = () => Effect.fail(new TradeStore.TradeStoreUnavailable({ problem: "down" }))
      for (const trade of [
        TradeStore.layerAbsent("none"),
        Layer.succeed(TradeStore.TradeStore, { ...Customs.store, details: down }),
        Layer.succeed(TradeStore.TradeStore, { ...Customs.store, details: () => Effect.never })
      ]) {
        const server = yield* started({ trade })
        const sent = yield* send(server, "/api/company/enrich", { ...asked, waterfall: { timeout_ms: 500 } })
        assert.deepStrictEqual([sent.status, sent.body.company.customs], [200, null])
        assert.strictEqual(sent.body.company.name, "Acme Robotics")
      }
    })
  )
})

describe("flags", () => {
  it.live("are SVG with a tag, and not sent to whoever has them", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const sent = yield* Effect.promise(() => server.send("/assets/flags/no.svg", { key: null }))
      assert.strictEqual(sent.status, 200)
      assert.match(sent.headers.get("content-type") ?? "", /^image\/svg\+xml/)
      assert.match(sent.headers.get("cache-control") ?? "", /max-age/)
      assert.match(sent.body, /^<svg/)
      const etag = sent.headers.get("etag") ?? ""
      const again = yield* Effect.promise(() =>
        server.send("/assets/flags/no.svg", { key: null, headers: { "if-none-match": `W/"x", ${etag}` } })
      )
      assert.deepStrictEqual([again.status, again.body], [304, null])
    })
  )

  it.live("are of countries, and of nothing else", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const file of [
        "zz.svg",
        "no.png",
        "NO.svg",
        "no",
        "..%2F..%2Fpackage.json",
        "constructor.svg",
        "n%00.svg"
      ]) {
        const sent = yield* Effect.promise(() => server.send(`/assets/flags/${file}`, { key: null }))
        assert.deepStrictEqual([sent.status, sent.body.error.code], [404, "not_found"], file)
      }
      const posted = yield* Effect.promise(() => server.send("/assets/flags/no.svg", { key: null, method: "POST" }))
      assert.strictEqual(posted.status, 405)
    })
  )
})

it.live("/ready names the store of customs records", () =>
  Effect.gen(function* () {
    const server = yield* started({ probes: [Readiness.probe("trade", Customs.store.status([]))] })
    const sent = yield* Effect.promise(() => server.send("/ready", { key: null }))
    assert.deepStrictEqual(sent.body, { status: "ok", stores: { trade: "ok" } })
  })
)

it.live("random questions are answered as the store answers them", () =>
  Effect.gen(function* () {
    const server = yield* started()
    for (let index = 0; index < 60; index++) {
      const { record } = Customs.generated[(index * 7919) % Customs.generated.length]!
      const first = record.description?.split(/\s+/)[0]
      const parts: ReadonlyArray<readonly [object, Partial<TradeFilter.TradeFilter>]> = [
        [{ product: first ?? "x" }, { product: first ?? "x" }],
        [{ start_time: record.date }, { from: record.date }],
        [{ end_time: record.date }, { to: record.date }],
        [{ flow: record.flow }, { flow: record.flow }],
        [{ transport: [record.transport ?? "sea"] }, { transport: [record.transport ?? "sea"] }],
        [
          { amount_range: { min: record.amount_usd ?? 0 } },
          { amount_usd: { least: record.amount_usd ?? 0, most: null } }
        ],
        [{ weight_range: { max: record.gross_kg ?? 1 } }, { weight_kg: { least: null, most: record.gross_kg ?? 1 } }],
        [{ hs_code: record.hs_code ?? "09" }, { hs_prefix: record.hs_code ?? "09" }],
        [{ origin_countries: [record.origin_country ?? "CN"] }, { origin_countries: [record.origin_country ?? "CN"] }]
      ]
      const chosen = parts.filter((_, part) => (index >> (part % 6)) % 2 === 1).slice(0, 3)
      const filter: TradeFilter.TradeFilter = Object.assign({}, TradeFilter.all, ...chosen.map(([, meant]) => meant))
      const body = Object.assign({ limit: 10 }, ...chosen.map(([sent]) => sent))
      const told = yield* data(server, "records/search", body)
      const said = yield* Customs.store.records({
        filter,
        sort: TradeQuestion.newest,
        window: { page: 1, limit: 10 },
        after: null
      })
      assert.deepStrictEqual(
        [told.total, told.list.map((row: any) => [row.record_id, row.importer.company_id, row.amount_usd])],
        [
          said.total,
          said.list.map(({ importer_id, record }) => [`${record.source}:${record.key}`, importer_id, record.amount_usd])
        ],
        JSON.stringify(body)
      )
      const ports = yield* data(server, "analytics/port-statistics", { ...body, limit: 10 })
      const saidPorts = yield* Customs.store.portStatistics({ filter, window: { page: 1, limit: 10 } })
      assert.deepStrictEqual(
        ports.list.map((row: any) => [row.port, row.trade_count]),
        saidPorts.list.map((row) => [row.port, row.trade_count])
      )
    }
  })
)
