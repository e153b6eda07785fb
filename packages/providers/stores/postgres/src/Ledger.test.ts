/** What the ledger's suite cannot see: rows, transactions, other stores of the same database. */
import { PgClient } from "@effect/sql-pg"
import { assert, it, layer as withLayer } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { type Bill, Credits, Ledger } from "@lading/core/billing"
import { Clock, Context, Deferred, Effect, Fiber, Layer, Record, type Redacted, Schedule } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Migrator, SqlClient } from "effect/sql"
import { digestOf } from "./Digest.ts"
import * as Databases from "./fixtures/Databases.ts"
import { Database } from "./index.ts"
import * as Accounts from "./migrations/Accounts.ts"
import * as Answers from "./migrations/Answers.ts"
import * as First from "./migrations/Ledger.ts"

const on = <E>(database: Layer.Layer<SqlClient.SqlClient, E>) => Layer.provideMerge(Databases.stores, database)

const credits = (amount: number) => Credits.Credits.make(amount)

const day = 86_400_000

const open = (account: string, key: string, amount = 10): Ledger.Open => ({
  request: { account, key, fingerprint: "body" },
  amount: credits(amount),
  ttl: day,
  keep: day,
  api_key: null,
  operation: "person",
  request_id: `req_${key}`
})

const bill = (amount: number): Bill.Bill => ({
  price_version: "prices-1",
  lines: [{ payee: { _tag: "Platform" }, credits: credits(amount) }],
  memos: [{ source: "provider_c", units: 2 }]
})

const settlement = (account: string, amount: number, outcome = "{}", subjects: ReadonlyArray<string> = []) => ({
  account,
  bill: bill(amount),
  outcome,
  subjects
})

const grant = Effect.fnUntraced(function* (account: string, amount: number, expires_at: number | null = null) {
  const ledger = yield* Ledger.Ledger
  yield* ledger.grant({ account, amount: credits(amount), expires_at, key: `until ${expires_at}`, reason: "test" })
})

const held = Effect.fnUntraced(function* (request: Ledger.Open) {
  const ledger = yield* Ledger.Ledger
  const opened = yield* ledger.open(request)
  return opened._tag === "Held" ? opened.hold : assert.fail("replayed")
})

/** Every row of the ledger's tables, as text. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.forEach(["holds", "request_keys", "postings"], (table) =>
    sql.unsafe<{ row: string }>(`select t::text as row from lading.${table} t`)
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n")
})

/** The rows of an account that the breaches below break. */
interface Scene {
  readonly account: string
  /** Settled under the key `settled`: captured 9 of 10, of which 4 were refunded; 2 of a vendor's units noted. */
  readonly settled: string
  /** Open under the key `open`: 10, of which 4 are in an open child, and 3 were in one that captured 2. */
  readonly open: string
  readonly child: string
  readonly ended: string
}

const scene = Effect.fnUntraced(function* (account: string) {
  const ledger = yield* Ledger.Ledger
  yield* grant(account, 100)
  yield* grant(account, 50, (yield* Clock.currentTimeMillis) + day)
  const settled = yield* held(open(account, "settled"))
  yield* ledger.settle(settled, settlement(account, 9))
  yield* ledger.refund({ account, request_id: "req_settled", amount: credits(4), key: "refund", reason: "test" })
  const root = yield* held(open(account, "open"))
  const child = yield* ledger.split(root, { account, amount: credits(4), ttl: day })
  const ended = yield* ledger.split(root, { account, amount: credits(3), ttl: day })
  yield* ledger.settle(ended, { ...settlement(account, 2), outcome: null })
  return { account, settled, open: root, child, ended } satisfies Scene
})

interface Broken {
  readonly invariant: string
  readonly by: string
  readonly statements: (scene: Scene) => ReadonlyArray<string>
}

/** One way or more in which each invariant can be broken in the rows, and nothing else with it. */
const breaches: ReadonlyArray<Broken> = [
  {
    invariant: "groups_sum_to_zero",
    by: "a line too many",
    statements: ({ account, settled }) => [
      `insert into lading.postings select account, group_id, 9, kind, at, hold, price_version, book, unit, 1
        from lading.postings where account = '${account}' and hold = '${settled}' and kind = 'memo' and line = 0`
    ]
  },
  {
    invariant: "capture_names_prices",
    by: "a capture without prices",
    statements: ({ settled }) => [
      `update lading.postings set price_version = null where hold = '${settled}' and kind = 'capture'`
    ]
  },
  {
    invariant: "capture_names_prices",
    by: "a release with prices",
    statements: ({ settled }) => [
      `update lading.postings set price_version = 'prices-1' where hold = '${settled}' and kind = 'release'`
    ]
  },
  {
    invariant: "balance_matches_journal",
    by: "expired instead of captured",
    statements: ({ account }) => [
      `update lading.balances set expired = expired + 1, captured = captured - 1 where account = '${account}'`
    ]
  },
  {
    invariant: "available_not_negative",
    by: "a correction that takes what is not there, posted and booked",
    statements: ({ account }) => [
      `insert into lading.postings (account, group_id, line, kind, at, book, unit, amount) values
        ('${account}', 1000000, 0, 'adjust', 1, 'available', 'credit', -1000),
        ('${account}', 1000000, 1, 'adjust', 1, 'granted', 'credit', 1000)`,
      `insert into lading.adjustments values ('${account}', 'wrong', -1000, 'test', 1)`,
      `update lading.balances set granted = granted - 1000 where account = '${account}'`,
      `update lading.grants set free = free - 1000 where account = '${account}' and key = 'until null'`
    ]
  },
  {
    invariant: "holds_match_held",
    by: "a hold that lost a credit",
    statements: ({ open }) => [
      `update lading.holds set remaining = remaining - 1, grant_amounts[1] = grant_amounts[1] - 1 where id = '${open}'`
    ]
  },
  {
    invariant: "grants_match_available",
    by: "a grant that lost a credit",
    statements: ({ account }) => [
      `update lading.grants set free = free - 1 where account = '${account}' and key = 'until null'`
    ]
  },
  {
    invariant: "grants_match_granted",
    by: "an adjustment that was not booked",
    statements: ({ account }) => [`insert into lading.adjustments values ('${account}', 'wrong', -1, 'test', 1)`]
  },
  {
    invariant: "grants_not_overdrawn",
    by: "a grant that gave more than it had",
    statements: ({ account }) => [
      `update lading.grants set amount = amount + case when expires_at is null then 20 else -20 end
        where account = '${account}' and key is not null`
    ]
  },
  {
    invariant: "hold_parts_match_remaining",
    by: "parts that come to more",
    statements: ({ child }) => [`update lading.holds set grant_amounts[1] = grant_amounts[1] + 1 where id = '${child}'`]
  },
  {
    invariant: "hold_parts_match_remaining",
    by: "a part of no grant of the account",
    statements: ({ child }) => [`update lading.holds set grant_ids[1] = 1000000 where id = '${child}'`]
  },
  {
    invariant: "captured_within_hold",
    by: "a child that captured what its parent had captured already",
    statements: ({ ended, settled }) => [`update lading.holds set parent = '${settled}' where id = '${ended}'`]
  },
  {
    invariant: "capture_matches_journal",
    by: "a hold that captured more",
    statements: ({ settled }) => [`update lading.holds set captured = captured + 1 where id = '${settled}'`]
  },
  {
    invariant: "capture_matches_journal",
    by: "postings of no hold",
    statements: ({ account }) => [
      `insert into lading.postings (account, group_id, line, kind, at, hold, book, unit, amount) values
        ('${account}', 1000000, 0, 'release', 1, 'hold_none', 'held', 'credit', 1),
        ('${account}', 1000000, 1, 'release', 1, 'hold_none', 'held', 'credit', -1)`
    ]
  },
  {
    invariant: "capture_matches_journal",
    by: "a second release",
    statements: ({ account, settled }) => [
      `insert into lading.postings (account, group_id, line, kind, at, hold, book, unit, amount) values
        ('${account}', 1000000, 0, 'release', 1, '${settled}', 'held', 'credit', 1),
        ('${account}', 1000000, 1, 'release', 1, '${settled}', 'held', 'credit', -1)`
    ]
  },
  {
    invariant: "hold_matches_journal",
    by: "a child that became a hold of its own",
    statements: ({ ended }) => [`update lading.holds set parent = null where id = '${ended}'`]
  },
  {
    invariant: "hold_ends_once",
    by: "something posted after the end",
    statements: ({ settled }) => [`update lading.holds set ended_at = ended_at - 1 where id = '${settled}'`]
  },
  {
    invariant: "hold_ends_once",
    by: "an expiry that captured",
    statements: ({ ended }) => [`update lading.holds set ending = 'expired' where id = '${ended}'`]
  },
  {
    invariant: "hold_ends_once",
    by: "an end in the journal only",
    statements: ({ ended }) => [`update lading.holds set ended_at = null, ending = null where id = '${ended}'`]
  },
  {
    invariant: "no_hold_outlives_its_time",
    by: "an account that does not know that a hold is over",
    statements: ({ account, child }) => [
      `update lading.holds set expires_at = 1 where id = '${child}'`,
      `update lading.balances set due_at = ${Number.MAX_SAFE_INTEGER} where account = '${account}'`
    ]
  },
  {
    invariant: "expired_grants_hold_nothing",
    by: "an account that does not know that a grant has expired",
    statements: ({ account }) => [
      `update lading.grants set expires_at = 1 where account = '${account}' and expires_at is not null`,
      `update lading.balances set due_at = ${Number.MAX_SAFE_INTEGER} where account = '${account}'`
    ]
  },
  {
    invariant: "keys_follow_holds",
    by: "a key of no hold",
    statements: ({ account }) => [
      `update lading.request_keys set hold = 'hold_none' where account = '${account}' and key = 'settled'`
    ]
  },
  {
    invariant: "keys_follow_holds",
    by: "two keys of one hold",
    statements: ({ account, settled }) => [
      `insert into lading.request_keys (account, key, fingerprint, hold, keep, outcome, settled_at)
        values ('${account}', 'twin', 'body', '${settled}', 1, '{}', 1)`
    ]
  },
  {
    invariant: "keys_follow_holds",
    by: "a key that runs on after its hold",
    statements: ({ account }) => [
      `update lading.request_keys set settled_at = null, outcome = null where account = '${account}' and key = 'settled'`
    ]
  },
  {
    invariant: "keys_follow_holds",
    by: "a key that was settled without its hold",
    statements: ({ account }) => [
      `update lading.request_keys set settled_at = 1, outcome = '{}' where account = '${account}' and key = 'open'`
    ]
  },
  {
    invariant: "keys_follow_holds",
    by: "an outcome that is neither there nor erased",
    statements: ({ account }) => [
      `update lading.request_keys set outcome = null where account = '${account}' and key = 'settled'`
    ]
  },
  {
    invariant: "keys_follow_holds",
    by: "an open hold whose key is gone",
    statements: ({ account }) => [`delete from lading.request_keys where account = '${account}' and key = 'open'`]
  },
  {
    invariant: "refunds_match_journal",
    by: "a refund that names another request",
    statements: ({ account }) => [`update lading.refunds set request_id = 'req_none' where account = '${account}'`]
  },
  {
    invariant: "refunds_match_journal",
    by: "a refund of another hold",
    statements: ({ ended, settled }) => [
      `update lading.postings set hold = '${ended}' where hold = '${settled}' and kind = 'refund'`
    ]
  },
  {
    invariant: "refunded_within_capture",
    by: "more than was paid",
    statements: ({ account, settled }) => [
      `update lading.refunds set amount = amount + 6 where account = '${account}'`,
      `update lading.holds set refunded = refunded + 6 where id = '${settled}'`,
      `insert into lading.postings (account, group_id, line, kind, at, hold, book, unit, amount) values
        ('${account}', 1000000, 0, 'refund', 1, '${settled}', 'available', 'credit', 6),
        ('${account}', 1000000, 1, 'refund', 1, '${settled}', 'platform', 'credit', -6)`,
      `update lading.balances set captured = captured - 6 where account = '${account}'`,
      `update lading.grants set amount = amount + 6, free = free + 6 where account = '${account}' and reason = 'test'
        and key is null`
    ]
  }
]

/** Rows that break a constraint are what an audit is for, so here there is none. */
const unguarded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const checks = yield* sql<{ statement: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
      from pg_constraint where contype = 'c' and connamespace = 'lading'::regnamespace`
  for (const { statement } of checks) yield* sql.unsafe(statement)
  yield* sql`alter table lading.postings disable trigger all`
})

const everywhere = <E>(name: string, database: Layer.Layer<SqlClient.SqlClient, E>) => {
  it.live(
    `${name}: an audit names each breach, where it is, and nothing else`,
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        const sql = yield* SqlClient.SqlClient
        yield* unguarded
        for (const [at, { by, invariant, statements }] of breaches.entries()) {
          const whole = yield* scene(`account-${at}`)
          assert.deepStrictEqual((yield* ledger.audit(whole.account)).breaches, [])
          for (const statement of statements(whole)) yield* sql.unsafe(statement)
          const found = yield* ledger.audit(whole.account)
          const names = new Set(found.breaches.map((breach) => breach.invariant))
          assert.deepStrictEqual(Array.from(names), [invariant], `${by}: ${JSON.stringify(found.breaches)}`)
          for (const { account, detail, subject } of found.breaches) {
            assert.strictEqual(account, whole.account)
            assert.isNotEmpty(subject)
            assert.isNotEmpty(detail)
          }
        }
        // The books of everybody else are as they were.
        const clean = yield* scene("account-clean")
        assert.deepStrictEqual((yield* ledger.audit(clean.account)).breaches, [])
      }).pipe(Effect.provide(on(database))),
    240_000
  )

  withLayer(on(database), { timeout: "60 seconds", excludeTestServices: true })(name, (it) => {
    it.effect(
      `${name}: what one account writes at once shares transactions, and of several accounts none waits for another's`,
      () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger.Ledger
          const sql = yield* SqlClient.SqlClient
          for (const account of ["one", "two"]) yield* grant(account, 1000)
          const requests = Array.from({ length: 100 }, (_, at) => open(at % 2 === 0 ? "one" : "two", `key-${at}`, 1))
          const opened = yield* Effect.forEach(requests, held, { concurrency: "unbounded" })
          assert.strictEqual(new Set(opened).size, 100)
          const [row] = yield* sql<{ both: bigint; mixed: bigint }>`
          select count(distinct xmin::text) as both,
                 count(distinct xmin::text) filter (where other) as mixed
            from (
              select h.xmin, exists (
                select from lading.holds o where o.xmin::text = h.xmin::text and o.account <> h.account
              ) as other from lading.holds h where account in ('one', 'two')
            ) transactions`
          // The first of each account begins at once, the others follow together.
          assert.isAtMost(Number(row?.both), 8)
          assert.strictEqual(Number(row?.mixed), 0)
          const settles = opened.map((hold, at) => ledger.settle(hold, settlement(at % 2 === 0 ? "one" : "two", 1)))
          yield* Effect.all(settles, { concurrency: "unbounded" })
          assert.strictEqual((yield* ledger.balance("one")).captured, 50)
          assert.deepStrictEqual((yield* ledger.audit("two")).breaches, [])
        })
    )

    it.effect(`${name}: of operations that share a statement the one that the database refuses fails alone`, () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        yield* grant("mixed", 100)
        const keys = ["first", "second", "third\u0000", "fourth", "fifth"]
        const ends = yield* Effect.forEach(
          keys,
          (key) =>
            Effect.match(ledger.open(open("mixed", key)), {
              onFailure: (error) => ("problem" in error ? error.problem : error._tag),
              onSuccess: ({ _tag }) => _tag
            }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(ends, ["Held", "Held", "UnknownError 22P05", "Held", "Held"])
        assert.strictEqual((yield* ledger.balance("mixed")).held, 40)
        assert.deepStrictEqual((yield* ledger.audit("mixed")).breaches, [])
      })
    )

    it.effect(
      `${name}: of more grants than a batch has in hand those that expire first are spent first, and given back to`,
      () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger.Ledger
          const sql = yield* SqlClient.SqlClient
          const now = yield* Clock.currentTimeMillis
          // In an order of their own, so that it is not the order in which they came.
          for (let at = 0; at < 130; at++) yield* grant("many", 1, now + day + ((at * 7) % 130))
          const free = Effect.map(
            sql<{
              at: bigint
            }>`select expires_at - ${BigInt(now + day)} as at from lading.grants
              where account = 'many' and free > 0 order by 1`,
            (rows) => rows.map(({ at }) => Number(at))
          )
          const hold = yield* held(open("many", "key", 110))
          const last = Array.from({ length: 20 }, (_, at) => 110 + at)
          assert.deepStrictEqual(yield* free, last)
          yield* ledger.settle(hold, settlement("many", 105))
          assert.deepStrictEqual(yield* free, [105, 106, 107, 108, 109, ...last])
          assert.deepStrictEqual((yield* ledger.audit("many")).breaches, [])
        })
    )

    it.effect(`${name}: an outcome that speaks of somebody who objected is charged and never stored`, () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        const suppression = yield* Suppression.Suppression
        yield* grant("objected", 100)
        const hold = yield* held(open("objected", "key"))
        yield* suppression.add("email:mara@acme.example")
        const subjects = ["email:ines@acme.example", "email:mara@acme.example"]
        yield* ledger.settle(hold, settlement("objected", 4, '"about Mara"', subjects))
        yield* ledger.settle(hold, settlement("objected", 4, '"about Mara"', subjects))
        const conflict = yield* Effect.flip(ledger.open(open("objected", "key")))
        assert(conflict._tag === "KeyConflict" && conflict.reason === "erased")
        assert.strictEqual((yield* ledger.balance("objected")).captured, 4)
        assert.notInclude(yield* everything, "Mara")
        assert.strictEqual(yield* ledger.erase(["email:ines@acme.example"]), 0)
        assert.deepStrictEqual((yield* ledger.audit("objected")).breaches, [])
      })
    )

    it.effect(`${name}: of an erased outcome no row keeps anything, and no row ever names a subject`, () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        yield* grant("erased", 100)
        const noor = "email:noor@acme.example"
        yield* ledger.settle(yield* held(open("erased", "key")), settlement("erased", 4, '"about Noor"', [noor]))
        assert.include(yield* everything, "about Noor")
        assert.notInclude(yield* everything, noor)
        assert.strictEqual(yield* ledger.erase([noor]), 1)
        assert.notInclude(yield* everything, "about Noor")
        assert.deepStrictEqual((yield* ledger.audit("erased")).breaches, [])
      })
    )
  })
}

/** Opens and settles so many requests, all of which speak of these people. */
const settling = Effect.fnUntraced(function* (account: string, name: string, subjects: ReadonlyArray<string>) {
  const ledger = yield* Ledger.Ledger
  yield* Effect.forEach(
    Array.from({ length: 40 }, (_, at) => `${name}-${at}`),
    (key) =>
      Effect.gen(function* () {
        const hold = yield* held(open(account, key, 1))
        yield* ledger.settle(hold, settlement(account, 1, `"${key} about Mara"`, subjects))
      }),
    { concurrency: 8, discard: true }
  )
})

/** Until somebody waits for the lock of the table of keys. */
const somebodyWaits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`select 1 from pg_locks where relation = 'lading.request_keys'::regclass and not granted`
  yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
})

const erasures = () => {
  const mara = "email:mara@acme.example"

  it.live(
    "PostgreSQL: an erasure waits for a settlement under way, and erases what it stored",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        const sql = yield* SqlClient.SqlClient
        yield* grant("way", 100)
        const hold = yield* held(open("way", "key"))
        const nothing = { total: 0, paid: [], memos: [], price_version: "1", settlement: "digest" }
        const settle = { op: "settle", hold, ...nothing, outcome: '"about Mara"', subjects: [digestOf(mara)] }
        const [settled, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const transaction = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              const now = BigInt(yield* Clock.currentTimeMillis)
              yield* sql`select tag from lading.ledger_batch('way', ${JSON.stringify([settle])}::jsonb, ${now})`
              yield* Deferred.succeed(settled, undefined)
              yield* Deferred.await(over)
            })
          )
        )
        yield* Deferred.await(settled)
        yield* Effect.flatMap(Suppression.Suppression, (suppression) => suppression.add(mara))
        const erasing = yield* Effect.forkChild(ledger.erase([mara]))
        yield* somebodyWaits
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(transaction)
        assert.strictEqual(yield* Fiber.join(erasing), 1)
        assert.notInclude(yield* everything, "Mara")
      }).pipe(Effect.provide(on(Databases.postgres))),
    240_000
  )

  it.live(
    "PostgreSQL: a settlement that comes during an erasure waits for it, and sees who is suppressed",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        const sql = yield* SqlClient.SqlClient
        yield* grant("late", 100)
        const hold = yield* held(open("late", "key"))
        const [locked, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const erasing = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`lock table lading.request_keys in share row exclusive mode`
              yield* Deferred.succeed(locked, undefined)
              yield* Deferred.await(over)
            })
          )
        )
        yield* Deferred.await(locked)
        const settling = yield* Effect.forkChild(ledger.settle(hold, settlement("late", 4, '"about Mara"', [mara])))
        yield* somebodyWaits
        yield* Effect.flatMap(Suppression.Suppression, (suppression) => suppression.add(mara))
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(erasing)
        yield* Fiber.join(settling)
        assert.notInclude(yield* everything, "Mara")
        assert.strictEqual((yield* ledger.balance("late")).captured, 4)
      }).pipe(Effect.provide(on(Databases.postgres))),
    240_000
  )

  it.live(
    "PostgreSQL: an erasure under load on two servers misses nothing, blocks nothing, and what is settled after it is never stored",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const servers = yield* Effect.forEach([1, 2], () => Layer.build(Layer.fresh(on(Database.layerUrl(url)))))
        const [one, two] = servers
        assert(one !== undefined && two !== undefined)
        const sql = Context.get(one, SqlClient.SqlClient)
        const accounts = ["a", "b", "c"]
        const people = ["email:mara@acme.example", "email:ines@acme.example", "email:noor@acme.example"]
        yield* Effect.provide(
          Effect.forEach(accounts, (account) => grant(account, 10_000)),
          one
        )
        const load = yield* Effect.forEach([...accounts, ...accounts], (account, at) =>
          Effect.forkChild(
            Effect.provide(
              Effect.forEach(people, (person, round) =>
                settling(account, `${at}-${round}`, [person, people[(round + at) % 3] ?? person])
              ),
              at % 2 === 0 ? one : two
            )
          )
        )
        const stored = Effect.map(
          sql<{ count: bigint }>`select count(*) from lading.request_keys where outcome is not null`,
          ([row]) => row?.count
        )
        // Somewhere in the middle of it.
        yield* Effect.repeat(stored, { until: (count) => count !== undefined && count > 60n })
        yield* Effect.forEach(
          people,
          (person, at) =>
            Effect.gen(function* () {
              yield* Effect.flatMap(Suppression.Suppression, (suppression) => suppression.add(person))
              const ledger = yield* Ledger.Ledger
              yield* ledger.erase([person])
              // From here on nothing about them is stored, whatever was under way.
              const [row] = yield* sql<{ count: bigint }>`select count(*) from lading.request_keys
                where subjects && array[${digestOf(person)}]`
              assert.strictEqual(row?.count, 0n)
            }).pipe(Effect.provide(at % 2 === 0 ? two : one)),
          { concurrency: "unbounded" }
        )
        yield* Effect.forEach(load, Fiber.join)
        assert.strictEqual(yield* stored, 0n)
        const ledger = Context.get(two, Ledger.Ledger)
        for (const account of accounts) {
          assert.strictEqual((yield* ledger.balance(account)).captured, 240)
          assert.deepStrictEqual((yield* ledger.audit(account)).breaches, [])
        }
      }),
    240_000
  )
}

/** A database as the version before left it. */
const before = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const sql = yield* PgClient.makeClient({ url })
  const steps = { "1_accounts": Accounts.statements, "2_ledger": First.statements, "3_answers": Answers.statements }
  const run = (statements: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const client = yield* SqlClient.SqlClient
      for (const statement of statements) yield* client.unsafe(statement)
    })
  const loader = Migrator.fromRecord(Record.map(steps, run))
  yield* Effect.provideService(Migrator.make({})({ loader, table: "lading_migrations" }), SqlClient.SqlClient, sql)
  const now = BigInt(yield* Clock.currentTimeMillis)
  const opened = Effect.fnUntraced(function* (key: string, ttl: number) {
    const [row] = yield* sql<{ hold: string }>`select hold from lading.open_hold('old', ${key}, 'body', 10::bigint,
      ${now}, ${BigInt(ttl)}, ${BigInt(day)}, null, 'person')`
    return Ledger.HoldId.make(row?.hold ?? "")
  })
  yield* sql`select lading.grant_credits('old', 'once', 100::bigint, null, 'test', ${now})`
  const [settled, running] = [yield* opened("settled", day), yield* opened("running", day)]
  yield* opened("expired", 0)
  const paid = JSON.stringify([
    { book: "held", unit: "credit", amount: -4 },
    { book: "platform", unit: "credit", amount: 4 }
  ])
  yield* sql`select tag from lading.settle_hold(${settled}, 4::bigint, ${paid}::jsonb, '[]'::jsonb, 'prices-1', '"old"', ${now})`
  return { settled, running }
}, Effect.scoped)

/** One of two accounts asks for much while its row is locked; the other one works. */
const besideLocked = Effect.fnUntraced(function* (somebody: PgClient.PgClient) {
  const ledger = yield* Ledger.Ledger
  const sql = yield* SqlClient.SqlClient
  yield* grant("locked", 1000)
  yield* grant("free", 100)
  const root = yield* held(open("locked", "root", 500))
  const [locked, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const locking = yield* Effect.forkChild(
    somebody.withTransaction(
      Effect.gen(function* () {
        yield* somebody`select from lading.balances where account = 'locked' for update`
        yield* Deferred.succeed(locked, undefined)
        yield* Deferred.await(over)
      })
    )
  )
  yield* Deferred.await(locked)
  let answered = 0
  const answer = Effect.tap(Effect.sync(() => answered++))
  const many = Array.from({ length: 30 }, (_, at) => at)
  const asked = yield* Effect.forkChild(
    Effect.all(
      many.flatMap((at) => [
        Effect.asVoid(answer(ledger.open(open("locked", `key ${at}`)))),
        Effect.asVoid(answer(ledger.split(root, { account: "locked", amount: credits(1), ttl: day }))),
        answer(ledger.adjust({ account: "locked", amount: credits(1), key: `key ${at}`, reason: "test" }))
      ]),
      { concurrency: "unbounded", discard: true }
    )
  )
  yield* Effect.repeat(
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    { until: (rows) => rows.length >= 2, schedule: Schedule.spaced("10 millis") }
  )
  const work = Effect.gen(function* () {
    const hold = yield* held(open("free", "key"))
    const child = yield* ledger.split(hold, { account: "free", amount: credits(4), ttl: day })
    yield* ledger.settle(child, { ...settlement("free", 2), outcome: null })
    yield* ledger.settle(hold, settlement("free", 3))
    return (yield* ledger.balance("free")).captured
  })
  // A lock is waited for 10 s.
  assert.strictEqual(yield* Effect.timeout(work, "5 seconds"), 5)
  assert.strictEqual(answered, 0)
  yield* Deferred.succeed(over, undefined)
  yield* Fiber.join(locking)
  yield* Fiber.join(asked)
  assert.strictEqual(answered, 90)
  assert.deepStrictEqual((yield* ledger.audit("locked")).breaches, [])
})

const server = () => {
  erasures()

  it.live(
    "PostgreSQL: what the version before left is audited, replayed and settled",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const { running, settled } = yield* before(url)
        const context = yield* Layer.build(Layer.fresh(on(Database.layerUrl(url))))
        const ledger = Context.get(context, Ledger.Ledger)
        assert.deepStrictEqual(yield* ledger.open(open("old", "settled")), { _tag: "Replayed", outcome: '"old"' })
        yield* ledger.settle(running, settlement("old", 5))
        yield* ledger.settle(running, settlement("old", 5))
        // How it was settled was not written down then.
        assert.strictEqual((yield* Effect.flip(ledger.settle(settled, settlement("old", 4))))._tag, "HoldEnded")
        const { captured, held } = yield* ledger.balance("old")
        assert.deepStrictEqual([captured, held], [9, 0])
        assert.deepStrictEqual(yield* ledger.audit("old"), { account: "old", groups: 10, holds: 3, breaches: [] })
      }).pipe(Effect.provide(Reactivity.layer)),
    240_000
  )

  it.live(
    "PostgreSQL: the sweep waits for nobody's key, it comes again",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        const sql = yield* SqlClient.SqlClient
        yield* grant("swept", 100)
        for (const key of ["one", "two"]) {
          const hold = yield* held({ ...open("swept", key), keep: 0 })
          yield* ledger.settle(hold, settlement("swept", 1))
        }
        const keys = sql<{ key: string }>`select key from lading.request_keys order by key`
        // They are over in the next millisecond.
        yield* Effect.sleep(2)
        const [locked, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const other = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select 1 from lading.request_keys where key = 'one' for update`
              yield* Deferred.succeed(locked, undefined)
              yield* Deferred.await(over)
            })
          )
        )
        yield* Deferred.await(locked)
        yield* ledger.expire
        assert.deepStrictEqual(yield* keys, [{ key: "one" }])
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(other)
        yield* ledger.expire
        assert.deepStrictEqual(yield* keys, [])
      }).pipe(Effect.provide(on(Databases.postgres))),
    240_000
  )

  it.live(
    "PostgreSQL: an account whose row is locked keeps no other one waiting, whatever it asks meanwhile",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const somebody = yield* PgClient.makeClient({ url }).pipe(Effect.provide(Reactivity.layer))
        yield* Effect.provide(besideLocked(somebody), on(Database.layerUrl(url)))
      }),
    240_000
  )

  it.live(
    "PostgreSQL: an audit may take minutes, and the connection is as it was afterwards",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        const sql = yield* SqlClient.SqlClient
        yield* sql`create or replace function lading.audit_groups(p_account text)
          returns table (invariant text, subject text, detail text) language sql stable as
          $$ select 'shown', p_account, current_setting('statement_timeout') $$`
        const { breaches } = yield* ledger.audit("a")
        assert.deepStrictEqual(breaches, [{ invariant: "shown", account: "a", subject: "a", detail: "10min" }])
        for (let at = 0; at < 20; at++) {
          assert.deepStrictEqual(yield* sql`show statement_timeout`, [{ statement_timeout: "10s" }])
        }
      }).pipe(Effect.provide(on(Databases.postgres))),
    240_000
  )
}

everywhere("PGlite", Database.layerEmbeddedMemory)

await Databases.onServer(() => {
  everywhere("PostgreSQL", Databases.postgres)
  server()
})
