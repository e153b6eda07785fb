/**
 * Accounts and their API keys. Only a SHA-256 of a key is ever kept, so a stolen database opens no door.
 */
import { Context, type Effect, Schema } from "effect"
import type { Scope } from "./Scope.ts"

export class AccountsUnavailable extends Schema.TaggedError<AccountsUnavailable>()("AccountsUnavailable", {
  problem: Schema.String
}) {}

export interface Account {
  readonly id: string
  readonly name: string
}

/** What a valid key stands for. */
export interface Principal {
  readonly account: string
  /** The key's own id, safe to log. */
  readonly key: string
  readonly scopes: ReadonlyArray<Scope>
}

export interface NewKey {
  readonly account: string
  /** Lower-case hex SHA-256 of the key, see `ApiKey.digest`. */
  readonly digest: string
  readonly scopes: ReadonlyArray<Scope>
  /** Epoch milliseconds, or `null` for a key that does not expire. */
  readonly expires_at: number | null
  /** What the operator calls it. */
  readonly label: string
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** The principal of a key that is known, not revoked and not expired; else `null`. */
    readonly authenticate: (digest: string) => Effect.Effect<Principal | null, AccountsUnavailable>
    /** Creates the account, or gives the one that already has this name. */
    readonly ensure: (name: string) => Effect.Effect<Account, AccountsUnavailable>
    /** Adds a key, or gives the id of the one that already has this digest (its other properties stay). */
    readonly addKey: (key: NewKey) => Effect.Effect<string, AccountsUnavailable>
    /** From now on the key opens nothing. `false` when there is no such key. */
    readonly revokeKey: (id: string) => Effect.Effect<boolean, AccountsUnavailable>
  }
>()("@lading/core/account/Accounts") {}
