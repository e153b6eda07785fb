/**
 * Accounts and API keys in PostgreSQL. A key is stored as its SHA-256 only.
 *
 * A key that was found is remembered for `memory`, so most requests ask the database nothing. A revocation is announced
 * to all servers in the transaction that makes it, and they forget the key (`Notifications`); where that is not heard it
 * is seen when the memory is over. An expiry is always seen. Digests that were not found are never remembered, so nobody
 * fills the memory with guesses.
 *
 * Gotcha: whatever changes a key announces it the same way. What is said is the key's id: whoever may connect to the
 * database may listen.
 */
import { Accounts, Scope } from "@lading/core/account"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"
import * as Notifications from "./Notifications.ts"

const unavailable = (problem: string) => new Accounts.AccountsUnavailable({ problem })

/** How long a found key is believed without asking again, in milliseconds. */
const memory = 5_000
/** How many keys are remembered; beyond it the first one is forgotten. */
const capacity = 10_000

/** Where ids of keys are said that are not any more what they were. */
const channel = "lading_keys"

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

interface LimitsRow {
  readonly requests_per_minute: number | null
  readonly requests_at_once: number | null
}

interface KeyRow {
  readonly id: string
  readonly account: string
  readonly scopes: ReadonlyArray<string>
  readonly expires_at: bigint | null
}

interface FoundRow extends KeyRow, LimitsRow {}

interface ListedRow extends KeyRow {
  readonly label: string
  readonly revoked: boolean
}

const limitsOf = ({ requests_at_once, requests_per_minute }: LimitsRow): Accounts.Limits => ({
  requests_per_minute,
  requests_at_once
})

/** A scope that this version does not know opens nothing. */
const isScope = Schema.is(Scope.Scope)

const principalOf = ({ account, id, scopes, ...limits }: FoundRow): Accounts.Principal => ({
  account,
  key: id,
  scopes: scopes.filter(isScope),
  limits: limitsOf(limits)
})

/** Keys that were found lately, by digest. */
const memoryOf = () => {
  const remembered = new Map<string, Remembered>()
  let forgotten = 0
  return {
    /** How often something was forgotten: what was looked up before that is not to be remembered after it. */
    forgotten: (): number => forgotten,
    recall: (digest: string, now: number): Accounts.Principal | null => {
      const known = remembered.get(digest)
      if (known !== undefined && now < known.until) return known.principal
      remembered.delete(digest)
      return null
    },
    remember: (digest: string, row: FoundRow, now: number): void => {
      const { expires_at } = row
      const until = Math.min(now + memory, expires_at === null ? Number.POSITIVE_INFINITY : Number(expires_at))
      remembered.delete(digest)
      remembered.set(digest, { principal: principalOf(row), until })
      for (const first of remembered.keys()) {
        if (remembered.size <= capacity) break
        remembered.delete(first)
      }
    },
    forget: (id: string): void => {
      forgotten++
      for (const [digest, { principal }] of remembered) if (principal.key === id) remembered.delete(digest)
    },
    forgetAccount: (id: string): void => {
      forgotten++
      for (const [digest, { principal }] of remembered) if (principal.account === id) remembered.delete(digest)
    },
    forgetAll: (): void => {
      forgotten++
      remembered.clear()
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

/** The principal of a key, from the memory or from the database. */
const authenticating = (sql: SqlClient.SqlClient, { forgotten, recall, remember }: ReturnType<typeof memoryOf>) =>
  Effect.fnUntraced(function* (digest: string) {
    const now = yield* Clock.currentTimeMillis
    const known = recall(digest, now)
    if (known !== null) return known
    const before = forgotten()
    const [row] = yield* bounded(
      sql<FoundRow>`select k.id, account, scopes, expires_at, requests_per_minute, requests_at_once
        from lading.api_keys k join lading.accounts a on a.id = account where digest = ${digest}
        and revoked_at is null and (expires_at is null or expires_at > ${Int8.from(now)})`,
      unavailable
    )
    if (row === undefined) return null
    // It may have been read just before it was revoked.
    if (forgotten() === before) remember(digest, row, now)
    return principalOf(row)
  })

/** What accounts may send. Whoever remembers one of their keys is told to forget it. */
const limiting = (sql: SqlClient.SqlClient, { forgetAccount }: ReturnType<typeof memoryOf>) => {
  const limits = (account: string) =>
    bounded(
      sql<LimitsRow>`select requests_per_minute, requests_at_once from lading.accounts where id = ${account}`,
      unavailable
    ).pipe(Effect.map(([row]) => (row === undefined ? null : limitsOf(row))))

  const setLimits = Effect.fnUntraced(function* (account: string, asked: Accounts.Limits) {
    const rows = yield* bounded(
      sql`with changed as (
          update lading.accounts set requests_per_minute = ${asked.requests_per_minute}::int,
            requests_at_once = ${asked.requests_at_once}::int where id = ${account} returning id
        ) select (select count(pg_notify(${channel}, k.id)) from lading.api_keys k where k.account = changed.id) as told
          from changed`,
      unavailable
    )
    forgetAccount(account)
    return rows.length > 0
  })

  return { limits, setLimits }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const memory = memoryOf()
  yield* Notifications.hear(channel, { heard: memory.forget, begun: memory.forgetAll })

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
      sql`with revoked as (
          update lading.api_keys set revoked_at = coalesce(revoked_at, ${Int8.from(now)}) where id = ${id} returning id
        ) select pg_notify(${channel}, id) from revoked`,
      unavailable
    )
    memory.forget(id)
    return rows.length > 0
  })

  return Accounts.Accounts.of({
    ...looking(sql),
    ...limiting(sql, memory),
    authenticate: authenticating(sql, memory),
    ensure,
    addKey,
    listKeys,
    revokeKey
  })
})

export const layer: Layer.Layer<Accounts.Accounts, never, SqlClient.SqlClient> = Layer.effect(Accounts.Accounts, make)
