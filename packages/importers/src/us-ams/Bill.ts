/**
 * From the rows of one bill of the US manifests to records.
 *
 * Rules
 * - One record a bill, or one for each product code where it has several. Then weights are those that the file gives by
 *   code, all or none; packages are not known by code; a container's TEU is divided among the codes in it. Nothing is
 *   counted twice.
 * - A bill that is deleted gives no record; rows of empty containers are left out, and a bill of nothing else with them.
 * - Of an identifier that occurs in several publications of a table the latest counts.
 * - The country of a party is that of its own address. Ports tell no countries: goods are reloaded on their way.
 */
import { TradeRecord } from "@lading/core/trade"
import * as Countries from "../values/Countries.ts"
import * as Dates from "../values/Dates.ts"
import * as Hs from "../values/Hs.ts"
import * as Numbers from "../values/Numbers.ts"
import * as Placeholder from "../values/Placeholder.ts"
import * as Units from "../values/Units.ts"
import { type TableName, tables } from "./Tables.ts"

type Record = TradeRecord.TradeRecord

/** A line of a part: cells of a table, as text. */
export interface Line {
  readonly table: TableName
  readonly identifier: string
  readonly stamp: string
  /** `<file>:<line>`, both as numbers. */
  readonly from: string
  readonly cells: ReadonlyArray<string>
}

const byLetter = new Map<string, TableName>(
  (["header", "billgen", "consignee", "shipper", "cargodesc", "tariff", "container"] as const).map((name) => [
    tables[name].letter,
    name
  ])
)

export const lineOf = (text: string): Line | null => {
  const [letter = "", identifier = "", stamp = "", from = "", ...cells] = text.split("\t")
  const table = byLetter.get(letter)
  return table === undefined ? null : { table, identifier, stamp, from, cells }
}

type Cells<Name extends TableName> = (column: (typeof tables)[Name]["columns"][number]) => string | null

const reader = <Name extends TableName>(name: Name, { cells }: Line): Cells<Name> => {
  const columns: ReadonlyArray<string> = tables[name].columns
  return (column) => {
    const text = cells[columns.indexOf(column)] ?? ""
    return text === "" ? null : text
  }
}

/** The rows of a table of the latest publication that has any. */
const latest = <Name extends TableName>(lines: ReadonlyArray<Line>, name: Name): ReadonlyArray<Cells<Name>> => {
  const own = lines.filter(({ table }) => table === name)
  const stamp = own.reduce((last, one) => (one.stamp > last ? one.stamp : last), "")
  return own.filter((one) => one.stamp === stamp).map((one) => reader(name, one))
}

const nothing = () => null

const isoDay = Dates.parser("iso")

const day = (text: string | null): string | null => (text === null ? null : (isoDay(text) ?? null))

const number = (text: string | null): number | null => {
  const found = text === null ? null : (Numbers.parse(text, ".") ?? null)
  return found === null || found < 0 ? null : found
}

const kilograms = (amount: string | null, unit: string | null): number | null => {
  const found = number(amount)
  return found === null || unit === null ? null : Units.kilograms(found, Units.read(unit))
}

const party = (
  name: string | null,
  country: string | null,
  address: ReadonlyArray<string | null>
): TradeRecord.Party => {
  const lines = address.filter((line) => line !== null)
  const where = country === null ? null : Countries.code(country)
  if (name === null && where === null && lines.length === 0) return TradeRecord.nobody
  return {
    name: name === null || Placeholder.is(name) ? null : name.replace(/\s+/g, " "),
    country: where,
    tax_id: null,
    address: lines.length === 0 ? null : lines.join(", ").replace(/\s+/g, " ")
  }
}

const consignee = (cell: Cells<"consignee">): TradeRecord.Party =>
  party(cell("consignee_name"), cell("country_code"), [
    cell("consignee_address_1"),
    cell("consignee_address_2"),
    cell("consignee_address_3"),
    cell("consignee_address_4"),
    cell("city"),
    cell("state_province"),
    cell("zip_code")
  ])

const shipper = (cell: Cells<"shipper">): TradeRecord.Party =>
  party(cell("shipper_party_name"), cell("country_code"), [
    cell("shipper_party_address_1"),
    cell("shipper_party_address_2"),
    cell("shipper_party_address_3"),
    cell("shipper_party_address_4"),
    cell("city"),
    cell("state_province"),
    cell("zip_code")
  ])

/** 20 feet are one, 45 feet two and a quarter. Written as feet and inches (`4000`), or as feet. */
const teuOf = (length: string | null): number | null => {
  const said = number(length)
  if (said === null) return null
  const feet = said >= 1000 ? Math.floor(said / 100) : said
  return feet >= 8 && feet <= 60 ? feet / 20 : null
}

/** TEU by container; `null` where the length of one of them is not known, or no container is. */
const boxesOf = (containers: ReadonlyArray<Cells<"container">>): ReadonlyMap<string, number> | null => {
  const boxes = new Map<string, number>()
  for (const cell of containers) {
    const teu = teuOf(cell("container_length"))
    if (teu === null) return null
    boxes.set(cell("container_number") ?? "", teu)
  }
  return boxes.size === 0 ? null : boxes
}

const place = (cell: Cells<"cargodesc"> | Cells<"tariff">): string =>
  `${cell("container_number") ?? ""} ${cell("description_sequence_number") ?? ""}`

interface Code {
  readonly hs: Hs.Hs
  readonly places: ReadonlySet<string>
  readonly containers: ReadonlySet<string>
  /** By the file; `null` where one of its rows has none. */
  readonly kg: number | null
}

const codesOf = (tariffs: ReadonlyArray<Cells<"tariff">>): ReadonlyArray<Code> => {
  const rows = tariffs.flatMap((cell) => {
    const text = cell("harmonized_number")
    // Codes of two, four, six, eight and ten digits are mixed, and have been numbers on their way.
    return text === null ? [] : [{ cell, hs: Hs.read(text, "even") }]
  })
  return [...Map.groupBy(rows, ({ hs }) => hs.hs_raw ?? "").values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const weights = same.map(({ cell }) => kilograms(cell("harmonized_weight"), cell("harmonized_weight_unit")))
    return {
      hs: first.hs,
      places: new Set(same.map(({ cell }) => place(cell))),
      containers: new Set(same.map(({ cell }) => cell("container_number") ?? "")),
      kg: weights.reduce((sum, kg) => (sum === null || kg === null ? null : sum + kg), 0)
    }
  })
}

const noCode: Code = { hs: { hs_raw: null, hs_code: null }, places: new Set(), containers: new Set(), kg: null }

/** Each container's TEU is divided among the codes that are in it, or among all where the file does not say. */
const shareOf = (boxes: ReadonlyMap<string, number> | null, codes: ReadonlyArray<Code>, code: Code): number | null => {
  if (boxes === null) return null
  let sum = 0
  for (const [container, teu] of boxes) {
    const inside = codes.filter(({ containers }) => containers.has(container))
    if (inside.length === 0) sum += teu / codes.length
    else if (inside.includes(code)) sum += teu / inside.length
  }
  return sum
}

const LONGEST_DESCRIPTION = 8000

interface Cargo {
  readonly place: string
  readonly text: string | null
}

const described = (cargo: ReadonlyArray<Cargo>, code: Code): string | null => {
  const own = cargo.filter((one) => code.places.has(one.place))
  const texts = new Set((own.length > 0 ? own : cargo).flatMap(({ text }) => (text === null ? [] : [text])))
  return texts.size === 0 ? null : [...texts].join("; ").slice(0, LONGEST_DESCRIPTION)
}

const numbersOf = (cell: Cells<"billgen">) => {
  const chain = [cell("master_bol_number"), cell("house_bol_number"), cell("sub_house_bol_number")].filter(
    (one) => one !== null
  )
  const [bill_number = null, master = null] = chain.toReversed()
  return { chain, bill_number, master_bill_number: master === bill_number ? null : master }
}

/** Of a day the number `YYYYMMDD`. */
const versionOf = (cell: Cells<"billgen">, stamp: string): number => {
  const said = day(cell("run_date")) ?? day(cell("trade_update_date"))
  const digits = said?.replaceAll("-", "") ?? stamp.slice(0, 8)
  return /^\d{8}$/.test(digits) ? Number(digits) : 1
}

export interface Read {
  readonly records: ReadonlyArray<Record>
  readonly dropped: number
  /** Where a row stands and what was expected in it. */
  readonly problem: { readonly from: string; readonly column: string; readonly problem: string } | null
}

const none: Read = { records: [], dropped: 0, problem: null }

const isEmptyContainer = (text: string | null): boolean => /^EMPTY CONTAINERS?\b/i.test(text ?? "")

/** Everything that the records of a bill have in common. */
const common = (lines: ReadonlyArray<Line>, header: Cells<"header">, date: string, stamp: string) => {
  const billgen: Cells<"billgen"> = latest(lines, "billgen")[0] ?? nothing
  const { chain, ...numbers } = numbersOf(billgen)
  const carrier = header("carrier_code")
  const identifier = lines[0]?.identifier ?? ""
  return {
    name: chain.length === 0 ? `id:${identifier}` : [carrier, ...chain].filter((one) => one !== null).join(":"),
    record: {
      source: "us-ams",
      version: versionOf(billgen, stamp),
      flow: "import",
      date,
      importer: consignee(latest(lines, "consignee")[0] ?? nothing),
      exporter: shipper(latest(lines, "shipper")[0] ?? nothing),
      origin_country: null,
      destination_country: header("foreign_port_of_destination") === null ? "US" : null,
      hs_imputed: false,
      quantity: null,
      quantity_unit: null,
      quantity_unit_raw: null,
      net_kg: null,
      amount: null,
      currency: null,
      amount_kind: "unknown",
      amount_usd: null,
      port_of_loading: header("foreign_port_of_lading"),
      port_of_unloading: header("port_of_unlading"),
      transport: "sea",
      ...numbers,
      synthetic: false
    } satisfies Partial<Record>
  }
}

/** The records of a bill, from all its lines. */
export const read = (lines: ReadonlyArray<Line>): Read => {
  const heads = lines.filter(({ table }) => table === "header")
  const head = heads.reduce<Line | null>((last, one) => (last === null || one.stamp >= last.stamp ? one : last), null)
  if (head === null) {
    const problem = "expected a row of the table header for this identifier, found none"
    return { ...none, problem: { from: lines[0]?.from ?? "", column: "identifier", problem } }
  }
  const header = reader("header", head)
  if (header("record_status_indicator")?.toLowerCase() === "deleted") return { ...none, dropped: 1 }
  const rows = latest(lines, "cargodesc").map((cell) => ({ place: place(cell), text: cell("description_text") }))
  const cargo = rows.filter(({ text }) => !isEmptyContainer(text))
  const dropped = rows.length - cargo.length
  const found = codesOf(latest(lines, "tariff"))
  if (rows.length > 0 && cargo.length === 0 && found.length === 0) return { ...none, dropped }
  const date = day(header("actual_arrival_date")) ?? day(header("estimated_arrival_date"))
  if (date === null) {
    const problem = "expected a date YYYY-MM-DD in actual_arrival_date or estimated_arrival_date"
    return { records: [], dropped, problem: { from: head.from, column: "actual_arrival_date", problem } }
  }
  const codes = found.length === 0 ? [noCode] : found
  const boxes = boxesOf(latest(lines, "container"))
  const single = codes.length === 1
  const weighed = codes.every(({ kg }) => kg !== null)
  const { name, record } = common(lines, header, date, head.stamp)
  const records = codes.map((code, index): Record => ({
    ...record,
    key: `${name}/${index + 1}`,
    hs_raw: code.hs.hs_raw,
    hs_code: code.hs.hs_code,
    description: described(cargo, code),
    gross_kg: single ? kilograms(header("weight"), header("weight_unit")) : weighed ? code.kg : null,
    packages: single ? number(header("manifest_quantity")) : null,
    package_kind: single ? header("manifest_unit") : null,
    teu: shareOf(boxes, codes, code)
  }))
  return { records, dropped, problem: null }
}
