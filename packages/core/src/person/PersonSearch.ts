/**
 * Contact search: people at a company, by title, rank, department and country, from whom this installation knows and, where
 * they are named, from vendors' directories. `POST /api/people/search` is this use case behind HTTP.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import { CompanyIndex } from "../company/CompanyIndex.ts"
import type { Needs } from "../company/CompanySearch.ts"
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
import * as TraderDomains from "../trade/TraderDomains.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Guard from "../waterfall/Guard.ts"
import { Slots } from "../waterfall/Slots.ts"
import * as FoundPerson from "./FoundPerson.ts"
import { KnownPeople, type KnownPerson } from "./KnownPeople.ts"
import { Department, type PersonFilter, type PersonHit, Seniority } from "./PersonDirectory.ts"

const few = <S extends Schema.Top>(of: S) => Schema.optional(Schema.Array(of).check(Schema.isMaxLength(20)))

export const PersonSearchRequest = Schema.Struct({
  company_domain: Schema.optional(Domain),
  company_id: Request.companyFields.company_id,
  titles: few(Request.Words).annotate({ description: "Words that follow one another in a title" }),
  seniorities: few(Seniority),
  departments: few(Department),
  countries: Request.list(Request.CountryName).annotate({ description: "Where the person is" }),
  ...Request.pagingFields,
  ...SearchSources.sourceFields
})
  .check(
    Request.whole(),
    Schema.makeFilter(
      ({ company_domain, company_id }) =>
        company_domain !== undefined ||
        company_id !== undefined || { path: ["company_domain"], issue: "Expected a domain, or a company_id" }
    )
  )
  .annotate({ identifier: "PersonSearchRequest" })
export type PersonSearchRequest = typeof PersonSearchRequest.Type

const Page = Schema.Struct({
  list: Schema.Array(FoundPerson.FoundPerson),
  total: Schema.NullOr(Schema.Int).annotate({
    description: "Of the sources that were reached; null where one does not say"
  }),
  current_page: Schema.Int,
  next_cursor: Schema.NullOr(Schema.String)
})

export const PersonSearchResult = SearchOperation.Answer(Page).annotate({ identifier: "PersonSearchResult" })
export type PersonSearchResult = typeof PersonSearchResult.Type

const codec = Schema.fromJsonString(PersonSearchResult)

export type PersonSearchError = SearchOperation.SearchError | TraderDomains.TraderDomainsUnavailable

export class PersonSearch extends Context.Service<
  PersonSearch,
  {
    readonly search: (
      request: PersonSearchRequest,
      caller: Caller
    ) => Effect.Effect<Billing.Answered<PersonSearchResult>, PersonSearchError>
    /** What the same request would hold, in credits. Nobody is asked. */
    readonly quote: (request: PersonSearchRequest, caller: Caller) => Effect.Effect<number, PersonSearchError>
  }
>()("@lading/core/person/PersonSearch") {}

type Hit =
  | { readonly _tag: "Known"; readonly person: KnownPerson }
  | { readonly _tag: "Vendor"; readonly hit: PersonHit }

/** Where a reader of known people stopped. */
const readAfter = Schema.decodeUnknownOption(Schema.fromJsonString(FoundPerson.Position))

interface Means extends SearchOperation.Means {
  readonly people: KnownPeople["Service"]
  readonly index: CompanyIndex["Service"]
  readonly domains: TraderDomains.TraderDomains["Service"]
  readonly slots: Slots["Service"]
  readonly guard: Guard.Guard
}

/** Whom this installation knows at the company, as a list. */
const ownList = (
  known: Effect.Effect<ReadonlyArray<KnownPerson>, SearchList.Trouble>,
  filter: PersonFilter,
  page: number
): SearchList.List<Hit> => ({
  source: SearchList.own,
  price: Credits.zero,
  ask: (limit, position) => {
    const after = position === null ? null : Option.getOrNull(readAfter(position))
    if (position !== null && after === null) return Effect.fail({ _tag: "WrongPosition" })
    return Effect.map(known, (people) => {
      const found = people.filter((person) => FoundPerson.matches(filter, person)).toSorted(FoundPerson.compare)
      const rest =
        after === null
          ? found.slice((page - 1) * limit)
          : found.filter((person) => FoundPerson.compareTo(person, after) > 0)
      const list = rest.slice(0, limit)
      const last = list.at(-1)
      return {
        rows: list.map((person) => ({ _tag: "Known", person }) as const),
        total: found.length,
        next: rest.length > limit && last !== undefined ? JSON.stringify(FoundPerson.positionOf(last)) : null
      }
    })
  }
})

/** Beside whom is on the page; whom `own` has listed on an earlier one is not listed again. */
const adding =
  (known: Effect.Effect<ReadonlyArray<KnownPerson>, SearchList.Trouble>, filter: PersonFilter, searchesOwn: boolean) =>
  (items: ReadonlyArray<FoundPerson.Item>, rows: ReadonlyArray<Hit>, source: string) =>
    Effect.map(
      Effect.orElseSucceed(known, () => []),
      (people) => {
        let all = items
        for (const row of rows) {
          if (row._tag === "Known") {
            all = all.concat(FoundPerson.ofKnown(row.person))
            continue
          }
          const item = FoundPerson.ofHit(row.hit, source)
          const same = people.find((person) => FoundPerson.same(FoundPerson.ofKnown(person), item))
          const isHere = all.some((one) => FoundPerson.same(one, item))
          if (same !== undefined && !isHere && searchesOwn && FoundPerson.matches(filter, same)) continue
          const whole = same === undefined ? item : FoundPerson.merged(FoundPerson.ofKnown(same), item)
          all = FoundPerson.put(all, whole)
        }
        return all
      }
    )

/** The domain of the company that is meant; `null` where nobody knows one. */
const domainOf = Effect.fnUntraced(function* (
  { domains, index }: Means,
  { company_domain, company_id }: PersonSearchRequest,
  account: string
): Effect.fn.Return<string | null, TraderDomains.TraderDomainsUnavailable> {
  if (company_domain !== undefined) return DomainName.parse(company_domain)
  const row = yield* Effect.orElseSucceed(index.byId(company_id ?? "", account), () => null)
  if (row === null || row.company.domain !== null) return row?.company.domain ?? null
  const { company_id: trader_id, country, name } = row.company
  return yield* domains.find({ trader_id, name: name ?? "", country })
})

/** At nobody's company there is nobody. */
const nowhere = (slots: SearchSources.Chosen): Pick<SearchOperation.Search<Hit, never, never>, "lists" | "skips"> => ({
  lists: [],
  skips: slots.slots.map(({ name }) => ({ source: name, reason: "invalid_input" }))
})

const prepare = Effect.fnUntraced(function* (
  means: Means,
  request: PersonSearchRequest,
  caller: Caller
): Effect.fn.Return<
  SearchOperation.Search<Hit, FoundPerson.Item, typeof Page.Type>,
  InvalidRequest | TraderDomains.TraderDomainsUnavailable
> {
  const chosen = yield* SearchSources.chosen(request.sources, means.slots)
  const page = request.page ?? 1
  if (page > 1 && chosen.slots.length > 0)
    return yield* at("page", "Expected next_cursor as cursor: pages of vendors cannot be counted")
  const domain = yield* domainOf(means, request, caller.account)
  const filter: PersonFilter = {
    company_domain: domain,
    titles: request.titles ?? [],
    seniorities: request.seniorities ?? [],
    departments: request.departments ?? [],
    countries: [...new Set(Request.codes(request.countries))]
  }
  const limit = Paging.limitOf(request)
  const names = [...(chosen.own ? [SearchList.own] : []), ...chosen.slots.map(({ name }) => name)]
  const question = ["person", filter, request.company_id ?? null, names, limit]
  const place = yield* SearchPage.placeOf(question, { cursor: request.cursor, limit, page })
  const deadline = caller.received_at + SearchOperation.timeout
  const known = yield* Effect.cached(knownAt(means, domain, caller.account))
  const vendors =
    domain === null
      ? nowhere(chosen)
      : Directories.lists(chosen.slots, {
          guard: means.guard,
          prices: means.billing.prices,
          operation: "person",
          directoryOf: ({ personDirectory }) => personDirectory,
          filter,
          refused: false,
          deadline,
          hit: (hit): Hit => ({ _tag: "Vendor", hit })
        })
  return {
    question,
    place,
    limit,
    lists: [...(chosen.own ? [ownList(known, filter, page)] : []), ...vendors.lists],
    skips: vendors.skips,
    ceiling: request.max_credits === undefined ? null : Credits.floor(request.max_credits),
    deadline,
    add: adding(known, filter, chosen.own),
    finish: Effect.succeed
  }
})

const knownAt = (
  { people }: Means,
  domain: string | null,
  account: string
): Effect.Effect<ReadonlyArray<KnownPerson>, SearchList.Trouble> =>
  domain === null
    ? Effect.succeed([])
    : Effect.catch(people.at(domain, account), ({ problem }) =>
        Effect.andThen(
          Effect.logWarning("the store of known people does not answer", problem),
          Effect.fail({ _tag: "Failed", reason: "unavailable" } as const)
        )
      )

const make = Effect.fnUntraced(function* (policy: Guard.Policy) {
  const means: Means = {
    billing: yield* Billing.Billing,
    suppression: yield* Suppression.Suppression,
    people: yield* KnownPeople,
    index: yield* CompanyIndex,
    domains: yield* TraderDomains.TraderDomains,
    slots: yield* Slots,
    guard: yield* Guard.make([], policy)
  }
  return PersonSearch.of({
    quote: (request, caller) =>
      Effect.map(prepare(means, request, caller), (search) => SearchOperation.held(means, search)),
    search: Effect.fnUntraced(
      function* (request, caller) {
        const search = yield* prepare(means, request, caller)
        return yield* SearchOperation.run(means, "people.search", codec, search, caller)
      },
      (searching) => Effect.withSpan(searching, "PersonSearch.search", { captureStackTrace: false })
    )
  })
})

export const layer = (
  policy: Guard.Policy = Guard.defaults
): Layer.Layer<PersonSearch, never, Needs | CompanyIndex | KnownPeople | TraderDomains.TraderDomains> =>
  Layer.effect(PersonSearch, make(policy))
