/** Accounts, ledger, answers and suppressed subjects in PGlite or PostgreSQL. */
import type {
  Accounts as AccountsPort,
  Erasures as ErasuresPort,
  Suppression as SuppressionPort
} from "@lading/core/account"
import type { Ledger as LedgerPort } from "@lading/core/billing"
import type { AnswerCache as AnswerCachePort, RunLog as RunLogPort } from "@lading/core/waterfall"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Accounts from "./Accounts.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as Erasures from "./Erasures.ts"
import * as Ledger from "./Ledger.ts"
import * as RunLog from "./RunLog.ts"
import type * as SealService from "./Seal.ts"
import * as Suppression from "./Suppression.ts"

export * as Database from "./Database.ts"
export * as Owner from "./Owner.ts"
export * as Seal from "./Seal.ts"

/** All stores of this package; needs one of the layers of `Database`, and of `Seal`. */
export const layer: Layer.Layer<
  | LedgerPort.Ledger
  | AccountsPort.Accounts
  | AnswerCachePort.AnswerCache
  | ErasuresPort.Erasures
  | RunLogPort.RunLog
  | SuppressionPort.Suppression,
  never,
  SqlClient.SqlClient | SealService.Seal
> = Layer.mergeAll(Ledger.layer, Accounts.layer, AnswerCache.layer, Erasures.layer, RunLog.layer, Suppression.layer)
