/**
 * How a company of the customs records is reached: pages that speak of it. `POST /api/customs/companies/semantic-query`
 * is this use case behind HTTP. It costs one price a call with a hit; without a domain nothing is read, and it is free.
 */
import { Context, Effect, Layer, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Billing from "../billing/Billing.ts"
import type { InvalidRequest } from "../request/InvalidRequest.ts"
import * as Request from "../trade/CustomsRequest.ts"
import * as TraderLookup from "../trade/search/TraderLookup.ts"
import { type Ask, perCall, running, type TradeOperation } from "../trade/TradeOperation.ts"
import { TradeStore, type TradeStoreError } from "../trade/TradeStore.ts"
import * as TraderDomains from "../trade/TraderDomains.ts"
import * as Mentions from "../value/Mentions.ts"
import * as OwnAddresses from "./OwnAddresses.ts"
import { ContactFinder, type ContactFinderUnavailable, type Sought, WebContact } from "./ContactFinder.ts"

export const SemanticQueryRequest = Schema.Struct({
  company_name: Schema.optional(Request.Words),
  ...Request.companyFields
})
  .check(
    Request.whole(),
    Schema.makeFilter((request) =>
      request.company_name === undefined && Request.companyOf(request) === null
        ? { path: ["company_name"], issue: "Expected the name of a company, or its id" }
        : undefined
    )
  )
  .annotate({ identifier: "SemanticQueryRequest" })

export const WebContactList = Schema.Array(WebContact)

export type WebContactsError =
  | InvalidRequest
  | TradeStoreError
  | TraderDomains.TraderDomainsUnavailable
  | Suppression.SuppressionUnavailable
  | ContactFinderUnavailable

export class WebContacts extends Context.Service<
  WebContacts,
  {
    readonly semanticQuery: Ask<typeof SemanticQueryRequest.Type, typeof WebContactList.Type, WebContactsError>
  }
>()("@lading/core/contact/WebContacts") {}

interface Means {
  readonly store: TradeStore["Service"]
  readonly domains: TraderDomains.TraderDomains["Service"]
  readonly suppression: Suppression.Suppression["Service"]
  readonly finder: ContactFinder["Service"]
}

/** The trader by its id, else by its name; a name that is nobody's in the records is looked for all the same. */
const soughtOf = Effect.fnUntraced(function* ({ domains, store }: Means, request: typeof SemanticQueryRequest.Type) {
  const id = Request.companyOf(request)
  const name = request.company_name ?? null
  const details = id === null ? null : yield* store.details(id)
  const [named] = id === null && name !== null ? yield* TraderLookup.find(store, { name, country: null }) : []
  const trader = details ?? named?.candidate ?? (name === null ? null : { trader_id: "", name, country: null })
  if (trader === null) return null
  const domain = yield* domains.find(trader)
  return { name: trader.name, country: trader.country, domain }
})

const contacts = (
  means: Means
): TradeOperation<
  typeof SemanticQueryRequest.Type,
  typeof WebContactList.Type,
  typeof WebContactList.Encoded,
  WebContactsError
> => {
  const { finder, suppression } = means
  /** Nobody is asked about a company that has objected, and nothing is shown of anybody who has. */
  const shown = Effect.fnUntraced(function* (sought: Sought) {
    const { domain } = sought
    const own = domain === null ? [] : [TraderDomains.handleOf(domain)]
    if ((yield* suppression.find(() => own)).size > 0) return []
    const found = OwnAddresses.only(domain, yield* finder.find(sought))
    const objected = yield* suppression.find(() => Mentions.of(found))
    return found.filter((contact) => !Mentions.of(contact).some((handle) => objected.has(handle)))
  })
  return {
    name: "customs.semantic_query",
    price: "semantic_query",
    answer: WebContactList,
    ...perCall((found) => found.length > 0),
    ask: Effect.fnUntraced(function* (request) {
      const sought = yield* soughtOf(means, request)
      return sought === null ? [] : yield* shown(sought)
    })
  }
}

const make = Effect.gen(function* () {
  const run = running(yield* Billing.Billing)
  const means: Means = {
    store: yield* TradeStore,
    domains: yield* TraderDomains.TraderDomains,
    suppression: yield* Suppression.Suppression,
    finder: yield* ContactFinder
  }
  return WebContacts.of({ semanticQuery: run(contacts(means)) })
})

export const layer: Layer.Layer<
  WebContacts,
  never,
  Billing.Billing | TradeStore | TraderDomains.TraderDomains | Suppression.Suppression | ContactFinder
> = Layer.effect(WebContacts, make)
