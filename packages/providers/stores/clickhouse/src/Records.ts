/**
 * Records in their order. The value of the last one on a page is looked up first, by reading the sorted column alone;
 * all columns are read of those rows only that can be on the page.
 */
import {
  type TradeAnswer,
  type TradeFilter,
  type TradeQuestion,
  TradeRecord,
  type TradeRow,
  type TradeStore
} from "@lading/core/trade"
import { DateTime, Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { isEverything, recordCount } from "./Everything.ts"
import { condition, tableOf, weight } from "./Filter.ts"
import type { Published } from "./Published.ts"
import { all, date, float, int, sql, type Statement, text } from "./Statement.ts"

const said = Schema.String
const number = Schema.NullOr(Schema.Finite)

const Row = Schema.Struct({
  buyer: said,
  seller: said,
  source: said,
  key: said,
  version: Schema.Int,
  side: TradeRecord.TradeRecord.fields.flow,
  day: said,
  importer_name: said,
  importer_country: said,
  importer_tax_id: said,
  importer_address: said,
  exporter_name: said,
  exporter_country: said,
  exporter_tax_id: said,
  exporter_address: said,
  origin_country: said,
  destination_country: said,
  hs_raw: said,
  hs_code: said,
  hs_imputed: Schema.Boolean,
  description: said,
  quantity: number,
  quantity_unit: said,
  quantity_unit_raw: said,
  gross_kg: number,
  net_kg: number,
  amount: number,
  currency: said,
  amount_kind: TradeRecord.AmountKind,
  amount_usd: number,
  packages: number,
  package_kind: said,
  teu: number,
  port_of_loading: said,
  port_of_unloading: said,
  transport: Schema.Union([TradeRecord.Transport, Schema.Literal("")]),
  bill_number: said,
  master_bill_number: said,
  synthetic: Schema.Boolean,
  /** Where it is asked for: how many match. */
  total: Schema.optionalKey(Schema.Int)
})
type Row = typeof Row.Type

// An alias would hide the column of its name from the conditions.
const columns = sql`
  toString(importer_id) AS buyer, toString(exporter_id) AS seller, source, key, version,
  toString(flow) AS side, toString(date) AS day, importer_name, importer_country, importer_tax_id, importer_address,
  exporter_name, exporter_country, exporter_tax_id, exporter_address, origin_country, destination_country, hs_raw,
  hs_code, hs_imputed, description, quantity, quantity_unit, quantity_unit_raw, gross_kg, net_kg, amount, currency,
  amount_kind, amount_usd, packages, package_kind, teu, port_of_loading, port_of_unloading, transport, bill_number,
  master_bill_number, synthetic`

/** The empty text stands for nothing. */
const orNull = <A extends string>(value: A): Exclude<A, ""> | null =>
  // `Exclude` cannot follow the comparison of a type parameter.
  value === "" ? null : (value as Exclude<A, "">)

const traderOf = (id: string): string | null => (id === "0" ? null : id)

const partyOf = (row: Row, side: "exporter" | "importer"): TradeRecord.Party => ({
  name: orNull(row[`${side}_name`]),
  country: orNull(row[`${side}_country`]),
  tax_id: orNull(row[`${side}_tax_id`]),
  address: orNull(row[`${side}_address`])
})

const recordOf = (row: Row): TradeRecord.TradeRecord => ({
  source: row.source,
  key: row.key,
  version: row.version,
  flow: row.side,
  date: row.day,
  importer: partyOf(row, "importer"),
  exporter: partyOf(row, "exporter"),
  origin_country: orNull(row.origin_country),
  destination_country: orNull(row.destination_country),
  hs_raw: orNull(row.hs_raw),
  hs_code: orNull(row.hs_code),
  hs_imputed: row.hs_imputed,
  description: orNull(row.description),
  quantity: row.quantity,
  quantity_unit: orNull(row.quantity_unit),
  quantity_unit_raw: orNull(row.quantity_unit_raw),
  gross_kg: row.gross_kg,
  net_kg: row.net_kg,
  amount: row.amount,
  currency: orNull(row.currency),
  amount_kind: row.amount_kind,
  amount_usd: row.amount_usd,
  packages: row.packages,
  package_kind: orNull(row.package_kind),
  teu: row.teu,
  port_of_loading: orNull(row.port_of_loading),
  port_of_unloading: orNull(row.port_of_unloading),
  transport: orNull(row.transport),
  bill_number: orNull(row.bill_number),
  master_bill_number: orNull(row.master_bill_number),
  synthetic: row.synthetic
})

const rowOf = (row: Row): TradeRow.TradeRow => ({
  record: recordOf(row),
  importer_id: traderOf(row.buyer),
  exporter_id: traderOf(row.seller)
})

/** The sorted column, and how a value of it is bound. */
interface Sorted {
  readonly value: Statement
  readonly isNull: Statement
  readonly bind: (value: number | string) => Statement
  readonly direction: Statement
  readonly ahead: Statement
  /** What has no value comes last. */
  readonly inOrder: Statement
}

const bindDate = (value: number | string): Statement => sql`${date(String(value))}`
const bindNumber = (value: number | string): Statement => sql`${float(Number(value))}`

const sortedBy = ({ by, order }: TradeQuestion.Sort): Sorted => {
  const value = by === "date" ? sql`date` : by === "amount" ? sql`amount_usd` : weight
  const direction = order === "asc" ? sql`ASC` : sql`DESC`
  return {
    value,
    inOrder: by === "date" ? sql`date ${direction}` : sql`isNull(${value}), ${value} ${direction}`,
    isNull: by === "date" ? sql`false` : sql`isNull(${value})`,
    bind: by === "date" ? bindDate : bindNumber,
    direction,
    ahead: order === "asc" ? sql`<=` : sql`>=`
  }
}

/** What comes behind a cursor; what has no value comes last. */
const behind = ({ bind, isNull, value }: Sorted, after: TradeQuestion.Cursor, asc: boolean): Statement => {
  const later = sql`(source, key) > (${text(after.source)}, ${text(after.key)})`
  if (after.value === null) return sql`${isNull} AND ${later}`
  const edge = bind(after.value)
  const further = asc ? sql`${value} > ${edge}` : sql`${value} < ${edge}`
  return sql`(${isNull} OR ${further} OR (${value} = ${edge} AND ${later}))`
}

const Count = Schema.Struct({ n: Schema.Int })
const Edge = Schema.Struct({ edge: Schema.Union([Schema.Finite, Schema.String]) })
type Edge = (typeof Edge.Type)["edge"]

type Asked<A> = Effect.Effect<A, TradeStore.TradeStoreError>

interface Part {
  readonly limit: number
  readonly offset: number
}

/** The value behind the page, by the sorted column alone; none where the page reaches the end of the values. */
const edgeOf = (
  engine: Engine["Service"],
  from: Statement,
  value: Statement,
  direction: Statement,
  { limit, offset }: Part
): Asked<Edge | undefined> =>
  Effect.map(
    engine.rows(
      Edge,
      sql`SELECT ${value} AS edge ${from} AND isNotNull(${value})
        ORDER BY edge ${direction} LIMIT 1 OFFSET ${int(offset + limit)}`
    ),
    ([found]) => found?.edge
  )

/** So many rows the engine finds by a few columns before it reads the others of them (`Engine.ts`). */
const FOUND_FIRST = 1000

/** A trader's rows stand side by side: where the first pages end is not worth a question of its own. */
const isShort = ({ trader }: TradeFilter.TradeFilter, { limit, offset }: Part): boolean =>
  trader !== null && offset + limit < FOUND_FIRST

/** So far back the newest records are looked for before all of them are. */
const RECENT = 45

const before = (day: string): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(day), { days: RECENT }))

/** Where the newest are asked for, mostly the last weeks have a page of them. */
const recent = (
  { after, filter, sort }: TradeQuestion.RecordsQuestion,
  { newest }: Published
): TradeFilter.TradeFilter | null => {
  if (sort.by !== "date" || sort.order !== "desc" || after !== null || newest === null) return null
  const from = before(filter.to === null || filter.to > newest ? newest : filter.to)
  return filter.from !== null && filter.from >= from ? null : { ...filter, from }
}

const edge = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  question: TradeQuestion.RecordsQuestion,
  published: Published,
  part: Part
): Effect.fn.Return<Edge | undefined, TradeStore.TradeStoreError> {
  const { filter, sort } = question
  const { direction, value } = sortedBy(sort)
  if (isShort(filter, part)) return undefined
  const records = (some: TradeFilter.TradeFilter) =>
    sql`FROM ${tableOf(filter)} WHERE ${matching(some, question, published)}`
  const near = recent(question, published)
  const found = near === null ? undefined : yield* edgeOf(engine, records(near), value, direction, part)
  return found ?? (yield* edgeOf(engine, records(filter), value, direction, part))
})

/** What a page is of: everything, or what is behind a cursor. */
const matching = (
  filter: TradeFilter.TradeFilter,
  { after, sort }: TradeQuestion.RecordsQuestion,
  published: Published
): Statement => {
  const where = condition(filter, published)
  return after === null ? where : all([where, behind(sortedBy(sort), after, sort.order === "asc")])
}

/** The page with one record more where there is one. */
const pageOf = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  question: TradeQuestion.RecordsQuestion,
  published: Published,
  part: Part
): Effect.fn.Return<ReadonlyArray<Row>, TradeStore.TradeStoreError> {
  const { filter, sort } = question
  const { ahead, bind, inOrder, value } = sortedBy(sort)
  const found = yield* edge(engine, question, published, part)
  const near = found === undefined ? sql`1` : sql`${value} ${ahead} ${bind(found)}`
  // In one statement with the records where it costs little.
  const total = filter.trader === null ? sql`` : sql`, (${countOf(filter, published)}) AS total`
  return yield* engine.rows(
    Row,
    sql`SELECT ${columns}${total} FROM ${tableOf(filter)} WHERE ${matching(filter, question, published)} AND ${near}
      ORDER BY ${inOrder}, source, key LIMIT ${int(part.limit + 1)} OFFSET ${int(part.offset)}`
  )
})

const countOf = (filter: TradeFilter.TradeFilter, published: Published): Statement =>
  isEverything(filter)
    ? sql`SELECT ${recordCount(published)} AS n`
    : sql`SELECT toInt64(count()) AS n FROM ${tableOf(filter)} WHERE ${condition(filter, published)}`

const totalOf = (
  engine: Engine["Service"],
  { filter }: TradeQuestion.RecordsQuestion,
  published: Published
): Asked<number> => Effect.map(engine.rows(Count, countOf(filter, published)), ([found]) => found?.n ?? 0)

const sortValue = ({ record }: TradeRow.TradeRow, { by }: TradeQuestion.Sort): number | string | null => {
  if (by === "date") return record.date
  return by === "amount" ? record.amount_usd : (record.gross_kg ?? record.net_kg)
}

export const records = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    question: TradeQuestion.RecordsQuestion
  ): Effect.fn.Return<TradeAnswer.RecordPage, TradeStore.TradeStoreError> {
    const { after, filter, sort, window } = question
    const offset = after === null ? (window.page - 1) * window.limit : 0
    const page = pageOf(engine, question, published, { limit: window.limit, offset })
    const [rows, total] = yield* filter.trader === null
      ? Effect.all([page, totalOf(engine, question, published)], { concurrency: 2 })
      : Effect.flatMap(page, (rows) => {
          const [first] = rows
          const known = first?.total ?? (offset === 0 && after === null ? 0 : undefined)
          return Effect.map(
            known === undefined ? totalOf(engine, question, published) : Effect.succeed(known),
            (total) => [rows, total] as const
          )
        })
    const list = rows.slice(0, window.limit).map(rowOf)
    const last = list.at(-1)
    const more = rows.length > window.limit && last !== undefined
    return {
      list,
      total,
      next: more ? { value: sortValue(last, sort), source: last.record.source, key: last.record.key } : null
    }
  })
