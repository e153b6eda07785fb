/**
 * Values as People Data Labs gives them, and does not give them.
 *
 * Gotchas
 * - A field may be left out, be `null`, be an empty string, or be `true`/`false`: the plan hides the value and says only
 *   whether there is one. All four mean that no value was given. (The types of the vendor's own JavaScript client.)
 * - Text is lower case unless the request says `titlecase=true`, and sometimes in spite of it.
 */
import { Schema } from "effect"

/** A field that may hold a value, nothing, or a boolean in place of a hidden value. */
export const given = <S extends Schema.Constraint>(value: S) =>
  Schema.optional(Schema.NullOr(Schema.Union([value, Schema.Boolean])))

/** The value of a field, `null` where none was given. */
export const known = <A>(value: A | boolean | null | undefined): A | null =>
  value === undefined || typeof value === "boolean" ? null : value

/** The text of a field, `null` where none was given or it is blank. */
export const text = (value: string | boolean | null | undefined): string | null => {
  const trimmed = known(value)?.trim()
  return trimmed === undefined || trimmed === "" ? null : trimmed
}

/** The texts of a list, without blanks. */
export const texts = (value: ReadonlyArray<string> | boolean | null | undefined): ReadonlyArray<string> =>
  (known(value) ?? []).flatMap((member) => text(member) ?? [])

/** A name or an address with capitals: unchanged where it has one, else the first letter of each word is raised. */
export const titled = (value: string | boolean | null | undefined): string | null => {
  const said = text(value)
  if (said === null || /\p{Lu}/u.test(said)) return said
  return said.replace(/(?<=^|[\s\-/(&]|\b[od]['’])\p{Ll}/gu, (letter) => letter.toUpperCase())
}

/** The first that passes, in order, without repeats by `key`. */
export const distinct = <A>(values: ReadonlyArray<A>, key: (value: A) => string): ReadonlyArray<A> => [
  ...values
    .reduce((seen, value) => (seen.has(key(value)) ? seen : seen.set(key(value), value)), new Map<string, A>())
    .values()
]

/** A group of facts, `null` where not one of them is known. */
export const group = <A extends Readonly<Record<string, unknown>>>(members: A): A | null =>
  Object.values(members).some((member) => member !== null) ? members : null
