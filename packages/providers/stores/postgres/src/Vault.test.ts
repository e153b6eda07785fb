/** What the vault's suite cannot see: rows, and keys that change. */
import { assert, describe, it } from "@effect/vitest"
import { Vault } from "@lading/core/account"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Databases from "./fixtures/Databases.ts"
import { Database } from "./index.ts"
import * as Keyring from "./Keyring.ts"
import * as PostgresVault from "./Vault.ts"

const keyOf = (fill: string) => Redacted.make(Buffer.alloc(32, fill).toString("base64"))

/** A vault whose server has these keys, the first in use. */
const having = (first: string, ...former: ReadonlyArray<string>) =>
  PostgresVault.layer.pipe(
    Layer.provide(Layer.fresh(Keyring.layer({ current: keyOf(first), former: former.map(keyOf) })))
  )

const marker = "zq7-marker-secret-of-a-customer"
const hunter = { slot: "provider_c", adapter: "hunter" }
const credential: Vault.Secret = { _tag: "ApiKey", key: Redacted.make(marker) }
const saved: Vault.NewKey = { ...hunter, credential, saved_by: null, checked_at: null }

const save = (account: string) => Effect.flatMap(Vault.Vault, (vault) => vault.save(account, saved))
const rotate = Effect.flatMap(Vault.Vault, (vault) => vault.rotate)
const find = (account: string, place: Vault.Place = hunter) =>
  Effect.flatMap(Vault.Vault, (vault) => vault.find(account, [place])).pipe(
    Effect.map((found) => {
      const key = found.get(place.slot)
      return key?._tag === "ApiKey" ? Redacted.value(key.key) : key
    })
  )
const unreadable = (account: string, place: Vault.Place = hunter) =>
  Effect.map(Effect.flip(find(account, place)), ({ _tag }) => _tag)

const tests = (name: string, database: Layer.Layer<SqlClient.SqlClient>) =>
  describe(`Vault rows: ${name}`, () => {
    /** Every test has the table for itself. */
    const inTable = <A, E>(body: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from lading.vendor_keys`
        return yield* body
      }).pipe(Effect.provide(database))

    it.live("no row shows a key, in any column or spelling", () =>
      inTable(
        Effect.gen(function* () {
          yield* save("acc_1").pipe(Effect.provide(having("a")))
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ text: string }>`select string_agg(t::text, ' ') as text from lading.vendor_keys t`
          assert.include(row?.text, "provider_c")
          for (const spelling of ["utf8", "hex", "base64"] as const) {
            assert.notInclude(row?.text, Buffer.from(marker).toString(spelling).slice(0, 20))
          }
        })
      )
    )

    it.live("two seals of one key differ", () =>
      inTable(
        Effect.gen(function* () {
          yield* Effect.andThen(save("acc_1"), save("acc_2")).pipe(Effect.provide(having("a")))
          const sql = yield* SqlClient.SqlClient
          const rows = yield* sql`select distinct substring(sealed from 6) from lading.vendor_keys`
          assert.strictEqual(rows.length, 2)
        })
      )
    )

    it.live("a row that is moved to another account, slot or adapter does not open", () =>
      inTable(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const moves: ReadonlyArray<readonly [Effect.Effect<unknown, unknown>, string, Vault.Place]> = [
            [sql`update lading.vendor_keys set account = 'acc_2'`, "acc_2", hunter],
            [sql`update lading.vendor_keys set slot = 'provider_a'`, "acc_1", { ...hunter, slot: "provider_a" }],
            [sql`update lading.vendor_keys set adapter = 'apollo'`, "acc_1", { ...hunter, adapter: "apollo" }]
          ]
          for (const [move, account, place] of moves) {
            yield* sql`delete from lading.vendor_keys`
            yield* save("acc_1")
            assert.strictEqual(yield* find("acc_1"), marker)
            yield* move
            assert.strictEqual(yield* unreadable(account, place), "VaultUnreadable")
          }
        }).pipe(Effect.provide(having("a")))
      )
    )

    it.live("a row that was changed, in whichever byte, does not open", () =>
      inTable(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* save("acc_1")
          const [row] = yield* sql<{ sealed: Uint8Array }>`select sealed from lading.vendor_keys`
          const sealed = new Uint8Array(row?.sealed ?? [])
          assert.isAbove(sealed.length, marker.length)
          for (const at of [0, 1, 4, 5, 16, 17, sealed.length - 17, sealed.length - 1]) {
            const changed = Uint8Array.from(sealed)
            changed[at] = (changed[at] ?? 0) ^ 1
            yield* sql`update lading.vendor_keys set sealed = ${changed}`
            assert.strictEqual(yield* unreadable("acc_1"), "VaultUnreadable", `byte ${at}`)
          }
          yield* sql`update lading.vendor_keys set sealed = ${sealed.slice(0, 20)}`
          assert.strictEqual(yield* unreadable("acc_1"), "VaultUnreadable")
        }).pipe(Effect.provide(having("a")))
      )
    )

    it.live(
      "a key changes without a loss: the former opens, rotating seals again, then the former is needed no more",
      () =>
        inTable(
          Effect.gen(function* () {
            yield* save("acc_1").pipe(Effect.provide(having("a")))
            yield* Effect.gen(function* () {
              assert.strictEqual(yield* find("acc_1"), marker)
              yield* save("acc_2")
              assert.deepStrictEqual(yield* rotate, { current: 2, former: 0, unknown: 0 })
            }).pipe(Effect.provide(having("b", "a")))
            assert.strictEqual(yield* unreadable("acc_1").pipe(Effect.provide(having("a"))), "VaultUnreadable")
            yield* Effect.gen(function* () {
              assert.deepStrictEqual([yield* find("acc_1"), yield* find("acc_2")], [marker, marker])
            }).pipe(Effect.provide(having("b")))
          })
        )
    )

    it.live("what a missing key has sealed is counted, left as it is, and opens when the key is back", () =>
      inTable(
        Effect.gen(function* () {
          yield* save("acc_1").pipe(Effect.provide(having("a")))
          const without = having("b")
          assert.deepStrictEqual(yield* rotate.pipe(Effect.provide(without)), { current: 0, former: 0, unknown: 1 })
          assert.strictEqual(yield* unreadable("acc_1").pipe(Effect.provide(without)), "VaultUnreadable")
          assert.strictEqual(yield* find("acc_1").pipe(Effect.provide(having("b", "a"))), marker)
        })
      )
    )

    it.live(
      "without a key nothing is kept, and it is said what to do; what is there is listed and can be removed",
      () =>
        inTable(
          Effect.gen(function* () {
            yield* save("acc_1").pipe(Effect.provide(having("a")))
            yield* Effect.gen(function* () {
              const vault = yield* Vault.Vault
              assert.strictEqual((yield* Effect.flip(vault.ready)).remedy, "set it")
              assert.strictEqual((yield* Effect.flip(save("acc_2")))._tag, "VaultClosed")
              assert.strictEqual(yield* unreadable("acc_1"), "VaultUnreadable")
              assert.strictEqual((yield* vault.list("acc_1")).length, 1)
              assert.isTrue(yield* vault.remove("acc_1", "provider_c"))
            }).pipe(Effect.provide(Layer.provide(PostgresVault.layer, Keyring.layerEmpty("set it"))))
          })
        )
    )
  })

tests("PGlite in memory", await Databases.shared(Layer.fresh(Database.layerEmbeddedMemory)))

await Databases.onServer(async () => {
  tests("PostgreSQL", await Databases.shared(Databases.postgres))
})
