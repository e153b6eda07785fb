/** Pieces that statements by hand have in common: of the column store, and of PostgreSQL (`pg…`). */
import { text } from "./Plain.ts"
import type { Ask } from "./Question.ts"
import type { Row } from "./Plain.ts"

export const seen = (version: number): string => `load <= ${version} AND ended > ${version}`

export const weight = "coalesce(gross_kg, net_kg)"

const totalsOf = (kg: string): string => `count() AS n, sum(${kg}) AS kg, sum(amount_usd) AS usd,
  groupUniqArrayIf(amount_kind, isNotNull(amount_usd)) AS kinds`

/** Over `trade_record`. */
export const totals = totalsOf(weight)
/** Over `trader_record`. */
export const own = totalsOf("weight_kg")

export const list = (values: ReadonlyArray<string>): string => `(${values.join(", ")})`
export const texts = (values: ReadonlyArray<string>): string => list(values.map(text))

/** A page, and what its traders are called. */
export const named = async (ask: Ask, version: number, page: string): Promise<ReadonlyArray<Row>> => {
  const rows = await ask(page)
  const ids = rows.map(({ value }) => String(value)).filter((id) => id !== "0")
  if (ids.length > 0)
    await ask(`SELECT toString(trader_id) AS id, kind, value FROM (
      SELECT trader_id, kind, value, sum(records) AS r FROM trader_fact
      WHERE trader_id IN ${list(ids)} AND kind IN ('name', 'country') AND load <= ${version}
      GROUP BY trader_id, kind, value HAVING r > 0) ORDER BY r DESC, value LIMIT 1 BY trader_id, kind`)
  return rows
}

/** With a sign, as PostgreSQL has numbers of 64 bits. */
export const pgId = (id: string): string => String(BigInt.asIntN(64, BigInt(id)))

export const pgTotals = `count(*)::int AS n, sum(weight_kg) AS kg, sum(amount_usd) AS usd,
  array_agg(DISTINCT amount_kind) FILTER (WHERE amount_usd IS NOT NULL) AS kinds`

/** Groups by their counts. */
export const pgRanked = (groups: string, part = "LIMIT 20"): string => `SELECT *, count(*) OVER () AS groups,
  sum(n) OVER () AS whole FROM (${groups}) AS g ORDER BY n DESC, value ${part}`

export const pgNamed = (page: string): string =>
  `SELECT page.*, trader.name, trader.country FROM (${page}) AS page LEFT JOIN trader ON trader.id = page.value
    ORDER BY n DESC, value`
