/**
 * Accounts and their API keys. Only a SHA-256 of a key is ever kept, so a stolen database opens no door.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Scope } from "./Scope.ts"

export class AccountsUnavailable extends Schema.TaggedError<AccountsUnavailable>()("AccountsUnavailable", {
  problem: Schema.String
}) {}

export interface Account {
  readonly id: string
  readonly name: string
  /** Epoch milliseconds. */
  readonly created_at: number
}

/** What an account may send where that is not what every account may: 0 is as much as it likes. */
export interface Limits {
  /** With all of its keys, which have no limit of their own then; `null` for what every account and key may. */
  readonly requests_per_minute: number | null
  /** On each server; `null` for what every account may. */
  readonly requests_at_once: number | null
}

/** Those of an account that nobody has set any for. */
export const usual: Limits = { requests_per_minute: null, requests_at_once: null }

/** What a valid key stands for. */
export interface Principal {
  readonly account: string
  /** The key's own id, safe to log. */
  readonly key: string
  readonly scopes: ReadonlyArray<Scope>
  /** Those of the account. */
  readonly limits: Limits
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

/** A key as operators see it: never the key, nor its digest. */
export interface Key {
  readonly id: string
  readonly label: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expires_at: number | null
  readonly revoked: boolean
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** The principal of a key that is known, not revoked and not expired; else `null`. */
    readonly authenticate: (digest: string) => Effect.Effect<Principal | null, AccountsUnavailable>
    /** Creates the account, or gives the one that already has this name. */
    readonly ensure: (name: string) => Effect.Effect<Account, AccountsUnavailable>
    /** The account with this id or this name; `null` when there is none. */
    readonly find: (idOrName: string) => Effect.Effect<Account | null, AccountsUnavailable>
    /** In the order of their ids, those behind `after`; at most `limit` of them. */
    readonly list: (after: string | null, limit: number) => Effect.Effect<ReadonlyArray<Account>, AccountsUnavailable>
    /**
     * Adds a key, or gives the id of the one that already has this digest (its other properties stay).
     * Fails when there is no such account.
     */
    readonly addKey: (key: NewKey) => Effect.Effect<string, AccountsUnavailable>
    /** Every key of the account, revoked and expired ones too, oldest first. */
    readonly listKeys: (account: string) => Effect.Effect<ReadonlyArray<Key>, AccountsUnavailable>
    /** From now on the key opens nothing. `false` when there is no such key. */
    readonly revokeKey: (id: string) => Effect.Effect<boolean, AccountsUnavailable>
    /** `null` when there is no such account. */
    readonly limits: (account: string) => Effect.Effect<Limits | null, AccountsUnavailable>
    /** From now on the account has these. `false` when there is no such account. */
    readonly setLimits: (account: string, limits: Limits) => Effect.Effect<boolean, AccountsUnavailable>
  }
>()("@lading/core/account/Accounts") {}

/** Accounts in memory, lost with the process. */
export const layerMemory: Layer.Layer<Accounts> = Layer.sync(Accounts, () => {
  const accounts = new Map<string, Account>()
  const keys = new Map<string, NewKey & { readonly id: string }>()
  const revoked = new Set<string>()
  const limited = new Map<string, Limits>()

  const ensure = (name: string, created_at: number): Account => {
    const account = accounts.get(name) ?? { id: `acc_${accounts.size + 1}`, name, created_at }
    accounts.set(name, account)
    return account
  }

  const all = (): ReadonlyArray<Account> => [...accounts.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))

  const addKey = (key: NewKey): Effect.Effect<string, AccountsUnavailable> => {
    if (!Array.from(accounts.values()).some(({ id }) => id === key.account)) {
      return Effect.fail(new AccountsUnavailable({ problem: "no such account" }))
    }
    const known = keys.get(key.digest) ?? { ...key, id: `key_${keys.size + 1}` }
    keys.set(key.digest, known)
    return Effect.succeed(known.id)
  }

  const revokeKey = (id: string): boolean => {
    const known = Array.from(keys.values()).some((key) => key.id === id)
    if (known) revoked.add(id)
    return known
  }

  const authenticate = (digest: string, now: number): Principal | null => {
    const key = keys.get(digest)
    if (key === undefined || revoked.has(key.id)) return null
    if (key.expires_at !== null && key.expires_at <= now) return null
    return { account: key.account, key: key.id, scopes: key.scopes, limits: limited.get(key.account) ?? usual }
  }

  const exists = (account: string): boolean => all().some(({ id }) => id === account)

  const listKeys = (account: string): ReadonlyArray<Key> =>
    Array.from(keys.values())
      .filter((key) => key.account === account)
      .map(({ id, label, scopes, expires_at }) => ({ id, label, scopes, expires_at, revoked: revoked.has(id) }))

  return {
    listKeys: (account) => Effect.sync(() => listKeys(account)),
    authenticate: (digest) => Effect.map(Clock.currentTimeMillis, (now) => authenticate(digest, now)),
    ensure: (name) => Effect.map(Clock.currentTimeMillis, (now) => ensure(name, now)),
    find: (idOrName) => Effect.sync(() => accounts.get(idOrName) ?? all().find(({ id }) => id === idOrName) ?? null),
    list: (after, limit) =>
      Effect.sync(() =>
        all()
          .filter(({ id }) => after === null || id > after)
          .slice(0, limit)
      ),
    addKey: (key) => Effect.suspend(() => addKey(key)),
    revokeKey: (id) => Effect.sync(() => revokeKey(id)),
    limits: (account) => Effect.sync(() => (exists(account) ? (limited.get(account) ?? usual) : null)),
    setLimits: (account, limits) =>
      Effect.sync(() => {
        if (!exists(account)) return false
        limited.set(account, limits)
        return true
      })
  }
})
