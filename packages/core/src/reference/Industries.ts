/**
 * Industries: sections and divisions of ISIC revision 4 (scheme `isic4`), and under the divisions the names that vendors
 * use (scheme `lading`, a slug as code). What a source says of a company is mapped onto them.
 *
 * Gotchas
 * - Names of vendors come before those of the standard: `Textiles` is the former.
 * - A bare number of two digits is ISIC's; numbers of other classifications have to say so (`NAICS 333`, `SIC 3569`).
 */
import { Schema } from "effect"
import * as Text from "../value/Text.ts"
import * as IndustryNumbers from "./IndustryNumbers.ts"
import * as IndustryWords from "./IndustryWords.ts"
import * as Isic from "./Isic.ts"
import * as Search from "./Search.ts"

export const Industry = Schema.Struct({
  code: Schema.String.annotate({ description: "A letter or two digits in isic4; a slug in lading" }),
  name: Schema.String,
  parent: Schema.NullOr(Schema.String).annotate({
    description: "The code of the section or division it belongs to; null for a section"
  }),
  scheme: Schema.Literals(["isic4", "lading"])
}).annotate({ identifier: "Industry" })
export type Industry = typeof Industry.Type

interface Row {
  readonly industry: Industry
  /** Other words for it. */
  readonly words: ReadonlyArray<string>
}

/** Names that say the same have the same key: without filling words, in the singular. */
const keyOf = (text: string): string => {
  const words = Text.words(Text.bare(text))
    .filter((word) => !filling.has(word))
    .map(singular)
  const last = words.at(-1)
  return (words.length > 1 && last !== undefined && generic.has(last) ? words.slice(0, -1) : words).join(" ")
}

const filling = new Set(["and", "or", "of", "the"])

const generic = new Set(["industry", "sector"])

const singular = (word: string): string =>
  word.length > 4 && word.endsWith("ies")
    ? `${word.slice(0, -3)}y`
    : word.length > 3 && word.endsWith("s") && !/[siu]s$/.test(word)
      ? word.slice(0, -1)
      : word

const slugOf = (name: string): string => Text.words(name.replaceAll("&", " and ")).join("-")

const parsed = (line: string): { readonly code: string; readonly name: string; readonly words: Row["words"] } => {
  const [head = "", tail] = line.split(" = ")
  const space = head.indexOf(" ")
  return { code: head.slice(0, space), name: head.slice(space + 1), words: tail === undefined ? [] : tail.split("; ") }
}

const isicRows = (): ReadonlyArray<Row> => {
  let section: string | null = null
  return Isic.table.split("\n").map((line) => {
    const { code, name, words } = parsed(line)
    const isSection = /^[A-U]$/.test(code)
    if (isSection) section = code
    return { industry: { code, name, parent: isSection ? null : section, scheme: "isic4" }, words }
  })
}

const wordRows = (): ReadonlyArray<Row> =>
  IndustryWords.table.split("\n").map((line) => {
    const { code, name, words } = parsed(line)
    return { industry: { code: slugOf(name), name, parent: code, scheme: "lading" }, words }
  })

const standard = isicRows()
const usual = wordRows()
const rows = [...standard, ...usual]

/** Sections with their divisions in the standard's order, then the names that vendors use, by name. */
export const all: ReadonlyArray<Industry> = rows.map(({ industry }) => industry)

const byCode: ReadonlyMap<string, Industry> = new Map(all.map((industry) => [industry.code, industry]))

/** Names before other words, vendors' before the standard's: whoever comes first keeps a key. */
const byKey: ReadonlyMap<string, Industry> = new Map(
  [usual, standard]
    .flatMap((some) => [
      ...some.map(({ industry }) => [keyOf(industry.name), industry] as const),
      ...some.flatMap(({ industry, words }) => words.map((word) => [keyOf(word), industry] as const))
    ])
    .toReversed()
)

const numbers = (table: string): ReadonlyMap<string, string> =>
  new Map(
    table.split(",").map((pair) => {
      const [number = "", code = ""] = pair.split(" ")
      return [number, code]
    })
  )

const numbered: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  naics: numbers(IndustryNumbers.naics),
  sic: numbers(IndustryNumbers.sic)
}

const classified = /^(isic|naics|sic)(?:[ ]?rev\.?[ ]?4|4| code)?[ :-]*(\d{2,6}|[a-u])$/

/** By the number of a classification that is named, by as many of its digits as are known. */
const byNumber = (text: string): Industry | null => {
  const [, scheme = "", number = ""] = classified.exec(text.toLowerCase().trim()) ?? []
  if (scheme === "isic") return byCode.get(number.slice(0, 2).toUpperCase()) ?? null
  for (let digits = number.length; digits >= 2; digits--) {
    const code = numbered[scheme]?.get(number.slice(0, digits))
    if (code !== undefined) return byCode.get(code) ?? null
  }
  return null
}

/** Longer than any name of an industry. */
const longest = 200

/**
 * What a source means: by name or another word for it in any case, by code, or by the number of a classification that is
 * named with it (`NAICS 333`). `null` for what is not in the table; nothing is guessed.
 */
export const find = (text: string): Industry | null => {
  if (text.length > longest) return null
  const key = keyOf(text)
  const bare = text.trim()
  return byCode.get(bare) ?? byKey.get(key) ?? byCode.get(bare.toUpperCase()) ?? byNumber(text)
}

/** The section of a code of `isic4`, or the division and section of one of `lading`: from the nearest up. */
export const above = ({ parent }: Industry): ReadonlyArray<Industry> => {
  const next = parent === null ? undefined : byCode.get(parent)
  return next === undefined ? [] : [next, ...above(next)]
}

const words = new Map(rows.map(({ industry, words }) => [industry, words]))

/** Those in which all words of the query occur: in the name, the code, the division's code, or another word for it; in the order of `all`. */
export const search = Search.over(all, (industry) => [
  industry.name,
  industry.code,
  ...(industry.scheme === "lading" ? [industry.parent ?? ""] : []),
  ...(words.get(industry) ?? [])
])
