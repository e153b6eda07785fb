/** Sums, groups and ranks: what every answer is made of, as columns of SQL and the schemas that read them. */
import { type TradeAnswer, type TradeQuestion, TradeRecord, type TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { int, list, sql, type Statement } from "./Statement.ts"

/** Of what rows of a table say: its columns, as each table has them. */
export interface Measured {
  readonly weight: Statement
  readonly amount: Statement
}

export const ofRecords: Measured = { weight: sql`coalesce(gross_kg, net_kg)`, amount: sql`amount_usd` }
export const ofTraders: Measured = { weight: sql`weight_kg`, amount: sql`amount_usd` }

export const totals = ({ amount, weight }: Measured): Statement => sql`
  toInt64(count()) AS n, sum(${weight}) AS kg, sum(${amount}) AS usd,
  groupUniqArrayIf(toString(amount_kind), isNotNull(${amount})) AS kinds`

/** The same under other names, to be summed again: an alias hides the column that it is made of. */
export const parts = ({ amount, weight }: Measured): Statement => sql`
  toInt64(count()) AS part_n, sum(${weight}) AS part_kg, sum(${amount}) AS part_usd,
  groupUniqArrayIf(toString(amount_kind), isNotNull(${amount})) AS part_kinds`

export const totalsOfParts: Statement = sql`
  sum(part_n) AS n, sum(part_kg) AS kg, sum(part_usd) AS usd, groupUniqArrayArray(part_kinds) AS kinds`

const sumFields = {
  n: Schema.Int,
  kg: Schema.NullOr(Schema.Finite),
  usd: Schema.NullOr(Schema.Finite),
  kinds: Schema.Array(TradeRecord.AmountKind)
}

export const Sums = Schema.Struct(sumFields)
export type Sums = typeof Sums.Type

export const Ranked = Schema.Struct({
  ...sumFields,
  /** How many groups there are, and records in all of them. */
  groups: Schema.Int,
  whole: Schema.Int
})
export type Ranked = typeof Ranked.Type

export const totalsOf = ({ kg, kinds, n, usd }: Sums): TradeAnswer.Totals => ({
  trade_count: n,
  weight_kg: kg,
  amount_usd: usd,
  amount_kinds: kinds.toSorted()
})

export const none: TradeAnswer.Totals = { trade_count: 0, weight_kg: null, amount_usd: null, amount_kinds: [] }

export const sharedOf = (row: Ranked): TradeAnswer.Shared => ({ ...totalsOf(row), share: row.n / row.whole })

export const window = ({ limit, page }: TradeQuestion.Window): Statement =>
  sql`LIMIT ${int(limit)} OFFSET ${int((page - 1) * limit)}`

/**
 * Groups by their counts, equal ones by name. `groups` has a row for each with its sums, `name` and `present`; the group
 * of those that say nothing is in it, since shares are of all records.
 */
export const ranked = (groups: Statement, name: Statement, part: TradeQuestion.Window): Statement => sql`
  SELECT * FROM (
    SELECT *, toInt64(sum(n) OVER ()) AS whole, toInt64(countIf(present) OVER ()) AS groups FROM (${groups})
  ) WHERE present ORDER BY n DESC, ${name} ${window(part)}`

/** The first ten of each ranking, which is all groups with the same `of`. */
export const topTen = (groups: Statement, of: ReadonlyArray<Statement>): Statement => sql`
  SELECT * FROM (
    SELECT *, toInt64(sum(n) OVER (PARTITION BY ${list(of)})) AS whole,
      toInt64(countIf(present) OVER (PARTITION BY ${list(of)})) AS groups FROM (${groups})
  ) WHERE present ORDER BY ${list(of)}, n DESC, value LIMIT 10 BY ${list(of)}`

/** A page of a list, how long the list is, and one of its rows where it has any: an empty page cannot say. */
export const listed = Effect.fnUntraced(function* <A extends { readonly groups: number }>(
  engine: Engine["Service"],
  schema: Schema.Decoder<A>,
  part: TradeQuestion.Window,
  statement: (part: TradeQuestion.Window) => Statement
): Effect.fn.Return<TradeAnswer.Listed<A> & { readonly first: A | undefined }, TradeStore.TradeStoreError> {
  const rows = yield* engine.rows(schema, statement(part))
  if (rows.length > 0 || part.page === 1) return { list: rows, first: rows[0], total: rows[0]?.groups ?? 0 }
  const [first] = yield* engine.rows(schema, statement({ page: 1, limit: 1 }))
  return { list: rows, first, total: first?.groups ?? 0 }
})
