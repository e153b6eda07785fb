/**
 * What searches have in common on the way from a request to an answer: the most that it can cost is held, the page is
 * filled, who has objected is left out, and what came is charged, a price a row and one a page of a vendor's.
 */
import { Effect, Schema } from "effect"
import type * as Suppression from "../account/Suppression.ts"
import * as Bill from "../billing/Bill.ts"
import type * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import type { Caller } from "../request/Caller.ts"
import type { InvalidRequest } from "../request/InvalidRequest.ts"
import * as Mentions from "../value/Mentions.ts"
import { DeadlineExceeded, SourcesUnavailable, within } from "../waterfall/Enrichment.ts"
import * as WaterfallOptions from "../waterfall/WaterfallOptions.ts"
import type { List, Skip } from "./SearchList.ts"
import * as SearchPage from "./SearchPage.ts"
import { BillingMeta, SourcesMeta } from "./SearchSources.ts"

/** How long a search may take, in milliseconds. */
export const timeout = WaterfallOptions.timeout.default

const Meta = Schema.Struct({ billing: BillingMeta, sources: SourcesMeta }).annotate({ identifier: "SearchMeta" })
type Meta = typeof Meta.Type

/** An answer with this data. */
export const Answer = <Data extends Schema.Top>(data: Data) =>
  Schema.Struct({
    success: Schema.Literal(true),
    request_id: Schema.String,
    data,
    meta: Meta,
    error: Schema.Null
  })

interface Answer<Data> {
  readonly success: true
  readonly request_id: string
  readonly data: Data
  readonly meta: Meta
  readonly error: null
}

export type SearchError =
  | InvalidRequest
  | SourcesUnavailable
  | DeadlineExceeded
  | Suppression.SuppressionUnavailable
  | Billing.BillingError

/** A page as it is shown. */
export interface Listed<Item> {
  readonly list: ReadonlyArray<Item & { readonly credits: number }>
  readonly total: number | null
  readonly current_page: number
  readonly next_cursor: string | null
}

/** What is searched, ready to be asked. */
export interface Search<Row, Item, Data> {
  readonly question: unknown
  readonly place: SearchPage.Place
  readonly limit: number
  readonly lists: ReadonlyArray<List<Row>>
  readonly skips: ReadonlyArray<Skip>
  readonly ceiling: Credits.Credits | null
  readonly deadline: number
  readonly add: SearchPage.Asking<Row, Item>["add"]
  /** What is answered beside the page. */
  readonly finish: (listed: Listed<Item>) => Effect.Effect<Data>
}

export interface Means {
  readonly billing: Billing.Billing["Service"]
  readonly suppression: Suppression.Suppression["Service"]
}

/** An item says which sources know it. */
interface Sourced {
  readonly sources: ReadonlyArray<string>
}

const waits: ReadonlySet<string> = new Set(["circuit_open", "rate_limited"])

/** Somebody should have answered and nobody did. */
const failureOf = ({ attempted, failed, skipped }: SearchPage.Filled<unknown>) => {
  const busy = skipped.filter(({ reason }) => waits.has(reason))
  if (attempted.length > failed.length || failed.length + busy.length === 0) {
    const late = attempted.length === 0 && skipped.some(({ reason }) => reason === "deadline_exceeded")
    return late ? new DeadlineExceeded({ timeout_ms: timeout }) : null
  }
  return new SourcesUnavailable({ sources: [...failed, ...busy] })
}

const screened = Effect.fnUntraced(function* <Item>({ suppression }: Means, items: ReadonlyArray<Item>) {
  const objected = yield* suppression.find(() => Mentions.of(items))
  return objected.size === 0 ? items : items.filter((item) => !Mentions.of(item).some((handle) => objected.has(handle)))
})

/** What a vendor's page cost goes in equal parts to the rows that it is a source of, the first takes what is left over. */
const priced = <Item extends Sourced>(
  items: ReadonlyArray<Item>,
  row: Credits.Credits,
  paid: ReadonlyMap<string, Credits.Credits>
): Listed<Item>["list"] => {
  const shares = items.map(() => Number(row))
  for (const [source, price] of paid) {
    const of = items.flatMap(({ sources }, index) => (sources.includes(source) ? [index] : []))
    const share = Math.floor(price / Math.max(1, of.length))
    of.forEach((index, position) => {
      shares[index] = (shares[index] ?? 0) + share + (position === 0 ? price - share * of.length : 0)
    })
  }
  return items.map((item, index) => ({ ...item, credits: Credits.toNumber(Credits.of(shares[index] ?? 0)) }))
}

const metaOf = (bill: Bill.Bill, filled: SearchPage.Filled<unknown>, skips: ReadonlyArray<Skip>): Meta => ({
  billing: {
    credits_charged: Credits.toNumber(Bill.total(bill)),
    byok_used: false,
    platform_credits_charged: Credits.toNumber(Bill.platform(bill)),
    breakdown: Bill.bySource(bill).map(({ credits, source }) => ({ source, credits: Credits.toNumber(credits) }))
  },
  sources: { attempted: filled.attempted, skipped: [...skips, ...filled.skipped], failed: filled.failed }
})

/** The most that a search can cost: the rows of a page, and a page of every source that may be asked. */
const worstOf = <Row, Item, Data>(search: Search<Row, Item, Data>, prices: PriceBook.PriceBook): Credits.Credits => {
  const { limit, lists, place } = search
  const from =
    place.source === null
      ? 0
      : Math.max(
          0,
          lists.findIndex(({ source }) => source === place.source)
        )
  return Credits.add(PriceBook.rowFee(prices, limit), Credits.sum(lists.slice(from).map(({ price }) => price)))
}

/** What is held for a search, in credits. */
export const held = <Row, Item, Data>({ billing }: Pick<Means, "billing">, search: Search<Row, Item, Data>): number => {
  const worst = worstOf(search, billing.prices)
  return Credits.toNumber(search.ceiling === null ? worst : Credits.min(worst, search.ceiling))
}

/** Runs a search of that name and keeps its answer for who repeats it. */
export const run = <Row, Item extends Sourced, Data>(
  means: Means,
  name: string,
  codec: Schema.Codec<Answer<Data>, string>,
  search: Search<Row, Item, Data>,
  caller: Caller
): Effect.Effect<Billing.Answered<Answer<Data>>, SearchError> => {
  const { billing } = means
  const { ceiling, deadline, limit, place } = search
  const rows = PriceBook.rowFee(billing.prices, limit)
  const quote = worstOf(search, billing.prices)
  const order = { caller, operation: name, quote, least: rows, ceiling, deadline, codec }
  return billing.charge(order, (tab) =>
    Effect.gen(function* () {
      tab.reserve(rows)
      const filled = yield* SearchPage.make({ ...search, tab }, place)
      const failure = failureOf(filled)
      if (failure !== null) return yield* failure
      const items = yield* screened(means, filled.shown)
      const listed: Listed<Item> = {
        list: priced(items, PriceBook.rowFee(billing.prices, 1), filled.paid),
        total: filled.total,
        current_page: filled.page,
        next_cursor: filled.next_cursor
      }
      const data = yield* search.finish(listed)
      const due = PriceBook.rowFee(billing.prices, items.length)
      tab.charge(rows, { payee: { _tag: "Platform" }, credits: due })
      const answer: Answer<Data> = {
        success: true,
        request_id: caller.request_id,
        data,
        meta: metaOf(tab.bill(), filled, search.skips),
        error: null
      }
      return { answer, deferred: null }
    }).pipe(within(deadline, timeout))
  )
}
