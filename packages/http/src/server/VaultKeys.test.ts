/** Which key stored vendor keys are sealed with: the folder's own, the configured one, or none; and how it is changed. */
import { assert, describe, it } from "@effect/vitest"
import { Vault } from "@lading/core/account"
import { Effect, Layer, Metric, Redacted } from "effect"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import * as CommandLine from "../fixtures/CommandLine.ts"
import * as CrashDatabase from "../fixtures/CrashDatabase.ts"
import * as Stores from "./Stores.ts"
import * as VaultSeals from "./VaultSeals.ts"

const keyOf = (fill: string) => Redacted.make(Buffer.alloc(32, fill).toString("base64"))

const place = { slot: "provider_c", adapter: "hunter" }
const credential: Vault.Secret = { _tag: "ApiKey", key: Redacted.make("a-customers-own-key") }

const save = Effect.flatMap(Vault.Vault, (vault) =>
  vault.save("acc_1", { ...place, credential, saved_by: null, checked_at: null })
)

const found = Effect.flatMap(Vault.Vault, (vault) => vault.find("acc_1", [place])).pipe(
  Effect.map((keys) => keys.get("provider_c")),
  Effect.map((key) => (key?._tag === "ApiKey" ? Redacted.value(key.key) : "none")),
  Effect.catchTag("VaultUnreadable", ({ _tag }) => Effect.succeed(_tag))
)

const rotated = Effect.flatMap(Vault.Vault, (vault) => Effect.tap(vault.rotate, VaultSeals.told))

interface Keys {
  readonly vaultKey?: Redacted.Redacted
  readonly vaultFormerKeys?: ReadonlyArray<Redacted.Redacted>
}

/** Opens the stores of the place anew, as a server does that is started with these keys. */
const started = <A, E>(
  { environment }: Pick<CrashDatabase.Place, "environment">,
  { vaultFormerKeys = [], vaultKey }: Keys,
  body: Effect.Effect<A, E, Vault.Vault>
) => {
  const url = environment["LADING_DATABASE_URL"]
  const stores = Stores.layer({
    dataDir: environment["LADING_DATA_DIR"] ?? "",
    databaseUrl: url === undefined ? null : Redacted.make(url),
    sealKey: null,
    sealFormerKeys: [],
    vaultKey: vaultKey ?? null,
    vaultFormerKeys
  })
  return Effect.provide(body, Layer.fresh(stores))
}

describe("the key of stored vendor keys", () => {
  it.live(
    "is a file of the folder, and is changed for another one without a loss",
    () =>
      Effect.gen(function* () {
        const home = yield* CrashDatabase.folder
        const file = join(home.environment["LADING_DATA_DIR"] ?? "", "vault-key")
        yield* started(home, {}, save)
        const [first, { mode }] = yield* Effect.promise(() => Promise.all([readFile(file, "utf8"), stat(file)]))
        assert.strictEqual(mode & 0o777, 0o600)
        assert.strictEqual(yield* started(home, {}, found), "a-customers-own-key")
        assert.strictEqual(yield* started(home, { vaultKey: keyOf("b") }, found), "VaultUnreadable")
        const former = { vaultKey: keyOf("b"), vaultFormerKeys: [Redacted.make(first.trim())] }
        yield* started(
          home,
          former,
          Effect.gen(function* () {
            assert.strictEqual(yield* found, "a-customers-own-key")
            assert.deepStrictEqual(yield* rotated, { current: 1, former: 0, unknown: 0 })
          })
        )
        assert.strictEqual(yield* started(home, { vaultKey: keyOf("b") }, found), "a-customers-own-key")
        const unknown = yield* started(home, {}, rotated)
        assert.deepStrictEqual(unknown, { current: 0, former: 0, unknown: 1 })
        const told = (yield* Metric.snapshot).filter(({ id }) => id === "lading_vendor_keys")
        assert.deepStrictEqual(
          told
            .map(({ attributes, state }) => [attributes?.["sealed"], "value" in state ? state.value : null])
            .toSorted(),
          [
            ["current", 0],
            ["former", 0],
            ["unknown", 1]
          ]
        )
      }),
    120_000
  )
})

/** A sandbox in a process of its own, asked as the account that it makes. */
const sandboxed = (home: CrashDatabase.Place, more: CommandLine.Environment) =>
  Effect.gen(function* () {
    const environment = { ...home.environment, ...more, LADING_API_KEY: "key-of-a-test-of-vaults", LADING_PORT: "0" }
    const sandbox = yield* Effect.acquireRelease(
      Effect.sync(() => CommandLine.start(["sandbox"], environment)),
      ({ child, ended }) => Effect.promise(() => (child.kill("SIGTERM"), ended))
    )
    yield* Effect.promise(() => sandbox.printed("Ctrl-C"))
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(sandbox.stdout()) ?? []
    const send = (method: string, path: string, body: unknown) =>
      Effect.promise(async () => {
        const headers = { "x-api-key": environment.LADING_API_KEY, "content-type": "application/json" }
        const sent = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
        return { status: sent.status, text: await sent.text() }
      })
    const waterfall = { source_order: ["provider_c"], byok: "stored" }
    return {
      sandbox,
      save: send("PUT", "/api/account/vendor-keys/provider_c", { api_key: "zq7-marker-of-a-customer" }),
      ask: send("POST", "/api/company/enrich", { identity: { domains: ["nordvik-robotics.example"] }, waterfall })
    }
  })

await CrashDatabase.onServer(() => {
  it.live(
    "says over HTTP what is to be set, outlives a change of the key, and leaves no vendor key in the database or a log",
    () =>
      Effect.gen(function* () {
        const home = yield* CrashDatabase.postgres
        const [one, two] = ["1", "2"].map((fill) => Redacted.value(keyOf(fill)))
        const logs: Array<string> = []
        const during = <A>(
          keys: CommandLine.Environment,
          body: (server: Effect.Success<ReturnType<typeof sandboxed>>) => Effect.Effect<A>
        ) =>
          Effect.scoped(
            Effect.gen(function* () {
              const server = yield* sandboxed(home, keys)
              yield* body(server)
              logs.push(server.sandbox.stdout(), server.sandbox.stderr())
            })
          )
        yield* during({}, ({ save }) =>
          Effect.map(save, ({ status, text }) => {
            assert.strictEqual(status, 503)
            assert.include(text, "set LADING_VAULT_KEY to 32 bytes in Base64")
            assert.include(text, '"retryable":false')
          })
        )
        yield* during({ LADING_VAULT_KEY: one ?? "" }, ({ save }) =>
          Effect.map(save, ({ status }) => assert.strictEqual(status, 200))
        )
        const changed = { LADING_VAULT_KEY: two ?? "", LADING_VAULT_FORMER_KEYS: one ?? "" }
        yield* during(changed, ({ ask }) =>
          Effect.map(ask, ({ status, text }) => {
            assert.strictEqual(status, 200)
            assert.include(text, '"byok_used":true')
          })
        )
        yield* during({ LADING_VAULT_KEY: one ?? "" }, ({ ask }) =>
          Effect.map(ask, ({ status, text }) => {
            assert.strictEqual(status, 503)
            assert.include(text, "The key that is stored for provider_c cannot be opened here any more")
          })
        )
        const sql = yield* CrashDatabase.connect(home)
        const tables = yield* sql<{ name: string }>`select format('%I.%I', table_schema, table_name) as name
          from information_schema.tables where table_schema in ('lading', 'public')`
        assert.isAbove(tables.length, 10)
        const marker = "zq7-marker"
        for (const { name } of tables) {
          const rows = yield* sql.unsafe<{ text: string }>(`select t::text as text from ${name} t`)
          const text = rows.map((row) => row.text).join("\n")
          for (const spelling of ["utf8", "hex", "base64"] as const) {
            assert.notInclude(text, Buffer.from(marker).toString(spelling).slice(0, 12), name)
          }
        }
        assert.notInclude(logs.join("\n"), marker)
        assert.include(logs.join("\n"), "a vendor key was stored")
      }),
    120_000
  )

  it.live("is not made up on PostgreSQL, where other servers would not have it: nothing is stored without one", () =>
    Effect.gen(function* () {
      const home = yield* CrashDatabase.postgres
      const error = yield* Effect.flip(started(home, {}, save))
      assert(error._tag === "VaultClosed")
      assert.include(error.remedy, "set LADING_VAULT_KEY to 32 bytes in Base64")
      yield* started(home, { vaultKey: keyOf("a") }, save)
      assert.strictEqual(yield* started(home, { vaultKey: keyOf("a") }, found), "a-customers-own-key")
      assert.strictEqual(yield* started(home, {}, found), "VaultUnreadable")
    })
  )
})
