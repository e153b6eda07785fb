/** Accounts, ledger, answers and suppressed subjects in PGlite or PostgreSQL. */
import type { Accounts as AccountsPort, Suppression as SuppressionPort } from "@lading/core/account"
import type { Ledger as LedgerPort } from "@lading/core/billing"
import type { AnswerCache as AnswerCachePort } from "@lading/core/waterfall"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Accounts from "./Accounts.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as Ledger from "./Ledger.ts"
import * as Suppression from "./Suppression.ts"

export * as Database from "./Database.ts"
export * as Owner from "./Owner.ts"

/** All stores of this package; needs one of the layers of `Database`. */
export const layer: Layer.Layer<
  LedgerPort.Ledger | AccountsPort.Accounts | AnswerCachePort.AnswerCache | SuppressionPort.Suppression,
  never,
  SqlClient.SqlClient
> = Layer.mergeAll(Ledger.layer, Accounts.layer, AnswerCache.layer, Suppression.layer)
