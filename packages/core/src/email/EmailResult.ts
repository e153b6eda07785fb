/** What is answered about a mail address: the seventeen fields of the interface, in its own words. */
import { Result, Schema } from "effect"
import * as EmailAddress from "./EmailAddress.ts"

export const EmailStatus = Schema.Literals([
  "safe",
  "valid",
  "invalid",
  "disabled",
  "disposable",
  "inbox_full",
  "catch_all",
  "role_account",
  "spamtrap",
  "unknown"
])
export type EmailStatus = typeof EmailStatus.Type

const Known = Schema.NullOr(Schema.Boolean)

export const EmailResult = Schema.Struct({
  email: Schema.String,
  domain: Schema.String,
  username: Schema.String,
  status: EmailStatus,
  /** `0` to `100`. */
  overall_score: Schema.String,
  mx_records: Known,
  is_disabled: Known,
  is_spamtrap: Known,
  is_catch_all: Known,
  has_inbox_full: Known,
  is_disposable: Schema.Boolean,
  is_free_email: Schema.Boolean,
  is_deliverable: Schema.Boolean,
  is_role_account: Schema.Boolean,
  is_safe_to_send: Schema.Boolean,
  is_valid_syntax: Schema.Boolean,
  mx_accepts_mail: Schema.Boolean,
  can_connect_smtp: Schema.Boolean
})
export type EmailResult = typeof EmailResult.Type

/** Whether it says anything: only then it costs something. */
export const isDefinite = ({ status }: Pick<EmailResult, "status">): boolean => status !== "unknown"

/** Of an address that nobody was asked about. */
export const unknown = (email: string): EmailResult => {
  const at = email.lastIndexOf("@")
  return {
    email,
    domain: at === -1 ? "" : email.slice(at + 1).toLowerCase(),
    username: at === -1 ? email : email.slice(0, at),
    status: "unknown",
    overall_score: "0",
    mx_records: null,
    is_disabled: null,
    is_spamtrap: null,
    is_catch_all: null,
    has_inbox_full: null,
    is_disposable: false,
    is_free_email: false,
    is_deliverable: false,
    is_role_account: false,
    is_safe_to_send: false,
    is_valid_syntax: Result.isSuccess(EmailAddress.parse(email)),
    mx_accepts_mail: false,
    can_connect_smtp: false
  }
}

/** A result without its address, as many of them are kept: domain, username, status, score, and a letter for each flag. */
export const Packed = Schema.Tuple([Schema.String, Schema.String, EmailStatus, Schema.String, Schema.String])
export type Packed = typeof Packed.Type

const letterOf = (flag: boolean | null): string => (flag === null ? "-" : flag ? "y" : "n")

export const pack = (result: EmailResult): Packed => [
  result.domain,
  result.username,
  result.status,
  result.overall_score,
  [
    result.mx_records,
    result.is_disabled,
    result.is_spamtrap,
    result.is_catch_all,
    result.has_inbox_full,
    result.is_disposable,
    result.is_free_email,
    result.is_deliverable,
    result.is_role_account,
    result.is_safe_to_send,
    result.is_valid_syntax,
    result.mx_accepts_mail,
    result.can_connect_smtp
  ]
    .map(letterOf)
    .join("")
]

export const unpack = (email: string, [domain, username, status, overall_score, letters]: Packed): EmailResult => {
  const known = (place: number): boolean | null => (letters[place] === "-" ? null : letters[place] === "y")
  const flag = (place: number): boolean => letters[place] === "y"
  return {
    email,
    domain,
    username,
    status,
    overall_score,
    mx_records: known(0),
    is_disabled: known(1),
    is_spamtrap: known(2),
    is_catch_all: known(3),
    has_inbox_full: known(4),
    is_disposable: flag(5),
    is_free_email: flag(6),
    is_deliverable: flag(7),
    is_role_account: flag(8),
    is_safe_to_send: flag(9),
    is_valid_syntax: flag(10),
    mx_accepts_mail: flag(11),
    can_connect_smtp: flag(12)
  }
}
