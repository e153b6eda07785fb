/** `/api/customs/*`: customs records, the companies in them, and what markets do. */
import { MatchedContacts, WebContacts } from "@lading/core/contact"
import { CustomsAnswer, CustomsQuestions, CustomsSearch, MarketAnalytics } from "@lading/core/trade"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "./Authorization.ts"
import * as CustomsBody from "./CustomsBody.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Refusal from "./Refusal.ts"
import { Deprecation, IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"

const { answers } = CustomsSearch

const headers = { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) }
const answered = { "x-request-id": RequestId, "idempotent-replayed": IdempotentReplayed }

/** An answer in its envelope. */
const body = <Data extends Schema.Top>(data: Data) => HttpApiSchema.WithHeaders(CustomsBody.of(data), answered)

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** What a POST can be refused with. */
const post = [...Refusal.common, ...Refusal.operation]

const free = "Free."
const perRow = "Costs a price for each row that comes."
const perCall = "Costs one price; nothing where there is nothing."

const companies = [
  HttpApiEndpoint.post("bulkStatus", "/api/customs/companies/bulk-status", {
    headers,
    payload: CustomsQuestions.BulkStatusRequest,
    success: HttpApiSchema.WithHeaders(
      CustomsBody.of(CustomsBody.BulkStatus).pipe(HttpApiSchema.status(201)),
      answered
    ),
    error: post
  }).annotateMerge(
    described(
      "How active companies are",
      `For each company and side, relative to the newest record: partners of the last 12 months, the new ones among them, and earlier ones. At most ${CustomsQuestions.maxStatuses} companies. ${free}`
    )
  ),
  HttpApiEndpoint.post("semanticQuery", "/api/customs/companies/semantic-query", {
    headers,
    payload: WebContacts.SemanticQueryRequest,
    success: HttpApiSchema.WithHeaders(CustomsBody.of(CustomsBody.SemanticQuery), {
      ...answered,
      deprecation: Deprecation
    }),
    error: post
  })
    .annotateMerge(
      described(
        "Pages with contacts of a company",
        `Mail addresses, telephone numbers and networks from pages of the web that speak of the company. ${perCall}`
      )
    )
    .annotate(OpenApi.Deprecated, true),
  HttpApiEndpoint.post("match", "/api/customs/companies/match", {
    headers,
    payload: CustomsQuestions.MatchRequest,
    success: body(CustomsBody.Match),
    error: post
  }).annotateMerge(described("The company that a name means", `The best match, and the other candidates. ${perCall}`)),
  HttpApiEndpoint.post("productKeywords", "/api/customs/companies/product-keywords", {
    headers,
    payload: CustomsQuestions.ProductKeywordsRequest,
    success: body(CustomsBody.ProductKeywords),
    error: post
  }).annotateMerge(described("What a company buys or sells", `Keywords of its goods. ${perCall}`)),
  HttpApiEndpoint.post("companies", "/api/customs/companies/search", {
    headers,
    payload: CustomsQuestions.CompaniesRequest,
    success: body(answers.companies),
    error: post
  }).annotateMerge(described("Search companies", `Companies of the records that match, with their trade. ${perRow}`)),
  HttpApiEndpoint.post("details", "/api/customs/companies/details", {
    headers,
    payload: CustomsQuestions.DetailsRequest,
    success: body(answers.details),
    error: post
  }).annotateMerge(
    described("All about a company", "Names, addresses, and both sides of its trade. 404 for an id that nobody has.")
  ),
  HttpApiEndpoint.post("tradeTrends", "/api/customs/companies/trade-trends", {
    headers,
    payload: CustomsQuestions.TradeTrendsRequest,
    success: body(CustomsBody.TradeTrends),
    error: post
  }).annotateMerge(described("A company's trade over time", `A point for each period that has records. ${perRow}`)),
  HttpApiEndpoint.post("companyRecords", "/api/customs/companies/records", {
    headers,
    payload: CustomsQuestions.CompanyRecordsRequest,
    success: body(answers.companyRecords),
    error: post
  }).annotateMerge(described("A company's records", `On either side, unless a role is said. ${perRow}`)),
  HttpApiEndpoint.post("partners", "/api/customs/companies/partners", {
    headers,
    payload: CustomsQuestions.CompanyListRequest,
    success: body(answers.partners),
    error: post
  }).annotateMerge(described("A company's partners", `Those with most records first. ${perRow}`)),
  HttpApiEndpoint.post("hsCodes", "/api/customs/companies/hs-codes", {
    headers,
    payload: CustomsQuestions.HsCodesRequest,
    success: body(answers.hsCodes),
    error: post
  }).annotateMerge(described("A company's product codes", `Cut to 2, 4 or 6 digits. ${perRow}`)),
  HttpApiEndpoint.post("regions", "/api/customs/companies/regions", {
    headers,
    payload: CustomsQuestions.CompanyListRequest,
    success: body(answers.regions),
    error: post
  }).annotateMerge(described("The countries a company trades with", `The other side's. ${perRow}`)),
  HttpApiEndpoint.post("matchContacts", "/api/customs/companies/match-contacts", {
    headers,
    payload: MatchedContacts.MatchContactsRequest,
    success: body(MatchedContacts.PersonPage),
    error: post
  }).annotateMerge(
    described(
      "People at a company",
      `From the people sources, by the company's web domain. Also needs the scope people. ${perCall}`
    )
  )
] as const

const records = [
  HttpApiEndpoint.get("countries", "/api/customs/reference/countries", {
    success: HttpApiSchema.WithHeaders(CustomsBody.of(answers.countries), { "x-request-id": RequestId }),
    error: [...Refusal.common, ...Refusal.reading]
  }).annotateMerge(described("Countries that declare", `Since when, until when, and how much. ${free}`)),
  HttpApiEndpoint.post("records", "/api/customs/records/search", {
    headers,
    payload: CustomsQuestions.RecordsRequest,
    success: body(answers.records),
    error: post
  }).annotateMerge(described("Search records", `All filters that are given have to hold. ${perRow}`)),
  HttpApiEndpoint.post("chineseSuppliers", "/api/customs/transactions/chinese-suppliers", {
    headers,
    payload: CustomsQuestions.RecordsRequest,
    success: body(answers.chineseSuppliers),
    error: post
  }).annotateMerge(described("Records of Chinese suppliers", `With all that each of them has exported. ${perRow}`)),
  HttpApiEndpoint.post("merchants", "/api/customs/transactions/merchants", {
    headers,
    payload: CustomsQuestions.MerchantsRequest,
    success: HttpApiSchema.WithHeaders(CustomsBody.of(answers.merchants), { ...answered, deprecation: Deprecation }),
    error: post
  })
    .annotateMerge(described("A merchant's records", `By id or name, in numbered pages. Use merchants-new. ${perRow}`))
    .annotate(OpenApi.Deprecated, true),
  HttpApiEndpoint.post("merchantsNew", "/api/customs/transactions/merchants-new", {
    headers,
    payload: CustomsQuestions.MerchantsNewRequest,
    success: body(answers.merchantsNew),
    error: post
  }).annotateMerge(described("A merchant's full records", `By id or name, from cursor to cursor. ${perRow}`))
] as const

const analytics = [
  HttpApiEndpoint.post("marketTrend", "/api/customs/analytics/market-trend", {
    headers,
    payload: MarketAnalytics.MarketTrendRequest,
    success: body(CustomsBody.MarketTrend),
    error: post
  }).annotateMerge(
    described("A product by month", `In import declarations for an importer, in export declarations else. ${perCall}`)
  ),
  HttpApiEndpoint.post("customsStatistics", "/api/customs/analytics/customs-statistics", {
    headers,
    payload: MarketAnalytics.CustomsStatisticsRequest,
    success: body(CustomsAnswer.Statistics),
    error: post
  }).annotateMerge(described("Records by one to three dimensions", perCall)),
  HttpApiEndpoint.post("companyStatistics", "/api/customs/analytics/company-statistics", {
    headers,
    payload: MarketAnalytics.CompanyStatisticsRequest,
    success: body(MarketAnalytics.CompanyStatisticsAnswer),
    error: post
  }).annotateMerge(described("Companies by their records", `Ranked, with their share. ${perCall}`)),
  HttpApiEndpoint.post("portStatistics", "/api/customs/analytics/port-statistics", {
    headers,
    payload: MarketAnalytics.PortStatisticsRequest,
    success: body(MarketAnalytics.PortStatisticsAnswer),
    error: post
  }).annotateMerge(described("Ports by their records", `Of unloading for imports, of loading for exports. ${perCall}`)),
  HttpApiEndpoint.post("procurementTrends", "/api/customs/analytics/procurement-trends", {
    headers,
    payload: MarketAnalytics.ProcurementTrendsRequest,
    success: body(CustomsBody.ProcurementTrends),
    error: post
  }).annotateMerge(described("What a country buys", `With the growth against the period before. ${perCall}`)),
  HttpApiEndpoint.post("worldRegions", "/api/customs/analytics/world-regions", {
    headers,
    payload: MarketAnalytics.WorldRegionsRequest,
    success: body(MarketAnalytics.WorldRegionsAnswer),
    error: post
  }).annotateMerge(described("Trade on the map", `Countries with a point each. ${perCall}`))
] as const

export const customs = HttpApiGroup.make("customs")
  .add(...companies, ...records, ...analytics)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "Who trades what with whom? Needs the scope customs" }))
