import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Accounts, ApiKey, Suppression } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { AnswerCache } from "@lading/core/waterfall"
import { Context, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as Databases from "./fixtures/Databases.ts"
import { Database, Owner } from "./index.ts"
import * as Migrations from "./Migrations.ts"

const { stores: layer } = Databases

const on = <E>(database: Layer.Layer<SqlClient.SqlClient, E>) => Layer.provideMerge(layer, database)

const open = (account: string, key: string, amount = 2): Ledger.Open => ({
  request: { account, key, fingerprint: "body" },
  amount: Credits.Credits.make(amount),
  ttl: 60_000,
  keep: 86_400_000,
  api_key: null,
  operation: "company"
})

const grant = (account: string, amount: number) =>
  Effect.flatMap(Ledger.Ledger, (ledger) =>
    ledger.grant({ account, amount: Credits.Credits.make(amount), expires_at: null, key: "once", reason: "test" })
  )

/** Every row of every table of the database, as text. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    sql.unsafe<{ row: string }>(`select t::text as row from ${name} t`)
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n")
})

/** Starts the settling process and kills it without mercy after so many acknowledgements; gives their keys. */
const killAfter = async (folder: string, prefix: string, acknowledgements: number): Promise<ReadonlyArray<string>> => {
  const program = fileURLToPath(new URL("fixtures/SettleForever.ts", import.meta.url))
  const child = spawn(process.execPath, [program, folder, prefix], { stdio: ["ignore", "pipe", "inherit"] })
  const exited = once(child, "exit")
  const keys: Array<string> = []
  for await (const key of createInterface({ input: child.stdout })) {
    keys.push(key)
    if (keys.length === acknowledgements) child.kill("SIGKILL")
  }
  const [, signal] = await exited
  assert.strictEqual(signal, "SIGKILL")
  return keys
}

const embedded = () => {
  it.live(
    "a folder that is opened again has kept everything",
    () =>
      Effect.gen(function* () {
        const folder = yield* Databases.folder
        const key = { tenant: "platform", source: "a", adapter: "a@1", operation: "company", identity: "acme.example" }
        const digest = "0".repeat(64)
        const id = yield* Effect.gen(function* () {
          const accounts = yield* Accounts.Accounts
          const account = yield* accounts.ensure("acme")
          yield* accounts.addKey({ account: account.id, digest, scopes: ["email"], expires_at: null, label: "first" })
          yield* grant(account.id, 10)
          const ledger = yield* Ledger.Ledger
          yield* ledger.open(open(account.id, "key"))
          yield* Effect.flatMap(Suppression.Suppression, (suppression) => suppression.add("gone"))
          const cache = yield* AnswerCache.AnswerCache
          const forever = Number.MAX_SAFE_INTEGER
          const keeping = { expires_at: forever, kept_until: forever, subjects: [] }
          yield* cache.put(key, { answer: { _tag: "Miss" }, observed_at: 1 }, keeping)
          return account.id
        }).pipe(Effect.provide(on(Database.layerEmbedded(folder)), { local: true }))
        yield* Effect.gen(function* () {
          const accounts = yield* Accounts.Accounts
          assert.strictEqual((yield* accounts.ensure("acme")).id, id)
          assert.strictEqual((yield* accounts.authenticate(digest))?.account, id)
          const ledger = yield* Ledger.Ledger
          assert.strictEqual((yield* ledger.balance(id)).held, 2)
          assert.strictEqual((yield* Effect.flip(ledger.open(open(id, "key"))))._tag, "KeyConflict")
          const suppression = yield* Suppression.Suppression
          assert.strictEqual((yield* suppression.find(() => ["gone"])).size, 1)
          const cache = yield* AnswerCache.AnswerCache
          assert.deepStrictEqual(yield* cache.find([key], 0), [{ answer: { _tag: "Miss" }, observed_at: 1 }])
        }).pipe(Effect.provide(on(Database.layerEmbedded(folder)), { local: true }))
      }),
    240_000
  )

  it.live(
    "a process that is killed loses nothing that it acknowledged, and its lock is no obstacle",
    () =>
      Effect.gen(function* () {
        const folder = yield* Databases.folder
        const acknowledged = [
          ...(yield* Effect.promise(() => killAfter(folder, "first", 50))),
          ...(yield* Effect.promise(() => killAfter(folder, "second", 80)))
        ]
        yield* Effect.gen(function* () {
          const ledger = yield* Ledger.Ledger
          for (const key of acknowledged) {
            assert.deepStrictEqual(yield* ledger.open(open("crash", key)), {
              _tag: "Replayed",
              outcome: JSON.stringify(key)
            })
          }
          const { available, captured, granted, held } = yield* ledger.balance("crash")
          assert.isAtLeast(captured, acknowledged.length)
          assert.strictEqual(granted, available + captured + held)
          const paid = (yield* ledger.journal("crash")).filter(({ kind }) => kind === "capture")
          assert.strictEqual(paid.length, captured)
          assert.deepStrictEqual((yield* ledger.audit("crash")).breaches, [])
        }).pipe(Effect.provide(on(Database.layerEmbedded(folder))))
      }),
    240_000
  )

  it.live(
    "a second process or layer on the folder is refused, and told who owns it",
    () =>
      Effect.gen(function* () {
        const folder = yield* Databases.folder
        yield* Layer.build(Database.layerEmbedded(folder))
        const error = yield* Effect.flip(Layer.build(Layer.fresh(Database.layerEmbedded(folder))))
        assert.isTrue(error instanceof Owner.FolderInUse && error.pid === process.pid && error.folder === folder)
      }),
    240_000
  )

  it.live(
    "an interrupted caller leaves the connection as it was",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const many = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.forkChild(sql`select sum(n) from generate_series(1, 100000) n`)
        )
        yield* Effect.yieldNow
        yield* Fiber.interruptAll(many)
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
        const transaction = yield* Effect.forkChild(sql.withTransaction(Effect.andThen(sql`select 1`, Effect.never)))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(transaction)
        assert.deepStrictEqual(yield* sql`select 2 as two`, [{ two: 2 }])
      }).pipe(Effect.provide(Database.layerEmbeddedMemory)),
    240_000
  )
}

const everywhere = <E>(name: string, database: Layer.Layer<SqlClient.SqlClient, E>) => {
  it.live(
    `${name}: an API key is in no row, only its digest is`,
    () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const key = yield* ApiKey.generate
        const digest = yield* ApiKey.digest(key)
        const account = yield* accounts.ensure("acme")
        yield* accounts.addKey({ account: account.id, digest, scopes: ["email"], expires_at: null, label: "first" })
        assert.isNotNull(yield* accounts.authenticate(digest))
        const rows = yield* everything
        assert.include(rows, digest)
        assert.notInclude(rows, Redacted.value(key))
        assert.notInclude(rows, Redacted.value(key).slice("lad_live_".length))
      }).pipe(Effect.provide([on(database), SecureRandom.layerWebCrypto, Digest.layerWebCrypto])),
    240_000
  )

  it.live(
    `${name}: the journal cannot be changed`,
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* grant("journal", 5)
        for (const change of [
          "update lading.postings set amount = 1",
          "delete from lading.postings",
          "truncate lading.postings"
        ]) {
          assert.strictEqual((yield* Effect.flip(sql.unsafe(change)))._tag, "SqlError")
        }
      }).pipe(Effect.provide(on(database))),
    240_000
  )

  it.live(
    `${name}: no value leaves with an error`,
    () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const account = yield* accounts.ensure("acme")
        const digest = "lad_live_marker-that-is-no-digest"
        const key = { account: account.id, digest, scopes: [], expires_at: null, label: "wrong" }
        const error = yield* Effect.flip(accounts.addKey(key))
        assert.strictEqual(error.problem, "ConstraintError 23514")
        assert.notInclude(`${error.stack} ${JSON.stringify(error)}`, "marker")
      }).pipe(Effect.provide(on(database))),
    240_000
  )
}

const server = () => {
  it.live(
    "servers that start together on a new database run each migration once",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const starts = Array.from({ length: 4 }, () => Layer.build(Layer.fresh(Database.layerUrl(url))))
        const [one] = yield* Effect.all(starts, { concurrency: "unbounded" })
        const sql = one === undefined ? assert.fail() : yield* Effect.provide(SqlClient.SqlClient, one)
        assert.deepStrictEqual(
          (yield* sql<{ migration_id: number }>`select migration_id from lading_migrations order by 1`).map(
            (row) => row.migration_id
          ),
          Migrations.known.map(({ id }) => id)
        )
      }),
    240_000
  )

  it.live(
    "a start with nothing to do waits for nobody who reads for long, and a change of the schema lets others go first",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const make = PgClient.makeClient({ url }).pipe(Effect.provide(Reactivity.layer))
        const [reader, watcher] = yield* Effect.all([make, make])
        const start = Layer.build(Layer.fresh(Database.layerUrl(url)))
        yield* Migrations.runUntil(12).pipe(Effect.provideService(SqlClient.SqlClient, watcher))
        const waiting = watcher<{ state: string }>`select coalesce(wait_event_type, 'none') as state
          from pg_stat_activity where datname = current_database() and application_name = 'lading migrations'`
        const until = (state: string) => Effect.repeat(waiting, { until: ([row]) => row?.state === state })
        const begun = yield* reader.withTransaction(
          Effect.gen(function* () {
            // As an export does, which reads for as long as its file is written.
            yield* reader`select count(*) from lading.holds`
            const begun = yield* Effect.forkScoped(start)
            yield* until("Lock")
            yield* until("Client")
            yield* watcher`insert into lading.holds (id, account, operation, amount, remaining, grant_ids, grant_amounts,
              opened_at, expires_at) values ('hold_meanwhile', 'acme', 'company', 0, 0, '{}', '{}', 1, 2)`
            return begun
          })
        )
        yield* Fiber.join(begun)
        yield* reader.withTransaction(
          Effect.andThen(reader`select count(*) from lading_migrations`, Effect.timeout(start, "20 seconds"))
        )
        const [row] = yield* watcher<{ last: number }>`select max(migration_id) as last from lading_migrations`
        assert.strictEqual(row?.last, Migrations.known.at(-1)?.id)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live("tells its version, and nothing is made there", () =>
    Effect.gen(function* () {
      const url = yield* Databases.url
      assert.match(yield* Database.version(url), /^\d+\./)
      const client = yield* PgClient.makeClient({ url })
      const made =
        yield* client`select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`
      assert.deepStrictEqual(made, [])
    }).pipe(Effect.provide(Reactivity.layer))
  )

  it.live(
    "two servers on one database race for the last credit and one wins",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const servers = yield* Effect.forEach([1, 2], () =>
          Layer.build(Layer.fresh(Layer.provide(layer, Database.layerUrl(url))))
        )
        for (let round = 0; round < 30; round++) {
          const account = `race-${round}`
          const opening = (at: number, context: (typeof servers)[number]) =>
            Effect.flatMap(Ledger.Ledger, (ledger) => ledger.open(open(account, `key-${at}`))).pipe(
              Effect.match({ onFailure: (error) => error._tag, onSuccess: (opened) => opened._tag }),
              Effect.provide(context)
            )
          yield* Effect.provide(grant(account, 3), servers[0]!)
          const results = yield* Effect.all(
            servers.map((context, at) => opening(at, context)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(results.toSorted(), ["Held", "InsufficientCredits"])
        }
      }),
    240_000
  )

  it.effect(
    "a subject that another server suppresses is found after two seconds at the latest, one's own at once",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const server = () => Layer.build(Layer.provideMerge(layer, Layer.fresh(Database.layerUrl(url))))
        const [one, two] = [yield* server(), yield* server()].map((context) =>
          Context.get(context, Suppression.Suppression)
        )
        assert(one !== undefined && two !== undefined)
        // Two servers, each with a copy of its own: one that is shared would pass without reading anything again.
        assert.notStrictEqual(one, two)
        const handle = "email:mara@acme.example"
        assert.strictEqual((yield* two.find(() => [handle])).size, 0)
        yield* one.add(handle)
        assert.deepStrictEqual(yield* one.find(() => [handle, "domain:other.example"]), new Set([handle]))
        yield* TestClock.adjust(2000)
        assert.deepStrictEqual(yield* two.find(() => [handle]), new Set([handle]))
      }),
    240_000
  )

  it.live(
    "statements are bounded by the server",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`show statement_timeout`, [{ statement_timeout: "10s" }])
        assert.deepStrictEqual(yield* sql`show lock_timeout`, [{ lock_timeout: "10s" }])
      }).pipe(Effect.provide(Databases.postgres)),
    240_000
  )

  it.live(
    "a lost connection is an answer of the port, and the next operation has a new one",
    () =>
      Effect.gen(function* () {
        const url = yield* Databases.url
        const context = yield* Layer.build(Layer.provideMerge(layer, Layer.fresh(Database.layerUrl(url))))
        const another = yield* Layer.build(Layer.fresh(Database.layerUrl(url)))
        const sql = Context.get(another, SqlClient.SqlClient)
        yield* Effect.gen(function* () {
          const ledger = yield* Ledger.Ledger
          yield* ledger.balance("a")
          const running = yield* Effect.forkChild(
            Effect.flip(Effect.forever(Effect.suspend(() => ledger.open(open("a", `${Math.random()}`, 0)))))
          )
          // A session that is killed between two statements is replaced without a word: again, until one is hit within.
          yield* Effect.repeat(
            sql`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()`,
            { until: () => running.pollUnsafe() !== undefined, schedule: Schedule.spaced("20 millis") }
          )
          assert.strictEqual((yield* Fiber.join(running))._tag, "LedgerUnavailable")
          yield* Effect.retry(ledger.balance("a"), { times: 10 })
        }).pipe(Effect.provide(context))
      }),
    240_000
  )
}

embedded()
everywhere("PGlite", Database.layerEmbeddedMemory)

describe("a server that does not answer", () => {
  it.live("refused: nobody learns its version, nor the URL's password", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Database.version(Redacted.make("postgres://lading:marker@127.0.0.1:1/lading")))
      assert.strictEqual(error.problem, "ConnectionError ECONNREFUSED")
      assert.notInclude(`${error.stack} ${JSON.stringify(error)}`, "marker")
    })
  )

  it.live("refused: the layer says so, without the URL's password", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://lading:marker@127.0.0.1:1/lading")
      const error = yield* Effect.flip(Layer.build(Database.layerUrl(url)))
      assert.strictEqual(error._tag, "DatabaseUnavailable")
      assert.include(error.problem, "ECONNREFUSED")
      assert.notInclude(`${error.stack} ${JSON.stringify(error)}`, "marker")
    })
  )

  it.live("silent: the layer fails when the connect timeout is over", () =>
    Effect.gen(function* () {
      const silent = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const listening = createServer(() => {}).listen(0, "127.0.0.1")
          await once(listening, "listening")
          return listening
        }),
        (listening) => Effect.sync(() => listening.close())
      )
      const { port } = silent.address() as AddressInfo
      const url = Redacted.make(`postgres://lading@127.0.0.1:${port}/lading?connect_timeout=1`)
      assert.strictEqual((yield* Effect.flip(Layer.build(Database.layerUrl(url))))._tag, "DatabaseUnavailable")
    })
  )
})

await Databases.onServer(() => {
  server()
  everywhere("PostgreSQL", Databases.postgres)
})
