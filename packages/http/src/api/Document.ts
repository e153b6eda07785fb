/**
 * The OpenAPI document as generators of clients want it: what is generated from the schemas, with what they cannot say.
 *
 * - Unknown fields are ignored and new ones may come, on either side: what is generated from the document must not refuse
 *   them.
 * - A number in a path, a query or a header is text on the wire, but a number in a document. All that there are here are
 *   whole.
 * - An object with any members says so.
 * - A schema that was optional and had a description is a choice of one.
 */
import type { OpenApi } from "effect/http-api"

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** How the codec of parameters describes a number. */
const numeric = /^\^\[\+-\]\?\(\?:\\d\+/

const isNumber = ({ pattern, type }: Json): boolean =>
  type === "string" && typeof pattern === "string" && numeric.test(pattern)

/** An object of which nothing is said may have anything; generators take it for one that has nothing. */
const isAnything = ({ additionalProperties, properties, type }: Json): boolean =>
  type === "object" && properties === undefined && additionalProperties === undefined

const schema = (value: Json): Json => {
  if (isNumber(value)) {
    const { pattern: _, ...rest } = value
    return { ...rest, type: "integer" }
  }
  if (isAnything(value)) return { ...value, additionalProperties: true }
  const { anyOf, ...rest } = value
  const [only, ...others] = Array.isArray(anyOf) ? anyOf : []
  return isObject(only) && others.length === 0 ? { ...schema(only), ...rest } : value
}

const mended = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(mended)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(schema(value)).flatMap(([key, inner]) =>
      key === "additionalProperties" && inner === false ? [] : [[key, mended(inner)]]
    )
  )
}

/** For the whole document. */
export const transform = (document: Json): Record<string, unknown> =>
  Object.fromEntries(Object.entries(document).map(([key, value]) => [key, mended(value)]))

/** Where the document was found, whatever it is called from there. */
export const servers: ReadonlyArray<OpenApi.OpenAPISpecServer> = [
  { url: "/", description: "The server that this document comes from" }
]
