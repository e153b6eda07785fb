/** What an account is told of itself: its credits, its key, its limits, what it has used, and the vendor keys it has stored. */
import { Scope, VendorKeys } from "@lading/core/account"
import { CalendarDate } from "@lading/core/value"
import { Schema } from "effect"
import { Account, Amount, Balance, Instant } from "./Admin.ts"

/** The most days of one report. */
export const mostDays = 92

const Day = Schema.String.annotate({ format: "date" }).check(
  Schema.makeFilter((text) => CalendarDate.isDate(text) || "Expected a date in UTC as YYYY-MM-DD")
)

export const UsageQuery = {
  from: Schema.optional(Day).annotate({
    description: "The first day, in UTC; 30 days up to `to` where it is left out"
  }),
  to: Schema.optional(Day).annotate({ description: `The last day, today by default; at most ${mostDays} days` })
}
export type UsageQuery = { readonly from?: string | undefined; readonly to?: string | undefined }

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const Usage = Schema.Struct({
  from: Day,
  to: Day,
  requests: Count,
  credits: Amount,
  list: Schema.Array(
    Schema.Struct({
      day: Day,
      api_key: Schema.NullOr(Schema.String).annotate({ description: "Id of the key that asked, never the key" }),
      operation: Schema.String,
      requests: Count,
      credits: Amount
    })
  )
}).annotate({ identifier: "Usage" })
export type Usage = typeof Usage.Type

export const OwnAccount = Schema.Struct({
  account: Account,
  balance: Balance,
  key: Schema.Struct({
    id: Schema.String,
    label: Schema.String,
    scopes: Schema.Array(Scope.Scope),
    expires_at: Schema.NullOr(Instant)
  }).annotate({ description: "The key that asks" }),
  limits: Schema.Struct({
    requests_per_minute: Schema.NullOr(Count).annotate({ description: "Of each key; null for no limit" }),
    account_requests_per_minute: Schema.NullOr(Count).annotate({
      description: "Of the account with all of its keys; null for no limit"
    }),
    account_requests_at_once: Schema.NullOr(Count).annotate({
      description: "Requests of the account that each server answers at once; null for a fair share, or for no limit"
    })
  }),
  usage: Usage
}).annotate({ identifier: "OwnAccount" })
export type OwnAccount = typeof OwnAccount.Type

export const SlotPath = Schema.Struct({
  slot: Schema.String.annotate({ description: "The slot that the key is for, such as provider_a" }).check(
    Schema.makeFilter((text) => /^[a-z][a-z0-9_]{0,63}$/.test(text) || "Expected the name of a slot such as provider_a")
  )
})

/** By name: a declaration can say an interface, where it would have to spell out how a schema was built. */
export interface VendorKeyRequest extends VendorKeys.VendorKeyRequest {}

/** A key, on its way in only: no answer has it. */
export const VendorKeyRequest: Schema.Codec<VendorKeyRequest, typeof VendorKeys.VendorKeyRequest.Encoded> =
  VendorKeys.VendorKeyRequest

export const VendorKey = Schema.Struct({
  slot: Schema.String,
  adapter: Schema.String.annotate({ description: "The vendor that the key is for" }),
  credential: Schema.Literals(["api_key", "client"]),
  hint: Schema.NullOr(Schema.String).annotate({
    description: "The last four characters of the API key or the client id; null for a short one"
  }),
  saved_at: Instant,
  saved_by: Schema.NullOr(Schema.String).annotate({ description: "Id of the API key that it was stored with" }),
  checked_at: Schema.NullOr(Instant).annotate({ description: "When the vendor took it; null where it was not asked" }),
  usable: Schema.Boolean.annotate({ description: "false: the slot has another vendor by now, so it is not used" })
}).annotate({ identifier: "VendorKey" })
export type VendorKey = typeof VendorKey.Type

export const VendorKeyList = Schema.Struct({ list: Schema.Array(VendorKey) })

export const RemovedVendorKey = Schema.Struct({ slot: Schema.String, removed: Schema.Literal(true) })
