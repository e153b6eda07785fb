/** Exports and restores: from a folder to a server and back, files that are not whole, and processes that die. */
import { assert, describe, it } from "@effect/vitest"
import { Accounts, Suppression } from "@lading/core/account"
import { Bill, Credits, Ledger } from "@lading/core/billing"
import { Webhooks } from "@lading/core/net"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync, gzipSync } from "node:zlib"
import * as Databases from "../fixtures/Databases.ts"
import { Database, Export, ExportFile, type Owner, Restore } from "../index.ts"
import * as Migrations from "../Migrations.ts"
import * as Catalog from "./Catalog.ts"
import * as Sealed from "./Sealed.ts"

/** A table that another part of the house makes, as the engine of durable work does. */
const besides = ["lading_test_messages"]
const prepare = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create table if not exists lading_test_messages
    (id bigint primary key, rowid bigserial, at timestamp, payload text, processed boolean not null default false)`
).pipe(Effect.orDie, Effect.asVoid)

type Problem = Database.DatabaseUnavailable | Owner.FolderInUse | Owner.FolderUnusable
type Place = Layer.Layer<SqlClient.SqlClient, Problem>

/** Opens it for that, and closes it. A place that does not open fails the test. */
const on = <A, E>(place: Place, run: Effect.Effect<A, E, SqlClient.SqlClient>): Effect.Effect<A, E> =>
  Effect.provide(run, Layer.orDie(Layer.fresh(place)))

const write = (file: string) => Export.write({ file, version: "0.1.0", besides })
const restore = (file: string) => Restore.run({ file, besides, prepare }, () => Effect.void)

/** Every row of every table, whatever its order. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`select table_schema || '.' || table_name as name
    from information_schema.tables
    where table_schema = 'lading' or table_name in ('lading_test_messages') order by 1`
  yield* sql`set extra_float_digits = 1`
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql.unsafe<{ row: string }>(`select t::text as row from ${name} t order by 1`),
      (rows) => [name, rows.map(({ row }) => row)] as const
    )
  )
})

const isEmpty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema')`
  return found.length === 0
})

const amount = (credits: number) => Credits.fromNumber(credits)

const hold = (account: string, key: string): Ledger.Open => ({
  request: { account, key, fingerprint: key },
  amount: amount(2),
  ttl: 3_600_000,
  keep: 86_400_000,
  api_key: "key",
  operation: "company"
})

/** What is hard to write: quotes, line ends, escapes, characters beyond the first plane, and no character at all. */
const awkward = `it's "quoted", \\back\\slashed\\, {braced}\n\r\t\u2028\u0001ü 漢字 🚢 \\x00 \\N null`

/** An installation in use: through the stores where they are about money, and by hand where a row may hold anything. */
const used = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* Accounts.Accounts
  const ledger = yield* Ledger.Ledger
  const webhooks = yield* Webhooks.Webhooks
  const suppression = yield* Suppression.Suppression
  const { id } = yield* accounts.ensure(awkward)
  yield* accounts.addKey({
    account: id,
    digest: "a".repeat(64),
    scopes: ["company", "email"],
    expires_at: null,
    label: awkward
  })
  yield* ledger.grant({ account: id, amount: amount(1000.000001), expires_at: null, key: "first", reason: awkward })
  yield* ledger.grant({ account: id, amount: amount(5), expires_at: 4_000_000_000_000, key: "second", reason: "" })
  yield* ledger.adjust({ account: id, amount: -amount(3), key: "third", reason: "granted twice" })
  for (let at = 0; at < 30; at++) {
    const opened = yield* ledger.open(hold(id, `request ${at}`))
    assert(opened._tag === "Held")
    if (at % 3 === 0) yield* ledger.split(opened.hold, { account: id, amount: amount(0.5), ttl: 3_600_000 })
    if (at % 3 === 1) continue
    const outcome = JSON.stringify({ awkward, nothing: "\u0000\ud800" })
    yield* ledger.settle(opened.hold, {
      account: id,
      bill: Bill.empty("1"),
      outcome,
      subjects: ["email:mara@acme.example"]
    })
  }
  yield* suppression.add("domain:gone.example")
  yield* webhooks.rotate(id)
  const data = { awkward }
  yield* webhooks.send({ id: "event", account: id, url: "https://receiver.example/", type: "test", data, subjects: [] })
  yield* sql`insert into lading.webhook_attempts (delivery, at, duration, status)
    select id, 1, 2, null from lading.webhook_deliveries`
  yield* sql`insert into lading.hit_rates values ('company', 'provider_a', ${awkward}, 'all', ${0.1 + 0.2}, ${1e-300}, 1)`
  yield* sql`insert into lading.kept_answers select decode(md5(n::text), 'hex'), n, 'a', 'b', 'company',
    '\\x010badcafe'::bytea || decode(repeat(md5(n::text), 300), 'hex'), array[${awkward}, '', 'null', null], 1, 9223372036854775807
    from generate_series(1, 500) n`
  yield* sql`insert into lading.runs values ('req', 'acc', 'company', 1, '', '{}', 1)`
  yield* sql`insert into lading.erasures values ('id', 'email', 'digest', 1, ${JSON.stringify({ runs: 1, awkward })}::text::jsonb)`
  yield* sql`insert into lading.enrichments values ('req', 'acc', 'person', 3, '\\x00ff', array['a'], 1)`
  yield* sql`insert into lading.email_tasks values ('ver', 'acc', 'running', '\\x01', null, null, 1)`
  yield* sql`insert into lading.email_chunks values ('ver', -1, 0, 1, 0, 0, null, 1, '\\x02', array[]::text[])`
  yield* sql`insert into lading.email_names values ('ver', 0, ${awkward})`
  yield* sql`insert into lading.tasks
    (id, account, state, sealed, plan, pending, completed, failed, divided, erased, charged, kept_until)
    values ('task', 'acc', 'running', '\\x01', '\\x02', 1, 0, 0, 1, 0, 7, 1)`
  yield* sql`insert into lading.task_rows values ('task', '{0}', 'divided', 0, 2, 0, '\\x03', '{}'),
    ('task', '{0,0}', 'pending', 0, 1, 7, '\\x04', array['a'])`
  yield* sql`insert into lading.trader_domains values ('t', 'operator', 'd', '\\x03', 1, '{}')`
  yield* prepare
  yield* sql`insert into lading_test_messages (id, at, payload)
    select n, timestamp '2026-02-28 23:59:59.123456', ${awkward} from generate_series(1, 5) n`
  return id
}).pipe(Effect.provide(Databases.stores))

/** What an installation can still do: its sequences are where they were, and its ledger is whole. */
const goesOn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ledger = yield* Ledger.Ledger
  const [id] = yield* ledger.accounts(null, 10)
  assert(id !== undefined)
  assert.deepStrictEqual((yield* ledger.audit(id)).breaches, [])
  const replayed = yield* ledger.open(hold(id, "request 0"))
  assert.strictEqual(replayed._tag, "Replayed")
  assert.strictEqual((yield* Effect.flip(ledger.open(hold(id, "request 1"))))._tag, "KeyConflict")
  yield* ledger.grant({ account: id, amount: amount(1), expires_at: null, key: "after", reason: "" })
  const opened = yield* ledger.open(hold(id, "after"))
  assert.strictEqual(opened._tag, "Held")
  assert.deepStrictEqual((yield* ledger.audit(id)).breaches, [])
  yield* sql`insert into lading_test_messages (id) values (100)`
  const refused = yield* Effect.flip(sql`insert into lading.api_keys
    values ('k', 'nobody', ${"b".repeat(64)}, '{}', '', null, null, 1)`)
  assert.strictEqual(refused._tag, "SqlError", "foreign keys are back")
}).pipe(Effect.provide(Databases.stores))

/** Lines of the file as they are, and back, with an end that fits them. */
const linesOf = async (file: string) =>
  gunzipSync(await readFile(file))
    .toString("utf8")
    .split("\n")
    .slice(0, -1)
const rewrite = async (file: string, lines: ReadonlyArray<string>) => {
  const body = `${lines.slice(0, -1).join("\n")}\n`
  const { end } = JSON.parse(lines.at(-1) ?? "")
  const sha256 = createHash("sha256").update(body).digest("hex")
  await writeFile(file, gzipSync(`${body}${JSON.stringify({ end: { ...end, sha256 } })}\n`))
}

const filled = Effect.fnUntraced(function* (folder: string, file: string) {
  yield* on(Database.layerEmbedded(folder), used)
  yield* on(Database.layerBareEmbedded(folder), write(file))
})

const limit = 240_000

it.live(
  "a file that is cut, changed, longer, or of a newer format or schema is refused before anything is written",
  () =>
    Effect.gen(function* () {
      const folder = yield* Databases.folder
      const file = join(folder, "export.gz")
      yield* filled(folder, file)
      assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600)
      const whole = yield* Effect.promise(() => readFile(file))
      const lines = yield* Effect.promise(() => linesOf(file))
      const flipped = (at: number) => {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ 1
        return bytes
      }
      const without = (at: number) => gzipSync(`${lines.toSpliced(at, 1).join("\n")}\n`)
      const header = JSON.parse(lines[0] ?? "")
      const bad = join(folder, "bad.gz")
      const other = yield* Databases.folder
      const refused = (bytes: Uint8Array, pattern: RegExp) =>
        Effect.gen(function* () {
          yield* Effect.promise(() => writeFile(bad, bytes))
          const error = yield* Effect.flip(restore(bad))
          assert.match(error.problem, pattern)
        })
      const changed = (first: object) => [JSON.stringify({ ...header, ...first }), ...lines.slice(1)]
      yield* on(
        Database.layerBareEmbedded(other),
        Effect.gen(function* () {
          for (const part of [0.01, 0.5, 0.9, 0.999]) {
            yield* refused(whole.subarray(0, Math.floor(whole.length * part)), /cut short/)
          }
          yield* refused(flipped(Math.floor(whole.length / 2)), /damaged|check sum|says nothing|cut short/)
          yield* refused(flipped(whole.length - 6), /damaged/)
          yield* refused(without(lines.length - 1), /cut short/)
          yield* refused(without(5), /check sum/)
          yield* refused(gzipSync(`${lines.join("\n")}\nmore\n`), /follows its end/)
          yield* refused(Buffer.from("no gzip"), /damaged, or no export/)
          yield* refused(gzipSync("{}\n"), /no export of Lading/)
          yield* refused(gzipSync(`${changed({ lading_export: 2 }).join("\n")}\n`), /newer version.*format 2/)
          const newer = [...header.migrations, { id: 1000, name: "to_come" }]
          yield* Effect.promise(() => rewrite(bad, changed({ migrations: newer })))
          assert.match((yield* Effect.flip(restore(bad))).problem, /step 1000 \(to_come\)/)
          yield* Effect.promise(() => rewrite(bad, changed({ migrations: header.migrations.slice(0, 3) })))
          assert.match((yield* Effect.flip(restore(bad))).problem, /not known here/)
          assert.match((yield* Effect.flip(restore(join(folder, "none.gz")))).problem, /ENOENT/)
          assert.isTrue(yield* isEmpty, "nothing was written")
          // What was refused stands in nobody's way.
          yield* restore(file)
          assert.match((yield* Effect.flip(restore(file))).problem, /an installation in it already/)
        })
      )
      const again = yield* Effect.flip(on(Database.layerBareEmbedded(folder), write(file)))
      assert.match(again.problem, /such a file already/)
      assert.deepStrictEqual(
        (yield* Effect.promise(() => readdir(folder))).filter((name) => name.includes(".part-")),
        []
      )
    }),
  limit
)

it.live(
  "every sealed column is looked at for the names of keys, and no digest",
  () =>
    Effect.gen(function* () {
      const folder = yield* Databases.folder
      yield* on(
        Database.layerEmbedded(folder),
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { seal, vault } = Sealed.columnsOf(yield* Catalog.tables(sql, besides))
          const name = ({ name, table }: Sealed.Column) => `${table.name}.${name}`
          // A new column of bytes belongs here, or among the digests of Sealed.ts.
          assert.deepStrictEqual(seal.map(name), [
            "email_chunks.sealed",
            "email_tasks.sealed",
            "enrichments.sealed",
            "kept_answers.sealed",
            "known_people.sealed",
            "runs.sealed",
            "task_rows.sealed",
            "tasks.sealed",
            "tasks.plan",
            "tasks.problem",
            "trader_domains.sealed",
            "webhook_deliveries.url",
            "webhook_deliveries.body",
            "webhook_secrets.sealed"
          ])
          assert.deepStrictEqual(vault.map(name), ["vendor_keys.sealed"])
        })
      )
    }),
  limit
)

it.live(
  "a file names every key that something in it is sealed with, and none where nothing is",
  () =>
    Effect.gen(function* () {
      const folder = yield* Databases.folder
      const [none, some] = [join(folder, "none.gz"), join(folder, "some.gz")]
      yield* on(
        Database.layerEmbedded(folder),
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`insert into lading.accounts values ('a', 'old', 1)`
          const nothing = yield* write(none)
          assert.deepStrictEqual([nothing.header.seal_keys, nothing.header.vault_keys], [[], []])
          yield* sql`insert into lading.runs values ('one', 'a', 'company', 1, '\\x01aaaaaaaa00', '{}', 1),
            ('two', 'a', 'company', 1, '\\x01bbbbbbbb00', '{}', 1), ('short', 'a', 'company', 1, '\\x01bbbb', '{}', 1)`
          yield* sql`insert into lading.webhook_deliveries
            (id, account, lane, type, url, body, subjects, created_at, next_at, expires_at, kept_until)
            values ('d', 'a', 'l', 't', '\\x01bbbbbbbb00', '\\x01cccccccc00', '{}', 1, 1, 1, 1)`
          yield* sql`insert into lading.vendor_keys values ('a', 's', 'x', 'ApiKey', '\\x01dddddddd00', null, 1, null, null)`
          yield* write(some)
        })
      )
      const { header } = yield* ExportFile.verify(some)
      assert.deepStrictEqual(header.seal_keys, [
        { name: "aaaaaaaa", seals: 1 },
        { name: "bbbbbbbb", seals: 2 },
        { name: "cccccccc", seals: 1 }
      ])
      assert.deepStrictEqual(header.vault_keys, [{ name: "dddddddd", seals: 1 }])
    }),
  limit
)

it.live(
  "an export of an older schema is restored, and brought up to date",
  () =>
    Effect.gen(function* () {
      const [folder, other] = [yield* Databases.folder, yield* Databases.folder]
      const file = join(folder, "export.gz")
      yield* on(
        Database.layerBareEmbedded(folder),
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* Migrations.runUntil(4)
          yield* sql`insert into lading.accounts values ('a', 'old', 1)`
          yield* sql`insert into lading.answers values ('\\x00', 'k', 'a', 1, 1)`
          yield* write(file)
        })
      )
      yield* on(
        Database.layerBareEmbedded(other),
        Effect.gen(function* () {
          const { tables } = yield* restore(file)
          assert.deepStrictEqual([tables["lading.accounts"], tables["lading.answers"]], [1, 1])
          assert.deepStrictEqual(yield* Migrations.done, Migrations.known)
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`select name from lading.accounts`, [{ name: "old" }])
        })
      )
    }),
  limit
)

it.live(
  "a database that a newer version has changed is not opened by an older one, which says so",
  () =>
    Effect.gen(function* () {
      const folder = yield* Databases.folder
      yield* on(
        Database.layerEmbedded(folder),
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`insert into lading_migrations (migration_id, name) values (1000, 'to_come')`
        )
      )
      const error = yield* Effect.flip(Layer.build(Layer.fresh(Database.layerEmbedded(folder))))
      assert(error._tag === "DatabaseUnavailable")
      assert.match(
        error.problem,
        /^a newer version of Lading has changed it \(step 1000, to_come; this version knows \d+\)/
      )
    }),
  limit
)

it.live(
  "a folder of another version of PostgreSQL is named as such",
  () =>
    Effect.gen(function* () {
      const folder = yield* Databases.folder
      yield* on(Database.layerEmbedded(folder), Effect.void)
      const file = join(folder, "postgres", "PG_VERSION")
      assert.strictEqual((yield* Effect.promise(() => readFile(file, "utf8"))).trim(), "18")
      yield* Effect.promise(() => writeFile(file, "16\n"))
      const error = yield* Effect.flip(Layer.build(Layer.fresh(Database.layerEmbedded(folder))))
      assert(error._tag === "DatabaseUnavailable")
      assert.match(error.problem, /its files are of PostgreSQL 16.*lading export/)
    }),
  limit
)

const program = fileURLToPath(new URL("../fixtures/RestoreOnce.ts", import.meta.url))

/** Dies so many milliseconds after it has begun to write; gives whether it died before its end. */
const killed = async (file: string, place: string, millis: number): Promise<boolean> => {
  const child = spawn(process.execPath, [program, file, place], { stdio: ["ignore", "pipe", "inherit"] })
  const exited = once(child, "exit")
  await once(child.stdout, "data")
  setTimeout(() => child.kill("SIGKILL"), millis)
  const [, signal] = await exited
  return signal === "SIGKILL"
}

/** Waits until nobody else works on the database. */
const alone = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.repeat(
    sql`select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`,
    { until: (sessions) => sessions.length === 0, schedule: Schedule.spaced("20 millis") }
  )
)

const dies = Effect.fnUntraced(function* (place: string, database: Place) {
  const folder = yield* Databases.folder
  const file = join(folder, "export.gz")
  yield* on(
    Database.layerEmbedded(folder),
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`insert into lading.kept_answers select decode(md5(n::text), 'hex'), n, 'a', 'b', 'company',
        '\\x010badcafe'::bytea || decode(repeat(md5(n::text), 20), 'hex'), array[md5(n::text)], 1, 1 from generate_series(1, 30000) n`
    )
  )
  yield* on(Database.layerBareEmbedded(folder), Export.write({ file, version: "0.1.0", besides: [] }))
  let interrupted = 0
  for (const millis of [30, 300, 900]) {
    if (yield* Effect.promise(() => killed(file, place, millis))) interrupted++
    const state = on(
      database,
      Effect.gen(function* () {
        yield* alone
        if (yield* isEmpty) return "nothing"
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ count: bigint }>`select count(*) as count from lading.kept_answers`
        return Number(row?.count) === 30_000 ? "everything" : `half of it: ${row?.count}`
      })
    )
    const found = yield* state
    assert.include(["nothing", "everything"], found)
    if (found === "everything") return assert.isAtLeast(interrupted, 1)
  }
  const { tables } = yield* on(
    database,
    Restore.run({ file, besides: [], prepare: Effect.void }, () => Effect.void)
  )
  assert.strictEqual(tables["lading.kept_answers"], 30_000)
  assert.isAtLeast(interrupted, 1)
})

it.live(
  "a restore into a folder that is killed leaves nothing, or everything, and can be done again",
  () => Effect.flatMap(Databases.folder, (folder) => dies(folder, Database.layerBareEmbedded(folder))),
  limit
)

await Databases.onServer(() => {
  describe("with a server", () => {
    it.live(
      "every row and sequence comes from a folder to a server and back, and the installation goes on",
      () =>
        Effect.gen(function* () {
          const [folder, back, url] = [yield* Databases.folder, yield* Databases.folder, yield* Databases.url]
          const files = [1, 2, 3].map((at) => join(folder, `export${at}.gz`)) as [string, string, string]
          yield* filled(folder, files[0])
          const before = yield* on(Database.layerBareEmbedded(folder), contents)
          assert.isAtLeast(before.filter(([, rows]) => rows.length > 0).length, 20)
          const server = Database.layerBareUrl(url)
          const first = yield* on(server, restore(files[0]))
          assert.deepStrictEqual(yield* on(server, contents), before)
          assert.deepInclude(first.header.seal_keys, { name: "0badcafe", seals: 500 })
          yield* on(server, write(files[1]))
          yield* on(Database.layerBareEmbedded(back), restore(files[1]))
          assert.deepStrictEqual(yield* on(Database.layerBareEmbedded(back), contents), before)
          yield* on(Database.layerBareEmbedded(back), write(files[2]))
          const lines = yield* Effect.promise(() => Promise.all(files.map(linesOf)))
          const [one, two, three] = lines.map((all) => all.slice(1, -1).toSorted())
          assert.deepStrictEqual(two, one)
          assert.deepStrictEqual(three, one)
          yield* on(Database.layerUrl(url), goesOn)
          yield* on(Database.layerEmbedded(back), goesOn)
        }),
      limit
    )

    it.live(
      "an export is of one moment, whatever is written meanwhile",
      () =>
        Effect.gen(function* () {
          const folder = yield* Databases.folder
          const [url, other] = [yield* Databases.url, yield* Databases.url]
          const file = join(folder, "export.gz")
          const place = Database.layerUrl(url)
          yield* on(place, used)
          yield* on(
            place,
            Effect.gen(function* () {
              const ledger = yield* Ledger.Ledger
              const [id = ""] = yield* ledger.accounts(null, 1)
              let at = 0
              const writing = yield* Effect.forkChild(
                Effect.forever(Effect.suspend(() => Effect.exit(ledger.open(hold(id, `meanwhile ${at++}`)))))
              )
              yield* on(Database.layerBareUrl(url), write(file))
              assert.isAbove(at, 1)
              yield* Effect.exit(Effect.sync(() => writing.interruptUnsafe()))
            }).pipe(Effect.provide(Databases.stores))
          )
          yield* on(Database.layerBareUrl(other), restore(file))
          yield* on(Database.layerUrl(other), goesOn)
        }),
      limit
    )

    it.live(
      "a restore into a database that is killed leaves nothing, or everything, and can be done again",
      () => Effect.flatMap(Databases.url, (url) => dies(Redacted.value(url), Database.layerBareUrl(url))),
      limit
    )

    it.live(
      "of two restores at once one is refused, and a database in use is left alone",
      () =>
        Effect.gen(function* () {
          const folder = yield* Databases.folder
          const file = join(folder, "export.gz")
          yield* filled(folder, file)
          const url = yield* Databases.url
          const both = yield* Effect.all(
            [1, 2].map(() => Effect.exit(on(Database.layerBareUrl(url), restore(file)))),
            { concurrency: 2 }
          )
          assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
          yield* on(Database.layerUrl(url), goesOn)
        }),
      limit
    )
  })
})
