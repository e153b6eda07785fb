/**
 * From a row to a record, by a mapping. The mapping is looked at once, when the columns are known; what remains for each
 * row is reading cells.
 *
 * Gotchas
 * - A row without a key or a date is no record, and neither is one with a number or date that cannot be read. A country,
 *   unit, means of transport or code that nobody knows is `null`, and the row counts.
 * - Zero is what many sources write for what they do not know: a quantity, weight or amount of 0 is kept, as written.
 */
import { TradeRecord } from "@lading/core/trade"
import type { Row } from "../tables/Table.ts"
import * as Countries from "../values/Countries.ts"
import * as Dates from "../values/Dates.ts"
import * as Hs from "../values/Hs.ts"
import * as Placeholder from "../values/Placeholder.ts"
import type { Rates } from "../values/Rates.ts"
import { remembering } from "../values/Remembered.ts"
import * as Units from "../values/Units.ts"
import * as Cells from "./Cells.ts"
import { Fault } from "./Cells.ts"
import { type AmountMapping, isAmountKind, isFlow, isTransport, type Mapping, type PartyMapping } from "./Mapping.ts"

type Record = TradeRecord.TradeRecord

/** What only code can say: the ways of one source. */
export interface Hooks {
  /** The tax id that is meant; `null` where it is none. */
  readonly taxId?: (text: string) => string | null
}

export interface Options {
  readonly rates: Rates
  readonly hooks?: Hooks
}

/** The place of a row, for keys of files whose rows have no name. */
export interface Stand {
  /** The file's name, without folder and endings. */
  readonly stem: string
  readonly line: number
}

/** A record, why there is none, or `null` where the mapping leaves the row out. */
export type ReadRow = (row: Row, stand: Stand) => Record | Fault | null

type Read<A> = (row: Row) => A

const country = (said: Mapping["origin_country"], context: Cells.Context): Read<string | null> => {
  const read = Cells.text(said, context)
  return (row) => {
    const text = read(row)
    return text === null ? null : Countries.code(text)
  }
}

const party = (
  mapping: PartyMapping | undefined,
  own: ReadonlySet<string> | null,
  taxId: Hooks["taxId"],
  context: Cells.Context
): Read<TradeRecord.Party> => {
  if (mapping === undefined) return () => TradeRecord.nobody
  const name = Cells.text(mapping.name, context)
  const where = country(mapping.country, context)
  const id = Cells.text(mapping.tax_id, context)
  const address = Cells.text(mapping.address, context, ", ")
  return (row) => {
    const [said, number, lines] = [name(row), id(row), address(row)]
    const meant = said === null || Placeholder.is(said, own) ? null : Cells.tidy(said)
    const tax_id = number === null || taxId === undefined ? number : taxId(number)
    const of = where(row)
    if (meant === null && tax_id === null && lines === null && of === null) return TradeRecord.nobody
    return { name: meant, country: of, tax_id, address: lines === null ? null : Cells.tidy(lines) }
  }
}

interface Measure {
  readonly quantity: number | null
  readonly quantity_unit: string | null
  readonly quantity_unit_raw: string | null
}

const noMeasure: Measure = { quantity: null, quantity_unit: null, quantity_unit_raw: null }

/** A quantity in the unit of the file. One that counts packages has no unit: packages are no quantity of goods. */
const measure = (mapping: Mapping["quantity"], context: Cells.Context): Read<Measure | Fault> => {
  if (mapping === undefined) return () => noMeasure
  const number = Cells.amount(mapping.column, context)
  const unit = Cells.text(mapping.unit, context)
  const known = remembering((text) => Units.read(text, mapping.units))
  return (row) => {
    const quantity = number(row)
    if (quantity instanceof Fault) return quantity
    const raw = unit(row)
    const meant = raw === null ? null : known(raw)
    return { quantity, quantity_unit: meant?.kind === "goods" ? meant.code : null, quantity_unit_raw: raw }
  }
}

/** Kilograms; `null` where the unit is no weight that is known. */
const weight = (mapping: Mapping["gross_weight"], context: Cells.Context): Read<number | null | Fault> => {
  if (mapping === undefined) return () => null
  const { column, unit: said } = typeof mapping === "string" ? { column: mapping, unit: undefined } : mapping
  const number = Cells.amount(column, context)
  if (said === undefined) return number
  const unit = Cells.text(said, context)
  const known = remembering((text) => Units.read(text))
  return (row) => {
    const found = number(row)
    if (found === null || found instanceof Fault) return found
    const raw = unit(row)
    return raw === null ? null : Units.kilograms(found, known(raw))
  }
}

interface Money {
  readonly amount: number | null
  readonly currency: string | null
  readonly amount_kind: TradeRecord.AmountKind
}

const noMoney: Money = { amount: null, currency: null, amount_kind: "unknown" }

const kindOf = (kind: AmountMapping["kind"], context: Cells.Context): Read<TradeRecord.AmountKind> => {
  if (typeof kind === "string") return () => kind
  const read = Cells.text(kind, context)
  return (row) => {
    const text = read(row)?.toLowerCase() ?? ""
    return isAmountKind(text) ? text : "unknown"
  }
}

const money = (mapping: AmountMapping, context: Cells.Context): Read<Money | null | Fault> => {
  const number = Cells.amount(mapping.column, context)
  const currency = Cells.text(mapping.currency, context)
  const kind = kindOf(mapping.kind, context)
  return (row) => {
    const amount = number(row)
    if (amount === null || amount instanceof Fault) return amount
    const text = currency(row)?.toUpperCase() ?? ""
    return { amount, currency: /^[A-Z]{3}$/.test(text) ? text : null, amount_kind: kind(row) }
  }
}

/** The first amount that a row has. Amounts of two kinds are never added up. */
const firstMoney = (mapping: Mapping["amount"], context: Cells.Context): Read<Money | Fault> => {
  const list = mapping === undefined ? [] : "column" in mapping ? [mapping] : mapping
  const reads = list.map((one) => money(one, context))
  return (row) => {
    for (const read of reads) {
      const found = read(row)
      if (found !== null) return found
    }
    return noMoney
  }
}

const noHs: Hs.Hs = { hs_raw: null, hs_code: null }

const product = (mapping: Mapping["hs"], context: Cells.Context): Read<Hs.Hs> => {
  if (mapping === undefined) return () => noHs
  const read = Cells.column(mapping.column, context)
  const known = remembering((text) => Hs.read(text, mapping.width ?? null))
  return (row) => {
    const text = read(row)
    return text === null ? noHs : known(text)
  }
}

/** Whether a code was read out of the description. */
const imputed = (said: NonNullable<Mapping["hs"]>["imputed"], context: Cells.Context): Read<boolean> => {
  if (said === undefined || typeof said === "boolean") return () => said ?? false
  const read = Cells.text(said, context)
  return (row) => /^(?:1|true|yes|y)$/i.test(read(row) ?? "")
}

const columnsOfDate = ({ column, columns }: Mapping["date"]) => ({
  named: columns?.join(", ") ?? column ?? "",
  said: columns === undefined ? (column ?? "") : { columns, join: "-" }
})

const date = (mapping: Mapping["date"], context: Cells.Context): Read<string | Fault> => {
  const { named, said } = columnsOfDate(mapping)
  const read = Cells.text(said, context)
  const parse = Dates.parser(mapping.format)
  return (row) => {
    const text = read(row)
    if (text === null) return new Fault(named, "expected a date, found none")
    const found = parse(text)
    if (found === null) return new Fault(named, `expected a date, found ${JSON.stringify(text)}, which stands for none`)
    return found ?? Cells.expected(named, `a date of the form ${mapping.format}`, text)
  }
}

const key = (mapping: Mapping["key"], context: Cells.Context): ((row: Row, stand: Stand) => string | Fault) => {
  const [names, byRow] = "row" in mapping ? [mapping.columns ?? [], true] : [mapping, false]
  const parts = names.map((name) => [name, Cells.column(name, context)] as const)
  return (row, { line, stem }) => {
    let text = ""
    for (const [name, read] of parts) {
      const part = read(row)
      if (part === null) return new Fault(name, "expected a part of the key, found none")
      text = text === "" ? part : `${text}/${part}`
    }
    if (!byRow) return text
    return text === "" ? `${stem}:${line}` : `${text}/${stem}:${line}`
  }
}

const isoDay = Dates.parser("iso")

/** A whole number, or a day as `YYYYMMDD`. */
const version = (said: Mapping["version"], context: Cells.Context): Read<number | Fault> => {
  if (said === undefined) return () => 1
  const read = Cells.text(said, context)
  const named = Cells.columnsOf(said).join(", ")
  return (row) => {
    const text = read(row)
    if (text === null) return 1
    const found = /^\d{1,15}$/.test(text) ? text : (isoDay(text)?.replaceAll("-", "") ?? null)
    return found === null
      ? Cells.expected(named, "a whole number or a date YYYY-MM-DD as version", text)
      : Number(found)
  }
}

const flow = (mapping: Mapping["flow"], context: Cells.Context): Read<Record["flow"] | Fault> => {
  if (mapping === "import" || mapping === "export") return () => mapping
  const read = Cells.text(mapping, context)
  const named = Cells.columnsOf(mapping).join(", ")
  return (row) => {
    const text = read(row)
    if (text === null) return new Fault(named, "expected import or export, found none")
    const word = text.toLowerCase()
    return isFlow(word) ? word : Cells.expected(named, "import or export (by words of the mapping)", text)
  }
}

/** By the words of the mapping, else by the words of the domain; what is none of them is not known. */
const transport = (said: Mapping["transport"], context: Cells.Context): Read<TradeRecord.Transport | null> => {
  const read = Cells.text(said, context)
  return (row) => {
    const text = read(row)?.toLowerCase() ?? ""
    return isTransport(text) ? text : null
  }
}

const left = (drops: Mapping["drop"], context: Cells.Context): Read<boolean> => {
  const rules = (drops ?? []).map((drop) => {
    const read = Cells.column(drop.column, context)
    const words = new Set(drop.is ?? drop.is_not)
    const out = drop.is !== undefined
    return (row: Row) => {
      const text = read(row)
      return (text !== null && words.has(text)) === out
    }
  })
  return (row) => rules.some((rule) => rule(row))
}

const tidied = (said: Mapping["description"], context: Cells.Context): Cells.ReadText => {
  const read = Cells.text(said, context)
  return (row) => {
    const text = read(row)
    return text === null ? null : Cells.tidy(text)
  }
}

/** The columns that a mapping names, of which each has to be there. */
export const columnsOf = (mapping: Mapping): ReadonlyArray<string> => {
  const names = new Set<string>()
  const visit = (value: unknown, where: string): void => {
    if (typeof value === "string" && saidColumns.has(where)) names.add(value)
    if (typeof value !== "object" || value === null) return
    for (const [name, one] of Object.entries(value)) {
      if (name === "column" && typeof one === "string") names.add(one)
      else if (name === "columns" && Array.isArray(one)) for (const each of one) names.add(String(each))
      else if (where === "" && name === "key" && Array.isArray(one)) for (const each of one) names.add(String(each))
      else if (!["words", "tables", "file", "placeholders", "is", "is_not"].includes(name))
        visit(one, where === "" ? name : `${where}.${name}`)
    }
  }
  visit(mapping, "")
  return [...names]
}

/** Where a text alone is the name of a column. */
const saidColumns: ReadonlySet<string> = new Set([
  "version",
  ...["importer", "exporter"].flatMap((side) =>
    ["name", "country", "tax_id", "address"].map((member) => `${side}.${member}`)
  ),
  "origin_country",
  "destination_country",
  "description",
  "quantity.unit",
  "gross_weight",
  "gross_weight.unit",
  "net_weight",
  "net_weight.unit",
  "amount.currency",
  ...Array.from({ length: 10 }, (_, index) => `amount.${index}.currency`),
  "port_of_loading",
  "port_of_unloading",
  "transport",
  "bill_number",
  "master_bill_number",
  "packages.kind",
  "teu"
])

const noneOf = (texts: ReadonlyArray<string>): Cells.None => ({
  texts: new Set(texts),
  longest: texts.reduce((most, { length }) => Math.max(most, length), 0)
})

const contextOf = (mapping: Mapping, columns: ReadonlyArray<string>): Cells.Context => {
  const places = new Map(columns.map((name, index) => [name, index]))
  return {
    indexOf: (name) => places.get(name) ?? -1,
    none: noneOf(mapping.file?.none ?? []),
    decimal: mapping.file?.decimal ?? ".",
    tables: mapping.tables ?? {}
  }
}

/** Every part of a record that a mapping reads. */
const partsOf = (mapping: Mapping, context: Cells.Context, hooks: Hooks) => {
  const own = mapping.placeholders === undefined ? null : new Set(mapping.placeholders.map((one) => one.toUpperCase()))
  const number = (name: string | undefined): Cells.ReadNumber =>
    name === undefined ? () => null : Cells.amount(name, context)
  return {
    left: left(mapping.drop, context),
    key: key(mapping.key, context),
    version: version(mapping.version, context),
    flow: flow(mapping.flow, context),
    date: date(mapping.date, context),
    importer: party(mapping.importer, own, hooks.taxId, context),
    exporter: party(mapping.exporter, own, hooks.taxId, context),
    origin: country(mapping.origin_country, context),
    destination: country(mapping.destination_country, context),
    product: product(mapping.hs, context),
    imputed: imputed(mapping.hs?.imputed, context),
    description: tidied(mapping.description, context),
    measure: measure(mapping.quantity, context),
    gross: weight(mapping.gross_weight, context),
    net: weight(mapping.net_weight, context),
    money: firstMoney(mapping.amount, context),
    packages: number(mapping.packages?.column),
    packageKind: Cells.text(mapping.packages?.kind, context),
    teu: number(mapping.teu),
    loading: tidied(mapping.port_of_loading, context),
    unloading: tidied(mapping.port_of_unloading, context),
    transport: transport(mapping.transport, context),
    bill: Cells.text(mapping.bill_number, context),
    master: Cells.text(mapping.master_bill_number, context)
  }
}

const dollars = ({ amount, currency }: Money, day: string, rates: Rates): number | null => {
  if (amount === null || currency === null) return null
  if (currency === "USD") return amount
  const rate = rates.usd(currency, day)
  return rate === null ? null : amount * rate
}

/** A reader for tables with these columns, all of which are there. */
export const make = (mapping: Mapping, columns: ReadonlyArray<string>, { hooks = {}, rates }: Options): ReadRow => {
  const read = partsOf(mapping, contextOf(mapping, columns), hooks)
  const { source } = mapping
  const synthetic = mapping.synthetic ?? false
  return (row, stand) => {
    if (read.left(row)) return null
    const [name, version, flow, day] = [read.key(row, stand), read.version(row), read.flow(row), read.date(row)]
    if (name instanceof Fault) return name
    if (version instanceof Fault) return version
    if (flow instanceof Fault) return flow
    if (day instanceof Fault) return day
    const [quantity, gross, net, money] = [read.measure(row), read.gross(row), read.net(row), read.money(row)]
    if (quantity instanceof Fault) return quantity
    if (gross instanceof Fault) return gross
    if (net instanceof Fault) return net
    if (money instanceof Fault) return money
    const [packages, teu] = [read.packages(row), read.teu(row)]
    if (packages instanceof Fault) return packages
    if (teu instanceof Fault) return teu
    const { hs_code, hs_raw } = read.product(row)
    const [bill_number, master] = [read.bill(row), read.master(row)]
    return {
      source,
      key: name,
      version,
      flow,
      date: day,
      importer: read.importer(row),
      exporter: read.exporter(row),
      origin_country: read.origin(row),
      destination_country: read.destination(row),
      hs_raw,
      hs_code,
      hs_imputed: hs_raw !== null && read.imputed(row),
      description: read.description(row),
      quantity: quantity.quantity,
      quantity_unit: quantity.quantity_unit,
      quantity_unit_raw: quantity.quantity_unit_raw,
      gross_kg: gross,
      net_kg: net,
      amount: money.amount,
      currency: money.currency,
      amount_kind: money.amount_kind,
      amount_usd: dollars(money, day, rates),
      packages,
      package_kind: read.packageKind(row),
      teu,
      port_of_loading: read.loading(row),
      port_of_unloading: read.unloading(row),
      transport: read.transport(row),
      bill_number,
      // A bill that names itself as its master is a master bill.
      master_bill_number: master === bill_number ? null : master,
      synthetic
    }
  }
}
