/** All that is known of one trader, both sides of it at once. */
import { type TradeAnswer, TradeRole, type TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import * as Names from "./Names.ts"
import { type Published, visible } from "./Published.ts"
import { id, sql, type Statement } from "./Statement.ts"
import { ofTraders, sharedOf, topTen, totals, totalsOf } from "./Sums.ts"
import { atLevel, byPartner, partnerCountry, PartnerRow, partnersOf, RankedBy } from "./Traders.ts"
import * as TraderId from "./TraderId.ts"

const inRole = { side: TradeRole.TradeRole }
/** Each ranking of a side, and the side itself, as a group of its own without a value. */
const Group = Schema.Struct({
  ...RankedBy.fields,
  ...inRole,
  what: Schema.Literals(["country", "hs", "keyword", "side"]),
  first: Schema.String,
  last: Schema.String,
  partners: Schema.Int
})
const TopPartner = Schema.Struct({ ...PartnerRow.fields, ...inRole })

/** Rankings by what a row says once or several times: all from one reading of the trader's rows. */
const groups = (from: Statement): Statement => sql`
  SELECT toString(role) AS side, said.1 AS what, said.2 AS value, what = 'side' OR value != '' AS present,
    ${totals(ofTraders)}, toString(min(date)) AS first, toString(max(date)) AS last,
    toInt64(uniqExactIf(partner_id, what = 'side' AND partner_id != 0)) AS partners
  FROM (
    SELECT role, date, partner_id, weight_kg, amount_usd, amount_kind, arrayJoin(arrayConcat(
      [('side', ''), ('hs', toString(${atLevel(6)})), ('country', ${partnerCountry})],
      arrayMap(x -> ('keyword', toString(x)), keywords))) AS said
    ${from}
  ) GROUP BY side, what, value`

/** Values of facts that are shown. */
const MOST = 100

const read = Effect.fnUntraced(function* (engine: Engine["Service"], published: Published, trader: bigint) {
  const from = sql`FROM trader_record WHERE trader_id = ${id(trader)} AND ${visible(published)}`
  return yield* Effect.all(
    {
      known: Names.read(engine, published, [String(trader)], ["address", "country", "name", "tax_id"], MOST),
      groups: engine.rows(Group, topTen(groups(from), [sql`side`, sql`what`])),
      partners: Effect.flatMap(engine.rows(TopPartner, topTen(byPartner(from), [sql`side`])), (rows) =>
        Effect.map(partnersOf(engine, published, rows), (list) =>
          list.flatMap((partner, index) => {
            const side = rows[index]?.side
            return side === undefined ? [] : [{ side, partner }]
          })
        )
      )
    },
    { concurrency: "unbounded" }
  )
})

type Read = Effect.Success<ReturnType<typeof read>>

const profile = (found: Read, role: TradeRole.TradeRole): TradeAnswer.RoleProfile | null => {
  const groups = found.groups.filter((one) => one.side === role)
  const own = groups.find(({ what }) => what === "side")
  if (own === undefined) return null
  const of = (wanted: (typeof own)["what"]) => groups.filter(({ what }) => what === wanted)
  return {
    ...totalsOf(own),
    first_date: own.first,
    last_date: own.last,
    partner_count: own.partners,
    // A record has many keywords: their part is of the records, not of the keywords.
    top_products: of("keyword").map((row) => ({ keyword: row.value, ...sharedOf({ ...row, whole: own.n }) })),
    top_hs_codes: of("hs").map((row) => ({ hs_code: row.value, ...sharedOf(row) })),
    top_partners: found.partners.filter(({ side }) => side === role).map(({ partner }) => partner),
    top_countries: of("country").map((row) => ({ country: row.value, ...sharedOf(row) }))
  }
}

export const details = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    trader_id: string
  ): Effect.fn.Return<TradeAnswer.TraderDetails | null, TradeStore.TradeStoreError> {
    const trader = TraderId.read(trader_id)
    if (trader === null) return null
    const found = yield* read(engine, published, trader)
    const dates = found.groups.flatMap(({ first, last, what }) => (what === "side" ? [first, last] : [])).toSorted()
    const [first, last] = [dates[0], dates.at(-1)]
    if (first === undefined || last === undefined) return null
    const known = found.known(trader_id)
    return {
      ...Names.nameOf(trader_id, known),
      aliases: known.names.slice(1),
      addresses: known.addresses,
      tax_ids: known.tax_ids,
      first_date: first,
      last_date: last,
      as_importer: profile(found, "importer"),
      as_exporter: profile(found, "exporter")
    }
  })
