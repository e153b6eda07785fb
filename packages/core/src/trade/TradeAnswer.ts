/** What a store of customs records answers. Unknown is `null`; a sum is over what is known. */
import type { AmountKind } from "./TradeRecord.ts"
import type { TradeRole } from "./TradeRole.ts"
import type { Cursor } from "./TradeQuestion.ts"
import type { TradeRow } from "./TradeRow.ts"

/** How much was traded. */
export interface Totals {
  readonly trade_count: number
  /** Kilograms; `null` where no record has a weight. */
  readonly weight_kg: number | null
  /** US dollars; `null` where no record has an amount. */
  readonly amount_usd: number | null
  /** What the amounts in the sum include, sorted: more than one kind is a sum of unlike things, to be said beside it. */
  readonly amount_kinds: ReadonlyArray<AmountKind>
}

/** Totals with their part of all records that were looked at, 0 to 1, counted in records. */
export interface Shared extends Totals {
  readonly share: number
}

/** Part of a list, and how many there are in all. */
export interface Listed<A> {
  readonly list: ReadonlyArray<A>
  readonly total: number
}

export interface RecordPage extends Listed<TradeRow> {
  /** To go on from; `null` at the end. */
  readonly next: Cursor | null
}

/** Partners of a trader, relative to the newest record of the data set. */
export interface Status {
  readonly trader_id: string
  readonly role: TradeRole
  readonly active: number
  readonly new_add: number
  readonly potential: number
}

export interface TraderName {
  readonly trader_id: string
  /** The name that most of its records write. */
  readonly name: string
  /** ISO 3166-1 alpha-2: the country that most of its records say. */
  readonly country: string | null
}

export interface TraderSummary extends TraderName {
  /** Of the records that were asked for, by the side on which it stands in them. */
  readonly as_importer: Totals
  readonly as_exporter: Totals
  readonly first_date: string
  readonly last_date: string
}

export interface Product extends Shared {
  readonly keyword: string
}

export interface HsShare extends Shared {
  readonly hs_code: string
}

export interface CountryShare extends Shared {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export interface Partner extends Shared, TraderName {
  readonly first_date: string
  readonly last_date: string
  /** Six digits, the most frequent first. */
  readonly hs_codes: ReadonlyArray<string>
}

/** A trader on one side, over all its time. */
export interface RoleProfile extends Totals {
  readonly partner_count: number
  readonly first_date: string
  readonly last_date: string
  /** Ten each, the most frequent first. */
  readonly top_products: ReadonlyArray<Product>
  readonly top_hs_codes: ReadonlyArray<HsShare>
  readonly top_partners: ReadonlyArray<Partner>
  readonly top_countries: ReadonlyArray<CountryShare>
}

export interface TraderDetails extends TraderName {
  /** Other spellings, the most frequent first. */
  readonly aliases: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
  readonly tax_ids: ReadonlyArray<string>
  readonly first_date: string
  readonly last_date: string
  /** `null` where it never stood on that side. */
  readonly as_importer: RoleProfile | null
  readonly as_exporter: RoleProfile | null
}

/** A quantity of the unit that most records of an answer have; other units are not converted and not in it. */
export interface Quantity {
  readonly quantity: number | null
  /** UN/CEFACT Recommendation 20. */
  readonly quantity_unit: string | null
}

/** One period that has records. */
export interface Point extends Totals, Quantity {
  /** `2024-03`, `2024-Q1` or `2024`. */
  readonly period: string
  /** Its first day, `YYYY-MM-DD`. */
  readonly date: string
  /** Different exporters and importers; those that nobody was found behind are not counted. */
  readonly seller_count: number
  readonly buyer_count: number
}

export interface Trend extends Totals, Quantity {
  readonly points: ReadonlyArray<Point>
}

/** Against the period of the calendar before: 0.1 is ten percent more. `null` where that one has nothing. */
export interface Growth {
  readonly trade_count: number | null
  readonly weight_kg: number | null
  readonly amount_usd: number | null
}

export interface ProcurementPoint extends Point {
  readonly growth: Growth
}

export interface Procurement extends Trend {
  readonly points: ReadonlyArray<ProcurementPoint>
}

/** What a group has in common; `null` where its records do not say. What was not asked for is absent. */
export interface Group {
  readonly month?: string
  readonly hs?: string | null
  readonly country?: string | null
  readonly port?: string | null
  readonly company?: string | null
  readonly transport?: string | null
}

export interface StatisticsRow extends Shared {
  readonly group: Group
  /** The name of `group.company`. */
  readonly company: TraderName | null
}

export interface Statistics extends Listed<StatisticsRow> {
  readonly totals: Totals
}

export interface CompanyShare extends Shared, TraderName {
  readonly partner_count: number
}

export interface PortShare extends Shared {
  /** As records write it: a name or a UN/LOCODE. */
  readonly port: string
}

export interface WorldRegion extends Shared {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Different traders of that side. */
  readonly company_count: number
}

/** What the data set has of one declaring country. */
export interface Coverage {
  /** ISO 3166-1 alpha-2: the destination of imports, the origin of exports. */
  readonly country: string
  readonly records: number
  readonly first_date: string
  readonly last_date: string
  readonly flows: ReadonlyArray<"export" | "import">
}

/** A trader that may be the one that is meant, with what tells it from others. */
export interface Candidate extends TraderName {
  /** Its other names, those of most records first, at most `ALIASES`. */
  readonly aliases: ReadonlyArray<string>
  /** At most `ALIASES`, as they are written, those of most records first. */
  readonly tax_ids: ReadonlyArray<string>
  /** Records on either side. */
  readonly trade_count: number
}

/** How many names and tax ids of a candidate are told. */
export const ALIASES = 20

/** How many traders have a key. */
export interface KeyCounts {
  /** Of all traders there are. */
  readonly traders: number
  /** By key; a key that no trader has is left out. */
  readonly counts: ReadonlyMap<string, number>
}
