/**
 * The ledger in PostgreSQL. Every operation is one statement: a function that a migration made, see
 * `migrations/Ledger.ts` for the rules and how they lock. `open` and `settle` of one account that come while a statement
 * of that account is under way share the next one, see `LedgerBatch.ts`; its other operations take turns (`Turns.ts`). So
 * an account has two connections of a server at most, however much it asks and however long its row is locked.
 *
 * Gotchas: amounts are `bigint` in SQL and safe integers here. Time comes from `Clock`, so the clocks of several
 * servers on one database should agree (NTP): a hold ends when the first of them thinks so.
 */
import { Credits, Ledger, type Postings, type Usage } from "@lading/core/billing"
import { Clock, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Int8 from "./Int8.ts"
import * as LedgerAudit from "./LedgerAudit.ts"
import * as LedgerBatch from "./LedgerBatch.ts"
import * as Turns from "./Turns.ts"

const { credits, unavailable } = LedgerBatch

/** The row of a function that gives exactly one. */
const one = <Row>(rows: ReadonlyArray<Row>): Effect.Effect<Row, Ledger.LedgerUnavailable> => {
  const [row] = rows
  return row === undefined ? Effect.fail(unavailable("no row")) : Effect.succeed(row)
}

interface SplitRow {
  readonly tag: "held" | "ended" | "exceeded"
  readonly hold: string | null
  readonly remaining: bigint | null
}

interface AdjustRow {
  readonly tag: "adjusted" | "insufficient"
  readonly available: bigint | null
}

interface RefundRow {
  readonly tag: "refunded" | "nothing" | "exceeded"
  readonly request_id: string
  readonly amount: bigint | null
  readonly charged: bigint
  readonly refunded: bigint
}

interface BalanceRow {
  readonly granted: bigint | null
  readonly expired: bigint | null
  readonly captured: bigint | null
  readonly held: bigint | null
}

const balanceOf = (row: BalanceRow): Ledger.Balance => {
  const granted = credits(row.granted)
  const expired = credits(row.expired)
  const captured = credits(row.captured)
  const held = credits(row.held)
  return { granted, expired, captured, held, available: Credits.Credits.make(granted - expired - captured - held) }
}

interface UsageRow {
  readonly day: string
  readonly api_key: string | null
  readonly operation: string
  readonly requests: bigint
  readonly credits: bigint
}

interface PostingRow {
  readonly group_id: bigint
  readonly kind: Ledger.PostingGroup["kind"]
  readonly at: bigint
  readonly hold: string | null
  readonly price_version: string | null
  readonly book: string
  readonly unit: string
  readonly amount: bigint
}

/** Rows in the order of their groups, as groups. */
const groupsOf = (rows: ReadonlyArray<PostingRow>): ReadonlyArray<Ledger.PostingGroup> => {
  const groups = new Map<bigint, { head: PostingRow; postings: Array<Postings.Posting> }>()
  for (const row of rows) {
    const group = groups.get(row.group_id) ?? { head: row, postings: [] }
    groups.set(row.group_id, group)
    group.postings.push({ book: row.book, unit: row.unit, amount: Number(row.amount) })
  }
  return Array.from(groups, ([id, { head, postings }]) => ({
    id: String(id),
    kind: head.kind,
    at: Number(head.at),
    hold: head.hold === null ? null : Ledger.HoldId.make(head.hold),
    price_version: head.price_version,
    postings
  }))
}

/** Runs a bounded statement at the present time. */
type Ask = <Row>(
  statement: (now: bigint) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
) => Effect.Effect<ReadonlyArray<Row>, Ledger.LedgerUnavailable>

/** Account by account, each in a transaction of its own: the sweeper never holds more than one lock. */
const expire = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ask: Ask) {
  const due = yield* ask((now) => sql<{ account: string }>`select account from lading.balances where due_at <= ${now}`)
  let total = 0
  for (const { account } of due) {
    const row = yield* Effect.flatMap(
      ask((now) => sql<{ ended: number }>`select lading.expire_account(${account}, ${now}) as ended`),
      one
    )
    total += row.ended
  }
  yield* ask((now) => sql`select lading.forget_keys(${now})`)
  return total
})

const erase = (sql: SqlClient.SqlClient, ask: Ask, handles: ReadonlyArray<string>) => {
  if (handles.length === 0) return Effect.succeed(0)
  const digests = handles.map(digestOf)
  return ask((now) => sql<{ erased: bigint }>`select lading.erase_outcomes(${digests}::text[], ${now}) as erased`).pipe(
    Effect.flatMap(one),
    Effect.map(({ erased }) => Number(erased))
  )
}

/** Text is compared by its bytes, as in every other ledger. */
const usage = (sql: SqlClient.SqlClient, ask: Ask, { account, from, until }: Usage.UsageQuery) =>
  ask(
    () => sql<UsageRow>`select to_char(to_timestamp(opened_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') as day,
        api_key, operation, count(*) filter (where request_key is not null) as requests,
        sum(captured - refunded)::bigint as credits
      from lading.holds
      where account = ${account} and opened_at >= ${Int8.from(from)} and opened_at < ${Int8.from(until)}
        and ending = 'settled'
      group by 1, 2, 3 order by 1 desc, operation collate "C", api_key collate "C" nulls first`
  ).pipe(
    Effect.map((rows) => rows.map((row) => ({ ...row, requests: Number(row.requests), credits: credits(row.credits) })))
  )

const journal = (sql: SqlClient.SqlClient, ask: Ask, account: string) =>
  ask(
    () => sql<PostingRow>`select group_id, kind, at, hold, price_version, book, unit, amount from lading.postings
      where account = ${account} order by group_id, line`
  ).pipe(Effect.map(groupsOf))

const adjust = (sql: SqlClient.SqlClient, ask: Ask, { account, amount, key, reason }: Ledger.Adjustment) =>
  ask(
    (now) => sql<AdjustRow>`select * from lading.adjust_credits(${account}, ${key}, ${Int8.from(amount)}, ${reason},
      ${now})`
  ).pipe(
    Effect.flatMap(one),
    Effect.flatMap((row) =>
      row.tag === "adjusted"
        ? Effect.void
        : new Ledger.InsufficientCredits({ needed: Credits.of(-amount), available: credits(row.available) })
    )
  )

/** A row of `lading.refund_request`. */
const refundedAs = (
  { amount, charged, refunded, request_id, tag }: RefundRow,
  wanted: Credits.Credits | null
): Effect.Effect<Ledger.Refunded, Ledger.NothingToRefund | Ledger.RefundExceeded> => {
  const remaining = Credits.of(Number(charged - refunded))
  switch (tag) {
    case "refunded":
      return Effect.succeed({
        request_id,
        amount: credits(amount),
        charged: credits(charged),
        refunded: credits(refunded)
      })
    case "nothing":
      return Effect.fail(
        new Ledger.NothingToRefund({ request_id, reason: charged === 0n ? "not_charged" : "refunded" })
      )
    case "exceeded":
      return Effect.fail(new Ledger.RefundExceeded({ needed: wanted ?? remaining, remaining }))
  }
}

const refund = (sql: SqlClient.SqlClient, ask: Ask, { account, amount, key, reason, request_id }: Ledger.Refund) =>
  ask(
    (now) => sql<RefundRow>`select * from lading.refund_request(${account}, ${key}, ${request_id},
      ${Int8.fromNullable(amount)}, ${reason}, ${now})`
  ).pipe(
    Effect.flatMap(one),
    Effect.flatMap((row) => refundedAs(row, amount))
  )

const make = Effect.map(SqlClient.SqlClient, (sql): Ledger.Ledger["Service"] => {
  const ask: Ask = (statement) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => bounded(statement(Int8.from(now)), unavailable))

  const turns = Turns.make()
  /** Of statements that may wait for the account's row, or read much. Waiting for the turn is part of their time. */
  const inTurn = <Row>(account: string, statement: Parameters<typeof ask<Row>>[0]) =>
    ask<Row>((now) => turns.of(account, statement(now)))

  const split: Ledger.Ledger["Service"]["split"] = (parent, { account, amount, ttl }) =>
    inTurn(
      account,
      (now) =>
        sql<SplitRow>`select * from lading.split_hold(${parent}, ${Int8.from(amount)}, ${now}, ${Int8.from(ttl)})`
    ).pipe(
      Effect.flatMap(one),
      Effect.flatMap((row) => LedgerBatch.living(row, parent, amount, row.remaining)),
      Effect.map((row) => Ledger.HoldId.make(row.hold ?? ""))
    )

  const ending = (hold: Ledger.HoldId) =>
    ask(
      (now) => sql<{ ending: Ledger.Ending }>`select case when ending is not null then ending
        when expires_at <= ${now} then 'expired' else 'open' end as ending from lading.holds where id = ${hold}`
    ).pipe(Effect.map(([row]) => row?.ending ?? "expired"))

  const grant = ({ account, amount, expires_at, key, reason }: Ledger.Grant) =>
    inTurn(
      account,
      (now) => sql`select lading.grant_credits(${account}, ${key}, ${Int8.from(amount)},
        ${Int8.fromNullable(expires_at)}, ${reason}, ${now})`
    ).pipe(Effect.asVoid)

  // Waits for the account's row when something is over there.
  const balance = (account: string) =>
    inTurn(account, (now) => sql<BalanceRow>`select * from lading.balance_of(${account}, ${now})`).pipe(
      Effect.flatMap(one),
      Effect.map(balanceOf)
    )

  return {
    ...LedgerBatch.make(sql),
    split,
    ending,
    grant,
    adjust: (adjustment) => adjust(sql, (statement) => inTurn(adjustment.account, statement), adjustment),
    refund: (refunded) => refund(sql, (statement) => inTurn(refunded.account, statement), refunded),
    expire: expire(sql, ask),
    balance,
    journal: (account) => journal(sql, ask, account),
    usage: (query) => usage(sql, (statement) => inTurn(query.account, statement), query),
    erase: (handles) => erase(sql, ask, handles),
    accounts: (after, limit) => LedgerAudit.accounts(sql, after, limit),
    audit: (account) => LedgerAudit.audit(sql, account)
  }
})

export const layer: Layer.Layer<Ledger.Ledger, never, SqlClient.SqlClient> = Layer.effect(Ledger.Ledger, make)
