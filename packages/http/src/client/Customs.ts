/** `/api/customs/*` with promises. The answer is the body as it is: what was found stands under `data.data`. */
import { MatchedContacts, WebContacts } from "@lading/core/contact"
import { CustomsAnswer, CustomsQuestions, CustomsSearch, MarketAnalytics } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import * as CustomsBody from "../api/CustomsBody.ts"
import { type CallOptions, type Client, headers, type ReadOptions, run } from "./Call.ts"

type Sent<Payload> = { readonly payload: Payload; readonly headers: ReturnType<typeof headers> }

/** With something that is sent; it is checked before. */
const call =
  <Request, Encoded, Data, Plain, E>(
    request: Schema.Codec<Request, Encoded>,
    data: Schema.Codec<Data, Plain>,
    send: (asked: Sent<Request>) => Effect.Effect<{ readonly body: CustomsBody.Body<Data> }, E>
  ) =>
  (value: Encoded, options: CallOptions = {}): Promise<CustomsBody.Body<Plain>> =>
    run(
      Schema.decodeEffect(request)(value).pipe(
        Effect.flatMap((payload) => send({ payload, headers: headers(options) })),
        Effect.flatMap(({ body }) => plain(data, body))
      ),
      options
    )

const plain = <Data, Plain>(schema: Schema.Codec<Data, Plain>, body: CustomsBody.Body<Data>) =>
  Effect.map(Schema.encodeEffect(schema)(body.data.data), (data): CustomsBody.Body<Plain> => ({
    ...body,
    data: { ...body.data, data }
  }))

const Ask = CustomsQuestions
const { answers } = CustomsSearch

const companies = ({ customs }: Client) => ({
  bulkStatus: call(Ask.BulkStatusRequest, CustomsBody.BulkStatus, customs.bulkStatus),
  /** @deprecated As the interface has it. */
  semanticQuery: call(WebContacts.SemanticQueryRequest, CustomsBody.SemanticQuery, customs.semanticQuery),
  match: call(Ask.MatchRequest, CustomsBody.Match, customs.match),
  productKeywords: call(Ask.ProductKeywordsRequest, CustomsBody.ProductKeywords, customs.productKeywords),
  companies: call(Ask.CompaniesRequest, answers.companies, customs.companies),
  details: call(Ask.DetailsRequest, answers.details, customs.details),
  tradeTrends: call(Ask.TradeTrendsRequest, CustomsBody.TradeTrends, customs.tradeTrends),
  companyRecords: call(Ask.CompanyRecordsRequest, answers.companyRecords, customs.companyRecords),
  partners: call(Ask.CompanyListRequest, answers.partners, customs.partners),
  hsCodes: call(Ask.HsCodesRequest, answers.hsCodes, customs.hsCodes),
  regions: call(Ask.CompanyListRequest, answers.regions, customs.regions),
  matchContacts: call(MatchedContacts.MatchContactsRequest, MatchedContacts.PersonPage, customs.matchContacts)
})

const records = ({ customs }: Client) => ({
  countries: (options: ReadOptions = {}): Promise<CustomsBody.Body<typeof answers.countries.Encoded>> =>
    run(
      Effect.flatMap(customs.countries(), ({ body }) => plain(answers.countries, body)),
      options
    ),
  records: call(Ask.RecordsRequest, answers.records, customs.records),
  chineseSuppliers: call(Ask.RecordsRequest, answers.chineseSuppliers, customs.chineseSuppliers),
  /** @deprecated See `merchantsNew`. */
  merchants: call(Ask.MerchantsRequest, answers.merchants, customs.merchants),
  merchantsNew: call(Ask.MerchantsNewRequest, answers.merchantsNew, customs.merchantsNew)
})

const analytics = ({ customs }: Client) => ({
  marketTrend: call(MarketAnalytics.MarketTrendRequest, CustomsBody.MarketTrend, customs.marketTrend),
  customsStatistics: call(
    MarketAnalytics.CustomsStatisticsRequest,
    CustomsAnswer.Statistics,
    customs.customsStatistics
  ),
  companyStatistics: call(
    MarketAnalytics.CompanyStatisticsRequest,
    MarketAnalytics.CompanyStatisticsAnswer,
    customs.companyStatistics
  ),
  portStatistics: call(
    MarketAnalytics.PortStatisticsRequest,
    MarketAnalytics.PortStatisticsAnswer,
    customs.portStatistics
  ),
  procurementTrends: call(
    MarketAnalytics.ProcurementTrendsRequest,
    CustomsBody.ProcurementTrends,
    customs.procurementTrends
  ),
  worldRegions: call(MarketAnalytics.WorldRegionsRequest, MarketAnalytics.WorldRegionsAnswer, customs.worldRegions)
})

export const connect = (client: Client) => ({ ...companies(client), ...records(client), ...analytics(client) })
