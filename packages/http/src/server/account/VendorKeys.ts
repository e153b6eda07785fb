/**
 * `/api/account/vendor-keys`: the keys at vendors that an account stores. Whoever looks after them needs the scopes of all
 * that they are used for.
 */
import type { Scope, VendorKeys } from "@lading/core/account"
import { Effect } from "effect"
import * as Account from "../../api/Account.ts"
import { Principal } from "../../api/Authorization.ts"
import { Unknown } from "../admin/Administration.ts"
import { Exchange } from "../Exchange.ts"
import type * as Idempotent from "../Idempotent.ts"
import * as Operation from "../Operation.ts"
import * as Unbilled from "../Unbilled.ts"

const scopes: ReadonlyArray<Scope.Scope> = ["company", "people"]

/** Who asks, where they may. */
const keeper = Effect.gen(function* () {
  const principal = yield* Principal
  const { request_id } = yield* Exchange
  yield* Operation.permit(scopes, principal, request_id)
  return { account: principal.account, api_key: principal.key }
})

const vendorKeyOf = ({ credential, ...key }: VendorKeys.VendorKey): Account.VendorKey => ({
  ...key,
  credential: credential === "ApiKey" ? "api_key" : "client"
})

const unknown = new Unknown({ what: "vendor key" })

interface OfSlot extends Idempotent.Raw {
  readonly params: { readonly slot: string }
}

export const handlers = ({ list, remove, save }: VendorKeys.VendorKeys["Service"], limits: Operation.Limits) => {
  const read = Operation.reader(Account.VendorKeyRequest, limits)
  return {
    list: Effect.flatMap(keeper, ({ account }) =>
      Unbilled.read(
        Effect.map(list(account), (keys) => ({ list: keys.map(vendorKeyOf) })),
        limits
      )
    ),
    // A PUT that is repeated stores the same key again: it needs no Idempotency-Key.
    save: Effect.fnUntraced(function* (raw: OfSlot) {
      const caller = yield* keeper
      const { request } = yield* read(raw)
      return yield* Unbilled.read(Effect.map(save(raw.params.slot, request, caller), vendorKeyOf), limits)
    }),
    remove: Effect.fnUntraced(function* (slot: string) {
      const caller = yield* keeper
      const removing = Effect.flatMap(remove(slot, caller), (removed) =>
        removed ? Effect.succeed({ slot, removed: true as const }) : Effect.fail(unknown)
      )
      return yield* Unbilled.read(removing, limits)
    })
  }
}
