/**
 * `open` and `settle` as operations of a batch: what `lading.ledger_batch` reads and gives, see
 * `migrations/LedgerBatches.ts`; which of them share a statement is decided in `Lanes.ts`.
 *
 * Gotcha: a batch has one time, that of its latest operation.
 */
import { Bill, Credits, Ledger, Postings } from "@lading/core/billing"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { digestOf } from "./Digest.ts"
import * as Int8 from "./Int8.ts"
import * as Lanes from "./Lanes.ts"

export const unavailable = (problem: string) => new Ledger.LedgerUnavailable({ problem })

export const credits = (value: bigint | null): Credits.Credits => Credits.Credits.make(Number(value ?? 0n))

/** An operation as `lading.ledger_batch` reads it, and when it was asked for. */
interface Operation {
  readonly at: number
  readonly op: Readonly<Record<string, unknown>>
}

/** What an operation of a batch came to. */
interface BatchRow {
  readonly tag:
    | "held"
    | "replayed"
    | "other_request"
    | "running"
    | "erased"
    | "insufficient"
    | "settled"
    | "ended"
    | "exceeded"
  readonly hold: string | null
  readonly outcome: string | null
  /** What is available, or what remains in the hold. */
  readonly amount: bigint | null
}

const opening = ({ amount, api_key, from, keep, operation, request, request_id, ttl }: Ledger.Open) => ({
  op: "open",
  key: request.key,
  fingerprint: request.fingerprint,
  amount,
  ttl: Int8.safe(ttl),
  keep: Int8.safe(keep),
  api_key,
  operation,
  request_id: request_id ?? null,
  parent: from ?? null
})

type NotOpened = Effect.Error<ReturnType<Ledger.Ledger["Service"]["open"]>>

const opened = (
  row: BatchRow,
  { amount: needed, from }: Pick<Ledger.Open, "amount" | "from">
): Effect.Effect<Ledger.Opened, NotOpened> => {
  switch (row.tag) {
    case "held":
      return Effect.succeed({ _tag: "Held", hold: Ledger.HoldId.make(row.hold ?? "") })
    case "replayed":
      return Effect.succeed({ _tag: "Replayed", outcome: row.outcome ?? "" })
    case "insufficient":
      return Effect.fail(new Ledger.InsufficientCredits({ needed, available: credits(row.amount) }))
    case "other_request":
    case "running":
    case "erased":
      return Effect.fail(new Ledger.KeyConflict({ reason: row.tag }))
    case "ended":
    case "exceeded":
      return Effect.andThen(
        living(row, from ?? Ledger.HoldId.make(""), needed, row.amount),
        Effect.fail(unavailable(`no answer to open: ${row.tag}`))
      )
    case "settled":
      return Effect.fail(unavailable(`no answer to open: ${row.tag}`))
  }
}

const settling = (hold: Ledger.HoldId, { bill, outcome, subjects }: Ledger.Settlement) => {
  const settlement = {
    total: Bill.total(bill),
    paid: Postings.capture(bill),
    memos: Postings.memos(bill),
    price_version: bill.price_version,
    outcome
  }
  return {
    op: "settle",
    hold,
    ...settlement,
    settlement: digestOf(JSON.stringify(settlement)),
    subjects: outcome === null ? [] : subjects.map(digestOf)
  }
}

/** The refusals of `split` and `settle`. */
export const living = <Row extends { readonly tag: string }>(
  row: Row,
  hold: Ledger.HoldId,
  needed: Credits.Credits,
  remaining: bigint | null
): Effect.Effect<Row, Ledger.HoldEnded | Ledger.HoldExceeded> => {
  if (row.tag === "ended") return Effect.fail(new Ledger.HoldEnded({ hold }))
  if (row.tag === "exceeded") {
    return Effect.fail(new Ledger.HoldExceeded({ hold, needed, remaining: credits(remaining) }))
  }
  return Effect.succeed(row)
}

export const make = (sql: SqlClient.SqlClient) => {
  const submit = Lanes.make<Operation, BatchRow, Ledger.LedgerUnavailable>((account, operations) => {
    const now = Int8.from(Math.max(...operations.map(({ at }) => at)))
    const ops = JSON.stringify(operations.map(({ op }) => op))
    return sql<BatchRow>`select tag, hold, outcome, amount
      from lading.ledger_batch(${account}, ${ops}::jsonb, ${now}) order by n`
  }, unavailable)

  const send = (account: string, op: Operation["op"]) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => submit(account, { at, op }))

  const open = (request: Ledger.Open) =>
    Effect.flatMap(send(request.request.account, opening(request)), (row) => opened(row, request))

  const settle = (hold: Ledger.HoldId, settlement: Ledger.Settlement) =>
    Effect.suspend(() => send(settlement.account, settling(hold, settlement))).pipe(
      Effect.flatMap((row) => living(row, hold, Bill.total(settlement.bill), row.amount)),
      Effect.asVoid
    )

  return { open, settle }
}
