/**
 * How facts are written: a source may leave out what it does not know, or say `null`.
 */
import { Schema } from "effect"

/** A fact that may be missing. */
export const said = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

/**
 * A number that a source knows only as a range, e.g. `251-1K` employees. The profile shows the lower bound and the
 * explanation keeps `text`, marked as estimated.
 */
export const Range = Schema.Struct({
  min: Schema.Finite,
  /** `null` for an open range (`10001+`). */
  max: Schema.NullOr(Schema.Finite),
  /** As the source wrote it. */
  text: Schema.String
})
export type Range = typeof Range.Type

/** A number, or the range in which it lies. */
export const Estimate = Schema.Union([Schema.Finite, Range])
export type Estimate = typeof Estimate.Type

/** A postal address in the source's words; country as a name, a code, or both. */
export const Address = Schema.Struct({
  full_address: said(Schema.String),
  city: said(Schema.String),
  state: said(Schema.String),
  postal_code: said(Schema.String),
  country: said(Schema.String),
  country_code: said(Schema.String)
})
export type Address = typeof Address.Type
