/** `/api/account`: the account of the key that asks, and its vendor keys. The operator of the folder has no account. */
import { Accounts, VendorKeys as VendorKeysOfCore } from "@lading/core/account"
import { Ledger } from "@lading/core/billing"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type * as Account from "../../api/Account.ts"
import { Principal } from "../../api/Authorization.ts"
import { LadingApi } from "../../api/LadingApi.ts"
import { Unknown } from "../admin/Administration.ts"
import * as InFlight from "../InFlight.ts"
import type * as Operation from "../Operation.ts"
import * as RateLimit from "../RateLimit.ts"
import * as Unbilled from "../Unbilled.ts"
import { report } from "./Report.ts"
import * as VendorKeys from "./VendorKeys.ts"

const minute = 60_000

/** What a rate lets through in a minute. */
const perMinute = (rate: RateLimit.Rate | null): number | null =>
  rate === null ? null : Math.floor((rate.requests * minute) / rate.window)

export const layer = (limits: Operation.Limits, rates: RateLimit.Rates, inFlight: InFlight.Share) =>
  HttpApiBuilder.group(
    LadingApi,
    "account",
    Effect.fnUntraced(function* (handlers) {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const show = Effect.fnUntraced(function* (principal: Accounts.Principal, query: Account.UsageQuery) {
        const account = yield* accounts.find(principal.account)
        if (account === null) return yield* new Unknown({ what: "account" })
        const keys = yield* accounts.listKeys(account.id)
        const { expires_at = null, label = "" } = keys.find(({ id }) => id === principal.key) ?? {}
        const share = InFlight.shareOf(inFlight, principal.limits)
        const { account: ofAccount, key } = RateLimit.ratesOf(rates, principal.limits)
        const shown: Account.OwnAccount = {
          account,
          balance: yield* ledger.balance(account.id),
          key: { id: principal.key, label, scopes: principal.scopes, expires_at },
          limits: {
            requests_per_minute: perMinute(key),
            account_requests_per_minute: perMinute(ofAccount),
            account_requests_at_once: share === "fair" ? null : share
          },
          usage: yield* report(ledger, account.id, query)
        }
        return shown
      })
      const { list, remove, save } = VendorKeys.handlers(yield* VendorKeysOfCore.VendorKeys, limits)
      return handlers.handleRaw("saveVendorKey", save).handleAll({
        show: ({ query }) => Effect.flatMap(Principal, (principal) => Unbilled.read(show(principal, query), limits)),
        listVendorKeys: () => list,
        removeVendorKey: ({ params }) => remove(params.slot)
      })
    })
  )
