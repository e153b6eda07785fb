/** `POST /api/email/verify`: whether mail addresses take mail, one at once or a list that goes on after its request. */
import { EmailRequest, EmailResult, EmailTask } from "@lading/core/email"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "./Authorization.ts"
import * as Example from "./Example.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"

/** The longest body in bytes. */
export const bodyLimit = 16 * 1024 * 1024

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Answer = Schema.Struct({
  success: Schema.Literal(true),
  request_id: Schema.String,
  type: Schema.Literals(["single", "bulk", "bulk_result", "cancel"]),
  task_id: Schema.String.annotate({ description: "Of a list; empty for a single address" }),
  verifier_task_id: Schema.String.annotate({
    description:
      "The task's name at an external verifier; of a list that had to be divided there, all with commas between"
  }),
  status: EmailTask.State,
  progress: Schema.Struct({ total: Count, checked: Count, percentage: Count }),
  results: Schema.Record(Schema.String, EmailResult.EmailResult).annotate({
    description: "By the address as it was sent"
  }),
  meta: Schema.Struct({ billing: Schema.Struct({ credits_charged: Schema.Finite }) }),
  error: Schema.Null
}).annotate({ identifier: "EmailVerification" })

/** By name: a declaration can say an interface, where it would have to spell out how a schema was built. */
export interface EmailAnswer extends Schema.Schema.Type<typeof Answer> {}

export const emailAnswer: Schema.Codec<EmailAnswer> = Answer

/** What a list that is sent as it is says in its query. */
const UploadQuery = {
  type: Schema.optional(Schema.Literal("bulk")).annotate({
    description: "For a list as body (text/csv or application/x-ndjson): bulk"
  }),
  column: Schema.optional(Schema.String).annotate({
    description: "Of such a list: the column or key that holds the addresses; email, unless it is named otherwise"
  }),
  webhook_url: Schema.optional(Schema.String).annotate({
    description: "Of such a list: where its end is told"
  })
}

const Csv = Schema.String.annotate({
  description: "A list of addresses: one column, or a header that names one email; needs ?type=bulk"
}).pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

const Ndjson = HttpApiSchema.StreamNdjson({
  schema: Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)]).annotate({
    description: "An address, or an object with the key email; needs ?type=bulk"
  }),
  maxBytes: bodyLimit
})

export const email = HttpApiGroup.make("email")
  .add(
    HttpApiEndpoint.post("verify", "/api/email/verify", {
      headers: { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) },
      query: UploadQuery,
      payload: [EmailRequest.EmailRequest.annotate({ examples: [Example.email] }), Csv, Ndjson],
      success: HttpApiSchema.WithHeaders(emailAnswer.pipe(HttpApiSchema.status(201)), {
        "x-request-id": RequestId,
        "idempotent-replayed": IdempotentReplayed
      }),
      error: [...Refusal.common, ...Refusal.operation]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Verify mail addresses",
        description: `Whether addresses take mail. single answers at once. bulk takes up to ${EmailRequest.mostEmails} addresses over and answers with a task_id: bulk_result asks how far it has come (free, and in pages where page or limit is given), cancel ends it, and its end is sent to webhook_url. An address with a definite result costs one price; unknown costs nothing. Bodies up to ${bodyLimit} bytes. Needs the scope email.`
      })
    )
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "Does this address take mail?" }))
