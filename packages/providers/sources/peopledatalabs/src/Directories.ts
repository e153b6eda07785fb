/**
 * The two searches as directories. A page is gone on from with the vendor's scroll token.
 *
 * Gotchas
 * - Nothing found is a 404, as everywhere at this vendor.
 * - Every record on a page is paid for: no more are asked for than are wanted.
 */
import { Effect, Option, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import type { CompanyDirectory } from "@lading/core/company"
import type { PersonDirectory } from "@lading/core/person"
import { Directory, type Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import type { Ask } from "./Asking.ts"
import * as Company from "./Company.ts"
import * as CompanySearch from "./CompanySearch.ts"
import { given, text } from "./Given.ts"
import * as Person from "./Person.ts"
import * as PersonSearch from "./PersonSearch.ts"
import type { Query } from "./Query.ts"
import { source } from "./Refusal.ts"

const PAGE_SIZE = 100

/** The default of every plan: 10 a minute. */
const limits: Source.Limits = { concurrency: 2, rate: { calls: 10, window: 60_000 }, timeout: 20_000 }

/** A page of the answer. */
const Answer = Schema.Struct({
  data: Schema.Array(Schema.Unknown),
  total: Schema.Int,
  scroll_token: given(Schema.String)
})
const readAnswer = VendorHttp.decode(source, Answer)

/** What is in a cursor: how many hits came before, and the vendor's token. */
const Place = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.String]))
const readPlace = Schema.decodeUnknownOption(Place)

const placeOf = Effect.fnUntraced(function* <Filter>(search: Directory.Search<Filter>) {
  const position = yield* Directory.position(source, search)
  if (position === null) return { seen: 0, token: null }
  const place = readPlace(position)
  if (Option.isNone(place)) return yield* new SourceError.InvalidInput({ source, problem: "no such page" })
  const [seen, token] = place.value
  return { seen, token }
})

interface Searched {
  readonly records: ReadonlyArray<unknown>
  readonly total: number
  readonly next: string | null
}

/** One page of records. */
const searching = (ask: Ask, path: string) =>
  Effect.fnUntraced(function* <Filter>(
    search: Directory.Search<Filter>,
    query: Query,
    credential: Source.Credential
  ): Effect.fn.Return<Searched, SourceError.SourceError> {
    const { seen, token } = yield* placeOf(search)
    const question = {
      query,
      size: Directory.size(search, PAGE_SIZE),
      titlecase: true,
      ...(token === null ? {} : { scroll_token: token })
    }
    const body = yield* ask(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), question), credential)
    if (Option.isNone(body)) return { records: [], total: seen, next: null }
    const { data, scroll_token, total } = yield* readAnswer(body.value)
    const onward = text(scroll_token)
    const end = seen + data.length
    const goesOn = onward !== null && data.length > 0 && end < total
    return {
      records: data,
      total,
      next: goesOn ? Directory.cursor(source, search, JSON.stringify([end, onward])) : null
    }
  })

const unanswerable = () => new SourceError.InvalidInput({ source, problem: "a filter that this vendor does not have" })

const readCompany = VendorHttp.decode(source, Company.Company)

const companyHit = (raw: unknown): Effect.Effect<CompanyDirectory.CompanyHit, SourceError.InvalidResponse> =>
  Effect.map(readCompany(raw), (company) => ({ source, id: text(company.id), facts: Company.facts(company), raw }))

export const companies = (ask: Ask): CompanyDirectory.CompanyDirectory["Service"] => {
  const ofCompanies = searching(ask, CompanySearch.path)
  return {
    filters: CompanySearch.filters,
    cost: { units: 1, records: 1, unit: "company search credit" },
    limits,
    pageSize: PAGE_SIZE,
    repeatable: true,
    accepts: CompanySearch.accepts,
    search: Effect.fnUntraced(function* (search, credential) {
      if (!CompanySearch.accepts(search.filter)) return yield* unanswerable()
      const { next, records, total } = yield* ofCompanies(search, CompanySearch.query(search.filter), credential)
      return { hits: yield* Effect.forEach(records, companyHit), total, next }
    })
  }
}

const readPerson = VendorHttp.decode(source, Person.Person)
const readClasses = VendorHttp.decode(source, PersonSearch.Classes)

const personHit = Effect.fnUntraced(function* (
  raw: unknown
): Effect.fn.Return<PersonDirectory.PersonHit, SourceError.InvalidResponse> {
  const person = yield* readPerson({ data: raw })
  const classes = yield* readClasses(raw)
  return {
    source,
    id: text(person.data.id),
    facts: Person.facts(person),
    last_name_hint: null,
    seniority: PersonSearch.seniorityOf(classes),
    department: PersonSearch.departmentOf(classes),
    raw
  }
})

export const people = (ask: Ask): PersonDirectory.PersonDirectory["Service"] => {
  const ofPeople = searching(ask, PersonSearch.path)
  return {
    filters: PersonSearch.filters,
    cost: { units: 1, records: 1, unit: "person search credit" },
    limits,
    pageSize: PAGE_SIZE,
    repeatable: true,
    accepts: PersonSearch.accepts,
    search: Effect.fnUntraced(function* (search, credential) {
      if (!PersonSearch.accepts(search.filter)) return yield* unanswerable()
      const { next, records, total } = yield* ofPeople(search, PersonSearch.query(search.filter), credential)
      return { hits: yield* Effect.forEach(records, personHit), total, next }
    })
  }
}
