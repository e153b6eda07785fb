/**
 * Generated trade as lines of text, for loading it into a store: JSON Lines with the members of `TradeRecord`, or TSV
 * with one column for each, the parties' members with `importer_` or `exporter_` before them.
 */
import { TradeRecord } from "@lading/core/trade"
import type { SyntheticTrade } from "./SyntheticTrade.ts"

type Record = TradeRecord.TradeRecord

const partyColumns = ["name", "country", "tax_id", "address"] as const
const sides = ["importer", "exporter"] as const

const isSide = (name: keyof Record): name is (typeof sides)[number] => name === "importer" || name === "exporter"

type Cell = string | number | boolean | null

type Column = readonly [name: string, read: (record: Record) => Cell]

const cells: ReadonlyArray<Column> = keysOf().flatMap((name): ReadonlyArray<Column> => {
  if (!isSide(name)) return [[name, (record) => record[name]]]
  return partyColumns.map((column) => [`${name}_${column}`, (record) => record[name][column]])
})

function keysOf() {
  // The keys of a struct's fields are what `keyof` says of them; TypeScript widens `Object.keys` to text.
  return Object.keys(TradeRecord.TradeRecord.fields) as ReadonlyArray<keyof Record>
}

/** The columns of a TSV line, in order. */
export const columns: ReadonlyArray<string> = cells.map(([name]) => name)

/** As ClickHouse and PostgreSQL read it: `\N` for nothing. Generated text has no tabs, line ends and backslashes. */
const cell = (value: Cell): string =>
  value === null ? "\\N" : typeof value === "boolean" ? (value ? "1" : "0") : `${value}`

export const tsv = (record: Record): string => {
  let line = ""
  for (const [, read] of cells) line += line === "" ? cell(read(record)) : `\t${cell(read(record))}`
  return line + "\n"
}

export const jsonl = (record: Record): string => JSON.stringify(record) + "\n"

/** Records from `from` to before `to`, in texts of about `lines` lines. */
export function* chunks(
  trade: SyntheticTrade,
  write: (record: Record) => string,
  {
    from = 0,
    lines = 2000,
    to = trade.records
  }: { readonly from?: number; readonly to?: number; readonly lines?: number } = {}
): Generator<string, void, void> {
  for (let start = from; start < to; start += lines) {
    let text = ""
    const end = Math.min(to, start + lines)
    for (let index = start; index < end; index++) text += write(trade.at(index).record)
    yield text
  }
}
