/** A request that cannot be understood: which fields, and what was expected. Never the value, which may be a secret. */
import { Schema } from "effect"

export const Detail = Schema.Struct({
  /** Where in the request, e.g. `identity.domains[0]`. */
  path: Schema.String,
  message: Schema.String
})
export type Detail = typeof Detail.Type

export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  details: Schema.NonEmptyArray(Detail)
}) {}

export const at = (path: string, message: string): InvalidRequest =>
  new InvalidRequest({ details: [{ path, message }] })
