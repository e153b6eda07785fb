/** `GET /api/account`: the account of the key that asks. The operator of the folder has none. */
import { Accounts } from "@lading/core/account"
import { Ledger } from "@lading/core/billing"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type * as Account from "../../api/Account.ts"
import { Principal } from "../../api/Authorization.ts"
import { LadingApi } from "../../api/LadingApi.ts"
import { Unknown } from "../admin/Administration.ts"
import type * as Operation from "../Operation.ts"
import type * as RateLimit from "../RateLimit.ts"
import * as Unbilled from "../Unbilled.ts"
import { report } from "./Report.ts"

const minute = 60_000

/** What a rate lets through in a minute. */
const perMinute = (rate: RateLimit.Rate | null): number | null =>
  rate === null ? null : Math.floor((rate.requests * minute) / rate.window)

export const layer = (limits: Operation.Limits, rate: RateLimit.Rate | null) =>
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
        const shown: Account.OwnAccount = {
          account,
          balance: yield* ledger.balance(account.id),
          key: { id: principal.key, label, scopes: principal.scopes, expires_at },
          limits: { requests_per_minute: perMinute(rate) },
          usage: yield* report(ledger, account.id, query)
        }
        return shown
      })
      return handlers.handleAll({
        show: ({ query }) => Effect.flatMap(Principal, (principal) => Unbilled.read(show(principal, query), limits))
      })
    })
  )
