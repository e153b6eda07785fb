/** The handlers of customs records: `Operations` has what each of them is. */
import { MatchedContacts, WebContacts } from "@lading/core/contact"
import { CustomsSearch, MarketAnalytics } from "@lading/core/trade"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LadingApi } from "../../api/LadingApi.ts"
import type * as Operation from "../Operation.ts"
import * as CustomsOperation from "./CustomsOperation.ts"
import * as Operations from "./Operations.ts"

export const layer = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "customs",
    Effect.fnUntraced(function* (handlers) {
      const useCases = {
        search: yield* CustomsSearch.CustomsSearch,
        markets: yield* MarketAnalytics.MarketAnalytics,
        web: yield* WebContacts.WebContacts,
        contacts: yield* MatchedContacts.MatchedContacts
      }
      const company = Operations.companies(useCases)
      const record = Operations.records(useCases)
      const market = Operations.analytics(useCases)
      const on = CustomsOperation.handling(limits)
      return handlers
        .handleRaw("bulkStatus", on(company.bulkStatus))
        .handleRaw("semanticQuery", on(company.semanticQuery))
        .handleRaw("match", on(company.match))
        .handleRaw("productKeywords", on(company.productKeywords))
        .handleRaw("companies", on(company.companies))
        .handleRaw("details", on(company.details))
        .handleRaw("tradeTrends", on(company.tradeTrends))
        .handleRaw("companyRecords", on(company.companyRecords))
        .handleRaw("partners", on(company.partners))
        .handleRaw("hsCodes", on(company.hsCodes))
        .handleRaw("regions", on(company.regions))
        .handleRaw("matchContacts", on(company.matchContacts))
        .handleRaw("countries", CustomsOperation.reading(useCases.search.countries, limits))
        .handleRaw("records", on(record.records))
        .handleRaw("chineseSuppliers", on(record.chineseSuppliers))
        .handleRaw("merchants", on(record.merchants))
        .handleRaw("merchantsNew", on(record.merchantsNew))
        .handleRaw("marketTrend", on(market.marketTrend))
        .handleRaw("customsStatistics", on(market.customsStatistics))
        .handleRaw("companyStatistics", on(market.companyStatistics))
        .handleRaw("portStatistics", on(market.portStatistics))
        .handleRaw("procurementTrends", on(market.procurementTrends))
        .handleRaw("worldRegions", on(market.worldRegions))
    })
  )
