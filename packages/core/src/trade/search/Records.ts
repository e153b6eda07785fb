/** Lists of records. */
import { Effect } from "effect"
import * as Answer from "../CustomsAnswer.ts"
import type * as Questions from "../CustomsQuestions.ts"
import * as Request from "../CustomsRequest.ts"
import * as Paging from "../Paging.ts"
import * as TradeFilter from "../TradeFilter.ts"
import { perRow } from "../TradeOperation.ts"
import type { Sort } from "../TradeQuestion.ts"
import type { TradeRow } from "../TradeRow.ts"
import { companyOf, type Means, type Operation } from "./Companies.ts"
import * as TraderLookup from "./TraderLookup.ts"

const row = { price: "row", ...perRow(Paging.limitOf) } as const

interface Asked {
  readonly name: string
  readonly filter: TradeFilter.TradeFilter
  readonly sort: Sort
  readonly paged: Paging.Paged
}

/** A page of records as the store gives them. */
const found = ({ store }: Means, { filter, name, paged, sort }: Asked) =>
  Effect.gen(function* () {
    const question = [name, filter, sort]
    const { after, limit, page } = yield* Paging.read(question, paged, sort)
    const { list, next, total } = yield* store.records({ filter, sort, window: { page, limit }, after })
    const next_cursor = next === null ? null : Paging.cursor(question, limit, page + 1, next)
    return { list, total, current_page: page, next_cursor }
  })

const shown = <Row>(page: Answer.Page<TradeRow>, show: (row: TradeRow) => Row): Answer.Page<Row> => ({
  ...page,
  list: page.list.map(show)
})

const nothing: Answer.Page<never> = { list: [], total: 0, current_page: 1, next_cursor: null }

export const Records = Answer.Page(Answer.CustomsRecord)

export const records = (means: Means): Operation<typeof Questions.RecordsRequest, typeof Records> => ({
  name: "customs.records",
  answer: Records,
  ...row,
  ask: (request) => {
    const asked = { name: "records", filter: Request.filterOf(request), sort: Request.sortOf(request), paged: request }
    return Effect.map(found(means, asked), (page) => shown(page, Answer.recordOf(means.hs)))
  }
})

export const companyRecords = (means: Means): Operation<typeof Questions.CompanyRecordsRequest, typeof Records> => ({
  name: "customs.company_records",
  answer: Records,
  ...row,
  ask: (request) => {
    const trader = { trader_id: companyOf(request), role: Request.roleIn(request) }
    const filter = { ...Request.filterOf(request), trader }
    const asked = { name: "company_records", filter, sort: Request.sortOf(request), paged: request }
    return Effect.map(found(means, asked), (page) => shown(page, Answer.recordOf(means.hs)))
  }
})

export const SupplierRecords = Answer.Page(Answer.SupplierRecord)

/** Suppliers in China, with what they have exported in all. */
export const chineseSuppliers = (means: Means): Operation<typeof Questions.RecordsRequest, typeof SupplierRecords> => ({
  name: "customs.chinese_suppliers",
  answer: SupplierRecords,
  ...row,
  ask: Effect.fnUntraced(function* (request) {
    const filter = { ...Request.filterOf(request), exporter_countries: ["CN"] }
    const asked = { name: "chinese_suppliers", filter, sort: Request.sortOf(request), paged: request }
    const page = yield* found(means, asked)
    const ids = [...new Set(page.list.flatMap(({ exporter_id }) => exporter_id ?? []))]
    const totals = ids.length === 0 ? [] : yield* means.store.totals(ids, "exporter")
    const suppliers = new Map(totals.map((one) => [one.trader_id, Answer.supplierOf(one)]))
    const show = Answer.recordOf(means.hs)
    return shown(page, (row) => ({ ...show(row), supplier: suppliers.get(row.exporter_id ?? "") ?? null }))
  })
})

type Merchants = typeof Questions.MerchantsRequest.Type

/** The trader that is meant: by its id, else by its name; `null` where nobody has it. */
const meant = Effect.fnUntraced(function* ({ store }: Means, request: Merchants) {
  const id = Request.companyOf(request)
  if (id !== null || request.name === undefined) return id
  const country = Request.countryOf(request.country)
  const [best] = yield* TraderLookup.find(store, { name: request.name, country })
  return best?.candidate.trader_id ?? null
})

const ofMerchant = Effect.fnUntraced(function* (means: Means, request: Merchants & Paging.Paged) {
  const trader_id = yield* meant(means, request)
  if (trader_id === null) return nothing
  const trader = { trader_id, role: Request.roleIn(request) }
  const filter = { ...TradeFilter.all, ...Request.datesOf(request), trader }
  return yield* found(means, { name: "merchants", filter, sort: Request.sortOf(request), paged: request })
})

export const merchants = (means: Means): Operation<typeof Questions.MerchantsRequest, typeof Records> => ({
  name: "customs.merchants",
  answer: Records,
  ...row,
  ask: (request) =>
    Effect.map(ofMerchant(means, request), (page) => ({
      ...shown(page, Answer.recordOf(means.hs)),
      // Its pages have numbers alone.
      next_cursor: null
    }))
})

export const FullRecords = Answer.Page(Answer.FullRecord)

export const merchantsNew = (means: Means): Operation<typeof Questions.MerchantsNewRequest, typeof FullRecords> => ({
  name: "customs.merchants_new",
  answer: FullRecords,
  ...row,
  ask: (request) => Effect.map(ofMerchant(means, request), (page) => shown(page, Answer.fullRecordOf(means.hs)))
})
