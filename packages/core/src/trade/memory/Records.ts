/** Which records count, and their pages. */
import type { Cursor, Dates, RecordsQuestion, Sort } from "../TradeQuestion.ts"
import type { RecordPage } from "../TradeAnswer.ts"
import * as TradeFilter from "../TradeFilter.ts"
import type { Party, TradeRecord } from "../TradeRecord.ts"
import type { TradeRole } from "../TradeRole.ts"
import * as TradeRow from "../TradeRow.ts"

export type Rows = ReadonlyArray<TradeRow.TradeRow>

/** Of each record the version with the highest number; of two equal ones the later in the list. */
const newest = (records: Iterable<TradeRecord>): ReadonlyArray<TradeRecord> => {
  const byId = new Map<string, TradeRecord>()
  for (const record of records) {
    const before = byId.get(TradeRow.id(record))
    if (before === undefined || before.version <= record.version) byId.set(TradeRow.id(record), record)
  }
  return [...byId.values()]
}

/** Without the master bills under which house bills of the same source travel: those are the same goods. */
const withoutMasters = (records: ReadonlyArray<TradeRecord>): ReadonlyArray<TradeRecord> => {
  const bill = (source: string, number: string) => JSON.stringify([source, number])
  const masters = new Set(
    records.flatMap(({ bill_number, master_bill_number, source }) =>
      master_bill_number === null || master_bill_number === bill_number ? [] : [bill(source, master_bill_number)]
    )
  )
  return records.filter(({ bill_number, source }) => bill_number === null || !masters.has(bill(source, bill_number)))
}

/** The records that count, each with its traders. */
export const counted = (
  records: Iterable<TradeRecord>,
  traderOf: (party: Party, role: TradeRole) => string | null
): Rows =>
  withoutMasters(newest(records)).map((record) => ({
    record,
    importer_id: traderOf(record.importer, "importer"),
    exporter_id: traderOf(record.exporter, "exporter")
  }))

export const matching = (rows: Rows, filter: TradeFilter.TradeFilter): Rows =>
  rows.filter((row) => TradeFilter.matches(filter, row))

/** Records of a trader on one side. */
export const ofTrader = (
  rows: Rows,
  { from, role, to, trader_id }: Dates & { readonly trader_id: string; readonly role: TradeRole }
): Rows => matching(rows, { ...TradeFilter.all, trader: { trader_id, role }, from, to })

const sortedBy = (record: TradeRecord, { by }: Sort): number | string | null => {
  if (by === "date") return record.date
  return by === "amount" ? record.amount_usd : TradeRow.weight(record)
}

const cursorOf = ({ record }: TradeRow.TradeRow, sort: Sort): Cursor => ({
  value: sortedBy(record, sort),
  source: record.source,
  key: record.key
})

const compare = <A extends number | string>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)

/** By value, those without one last, then by source and key, whatever the order of the values. */
const inOrder = (a: Cursor, b: Cursor, { order }: Sort): number => {
  const byName = compare(a.source, b.source) || compare(a.key, b.key)
  if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null) || byName
  return (order === "asc" ? compare(a.value, b.value) : compare(b.value, a.value)) || byName
}

/** The records of a page, or those behind a cursor. */
export const page = (rows: Rows, { after, filter, sort, window }: RecordsQuestion): RecordPage => {
  const found = matching(rows, filter).toSorted((a, b) => inOrder(cursorOf(a, sort), cursorOf(b, sort), sort))
  const behind = after === null ? found : found.filter((row) => inOrder(cursorOf(row, sort), after, sort) > 0)
  const start = after === null ? (window.page - 1) * window.limit : 0
  const list = behind.slice(start, start + window.limit)
  const last = list.at(-1)
  const more = start + window.limit < behind.length
  return { list, total: found.length, next: more && last !== undefined ? cursorOf(last, sort) : null }
}
