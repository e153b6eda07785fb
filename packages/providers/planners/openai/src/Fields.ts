/**
 * A JSON Schema as lines, one for each value that can be said or read: `identity.domains: array of string`. A tenth of the
 * schema's size, and each line begins with the way that a reference takes.
 *
 * `[]` stands for any element of a list, `{}` for any value of an object whose keys nobody knows before. Pure.
 */

/** A JSON Schema, draft 2020-12, whole in itself: what it refers to is under `$defs`. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Options {
  /** How many lines there may be; the deepest are left out first. */
  readonly most: number
  /** Whether descriptions are shown, and which values have to be there. */
  readonly explained: boolean
  /** Ways that are left out, with all that is below them. */
  readonly without?: ReadonlySet<string>
}

/** Deeper values are left out: a schema may refer to itself. */
const DEEPEST = 8

/** How many words of an enumeration are shown, and how much of a description. */
const MOST_WORDS = 16
const LONGEST_DESCRIPTION = 140

interface Line {
  readonly depth: number
  readonly text: string
}

interface Place {
  readonly path: string
  readonly depth: number
  readonly required: boolean
  readonly description: string
}

interface Walk {
  readonly defs: JsonSchema
  readonly options: Options
  readonly lines: Array<Line>
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectOf = (value: unknown): JsonSchema => (isObject(value) ? value : {})

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** What a schema refers to, through as many references as there are; `{}` for a reference to itself or to nothing. */
const resolved = (schema: JsonSchema, defs: JsonSchema): JsonSchema => {
  let found = schema
  for (let hops = 0; hops < DEEPEST; hops++) {
    const name = /^#\/\$defs\/(.+)$/.exec(textOf(found["$ref"]))?.[1]
    if (name === undefined) return found
    found = objectOf(defs[name])
  }
  return {}
}

/** What a value may be, without `null`: that an optional value may be missing is said once, not on every line. */
const alternatives = (schema: JsonSchema, defs: JsonSchema): ReadonlyArray<JsonSchema> => {
  const found = resolved(schema, defs)
  const choices = [...listOf(found["anyOf"]), ...listOf(found["oneOf"])]
  if (choices.length === 0) return found["type"] === "null" ? [] : [found]
  return choices.flatMap((choice) => alternatives(objectOf(choice), defs))
}

const described = (schema: JsonSchema, defs: JsonSchema): string => {
  const own = textOf(schema["description"])
  if (own !== "") return own
  const choices = alternatives(schema, defs)
  return choices.map(({ description }) => textOf(description)).find((text) => text !== "") ?? ""
}

/** `string`, `"a" or "b"`, `array of string`. */
const nameOf = (schema: JsonSchema, defs: JsonSchema): string => {
  const words = listOf(schema["enum"])
  if (words.length > 0) {
    const shown = words.slice(0, MOST_WORDS).map((word) => JSON.stringify(word))
    return [...shown, ...(words.length > MOST_WORDS ? ["…"] : [])].join(" or ")
  }
  if (schema["type"] === "array") return `array of ${namesOf(objectOf(schema["items"]), defs)}`
  return textOf(schema["type"]) === "" ? "anything" : textOf(schema["type"])
}

const namesOf = (schema: JsonSchema, defs: JsonSchema): string =>
  [...new Set(alternatives(schema, defs).map((choice) => nameOf(choice, defs)))].join(" or ") || "null"

/** Of an object that has members, or of a list of such. */
const hasMembers = (schema: JsonSchema, defs: JsonSchema): boolean => {
  const found = resolved(schema, defs)
  if (found["type"] === "array")
    return alternatives(objectOf(found["items"]), defs).some((item) => hasMembers(item, defs))
  return isObject(found["properties"]) || isObject(found["additionalProperties"])
}

const lineOf = ({ description, path, required }: Place, kind: string, { explained }: Options): string => {
  const must = explained && required ? ", required" : ""
  const about = explained && description !== "" ? ` – ${description.slice(0, LONGEST_DESCRIPTION)}` : ""
  return `${path}: ${kind}${must}${about}`
}

const below = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`)

/** The members of one thing that has some: each is a place of its own. */
const inside = (walk: Walk, schema: JsonSchema, at: Place): void => {
  if (schema["type"] === "array") {
    for (const item of alternatives(objectOf(schema["items"]), walk.defs))
      if (hasMembers(item, walk.defs)) inside(walk, item, { ...at, path: `${at.path}[]` })
    return
  }
  const required = new Set(listOf(schema["required"]))
  for (const [name, member] of Object.entries(objectOf(schema["properties"])))
    visit(walk, objectOf(member), below(at.path, name), at.depth + 1, at.required && required.has(name))
  const others = schema["additionalProperties"]
  if (isObject(others)) visit(walk, others, `${at.path}{}`, at.depth + 1, false)
}

const visit = (walk: Walk, schema: JsonSchema, path: string, depth: number, required: boolean): void => {
  const { defs, lines, options } = walk
  if (depth > DEEPEST || (options.without?.has(path) ?? false)) return
  const place = { path, depth, required, description: described(schema, defs) }
  const choices = alternatives(schema, defs)
  const open = choices.filter((choice) => hasMembers(choice, defs))
  const plain = choices.filter((choice) => !hasMembers(choice, defs))
  const kinds = [...new Set(plain.map((choice) => nameOf(choice, defs)))]
  if (kinds.length > 0) lines.push({ depth, text: lineOf(place, kinds.join(" or "), options) })
  // What has members is known by them, unless there is something to say of it as a whole.
  else if (options.explained && place.description !== "" && open.length > 0)
    lines.push({ depth, text: lineOf(place, open[0]?.["type"] === "array" ? "array" : "object", options) })
  for (const choice of open) inside(walk, choice, place)
}

/** The lines of a schema, in its order, the same whenever it is the same. */
export const lines = (schema: JsonSchema, options: Options): ReadonlyArray<string> => {
  const walk: Walk = { defs: objectOf(schema["$defs"]), options, lines: [] }
  for (const choice of alternatives(schema, walk.defs))
    inside(walk, choice, { path: "", depth: 0, required: true, description: "" })
  const unique = [...new Map(walk.lines.map((line) => [line.text, line])).values()]
  if (unique.length <= options.most) return unique.map(({ text }) => text)
  const kept = new Set(unique.toSorted((a, b) => a.depth - b.depth).slice(0, options.most))
  return unique.filter((line) => kept.has(line)).map(({ text }) => text)
}
