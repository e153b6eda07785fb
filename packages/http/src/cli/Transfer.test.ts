/**
 * `lading export` and `lading restore` as real processes: an installation that died with answers to come goes from a folder
 * to PostgreSQL and into another folder, and goes on there: each answer is completed, charged once and told once.
 */
import { assert, it } from "@effect/vitest"
import { Database, Keyring, Seal } from "@lading/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { copyFile, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as CommandLine from "../fixtures/CommandLine.ts"
import * as CrashDatabase from "../fixtures/CrashDatabase.ts"
import * as PendingLoad from "../fixtures/PendingLoad.ts"
import * as PendingTrial from "../fixtures/PendingTrial.ts"

const lading = (place: CrashDatabase.Place, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => CommandLine.run(args, place.environment))

const refused = ({ code, stderr, stdout }: CommandLine.Ended): string => {
  assert.deepStrictEqual([code, stdout], [1, ""], stderr)
  return stderr
}

const json = ({ code, stderr, stdout }: CommandLine.Ended): any => {
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout)
}

const folderOf = ({ environment }: CrashDatabase.Place): string => environment["LADING_DATA_DIR"] ?? ""

/** The key of seals goes its own way. */
const carryKey = (from: CrashDatabase.Place, to: CrashDatabase.Place) =>
  Effect.promise(async () => {
    await mkdir(folderOf(to), { recursive: true })
    for (const key of ["seal-key", "vault-key"]) await copyFile(join(folderOf(from), key), join(folderOf(to), key))
  })

it.live("a folder with nothing in it is not exported, and a file that is none not restored", () =>
  Effect.gen(function* () {
    const place = yield* CrashDatabase.folder
    const file = join(folderOf(place), "none.gz")
    assert.match(refused(yield* lading(place, "export", file)), /there is nothing in/)
    assert.match(refused(yield* lading(place, "restore", file)), /none\.gz: it cannot be used \(ENOENT\)/)
  })
)

const keyOf = (text: string): string => Buffer.alloc(32, text).toString("base64")
const [formerSeal, currentSeal, formerVault, currentVault] = ["fs", "cs", "fv", "cv"].map(keyOf) as [
  string,
  string,
  string,
  string
]

/** A run and a vendor key, sealed with these. */
const sealWith = (id: string, seal: string, vault: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (yield* Seal.Seal).seal("[]", id)
    const vendorKey = yield* (yield* Keyring.Keyring).seal("key", id)
    yield* sql`insert into lading.runs values (${id}, 'a', 'company', 1, ${run}, '{}', 1)`
    yield* sql`insert into lading.vendor_keys values ('a', ${id}, 'x', 'ApiKey', ${vendorKey}, null, 1, null, null)`
  }).pipe(
    Effect.provide(Seal.layer({ current: Redacted.make(seal) })),
    Effect.provide(Keyring.layer({ current: Redacted.make(vault) }))
  )

/** An installation whose keys are not with it. */
const filled = (place: CrashDatabase.Place, fill: Effect.Effect<void, unknown, SqlClient.SqlClient>) =>
  Effect.orDie(Effect.provide(fill, Layer.fresh(Database.layerEmbedded(folderOf(place)))))

/** The keys were changed once. */
const rotated = Effect.andThen(
  sealWith("former", formerSeal, formerVault),
  sealWith("current", currentSeal, currentVault)
)

const both = {
  LADING_SEAL_KEY: currentSeal,
  LADING_SEAL_FORMER_KEYS: formerSeal,
  LADING_VAULT_KEY: currentVault,
  LADING_VAULT_FORMER_KEYS: formerVault
}

const threeFolders = Effect.all([CrashDatabase.folder, CrashDatabase.folder, CrashDatabase.folder])

it.live(
  "a restore wants every key that something in the file is sealed with, wherever the file was written, and goes on without when told so",
  () =>
    Effect.gen(function* () {
      const [here, there, other] = yield* threeFolders
      yield* filled(here, rotated)
      const file = join(folderOf(here), "export.gz")
      const exported = json(yield* lading(here, "export", file, "--json"))
      const one = (name: string) => ({ name, seals: 1 })
      const names = [formerSeal, currentSeal].map((key) => Seal.nameOf(Redacted.make(key)))
      assert.deepStrictEqual(exported.seal_keys, names.toSorted().map(one))
      assert.strictEqual(exported.vault_keys.length, 2)

      const restore = (place: CrashDatabase.Place, keys: CommandLine.Environment, ...args: ReadonlyArray<string>) =>
        lading({ ...place, environment: { ...place.environment, ...keys } }, "restore", file, "--json", ...args)
      const without = (...variables: ReadonlyArray<string>) =>
        Object.fromEntries(Object.entries(both).filter(([variable]) => !variables.includes(variable)))
      const noKey = refused(yield* restore(there, {}))
      assert.match(noKey, /LADING_SEAL_KEY.*LADING_VAULT_KEY.*--without-keys/)
      const noFormer = refused(yield* restore(there, without("LADING_SEAL_FORMER_KEYS")))
      assert.include(noFormer, `want the key ${names[0]} (1 sealed), and the keys here are ${names[1]}: `)
      assert.notInclude(noFormer, "LADING_VAULT")
      const noCurrent = refused(yield* restore(there, without("LADING_SEAL_KEY")))
      assert.include(noCurrent, `want the key ${names[1]} (1 sealed), and the keys here are ${names[0]}: `)
      const noVault = refused(yield* restore(there, without("LADING_VAULT_FORMER_KEYS")))
      assert.match(noVault, /LADING_VAULT_FORMER_KEYS/)
      assert.notInclude(noVault, "LADING_SEAL")

      assert.strictEqual(json(yield* restore(there, both)).tables["lading.runs"], 2)
      assert.strictEqual(json(yield* restore(other, {}, "--without-keys")).tables["lading.vendor_keys"], 2)
    }),
  300_000
)

it.live(
  "what is sealed with nothing is restored without a key, and the folder's own files are keys, too",
  () =>
    Effect.gen(function* () {
      const [here, there, other] = yield* threeFolders
      const [empty, full] = [join(folderOf(here), "empty.gz"), join(folderOf(here), "full.gz")]
      yield* filled(here, Effect.void)
      const exported = json(yield* lading(here, "export", empty, "--json"))
      assert.deepStrictEqual([exported.seal_keys, exported.vault_keys], [[], []])
      json(yield* lading(there, "restore", empty, "--json"))

      yield* filled(here, sealWith("current", currentSeal, currentVault))
      json(yield* lading(here, "export", full, "--json"))
      yield* Effect.promise(() => writeFile(join(folderOf(other), "seal-key"), `${currentSeal}\n`))
      assert.match(refused(yield* lading(other, "restore", full)), /vendor keys in the file .*none here/)
      yield* Effect.promise(() => writeFile(join(folderOf(other), "vault-key"), `${currentVault}\n`))
      json(yield* lading(other, "restore", full, "--json"))
    }),
  300_000
)

await CrashDatabase.onServer(() => {
  it.live(
    "what a killed server had to do goes to PostgreSQL and into another folder, is done there once, and the ledger is whole",
    () =>
      Effect.gen(function* () {
        const [here, server, there] = [
          yield* CrashDatabase.folder,
          yield* CrashDatabase.postgres,
          yield* CrashDatabase.folder
        ]
        const [first, second] = [join(folderOf(server), "first.gz"), join(folderOf(server), "second.gz")]
        const trial = yield* PendingTrial.begin(here)
        yield* PendingTrial.live(trial, {}, (address) =>
          Effect.gen(function* () {
            trial.secret = yield* Effect.promise(() => PendingLoad.rotate(address))
            // One that a busy machine answers too late is not pending.
            yield* Effect.repeat(PendingTrial.ask(trial, address), { until: () => trial.notes.pending.length >= 3 })
            assert.match(
              refused(yield* lading(here, "export", first)),
              /process \d+ on .* serves from .*: stop it first/
            )
          })
        )
        assert.isAtLeast(trial.notes.pending.length, 3)

        const exported = json(yield* lading(here, "export", first, "--json"))
        assert.strictEqual(exported.tables["lading.enrichments"], trial.notes.pending.length)
        assert.isAbove(exported.tables["public.lading_cluster_messages"], 0)
        assert.strictEqual(exported.seal_keys.length, 1)
        assert.match(exported.seal_keys[0].name, /^[0-9a-f]{8}$/)
        assert.match(refused(yield* lading(here, "export", first)), /there is such a file already/)

        assert.match(refused(yield* lading(server, "restore", first)), /nothing was restored: .*LADING_SEAL_KEY/)
        yield* carryKey(here, server)
        const restored = json(yield* lading(server, "restore", first, "--json"))
        assert.deepStrictEqual([restored.tables, restored.sha256], [exported.tables, exported.sha256])
        assert.deepStrictEqual([restored.audit.accounts, restored.audit.breaches], [1, []])
        assert.match(refused(yield* lading(server, "restore", first)), /an installation in it already/)

        json(yield* lading(server, "export", second, "--json"))
        yield* carryKey(server, there)
        const shown = yield* lading(there, "restore", second)
        assert.strictEqual(shown.code, 0, shown.stderr)
        assert.match(shown.stdout, /every rule holds \(1 account, /)

        const after: PendingTrial.Trial = { ...trial, place: there }
        yield* PendingTrial.check(after, yield* PendingTrial.finish(after))
      }),
    300_000
  )
})
