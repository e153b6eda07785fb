/**
 * The ledger in PostgreSQL. Every operation is one statement: a function that the migration made, see
 * `migrations/Ledger.ts` for the rules and how they lock.
 *
 * Gotchas: amounts are `bigint` in SQL and safe integers here. Time comes from `Clock`, so the clocks of several
 * servers on one database should agree (NTP): a hold ends when the first of them thinks so.
 */
import { Bill, Credits, Ledger, Postings } from "@lading/core/billing"
import { Clock, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"

const unavailable = (problem: string) => new Ledger.LedgerUnavailable({ problem })

const credits = (value: bigint | null): Credits.Credits => Credits.Credits.make(Number(value ?? 0n))

/** The row of a function that gives exactly one. */
const one = <Row>(rows: ReadonlyArray<Row>): Effect.Effect<Row, Ledger.LedgerUnavailable> => {
  const [row] = rows
  return row === undefined ? Effect.fail(unavailable("no row")) : Effect.succeed(row)
}

interface OpenRow {
  readonly tag: "held" | "replayed" | "other_request" | "running" | "insufficient"
  readonly hold: string | null
  readonly outcome: string | null
  readonly available: bigint | null
}

const opened = (
  row: OpenRow,
  needed: Credits.Credits
): Effect.Effect<Ledger.Opened, Ledger.InsufficientCredits | Ledger.KeyConflict> => {
  switch (row.tag) {
    case "held":
      return Effect.succeed({ _tag: "Held", hold: Ledger.HoldId.make(row.hold ?? "") })
    case "replayed":
      return Effect.succeed({ _tag: "Replayed", outcome: row.outcome ?? "" })
    case "insufficient":
      return Effect.fail(new Ledger.InsufficientCredits({ needed, available: credits(row.available) }))
    case "other_request":
    case "running":
      return Effect.fail(new Ledger.KeyConflict({ reason: row.tag }))
  }
}

interface HoldRow {
  readonly tag: "held" | "settled" | "ended" | "exceeded"
  readonly hold?: string | null
  readonly remaining: bigint | null
}

/** The refusals of `split` and `settle`. */
const living = (
  row: HoldRow,
  hold: Ledger.HoldId,
  needed: Credits.Credits
): Effect.Effect<HoldRow, Ledger.HoldEnded | Ledger.HoldExceeded> => {
  if (row.tag === "ended") return Effect.fail(new Ledger.HoldEnded({ hold }))
  if (row.tag === "exceeded") {
    return Effect.fail(new Ledger.HoldExceeded({ hold, needed, remaining: credits(row.remaining) }))
  }
  return Effect.succeed(row)
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
  yield* ask((now) => sql`delete from lading.request_keys where settled_at is not null and settled_at + keep < ${now}`)
  return total
})

const make = Effect.map(SqlClient.SqlClient, (sql): Ledger.Ledger["Service"] => {
  const ask: Ask = (statement) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => bounded(statement(Int8.from(now)), unavailable))

  const open = ({ amount, api_key, keep, operation, request, ttl }: Ledger.Open) =>
    ask(
      (now) => sql<OpenRow>`select * from lading.open_hold(${request.account}, ${request.key}, ${request.fingerprint},
        ${Int8.from(amount)}, ${now}, ${Int8.from(ttl)}, ${Int8.from(keep)}, ${api_key}, ${operation})`
    ).pipe(
      Effect.flatMap(one),
      Effect.flatMap((row) => opened(row, amount))
    )

  const split = (parent: Ledger.HoldId, { amount, ttl }: { readonly amount: Credits.Credits; readonly ttl: number }) =>
    ask(
      (now) => sql<HoldRow>`select * from lading.split_hold(${parent}, ${Int8.from(amount)}, ${now}, ${Int8.from(ttl)})`
    ).pipe(
      Effect.flatMap(one),
      Effect.flatMap((row) => living(row, parent, amount)),
      Effect.map((row) => Ledger.HoldId.make(row.hold ?? ""))
    )

  const settle = (hold: Ledger.HoldId, { bill, outcome }: Ledger.Settlement) => {
    const total = Bill.total(bill)
    const paid = JSON.stringify(Postings.capture(bill))
    const memos = JSON.stringify(Postings.memos(bill))
    return ask(
      (now) => sql<HoldRow>`select * from lading.settle_hold(${hold}, ${Int8.from(total)}, ${paid}::jsonb,
        ${memos}::jsonb, ${bill.price_version}, ${outcome}, ${now})`
    ).pipe(
      Effect.flatMap(one),
      Effect.flatMap((row) => living(row, hold, total)),
      Effect.asVoid
    )
  }

  const grant = ({ account, amount, expires_at, key, reason }: Ledger.Grant) =>
    ask(
      (now) => sql`select lading.grant_credits(${account}, ${key}, ${Int8.from(amount)},
        ${Int8.fromNullable(expires_at)}, ${reason}, ${now})`
    ).pipe(Effect.asVoid)

  const balance = (account: string) =>
    ask((now) => sql<BalanceRow>`select * from lading.balance_of(${account}, ${now})`).pipe(
      Effect.flatMap(one),
      Effect.map(balanceOf)
    )

  const journal = (account: string) =>
    ask(
      () => sql<PostingRow>`select group_id, kind, at, hold, price_version, book, unit, amount from lading.postings
        where account = ${account} order by group_id, line`
    ).pipe(Effect.map(groupsOf))

  return {
    open,
    split,
    settle,
    grant,
    expire: expire(sql, ask),
    balance,
    journal,
    adjust: () => Effect.void,
    erase: () => Effect.succeed(0),
    accounts: () => Effect.succeed([]),
    audit: (account) => Effect.succeed({ account, groups: 0, holds: 0, breaches: [] })
  }
})

export const layer: Layer.Layer<Ledger.Ledger, never, SqlClient.SqlClient> = Layer.effect(Ledger.Ledger, make)
