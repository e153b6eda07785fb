/**
 * The vault: own keys of accounts at vendors, kept so that a request need not bring them. A key is kept for a slot and for
 * the vendor that stood behind it: a slot that is bound to another vendor later does not send it there.
 *
 * What comes out is `Redacted`, and only for a request of the same account. A list shows everything but the key.
 */
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import type { Credential } from "../waterfall/Source.ts"

/** The store does not answer. */
export class VaultUnavailable extends Schema.TaggedError<VaultUnavailable>()("VaultUnavailable", {
  problem: Schema.String
}) {}

/** Nothing can be kept, for there is no key to seal with. */
export class VaultClosed extends Schema.TaggedError<VaultClosed>()("VaultClosed", {
  /** What an operator has to do. */
  remedy: Schema.String
}) {}

/** A key is kept that this installation cannot open: what it was sealed with is missing. */
export class VaultUnreadable extends Schema.TaggedError<VaultUnreadable>()("VaultUnreadable", {
  slot: Schema.String
}) {}

export type VaultError = VaultUnavailable | VaultClosed | VaultUnreadable

/** A credential that is one: something to keep. */
export type Secret = Exclude<Credential, { readonly _tag: "None" }>

/** Where a key belongs. */
export interface Place {
  readonly slot: string
  /** The adapter behind the slot. */
  readonly adapter: string
}

export interface NewKey extends Place {
  readonly credential: Secret
  /** Id of the API key that it is saved with; `null` for embedders. */
  readonly saved_by: string | null
  /** When the vendor has taken it, epoch milliseconds; `null` where nobody asked. */
  readonly checked_at: number | null
}

/** All that is shown of a key. */
export interface StoredKey extends Omit<NewKey, "credential"> {
  readonly credential: Secret["_tag"]
  /** Its last characters; see `hintOf`. */
  readonly hint: string | null
  /** Epoch milliseconds. */
  readonly saved_at: number
}

/** With which keys of the installation the kept ones are sealed. */
export interface Seals {
  readonly current: number
  /** Sealed with a key that opens, but seals no more. */
  readonly former: number
  /** Sealed with a key that is not here. */
  readonly unknown: number
}

export class Vault extends Context.Service<
  Vault,
  {
    /** Whether anything can be kept; asked before a vendor is. */
    readonly ready: Effect.Effect<void, VaultClosed>
    /** Keeps the key, in place of the one that was kept for the slot. */
    readonly save: (account: string, key: NewKey) => Effect.Effect<StoredKey, VaultUnavailable | VaultClosed>
    /** In the order of the slots' names. */
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<StoredKey>, VaultUnavailable>
    /** `false` when none is kept. */
    readonly remove: (account: string, slot: string) => Effect.Effect<boolean, VaultUnavailable>
    /** Of these slots the keys that are kept: `null` for one of another adapter, which is not to be used. */
    readonly find: (
      account: string,
      places: ReadonlyArray<Place>
    ) => Effect.Effect<ReadonlyMap<string, Secret | null>, VaultUnavailable | VaultUnreadable>
    /** Seals with the current key what is sealed with a former one, and says how things are then. */
    readonly rotate: Effect.Effect<Seals, VaultUnavailable>
  }
>()("@lading/core/account/Vault") {}

/** Of a shorter key its last characters would be a good part. */
const SHORTEST_HINTED = 16

/** The last four characters of an API key or of a client's id, by which its owner knows it again; `null` for a short one. */
export const hintOf = (credential: Secret): string | null => {
  const text = Redacted.value(credential._tag === "ApiKey" ? credential.key : credential.id)
  return text.length < SHORTEST_HINTED ? null : text.slice(-4)
}

/** What is shown of a key. */
export const shown = ({ credential, ...key }: NewKey, saved_at: number): StoredKey => ({
  ...key,
  credential: credential._tag,
  hint: hintOf(credential),
  saved_at
})

/** Keys in memory, lost with the process. */
export const layerMemory: Layer.Layer<Vault> = Layer.sync(Vault, () => {
  const kept = new Map<string, Map<string, { readonly stored: StoredKey; readonly credential: Secret }>>()
  const save = (account: string, key: NewKey, now: number): StoredKey => {
    const stored = shown(key, now)
    kept.set(account, new Map(kept.get(account)).set(key.slot, { stored, credential: key.credential }))
    return stored
  }

  const find = (account: string, places: ReadonlyArray<Place>): ReadonlyMap<string, Secret | null> =>
    new Map(
      places.flatMap(({ adapter, slot }) => {
        const found = kept.get(account)?.get(slot)
        return found === undefined ? [] : [[slot, found.stored.adapter === adapter ? found.credential : null] as const]
      })
    )

  return Vault.of({
    ready: Effect.void,
    save: (account, key) => Effect.map(Clock.currentTimeMillis, (now) => save(account, key, now)),
    list: (account) =>
      Effect.sync(() =>
        [...(kept.get(account)?.values() ?? [])]
          .map(({ stored }) => stored)
          .toSorted((a, b) => (a.slot < b.slot ? -1 : 1))
      ),
    remove: (account, slot) => Effect.sync(() => kept.get(account)?.delete(slot) ?? false),
    find: (account, places) => Effect.sync(() => find(account, places)),
    rotate: Effect.sync(() => ({
      current: [...kept.values()].reduce((sum, keys) => sum + keys.size, 0),
      former: 0,
      unknown: 0
    }))
  })
})
