/**
 * Accounts and API keys in PostgreSQL. A key is stored as its SHA-256 only.
 *
 * A key that was found is remembered for `memory`, so most requests ask the database nothing; a revocation by another
 * server is seen after that time at the latest, one by this server at once, and an expiry always. Digests that were
 * not found are never remembered, so nobody fills the memory with guesses.
 */
import { Accounts, Scope } from "@lading/core/account"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"

const unavailable = (problem: string) => new Accounts.AccountsUnavailable({ problem })

/** How long a found key is believed without asking again, in milliseconds. */
const memory = 5_000
/** How many keys are remembered; beyond it the first one is forgotten. */
const capacity = 10_000

interface Remembered {
  readonly principal: Accounts.Principal
  /** Epoch milliseconds until which it holds: never past the key's own expiry. */
  readonly until: number
}

interface AccountRow {
  readonly id: string
  readonly name: string
  readonly created_at: bigint
}

const accountOf = ({ created_at, id, name }: AccountRow): Accounts.Account => ({
  id,
  name,
  created_at: Number(created_at)
})

interface KeyRow {
  readonly id: string
  readonly account: string
  readonly scopes: ReadonlyArray<string>
  readonly expires_at: bigint | null
}

interface ListedRow extends KeyRow {
  readonly label: string
  readonly revoked: boolean
}

/** A scope that this version does not know opens nothing. */
const isScope = Schema.is(Scope.Scope)

/** Keys that were found lately, by digest. */
const memoryOf = () => {
  const remembered = new Map<string, Remembered>()
  return {
    recall: (digest: string, now: number): Accounts.Principal | null => {
      const known = remembered.get(digest)
      if (known !== undefined && now < known.until) return known.principal
      remembered.delete(digest)
      return null
    },
    remember: (digest: string, { account, expires_at, id, scopes }: KeyRow, now: number): Accounts.Principal => {
      const principal = { account, key: id, scopes: scopes.filter(isScope) }
      const until = Math.min(now + memory, expires_at === null ? Number.POSITIVE_INFINITY : Number(expires_at))
      remembered.delete(digest)
      remembered.set(digest, { principal, until })
      for (const first of remembered.keys()) {
        if (remembered.size <= capacity) break
        remembered.delete(first)
      }
      return principal
    },
    forget: (id: string): void => {
      for (const [digest, { principal }] of remembered) if (principal.key === id) remembered.delete(digest)
    }
  }
}

const keyOf = ({ id, label, scopes, expires_at, revoked }: ListedRow): Accounts.Key => ({
  id,
  label,
  scopes: scopes.filter(isScope),
  expires_at: expires_at === null ? null : Number(expires_at),
  revoked
})

/** Accounts that are there. */
const looking = (sql: SqlClient.SqlClient) => {
  const find = (idOrName: string) =>
    bounded(
      // An id first: somebody may have named an account like another's id.
      sql<AccountRow>`select id, name, created_at from lading.accounts where id = ${idOrName} or name = ${idOrName}
        order by id = ${idOrName} desc limit 1`,
      unavailable
    ).pipe(Effect.map(([row]) => (row === undefined ? null : accountOf(row))))

  const list = (after: string | null, limit: number) =>
    bounded(
      sql<AccountRow>`select id, name, created_at from lading.accounts where id > ${after ?? ""} order by id limit ${limit}`,
      unavailable
    ).pipe(Effect.map((rows) => rows.map(accountOf)))

  return { find, list }
}

const make = Effect.map(SqlClient.SqlClient, (sql): Accounts.Accounts["Service"] => {
  const { forget, recall, remember } = memoryOf()

  const authenticate = Effect.fnUntraced(function* (digest: string) {
    const now = yield* Clock.currentTimeMillis
    const known = recall(digest, now)
    if (known !== null) return known
    const [row] = yield* bounded(
      sql<KeyRow>`select id, account, scopes, expires_at from lading.api_keys where digest = ${digest}
        and revoked_at is null and (expires_at is null or expires_at > ${Int8.from(now)})`,
      unavailable
    )
    return row === undefined ? null : remember(digest, row, now)
  })

  const ensure = Effect.fnUntraced(function* (name: string) {
    const now = yield* Clock.currentTimeMillis
    // Updating the row in the way makes it visible to `returning`, whoever inserted it.
    const [row] = yield* bounded(
      sql<AccountRow>`insert into lading.accounts (id, name, created_at)
        values ('acc_' || gen_random_uuid(), ${name}, ${Int8.from(now)})
        on conflict (name) do update set name = excluded.name returning id, name, created_at`,
      unavailable
    )
    return row === undefined ? yield* unavailable("no row") : accountOf(row)
  })

  const addKey = Effect.fnUntraced(function* ({ account, digest, expires_at, label, scopes }: Accounts.NewKey) {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* bounded(
      sql<{ id: string }>`insert into lading.api_keys (id, account, digest, scopes, label, expires_at, created_at)
        values ('key_' || gen_random_uuid(), ${account}, ${digest}, ${scopes}::text[], ${label},
          ${Int8.fromNullable(expires_at)}, ${Int8.from(now)})
        on conflict (digest) do update set digest = excluded.digest returning id`,
      unavailable
    )
    return row === undefined ? yield* unavailable("no row") : row.id
  })

  const listKeys = (account: string) =>
    bounded(
      sql<ListedRow>`select id, account, label, scopes, expires_at, revoked_at is not null as revoked
        from lading.api_keys where account = ${account} order by created_at, id`,
      unavailable
    ).pipe(Effect.map((rows) => rows.map(keyOf)))

  const revokeKey = Effect.fnUntraced(function* (id: string) {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* bounded(
      sql`update lading.api_keys set revoked_at = coalesce(revoked_at, ${Int8.from(now)}) where id = ${id} returning id`,
      unavailable
    )
    forget(id)
    return rows.length > 0
  })

  return { ...looking(sql), authenticate, ensure, addKey, listKeys, revokeKey }
})

export const layer: Layer.Layer<Accounts.Accounts, never, SqlClient.SqlClient> = Layer.effect(Accounts.Accounts, make)
