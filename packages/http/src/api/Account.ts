/** What an account is told of itself: its credits, its key, its limits, and what it has used. */
import { Scope } from "@lading/core/account"
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
    requests_per_minute: Schema.NullOr(Count).annotate({ description: "Of each key; null for no limit" })
  }),
  usage: Usage
}).annotate({ identifier: "OwnAccount" })
export type OwnAccount = typeof OwnAccount.Type
