/**
 * What administrators ask and are told: accounts, credits, keys, the audit, erasure, replay. Inside, amounts are millionths
 * and instants epoch milliseconds, as everywhere in core; on the wire they are credits and ISO 8601 in UTC.
 */
import { Erasures, Scope } from "@lading/core/account"
import { Credits } from "@lading/core/billing"
import { Replay } from "@lading/core/waterfall"
import { DateTime, Option, Schema, SchemaTransformation } from "effect"

const iso = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A day that there is, and where a time of day is given a zone with it: without one, nobody knows when that is. */
const isInstant = (text: string): boolean => {
  const [, day] = iso.exec(text) ?? []
  const midnight = day === undefined ? Option.none() : DateTime.make(`${day}T00:00:00Z`)
  return Option.isSome(midnight) && DateTime.formatIso(midnight.value).startsWith(`${day}T`) && isTime(text)
}

const isTime = (text: string): boolean => Option.isSome(DateTime.make(text))

/** Epoch milliseconds; ISO 8601 on the wire, where a day alone is its midnight in UTC. */
export const Instant: Schema.Codec<number, string> = Schema.String.annotate({ format: "date-time" })
  .check(
    Schema.makeFilter(
      (text) => isInstant(text) || "Expected an instant in ISO 8601 such as 2027-01-31 or 2027-01-31T12:00:00Z"
    )
  )
  .pipe(
    Schema.decodeTo(
      Schema.Int,
      SchemaTransformation.transform({
        decode: (text: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(text)),
        encode: (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))
      })
    )
  )

/** Millionths; credits on the wire. */
export const Amount: Schema.Codec<Credits.Credits, number> = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).pipe(
  Schema.decodeTo(
    Credits.Credits,
    SchemaTransformation.transform({
      decode: (credits: number) => Math.round(credits * Credits.scale),
      encode: (millionths: number) => millionths / Credits.scale
    })
  )
)

/** The most that one grant or adjustment can be, in credits. */
const most = 1_000_000_000

/** Money is not rounded in silence. Exact: the quotient of whole numbers is the number nearest to its decimals. */
const isExact = (credits: number): boolean => Math.round(credits * Credits.scale) / Credits.scale === credits

/** Millionths below zero too; credits with at most six decimals on the wire. */
const SignedAmount = Schema.Finite.check(
  Schema.isBetween({ minimum: -most, maximum: most }),
  Schema.makeFilter((credits) => credits !== 0 || "Expected credits other than 0"),
  Schema.makeFilter((credits) => isExact(credits) || "Expected credits with at most six decimals")
).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform({
      decode: (credits: number) => Math.round(credits * Credits.scale),
      encode: (millionths: number) => millionths / Credits.scale
    })
  )
)

const GrantedAmount = Schema.Finite.check(
  Schema.isGreaterThan(0),
  Schema.isLessThanOrEqualTo(most),
  Schema.makeFilter((credits) => isExact(credits) || "Expected credits with at most six decimals")
).pipe(Schema.decodeTo(Amount))

const isPrintable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text)

/** Descriptions stand on the string itself: on a check the document would not show them. */
const printable = (longest: number, expected: string, description: string) =>
  Schema.String.annotate({ description }).check(
    Schema.isMaxLength(longest),
    Schema.makeFilter((text) => (text.trim() !== "" && isPrintable(text)) || `Expected ${expected}`)
  )

/** A name can stand in a path: there `.` and `..` are none, and what shows nothing is none anywhere. */
const Name = Schema.String.annotate({ description: "Unique; up to 200 characters" }).check(
  Schema.isMaxLength(200),
  Schema.makeFilter(
    (text) =>
      (!/^(?:\.{1,2}|[\s\p{Cf}]*)$/u.test(text) && isPrintable(text)) || "Expected a name, not blank, nor . or .."
  )
)
const Label = Schema.String.annotate({ description: "What the operator calls it" }).check(
  Schema.isMaxLength(200),
  Schema.makeFilter((text) => isPrintable(text) || "Expected printable characters")
)
const Reason = printable(500, "a reason, not blank", "Kept with the entry; name no person here")
const EntryKey = printable(
  255,
  "a key, not blank",
  "Under the same key the account gets this once for good. By default made of the Idempotency-Key, account and body, or of the request id"
)
const ExpiresAt = Schema.NullOr(Instant).annotate({ description: "null for never" })

/** Something that is looked up. */
const sought = (description: string) =>
  Schema.String.annotate({ description }).check(
    Schema.makeFilter((text) => isPrintable(text) || "Expected printable characters")
  )

/** Which account: its id, or its name. */
export const AccountPath = { account: sought("The account's id or its name") }

export const KeyPath = { key: sought("The id of the key, never the key") }

export const RunPath = { request_id: sought("The id of the request, `req_…`") }

/** At most `limit` of them behind `after`, which is the `next_cursor` of the page before. */
const page = (initial: number) => ({
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
    description: `1 to 100; ${initial} by default`
  }),
  after: Schema.optional(sought("next_cursor of the page before"))
})

/** Accounts on a page, unless said otherwise. */
export const accountsPerPage = 20

/** Accounts that are audited for one page, unless said otherwise. */
export const auditsPerPage = 100

export const ListQuery = page(accountsPerPage)
export const AuditQuery = { ...page(auditsPerPage), account: Schema.optional(AccountPath.account) }

export const NewAccount = Schema.Struct({ name: Name })

const NextCursor = Schema.NullOr(Schema.String).annotate({ description: "null where this is the last page" })

const account = { id: Schema.String, name: Schema.String, created_at: Instant }

export const Account = Schema.Struct(account).annotate({ identifier: "Account" })
export type Account = typeof Account.Type

export const Balance = Schema.Struct({
  granted: Amount,
  expired: Amount,
  captured: Amount,
  held: Amount,
  available: Amount
}).annotate({ identifier: "Balance" })
export type Balance = typeof Balance.Type

export const AccountList = Schema.Struct({
  list: Schema.Array(Schema.Struct({ ...account, balance: Balance })),
  next_cursor: NextCursor
})
export type AccountList = typeof AccountList.Type

const OwnLimit = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))

/** Both are set: what is left out is as for every account. */
export const NewLimits = Schema.Struct({
  requests_per_minute: Schema.optionalKey(OwnLimit).annotate({
    description:
      "Of the account with all of its keys, which have no limit of their own then; 0 for as many as it likes, null for what every account and key may"
  }),
  requests_at_once: Schema.optionalKey(OwnLimit).annotate({
    description: "Of the account on each server; 0 for as many as it likes, null for what every account may"
  })
})
export type NewLimits = typeof NewLimits.Type

export const Limits = Schema.Struct({ requests_per_minute: OwnLimit, requests_at_once: OwnLimit }).annotate({
  identifier: "AccountLimits"
})
export type Limits = typeof Limits.Type

export const Grant = Schema.Struct({
  amount: GrantedAmount,
  expires_at: Schema.optionalKey(ExpiresAt),
  reason: Schema.optionalKey(Reason),
  key: Schema.optionalKey(EntryKey)
})
export type Grant = typeof Grant.Type

export const Adjustment = Schema.Struct({ amount: SignedAmount, reason: Reason, key: Schema.optionalKey(EntryKey) })
export type Adjustment = typeof Adjustment.Type

export const Refund = Schema.Struct({
  request_id: Schema.String.annotate({
    description: "The id of the request that was charged, `req_…`, as its answer's body has it"
  }).check(
    Schema.isMaxLength(255),
    Schema.makeFilter((text) => isPrintable(text) || "Expected printable characters")
  ),
  amount: Schema.optionalKey(
    Schema.NullOr(GrantedAmount).annotate({
      description: "null for all that is left of the charge, which is the default"
    })
  ),
  reason: Reason,
  key: Schema.optionalKey(EntryKey)
})
export type Refund = typeof Refund.Type

export const Refunded = Schema.Struct({
  request_id: Schema.String,
  amount: Amount.annotate({ description: "What this refund gave back" }),
  charged: Amount.annotate({ description: "All that the request was charged" }),
  refunded: Amount.annotate({ description: "All that was given back of it by now" }),
  balance: Balance
}).annotate({ identifier: "Refunded" })
export type Refunded = typeof Refunded.Type

const Scopes = Schema.Array(Scope.Scope).check(
  Schema.makeFilter(
    (scopes) => (scopes.length > 0 && new Set(scopes).size === scopes.length) || "Expected some scopes, each once"
  )
)

export const NewKey = Schema.Struct({
  label: Schema.optionalKey(Label),
  scopes: Schema.optionalKey(Scopes.annotate({ description: "By default all but admin" })),
  expires_at: Schema.optionalKey(ExpiresAt)
})
export type NewKey = typeof NewKey.Type

const key = {
  id: Schema.String,
  label: Schema.String,
  scopes: Schema.Array(Scope.Scope),
  expires_at: Schema.NullOr(Instant)
}

/** A key that was made just now, with the key itself; whoever repeats the request is told all but the key. */
export const MadeKey = Schema.Struct({
  ...key,
  key: Schema.NullOr(Schema.RedactedFromValue(Schema.String)).annotate({
    description: "The key, shown this once; null in a replayed answer, since it is kept nowhere"
  })
}).annotate({ identifier: "MadeKey" })
export type MadeKey = typeof MadeKey.Type

export const KeyList = Schema.Struct({
  list: Schema.Array(Schema.Struct({ ...key, revoked: Schema.Boolean })),
  next_cursor: Schema.Null
})
export type KeyList = typeof KeyList.Type

export const RevokedKey = Schema.Struct({ id: Schema.String, revoked: Schema.Literal(true) })
export type RevokedKey = typeof RevokedKey.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const Audit = Schema.Struct({
  accounts: Count,
  groups: Count,
  holds: Count,
  breaches: Schema.Array(
    Schema.Struct({
      invariant: Schema.String,
      account: Schema.String,
      subject: Schema.String,
      detail: Schema.String
    })
  ),
  next_cursor: NextCursor
}).annotate({ identifier: "LedgerAudit" })
export type Audit = typeof Audit.Type

export const Subject = Schema.Struct({
  subject: printable(
    2000,
    "a mail address, a domain or the address of a page",
    "A mail address, a domain, or the address of a page such as a profile"
  )
})

export const Proof = Schema.Struct({ ...Erasures.Proof.fields, erased_at: Instant }).annotate({
  identifier: "ErasureProof"
})

export const ReplayReport = Schema.Struct({ ...Replay.ReplayReport.fields, answered_at: Instant }).annotate({
  identifier: "ReplayReport"
})
