/** What the document of the interface says of an endpoint, for whoever lists operations: its words, and its answer's shape. */
import type { Operations } from "@lading/core/task"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { LadingApi } from "../../api/LadingApi.ts"

type Json = Operations.JsonSchema

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

/** Where a schema refers to: another one of the document, or one that comes with it. */
const reference = /^#\/(?:components\/schemas|\$defs)\/(.+)$/

/** References of the document as references of one schema; notes which there are. */
const local = (value: unknown, seen: Set<string>): unknown => {
  if (Array.isArray(value)) return value.map((inner) => local(inner, seen))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key === "$ref" && typeof inner === "string" ? reference.exec(inner)?.[1] : undefined
      if (name === undefined) return [key, local(inner, seen)]
      seen.add(name)
      return [key, `#/$defs/${name}`]
    })
  )
}

/** A schema with all that it refers to, whatever that refers to included. */
const whole = (schema: unknown, schemas: unknown): Json => {
  const seen = new Set<string>()
  const root = local(schema, seen)
  const defs: Record<string, unknown> = {}
  // What is looked at adds to what is still to be looked at.
  for (const name of seen) defs[name] = local(at(schemas, name), seen)
  // Those who list operations want to see an object, not where one stands.
  const name = reference.exec(String(at(root, "$ref") ?? ""))?.[1]
  const shown = name === undefined ? root : defs[name]
  const found = isObject(shown) ? shown : {}
  return seen.size === 0 ? found : { ...found, $defs: defs }
}

export interface Documented {
  readonly title: string
  readonly description: string
  readonly answer: Json
}

/** Of every POST, by its path. */
export const make = (): ((path: string) => Documented) => {
  const document: unknown = OpenApi.fromApi(LadingApi)
  const schemas = at(document, "components", "schemas")
  return (path) => {
    const post = at(document, "paths", path, "post")
    const responses = at(post, "responses")
    const success = at(responses, "200") ?? at(responses, "201")
    return {
      title: String(at(post, "summary") ?? path),
      description: String(at(post, "description") ?? ""),
      answer: whole(at(success, "content", "application/json", "schema"), schemas)
    }
  }
}

/** Of a request as it is sent. */
export const requestOf = (schema: Schema.Top): Json => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  return whole(root, definitions)
}
