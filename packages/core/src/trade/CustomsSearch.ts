/**
 * Questions about customs records and the companies in them. `POST /api/customs/*` beside analytics are these use cases
 * behind HTTP; embedders call them directly.
 *
 * Each is one `TradeOperation`: the question of a request, the answer of the store, what it costs.
 */
import { Context, Effect, Layer, type Schema } from "effect"
import * as Billing from "../billing/Billing.ts"
import type { Caller } from "../request/Caller.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import * as Answer from "./CustomsAnswer.ts"
import type * as Questions from "./CustomsQuestions.ts"
import * as HsCode from "./HsCode.ts"
import * as Paging from "./Paging.ts"
import * as Companies from "./search/Companies.ts"
import * as Records from "./search/Records.ts"
import { type Ask, running, timeout } from "./TradeOperation.ts"
import { TradeStore, type TradeStoreError } from "./TradeStore.ts"
import { TraderDomains } from "./TraderDomains.ts"

export { type Matched, type SearchError, UnknownCompany } from "./search/Companies.ts"

/** What is answered, by question. */
export const answers = {
  bulkStatus: Companies.Statuses,
  match: Companies.Matched,
  productKeywords: Companies.ProductKeywords,
  companies: Companies.Companies,
  details: Answer.Details,
  tradeTrends: Answer.Trend,
  partners: Companies.Partners,
  hsCodes: Companies.HsCodes,
  regions: Companies.Regions,
  records: Records.Records,
  companyRecords: Records.Records,
  chineseSuppliers: Records.SupplierRecords,
  merchants: Records.Records,
  merchantsNew: Records.FullRecords,
  countries: Answer.Page(Answer.DeclaringCountry)
} as const

type Asking<Request extends Schema.Top, Name extends keyof typeof answers, E = Companies.SearchError> = Ask<
  Request["Type"],
  (typeof answers)[Name]["Type"],
  E
>

export class CustomsSearch extends Context.Service<
  CustomsSearch,
  {
    readonly bulkStatus: Asking<typeof Questions.BulkStatusRequest, "bulkStatus">
    readonly match: Asking<typeof Questions.MatchRequest, "match">
    readonly productKeywords: Asking<typeof Questions.ProductKeywordsRequest, "productKeywords">
    readonly companies: Asking<typeof Questions.CompaniesRequest, "companies">
    readonly details: Asking<
      typeof Questions.DetailsRequest,
      "details",
      Companies.SearchError | Companies.UnknownCompany
    >
    readonly tradeTrends: Asking<typeof Questions.TradeTrendsRequest, "tradeTrends">
    readonly partners: Asking<typeof Questions.CompanyListRequest, "partners">
    readonly hsCodes: Asking<typeof Questions.HsCodesRequest, "hsCodes">
    readonly regions: Asking<typeof Questions.CompanyListRequest, "regions">
    readonly records: Asking<typeof Questions.RecordsRequest, "records">
    readonly companyRecords: Asking<typeof Questions.CompanyRecordsRequest, "companyRecords">
    readonly chineseSuppliers: Asking<typeof Questions.RecordsRequest, "chineseSuppliers">
    readonly merchants: Asking<typeof Questions.MerchantsRequest, "merchants">
    readonly merchantsNew: Asking<typeof Questions.MerchantsNewRequest, "merchantsNew">
    /** Which countries declare. Free, and asked without a body. */
    readonly countries: (
      received_at: Caller["received_at"]
    ) => Effect.Effect<(typeof answers)["countries"]["Type"], TradeStoreError | Enrichment.DeadlineExceeded>
  }
>()("@lading/core/trade/CustomsSearch") {}

const make = Effect.gen(function* () {
  const run = running(yield* Billing.Billing)
  const store = yield* TradeStore
  const means: Companies.Means = { store, hs: yield* HsCode.List, domains: yield* TraderDomains }
  return CustomsSearch.of({
    bulkStatus: run(Companies.bulkStatus(means)),
    match: run(Companies.match(means)),
    productKeywords: run(Companies.productKeywords(means)),
    companies: run(Companies.companies(means)),
    details: run(Companies.details(means)),
    tradeTrends: run(Companies.tradeTrends(means)),
    partners: run(Companies.partners(means)),
    hsCodes: run(Companies.hsCodes(means)),
    regions: run(Companies.regions(means)),
    records: run(Records.records(means)),
    companyRecords: run(Records.companyRecords(means)),
    chineseSuppliers: run(Records.chineseSuppliers(means)),
    merchants: run(Records.merchants(means)),
    merchantsNew: run(Records.merchantsNew(means)),
    countries: (received_at) =>
      store.coverage.pipe(
        Effect.map((countries) => Paging.all(countries.map(Answer.declaringOf))),
        Enrichment.within(received_at + timeout, timeout)
      )
  })
})

export const layer: Layer.Layer<CustomsSearch, never, Billing.Billing | TradeStore | TraderDomains> = Layer.effect(
  CustomsSearch,
  make
)
