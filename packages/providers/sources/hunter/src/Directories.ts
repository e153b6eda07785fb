/**
 * Hunter's two searches as directories. A position is a number of hits to be skipped.
 */
import type { CompanyDirectory } from "@lading/core/company"
import type { PersonDirectory } from "@lading/core/person"
import { Directory, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Effect, Option } from "effect"
import { HttpClientRequest } from "effect/http"
import type { Ask } from "./Asking.ts"
import * as Discover from "./Discover.ts"
import * as DomainSearch from "./DomainSearch.ts"
import { source } from "./Refusal.ts"

/** How many hits are skipped, and how many are asked for. */
const placeOf = Effect.fnUntraced(function* <Filter>(search: Directory.Search<Filter>, pageSize: number, last: number) {
  const offset = Number((yield* Directory.position(source, search)) ?? "0")
  if (!Number.isInteger(offset) || offset < 0 || offset > last) {
    return yield* new SourceError.InvalidInput({ source, problem: "no such page" })
  }
  return { offset, limit: Directory.size(search, pageSize) }
})

const nobody: Directory.Page<never> = { hits: [], total: 0, next: null }

const unanswerable = () => new SourceError.InvalidInput({ source, problem: "a filter that Hunter does not have" })

const readCompanies = VendorHttp.decode(source, Discover.Answer)
const readCompany = VendorHttp.decode(source, Discover.Found)

const companyHit = (raw: unknown): Effect.Effect<CompanyDirectory.CompanyHit, SourceError.InvalidResponse> =>
  Effect.map(readCompany(raw), (found) => ({ source, id: found.domain, facts: Discover.facts(found), raw }))

export const companies = (ask: Ask): CompanyDirectory.CompanyDirectory["Service"] => ({
  filters: Discover.filters,
  cost: { units: 0, records: null, unit: "credit" },
  // 5 a second and 50 a minute.
  limits: { concurrency: 4, rate: { calls: 5, window: 6_000 }, timeout: 20_000 },
  pageSize: Discover.PAGE_SIZE,
  repeatable: true,
  accepts: Discover.accepts,
  search: Effect.fnUntraced(function* (search, credential) {
    if (!Discover.accepts(search.filter)) return yield* unanswerable()
    const { limit, offset } = yield* placeOf(search, Discover.PAGE_SIZE, Discover.LAST_OFFSET)
    const end = offset + limit
    const onFirst = end <= Discover.PAGE_SIZE
    const request = HttpClientRequest.post(Discover.path).pipe(
      HttpClientRequest.bodyJsonUnsafe({ ...Discover.question(search.filter), ...(onFirst ? {} : { limit, offset }) })
    )
    const body = yield* ask(request, credential)
    if (Option.isNone(body)) return nobody
    const { data, meta } = yield* readCompanies(body.value)
    return {
      hits: yield* Effect.forEach(onFirst ? data.slice(offset, end) : data, companyHit),
      total: meta.results,
      next: end < meta.results && end <= Discover.LAST_OFFSET ? Directory.cursor(source, search, end) : null
    }
  })
})

const readPeople = VendorHttp.decode(source, DomainSearch.Answer)
const readPerson = VendorHttp.decode(source, DomainSearch.Found)

const personHit =
  (answer: DomainSearch.Answer) =>
  (raw: unknown): Effect.Effect<ReadonlyArray<PersonDirectory.PersonHit>, SourceError.InvalidResponse> =>
    Effect.map(readPerson(raw), (found) =>
      DomainSearch.isPerson(found)
        ? [
            {
              source,
              id: found.value,
              facts: DomainSearch.facts(answer, found),
              last_name_hint: null,
              seniority: found.seniority ?? null,
              department: found.department ?? null,
              raw
            }
          ]
        : []
    )

const domainSearch = (filter: PersonDirectory.PersonFilter, offset: number, limit: number) => {
  const question = DomainSearch.question(filter, offset, limit)
  const location = DomainSearch.location(filter)
  return location === null
    ? HttpClientRequest.get(DomainSearch.path, { urlParams: question })
    : HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(DomainSearch.path), {
        ...question,
        limit,
        offset,
        ...location
      })
}

export const people = (ask: Ask): PersonDirectory.PersonDirectory["Service"] => ({
  filters: DomainSearch.filters,
  cost: { units: 1, records: 10, unit: "credit" },
  // 15 a second and 500 a minute.
  limits: { concurrency: 8, rate: { calls: 15, window: 1_800 }, timeout: 20_000 },
  pageSize: DomainSearch.PAGE_SIZE,
  repeatable: true,
  accepts: DomainSearch.accepts,
  search: Effect.fnUntraced(function* (search, credential) {
    if (!DomainSearch.accepts(search.filter)) return yield* unanswerable()
    const { limit, offset } = yield* placeOf(search, DomainSearch.PAGE_SIZE, Number.MAX_SAFE_INTEGER)
    const body = yield* ask(domainSearch(search.filter, offset, limit), credential)
    if (Option.isNone(body)) return nobody
    const answer = yield* readPeople(body.value)
    const end = offset + limit
    return {
      hits: (yield* Effect.forEach(answer.data.emails, personHit(answer))).flat(),
      total: answer.meta.results,
      next: end < answer.meta.results ? Directory.cursor(source, search, end) : null
    }
  })
})
