/** Verification of mail addresses with promises. The answer is the body as it is. */
import { EmailRequest } from "@lading/core/email"
import { Effect, Schema } from "effect"
import type { EmailAnswer } from "../api/EmailGroup.ts"
import { type CallOptions, type Client, headers, run } from "./Call.ts"

export const connect = ({ email }: Client) => ({
  /** One address, a list, how far a list has come, or its end: told apart by `type`. */
  verify: (request: typeof EmailRequest.EmailRequest.Encoded, options: CallOptions = {}): Promise<EmailAnswer> =>
    run(
      Schema.decodeEffect(EmailRequest.EmailRequest)(request).pipe(
        Effect.flatMap((payload) => email.verify({ payload, query: {}, headers: headers(options) })),
        Effect.map(({ body }) => body)
      ),
      options
    ),
  /** A list as text in CSV, as `bulk`: a column of addresses, or a header that names one; answered with a `task_id`. */
  verifyList: (
    csv: string,
    query: { readonly column?: string; readonly webhook_url?: string } = {},
    options: CallOptions = {}
  ): Promise<EmailAnswer> =>
    run(
      Effect.map(
        email.verify({ payload: csv, query: { type: "bulk", ...query }, headers: headers(options) }),
        ({ body }) => body
      ),
      options
    )
})
