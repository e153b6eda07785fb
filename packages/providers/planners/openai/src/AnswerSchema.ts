/**
 * The shape that a model's answer is asked to have: that of a plan, in the part of JSON Schema that endpoints understand.
 *
 * It is sent with `strict: false`. Strict mode wants `additionalProperties: false` on every object and every property in
 * `required` (OpenAI, "Structured Outputs", section "Supported schemas", developers.openai.com/docs/guides/structured-outputs);
 * the `input` of a step is an object whose members depend on its operation, so it would have to be JSON inside a text, which
 * servers that compile the schema into a grammar cannot check at all and small models quote wrongly. What a schema cannot
 * enforce is judged afterwards in any case.
 *
 * Gotchas
 * - A value that may be anything is not left without a schema: llama.cpp reads `{}` as "some object"
 *   (ggml-org/llama.cpp, common/json-schema-to-grammar.cpp), and a reference is a text.
 * - Lengths and patterns are left out: not every server has them, and a length of 100 makes a large grammar.
 */
import { TaskPlan } from "@lading/core/task"
import { Schema } from "effect"
import type { JsonSchema } from "./Fields.ts"

/** Understood by every server that understands any. */
const understood = new Set(["type", "properties", "required", "items", "enum", "anyOf", "description"])

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A text that may be a reference, or JSON with references in it. */
const anyValue = { anyOf: [{ type: "string" }, { type: "object" }] }

const { definitions } = Schema.toJsonSchemaDocument(TaskPlan.TaskPlan)

/** What a schema refers to, in its place: not every server follows references, and a plan has no circles. */
const named = ({ $ref }: JsonSchema): unknown =>
  typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : undefined

const adapted = (schema: unknown, operations: ReadonlyArray<string>): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => adapted(one, operations))
  if (!isObject(schema)) return schema
  const meant = named(schema)
  if (meant !== undefined) return adapted(meant, operations)
  const kept = Object.entries(schema).flatMap(([key, value]) => {
    if (!understood.has(key)) return []
    if (key !== "properties" || !isObject(value)) return [[key, adapted(value, operations)] as const]
    return [[key, members(value, operations)] as const]
  })
  if (kept.length === 0) return anyValue
  // Steps and columns have the members of a plan and no others; the request of a step is open.
  return Object.fromEntries("properties" in schema ? [...kept, ["additionalProperties", false] as const] : kept)
}

const members = (properties: JsonSchema, operations: ReadonlyArray<string>): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      name === "operation" ? { type: "string", enum: operations } : adapted(schema, operations)
    ])
  )

/** Of a plan that uses these operations and no others. */
export const make = (operations: ReadonlyArray<string>): JsonSchema => {
  const schema = adapted(definitions["TaskPlan"], operations)
  return isObject(schema) ? schema : {}
}
