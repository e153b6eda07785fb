/**
 * Questions about markets: products, countries, ports and ranks. `POST /api/customs/analytics/*` are these use cases
 * behind HTTP. Each costs one price a call that has data.
 */
import { Context, Effect, Layer, Schema } from "effect"
import * as Billing from "../billing/Billing.ts"
import type { InvalidRequest } from "../request/InvalidRequest.ts"
import * as Answer from "./CustomsAnswer.ts"
import * as Request from "./CustomsRequest.ts"
import * as Paging from "./Paging.ts"
import type * as Store from "./TradeAnswer.ts"
import { type Ask, perCall, running, type TradeOperation } from "./TradeOperation.ts"
import { TradeStore, type TradeStoreError } from "./TradeStore.ts"

const { whole } = Request

export const MarketTrendRequest = Schema.Struct({
  ...Request.roleFields,
  ...Request.dateFields,
  product: Request.Words
})
  .check(whole({ role: "type" }))
  .annotate({ identifier: "MarketTrendRequest" })

const Dimension = Schema.Literals(["month", "hs", "country", "port", "company", "transport"])

export const CustomsStatisticsRequest = Schema.Struct({
  ...Request.filterFields,
  ...Request.levelFields,
  ...Request.pagingFields,
  group_by: Schema.Array(Dimension).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(3),
    Schema.makeFilter((names) => new Set(names).size === names.length || "Expected each dimension once")
  )
})
  .check(whole())
  .annotate({ identifier: "CustomsStatisticsRequest" })

export const CompanyStatisticsRequest = Schema.Struct({
  ...Request.filterFields,
  ...Request.roleFields,
  ...Request.pagingFields
})
  .check(whole({ role: "role" }))
  .annotate({ identifier: "CompanyStatisticsRequest" })

export const PortStatisticsRequest = Schema.Struct({
  ...Request.filterFields,
  ...Request.companyFields,
  ...Request.roleFields,
  ...Request.pagingFields
})
  .check(whole())
  .annotate({ identifier: "PortStatisticsRequest" })

export const ProcurementTrendsRequest = Schema.Struct({
  product: Request.filterFields.product,
  hs_code: Request.filterFields.hs_code,
  country: Request.CountryField,
  ...Request.granularityFields,
  ...Request.dateFields
})
  .check(
    whole(),
    Schema.makeFilter(({ hs_code, product }) =>
      hs_code === undefined && product === undefined
        ? { path: ["product"], issue: "Expected a product, or an hs_code" }
        : undefined
    )
  )
  .annotate({ identifier: "ProcurementTrendsRequest" })

export const WorldRegionsRequest = Schema.Struct({
  ...Request.roleFields,
  ...Request.dateFields,
  product: Request.filterFields.product
})
  .check(whole({ role: "role" }))
  .annotate({ identifier: "WorldRegionsRequest" })

export const CompanyStatisticsAnswer = Answer.Page(Answer.RankedCompany)
export const PortStatisticsAnswer = Answer.Page(Answer.PortShare)
export const WorldRegionsAnswer = Answer.Page(Answer.WorldRegion)

export type MarketError = TradeStoreError | InvalidRequest

type Asking<Request extends Schema.Top, Data extends Schema.Top> = Ask<Request["Type"], Data["Type"], MarketError>

export class MarketAnalytics extends Context.Service<
  MarketAnalytics,
  {
    readonly marketTrend: Asking<typeof MarketTrendRequest, typeof Answer.Trend>
    readonly customsStatistics: Asking<typeof CustomsStatisticsRequest, typeof Answer.Statistics>
    readonly companyStatistics: Asking<typeof CompanyStatisticsRequest, typeof CompanyStatisticsAnswer>
    readonly portStatistics: Asking<typeof PortStatisticsRequest, typeof PortStatisticsAnswer>
    readonly procurementTrends: Asking<typeof ProcurementTrendsRequest, typeof Answer.Procurement>
    readonly worldRegions: Asking<typeof WorldRegionsRequest, typeof WorldRegionsAnswer>
  }
>()("@lading/core/trade/MarketAnalytics") {}

type Operation<Request extends Schema.Top, Data extends Schema.Top> = TradeOperation<
  Request["Type"],
  Data["Type"],
  Data["Encoded"],
  MarketError
>

const hasPoints = perCall(({ points }: { readonly points: ReadonlyArray<unknown> }) => points.length > 0)
const hasRows = perCall(({ list }: { readonly list: ReadonlyArray<unknown> }) => list.length > 0)

const price = "analytics" as const

const marketTrend = (store: TradeStore["Service"]): Operation<typeof MarketTrendRequest, typeof Answer.Trend> => ({
  name: "customs.market_trend",
  price,
  answer: Answer.Trend,
  ...hasPoints,
  ask: (request) =>
    store.marketTrend({
      role: Request.roleIn(request) ?? "importer",
      product: request.product,
      ...Request.datesOf(request)
    })
})

const customsStatistics = (
  store: TradeStore["Service"]
): Operation<typeof CustomsStatisticsRequest, typeof Answer.Statistics> => ({
  name: "customs.statistics",
  price,
  answer: Answer.Statistics,
  ...hasRows,
  ask: Effect.fnUntraced(function* (request) {
    const question = {
      filter: Request.filterOf(request),
      group_by: request.group_by,
      hs_level: Request.levelOf(request)
    }
    const name = ["statistics", question]
    const window = yield* Paging.read(name, request)
    const { list, total, totals } = yield* store.statistics({ ...question, window })
    return {
      ...Paging.page(name, window, { list: list.map(Answer.statisticsRowOf), total }),
      totals: Answer.totalsOf(totals)
    }
  })
})

const companyStatistics = (
  store: TradeStore["Service"]
): Operation<typeof CompanyStatisticsRequest, typeof CompanyStatisticsAnswer> => ({
  name: "customs.company_statistics",
  price,
  answer: CompanyStatisticsAnswer,
  ...hasRows,
  ask: Effect.fnUntraced(function* (request) {
    const question = { filter: Request.filterOf(request), role: Request.roleIn(request) ?? ("importer" as const) }
    const name = ["company_statistics", question]
    const window = yield* Paging.read(name, request)
    const { list, total } = yield* store.companyStatistics({ ...question, window })
    const before = (window.page - 1) * window.limit
    const ranked = list.map((company, index) => Answer.rankedOf(company, before + index + 1))
    return Paging.page(name, window, { list: ranked, total })
  })
})

/** Where it is about a company: on either side of it, unless a role is said. */
const portFilter = (request: typeof PortStatisticsRequest.Type) => {
  const trader_id = Request.companyOf(request)
  const trader = trader_id === null ? null : { trader_id, role: Request.roleIn(request) }
  return { ...Request.filterOf(request), trader }
}

const portStatistics = (
  store: TradeStore["Service"]
): Operation<typeof PortStatisticsRequest, typeof PortStatisticsAnswer> => ({
  name: "customs.port_statistics",
  price,
  answer: PortStatisticsAnswer,
  ...hasRows,
  ask: Effect.fnUntraced(function* (request) {
    const question = { filter: portFilter(request) }
    const name = ["port_statistics", question]
    const window = yield* Paging.read(name, request)
    const { list, total } = yield* store.portStatistics({ ...question, window })
    return Paging.page(name, window, { list: list.map(Answer.portShareOf), total })
  })
})

const procurementTrends = (
  store: TradeStore["Service"]
): Operation<typeof ProcurementTrendsRequest, typeof Answer.Procurement> => ({
  name: "customs.procurement_trends",
  price,
  answer: Answer.Procurement,
  ...hasPoints,
  ask: (request) =>
    store.procurement({
      product: request.product ?? null,
      hs_prefix: Request.hsPrefixOf(request.hs_code),
      country: Request.countryOf(request.country),
      granularity: request.granularity ?? "month",
      ...Request.datesOf(request)
    })
})

/** All countries at once: there are never more than fit on a map. */
const worldRegions = (
  store: TradeStore["Service"]
): Operation<typeof WorldRegionsRequest, typeof WorldRegionsAnswer> => ({
  name: "customs.world_regions",
  price,
  answer: WorldRegionsAnswer,
  ...hasRows,
  ask: (request) =>
    Effect.map(
      store.worldRegions({
        role: Request.roleIn(request) ?? "importer",
        product: request.product ?? null,
        ...Request.datesOf(request)
      }),
      (regions: ReadonlyArray<Store.WorldRegion>) => Paging.all(regions.map(Answer.worldRegionOf))
    )
})

const make = Effect.gen(function* () {
  const run = running(yield* Billing.Billing)
  const store = yield* TradeStore
  return MarketAnalytics.of({
    marketTrend: run(marketTrend(store)),
    customsStatistics: run(customsStatistics(store)),
    companyStatistics: run(companyStatistics(store)),
    portStatistics: run(portStatistics(store)),
    procurementTrends: run(procurementTrends(store)),
    worldRegions: run(worldRegions(store))
  })
})

export const layer: Layer.Layer<MarketAnalytics, never, Billing.Billing | TradeStore> = Layer.effect(
  MarketAnalytics,
  make
)
