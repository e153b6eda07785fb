/** Own keys of accounts at vendors in PostgreSQL, sealed: a row opens for its account, its slot and its adapter only. */
import { Vault } from "@lading/core/account"
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"
import { type Empty, Keyring } from "./Keyring.ts"

const unavailable = (problem: string) => new Vault.VaultUnavailable({ problem })

const closed = ({ remedy }: Empty) => new Vault.VaultClosed({ remedy })

const secret = Schema.RedactedFromValue(Schema.String)

const Kept = Schema.fromJsonString(
  Schema.Union([Schema.TaggedStruct("ApiKey", { key: secret }), Schema.TaggedStruct("Client", { id: secret, secret })])
)
const decode = Schema.decodeOption(Kept)

/** What is sealed. The one place where a key is text. */
const textOf = (credential: Vault.Secret): string =>
  JSON.stringify(
    credential._tag === "ApiKey"
      ? { _tag: credential._tag, key: Redacted.value(credential.key) }
      : { _tag: credential._tag, id: Redacted.value(credential.id), secret: Redacted.value(credential.secret) }
  )

interface SealedRow extends Vault.Place {
  readonly account: string
  readonly sealed: Uint8Array
}

interface ListedRow extends Omit<Vault.StoredKey, "saved_at" | "checked_at"> {
  readonly saved_at: bigint
  readonly checked_at: bigint | null
}

const storedOf = ({ adapter, checked_at, credential, hint, saved_at, saved_by, slot }: ListedRow): Vault.StoredKey => ({
  slot,
  adapter,
  credential,
  hint,
  saved_at: Number(saved_at),
  saved_by,
  checked_at: checked_at === null ? null : Number(checked_at)
})

const placeOf = ({ account, adapter, slot }: Omit<SealedRow, "sealed">): string =>
  JSON.stringify(["vendor key", account, slot, adapter])

/** Seals again what a former key has sealed. */
const rotating = (sql: SqlClient.SqlClient, { ageOf, open, seal }: Keyring["Service"]) => {
  /** One that was replaced or removed meanwhile is left as it is; `false` for one that does not open. */
  const again = Effect.fnUntraced(function* (row: SealedRow) {
    const text = yield* open(row.sealed, placeOf(row))
    if (text === null) return false
    const sealed = yield* seal(text, placeOf(row)).pipe(Effect.mapError(({ remedy }) => unavailable(remedy)))
    yield* bounded(
      sql`update lading.vendor_keys set sealed = ${sealed}
        where account = ${row.account} and slot = ${row.slot} and sealed = ${row.sealed}`,
      unavailable
    )
    return true
  })

  return Effect.gen(function* () {
    const rows = yield* bounded(
      sql<SealedRow>`select account, slot, adapter, sealed from lading.vendor_keys`,
      unavailable
    )
    const seals = { current: 0, former: 0, unknown: 0 }
    for (const row of rows) {
      const age = ageOf(row.sealed)
      const renewed = age === "former" && (yield* again(row))
      seals[renewed ? "current" : age]++
    }
    return seals
  })
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const keyring = yield* Keyring

  const save: Vault.Vault["Service"]["save"] = Effect.fnUntraced(function* (account, key) {
    const { adapter, slot } = key
    const text = textOf(key.credential)
    const sealed = yield* Effect.mapError(keyring.seal(text, placeOf({ account, adapter, slot })), closed)
    const stored = Vault.shown(key, yield* Clock.currentTimeMillis)
    const { checked_at, credential, hint, saved_at, saved_by } = stored
    yield* bounded(
      sql`insert into lading.vendor_keys
          (account, slot, adapter, credential, sealed, hint, saved_at, saved_by, checked_at)
        values (${account}, ${slot}, ${adapter}, ${credential}, ${sealed}, ${hint}, ${Int8.from(saved_at)}, ${saved_by},
          ${Int8.fromNullable(checked_at)})
        on conflict (account, slot) do update set adapter = excluded.adapter, credential = excluded.credential,
          sealed = excluded.sealed, hint = excluded.hint, saved_at = excluded.saved_at, saved_by = excluded.saved_by,
          checked_at = excluded.checked_at`,
      unavailable
    )
    return stored
  })

  const list = (account: string) =>
    bounded(
      sql<ListedRow>`select slot, adapter, credential, hint, saved_at, saved_by, checked_at from lading.vendor_keys
        where account = ${account} order by slot`,
      unavailable
    ).pipe(Effect.map((rows) => rows.map(storedOf)))

  const remove = (account: string, slot: string) =>
    bounded(
      sql`delete from lading.vendor_keys where account = ${account} and slot = ${slot} returning slot`,
      unavailable
    ).pipe(Effect.map((rows) => rows.length > 0))

  const opened = Effect.fnUntraced(function* (row: SealedRow) {
    const text = yield* keyring.open(row.sealed, placeOf(row))
    const credential = text === null ? Option.none() : decode(text)
    return Option.isSome(credential) ? credential.value : yield* new Vault.VaultUnreadable({ slot: row.slot })
  })

  const find: Vault.Vault["Service"]["find"] = Effect.fnUntraced(function* (account, places) {
    const adapters = new Map(places.map(({ adapter, slot }) => [slot, adapter]))
    if (adapters.size === 0) return new Map()
    const rows = yield* bounded(
      sql<SealedRow>`select account, slot, adapter, sealed from lading.vendor_keys
        where account = ${account} and slot = any(${[...adapters.keys()]}::text[])`,
      unavailable
    )
    const found = new Map<string, Vault.Secret | null>()
    for (const row of rows) found.set(row.slot, adapters.get(row.slot) === row.adapter ? yield* opened(row) : null)
    return found
  })

  return Vault.Vault.of({
    ready: Effect.mapError(keyring.ready, closed),
    save,
    list,
    remove,
    find,
    rotate: rotating(sql, keyring)
  })
})

export const layer: Layer.Layer<Vault.Vault, never, SqlClient.SqlClient | Keyring> = Layer.effect(Vault.Vault, make)
