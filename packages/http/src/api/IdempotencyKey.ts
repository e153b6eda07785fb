/**
 * The request header `Idempotency-Key`: makes a POST repeatable. It covers method, path and the body's bytes, belongs
 * to the account, and lives 24 hours.
 */
import { Schema } from "effect"

export const name = "idempotency-key"

export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x20-\x7e]{1,255}$/, { expected: "1 to 255 printable ASCII characters" })
).annotate({
  description:
    "Repeats a request safely: the same key with the same body replays the first answer and charges nothing; another body, or a twin still running, is 409. 1 to 255 printable ASCII characters, kept for 24 hours."
})
