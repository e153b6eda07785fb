/**
 * How rows that speak of somebody are erased for good: the subject is on the list of suppressed ones by now, so whoever
 * writes after the lock does not write about it; whoever wrote before has ended, and is seen.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { digestOf } from "./Digest.ts"

/** Deletes the rows of a table that has a column `subjects`; gives their number. */
export const rows = (
  sql: SqlClient.SqlClient,
  table: "enrichments" | "kept_answers" | "known_people" | "runs" | "trader_domains" | "webhook_deliveries",
  handles: ReadonlyArray<string>
) =>
  handles.length === 0
    ? Effect.succeed(0)
    : sql.withTransaction(
        Effect.gen(function* () {
          const name = sql(`lading.${table}`)
          yield* sql`lock table ${name} in share row exclusive mode`
          const gone = yield* sql`delete from ${name} where subjects && ${handles.map(digestOf)}::text[] returning 1`
          return gone.length
        })
      )
