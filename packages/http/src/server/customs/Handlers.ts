/** The endpoints of customs records: each names its request, its use case, and how its answer is spelled. */
import { MatchedContacts, WebContacts } from "@lading/core/contact"
import { CustomsQuestions as Ask, CustomsSearch, MarketAnalytics } from "@lading/core/trade"
import { Effect, identity, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LadingApi } from "../../api/LadingApi.ts"
import type * as Operation from "../Operation.ts"
import type { UseCaseError } from "../Refused.ts"
import * as CustomsOperation from "./CustomsOperation.ts"
import * as Company from "./wire/Company.ts"
import * as Trend from "./wire/Trend.ts"

/** Since when the two older endpoints are deprecated: 2026-11-21 (RFC 9745). */
const deprecated = { deprecation: "@1795219200" }

/** A handler of these limits; the answer is shown as it is unless something else is said. */
const on =
  (limits: Operation.Limits) =>
  <Request, Encoded, Answer, E extends UseCaseError>(
    name: string,
    request: Schema.Codec<Request, Encoded>,
    ask: CustomsOperation.CustomsOperation<Request, Encoded, Answer, E>["ask"],
    more: Partial<CustomsOperation.CustomsOperation<Request, Encoded, Answer, E>> = {}
  ) =>
    CustomsOperation.handler({ name, request, ask, show: identity, ...more }, limits)

const companies = Effect.fnUntraced(function* (limits: Operation.Limits) {
  const post = on(limits)
  const search = yield* CustomsSearch.CustomsSearch
  const { semanticQuery } = yield* WebContacts.WebContacts
  const { matchContacts } = yield* MatchedContacts.MatchedContacts
  return {
    bulkStatus: post("customs.bulk_status", Ask.BulkStatusRequest, search.bulkStatus, {
      show: Company.bulkStatus,
      status: 201
    }),
    semanticQuery: post("customs.semantic_query", WebContacts.SemanticQueryRequest, semanticQuery, {
      show: Company.semanticQuery,
      headers: deprecated
    }),
    match: post("customs.match", Ask.MatchRequest, search.match, { show: Company.match }),
    productKeywords: post("customs.product_keywords", Ask.ProductKeywordsRequest, search.productKeywords, {
      show: Company.productKeywords
    }),
    companies: post("customs.companies", Ask.CompaniesRequest, search.companies),
    details: post("customs.details", Ask.DetailsRequest, search.details),
    tradeTrends: post("customs.trade_trends", Ask.TradeTrendsRequest, search.tradeTrends, { show: Trend.trade }),
    companyRecords: post("customs.company_records", Ask.CompanyRecordsRequest, search.companyRecords),
    partners: post("customs.partners", Ask.CompanyListRequest, search.partners),
    hsCodes: post("customs.hs_codes", Ask.HsCodesRequest, search.hsCodes),
    regions: post("customs.regions", Ask.CompanyListRequest, search.regions),
    matchContacts: post("customs.match_contacts", MatchedContacts.MatchContactsRequest, matchContacts, {
      scopes: ["people"]
    })
  }
})

const records = Effect.fnUntraced(function* (limits: Operation.Limits) {
  const post = on(limits)
  const search = yield* CustomsSearch.CustomsSearch
  return {
    countries: CustomsOperation.reading(search.countries, limits),
    records: post("customs.records", Ask.RecordsRequest, search.records),
    chineseSuppliers: post("customs.chinese_suppliers", Ask.RecordsRequest, search.chineseSuppliers),
    merchants: post("customs.merchants", Ask.MerchantsRequest, search.merchants, { headers: deprecated }),
    merchantsNew: post("customs.merchants_new", Ask.MerchantsNewRequest, search.merchantsNew)
  }
})

const analytics = Effect.fnUntraced(function* (limits: Operation.Limits) {
  const post = on(limits)
  const markets = yield* MarketAnalytics.MarketAnalytics
  const {
    CompanyStatisticsRequest,
    CustomsStatisticsRequest,
    MarketTrendRequest,
    PortStatisticsRequest,
    ProcurementTrendsRequest,
    WorldRegionsRequest
  } = MarketAnalytics
  return {
    marketTrend: post("customs.market_trend", MarketTrendRequest, markets.marketTrend, { show: Trend.market }),
    customsStatistics: post("customs.statistics", CustomsStatisticsRequest, markets.customsStatistics),
    companyStatistics: post("customs.company_statistics", CompanyStatisticsRequest, markets.companyStatistics),
    portStatistics: post("customs.port_statistics", PortStatisticsRequest, markets.portStatistics),
    procurementTrends: post("customs.procurement_trends", ProcurementTrendsRequest, markets.procurementTrends, {
      show: Trend.procurement
    }),
    worldRegions: post("customs.world_regions", WorldRegionsRequest, markets.worldRegions)
  }
})

export const layer = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "customs",
    Effect.fnUntraced(function* (handlers) {
      const company = yield* companies(limits)
      const record = yield* records(limits)
      const market = yield* analytics(limits)
      return handlers
        .handleRaw("bulkStatus", company.bulkStatus)
        .handleRaw("semanticQuery", company.semanticQuery)
        .handleRaw("match", company.match)
        .handleRaw("productKeywords", company.productKeywords)
        .handleRaw("companies", company.companies)
        .handleRaw("details", company.details)
        .handleRaw("tradeTrends", company.tradeTrends)
        .handleRaw("companyRecords", company.companyRecords)
        .handleRaw("partners", company.partners)
        .handleRaw("hsCodes", company.hsCodes)
        .handleRaw("regions", company.regions)
        .handleRaw("matchContacts", company.matchContacts)
        .handleRaw("countries", record.countries)
        .handleRaw("records", record.records)
        .handleRaw("chineseSuppliers", record.chineseSuppliers)
        .handleRaw("merchants", record.merchants)
        .handleRaw("merchantsNew", record.merchantsNew)
        .handleRaw("marketTrend", market.marketTrend)
        .handleRaw("customsStatistics", market.customsStatistics)
        .handleRaw("companyStatistics", market.companyStatistics)
        .handleRaw("portStatistics", market.portStatistics)
        .handleRaw("procurementTrends", market.procurementTrends)
        .handleRaw("worldRegions", market.worldRegions)
    })
  )
