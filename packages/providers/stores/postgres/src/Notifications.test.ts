/**
 * A key that one server revokes opens nothing at any other, at once. The clock of these tests stands still unless it is
 * moved, so that what a server remembers does not grow old: only what it is told can make it forget.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Accounts } from "@lading/core/account"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { TestClock } from "effect/testing"
import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import * as PostgresAccounts from "./Accounts.ts"
import * as Databases from "./fixtures/Databases.ts"
import { Database } from "./index.ts"

/** In real time, whatever the test's clock says. */
const until = <E>(what: string, holds: Effect.Effect<boolean, E>) =>
  Effect.gen(function* () {
    const end = performance.now() + 20_000
    while (!(yield* holds)) {
      if (performance.now() > end) assert.fail(`never: ${what}`)
      yield* Effect.promise(() => setTimeout(5))
    }
  })

const server = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(Layer.fresh(Layer.provide(PostgresAccounts.layer, Database.layerUrl(url)))), (context) =>
    Context.get(context, Accounts.Accounts)
  )

/** Sessions that listen. */
const listeners = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
      and application_name = 'lading listener' and state = 'idle' and query ilike 'listen%'`,
    (rows) => rows.map(({ pid }) => pid)
  )

/** Two servers that listen, keys that both remember, and somebody else on the database. */
const trial = Effect.gen(function* () {
  const url = yield* Databases.url
  const [one, two] = [yield* server(url), yield* server(url)]
  const sql = yield* PgClient.makeClient({ url })
  const listening = listeners(sql)
  yield* until(
    "both listen",
    Effect.map(listening, ({ length }) => length === 2)
  )
  const account = yield* one.ensure("acme")
  const newKey = Effect.gen(function* () {
    const digest = randomBytes(32).toString("hex")
    const key = { account: account.id, digest, scopes: ["company"] as const, expires_at: null, label: "test" }
    const id = yield* one.addKey(key)
    assert.strictEqual((yield* one.authenticate(digest))?.key, id)
    assert.strictEqual((yield* two.authenticate(digest))?.key, id)
    return { digest, id }
  })
  /** Whether anybody gets a new connection to the database; from another one, since nobody shuts himself out. */
  const admit = (allowed: boolean) =>
    Effect.gen(function* () {
      const { pathname } = new URL(Redacted.value(url))
      const outside = yield* PgClient.makeClient({ url: Redacted.make(new URL("/postgres", Redacted.value(url)).href) })
      yield* outside`alter database ${outside(pathname.slice(1))} allow_connections ${outside.literal(String(allowed))}`
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  return { one, two, sql, account: account.id, admit, listening, newKey }
}).pipe(Effect.provide(Reactivity.layer))

const refuses = (accounts: Accounts.Accounts["Service"], digest: string) =>
  Effect.map(accounts.authenticate(digest), (found) => found === null)

const limit = 120_000

await Databases.onServer(() => {
  it.effect(
    "another limit that one server gives an account holds at the other at once, for every key that it remembers",
    () =>
      Effect.gen(function* () {
        const { account, newKey, one, two } = yield* trial
        const digests = [(yield* newKey).digest, (yield* newKey).digest]
        const limits = { requests_per_minute: 5000, requests_at_once: 7 }
        assert.isTrue(yield* one.setLimits(account, limits))
        for (const digest of digests) {
          assert.deepStrictEqual((yield* one.authenticate(digest))?.limits, limits)
          yield* until(
            "the other one knows",
            Effect.map(two.authenticate(digest), (found) => found?.limits.requests_per_minute === 5000)
          )
        }
      }),
    limit
  )

  it.effect(
    "a key that one server revokes is refused by the other at once, though it remembers the key",
    () =>
      Effect.gen(function* () {
        const { newKey, one, sql, two } = yield* trial
        // That it does remember: what is changed without a word stays unnoticed.
        const silent = yield* newKey
        yield* sql`update lading.api_keys set revoked_at = 1 where id = ${silent.id}`
        assert.isFalse(yield* refuses(two, silent.digest))
        const [revoked, kept] = [yield* newKey, yield* newKey]
        assert.isTrue(yield* one.revokeKey(revoked.id))
        yield* until("the other refuses it", refuses(two, revoked.digest))
        assert.isTrue(yield* refuses(one, revoked.digest))
        assert.isFalse(yield* refuses(two, kept.digest))
        assert.isFalse(yield* refuses(two, silent.digest), "it was the word, and not the time")
      }),
    limit
  )

  it.effect(
    "without its connection a server refuses a revoked key within five seconds, and forgets all when it listens again",
    () =>
      Effect.gen(function* () {
        const { admit, listening, newKey, one, sql, two } = yield* trial
        const [first, second, third] = [yield* newKey, yield* newKey, yield* newKey]
        // Nobody gets in: who has lost a connection cannot have another one.
        yield* admit(false)
        const lost = yield* listening
        for (const pid of lost) yield* sql`select pg_terminate_backend(${pid})`
        yield* until(
          "nobody listens",
          Effect.map(listening, ({ length }) => length === 0)
        )
        yield* one.revokeKey(first.id)
        assert.isFalse(yield* refuses(two, first.digest), "it is not told, and remembers")
        yield* TestClock.adjust(5000)
        assert.isTrue(yield* refuses(two, first.digest))
        // Remembered afresh, and revoked while nobody hears it.
        assert.isFalse(yield* refuses(two, second.digest))
        yield* one.revokeKey(second.id)
        assert.isFalse(yield* refuses(two, second.digest))
        yield* admit(true)
        yield* TestClock.adjust(1000)
        yield* until(
          "both listen again",
          Effect.map(listening, ({ length }) => length === 2)
        )
        yield* until("what was missed is forgotten", refuses(two, second.digest))
        assert.isFalse(yield* refuses(two, third.digest))
        yield* one.revokeKey(third.id)
        yield* until("it is told again", refuses(two, third.digest))
      }),
    limit
  )
})
