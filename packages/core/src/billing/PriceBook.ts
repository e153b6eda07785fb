/**
 * The price table: credits for (operation, source, outcome). One pure function, `charge`, computes what an outcome
 * costs; a quote is that same function asked about the worst outcome, so that quote and charge cannot disagree.
 */
import { Effect, Schema } from "effect"
import type { BillingKind, Operation } from "../waterfall/Source.ts"
import * as Credits from "./Credits.ts"

const Amount = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })).annotate({
  description: "Credits"
})

/** Prices of one operation, in credits. */
const OperationPrices = Schema.Struct({
  /** Taken once for an answered request, whoever answered. */
  platform: Amount,
  /** Taken for each source that answered (for each call or field, by the source's billing kind). */
  source: Amount,
  /** Sources that cost otherwise, by slot name. */
  sources: Schema.Record(Schema.String, Amount)
})

/** Prices of questions about customs records, in credits. An answer with nothing in it costs nothing. */
const CustomsPrices = Schema.Struct({
  /** Of each row that a list returns. */
  row: Amount,
  /** Of a call, as all below. */
  analytics: Amount,
  bulk_status: Amount,
  details: Amount,
  match: Amount,
  match_contacts: Amount,
  product_keywords: Amount,
  semantic_query: Amount
})
export type CustomsPrices = typeof CustomsPrices.Type

const customs: CustomsPrices = {
  row: 0.01,
  analytics: 1,
  bulk_status: 0,
  details: 0.1,
  match: 0.1,
  match_contacts: 0.5,
  product_keywords: 0.1,
  semantic_query: 0.5
}

/** Prices of verifying mail addresses, in credits. */
const EmailPrices = Schema.Struct({
  /** Of an address with a definite result; `unknown` costs nothing. */
  address: Amount
})

const email: typeof EmailPrices.Type = { address: 0.05 }

/** Prices of searches for companies and people, in credits. An answer with nothing in it costs nothing. */
const SearchPrices = Schema.Struct({
  /** Of each row that is returned, whoever knows it. */
  row: Amount,
  /** Of a page of a vendor's directory with anything on it. */
  page: Amount,
  /** Vendors whose pages cost otherwise, by slot name. */
  pages: Schema.Record(Schema.String, Amount)
})

const search: typeof SearchPrices.Type = { row: 0.01, page: 1, pages: {} }

export const PriceBook = Schema.Struct({
  /** Named by every capture; raise it with every change. */
  version: Schema.NonEmptyString,
  company: OperationPrices,
  person: OperationPrices,
  // What was kept before there were such prices has none.
  customs: CustomsPrices.pipe(Schema.withDecodingDefaultKey(Effect.succeed(customs))),
  email: EmailPrices.pipe(Schema.withDecodingDefaultKey(Effect.succeed(email))),
  search: SearchPrices.pipe(Schema.withDecodingDefaultKey(Effect.succeed(search)))
})
export type PriceBook = typeof PriceBook.Type

/** The company's own site is nobody's to sell. */
const enrichment = { platform: 0.1, source: 1, sources: { website: 0 } }

export const standard: PriceBook = { version: "5", company: enrichment, person: enrichment, customs, email, search }

/** What so many units of a question cost. */
export const customsFee = (book: PriceBook, price: keyof CustomsPrices, units: number): Credits.Credits =>
  Credits.times(Credits.fromNumber(book.customs[price]), units)

/** What a definite result about a mail address costs. */
export const emailFee = (book: PriceBook): Credits.Credits => Credits.fromNumber(book.email.address)

/** What so many rows of a search cost. */
export const rowFee = (book: PriceBook, rows: number): Credits.Credits =>
  Credits.times(Credits.fromNumber(book.search.row), rows)

/** What a page of a vendor's directory costs. */
export const pageFee = ({ search }: PriceBook, source: string): Credits.Credits =>
  Credits.fromNumber(search.pages[source] ?? search.page)

/** What is sold: a source's answer to an operation. */
export interface Item {
  readonly operation: Operation
  /** The slot's name. */
  readonly source: string
  readonly kind: BillingKind
  /** Called with the caller's own key: the vendor's money, never our credits. */
  readonly ownKey: boolean
}

/** How a step ended, as far as money is concerned. `attempts` counts the calls that were made for it. */
export type Result =
  | { readonly _tag: "Hit"; readonly fields: number; readonly attempts: number }
  | { readonly _tag: "Miss"; readonly attempts: number }
  | { readonly _tag: "Failed" }
  | { readonly _tag: "Cached" }

export const platformFee = (book: PriceBook, operation: Operation): Credits.Credits =>
  Credits.fromNumber(book[operation].platform)

/** What a source's result costs. A failure and a cached answer cost nothing; a miss only where every call costs. */
export const charge = (book: PriceBook, item: Item, result: Result): Credits.Credits => {
  if (item.ownKey) return Credits.zero
  const { source, sources } = book[item.operation]
  return Credits.times(Credits.fromNumber(sources[item.source] ?? source), units(item.kind, result))
}

/** How often a price is due for a result. */
export const units = (kind: BillingKind, result: Result): number => {
  switch (result._tag) {
    case "Failed":
    case "Cached":
      return 0
    case "Miss":
      return kind === "per_call" ? result.attempts : 0
    case "Hit":
      return kind === "per_call" ? result.attempts : kind === "per_hit" ? 1 : result.fields
  }
}

/** The most that a call for a source that serves `fields` fields, tried `attempts` times, can cost. */
export const worst = (book: PriceBook, item: Item, fields: number, attempts: number): Credits.Credits =>
  Credits.max(charge(book, item, { _tag: "Hit", fields, attempts }), charge(book, item, { _tag: "Miss", attempts }))
