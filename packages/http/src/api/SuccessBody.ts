/**
 * The body of an answer where the interface does not show another one: the same envelope as `ErrorBody`, so that one
 * decoder serves both.
 */
import { Schema } from "effect"

/** The envelope around `data`, free of charge. */
export const of = <Data extends Schema.Top>(data: Data) =>
  Schema.Struct({
    success: Schema.Literal(true),
    request_id: Schema.String,
    data,
    meta: Schema.Struct({
      billing: Schema.Struct({ credits_charged: Schema.Literal(0), byok_used: Schema.Literal(false) })
    }),
    error: Schema.Null
  })

/** An answer that costs nothing. */
export const make = <A>(request_id: string, data: A) => ({
  success: true as const,
  request_id,
  data,
  meta: { billing: { credits_charged: 0 as const, byok_used: false as const } },
  error: null
})
