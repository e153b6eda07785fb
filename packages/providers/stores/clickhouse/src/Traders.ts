/** Answers about one trader, from the copy by trader. */
import { Period, type TradeAnswer, type TradeQuestion, TradeRole, type TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { rowsOf } from "./Filter.ts"
import * as Names from "./Names.ts"
import { type Published, visible } from "./Published.ts"
import { date, ids, int, sql, type Statement, text } from "./Statement.ts"
import { listed, ofTraders, parts, Ranked, ranked, sharedOf, Sums, totals, totalsOf, totalsOfParts } from "./Sums.ts"
import * as TraderId from "./TraderId.ts"

type Asked<A> = Effect.Effect<A, TradeStore.TradeStoreError>

/** `FROM` and `WHERE` of a trader's own rows. */
export const own = ({ role, trader_id, ...dates }: TradeQuestion.OfTrader, published: Published): Statement =>
  sql`FROM trader_record WHERE ${rowsOf({ trader_id, role }, dates, published)}`

const Status = Schema.Struct({
  trader_id: Schema.String,
  role: TradeRole.TradeRole,
  active: Schema.Int,
  new_add: Schema.Int,
  potential: Schema.Int
})

export const status = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    of: ReadonlyArray<{ readonly trader_id: string; readonly role: TradeRole.TradeRole }>
  ): Effect.fn.Return<ReadonlyArray<TradeAnswer.Status>, TradeStore.TradeStoreError> {
    const since = date(published.newest === null ? "1900-01-01" : Period.yearBefore(published.newest))
    const found = yield* engine.rows(
      Status,
      sql`SELECT toString(trader_id) AS trader_id, toString(role) AS role, toInt64(countIf(late > 0)) AS active,
        toInt64(countIf(late > 0 AND early = 0)) AS new_add, toInt64(countIf(late = 0)) AS potential
      FROM (
        SELECT trader_id, role, partner_id, countIf(date > ${since}) AS late, countIf(date <= ${since}) AS early
        FROM trader_record
        WHERE trader_id IN ${ids(TraderId.readAll(of.map(({ trader_id }) => trader_id)))} AND partner_id != 0
          AND ${visible(published)}
        GROUP BY trader_id, role, partner_id
      ) GROUP BY trader_id, role`
    )
    const byTrader = new Map(found.map((row) => [`${row.role} ${row.trader_id}`, row]))
    return of.map(
      ({ role, trader_id }) =>
        byTrader.get(`${role} ${trader_id}`) ?? { trader_id, role, active: 0, new_add: 0, potential: 0 }
    )
  })

export const RankedBy = Schema.Struct({ ...Ranked.fields, value: Schema.String })

/** Groups of a trader's rows by one of their columns; a row that says nothing there is in the group `''`. */
const by = (value: Statement, from: Statement): Statement => sql`
  SELECT toString(role) AS side, ${value} AS value, value != '' AS present, ${totals(ofTraders)} ${from}
  GROUP BY side, value`

export const atLevel = (level: TradeQuestion.HsLevel): Statement =>
  sql`if(length(hs_code) >= ${int(level)}, substring(hs_code, 1, ${int(level)}), '')`

export const partnerCountry = sql`toString(partner_country)`

export const hsCodes =
  (engine: Engine["Service"]) =>
  (published: Published, question: TradeQuestion.HsQuestion): Asked<TradeAnswer.Listed<TradeAnswer.HsShare>> =>
    Effect.map(
      listed(engine, RankedBy, question.window, (part) =>
        ranked(by(atLevel(question.level), own(question, published)), sql`value`, part)
      ),
      ({ list, total }) => ({ list: list.map((row) => ({ hs_code: row.value, ...sharedOf(row) })), total })
    )

export const regions =
  (engine: Engine["Service"]) =>
  (
    published: Published,
    question: TradeQuestion.TraderListQuestion
  ): Asked<TradeAnswer.Listed<TradeAnswer.CountryShare>> =>
    Effect.map(
      listed(engine, RankedBy, question.window, (part) =>
        ranked(by(partnerCountry, own(question, published)), sql`value`, part)
      ),
      ({ list, total }) => ({ list: list.map((row) => ({ country: row.value, ...sharedOf(row) })), total })
    )

/** A record has many keywords: the whole is counted apart from the groups. */
const byKeyword = (from: Statement): Statement => sql`
  SELECT toString(role) AS side, toString(arrayJoin(keywords)) AS value, true AS present, ${totals(ofTraders)} ${from}
  GROUP BY side, value`

export const keywords =
  (engine: Engine["Service"]) =>
  (
    published: Published,
    question: TradeQuestion.TraderListQuestion
  ): Asked<TradeAnswer.Listed<TradeAnswer.Product>> => {
    const from = own(question, published)
    return Effect.map(
      listed(
        engine,
        RankedBy,
        question.window,
        ({ limit, page }) => sql`
        SELECT *, toInt64(count() OVER ()) AS groups, (SELECT toInt64(count()) ${from}) AS whole
        FROM (${byKeyword(from)}) ORDER BY n DESC, value LIMIT ${int(limit)} OFFSET ${int((page - 1) * limit)}`
      ),
      ({ list, total }) => ({ list: list.map((row) => ({ keyword: row.value, ...sharedOf(row) })), total })
    )
  }

export const PartnerRow = Schema.Struct({
  ...Ranked.fields,
  value: Schema.String,
  first: Schema.String,
  last: Schema.String,
  codes: Schema.Array(Schema.String)
})

/** By partner, with the product codes of each in the order of their counts. */
export const byPartner = (from: Statement): Statement => sql`
  SELECT side, toString(partner_id) AS value, partner_id != 0 AS present, ${totalsOfParts},
    toString(min(part_first)) AS first, toString(max(part_last)) AS last,
    arrayMap(x -> x.1, arraySort(x -> (-x.2, x.1),
      arrayFilter(x -> length(x.1) = 6, groupArray((hs, part_n))))) AS codes
  FROM (
    SELECT toString(role) AS side, partner_id, toString(hs_code) AS hs, ${parts(ofTraders)},
      min(date) AS part_first, max(date) AS part_last ${from}
    GROUP BY side, partner_id, hs
  ) GROUP BY side, partner_id`

/** Rows of `byPartner` with the partners' names. */
export const partnersOf = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  published: Published,
  rows: ReadonlyArray<typeof PartnerRow.Type>
): Effect.fn.Return<ReadonlyArray<TradeAnswer.Partner>, TradeStore.TradeStoreError> {
  const named = yield* Names.named(
    engine,
    published,
    rows.map(({ value }) => value)
  )
  return rows.map((row) => ({
    ...named(row.value),
    ...sharedOf(row),
    first_date: row.first,
    last_date: row.last,
    hs_codes: row.codes
  }))
})

export const partners = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    question: TradeQuestion.TraderListQuestion
  ): Effect.fn.Return<TradeAnswer.Listed<TradeAnswer.Partner>, TradeStore.TradeStoreError> {
    const { list, total } = yield* listed(engine, PartnerRow, question.window, (part) =>
      ranked(byPartner(own(question, published)), sql`value`, part)
    )
    return { total, list: yield* partnersOf(engine, published, list) }
  })

const TotalRow = Schema.Struct({ ...Sums.fields, trader_id: Schema.String })

export const sums = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    trader_ids: ReadonlyArray<string>,
    role: TradeRole.TradeRole
  ): Effect.fn.Return<ReadonlyArray<TradeAnswer.TraderName & TradeAnswer.Totals>, TradeStore.TradeStoreError> {
    const found = yield* engine.rows(
      TotalRow,
      sql`SELECT toString(trader_id) AS trader_id, * EXCEPT trader_id FROM (
        SELECT trader_id, ${totals(ofTraders)} FROM trader_record
        WHERE trader_id IN ${ids(TraderId.readAll(trader_ids))} AND role = ${text(role)} AND ${visible(published)}
        GROUP BY trader_id)`
    )
    const named = yield* Names.named(engine, published, trader_ids)
    const byTrader = new Map(found.map((row) => [row.trader_id, row]))
    return [...new Set(trader_ids)].flatMap((trader_id) => {
      const row = byTrader.get(trader_id)
      return row === undefined ? [] : [{ ...named(trader_id), ...totalsOf(row) }]
    })
  })
