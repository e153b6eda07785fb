/**
 * Apollo's two searches as directories. Pages are numbered from 1, with at most 100 hits, up to the 500th.
 */
import type { CompanyDirectory } from "@lading/core/company"
import type { PersonDirectory } from "@lading/core/person"
import { Directory, type Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import type { Ask } from "./Asking.ts"
import * as CompanySearch from "./CompanySearch.ts"
import * as PersonSearch from "./PersonSearch.ts"
import { source } from "./Refusal.ts"

const PAGE_SIZE = 100

/** Beyond it Apollo shows nothing. */
const LAST_PAGE = 500

/** Searches on a paid plan: 200 a minute for a team and a path. */
const limits: Source.Limits = { concurrency: 4, rate: { calls: 200, window: 60_000 }, timeout: 20_000 }

/** The page that a search goes on with, and how many hits are on each of its pages. */
const placeOf = Effect.fnUntraced(function* <Filter>(search: Directory.Search<Filter>) {
  const page = Number((yield* Directory.position(source, search)) ?? "1")
  if (!Number.isInteger(page) || page < 1 || page > LAST_PAGE) {
    return yield* new SourceError.InvalidInput({ source, problem: "no such page" })
  }
  return { page, perPage: Directory.size(search, PAGE_SIZE) }
})

/** The cursor of the page after this one, where there are more hits than on the pages up to it. */
const nextOf = (search: Directory.Search<unknown>, page: number, pages: number): string | null =>
  page < Math.min(pages, LAST_PAGE) ? Directory.cursor(source, search, page + 1) : null

const unanswerable = () => new SourceError.InvalidInput({ source, problem: "a filter that Apollo does not have" })

const readCompanies = VendorHttp.decode(source, CompanySearch.Answer)
const readCompany = VendorHttp.decode(source, CompanySearch.Found)

const companyHit = (raw: unknown): Effect.Effect<CompanyDirectory.CompanyHit, SourceError.InvalidResponse> =>
  Effect.map(readCompany(raw), (found) => ({
    source,
    id: CompanySearch.idOf(found),
    facts: CompanySearch.facts(found),
    raw
  }))

export const companies = (ask: Ask): CompanyDirectory.CompanyDirectory["Service"] => ({
  filters: CompanySearch.filters,
  cost: { units: 1, records: null, unit: "credit" },
  limits,
  pageSize: PAGE_SIZE,
  repeatable: true,
  accepts: CompanySearch.accepts,
  search: Effect.fnUntraced(function* (search, credential) {
    if (!CompanySearch.accepts(search.filter)) return yield* unanswerable()
    const { page, perPage } = yield* placeOf(search)
    const request = HttpClientRequest.post(CompanySearch.path).pipe(
      HttpClientRequest.bodyJsonUnsafe(CompanySearch.question(search.filter, page, perPage))
    )
    const { accounts, organizations, pagination } = yield* readCompanies(
      yield* ask("organizations", request, credential)
    )
    return {
      hits: yield* Effect.forEach([...(accounts ?? []), ...organizations], companyHit),
      total: pagination.total_entries,
      next: nextOf(search, page, pagination.total_pages)
    }
  })
})

const readPeople = VendorHttp.decode(source, PersonSearch.Answer)
const readPerson = VendorHttp.decode(source, PersonSearch.Found)

const personHit = (raw: unknown): Effect.Effect<PersonDirectory.PersonHit, SourceError.InvalidResponse> =>
  Effect.map(readPerson(raw), (found) => ({
    source,
    id: found.id,
    facts: PersonSearch.facts(found),
    last_name_hint: PersonSearch.hintOf(found),
    seniority: null,
    department: null,
    raw
  }))

export const people = (ask: Ask): PersonDirectory.PersonDirectory["Service"] => ({
  filters: PersonSearch.filters,
  cost: { units: 0, records: null, unit: "credit" },
  limits,
  pageSize: PAGE_SIZE,
  repeatable: true,
  accepts: PersonSearch.accepts,
  search: Effect.fnUntraced(function* (search, credential) {
    if (!PersonSearch.accepts(search.filter)) return yield* unanswerable()
    const { page, perPage } = yield* placeOf(search)
    const request = HttpClientRequest.post(PersonSearch.path).pipe(
      HttpClientRequest.bodyJsonUnsafe(PersonSearch.question(search.filter, page, perPage))
    )
    const { people, total_entries } = yield* readPeople(yield* ask("people", request, credential))
    return {
      hits: yield* Effect.forEach(people, personHit),
      total: total_entries,
      next: nextOf(search, page, Math.ceil(total_entries / perPage))
    }
  })
})
