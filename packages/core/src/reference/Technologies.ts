/**
 * Technologies that companies use, with their categories: what a source names is mapped onto them, however it spells.
 */
import { Schema } from "effect"
import * as Text from "../value/Text.ts"
import * as Search from "./Search.ts"
import * as TechnologyNames from "./TechnologyNames.ts"

export const Technology = Schema.Struct({ name: Schema.String, category: Schema.String }).annotate({
  identifier: "Technology"
})
export type Technology = typeof Technology.Type

interface Row {
  readonly technology: Technology
  readonly spellings: ReadonlyArray<string>
}

/** `Node.js`, `nodejs` and `node_js` are one; `C`, `C++` and `C#` are three. */
const keyOf = (text: string): string => Text.bare(text).replace(/[^\p{L}\p{N}+#]/gu, "")

const parsed = (line: string): ReadonlyArray<Row> => {
  const colon = line.indexOf(": ")
  const category = line.slice(0, colon)
  return line
    .slice(colon + 2)
    .split(", ")
    .map((text) => {
      const [, name = text, spelled] = /^(.+?) \((.+)\)$/.exec(text) ?? []
      return { technology: { name, category }, spellings: spelled === undefined ? [] : spelled.split("; ") }
    })
}

const order = new Intl.Collator("en").compare

const rows: ReadonlyArray<Row> = TechnologyNames.table
  .split("\n")
  .flatMap(parsed)
  .toSorted((a, b) => order(a.technology.name, b.technology.name))

/** All of them, by name. */
export const all: ReadonlyArray<Technology> = rows.map(({ technology }) => technology)

/** Names before other spellings. */
const byKey: ReadonlyMap<string, Technology> = new Map([
  ...rows.flatMap(({ spellings, technology }) => spellings.map((spelling) => [keyOf(spelling), technology] as const)),
  ...all.map((technology) => [keyOf(technology.name), technology] as const)
])

/** What stands behind the name: `PHP/8.3`, `jQuery 3.7.1`, `Drupal v10`. */
const version = /[\s/]v?\d[\d.x]*$/

/** Longer than any name of a technology. */
const longest = 200

/** What a source means, in any case and with or without a version; `null` for what is not in the table. */
export const find = (text: string): Technology | null => {
  if (text.length > longest) return null
  return byKey.get(keyOf(text)) ?? byKey.get(keyOf(text.trim().replace(version, ""))) ?? null
}

const spellings = new Map(rows.map(({ spellings, technology }) => [technology, spellings]))

/** Those in which all words of the query occur: in the name, the category, or another spelling; in the order of `all`. */
export const search = Search.over(all, (technology) => [
  technology.name,
  technology.category,
  ...(spellings.get(technology) ?? [])
])
