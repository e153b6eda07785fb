/**
 * Stored keys: what of the vault a request uses. A slot that the account has stored a key for is asked with that key or not
 * at all; the platform's is never taken in its place.
 */
import { Effect } from "effect"
import type * as Vault from "../account/Vault.ts"
import { type Own, wantsStored } from "./Byok.ts"
import type { Settings } from "./WaterfallOptions.ts"

/** By slot; `null` for a key that was stored for another vendor than the slot has now. */
export type StoredKeys = ReadonlyMap<string, Vault.Secret | null>

/** The settings with the stored keys of the slots that are asked and have none of the request's own. */
export const resolve = (
  vault: Vault.Vault["Service"],
  settings: Settings,
  own: Own | undefined,
  account: string
): Effect.Effect<Settings, Vault.VaultUnavailable | Vault.VaultUnreadable> => {
  if (!wantsStored(own)) return Effect.succeed(settings)
  const places = settings.order.flatMap(({ name, source }) =>
    source === null || source.credential === "None" || settings.byok.has(name)
      ? []
      : [{ slot: name, adapter: source.adapter }]
  )
  return Effect.map(vault.find(account, places), (stored) => ({ ...settings, stored }))
}
