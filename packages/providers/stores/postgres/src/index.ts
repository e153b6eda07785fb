/** Accounts, ledger, answers and suppressed subjects in PGlite or PostgreSQL. */
import { Layer } from "effect"
import * as Accounts from "./Accounts.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as Ledger from "./Ledger.ts"
import * as Suppression from "./Suppression.ts"

export * as Database from "./Database.ts"
export * as Owner from "./Owner.ts"

/** All stores of this package; needs one of the layers of `Database`. */
export const layer = Layer.mergeAll(Ledger.layer, Accounts.layer, AnswerCache.layer, Suppression.layer)
