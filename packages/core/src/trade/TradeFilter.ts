/** Which records are meant: every part that says something has to hold. What the interface calls filters F. */
import * as Text from "../value/Text.ts"
import type { TradeRecord, Transport } from "./TradeRecord.ts"
import * as TradeRow from "./TradeRow.ts"
import type { TradeRole } from "./TradeRole.ts"

/** Both ends included; `null` for no bound. What is not known is in no span. */
export interface Span {
  readonly least: number | null
  readonly most: number | null
}

export interface TradeFilter {
  /** Words that all stand in the description, whole, whatever their case and accents. */
  readonly product: string | null
  /** First digits of the product code, two to six. */
  readonly hs_prefix: string | null
  readonly flow: TradeRecord["flow"] | null
  /** Words that all stand in the party's name as the record has it. */
  readonly importer: string | null
  readonly exporter: string | null
  /** One of these traders; an empty list says nothing, here and below. */
  readonly importer_ids: ReadonlyArray<string>
  readonly exporter_ids: ReadonlyArray<string>
  /** One trader, on that side or, with `null`, on either. */
  readonly trader: { readonly trader_id: string; readonly role: TradeRole | null } | null
  /** ISO 3166-1 alpha-2, of the goods. */
  readonly origin_countries: ReadonlyArray<string>
  readonly destination_countries: ReadonlyArray<string>
  /** ISO 3166-1 alpha-2: of the party's address, else of the goods where that is not known. */
  readonly exporter_countries: ReadonlyArray<string>
  /** As the record has them, whatever their case; of loading or of unloading. */
  readonly ports: ReadonlyArray<string>
  readonly transport: ReadonlyArray<Transport>
  /** `YYYY-MM-DD`, both included. */
  readonly from: string | null
  readonly to: string | null
  readonly weight_kg: Span | null
  readonly amount_usd: Span | null
}

/** Everything; to be spread under what is asked for. */
export const all: TradeFilter = {
  product: null,
  hs_prefix: null,
  flow: null,
  importer: null,
  exporter: null,
  importer_ids: [],
  exporter_ids: [],
  trader: null,
  origin_countries: [],
  destination_countries: [],
  exporter_countries: [],
  ports: [],
  transport: [],
  from: null,
  to: null,
  weight_kg: null,
  amount_usd: null
}

/** Whether every word of `wanted` stands in `text`. A query without words finds nothing rather than everything. */
export const hasWords = (text: string | null, wanted: string): boolean => {
  const words = new Set(Text.words(text ?? ""))
  const asked = Text.words(wanted)
  return asked.length > 0 && asked.every((word) => words.has(word))
}

const isOneOf = <A>(value: A | null, wanted: ReadonlyArray<A>): boolean =>
  wanted.length === 0 || (value !== null && wanted.includes(value))

const isWithin = (value: number | null, span: Span | null): boolean =>
  span === null ||
  (value !== null && (span.least === null || value >= span.least) && (span.most === null || value <= span.most))

const isTrader = (row: TradeRow.TradeRow, { trader }: TradeFilter): boolean => {
  if (trader === null) return true
  const { role, trader_id } = trader
  return (
    (role !== "exporter" && row.importer_id === trader_id) || (role !== "importer" && row.exporter_id === trader_id)
  )
}

const hasPort = ({ port_of_loading, port_of_unloading }: TradeRecord, { ports }: TradeFilter): boolean => {
  const wanted = new Set(ports.map(Text.key))
  return (
    ports.length === 0 ||
    [port_of_loading, port_of_unloading].some((port) => port !== null && wanted.has(Text.key(port)))
  )
}

/** Whether a record is meant. */
export const matches = (filter: TradeFilter, row: TradeRow.TradeRow): boolean => {
  const { record } = row
  return (
    (filter.product === null || hasWords(record.description, filter.product)) &&
    (filter.hs_prefix === null || (record.hs_code ?? "").startsWith(filter.hs_prefix)) &&
    (filter.flow === null || record.flow === filter.flow) &&
    (filter.importer === null || hasWords(record.importer.name, filter.importer)) &&
    (filter.exporter === null || hasWords(record.exporter.name, filter.exporter)) &&
    isOneOf(row.importer_id, filter.importer_ids) &&
    isOneOf(row.exporter_id, filter.exporter_ids) &&
    isTrader(row, filter) &&
    isOneOf(record.origin_country, filter.origin_countries) &&
    isOneOf(record.destination_country, filter.destination_countries) &&
    isOneOf(record.exporter.country ?? record.origin_country, filter.exporter_countries) &&
    hasPort(record, filter) &&
    isOneOf(record.transport, filter.transport) &&
    (filter.from === null || record.date >= filter.from) &&
    (filter.to === null || record.date <= filter.to) &&
    isWithin(TradeRow.weight(record), filter.weight_kg) &&
    isWithin(record.amount_usd, filter.amount_usd)
  )
}
