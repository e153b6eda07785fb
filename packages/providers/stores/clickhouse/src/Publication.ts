/**
 * Publishing a load: which of its rows count, which of the earlier ones do not any more, and what follows from that in the
 * copy by trader and in what is known of traders. Nothing of it is seen before the last statement. Each step may have been
 * made in part by a process that died: `undo` takes all of them back.
 */
import type { TradeLoads, TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import * as Journal from "./Journal.ts"
import { open } from "./migrations/Tables.ts"
import { id, int, ints, sql, type Statement, text, date } from "./Statement.ts"

/** Rows of one load have numbers from here on. */
const SHIFT = 40n
const PART = 20n
/** Rows that count again have numbers in the upper half. */
const AGAIN = 1n << 39n

export const firstRow = (load: number, part: number): bigint => (BigInt(load) << SHIFT) | (BigInt(part) << PART)

const still = int(open)

/** Names of bills, 0 where there is none; a bill that names itself as its master has none. */
const bill = sql`if(bill_number = '', 0, sipHash64(source, bill_number))`
const master = sql`if(master_bill_number = '' OR master_bill_number = bill_number, 0, sipHash64(source, master_bill_number))`

/** Rows that are looked at together: so many names are kept in memory. */
const AT_ONCE = 3_000_000

const thrifty = sql`SETTINGS max_bytes_before_external_group_by = 1000000000, max_bytes_before_external_sort = 1000000000`

const Count = Schema.Struct({ n: Schema.Int })

const changes = ["trader_fact", "trader_total", "trader_key", "key_size"] as const
const scratch = ["judged", "winner", "loser"]

/** Tables whose rows a publication or a load changes. */
export const changing: ReadonlyArray<string> = ["trade_record", "trader_record", ...changes]

const from = {
  trade_record: sql`trade_record`,
  trader_record: sql`trader_record`,
  trader_fact: sql`trader_fact`,
  trader_total: sql`trader_total`,
  trader_key: sql`trader_key`,
  key_size: sql`key_size`
}
type Table = keyof typeof from

type Step<A = void> = Effect.Effect<A, TradeStore.TradeStoreUnavailable>

export interface Publishing {
  readonly engine: Engine["Service"]
  readonly load: number
  readonly replaces: TradeLoads.Replaces | null
  /** Loads whose file has the name that is replaced. */
  readonly replaced: ReadonlyArray<number>
}

const count = ({ engine }: Publishing, statement: Statement): Step<number> =>
  Effect.map(Journal.plain(engine.unbounded(Count, statement)), ([row]) => row?.n ?? 0)

const has = (publishing: Publishing, from: Statement): Step<boolean> =>
  Effect.map(count(publishing, sql`SELECT toInt64(count()) AS n FROM (SELECT 1 FROM ${from} LIMIT 1)`), (n) => n > 0)

/** What was written down while a publication was made. */
export const clear = ({ engine, load }: Pick<Publishing, "engine" | "load">): Step =>
  Effect.forEach(scratch, (table) => engine.drop(table, load), { discard: true })

/** Changes rows of a table, where there are such. */
const update = Effect.fnUntraced(function* (
  publishing: Publishing,
  table: Table,
  change: Statement,
  where: Statement
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  if (yield* has(publishing, sql`${from[table]} WHERE ${where}`))
    yield* publishing.engine.mutate(table, sql`UPDATE ${change}`, where)
})

const remove = Effect.fnUntraced(function* (
  publishing: Publishing,
  table: Table,
  where: Statement
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  if (yield* has(publishing, sql`${from[table]} WHERE ${where}`))
    yield* publishing.engine.mutate(table, sql`DELETE`, where)
})

/** Takes back what a publication that was not finished has done. */
export const undo = Effect.fnUntraced(function* (
  publishing: Publishing
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const n = int(publishing.load)
  yield* remove(publishing, "trade_record", sql`load = ${n} AND row_id >= ${id(firstRow(publishing.load, 0) | AGAIN)}`)
  yield* update(
    publishing,
    "trade_record",
    sql`ended = if(ended = ${n}, ${still}, ended), withdrawn = if(withdrawn = ${n}, ${still}, withdrawn)`,
    sql`(ended = ${n} OR withdrawn = ${n})`
  )
  yield* update(publishing, "trader_record", sql`ended = ${still}`, sql`ended = ${n}`)
  for (const table of ["trader_record", ...changes] as const) yield* remove(publishing, table, sql`load = ${n}`)
  yield* clear(publishing)
})

/** Deletes the rows of a load from that part on; nobody sees them. */
export const forget = (publishing: Publishing, part: number): Step =>
  remove(
    publishing,
    "trade_record",
    sql`load = ${int(publishing.load)} AND row_id >= ${id(firstRow(publishing.load, part))}`
  )

/** Marks what is replaced as a whole. */
const withdraw = Effect.fnUntraced(function* (
  publishing: Publishing
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const { load, replaced, replaces } = publishing
  if (replaces === null) return
  const which =
    replaces.kind === "file"
      ? sql`origin IN ${ints(replaced)}`
      : sql`origin < ${int(load)} AND source = ${text(replaces.source)}
          AND date BETWEEN ${date(replaces.from)} AND ${date(replaces.to)}`
  yield* update(publishing, "trade_record", sql`withdrawn = ${int(load)}`, sql`${which} AND withdrawn = ${still}`)
})

/** A share of all records, so that what is kept in memory is bounded. */
type Bucket = Statement

const buckets = (rows: number): ReadonlyArray<Bucket> => {
  const all = Math.max(1, Math.ceil(rows / AT_ONCE))
  return Array.from({ length: all }, (_, index) => sql`record_id % ${int(all)} = ${int(index)}`)
}

/**
 * Which records have to be judged: those of the load and those that were withdrawn, the records under bills that these
 * name, and, to know whether a bill has house bills, the records that name it.
 */
const judge = Effect.fnUntraced(function* (
  { engine, load }: Publishing,
  shares: ReadonlyArray<Bucket>,
  first: boolean
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const n = int(load)
  const judged = sql`record_id IN (SELECT record_id FROM judged WHERE load = ${n})`
  for (const share of shares)
    yield* engine.run(sql`INSERT INTO judged (load, record_id, own) SELECT ${n}, record_id, true FROM trade_record
      WHERE (load = ${n} OR withdrawn = ${n}) AND ${share} GROUP BY record_id ${thrifty}`)
  if (first) return
  yield* engine.run(sql`INSERT INTO judged (load, record_id, own) SELECT ${n}, record_id, true FROM trade_record
    WHERE withdrawn = ${still} AND ${bill} IN (
      SELECT arrayJoin(arrayFilter(x -> x != 0, [toUInt64(${bill}), toUInt64(${master})])) FROM trade_record WHERE ${judged})
    AND NOT ${judged} GROUP BY record_id ${thrifty}`)
  yield* engine.run(sql`INSERT INTO judged (load, record_id, own) SELECT ${n}, record_id, false FROM trade_record
    WHERE withdrawn = ${still} AND ${master} IN (
      SELECT toUInt64(${bill}) AS b FROM trade_record WHERE ${judged} AND b != 0)
    AND NOT ${judged} GROUP BY record_id ${thrifty}`)
})

/** Of each record the row that stands for it, and the rows that do not count any more. */
const decide = Effect.fnUntraced(function* (
  { engine, load }: Publishing,
  shares: ReadonlyArray<Bucket>
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const n = int(load)
  for (const share of shares)
    yield* engine.run(sql`INSERT INTO winner (load, record_id, row_id, bill, master)
      SELECT ${n}, record_id, best.1, best.2, best.3 FROM (
        SELECT record_id, argMax((row_id, toUInt64(${bill}), toUInt64(${master})), (version, row_id)) AS best
        FROM trade_record WHERE withdrawn = ${still} AND ${share}
          AND record_id IN (SELECT record_id FROM judged WHERE load = ${n} AND ${share}) GROUP BY record_id) ${thrifty}`)
  for (const share of shares)
    yield* engine.run(sql`INSERT INTO loser (load, row_id) SELECT ${n}, row_id FROM trade_record
      WHERE ended = ${still} AND ${share}
        AND record_id IN (SELECT record_id FROM judged WHERE load = ${n} AND own AND ${share})
        AND row_id NOT IN (SELECT row_id FROM winner WHERE load = ${n} AND ${share} AND ${counts(load)}) ${thrifty}`)
})

/** A winner under whose bill no house bill travels. */
const counts = (load: number): Statement => sql`(bill = 0 OR bill NOT IN (
  SELECT master FROM winner WHERE load = ${int(load)} AND master != 0))`

/** Whether some record of the load is in it more than once. */
const repeats = Effect.fnUntraced(function* (
  publishing: Publishing,
  shares: ReadonlyArray<Bucket>
): Effect.fn.Return<boolean, TradeStore.TradeStoreUnavailable> {
  for (const share of shares) {
    const more = sql`SELECT toInt64(count() - uniqExact(record_id)) AS n FROM trade_record
      WHERE load = ${int(publishing.load)} AND ${share}`
    if ((yield* count(publishing, more)) > 0) return true
  }
  return false
})

/** What `judge` and `decide` come to where all records are of this load, each once: bills under which others travel lose. */
const endMasters = Effect.fnUntraced(function* (
  { engine, load }: Publishing,
  shares: ReadonlyArray<Bucket>
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const n = int(load)
  for (const index of shares.keys()) {
    const share = sql`${int(shares.length)} = ${int(index)}`
    yield* engine.run(sql`INSERT INTO loser (load, row_id) SELECT ${n}, row_id FROM (
        SELECT row_id, toUInt64(${bill}) AS own FROM trade_record WHERE load = ${n} AND bill_number != '')
      WHERE own % ${share} AND own IN (SELECT named FROM (
        SELECT toUInt64(${master}) AS named FROM trade_record WHERE load = ${n} AND master_bill_number != '')
        WHERE named != 0 AND named % ${share}) ${thrifty}`)
  }
})

/** Columns of both tables of records. */
const said = sql`source, key, version, flow, date, importer_name, importer_words, importer_country, importer_tax_id,
  importer_address, exporter_name, exporter_words, exporter_country, exporter_tax_id, exporter_address,
  origin_country, destination_country, hs_raw, hs_code, hs_imputed, description, words, keywords,
  quantity, quantity_unit, quantity_unit_raw, gross_kg, net_kg, amount, currency, amount_kind, amount_usd, packages,
  package_kind, teu, port_of_loading, port_of_unloading, ports, transport, bill_number, master_bill_number, synthetic`

/** Rows of earlier loads that had lost and count again, as rows of this one. */
const bringBack = ({ engine, load }: Publishing): Step => {
  const n = int(load)
  return engine.run(sql`INSERT INTO trade_record (load, origin, row_id, importer_id, exporter_id, ${said})
    SELECT ${n}, origin, ${id(firstRow(load, 0) | AGAIN)} + rowNumberInAllBlocks(), importer_id, exporter_id, ${said} FROM (
      -- Each shard would count its own rows.
      SELECT origin, importer_id, exporter_id, ${said} FROM trade_record
      WHERE load < ${n} AND ended < ${still} AND row_id IN (
        SELECT row_id FROM winner WHERE load = ${n} AND ${counts(load)}
          AND record_id IN (SELECT record_id FROM judged WHERE load = ${n} AND own))) ${thrifty}`)
}

/** Ends what does not count any more, in both tables of records. */
const end = Effect.fnUntraced(function* (
  publishing: Publishing
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const { load } = publishing
  const ended = sql`ended = ${int(load)}`
  const lost = sql`row_id IN (SELECT row_id FROM loser WHERE load = ${int(load)})`
  if (!(yield* has(publishing, sql`loser WHERE load = ${int(load)}`))) return
  yield* update(publishing, "trade_record", ended, lost)
  if (yield* has(publishing, sql`loser WHERE load = ${int(load)} AND row_id < ${id(firstRow(load, 0))}`))
    yield* update(publishing, "trader_record", ended, lost)
})

/** The copy by trader. */
const byTrader = (load: number, role: "exporter" | "importer"): Statement => {
  const [own, partner, country] =
    role === "importer"
      ? [sql`importer_id`, sql`exporter_id`, sql`seller_country`]
      : [sql`exporter_id`, sql`importer_id`, sql`buyer_country`]
  return sql`INSERT INTO trader_record (load, row_id, trader_id, role, partner_id, partner_country, weight_kg, ${said})
    SELECT load, row_id, ${own}, ${text(role)}, ${partner}, ${country}, coalesce(gross_kg, net_kg), ${said}
    FROM trade_record WHERE load = ${int(load)} AND ended = ${still} AND ${own} != 0`
}

/** Rows that begin to count, and rows that cease to, with a sign. */
const changed = (load: number): Statement => sql`(
  SELECT *, if(load = ${int(load)}, 1, -1) AS sign FROM trade_record
  WHERE (load = ${int(load)} AND ended = ${still}) OR (load < ${int(load)} AND ended = ${int(load)}))`

const side = (name: "exporter" | "importer"): Statement => {
  const [trader, own] =
    name === "importer"
      ? [
          sql`importer_id`,
          sql`importer_name, importer_words, toString(importer_country), importer_tax_id, importer_address`
        ]
      : [
          sql`exporter_id`,
          sql`exporter_name, exporter_words, toString(exporter_country), exporter_tax_id, exporter_address`
        ]
  return sql`(${trader}, ${own})`
}

/** Each party as it is written, of how many records more or fewer. */
const parties = (load: number): Statement => sql`
  SELECT side.1 AS trader, side.2 AS name, side.3 AS words, side.4 AS country, side.5 AS tax, side.6 AS address,
    sum(sign) AS n
  FROM (SELECT arrayJoin([${side("importer")}, ${side("exporter")}]) AS side, sign FROM ${changed(load)})
  WHERE trader != 0 GROUP BY trader, name, words, country, tax, address HAVING n != 0`

const facts = (load: number): Statement => sql`INSERT INTO trader_fact (load, trader_id, kind, value, words, records)
  SELECT ${int(load)}, trader, fact.1, fact.2, fact.3, sum(n) AS records FROM (
    SELECT trader, n, arrayJoin(arrayFilter(x -> x.2 != '',
      [('name', name, words), ('country', country, ''), ('tax_id', tax, ''), ('address', address, '')])) AS fact
    FROM (${parties(load)})
  ) GROUP BY trader, fact HAVING records != 0 ${thrifty}`

const keys = (load: number): Statement => sql`INSERT INTO trader_key (load, key, trader_id, country, records)
  SELECT ${int(load)}, key, trader, country, sum(n) AS records FROM (
    SELECT trader, country, n, arrayJoin(of.keys) AS key
    FROM (SELECT trader, country, sipHash64(name, tax) AS party, sum(n) AS n FROM (${parties(load)})
      GROUP BY trader, country, party) AS p
    INNER JOIN (SELECT party, any(keys) AS keys FROM party_key GROUP BY party) AS of ON of.party = p.party
  ) GROUP BY key, trader, country HAVING records != 0 ${thrifty}`

/** How many traders more or fewer have a key: those that had no record under it and have one now, and the other way. */
const keySizes = (load: number): Statement => sql`INSERT INTO key_size (load, key, traders)
  SELECT ${int(load)}, key, sum(toInt64(after > 0) - toInt64(before > 0)) AS change FROM (
    SELECT key, trader_id, sum(records) AS after, sumIf(records, load < ${int(load)}) AS before
    FROM trader_key WHERE load <= ${int(load)} GROUP BY key, trader_id HAVING (after > 0) != (before > 0)
  ) GROUP BY key HAVING change != 0 SETTINGS optimize_aggregation_in_order = 1`

const sumsOf = (load: number, role: "either" | "exporter" | "importer", trader: Statement): Statement => sql`
  INSERT INTO trader_total (load, trader_id, role, records, weighed, weight_kg, valued, amount_usd, kinds)
  SELECT ${int(load)}, ${trader} AS trader, ${text(role)}, sum(sign) AS records,
    sumIf(sign, isNotNull(coalesce(gross_kg, net_kg))), sum(sign * ifNull(coalesce(gross_kg, net_kg), 0)),
    sumIf(sign, isNotNull(amount_usd)), sum(sign * ifNull(amount_usd, 0)),
    sumMapIf(map(amount_kind, toInt64(sign)), isNotNull(amount_usd))
  FROM ${changed(load)} WHERE trader != 0 GROUP BY trader ${thrifty}`

/** What follows for the copy by trader and for what is known of traders. */
const follow = ({ engine, load }: Publishing): Step =>
  Effect.forEach(
    [
      byTrader(load, "importer"),
      byTrader(load, "exporter"),
      facts(load),
      keys(load),
      keySizes(load),
      sumsOf(load, "importer", sql`importer_id`),
      sumsOf(load, "exporter", sql`exporter_id`),
      sumsOf(load, "either", sql`arrayJoin(arrayDistinct([importer_id, exporter_id]))`)
    ],
    engine.run,
    { discard: true }
  )

const announce = ({ engine, load }: Publishing): Step => {
  const n = int(load)
  return engine.run(sql`INSERT INTO publication (version, newest, records, traders, added, replaced, at)
    SELECT ${n}, max(date), count(),
      (SELECT count() FROM (SELECT trader_id FROM trader_total WHERE role = 'either' AND load <= ${n}
        GROUP BY trader_id HAVING sum(records) > 0)),
      countIf(load = ${n}), (SELECT count() FROM loser WHERE load = ${n} AND row_id < ${id(firstRow(load, 0))}), now64(3)
    FROM trade_record WHERE load <= ${n} AND ended > ${n}`)
}

/** All of it; readers see the load when this has ended. */
export const publish = Effect.fnUntraced(function* (
  publishing: Publishing
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const { load } = publishing
  yield* withdraw(publishing)
  const first = !(yield* has(publishing, sql`trade_record WHERE load < ${int(load)}`))
  const rows = yield* count(
    publishing,
    sql`SELECT toInt64(count()) AS n FROM trade_record WHERE load = ${int(load)} OR withdrawn = ${int(load)}`
  )
  const shares = buckets(rows)
  if (first && !(yield* repeats(publishing, shares))) yield* endMasters(publishing, shares)
  else {
    yield* judge(publishing, shares, first)
    yield* decide(publishing, shares)
  }
  if (!first) yield* bringBack(publishing)
  yield* end(publishing)
  yield* follow(publishing)
  yield* announce(publishing)
  yield* clear(publishing)
})
