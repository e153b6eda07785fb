/** What is asked about companies. */
import { Effect, Schema } from "effect"
import type { InvalidRequest } from "../../request/InvalidRequest.ts"
import * as Answer from "../CustomsAnswer.ts"
import type * as Questions from "../CustomsQuestions.ts"
import * as Request from "../CustomsRequest.ts"
import type { HsList } from "../HsCode.ts"
import * as Paging from "../Paging.ts"
import type { Listed } from "../TradeAnswer.ts"
import { perCall, perRow, type TradeOperation } from "../TradeOperation.ts"
import type { TraderListQuestion } from "../TradeQuestion.ts"
import type { TradeStore, TradeStoreError } from "../TradeStore.ts"
import type { TraderDomains } from "../TraderDomains.ts"
import * as TraderLookup from "./TraderLookup.ts"

/** No company has this id. */
export class UnknownCompany extends Schema.TaggedError<UnknownCompany>()("UnknownCompany", {}) {}

export type SearchError = TradeStoreError | InvalidRequest

/** What the questions are answered with. */
export interface Means {
  readonly store: TradeStore["Service"]
  readonly hs: HsList
  readonly domains: TraderDomains["Service"]
}

export type Operation<Request extends Schema.Top, Data extends Schema.Top, E = SearchError> = TradeOperation<
  Request["Type"],
  Data["Type"],
  Data["Encoded"],
  E
>

/** The checks of every request have seen to it that there is one. */
export const companyOf = (request: Parameters<typeof Request.companyOf>[0]): string => Request.companyOf(request) ?? ""
const sideOf = (request: Parameters<typeof Request.roleIn>[0]) => Request.roleIn(request) ?? ("importer" as const)

const hasRows = perCall(({ list }: { readonly list: ReadonlyArray<unknown> }) => list.length > 0)

export const Statuses = Schema.Array(Answer.Status)

/** In the order of the request, each company and side once. */
export const bulkStatus = ({ store }: Means): Operation<typeof Questions.BulkStatusRequest, typeof Statuses> => ({
  name: "customs.bulk_status",
  price: "bulk_status",
  answer: Statuses,
  ...perCall((statuses) => statuses.length > 0),
  ask: ({ companies }) => {
    const asked = companies.map((one) => ({ trader_id: companyOf(one), role: sideOf(one) }))
    const distinct = [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()]
    return distinct.length === 0
      ? Effect.succeed([])
      : Effect.map(store.status(distinct), (statuses) => statuses.map(Answer.statusOf))
  }
})

const MatchedCompany = Schema.Struct({
  ...Answer.CompanyName.fields,
  address: Schema.NullOr(Schema.String),
  domain: Schema.NullOr(Schema.String),
  keywords: Schema.Array(Schema.String)
})

/** The company that is meant, and those that may be. */
export const Matched = Schema.Struct({
  row: Schema.NullOr(MatchedCompany),
  candidates: Schema.Array(Schema.Struct({ ...Answer.CompanyName.fields, address: Schema.NullOr(Schema.String) }))
})
export type Matched = typeof Matched.Type

const matchedOf = Effect.fnUntraced(function* ({ domains, store }: Means, company_id: string) {
  const details = yield* store.details(company_id)
  if (details === null) return null
  const { addresses, as_exporter, as_importer, country, name } = details
  // A match without its website is better than none.
  const domain = yield* Effect.orElseSucceed(domains.find({ trader_id: company_id, name, country }), () => null)
  const products = [...(as_importer?.top_products ?? []), ...(as_exporter?.top_products ?? [])]
  return {
    company_id,
    name,
    country,
    address: addresses[0] ?? null,
    domain,
    keywords: [...new Set(products.map(({ keyword }) => keyword))]
  }
})

export const match = (means: Means): Operation<typeof Questions.MatchRequest, typeof Matched> => ({
  name: "customs.match",
  price: "match",
  answer: Matched,
  ...perCall(({ row }) => row !== null),
  ask: Effect.fnUntraced(function* (request) {
    const id = Request.companyOf(request)
    const chosen = id === null ? null : yield* matchedOf(means, id)
    const name = request.name ?? chosen?.name
    const country = Request.countryOf(request.country)
    const matches = name === undefined ? [] : yield* TraderLookup.find(means.store, { name, country })
    const first = matches[0]?.candidate.trader_id
    const row = id !== null || first === undefined ? chosen : yield* matchedOf(means, first)
    // An id that nobody has is no match, whatever the name.
    if (row === null) return { row, candidates: [] }
    const others = matches.filter(({ candidate }) => candidate.trader_id !== row.company_id)
    return {
      row,
      candidates: [
        { company_id: row.company_id, name: row.name, country: row.country, address: row.address },
        ...others.map(({ candidate: { country, name, trader_id } }) => ({
          company_id: trader_id,
          name,
          country,
          address: null
        }))
      ]
    }
  })
})

/** A list about one side of a company. */
const listed =
  <Row, Shown>(
    name: string,
    ask: (question: TraderListQuestion) => Effect.Effect<Listed<Row>, TradeStoreError>,
    show: (row: Row) => Shown
  ) =>
  (request: typeof Questions.CompanyListRequest.Type, more: object = {}) => {
    const question = { trader_id: companyOf(request), role: sideOf(request), ...Request.datesOf(request), ...more }
    return Effect.gen(function* () {
      const window = yield* Paging.read([name, question], request)
      const { list, total } = yield* ask({ ...question, window })
      return Paging.page([name, question], window, { list: list.map(show), total })
    })
  }

export const ProductKeywords = Answer.Page(Answer.Product)

export const productKeywords = ({
  store
}: Means): Operation<typeof Questions.ProductKeywordsRequest, typeof ProductKeywords> => ({
  name: "customs.product_keywords",
  price: "product_keywords",
  answer: ProductKeywords,
  ...hasRows,
  ask: (request) => listed("keywords", store.keywords, Answer.productOf)(request)
})

const row = { price: "row", ...perRow(Paging.limitOf) } as const

export const Partners = Answer.Page(Answer.Partner)

export const partners = ({ store }: Means): Operation<typeof Questions.CompanyListRequest, typeof Partners> => ({
  name: "customs.partners",
  answer: Partners,
  ...row,
  ask: (request) => listed("partners", store.partners, Answer.partnerOf)(request)
})

export const Regions = Answer.Page(Answer.CountryShare)

export const regions = ({ store }: Means): Operation<typeof Questions.CompanyListRequest, typeof Regions> => ({
  name: "customs.regions",
  answer: Regions,
  ...row,
  ask: (request) => listed("regions", store.regions, Answer.countryShareOf)(request)
})

export const HsCodes = Answer.Page(Answer.HsShare)

export const hsCodes = ({ hs, store }: Means): Operation<typeof Questions.HsCodesRequest, typeof HsCodes> => ({
  name: "customs.hs_codes",
  answer: HsCodes,
  ...row,
  ask: (request) => {
    const level = Request.levelOf(request)
    return listed(
      "hs_codes",
      (question) => store.hsCodes({ ...question, level }),
      Answer.hsShareOf(hs)
    )(request, {
      level
    })
  }
})

/** Points are rows of a list like any other. Ten years have 120 months: more is not held for, and not charged. */
const mostPoints = 120

export const tradeTrends = ({ store }: Means): Operation<typeof Questions.TradeTrendsRequest, typeof Answer.Trend> => ({
  name: "customs.trade_trends",
  price: "row",
  answer: Answer.Trend,
  most: () => mostPoints,
  due: ({ points }) => Math.min(points.length, mostPoints),
  ask: (request) =>
    store.trends({
      trader_id: companyOf(request),
      role: sideOf(request),
      granularity: request.granularity ?? "month",
      ...Request.datesOf(request)
    })
})

export const Companies = Answer.Page(Answer.CompanySummary)

export const companies = ({ store }: Means): Operation<typeof Questions.CompaniesRequest, typeof Companies> => ({
  name: "customs.companies",
  answer: Companies,
  ...row,
  ask: Effect.fnUntraced(function* (request) {
    const role = Request.roleIn(request)
    const question = { filter: Request.filterOf(request), role, name: request.name ?? null }
    const window = yield* Paging.read(["companies", question], request)
    const { list, total } = yield* store.traders({ ...question, window })
    return Paging.page(["companies", question], window, { list: list.map(Answer.summaryOf), total })
  })
})

export const details = ({
  hs,
  store
}: Means): Operation<typeof Questions.DetailsRequest, typeof Answer.Details, SearchError | UnknownCompany> => ({
  name: "customs.details",
  price: "details",
  answer: Answer.Details,
  ...perCall(() => true),
  ask: Effect.fnUntraced(function* (request) {
    const found = yield* store.details(companyOf(request))
    return found === null ? yield* new UnknownCompany() : Answer.detailsOf(hs, found)
  })
})
