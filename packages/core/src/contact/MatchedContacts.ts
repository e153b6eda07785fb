/**
 * People at a company of the customs records: by its web domain, from the directories of the people sources, asked in the
 * order of the slots until one knows somebody. `POST /api/customs/companies/match-contacts` is this use case behind HTTP.
 * It costs one price a call with a hit; without a domain nobody is asked, and it is free.
 *
 * Gotcha: a hit is one record of one source in its own spelling. Nothing is merged here; enrichment does that.
 */
import { Context, Effect, Layer, Option, Result, Schema, Semaphore } from "effect"
import { Base64Url } from "effect/encoding"
import * as Suppression from "../account/Suppression.ts"
import * as Billing from "../billing/Billing.ts"
import { noFilter, type PersonFilter, type PersonHit } from "../person/PersonDirectory.ts"
import { of as summaryOf, PersonSummary } from "../person/PersonSummary.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import * as Request from "../trade/CustomsRequest.ts"
import * as Paging from "../trade/Paging.ts"
import { type Ask, perCall, running, type TradeOperation } from "../trade/TradeOperation.ts"
import { TradeStore, type TradeStoreError } from "../trade/TradeStore.ts"
import * as TraderDomains from "../trade/TraderDomains.ts"
import * as Mentions from "../value/Mentions.ts"
import { failureReason } from "../waterfall/Asking.ts"
import type * as Directory from "../waterfall/Directory.ts"
import { SourcesUnavailable } from "../waterfall/Enrichment.ts"
import { type Slot, Slots } from "../waterfall/Slots.ts"
import type { Credential } from "../waterfall/Source.ts"
import { type SourceError, TimedOut } from "../waterfall/SourceError.ts"

export const MatchContactsRequest = Schema.Struct({
  ...Request.companyFields,
  titles: Schema.optional(Schema.Array(Request.Words).check(Schema.isMaxLength(20))),
  limit: Request.pageFields.limit,
  ...Request.firstPageField,
  ...Request.cursorFields
})
  .check(Request.whole({ company: "company_id" }))
  .annotate({ identifier: "MatchContactsRequest" })

export const PersonPage = Schema.Struct({
  list: Schema.Array(PersonSummary),
  total: Schema.NullOr(Schema.Int).annotate({ description: "Where the source says it" }),
  current_page: Schema.Int,
  next_cursor: Schema.NullOr(Schema.String)
})
type PersonPage = typeof PersonPage.Type

export type MatchedContactsError =
  | InvalidRequest
  | TradeStoreError
  | TraderDomains.TraderDomainsUnavailable
  | Suppression.SuppressionUnavailable
  | SourcesUnavailable

export class MatchedContacts extends Context.Service<
  MatchedContacts,
  { readonly matchContacts: Ask<typeof MatchContactsRequest.Type, PersonPage, MatchedContactsError> }
>()("@lading/core/contact/MatchedContacts") {}

/** A slot whose directory can be asked with the platform's credential. */
interface Asked {
  readonly name: string
  readonly credential: Credential
  readonly directory: Directory.Directory<PersonFilter, PersonHit>
  readonly lane: Semaphore.Semaphore
}

const askable = ({ byokOnly, credential, name, source }: Slot): ReadonlyArray<Asked> => {
  const directory = source?.personDirectory
  if (directory === undefined || credential === null || byokOnly) return []
  return [{ name, credential, directory, lane: Semaphore.makeUnsafe(directory.limits.concurrency) }]
}

/** Which source the next page is of, its number, and the source's own cursor. */
const Place = Schema.fromJsonString(Schema.Tuple([Schema.String, Schema.Int, Schema.String]))
type Place = typeof Place.Type
const decodePlace = Schema.decodeUnknownOption(Place)

const placeOf = (cursor: string | undefined): Effect.Effect<Place | null, InvalidRequest> => {
  if (cursor === undefined) return Effect.succeed(null)
  const place = Option.flatMap(Result.getSuccess(Base64Url.decodeString(cursor)), decodePlace)
  return Option.isSome(place) ? Effect.succeed(place.value) : Effect.fail(wrongCursor())
}

const wrongCursor = () => at("cursor", "Expected next_cursor of the page before, of the same request")

const nobody: PersonPage = { list: [], total: 0, current_page: 1, next_cursor: null }

/** Nobody who has objected is shown. */
const screened = Effect.fnUntraced(function* (suppression: Suppression.Suppression["Service"], page: PersonPage) {
  const objected = yield* suppression.find(() => Mentions.of(page.list))
  if (objected.size === 0) return page
  return {
    ...page,
    list: page.list.filter((person) => !Mentions.of(person).some((handle) => objected.has(handle)))
  }
})

interface Search {
  readonly filter: PersonFilter
  readonly limit: number
  readonly place: Place | null
}

const search = (asked: Asked, { filter, limit, place }: Search): Effect.Effect<PersonPage, SourceError> => {
  const { credential, directory, lane, name } = asked
  const [, page, cursor] = place ?? [name, 1, null]
  return directory.search({ filter, limit, cursor }, credential).pipe(
    Effect.timeoutOrElse({
      duration: directory.limits.timeout,
      orElse: () => Effect.fail(new TimedOut({ source: name }))
    }),
    lane.withPermits(1),
    Effect.map(({ hits, next, total }) => ({
      list: hits.map((hit) => ({ ...summaryOf(hit), source: name })),
      total,
      current_page: page,
      next_cursor: next === null ? null : Base64Url.encode(JSON.stringify([name, page + 1, next]))
    }))
  )
}

/** Sources one after the other until one knows somebody; fails where none could be asked. */
const searchAll = Effect.fnUntraced(function* (
  all: ReadonlyArray<Asked>,
  asking: Search
): Effect.fn.Return<PersonPage, SourcesUnavailable | InvalidRequest> {
  const failures: Array<{ readonly source: string; readonly reason: string }> = []
  const able = all.filter(
    ({ directory, name }) => directory.accepts(asking.filter) && (asking.place?.[0] ?? name) === name
  )
  if (asking.place !== null && able.length === 0) return yield* wrongCursor()
  for (const asked of able) {
    const found = yield* Effect.result(search(asked, asking))
    if (Result.isSuccess(found)) {
      if (found.success.list.length > 0 || able.length === 1) return found.success
      continue
    }
    if (found.failure._tag === "InvalidInput" && asking.place !== null) return yield* wrongCursor()
    failures.push({ source: asked.name, reason: failureReason(found.failure) })
  }
  return failures.length > 0 && failures.length === able.length
    ? yield* new SourcesUnavailable({ sources: failures })
    : nobody
})

interface Means {
  readonly store: TradeStore["Service"]
  readonly domains: TraderDomains.TraderDomains["Service"]
  readonly suppression: Suppression.Suppression["Service"]
  readonly all: ReadonlyArray<Asked>
}

const contacts = ({
  all,
  domains,
  store,
  suppression
}: Means): TradeOperation<
  typeof MatchContactsRequest.Type,
  PersonPage,
  typeof PersonPage.Encoded,
  MatchedContactsError
> => ({
  name: "customs.match_contacts",
  price: "match_contacts",
  answer: PersonPage,
  ...perCall(({ list }) => list.length > 0),
  ask: Effect.fnUntraced(function* (request) {
    const place = yield* placeOf(request.cursor)
    const trader = yield* store.details(Request.companyOf(request) ?? "")
    const domain = trader === null ? null : yield* domains.find(trader)
    if (domain === null) return nobody
    if ((yield* suppression.find(() => [TraderDomains.handleOf(domain)])).size > 0) return nobody
    const filter = { ...noFilter, company_domain: domain, titles: request.titles ?? [] }
    const found = yield* searchAll(all, { filter, limit: Paging.limitOf(request), place })
    return yield* screened(suppression, found)
  })
})

const make = Effect.gen(function* () {
  const run = running(yield* Billing.Billing)
  const { defaultOrder } = yield* Slots
  const means: Means = {
    store: yield* TradeStore,
    domains: yield* TraderDomains.TraderDomains,
    suppression: yield* Suppression.Suppression,
    all: defaultOrder.flatMap(askable)
  }
  return MatchedContacts.of({ matchContacts: run(contacts(means)) })
})

export const layer: Layer.Layer<
  MatchedContacts,
  never,
  Billing.Billing | TradeStore | TraderDomains.TraderDomains | Suppression.Suppression | Slots
> = Layer.effect(MatchedContacts, make)
