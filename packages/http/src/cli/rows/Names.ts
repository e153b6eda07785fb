/** Columns by their names: in any of several spellings, or as whoever asks says it. */
import { Effect } from "effect"
import { CannotBegin } from "./Problem.ts"

/** Spellings of each field, folded, the better ones first. */
export type Vocabulary<Field extends string> = Readonly<Record<Field, ReadonlyArray<string>>>

/** Names of columns by field, as somebody said them. */
export type Mapping = Readonly<Record<string, string>>

/** `Company-Domain`, `companyDomain` and `company domain` are one name. */
const fold = (name: string): string =>
  name
    .trim()
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")

/** `domain=Website,name="Firm, full name"`: a field, then the name of its column, in quotes where it has a comma. */
const one = /\s*([a-z_]+)\s*=\s*(?:"([^"]*)"|([^,"]*))\s*(?:,|$)/gy

/** What `--columns` says. */
export const mapping = <Field extends string>(
  text: string,
  vocabulary: Vocabulary<Field>,
  example: string
): Effect.Effect<Mapping, CannotBegin> => {
  const found = [...text.matchAll(one)]
  const whole = found.reduce((length, [match]) => length + match.length, 0) === text.length
  const isKnown = found.every(([, field = ""]) => Object.hasOwn(vocabulary, field))
  if (!whole || found.length === 0 || !isKnown) {
    const fields = Object.keys(vocabulary).join(", ")
    const problem = `--columns: expected e.g. ${example}, with fields out of ${fields}`
    return Effect.fail(new CannotBegin({ problem }))
  }
  return Effect.succeed(Object.fromEntries(found.map(([, field = "", quoted, bare]) => [field, quoted ?? bare ?? ""])))
}

export const listed = (header: ReadonlyArray<string>): string => header.map((name) => JSON.stringify(name)).join(", ")

/** The column of a field: the one that was named, else the first that has one of its spellings; -1 where there is none. */
export const position = <Field extends string>(
  header: ReadonlyArray<string>,
  vocabulary: Vocabulary<Field>,
  field: Field,
  named: Mapping
): number => {
  const name = named[field]
  if (name !== undefined) return header.findIndex((column) => column.trim() === name.trim())
  const folded = header.map(fold)
  const taken = Object.values(named)
  const spelling = vocabulary[field].find((spelling) => {
    const position = folded.indexOf(spelling)
    return position !== -1 && !taken.includes(header[position] ?? "")
  })
  return spelling === undefined ? -1 : folded.indexOf(spelling)
}

/** Refuses a name that no column has. */
export const missing = (header: ReadonlyArray<string>, named: Mapping): string | null => {
  const name = Object.values(named).find((name) => !header.some((column) => column.trim() === name.trim()))
  return name === undefined ? null : `--columns: there is no column ${JSON.stringify(name)}; found ${listed(header)}`
}
