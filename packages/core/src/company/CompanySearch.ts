/**
 * Company search: companies by filters, with facets, from what this installation knows and, where they are named, from
 * vendors' directories. `POST /api/company/search` is this use case behind HTTP.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { CircuitBreaker, RateLimiter } from "effect/persistence"
import * as Suppression from "../account/Suppression.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import type { Caller } from "../request/Caller.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import { Domain } from "../request/Named.ts"
import * as Directories from "../search/Directories.ts"
import * as SearchList from "../search/SearchList.ts"
import * as SearchOperation from "../search/SearchOperation.ts"
import * as SearchPage from "../search/SearchPage.ts"
import * as SearchSources from "../search/SearchSources.ts"
import * as Request from "../trade/CustomsRequest.ts"
import * as Paging from "../trade/Paging.ts"
import * as DomainName from "../value/DomainName.ts"
import type * as Allowances from "../waterfall/Allowances.ts"
import type { Span } from "../waterfall/Directory.ts"
import * as Guard from "../waterfall/Guard.ts"
import { Slots } from "../waterfall/Slots.ts"
import type { CompanyHit } from "./CompanyDirectory.ts"
import { Facets } from "./CompanyFacets.ts"
import { CompanyIndex } from "./CompanyIndex.ts"
import { type Filter, matches, Position, type Row } from "./CompanyQuestion.ts"
import { CompanySummary, type Item, itemOf, merged, same, saidBy, unlisted } from "./FoundCompany.ts"

export const CompanySearchRequest = Schema.Struct({
  query: Schema.optional(Request.Words).annotate({
    description: "Words of a name or of the domain; of the last one the beginning is enough"
  }),
  domains: Request.list(Domain),
  countries: Request.list(Request.CountryName),
  industries: Request.list(Request.Words).annotate({
    description: "Names or codes as in /api/reference/industries; a section or division means all in it"
  }),
  technologies: Request.list(Request.Words),
  employee_range: Schema.optional(Request.Range),
  founded_range: Schema.optional(Request.Range).annotate({ description: "Years" }),
  has_trade: Schema.optional(Schema.Boolean).annotate({ description: "Whether customs records name it" }),
  facets: Schema.optional(Schema.Boolean).annotate({ description: "true on the first page unless said otherwise" }),
  ...Request.pagingFields,
  ...SearchSources.sourceFields
})
  .check(Request.whole())
  .annotate({ identifier: "CompanySearchRequest" })
export type CompanySearchRequest = typeof CompanySearchRequest.Type

const Page = Schema.Struct({
  list: Schema.Array(CompanySummary),
  total: Schema.NullOr(Schema.Int).annotate({
    description: "Of the sources that were reached; null where one does not say"
  }),
  current_page: Schema.Int,
  next_cursor: Schema.NullOr(Schema.String),
  facets: Schema.NullOr(Facets).annotate({
    description: "Of own; null on later pages and where they are not asked for"
  })
})

export const CompanySearchResult = SearchOperation.Answer(Page).annotate({ identifier: "CompanySearchResult" })
export type CompanySearchResult = typeof CompanySearchResult.Type

const codec = Schema.fromJsonString(CompanySearchResult)

export type CompanySearchError = SearchOperation.SearchError

export class CompanySearch extends Context.Service<
  CompanySearch,
  {
    readonly search: (
      request: CompanySearchRequest,
      caller: Caller
    ) => Effect.Effect<Billing.Answered<CompanySearchResult>, CompanySearchError>
    /** What the same request would hold, in credits. Nobody is asked. */
    readonly quote: (request: CompanySearchRequest, caller: Caller) => Effect.Effect<number, CompanySearchError>
  }
>()("@lading/core/company/CompanySearch") {}

const spanOf = (range: CompanySearchRequest["employee_range"]): Span | null =>
  range === undefined || (range.min === undefined && range.max === undefined)
    ? null
    : { min: range.min ?? null, max: range.max ?? null }

const filterOf = (request: CompanySearchRequest): Filter => ({
  query: request.query ?? null,
  domains: (request.domains ?? []).flatMap((domain) => DomainName.parse(domain) ?? []),
  countries: [...new Set(Request.codes(request.countries))],
  industries: request.industries ?? [],
  technologies: request.technologies ?? [],
  employee_range: spanOf(request.employee_range),
  founded_range: spanOf(request.founded_range),
  has_trade: request.has_trade ?? null
})

/** A hit of a list: a company that is known here, or a vendor's record. */
type Hit = { readonly _tag: "Known"; readonly row: Row } | { readonly _tag: "Vendor"; readonly hit: CompanyHit }

const PositionText = Schema.fromJsonString(Position)
const readPosition = Schema.decodeUnknownOption(PositionText)

/** What this installation knows, as a list. Its first page is the one that the request counts to. */
const ownList = (
  index: CompanyIndex["Service"],
  filter: Filter,
  account: string,
  page: number
): SearchList.List<Hit> => ({
  source: SearchList.own,
  price: Credits.zero,
  ask: (limit, position) => {
    const after = position === null ? null : Option.getOrNull(readPosition(position))
    if (position !== null && after === null) return Effect.fail({ _tag: "WrongPosition" })
    return index.search({ filter, account, page, limit, after }).pipe(
      Effect.map(({ list, next, total }) => ({
        rows: list.map((row) => ({ _tag: "Known", row }) as const),
        total,
        next: next === null ? null : JSON.stringify(next)
      })),
      Effect.catch(({ problem }) =>
        Effect.andThen(
          Effect.logWarning("the index of companies does not answer", problem),
          Effect.fail({ _tag: "Failed", reason: "unavailable" } as const)
        )
      )
    )
  }
})

/** The items with one more: merged with the one that is the same, else behind them. */
const put = (items: ReadonlyArray<Item>, item: Item): ReadonlyArray<Item> => {
  const index = items.findIndex((one) => same(one, item))
  const before = items[index]
  return before === undefined ? [...items, item] : items.with(index, merged(before, item))
}

/** A vendor's records beside the items. What is known here was listed by `own` before, if its filter finds it. */
const withVendors = (
  items: ReadonlyArray<Item>,
  hits: ReadonlyArray<CompanyHit>,
  known: ReadonlyArray<Row | null>,
  source: string,
  wasListed: (row: Row) => boolean
): ReadonlyArray<Item> => {
  let all = items
  hits.forEach(({ facts }, index) => {
    const row = known[index] ?? null
    const said = itemOf(unlisted(saidBy(facts)), source)
    if (row === null) {
      all = put(all, said)
      return
    }
    const item = merged({ ...itemOf(row.company, SearchList.own) }, said)
    const isHere = all.some(({ company_id }) => company_id === item.company_id)
    if (isHere || !wasListed(row)) all = put(all, item)
  })
  return all
}

interface Means extends SearchOperation.Means {
  readonly index: CompanyIndex["Service"]
  readonly slots: Slots["Service"]
  readonly guard: Guard.Guard
}

const adding = ({ index }: Means, filter: Filter, account: string, searchesOwn: boolean) =>
  Effect.fnUntraced(function* (items: ReadonlyArray<Item>, rows: ReadonlyArray<Hit>, source: string) {
    const own = rows.flatMap((row) => (row._tag === "Known" ? [itemOf(row.row.company, source)] : []))
    const hits = rows.flatMap((row) => (row._tag === "Vendor" ? [row.hit] : []))
    if (hits.length === 0) return [...items, ...own]
    const identities = hits.map(({ facts }) => saidBy(facts))
    // Without the index nothing is known, and nothing was listed by it.
    const known = yield* Effect.orElseSucceed(index.known(identities, account), () => [])
    return withVendors(items, hits, known, source, (row) => searchesOwn && matches(filter, row))
  })

/** Vendors know nothing of customs records, so nobody of them is asked about those. */
const vendorsOf = (means: Means, { slots }: SearchSources.Chosen, filter: Filter, deadline: number) => {
  const { has_trade, ...asked } = filter
  return Directories.lists(slots, {
    guard: means.guard,
    prices: means.billing.prices,
    operation: "company",
    directoryOf: ({ companyDirectory }) => companyDirectory,
    filter: asked,
    refused: has_trade !== null,
    deadline,
    hit: (hit): Hit => ({ _tag: "Vendor", hit })
  })
}

const prepare = Effect.fnUntraced(function* (
  means: Means,
  request: CompanySearchRequest,
  caller: Caller
): Effect.fn.Return<SearchOperation.Search<Hit, Item, typeof Page.Type>, InvalidRequest> {
  const { index, slots } = means
  const chosen = yield* SearchSources.chosen(request.sources, slots)
  if ((request.page ?? 1) > 1 && chosen.slots.length > 0)
    return yield* at("page", "Expected next_cursor as cursor: pages of vendors cannot be counted")
  const filter = filterOf(request)
  const limit = Paging.limitOf(request)
  const names = [...(chosen.own ? [SearchList.own] : []), ...chosen.slots.map(({ name }) => name)]
  const question = ["company", filter, names, limit]
  const page = request.page ?? 1
  const place = yield* SearchPage.placeOf(question, { cursor: request.cursor, limit, page })
  const deadline = caller.received_at + SearchOperation.timeout
  const vendors = vendorsOf(means, chosen, filter, deadline)
  const wantsFacets = request.facets ?? (page === 1 && request.cursor === undefined)
  const facets = wantsFacets ? Effect.option(index.facets(filter, caller.account)) : Effect.succeed(Option.none())
  return {
    question,
    place,
    limit,
    lists: [...(chosen.own ? [ownList(index, filter, caller.account, page)] : []), ...vendors.lists],
    skips: vendors.skips,
    ceiling: request.max_credits === undefined ? null : Credits.floor(request.max_credits),
    deadline,
    add: adding(means, filter, caller.account, chosen.own),
    finish: (listed) => Effect.map(facets, (found) => ({ ...listed, facets: Option.getOrNull(found) }))
  }
})

const make = Effect.fnUntraced(function* (policy: Guard.Policy) {
  const slots = yield* Slots
  const means: Means = {
    billing: yield* Billing.Billing,
    suppression: yield* Suppression.Suppression,
    index: yield* CompanyIndex,
    slots,
    // Circuits of searches have names of their own, which no metric shows.
    guard: yield* Guard.make([], policy)
  }
  return CompanySearch.of({
    quote: (request, caller) =>
      Effect.map(prepare(means, request, caller), (search) => SearchOperation.held(means, search)),
    search: Effect.fnUntraced(
      function* (request, caller) {
        const search = yield* prepare(means, request, caller)
        return yield* SearchOperation.run(means, "company.search", codec, search, caller)
      },
      (searching) => Effect.withSpan(searching, "CompanySearch.search", { captureStackTrace: false })
    )
  })
})

/** What both searches want. */
export type Needs =
  | Billing.Billing
  | Slots
  | Suppression.Suppression
  | Allowances.Allowances
  | CircuitBreaker.CircuitBreakerStore
  | RateLimiter.RateLimiterStore

export const layer = (policy: Guard.Policy = Guard.defaults): Layer.Layer<CompanySearch, never, Needs | CompanyIndex> =>
  Layer.effect(CompanySearch, make(policy))
