/**
 * Own vendor keys: an account stores its keys at vendors, sees which it has stored, and removes them. Each is tried at its
 * vendor before it is kept, with a question that costs nothing. `/api/account/vendor-keys` is this use case behind HTTP.
 *
 * Gotcha: a key that the vendor refuses is a wrong field of the request. A vendor that does not say, because it is down or
 * busy, is no reason to keep the key: who wants that says `check: false`.
 */
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import type { Caller } from "../request/Caller.ts"
import { at, InvalidRequest } from "../request/InvalidRequest.ts"
import { failureReason } from "../waterfall/Asking.ts"
import { credentialOf, secret } from "../waterfall/Byok.ts"
import { type Slot, Slots } from "../waterfall/Slots.ts"
import type { Source } from "../waterfall/Source.ts"
import { FailureReason, TimedOut } from "../waterfall/SourceError.ts"
import * as Vault from "./Vault.ts"

export const VendorKeyRequest = Schema.Struct({
  api_key: secret,
  client_id: secret,
  client_secret: secret,
  check: Schema.optional(
    Schema.Boolean.annotate({ description: "false keeps the key without asking the vendor whether it is right" })
  )
}).annotate({
  identifier: "VendorKeyRequest",
  description: "An API key, or a client id with its secret: whichever the vendor behind the slot wants"
})
export type VendorKeyRequest = typeof VendorKeyRequest.Type

/** The vendor does not say whether the key is right. Nothing is kept. */
export class VendorKeyUnchecked extends Schema.TaggedError<VendorKeyUnchecked>()("VendorKeyUnchecked", {
  slot: Schema.String,
  reason: FailureReason
}) {}

/** All that is shown of a stored key. */
export interface VendorKey extends Vault.StoredKey {
  /** Whether the slot still has the vendor that the key is for: else the key is not used. */
  readonly usable: boolean
}

export type SavingError = InvalidRequest | VendorKeyUnchecked | Vault.VaultUnavailable | Vault.VaultClosed

export class VendorKeys extends Context.Service<
  VendorKeys,
  {
    readonly save: (
      slot: string,
      request: VendorKeyRequest,
      caller: Pick<Caller, "account" | "api_key">
    ) => Effect.Effect<VendorKey, SavingError>
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<VendorKey>, Vault.VaultUnavailable>
    /** `false` when none is stored. */
    readonly remove: (
      slot: string,
      caller: Pick<Caller, "account" | "api_key">
    ) => Effect.Effect<boolean, Vault.VaultUnavailable>
  }
>()("@lading/core/account/VendorKeys") {}

/** A slot that takes a key of somebody's own. */
interface Keyed {
  readonly name: string
  readonly source: Source
}

const isKeyed = (slot: Slot): slot is Slot & Keyed => slot.source !== null && slot.source.credential !== "None"

const keyedBy = (slots: Slots["Service"], name: string): Effect.Effect<Keyed, InvalidRequest> => {
  const slot = slots.byName.get(name)
  if (slot !== undefined && isKeyed(slot)) return Effect.succeed(slot)
  const names = slots.all.filter(isKeyed).map((known) => known.name)
  return Effect.fail(at("slot", `Expected one of ${names.join(", ")}`))
}

/** A line break at the end of a pasted key is a usual mistake; nothing else can stand in a header. */
const isPrintable = (part: Redacted.Redacted | undefined): boolean =>
  part === undefined || /^[\x21-\x7e]+$/.test(Redacted.value(part))

const parts = ["api_key", "client_id", "client_secret"] as const

const credentialIn = (
  { name, source }: Keyed,
  request: VendorKeyRequest
): Effect.Effect<Vault.Secret, InvalidRequest> => {
  const unprintable = parts
    .filter((part) => !isPrintable(request[part]))
    .map((path) => ({ path, message: "Expected printable ASCII characters without spaces" }))
  const { credential, problems } = credentialOf(name, source, request, (part) => part)
  const [first, ...rest] = [...unprintable, ...problems]
  if (first !== undefined) return Effect.fail(new InvalidRequest({ details: [first, ...rest] }))
  if (credential !== null) return Effect.succeed(credential)
  return Effect.fail(
    source.credential === "ApiKey"
      ? at("api_key", `Expected your API key at ${source.adapter}`)
      : at("client_id", `Expected your client id at ${source.adapter}, with client_secret`)
  )
}

/** How often an account may have keys for a slot tried: nobody tries stolen ones at our expense. */
const trials = { limit: 5, window: "1 minute" } as const

/**
 * Takes a trial of the account's, and one of all that the vendor is asked for the sake of such trials: they come from the
 * address that paid calls come from too.
 */
const allowed = (limiter: RateLimiter.RateLimiter, { name, source }: Keyed, account: string) => {
  const { calls, window } = source.limits.rate
  const buckets = [
    { key: `vendor-key:${name}:account:${account}`, ...trials },
    { key: `vendor-key:${name}`, limit: calls, window }
  ]
  return Effect.forEach(
    buckets,
    (bucket) =>
      limiter.consume({ algorithm: "token-bucket", onExceeded: "fail", ...bucket }).pipe(
        Effect.asVoid,
        Effect.catchTag("RateLimiterError", ({ reason }) =>
          // A limiter that does not answer must not stop anybody.
          reason._tag === "RateLimitStoreError"
            ? Effect.void
            : Effect.fail(new VendorKeyUnchecked({ slot: name, reason: "rate_limited" }))
        )
      ),
    { discard: true }
  )
}

/** When the vendor took the key; `null` for a vendor that cannot be asked for nothing. */
const tried = Effect.fnUntraced(function* (
  { name, source }: Keyed,
  credential: Vault.Secret
): Effect.fn.Return<number | null, InvalidRequest | VendorKeyUnchecked> {
  const { adapter, check, limits } = source
  if (check === undefined) return null
  const late = Effect.fail(new TimedOut({ source: adapter }))
  yield* check.call(credential).pipe(
    Effect.timeoutOrElse({ duration: limits.timeout, orElse: () => late }),
    // The vendor knows whose credits are used up.
    Effect.catchTag("QuotaExhausted", () => Effect.void),
    Effect.mapError((error) =>
      error._tag === "Unauthorized"
        ? at(credential._tag === "ApiKey" ? "api_key" : "client_secret", `${adapter} does not take it`)
        : new VendorKeyUnchecked({ slot: name, reason: failureReason(error) })
    )
  )
  return yield* Clock.currentTimeMillis
})

const make = Effect.gen(function* () {
  const slots = yield* Slots
  const vault = yield* Vault.Vault
  const limiter = yield* RateLimiter.make

  const vendorKey = (stored: Vault.StoredKey): VendorKey => ({
    ...stored,
    usable: slots.byName.get(stored.slot)?.source?.adapter === stored.adapter
  })

  const save: VendorKeys["Service"]["save"] = Effect.fnUntraced(function* (name, request, { account, api_key }) {
    const slot = yield* keyedBy(slots, name)
    const credential = yield* credentialIn(slot, request)
    yield* vault.ready
    const isTried = request.check !== false && slot.source.check !== undefined
    if (isTried) yield* allowed(limiter, slot, account)
    const checked_at = isTried ? yield* tried(slot, credential) : null
    const { adapter } = slot.source
    const stored = yield* vault.save(account, { slot: name, adapter, credential, saved_by: api_key, checked_at })
    yield* Effect.logInfo("a vendor key was stored", { account, api_key, slot: name, adapter })
    return vendorKey(stored)
  })

  const remove: VendorKeys["Service"]["remove"] = Effect.fnUntraced(function* (slot, { account, api_key }) {
    const removed = yield* vault.remove(account, slot)
    if (removed) yield* Effect.logInfo("a vendor key was removed", { account, api_key, slot })
    return removed
  })

  return VendorKeys.of({
    save,
    list: (account) => Effect.map(vault.list(account), (keys) => keys.map(vendorKey)),
    remove
  })
})

export const layer: Layer.Layer<VendorKeys, never, Slots | Vault.Vault | RateLimiter.RateLimiterStore> = Layer.effect(
  VendorKeys,
  make
)
