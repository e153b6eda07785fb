/** What a store of customs records is asked, in the domain's words: normalised, with every default filled in. */
import { Schema } from "effect"
import type { Granularity } from "./Period.ts"
import type { TradeFilter } from "./TradeFilter.ts"
import type { TradeRole } from "./TradeRole.ts"

/** Part of a list: page `page` from 1, of `limit` entries. */
export interface Window {
  readonly page: number
  readonly limit: number
}

/** Dates are `YYYY-MM-DD`, both ends included; `null` for no bound. */
export interface Dates {
  readonly from: string | null
  readonly to: string | null
}

/** One trader on one side of its trade. */
export interface OfTrader extends Dates {
  readonly trader_id: string
  readonly role: TradeRole
}

export interface Sort {
  readonly by: "amount" | "date" | "weight"
  readonly order: "asc" | "desc"
}

/** The newest first. */
export const newest: Sort = { by: "date", order: "desc" }

/**
 * Where a reader of records stopped: what the last one was sorted by, and its name. What is read on from there has no
 * gap and no repetition, whatever was imported in between.
 */
export const Cursor = Schema.Struct({
  value: Schema.NullOr(Schema.Union([Schema.Finite, Schema.String])),
  source: Schema.String,
  key: Schema.String
})
export type Cursor = typeof Cursor.Type

export interface RecordsQuestion {
  readonly filter: TradeFilter
  readonly sort: Sort
  /** Counts from the beginning; with `after` the page is not looked at. */
  readonly window: Window
  readonly after: Cursor | null
}

export interface TradersQuestion {
  readonly filter: TradeFilter
  /** On which side they stand in those records; `null` for either. */
  readonly role: TradeRole | null
  /** Words that all stand in one of their names. */
  readonly name: string | null
  readonly window: Window
}

export interface TrendQuestion extends OfTrader {
  readonly granularity: Granularity
}

export interface TraderListQuestion extends OfTrader {
  readonly window: Window
}

/** Digits of a product code by which records are put together. */
export type HsLevel = 2 | 4 | 6

export interface HsQuestion extends TraderListQuestion {
  readonly level: HsLevel
}

/** Import declarations for `importer`, export declarations for `exporter`. */
export interface MarketQuestion extends Dates {
  readonly role: TradeRole
  readonly product: string
}

export type Dimension = "company" | "country" | "hs" | "month" | "port" | "transport"

export interface StatisticsQuestion {
  readonly filter: TradeFilter
  /** One to three, each once. */
  readonly group_by: ReadonlyArray<Dimension>
  readonly hs_level: HsLevel
  readonly window: Window
}

export interface CompanyStatisticsQuestion {
  readonly filter: TradeFilter
  readonly role: TradeRole
  readonly window: Window
}

export interface PortStatisticsQuestion {
  readonly filter: TradeFilter
  readonly window: Window
}

/** What a country buys of a product: one of `product` and `hs_prefix`, or both. */
export interface ProcurementQuestion extends Dates {
  readonly product: string | null
  readonly hs_prefix: string | null
  /** Where the goods go; ISO 3166-1 alpha-2. */
  readonly country: string | null
  readonly granularity: Granularity
}

export interface WorldQuestion extends Dates {
  readonly role: TradeRole
  readonly product: string | null
}

/** An index key (`TraderKeys`) and how much it says: the rarer, the more. */
export interface WeighedKey {
  readonly key: string
  readonly weight: number
}

/** Traders that may be the one that is meant. `TraderKeys.chosen` says which keys are worth to be looked up. */
export interface CandidatesQuestion {
  /** Different keys, each with a positive whole weight. */
  readonly keys: ReadonlyArray<WeighedKey>
  /**
   * ISO 3166-1 alpha-2: of equal candidates those come first that have one of the keys in this country, then those that
   * have one in more records.
   */
  readonly country: string | null
  /** At most so many. */
  readonly limit: number
}
