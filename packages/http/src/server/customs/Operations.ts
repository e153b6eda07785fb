/** The endpoints of customs records as values: each names its request, its use case, and how its answer is spelled. */
import { MatchedContacts, WebContacts } from "@lading/core/contact"
import { CustomsQuestions as Ask, type CustomsSearch, MarketAnalytics } from "@lading/core/trade"
import { identity, type Schema } from "effect"
import type { UseCaseError } from "../Refused.ts"
import type * as CustomsOperation from "./CustomsOperation.ts"
import * as Company from "./wire/Company.ts"
import * as Trend from "./wire/Trend.ts"

/** Since when the two older endpoints are deprecated: 2026-11-21 (RFC 9745). */
const deprecated = { deprecation: "@1795219200" }

/** Where the answers come from. */
export interface UseCases {
  readonly search: CustomsSearch.CustomsSearch["Service"]
  readonly markets: MarketAnalytics.MarketAnalytics["Service"]
  readonly web: WebContacts.WebContacts["Service"]
  readonly contacts: MatchedContacts.MatchedContacts["Service"]
}

/** The answer is shown as it is unless something else is said. */
const post = <Request, Encoded, Answer, E extends UseCaseError>(
  name: string,
  request: Schema.Codec<Request, Encoded>,
  ask: CustomsOperation.CustomsOperation<Request, Encoded, Answer, E>["ask"],
  more: Partial<CustomsOperation.CustomsOperation<Request, Encoded, Answer, E>> = {}
): CustomsOperation.CustomsOperation<Request, Encoded, Answer, E> => ({ name, request, ask, show: identity, ...more })

export const companies = ({ contacts: { matchContacts }, search, web: { semanticQuery } }: UseCases) => {
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
}

export const records = ({ search }: UseCases) => {
  return {
    records: post("customs.records", Ask.RecordsRequest, search.records),
    chineseSuppliers: post("customs.chinese_suppliers", Ask.RecordsRequest, search.chineseSuppliers),
    merchants: post("customs.merchants", Ask.MerchantsRequest, search.merchants, { headers: deprecated }),
    merchantsNew: post("customs.merchants_new", Ask.MerchantsNewRequest, search.merchantsNew)
  }
}

export const analytics = ({ markets }: UseCases) => {
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
}
