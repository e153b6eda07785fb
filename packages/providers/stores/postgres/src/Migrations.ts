/**
 * The schema, in numbered steps. A step that was released is never changed: what is new is a new step.
 *
 * The migrator records what ran in `lading_migrations`, runs what is missing in one transaction, and locks that table,
 * so servers that start together run each step once.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as Accounts from "./migrations/Accounts.ts"
import * as Answers from "./migrations/Answers.ts"
import * as EmailTasks from "./migrations/EmailTasks.ts"
import * as Enrichments from "./migrations/Enrichments.ts"
import * as HitRates from "./migrations/HitRates.ts"
import * as KeptAnswers from "./migrations/KeptAnswers.ts"
import * as Ledger from "./migrations/Ledger.ts"
import * as LedgerBatches from "./migrations/LedgerBatches.ts"
import * as TraderDomains from "./migrations/TraderDomains.ts"
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
  "10_email_tasks": step(EmailTasks.statements)
}

/** Brings the schema up to date. */
export const run = Migrator.make({})({ loader: Migrator.fromRecord(steps), table: "lading_migrations" })
