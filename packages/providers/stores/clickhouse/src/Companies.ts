/** Which traders stand in records that match. */
import type { TradeAnswer, TradeQuestion, TradeRole, TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { isEverything, TraderRank, traderRanks } from "./Everything.ts"
import { condition, hasWords, tableOf, weight } from "./Filter.ts"
import * as Names from "./Names.ts"
import { type Published, visible } from "./Published.ts"
import { ids, int, sql, type Statement, text } from "./Statement.ts"
import { listed, Sums, totalsOf, window } from "./Sums.ts"
import * as TraderId from "./TraderId.ts"

const side = Schema.Tuple([Sums.fields.n, Sums.fields.kg, Sums.fields.usd, Sums.fields.kinds])
const Summary = Schema.Struct({
  value: Schema.String,
  first: Schema.String,
  last: Schema.String,
  imported: side,
  exported: side
})
const Part = Schema.Struct({ ...Summary.fields, groups: Schema.Int })
type Summary = typeof Summary.Type

type Asked<A> = Effect.Effect<A, TradeStore.TradeStoreError>

/** The sides on which a record names a trader; one that stands on both is one record of it. */
const sides = (role: TradeQuestion.TradersQuestion["role"]): Statement => {
  if (role === "importer") return sql`[importer_id]`
  return role === "exporter" ? sql`[exporter_id]` : sql`arrayDistinct([importer_id, exporter_id])`
}

/** What a trader does on one side: in those of its rows for which this holds. */
const onSide = (holds: Statement, kg: Statement): Statement => sql`(
  toInt64(countIf(${holds})), sumIf(${kg}, ${holds}), sumIf(amount_usd, ${holds}),
  groupUniqArrayIf(toString(amount_kind), ${holds} AND isNotNull(amount_usd)))`

/** Traders one of whose names has all the words. */
const called = (trader: Statement, name: string | null, { version }: Published): Statement =>
  name === null
    ? sql`1`
    : sql`${trader} IN (
  SELECT trader_id FROM trader_fact
  WHERE kind = 'name' AND ${hasWords(sql`words`, name)} AND load <= ${int(version)}
  GROUP BY trader_id, value HAVING sum(records) > 0)`

const sumsOf = ([n, kg, usd, kinds]: Summary["imported"]): TradeAnswer.Totals => totalsOf({ n, kg, usd, kinds })

/** From all records that match. */
const counted = (
  engine: Engine["Service"],
  published: Published,
  { filter, name, role, window: wanted }: TradeQuestion.TradersQuestion
): Asked<TradeAnswer.Listed<Summary>> =>
  listed(
    engine,
    Part,
    wanted,
    (some) => sql`
    SELECT toString(trader) AS value, toInt64(count() OVER ()) AS groups, * EXCEPT trader FROM (
      SELECT trader, toInt64(count()) AS n, toString(min(date)) AS first, toString(max(date)) AS last,
        ${onSide(sql`importer_id = trader`, weight)} AS imported, ${onSide(sql`exporter_id = trader`, weight)} AS exported
      FROM ${tableOf(filter)} ARRAY JOIN ${sides(role)} AS trader
      WHERE ${condition(filter, published)} AND trader != 0 AND ${called(sql`trader`, name, published)} GROUP BY trader
    ) ORDER BY n DESC, value ${window(some)}`
  )

/** Who stands on both sides of a record has a row for each of them in the copy by trader. */
const rowsOn = (side: TradeRole.TradeRole, asked: TradeRole.TradeRole | null): Statement =>
  asked === null || asked === side ? sql`role = ${text(side)}` : sql`partner_id = trader_id`

/** Of all records: ranked by what is known of traders, and only the rows of those on the page are read. */
const known = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  published: Published,
  { name, role, window: wanted }: TradeQuestion.TradersQuestion
): Effect.fn.Return<TradeAnswer.Listed<Summary>, TradeStore.TradeStoreError> {
  const among = called(sql`trader_id`, name, published)
  const { list, total } = yield* listed(engine, TraderRank, wanted, (some) =>
    traderRanks(role ?? "either", among, published, some)
  )
  if (list.length === 0) return { list: [], total }
  const [imported, exported] = [rowsOn("importer", role), rowsOn("exporter", role)]
  const found = yield* engine.rows(
    Summary,
    sql`SELECT toString(trader_id) AS value, toString(min(date)) AS first, toString(max(date)) AS last,
      ${onSide(imported, sql`weight_kg`)} AS imported, ${onSide(exported, sql`weight_kg`)} AS exported
    FROM trader_record WHERE trader_id IN ${ids(TraderId.readAll(list.map(({ value }) => value)))}
      AND ${role === null ? sql`1` : sql`role = ${text(role)}`} AND ${visible(published)} GROUP BY trader_id`
  )
  const byTrader = new Map(found.map((row) => [row.value, row]))
  return { list: list.flatMap(({ value }) => byTrader.get(value) ?? []), total }
})

export const traders = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    question: TradeQuestion.TradersQuestion
  ): Effect.fn.Return<TradeAnswer.Listed<TradeAnswer.TraderSummary>, TradeStore.TradeStoreError> {
    const { list, total } = yield* (isEverything(question.filter) ? known : counted)(engine, published, question)
    const nameOf = yield* Names.named(
      engine,
      published,
      list.map(({ value }) => value)
    )
    return {
      total,
      list: list.map((row) => ({
        ...nameOf(row.value),
        as_importer: sumsOf(row.imported),
        as_exporter: sumsOf(row.exported),
        first_date: row.first,
        last_date: row.last
      }))
    }
  })
