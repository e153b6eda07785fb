/** What `/api/customs` takes under which names, what it refuses and where it says so, and paging without gaps. */
import { assert, describe, it } from "@effect/vitest"
import { TradeStore } from "@lading/core/trade"
import { Effect, Layer } from "effect"
import * as Customs from "../../fixtures/Customs.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const started = (options: TestServer.Options = {}) => TestServer.make({ trade: Customs.layer, ...options })

const post = (server: TestServer.TestServer, path: string, body: unknown, asking: TestServer.Asking = {}) =>
  Effect.promise(() => server.send(`/api/customs/${path}`, { body, ...asking }))

const [trader = ""] = Customs.traders
const word =
  Customs.generated
    .flatMap(({ record }) => record.description?.split(" ") ?? [])
    .find((text) => /^[a-z]{5,}$/i.test(text)) ?? ""

const data = Effect.fnUntraced(function* (server: TestServer.TestServer, path: string, body: unknown) {
  const sent = yield* post(server, path, body)
  assert.include([200, 201], sent.status, JSON.stringify(sent.body))
  return sent.body.data.data
})

describe("names", () => {
  it.live("of a company, of its side, and words for the side mean the same", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const wanted = yield* data(server, "companies/regions", { company_id: trader, role: "importer" })
      for (const company of ["company_id", "companyId", "id"]) {
        for (const role of ["role", "type", "tradeType", "trade_type", "company_role"]) {
          for (const word of ["importer", "import", "buyer"]) {
            assert.deepStrictEqual(
              yield* data(server, "companies/regions", { [company]: trader, [role]: word }),
              wanted
            )
          }
        }
      }
      const exporter = yield* data(server, "companies/regions", { id: trader, role: "exporter" })
      for (const word of ["export", "seller"]) {
        assert.deepStrictEqual(yield* data(server, "companies/regions", { id: trader, type: word }), exporter)
      }
    })
  )

  it.live("of countries are names or codes, of ports names or codes, codes of goods with or without points", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { hs_code, origin_country } = Customs.generated
        .map(({ record }) => record)
        .find((record) => record.hs_code?.length === 6 && record.origin_country === "CN")!
      const pairs: ReadonlyArray<readonly [object, object]> = [
        [{ origin_countries: [origin_country] }, { origin_countries: ["China"] }],
        [{ destination_countries: ["US"] }, { destination_countries: ["United States of America"] }],
        [{ hs_code }, { hs_code: `${hs_code!.slice(0, 4)}.${hs_code!.slice(4)}` }],
        [{ transport: "sea" }, { transport: ["sea"] }],
        [{ sort: "amount" }, { sort: "amount_desc" }]
      ]
      for (const [one, other] of pairs) {
        const [a, b] = [yield* data(server, "records/search", one), yield* data(server, "records/search", other)]
        assert.deepStrictEqual(a, b)
        assert.isAbove(a.total, 0)
      }
    })
  )

  it.live("of bulk-status come once, whatever the request repeats, at most 10,000", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const body = {
        companies: [
          { id: trader, type: "import" },
          { companyId: trader, role: "buyer" },
          { id: trader, type: "export" },
          { id: "nobody", type: "import" }
        ]
      }
      const sent = yield* post(server, "companies/bulk-status", body)
      assert.strictEqual(sent.status, 201)
      assert.deepStrictEqual(Object.keys(sent.body.data.data), [
        `${trader}-import`,
        `${trader}-export`,
        "nobody-import"
      ])
      assert.deepStrictEqual(sent.body.data.data["nobody-import"], { new_add: 0, active: 0, potential: 0 })
      assert.strictEqual(sent.body.meta.billing.credits_charged, 0)
      const many = Array.from({ length: 10_001 }, (_, id) => ({ id: `9223372036854${id}`, type: "import" }))
      const refused = yield* post(server, "companies/bulk-status", { companies: many })
      assert.deepStrictEqual([refused.status, refused.body.error.details[0].path], [400, "companies"])
    })
  )

  it.live("10,000 companies are asked about in one question", () =>
    Effect.gen(function* () {
      let asked = 0
      const layer = Layer.succeed(TradeStore.TradeStore, {
        ...Customs.store,
        status: (of) => {
          asked += of.length
          return Effect.succeed(of.map((one) => ({ ...one, active: 1, new_add: 2, potential: 3 })))
        }
      })
      const server = yield* started({ trade: layer })
      const companies = Array.from({ length: 10_000 }, (_, id) => ({ id: `18446744073709${id}`, type: "import" }))
      const found = yield* data(server, "companies/bulk-status", { companies })
      assert.strictEqual(Object.keys(found).length, 10_000)
      assert.strictEqual(asked, 10_000)
    })
  )
})

/** Path, body, and the fields that are named. */
const wrong: ReadonlyArray<readonly [path: string, body: unknown, ...fields: ReadonlyArray<string>]> = [
  ["companies/regions", {}, "company_id", "role"],
  ["companies/regions", { company_id: trader }, "role"],
  ["companies/regions", { company_id: trader, role: "broker" }, "role"],
  ["companies/regions", { company_id: trader, id: "other", role: "importer" }, "id"],
  ["companies/regions", { company_id: trader, role: "importer", type: "export" }, "type"],
  ["companies/regions", { company_id: 17, role: "importer" }, "company_id"],
  ["companies/regions", { company_id: "x".repeat(101), role: "importer" }, "company_id"],
  ["companies/regions", { id: trader, role: "importer", limit: 101, page: 0 }, "page", "limit"],
  ["companies/regions", { id: trader, role: "importer", page: 1.5 }, "page"],
  ["companies/regions", { id: trader, role: "importer", cursor: "nonsense" }, "cursor"],
  ["companies/regions", { id: trader, role: "importer", cursor: "W10", page: 2 }, "page"],
  ["companies/hs-codes", { id: trader, role: "importer", level: 5 }, "level"],
  ["companies/trade-trends", { id: trader, role: "importer", granularity: "week" }, "granularity"],
  ["records/search", { start_time: "2024-02-30" }, "start_time"],
  ["records/search", { start_time: "01/02/2024" }, "start_time"],
  ["records/search", { start_time: "0000-01-01" }, "start_time"],
  ["records/search", { start_time: "1899-12-31" }, "start_time"],
  ["records/search", { end_time: "2300-01-01" }, "end_time"],
  ["records/search", { start_time: "2024-02-02", end_time: "2024-02-01" }, "end_time"],
  ["records/search", { start_time: "2014-01-01", end_time: "2024-01-02" }, "end_time"],
  ["records/search", { hs_code: "8" }, "hs_code"],
  ["records/search", { hs_code: "85171300" }, "hs_code"],
  ["records/search", { origin_countries: ["Atlantis"] }, "origin_countries[0]"],
  ["records/search", { origin_countries: "CN" }, "origin_countries"],
  ["records/search", { weight_range: { min: 5, max: 1 } }, "weight_range"],
  ["records/search", { amount_range: { min: -1 } }, "amount_range.min"],
  ["records/search", { sort: "price" }, "sort"],
  ["records/search", { product: " " }, "product"],
  ["records/search", { product: "x".repeat(301) }, "product"],
  ["records/search", { transport: "rocket" }, "transport"],
  ["analytics/market-trend", { type: "importer" }, "product"],
  ["analytics/market-trend", { product: "glass" }, "type"],
  ["analytics/customs-statistics", { group_by: [] }, "group_by"],
  ["analytics/customs-statistics", { group_by: ["month", "month"] }, "group_by"],
  ["analytics/customs-statistics", { group_by: ["month", "hs", "port", "company"] }, "group_by"],
  ["analytics/customs-statistics", { group_by: ["colour"] }, "group_by[0]"],
  ["analytics/company-statistics", { product: "glass" }, "role"],
  ["analytics/procurement-trends", { country: "US" }, "product"],
  ["analytics/world-regions", {}, "role"],
  ["transactions/merchants", {}, "company_id"],
  ["transactions/merchants-new", { cursor: "W10", name: " " }, "name"],
  ["transactions/merchants-new", { company_id: trader, page: 2 }, "page"],
  ["companies/match-contacts", { company_id: trader, page: 2 }, "page"],
  ["companies/match", {}, "name"],
  ["companies/semantic-query", {}, "company_name"],
  ["companies/match-contacts", { company_id: trader, cursor: "%%%" }, "cursor"],
  ["companies/bulk-status", {}, "companies"],
  ["companies/product-keywords", {}, "company_id", "tradeType"],
  ["companies/bulk-status", { companies: [{ id: trader }, { type: "import" }] }, "companies[0].type", "companies[1].id"]
]

it.live("what is wrong is named with its path, costs nothing, and never repeats the value", () =>
  Effect.gen(function* () {
    const server = yield* started({
      domains: [{ trader_id: trader, name: null, country: null, domain: "largest.example", origin: "operator" }]
    })
    for (const [path, body, ...fields] of wrong) {
      const sent = yield* post(server, path, body)
      const name = `${path} ${JSON.stringify(body).slice(0, 200)}`
      assert.deepStrictEqual([sent.status, sent.body.error.code, sent.body.data], [400, "invalid_request", null], name)
      const paths = sent.body.error.details.map((detail: { readonly path: string }) => detail.path)
      assert.deepStrictEqual([...new Set(paths)].sort(), [...fields].sort(), name)
      assert.notInclude(JSON.stringify(sent.body), "Atlantis")
    }
    const { captured, held } = yield* server.balance
    assert.deepStrictEqual([captured, held], [0, 0])
  })
)

it.live("the same day ten years later still fits, and a single end is no range", () =>
  Effect.gen(function* () {
    const server = yield* started()
    yield* data(server, "records/search", { start_time: "2014-01-01", end_time: "2024-01-01" })
    yield* data(server, "records/search", { start_time: "2016-02-29", end_time: "2026-02-28" })
    yield* data(server, "records/search", { start_time: "1970-01-01" })
  })
)

describe("a store that", () => {
  const failing = (error: TradeStore.TradeStoreError) =>
    Layer.succeed(TradeStore.TradeStore, {
      ...Customs.store,
      records: () => Effect.fail(error),
      coverage: Effect.fail(error)
    })

  it.live("does not answer is 503, without its words, and nothing is taken", () =>
    Effect.gen(function* () {
      const server = yield* started({
        trade: failing(new TradeStore.TradeStoreUnavailable({ problem: "ECONNREFUSED db-7" }))
      })
      const sent = yield* post(server, "records/search", {})
      assert.deepStrictEqual([sent.status, sent.body.error.code, sent.body.error.retryable], [503, "unavailable", true])
      assert.notInclude(JSON.stringify(sent.body), "db-7")
      const read = yield* Effect.promise(() => server.send("/api/customs/reference/countries"))
      assert.strictEqual(read.status, 503)
      assert.strictEqual((yield* server.balance).captured, 0)
    })
  )

  it.live("finds a question too expensive is 400: the same again would meet the same bound", () =>
    Effect.gen(function* () {
      const server = yield* started({ trade: failing(new TradeStore.QueryTooExpensive({ bound: "memory" })) })
      const sent = yield* post(server, "records/search", {})
      assert.deepStrictEqual(
        [sent.status, sent.body.error.code, sent.body.error.retryable],
        [400, "invalid_request", false]
      )
      assert.include(sent.body.error.message, "fewer months")
      const { captured, held } = yield* server.balance
      assert.deepStrictEqual([captured, held], [0, 0])
    })
  )
})

const hostile = [
  "' OR 1=1 --",
  "%",
  "\\",
  "\u0000",
  "{p:String}",
  "🚢",
  "\ud800",
  "a'); DROP TABLE records; --",
  "../../etc/passwd",
  "__proto__"
]

it.live("hostile texts in every field are refused or answered as the texts that they are", () =>
  Effect.gen(function* () {
    const server = yield* started()
    const everywhere = (text: string): ReadonlyArray<readonly [string, object]> => [
      ...[
        "product",
        "importer",
        "exporter",
        "importer_id",
        "exporter_id",
        "hs_code",
        "sort",
        "start_time",
        "cursor"
      ].map((field) => ["records/search", { [field]: text }] as const),
      ...["origin_countries", "ports"].map((field) => ["records/search", { [field]: [text] }] as const),
      ...[
        "companies/regions",
        "companies/partners",
        "companies/hs-codes",
        "companies/product-keywords",
        "companies/trade-trends"
      ].map((path) => [path, { company_id: text, role: "importer" }] as const),
      ["companies/records", { company_id: text }],
      ["companies/search", { name: text }],
      ["companies/match", { name: text }],
      ["companies/match", { companyId: text }],
      ["companies/semantic-query", { company_name: text, company_id: text }],
      ["companies/match-contacts", { company_id: text, titles: [text] }],
      ["companies/bulk-status", { companies: [{ id: text, type: "export" }] }],
      ["transactions/merchants", { name: text }],
      ["transactions/merchants-new", { company_id: text }],
      ["analytics/market-trend", { product: text, type: "importer" }],
      ["analytics/world-regions", { product: text, role: "exporter" }],
      ["analytics/procurement-trends", { product: text, country: text }]
    ]
    for (const text of hostile) {
      for (const [path, body] of everywhere(text)) {
        const sent = yield* post(server, path, body)
        const name = `${path} ${JSON.stringify(body)}`
        assert.include([200, 201, 400], sent.status, name)
        if (sent.status === 400) continue
        const found = sent.body.data.data
        const size =
          path === "companies/match" ? found.total : (Array.isArray(found) ? found : (found.list ?? [])).length
        assert.strictEqual(size, 0, name)
      }
      const details = yield* post(server, "companies/details", { company_id: text })
      assert.strictEqual(details.status, 404, text)
    }
    assert.strictEqual((yield* server.balance).captured, 0)
  })
)

const ids = (list: ReadonlyArray<any>, key: string): ReadonlyArray<string> =>
  list.map((row) => (key === "partner" ? row.partner.company_id : row[key]))

describe("pages have neither gaps nor repetitions", () => {
  const lists: ReadonlyArray<readonly [path: string, body: object, key: string]> = [
    ["records/search", { product: word, sort: "amount" }, "record_id"],
    ["records/search", { product: word, sort: "date_asc" }, "record_id"],
    ["transactions/chinese-suppliers", {}, "record_id"],
    ["companies/search", {}, "company_id"],
    ["analytics/company-statistics", { role: "importer" }, "company_id"],
    ["analytics/port-statistics", {}, "port"]
  ]
  for (const [path, body, key] of lists) {
    it.live(`${path} ${JSON.stringify(body)}`, () =>
      Effect.gen(function* () {
        const server = yield* started()
        const limit = 7
        const byNumber: Array<string> = []
        let total = Infinity
        for (let page = 1; byNumber.length < Math.min(total, 70); page++) {
          const found = yield* data(server, path, { ...body, limit, page })
          assert.strictEqual(found.current_page, page)
          total = found.total
          byNumber.push(...ids(found.list, key))
        }
        assert.isAbove(byNumber.length, limit)
        assert.strictEqual(new Set(byNumber).size, byNumber.length)
        const byCursor: Array<string> = []
        let cursor: string | null = null
        for (let page = 1; byCursor.length < byNumber.length; page++) {
          const found: any = yield* data(server, path, { ...body, limit, ...(cursor === null ? {} : { cursor }) })
          assert.strictEqual(found.current_page, page)
          byCursor.push(...ids(found.list, key))
          cursor = found.next_cursor
          if (cursor === null) break
        }
        assert.deepStrictEqual(byCursor, byNumber)
        assert.strictEqual(cursor === null, byNumber.length === total)
        const beyond = yield* data(server, path, { ...body, limit, page: 100_000 })
        assert.deepStrictEqual([beyond.list, beyond.total], [[], total])
      })
    )
  }

  it.live("and a cursor of another request is refused", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { next_cursor: cursor } = yield* data(server, "records/search", { limit: 5 })
      yield* data(server, "records/search", { limit: 5, cursor })
      for (const other of [{ limit: 6 }, { limit: 5, product: word }, { limit: 5, sort: "amount" }]) {
        const sent = yield* post(server, "records/search", { ...other, cursor })
        assert.deepStrictEqual([sent.status, sent.body.error.details[0].path], [400, "cursor"])
      }
      const sent = yield* post(server, "companies/records", { company_id: trader, limit: 5, cursor })
      assert.strictEqual(sent.status, 400)
    })
  )
})
