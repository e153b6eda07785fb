/**
 * Calls every operation of the document once, in an order in which one can use what another answered, and prints a line of
 * JSON for each: what was called and which status came. For a sandbox: it makes accounts, charges credits and erases.
 *
 * The compiler counts: `calls` has every operation, and none that the document does not have.
 */
import { createHash, randomUUID } from "node:crypto"
import { answer, connect } from "./client.ts"
import type { operations } from "./lading.d.ts"

const { LADING_API_KEY, LADING_URL } = process.env
if (LADING_URL === undefined || LADING_API_KEY === undefined) throw new Error("Set LADING_URL and LADING_API_KEY")
const lading = connect(LADING_URL, LADING_API_KEY)

type Operation = keyof operations

/** What came back: enough to say how it went. */
type Call = () => Promise<{ readonly response: Response }>

/** What later calls use of earlier ones. */
const found = { account: "", company: "", key: "", lease: "", load: 0, request: "" }

/** Nobody else's: what is made under it is made once more by another tour. */
const tour = `tour-${randomUUID()}`

const path = () => ({ account: found.account })
const someCompany = () => ({ company_id: found.company, role: "importer" as const })

/** A load of customs records; a server that takes no imports begins none. */
const begin = async (name: string) => {
  const digest = createHash("sha256").update(name).digest("hex")
  const begun = await lading.POST("/api/admin/trade/loads", { body: { name, digest, format: "tour", replaces: null } })
  if (begun.data !== undefined) [found.load, found.lease] = [begun.data.data.load, begun.data.data.lease ?? ""]
  return begun
}

const calls: Record<Operation, Call> = {
  "system.health": () => lading.GET("/health"),
  "system.ready": () => lading.GET("/ready"),
  "system.metrics": () => lading.GET("/metrics", { parseAs: "text" }),

  "reference.codes": () => lading.GET("/api/reference/codes"),
  "reference.industries": () => lading.GET("/api/reference/industries", { params: { query: { q: "textiles" } } }),
  "reference.technologies": () => lading.GET("/api/reference/technologies"),

  "quotes.quote": () =>
    lading.POST("/api/quotes", {
      body: { operation: "company", request: { identity: { domains: ["nordvik-robotics.example"] } } }
    }),
  "company.enrich": async () => {
    const asked = await lading.POST("/api/company/enrich", {
      params: { header: { "idempotency-key": tour } },
      body: { identity: { domains: ["nordvik-robotics.example"] }, include_customs: true }
    })
    found.request = answer(asked).request_id
    return asked
  },
  "company.search": () => lading.POST("/api/company/search", { body: { query: "robotics", limit: 1 } }),
  // Only an answer that was pending can be asked for again: this one was complete.
  "company.find": () =>
    lading.GET("/api/company/enrich/{request_id}", { params: { path: { request_id: found.request } } }),
  "people.enrich": () =>
    lading.POST("/api/people/enrich", {
      body: { identity: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" } }
    }),
  "people.search": () =>
    lading.POST("/api/people/search", { body: { company_domain: "nordvik-robotics.example", limit: 1 } }),
  "people.find": () =>
    lading.GET("/api/people/enrich/{request_id}", { params: { path: { request_id: found.request } } }),
  "email.verify": () =>
    lading.POST("/api/email/verify", { body: { type: "single", email: "mara.ellison@nordvik-robotics.example" } }),

  "customs.countries": () => lading.GET("/api/customs/reference/countries"),
  "customs.companies": async () => {
    const listed = await lading.POST("/api/customs/companies/search", { body: { role: "importer", limit: 1 } })
    found.company = answer(listed).data.data.list[0]?.company_id ?? "none"
    return listed
  },
  "customs.details": () => lading.POST("/api/customs/companies/details", { body: { company_id: found.company } }),
  "customs.bulkStatus": () =>
    lading.POST("/api/customs/companies/bulk-status", { body: { companies: [{ id: found.company, type: "import" }] } }),
  "customs.semanticQuery": () =>
    lading.POST("/api/customs/companies/semantic-query", { body: { company_name: "Nordvik Robotics" } }),
  "customs.match": () => lading.POST("/api/customs/companies/match", { body: { name: "Nordvik Robotics" } }),
  "customs.productKeywords": () => lading.POST("/api/customs/companies/product-keywords", { body: someCompany() }),
  "customs.tradeTrends": () => lading.POST("/api/customs/companies/trade-trends", { body: someCompany() }),
  "customs.companyRecords": () =>
    lading.POST("/api/customs/companies/records", { body: { ...someCompany(), limit: 1 } }),
  "customs.partners": () => lading.POST("/api/customs/companies/partners", { body: { ...someCompany(), limit: 1 } }),
  "customs.hsCodes": () => lading.POST("/api/customs/companies/hs-codes", { body: { ...someCompany(), limit: 1 } }),
  "customs.regions": () => lading.POST("/api/customs/companies/regions", { body: { ...someCompany(), limit: 1 } }),
  "customs.matchContacts": () =>
    lading.POST("/api/customs/companies/match-contacts", { body: { company_id: found.company } }),
  "customs.records": () => lading.POST("/api/customs/records/search", { body: { product: "robot", limit: 1 } }),
  "customs.chineseSuppliers": () => lading.POST("/api/customs/transactions/chinese-suppliers", { body: { limit: 1 } }),
  "customs.merchants": () =>
    lading.POST("/api/customs/transactions/merchants", { body: { company_id: found.company, limit: 1 } }),
  "customs.merchantsNew": () =>
    lading.POST("/api/customs/transactions/merchants-new", { body: { company_id: found.company, limit: 1 } }),
  "customs.marketTrend": () =>
    lading.POST("/api/customs/analytics/market-trend", {
      body: { type: "importer", product: "robot", start_time: "2024-01-01", end_time: "2024-12-31" }
    }),
  "customs.customsStatistics": () =>
    lading.POST("/api/customs/analytics/customs-statistics", { body: { group_by: ["month"], limit: 1 } }),
  "customs.companyStatistics": () =>
    lading.POST("/api/customs/analytics/company-statistics", { body: { role: "importer", limit: 1 } }),
  "customs.portStatistics": () => lading.POST("/api/customs/analytics/port-statistics", { body: { limit: 1 } }),
  "customs.procurementTrends": () =>
    lading.POST("/api/customs/analytics/procurement-trends", { body: { hs_code: "84", country: "NO" } }),
  "customs.worldRegions": () => lading.POST("/api/customs/analytics/world-regions", { body: { role: "importer" } }),

  "account.show": () => lading.GET("/api/account"),
  "account.saveVendorKey": () =>
    lading.PUT("/api/account/vendor-keys/{slot}", {
      params: { path: { slot: "provider_a" } },
      body: { api_key: "a-key-of-nobody" }
    }),
  "account.listVendorKeys": () => lading.GET("/api/account/vendor-keys"),
  "account.removeVendorKey": () =>
    lading.DELETE("/api/account/vendor-keys/{slot}", { params: { path: { slot: "provider_a" } } }),

  "webhooks.rotateSecret": () => lading.POST("/api/webhooks/secret", { body: {} }),
  "webhooks.listDeliveries": () => lading.GET("/api/webhooks/deliveries", { params: { query: { limit: 1 } } }),
  // Nothing was sent anywhere.
  "webhooks.delivery": () =>
    lading.GET("/api/webhooks/deliveries/{delivery_id}", { params: { path: { delivery_id: "msg_none" } } }),
  "webhooks.replayDelivery": () =>
    lading.POST("/api/webhooks/deliveries/{delivery_id}/replay", {
      params: { path: { delivery_id: "msg_none" } },
      body: {}
    }),

  "admin.createAccount": async () => {
    const made = await lading.POST("/api/admin/accounts", { body: { name: tour } })
    found.account = answer(made).data.id
    return made
  },
  "admin.listAccounts": () => lading.GET("/api/admin/accounts", { params: { query: { limit: 1 } } }),
  "admin.grant": () =>
    lading.POST("/api/admin/accounts/{account}/grants", {
      params: { path: path() },
      body: { amount: 2, reason: "tour" }
    }),
  "admin.adjust": () =>
    lading.POST("/api/admin/accounts/{account}/adjustments", {
      params: { path: path() },
      body: { amount: -1, reason: "tour" }
    }),
  // Of the account that asked, for what was charged above.
  "admin.refund": async () => {
    const { account } = answer(await lading.GET("/api/account")).data
    return lading.POST("/api/admin/accounts/{account}/refunds", {
      params: { path: { account: account.id } },
      body: { request_id: found.request, reason: "tour" }
    })
  },
  "admin.setLimits": () =>
    lading.PUT("/api/admin/accounts/{account}/limits", {
      params: { path: path() },
      body: { requests_per_minute: 60, requests_at_once: null }
    }),
  "admin.limits": () => lading.GET("/api/admin/accounts/{account}/limits", { params: { path: path() } }),
  "admin.createKey": async () => {
    const made = await lading.POST("/api/admin/accounts/{account}/keys", {
      params: { path: path() },
      body: { scopes: ["company"], label: "tour" }
    })
    found.key = answer(made).data.id
    return made
  },
  "admin.listKeys": () => lading.GET("/api/admin/accounts/{account}/keys", { params: { path: path() } }),
  "admin.revokeKey": () => lading.DELETE("/api/admin/keys/{key}", { params: { path: { key: found.key } } }),
  "admin.usage": () => lading.GET("/api/admin/accounts/{account}/usage", { params: { path: path() } }),
  "admin.audit": () => lading.GET("/api/admin/ledger/audit", { params: { query: { limit: 10 } } }),
  "admin.replay": () =>
    lading.GET("/api/admin/runs/{request_id}/replay", { params: { path: { request_id: found.request } } }),
  "admin.erase": () => lading.DELETE("/api/admin/subjects", { body: { subject: `${tour}@nobody.example` } }),

  "admin.listLoads": () => lading.GET("/api/admin/trade/loads"),
  "admin.beginLoad": () => begin(`${tour}/1`),
  // Newline-delimited JSON: its first line says how many rows follow. Here none do.
  "admin.writeLoad": () =>
    lading.PUT("/api/admin/trade/loads/{load}/parts/{part}", {
      params: { path: { load: found.load, part: 0 }, query: { lease: found.lease } },
      headers: { "content-type": "application/x-ndjson" },
      body: { position: "end", rejected: 0, rows: 0 },
      bodySerializer: (head) => `${JSON.stringify(head)}\n`
    }),
  "admin.publishLoad": () =>
    lading.PUT("/api/admin/trade/loads/{load}/publication", {
      params: { path: { load: found.load }, query: { lease: found.lease } }
    }),
  // What was published cannot be abandoned: another one.
  "admin.abandonLoad": async () => {
    await begin(`${tour}/2`)
    return lading.DELETE("/api/admin/trade/loads/{load}", { params: { path: { load: found.load } } })
  }
}

for (const [operation, call] of Object.entries(calls)) {
  const { response } = await call()
  console.log(JSON.stringify({ operation, status: response.status }))
}
