/**
 * References from a step's request to values that a row has by then. `$enrich.company.profile.name` is a path into the
 * body of the answer of the step `enrich`; `[2]` is an element of a list, or the value of an object's third key, for objects
 * whose keys nobody knows before (`$verify.results[0].status`).
 *
 * A reference is a whole text: nothing is put together out of values. So a value can be anything, and never becomes a
 * reference, a step, or a part of one.
 */

/** What a reference begins from, and the way from there. */
export interface Reference {
  readonly text: string
  readonly root: string
  readonly path: ReadonlyArray<string | number>
}

/** Values of a row by the texts of the references to them. */
export type Values = Readonly<Record<string, unknown>>

const whole = /^\$([a-z][a-z0-9_]*)((?:\.[A-Za-z_][\w-]*|\[\d{1,6}\])*)$/
const part = /\.([A-Za-z_][\w-]*)|\[(\d{1,6})\]/g

/** `null` for any other text. */
export const parse = (text: string): Reference | null => {
  const found = whole.exec(text)
  if (found === null) return null
  const [, root = "", way = ""] = found
  const path = Array.from(way.matchAll(part), ([, key, index]) => key ?? Number(index))
  return { text, root, path }
}

/** Whether a text wants to be a reference; `$$` begins a text with one `$`. */
export const isMeant = (text: string): boolean => text.startsWith("$") && !text.startsWith("$$")

type Place = readonly [path: string, text: string]

/** Every text in a value that is meant as a reference, with where it stands. */
export const texts = (value: unknown, at = ""): ReadonlyArray<Place> => {
  if (typeof value === "string") return isMeant(value) ? [[at, value]] : []
  if (Array.isArray(value)) return value.flatMap((inner, index) => texts(inner, `${at}[${index}]`))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, at === "" ? key : `${at}.${key}`))
}

/** Every reference in a value. */
export const within = (value: unknown): ReadonlyArray<Reference> =>
  texts(value).flatMap(([, text]) => parse(text) ?? [])

const step = (value: unknown, key: string | number): unknown => {
  if (typeof value !== "object" || value === null) return null
  if (Array.isArray(value)) return typeof key === "number" ? value[key] : null
  if (typeof key === "number") return Object.values(value)[key]
  return Object.hasOwn(value, key) ? new Map(Object.entries(value)).get(key) : null
}

/** What is there; `null` where nothing is. */
export const read = (value: unknown, path: Reference["path"]): unknown => path.reduce(step, value) ?? null

/** The values of those references that begin from this root. */
export const take = (references: ReadonlyArray<Reference>, root: string, value: unknown): Values =>
  Object.fromEntries(references.filter((one) => one.root === root).map(({ path, text }) => [text, read(value, path)]))

/**
 * A value with what its references refer to in their place. What is `null` there is left out of objects and lists, as if
 * the request had not named it.
 */
export const filled = (value: unknown, values: Values): unknown => {
  if (typeof value === "string") {
    if (value.startsWith("$$")) return value.slice(1)
    return isMeant(value) && parse(value) !== null ? (values[value] ?? null) : value
  }
  if (Array.isArray(value)) {
    return value
      .map((inner: unknown) => filled(inner, values))
      .filter((inner, index) => inner !== null || value[index] === null)
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]: [string, unknown]) => [key, filled(inner, values), inner] as const)
      .filter(([, filled, inner]) => filled !== null || inner === null)
      .map(([key, filled]) => [key, filled])
  )
}

/** Whether a value counts as being there. */
export const isThere = (value: unknown): boolean => {
  if (value === null || value === undefined || value === false || value === 0 || value === "") return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== "object" || Object.keys(value).length > 0
}
