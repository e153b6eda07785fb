/** Company search over HTTP: what is known here on chDB, vendors beside it, money, paging, and who may see what. */
import { assert, layer as withLayer } from "@effect/vitest"
import { layer as clickhouse, Engine } from "@lading/clickhouse"
import { CompanyIndex, KnownCompany } from "@lading/core/company"
import { TradeLoads, TradeStore } from "@lading/core/trade"
import { Directory, Slots, type Source, SourceError } from "@lading/core/waterfall"
import { ScriptedSource, Trade } from "@lading/testing"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as TestServer from "../fixtures/TestServer.ts"

const search = "/api/company/search"

const folder = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "lading-search-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    ),
    (path) => Engine.layerEmbedded(join(path, "chdb"))
  )
)

const trade = [...Trade.make({ records: 300, months: 6 }).stream()]
const truth = Trade.traderOf(trade)

const said = (company: Partial<KnownCompany.KnownCompany>): KnownCompany.KnownCompany => ({
  ...KnownCompany.nothing,
  account: null,
  trader_id: null,
  ...company
})

/** Records, and companies of an earlier day. */
const filled = Layer.effectDiscard(
  Effect.gen(function* () {
    const loads = yield* TradeLoads.TradeLoads
    const { load } = yield* loads.begin({ name: "one", digest: "search", format: "test", replaces: null })
    const rows = trade.map(({ record }) => ({
      record,
      importer_id: truth(record.importer, "importer"),
      exporter_id: truth(record.exporter, "exporter")
    }))
    yield* loads.write(load, { rows, rejected: 0, position: "1" })
    yield* loads.publish(load)
    const index = yield* CompanyIndex.CompanyIndex
    yield* index.put([
      said({
        name: "Kestrel Valves",
        domain: "kestrel.example",
        country: "NO",
        industries: ["Machinery"],
        technologies: ["SAP"]
      }),
      said({ name: "Kestrel Looms", domain: "looms.example", country: "DE", employees: { min: 51, max: 200 } }),
      said({ name: "Grey Kestrel", domain: "grey.example", country: "NO", founded_year: 1990 })
    ])
  })
)

const store = filled.pipe(Layer.provideMerge(clickhouse.pipe(Layer.provide(folder))))

type Companies = NonNullable<Source.Source["companyDirectory"]>

/** A vendor with these records, in pages. */
const directory = (names: ReadonlyArray<string>, failure?: SourceError.SourceError): Companies => {
  const hits = names.map((name) => ({
    source: "scripted",
    id: name,
    facts: { name, primary_domain: `${name.split(" ")[0]?.toLowerCase()}.example`, hq: { country_code: "NO" } },
    raw: {}
  }))
  const filters = { query: "exact", countries: "exact" } as const
  const memory: Companies = Directory.memory("scripted", filters, hits, () => true)
  return failure === undefined ? memory : { ...memory, repeatable: false, search: () => Effect.fail(failure) }
}

const vendor = (name: string, companyDirectory: Companies): Slots.Slot => {
  const key = { _tag: "ApiKey" as const, key: Redacted.make("secret-marker") }
  return Slots.bound(name, { ...ScriptedSource.make({}), companyDirectory }, key)
}

const slots = [
  Slots.bound("provider_a", TestServer.knowing),
  vendor("provider_b", directory(["Kestrel Valves AS", "Nordvik One", "Nordvik Two"])),
  vendor("provider_c", directory([], new SourceError.Unavailable({ source: "scripted", problem: "down" }))),
  {
    name: "provider_d",
    source: { ...TestServer.knowing, credential: "ApiKey" as const, companyDirectory: directory(["Never"]) },
    credential: null,
    byokOnly: true
  }
]

const start = (options: TestServer.Options = {}) =>
  Effect.gen(function* () {
    const companies = yield* CompanyIndex.CompanyIndex
    const trade = yield* TradeStore.TradeStore
    return yield* TestServer.make({
      slots,
      trade: Layer.succeed(TradeStore.TradeStore, trade),
      companies: Layer.succeed(CompanyIndex.CompanyIndex, companies),
      ...options
    })
  })

const ask = (server: TestServer.TestServer, body: unknown, key = server.key) =>
  Effect.promise(() => server.send(search, { body, key }))

const namesOf = (sent: TestServer.Sent): ReadonlyArray<string> => sent.body.data.list.map((one: any) => one.name)

const spent = (server: TestServer.TestServer) => Effect.map(server.balance, ({ captured }) => captured / 1_000_000)

withLayer(store, { timeout: "60 seconds", excludeTestServices: true })(`POST ${search}`, (it) => {
  it.effect("finds companies by the beginning of a name, the best first, and charges for rows", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const sent = yield* ask(server, { query: "kestr" })
      assert.strictEqual(sent.status, 200)
      assert.deepStrictEqual(namesOf(sent), ["Kestrel Valves", "Kestrel Looms", "Grey Kestrel"])
      assert.deepStrictEqual(sent.body.meta, {
        billing: { credits_charged: 0.03, byok_used: false, platform_credits_charged: 0.03, breakdown: [] },
        sources: { attempted: ["own"], skipped: [], failed: [] }
      })
      const { data } = sent.body
      assert.deepStrictEqual([data.total, data.current_page, data.next_cursor], [3, 1, null])
      assert.deepStrictEqual(data.facets.countries, [
        { value: "NO", name: "NO", count: 2 },
        { value: "DE", name: "DE", count: 1 }
      ])
      assert.deepStrictEqual(Object.keys(data.list[0]), [
        "website_url",
        "city",
        "industries",
        "technologies",
        "description",
        "linkedin_url",
        "company_id",
        "name",
        "domain",
        "country",
        "founded_year",
        "employee_range",
        "has_trade",
        "trade",
        "sources",
        "credits"
      ])
      assert.strictEqual(yield* spent(server), 0.03)
    })
  )

  it.effect("filters by country, size, industry of a division, technology and customs records", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const found = (body: object) => Effect.map(ask(server, body), namesOf)
      assert.deepStrictEqual(yield* found({ query: "kestrel", countries: ["Norway"] }), [
        "Kestrel Valves",
        "Grey Kestrel"
      ])
      assert.deepStrictEqual(yield* found({ query: "kestrel", employee_range: { min: 150 } }), ["Kestrel Looms"])
      assert.deepStrictEqual(yield* found({ query: "kestrel", industries: ["C"] }), ["Kestrel Valves"])
      assert.deepStrictEqual(yield* found({ query: "kestrel", industries: ["no such industry"] }), [])
      assert.deepStrictEqual(yield* found({ query: "kestrel", technologies: ["sap"] }), ["Kestrel Valves"])
      assert.deepStrictEqual(yield* found({ founded_range: { min: 1990, max: 1990 } }), ["Grey Kestrel"])
      assert.deepStrictEqual(yield* found({ domains: ["https://www.looms.example/about"] }), ["Kestrel Looms"])
      const traders = yield* ask(server, { has_trade: true, limit: 100 })
      assert.isAbove(traders.body.data.total, 10)
      for (const company of traders.body.data.list) {
        assert.isTrue(company.has_trade)
        assert.isAbove(company.trade.trade_count, 0)
      }
      assert.deepStrictEqual(traders.body.data.facets.has_trade, [
        { value: "true", name: "true", count: traders.body.data.total },
        { value: "false", name: "false", count: 3 }
      ])
    })
  )

  it.effect("nothing found is an empty list and free", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const sent = yield* ask(server, { query: "nobodyhasthisname" })
      assert.deepStrictEqual([sent.status, sent.body.data.total, sent.body.data.list], [200, 0, []])
      assert.strictEqual(yield* spent(server), 0)
    })
  )

  it.effect(
    "vendors are asked where they are named: what is known is merged, a page costs a price, reasons are told",
    () =>
      Effect.gen(function* () {
        const server = yield* start()
        const sent = yield* ask(server, {
          query: "kestrel",
          limit: 10,
          sources: ["own", "provider_b", "provider_c", "provider_d", "provider_a"]
        })
        assert.strictEqual(sent.status, 200)
        assert.deepStrictEqual(
          sent.body.data.list.map((one: any) => [one.name, one.sources, one.credits]),
          [
            ["Kestrel Valves", ["own", "provider_b"], 0.51],
            ["Kestrel Looms", ["own"], 0.01],
            ["Grey Kestrel", ["own"], 0.01],
            ["Nordvik One", ["provider_b"], 0.51],
            ["Nordvik Two", ["provider_b"], 0.51]
          ].slice(0, 4)
        )
        assert.deepStrictEqual(sent.body.meta.sources, {
          attempted: ["own", "provider_b", "provider_c"],
          skipped: [
            { source: "provider_d", reason: "provider_d_requires_byok" },
            { source: "provider_a", reason: "unsupported_operation" }
          ],
          failed: [{ source: "provider_c", reason: "unavailable" }]
        })
        assert.notInclude(server.logs.join("\n"), "secret-marker")
      })
  )

  it.effect("fails for nothing where every source fails, and skips what is beyond max_credits", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const down = yield* ask(server, { query: "kestrel", sources: ["provider_c"] })
      assert.deepStrictEqual([down.status, down.body.error.code], [503, "unavailable"])
      const poor = yield* ask(server, { query: "kestrel", sources: ["own", "provider_b"], max_credits: 0.5 })
      assert.deepStrictEqual(poor.body.meta.sources.skipped, [{ source: "provider_b", reason: "budget_exhausted" }])
      assert.strictEqual(yield* spent(server), 0.03)
      const poorer = yield* ask(server, { query: "kestrel", max_credits: 0.01 })
      assert.deepStrictEqual([poorer.status, poorer.body.error.code], [402, "insufficient_credits"])
    })
  )

  it.effect("what is wrong is named", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const paths = (body: object) =>
        Effect.map(ask(server, body), ({ body, status }) => [
          status,
          ...(body.error?.details ?? []).map((one: any) => one.path)
        ])
      assert.deepStrictEqual(
        yield* paths({ employee_range: { min: 9, max: 2 }, countries: ["Nowhere"], domains: ["?"] }),
        [400, "domains[0]", "countries[0]", "employee_range"]
      )
      assert.deepStrictEqual(yield* paths({ sources: ["own", "nobody"] }), [400, "sources[1]"])
      assert.deepStrictEqual(yield* paths({ page: 2, sources: ["provider_b"] }), [400, "page"])
      assert.deepStrictEqual(yield* paths({ cursor: "abc" }), [400, "cursor"])
      const { body } = yield* ask(server, { query: "kestrel", limit: 1 })
      const cursor = body.data.next_cursor
      assert.deepStrictEqual(yield* paths({ query: "kestrel", limit: 2, cursor }), [400, "cursor"])
      assert.deepStrictEqual(yield* paths({ query: "kestrel", limit: 1, cursor }), [200])
      yield* server.addKey("lad_live_people-only", ["people"])
      assert.strictEqual((yield* ask(server, {}, "lad_live_people-only")).status, 403)
    })
  )

  it.effect("pages through hundreds without doubles while more is put, own ones first, then a vendor's", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const index = yield* CompanyIndex.CompanyIndex
      const many = (from: number, count: number) =>
        Array.from({ length: count }, (_, one) =>
          said({ name: `Pageable ${from + one}`, domain: `pageable-${from + one}.example` })
        )
      yield* index.put(many(0, 300))
      const seen: Array<string> = []
      let cursor: string | null = null
      for (let page = 1; page < 20; page++) {
        const body = {
          query: "pageable",
          limit: 50,
          sources: ["own", "provider_b"],
          ...(cursor === null ? {} : { cursor })
        }
        const sent: TestServer.Sent = yield* ask(server, body)
        assert.strictEqual(sent.body.data.current_page, page)
        seen.push(...sent.body.data.list.map((one: any) => one.company_id))
        cursor = sent.body.data.next_cursor
        if (cursor === null) break
        if (page < 3) yield* index.put(many(300 + page * 20, 20))
      }
      assert.strictEqual(new Set(seen).size, seen.length)
      for (const { domain } of many(0, 300))
        assert.include(seen, KnownCompany.ownId({ name: null, country: null, domain }))
      assert.include(seen, KnownCompany.ownId({ name: null, country: null, domain: "nordvik.example" }))
    })
  )

  it.effect("what an enrichment answered with is found soon; what an own key bought by its account alone", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const other = yield* server.addAccount("other", "lad_live_other-account")
      const names = (query: string, key = server.key) => Effect.map(ask(server, { query }, key), namesOf)
      const enrich = (domain: string, more: object = {}) =>
        Effect.promise(() => server.send("/api/company/enrich", { body: { identity: { domains: [domain] }, ...more } }))
      assert.strictEqual((yield* enrich("shared-robots.example")).status, 200)
      const soon = <A>(found: Effect.Effect<ReadonlyArray<A>>) =>
        Effect.repeat(found, { until: (list) => list.length > 0, schedule: Schedule.spaced("20 millis"), times: 500 })
      assert.deepStrictEqual(yield* soon(names("shared-robots")), ["Acme Robotics"])
      assert.deepStrictEqual(yield* names("shared-robots", other), ["Acme Robotics"])
      const own = { waterfall: { source_order: ["provider_d"], byok: { provider_d_api_key: "own-key" } } }
      assert.strictEqual((yield* enrich("bought-robots.example", own)).status, 200)
      assert.deepStrictEqual(yield* soon(names("bought-robots")), ["Acme Robotics"])
      assert.deepStrictEqual(yield* names("bought-robots", other), [])
    })
  )

  it.effect("whoever was erased is not shown", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const index = yield* CompanyIndex.CompanyIndex
      yield* index.put([said({ name: "Forgotten Mills", domain: "forgotten.example" })])
      assert.lengthOf(namesOf(yield* ask(server, { query: "forgotten" })), 1)
      const gone = yield* Effect.promise(() =>
        server.send("/api/admin/subjects", { method: "DELETE", body: { subject: "forgotten.example" } })
      )
      assert.strictEqual(gone.status, 200)
      assert.strictEqual(gone.body.data.erased.companies, 1)
      assert.lengthOf(namesOf(yield* ask(server, { query: "forgotten" })), 0)
      // Put by somebody who did not look.
      yield* index.put([said({ name: "Forgotten Mills", domain: "forgotten.example" })])
      const sent = yield* ask(server, { query: "forgotten" })
      assert.lengthOf(namesOf(sent), 0)
      assert.strictEqual(sent.body.meta.billing.credits_charged, 0)
    })
  )
})
