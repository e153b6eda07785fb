/**
 * The audit of an account: what the database's functions find in what is stored, see `migrations/LedgerAudit.ts`. First
 * the account is brought up to date, as any operation does it.
 *
 * Gotcha: the journal of a large account takes longer to read than a statement of a request may last, so this one is
 * bounded by itself.
 */
import type { Ledger } from "@lading/core/billing"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { bounded, problemOf } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"
import { unavailable } from "./LedgerBatch.ts"

/** For one account, in minutes. */
const patience = 10

interface AuditRow {
  readonly groups: bigint
  readonly holds: bigint
  readonly breaches: ReadonlyArray<Omit<Ledger.Breach, "account">>
}

/** Those behind `after`, in the order of their ids. */
export const accounts = (sql: SqlClient.SqlClient, after: string | null, limit: number) =>
  Effect.map(
    bounded(
      sql<{ account: string }>`select account from lading.balances
        where ${after}::text is null or account > ${after} order by account limit ${limit}`,
      unavailable
    ),
    (rows) => rows.map(({ account }) => account)
  )

export const audit = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, account: string) {
  const now = Int8.from(yield* Clock.currentTimeMillis)
  yield* bounded(sql`select 1 from lading.balance_of(${account}, ${now})`, unavailable)
  const rows = yield* sql
    .withTransaction(
      Effect.andThen(
        sql`select set_config('statement_timeout', ${`${patience}min`}, true)`,
        sql<AuditRow>`select * from lading.audit_account(${account}, ${now})`
      )
    )
    .pipe(
      Effect.mapError((error) => unavailable(problemOf(error))),
      Effect.timeoutOrElse({
        // The server gives up before.
        duration: `${patience + 1} minutes`,
        orElse: () => Effect.fail(unavailable("no answer in time"))
      })
    )
  const [row] = rows
  if (row === undefined) return yield* unavailable("no row")
  const found: Ledger.Audit = {
    account,
    groups: Number(row.groups),
    holds: Number(row.holds),
    breaches: row.breaches.map(({ detail, invariant, subject }) => ({ invariant, account, subject, detail }))
  }
  return found
})
