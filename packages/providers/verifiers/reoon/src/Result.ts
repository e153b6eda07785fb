/**
 * An answer of Reoon's power mode in the words of the port. The fields have the same names; what is missing is `null` or
 * `false`, and a status of the quick mode (`valid`) proves no mailbox and is `unknown`.
 */
import type { EmailResult } from "@lading/core/email"
import { Schema } from "effect"

/** What has to be there; the rest is read as far as it is. */
export const Answer = Schema.StructWithRest(Schema.Struct({ status: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
])
export type Answer = typeof Answer.Type

/** Scores that go with a status where the answer has none: typical ones of this vocabulary. */
const SCORES: Readonly<Record<EmailResult.EmailStatus, number>> = {
  safe: 98,
  valid: 0,
  role_account: 93,
  catch_all: 71,
  disposable: 30,
  inbox_full: 20,
  disabled: 4,
  invalid: 3,
  spamtrap: 3,
  unknown: 0
}

const isStatus = (word: string): word is EmailResult.EmailStatus => Object.hasOwn(SCORES, word)

const statusOf = (word: string): EmailResult.EmailStatus => {
  const status = word.trim().toLowerCase()
  return isStatus(status) && status !== "valid" ? status : "unknown"
}

const known = (value: unknown): boolean | null => {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === "boolean") return value
  if (value === "true" || value === 1 || value === "1") return true
  return value === "false" || value === 0 || value === "0" ? false : null
}

/** `number` and digits in a string alike. */
export const numberOf = (value: unknown): number | null => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : null
}

const scoreOf = (value: unknown, status: EmailResult.EmailStatus): string => {
  const score = numberOf(value)
  return String(score === null ? SCORES[status] : Math.min(100, Math.max(0, Math.round(score))))
}

/** The result for the address that was asked about. */
export const read = (email: string, answer: Answer): EmailResult.EmailResult => {
  const status = statusOf(answer.status)
  const at = email.lastIndexOf("@")
  const is = (name: string): boolean => known(answer[name]) ?? false
  return {
    email,
    domain: at === -1 ? "" : email.slice(at + 1).toLowerCase(),
    username: at === -1 ? email : email.slice(0, at),
    status,
    overall_score: scoreOf(answer["overall_score"], status),
    mx_records: known(answer["mx_records"]),
    is_disabled: known(answer["is_disabled"]),
    is_spamtrap: known(answer["is_spamtrap"]),
    is_catch_all: known(answer["is_catch_all"]),
    has_inbox_full: known(answer["has_inbox_full"]),
    is_disposable: is("is_disposable"),
    is_free_email: is("is_free_email"),
    is_deliverable: is("is_deliverable"),
    is_role_account: is("is_role_account"),
    // What is not known to be safe is not said to be.
    is_safe_to_send: status !== "unknown" && is("is_safe_to_send"),
    is_valid_syntax: is("is_valid_syntax"),
    mx_accepts_mail: is("mx_accepts_mail"),
    can_connect_smtp: is("can_connect_smtp")
  }
}

/** Nothing was learnt. */
export const unknown = (email: string): EmailResult.EmailResult => read(email, { status: "unknown" })
