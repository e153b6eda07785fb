/**
 * The account `default`, with which an installation begins: its first key and its first credits. Everything here may be
 * repeated at each start, by several servers on one database too, and is done once.
 */
import { Accounts, ApiKey, Scope } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { Effect, type Redacted } from "effect"

export const name = "default"

export interface FirstAccount {
  readonly id: string
  /** Whether a key was ever made for it, be it revoked by now. */
  readonly hasKey: boolean
}

/** The account, created when it is missing. */
export const find: Effect.Effect<FirstAccount, Accounts.AccountsUnavailable, Accounts.Accounts> = Effect.gen(
  function* () {
    const accounts = yield* Accounts.Accounts
    const { id } = yield* accounts.ensure(name)
    const keys = yield* accounts.listKeys(id)
    return { id, hasKey: keys.length > 0 }
  }
)

/** Makes the key one of the account's, with every scope. */
export const addKey = Effect.fnUntraced(function* (account: string, key: Redacted.Redacted) {
  const accounts = yield* Accounts.Accounts
  const digest = yield* ApiKey.digest(key)
  yield* accounts.addKey({ account, digest, scopes: Scope.all, expires_at: null, label: "first key" })
})

/** Grants the first credits, whole ones, once for good; gives what the account has now. */
export const grant = Effect.fnUntraced(function* (account: string, credits: number) {
  const ledger = yield* Ledger.Ledger
  if (credits > 0) {
    yield* ledger.grant({
      account,
      amount: Credits.fromNumber(credits),
      expires_at: null,
      key: "first",
      reason: "first credits"
    })
  }
  const { available } = yield* ledger.balance(account)
  return Credits.toNumber(available)
})
