/** Rows as lines of tab-separated text, as the tables take them. A text that is not known is written as the empty one. */
import { Keywords, type TradeRecord, type TradeRow } from "@lading/core/trade"
import { remembering, Text } from "@lading/core/value"
import { escaped, type Lines } from "./Lines.ts"
import * as TraderId from "./TraderId.ts"

const array = (values: ReadonlyArray<string>): string => {
  let line = "["
  for (const value of values) line += `${line === "[" ? "" : ","}'${escaped(value)}'`
  return `${line}]`
}

export const columns: ReadonlyArray<string> = [
  "load",
  "row_id",
  "source",
  "key",
  "version",
  "flow",
  "date",
  ...["importer", "exporter"].flatMap((side) =>
    ["id", "name", "words", "country", "tax_id", "address"].map((column) => `${side}_${column}`)
  ),
  "origin_country",
  "destination_country",
  "hs_raw",
  "hs_code",
  "hs_imputed",
  "description",
  "words",
  "keywords",
  "quantity",
  "quantity_unit",
  "quantity_unit_raw",
  "gross_kg",
  "net_kg",
  "amount",
  "currency",
  "amount_kind",
  "amount_usd",
  "packages",
  "package_kind",
  "teu",
  "port_of_loading",
  "port_of_unloading",
  "ports",
  "transport",
  "bill_number",
  "master_bill_number",
  "synthetic"
]

export interface Encoder {
  /** Writes the line of a row. */
  readonly write: (to: Lines, row: TradeRow.TradeRow, load: number, row_id: number | bigint) => void
}

const wordsOf = (some: string): string => escaped(Text.words(some).join(" "))

/** Texts that are longer hardly come twice, and what is made of them would fill the memory. */
const LONGEST = 300

/** The bytes of what is made of a text, remembered unless the text is long. */
const bytesOf = (capacity: number, make: (text: string) => string): ((text: string) => Uint8Array) => {
  const bytes = (text: string): Uint8Array => Buffer.from(make(text), "utf8")
  const known = remembering(capacity, bytes)
  return (text) => (text.length > LONGEST ? bytes(text) : known(text))
}

/** A cell of text. */
const text = (to: Lines, value: string | null): void => {
  if (value !== null) to.text(value)
  to.tab()
}

const number = (to: Lines, value: number | null): void => {
  to.raw(value === null ? "\\N\t" : `${value}\t`)
}

/** Cells that are made of a text, as they stand in the line. */
interface Made {
  /** A description, its words and its keywords. */
  readonly described: (description: string) => Uint8Array
  /** A name and its words. */
  readonly named: (name: string) => Uint8Array
  /** A port in a list. */
  readonly port: (name: string) => Uint8Array
}

const makeMade = (): Made => ({
  described: bytesOf(
    50_000,
    (description) => `${escaped(description)}\t${wordsOf(description)}\t${array(Keywords.of(description))}\t`
  ),
  named: bytesOf(100_000, (name) => `${escaped(name)}\t${wordsOf(name)}\t`),
  port: bytesOf(20_000, (name) => `'${escaped(Text.key(name))}'`)
})

const undescribed = Buffer.from("\t\t[]\t")
const nameless = Buffer.from("\t\t")

type WriteParty = (to: Lines, party: TradeRecord.Party, trader: string | null) => void

const partyWith =
  ({ named }: Made): WriteParty =>
  (to, { address, country, name, tax_id }, trader) => {
    to.raw(TraderId.written(trader))
    to.tab()
    to.copy(name === null ? nameless : named(name))
    text(to, country)
    text(to, tax_id)
    text(to, address)
  }

type WriteRecord = (to: Lines, record: TradeRecord.TradeRecord) => void

const portsWith =
  ({ port }: Made): WriteRecord =>
  (to, { port_of_loading, port_of_unloading }) => {
    const from = port_of_loading === null ? null : port(port_of_loading)
    const until = port_of_unloading === null ? null : port(port_of_unloading)
    to.raw("[")
    if (from !== null) to.copy(from)
    if (until !== null && (from === null || Buffer.compare(from, until) !== 0)) {
      if (from !== null) to.raw(",")
      to.copy(until)
    }
    to.raw("]\t")
  }

/** From the quantity on. */
const measuresWith =
  (ports: WriteRecord): WriteRecord =>
  (to, record) => {
    number(to, record.quantity)
    text(to, record.quantity_unit)
    text(to, record.quantity_unit_raw)
    number(to, record.gross_kg)
    number(to, record.net_kg)
    number(to, record.amount)
    text(to, record.currency)
    text(to, record.amount_kind)
    number(to, record.amount_usd)
    number(to, record.packages)
    text(to, record.package_kind)
    number(to, record.teu)
    text(to, record.port_of_loading)
    text(to, record.port_of_unloading)
    ports(to, record)
    text(to, record.transport)
    text(to, record.bill_number)
    text(to, record.master_bill_number)
    to.raw(record.synthetic ? "1" : "0")
    to.end()
  }

export const make = (): Encoder => {
  const made = makeMade()
  const party = partyWith(made)
  const measures = measuresWith(portsWith(made))
  return {
    write: (to, { exporter_id, importer_id, record }, load, row_id) => {
      to.raw(`${load}\t${row_id}\t`)
      text(to, record.source)
      text(to, record.key)
      to.raw(`${record.version}\t${record.flow}\t${record.date}\t`)
      party(to, record.importer, importer_id)
      party(to, record.exporter, exporter_id)
      text(to, record.origin_country)
      text(to, record.destination_country)
      text(to, record.hs_raw)
      text(to, record.hs_code)
      to.raw(record.hs_imputed ? "1\t" : "0\t")
      to.copy(record.description === null ? undescribed : made.described(record.description))
      measures(to, record)
    }
  }
}

/** Writes a line of `party_key`. */
export const party = (to: Lines, name: string | null, tax_id: string | null, keys: ReadonlyArray<string>): void => {
  text(to, name)
  text(to, tax_id)
  to.raw(array(keys))
  to.end()
}
