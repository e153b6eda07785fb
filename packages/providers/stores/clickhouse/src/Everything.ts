/** Questions about all records, of which the sums of traders are known: no record is read to rank them. */
import type { TradeFilter, TradeQuestion, TradeRole } from "@lading/core/trade"
import { Schema } from "effect"
import type { Published } from "./Published.ts"
import { int, sql, type Statement, text } from "./Statement.ts"
import { window } from "./Sums.ts"

/** Nothing is filtered. */
export const isEverything = (filter: TradeFilter.TradeFilter): boolean =>
  Object.values(filter).every((part) => part === null || (Array.isArray(part) && part.length === 0))

export const TraderRank = Schema.Struct({
  value: Schema.String,
  /** Its records. */
  n: Schema.Int,
  groups: Schema.Int,
  /** All records, also those that name no trader. */
  whole: Schema.Int
})

/** How many records there are: as the publication said, since the next node may not have heard of it yet. */
export const recordCount = ({ records }: Published): Statement => sql`${int(records)}`

/** Traders on a side, or on either, by their records; `among` is a condition on `trader_id`. */
export const traderRanks = (
  role: TradeRole.TradeRole | "either",
  among: Statement,
  published: Published,
  part: TradeQuestion.Window
): Statement => sql`
  SELECT toString(trader_id) AS value, n, toInt64(count() OVER ()) AS groups,
    ${recordCount(published)} AS whole
  FROM (
    SELECT trader_id, toInt64(sum(records)) AS n FROM trader_total
    WHERE role = ${text(role)} AND load <= ${int(published.version)} AND ${among}
    GROUP BY trader_id HAVING n > 0
  ) ORDER BY n DESC, value ${window(part)}`
