/**
 * The schema, in numbered steps. A step that was released is never changed: what is new is a new step.
 *
 * The migrator records what ran in `lading_migrations`, runs what is missing in one transaction, and locks that table,
 * so servers that start together run each step once.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as AccountLimits from "./migrations/AccountLimits.ts"
import * as Accounts from "./migrations/Accounts.ts"
import * as Answers from "./migrations/Answers.ts"
import * as AgenticTasks from "./migrations/AgenticTasks.ts"
import * as EmailTasks from "./migrations/EmailTasks.ts"
import * as Enrichments from "./migrations/Enrichments.ts"
import * as HitRates from "./migrations/HitRates.ts"
import * as KeptAnswers from "./migrations/KeptAnswers.ts"
import * as KnownPeople from "./migrations/KnownPeople.ts"
import * as Ledger from "./migrations/Ledger.ts"
import * as LedgerBatches from "./migrations/LedgerBatches.ts"
import * as PayingHolds from "./migrations/PayingHolds.ts"
import * as Refunds from "./migrations/Refunds.ts"
import * as TraderDomains from "./migrations/TraderDomains.ts"
import * as VendorKeys from "./migrations/VendorKeys.ts"
import * as Webhooks from "./migrations/Webhooks.ts"

const step = (statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const statement of statements) yield* sql.unsafe(statement)
  })

const steps = {
  "1_accounts": step(Accounts.statements),
  "2_ledger": step(Ledger.statements),
  "3_answers": step(Answers.statements),
  "4_ledger_batches": step(LedgerBatches.statements),
  "5_kept_answers": step(KeptAnswers.statements),
  "6_webhooks": step(Webhooks.statements),
  "7_enrichments": step(Enrichments.statements),
  "8_hit_rates": step(HitRates.statements),
  "9_trader_domains": step(TraderDomains.statements),
  "10_email_tasks": step(EmailTasks.statements),
  "11_vendor_keys": step(VendorKeys.statements),
  "12_account_limits": step(AccountLimits.statements),
  "13_refunds": step(Refunds.statements),
  "14_paying_holds": step(PayingHolds.statements),
  "15_known_people": step(KnownPeople.statements),
  "16_agentic_tasks": step(AgenticTasks.statements)
}

/** A step that has run: what stands in the migrator's table. */
export interface Step {
  readonly id: number
  readonly name: string
}

export const table = "lading_migrations"

const stepOf = (key: string): Step => {
  const [id = "", ...name] = key.split("_")
  return { id: Number(id), name: name.join("_") }
}

/** All there are, in their order. */
export const known: ReadonlyArray<Step> = Object.keys(steps).map(stepOf)

const newest = Math.max(...known.map(({ id }) => id))

/** Brings a schema to that step, and no further. */
export const runUntil = (id: number) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(Object.fromEntries(Object.entries(steps).filter(([key]) => stepOf(key).id <= id))),
    table
  })

/** The steps that the database has behind it; the table has to be there. */
export const done = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Step>`select migration_id as id, name from ${sql(table)} order by migration_id`
)

/** There is no way back: a database that a newer version has changed is not touched by an older one. */
const refuseNewer = Effect.flatMap(done, (found) => {
  const last = found.at(-1)
  if (last === undefined || last.id <= newest) return Effect.void
  return Effect.fail(
    new Migrator.MigrationError({
      kind: "BadState",
      message: `a newer version of Lading has changed it (step ${last.id}, ${last.name}; this version knows ${newest}): start that version, or restore an export that was made before`
    })
  )
})

/** Whether there is nothing to do. Read without a lock: the migrator's own would wait for whoever reads for long. */
const isDone = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`
  if (found?.there !== true) return false
  return ((yield* done).at(-1)?.id ?? 0) >= newest
})

/** Brings the schema up to date; takes no lock where it is. */
export const run = Effect.andThen(
  Effect.flatMap(isDone, (nothingToDo) => (nothingToDo ? Effect.void : Effect.asVoid(runUntil(newest)))),
  refuseNewer
)
