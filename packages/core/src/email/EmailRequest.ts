/** What `POST /api/email/verify` is asked: one of four, told apart by `type`. */
import { Schema } from "effect"
import * as WebhookUrl from "../net/WebhookUrl.ts"

/** Addresses of a list. */
export const mostEmails = 100_000

/** Results of a page. */
export const mostResults = 10_000

/** The longest text that is judged as an address, in characters; longer than any address can be. */
export const longest = 1000

const anEmail = { expected: `a mail address of at most ${longest} characters` }

const Email = Schema.String.check(
  Schema.isMinLength(1, anEmail),
  Schema.isMaxLength(longest, anEmail),
  Schema.makeFilter((text) => text.length === 0 || text.trim() !== "" || `Expected ${anEmail.expected}`)
)

/** What a list is to be. */
export const aList = { expected: `1 to ${mostEmails} mail addresses` }

const TaskId = Schema.String.check(
  Schema.makeFilter((text) => /^ver_[\w-]{1,100}$/.test(text) || "Expected a task_id as it was answered")
)

export const Single = Schema.Struct({ type: Schema.Literal("single"), email: Email })
export type Single = typeof Single.Type

export const Bulk = Schema.Struct({
  type: Schema.Literal("bulk"),
  emails: Schema.Array(Email).check(Schema.isMinLength(1, aList), Schema.isMaxLength(mostEmails, aList)),
  webhook_url: Schema.optional(WebhookUrl.WebhookUrl)
})
export type Bulk = typeof Bulk.Type

export const BulkResult = Schema.Struct({
  type: Schema.Literal("bulk_result"),
  task_id: TaskId,
  page: Schema.optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })).annotate({ description: "Counted from 1" })
  ),
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostResults })))
})
export type BulkResult = typeof BulkResult.Type

export const Cancel = Schema.Struct({ type: Schema.Literal("cancel"), task_id: TaskId })
export type Cancel = typeof Cancel.Type

export const EmailRequest = Schema.Union([Single, Bulk, BulkResult, Cancel]).annotate({
  identifier: "EmailVerificationRequest"
})
export type EmailRequest = typeof EmailRequest.Type
