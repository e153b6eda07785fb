/**
 * A phrase that a rule looks for, in a small language that a reader needs no manual for and that cannot be slow:
 *
 * - words as `Words` gives them, one behind the other: `user unknown`
 * - `a|b` either word; `suspend*` any word that begins so; `the?` may be missing
 * - `..` up to four words between, within one sentence: `user .. not found`
 * - `^` the beginning of the text, `$` its end
 * - `@spamhaus` a part of the name of a host, or of the path of a URL
 *
 * There are no regular expressions, so that neither an operator's phrase nor a host's reply can make the reader hang: a
 * phrase has at most `GAPS` places that vary.
 */
import { fold, END } from "./Words.ts"

/** Words that `..` may stand for. */
const GAP = 4

/** `..` and `?` in one phrase. */
const GAPS = 4

interface Option {
  readonly text: string
  readonly isPrefix: boolean
}

type Part =
  | { readonly _tag: "Word"; readonly options: ReadonlyArray<Option>; readonly isOptional: boolean }
  | { readonly _tag: "Gap" }
  | { readonly _tag: "Start" }
  | { readonly _tag: "Finish" }

export interface Phrase {
  readonly parts: ReadonlyArray<Part>
  /** How the first word may be spelled: what an index is made of. */
  readonly first: ReadonlyArray<Option>
}

const SIGN = /([\u3040-\u30ff\u3400-\u9fff])/

const option = (text: string): Option =>
  text.endsWith("*") ? { text: fold(text.slice(0, -1)), isPrefix: true } : { text: fold(text), isPrefix: false }

const word = (text: string): ReadonlyArray<Part> => {
  const isOptional = text.endsWith("?")
  const options = (isOptional ? text.slice(0, -1) : text).split("|")
  const [only] = options
  if (options.length === 1 && only !== undefined && SIGN.test(only))
    return [...fold(only)].map((sign) => ({ _tag: "Word", options: [{ text: sign, isPrefix: false }], isOptional }))
  return [{ _tag: "Word", options: options.map(option), isOptional }]
}

const part = (text: string): ReadonlyArray<Part> => {
  if (text === "..") return [{ _tag: "Gap" }]
  if (text === "^") return [{ _tag: "Start" }]
  if (text === "$") return [{ _tag: "Finish" }]
  return word(text)
}

const isWord = (text: string): boolean => /^@?[\p{L}\d]+\*?(?:\|@?[\p{L}\d]+\*?)*\??$/u.test(text.normalize("NFC"))

/** What is wrong with a phrase, `null` where nothing is. */
export const problem = (text: string): string | null => {
  const parts = text.trim().split(/\s+/)
  const wrong = parts.find((each) => each !== ".." && each !== "^" && each !== "$" && !isWord(each))
  if (wrong !== undefined) return `Expected words, a|b, word*, word?, .., ^ or $, got ${JSON.stringify(wrong)}`
  const first = parts.find((each) => each !== "^")
  if (first === undefined || first === ".." || first === "$" || first.endsWith("?"))
    return "Expected a phrase that begins with a word that must be there"
  if (parts.filter((each) => each === ".." || each.endsWith("?")).length > GAPS)
    return `Expected at most ${GAPS} of .. and ?`
  return null
}

/** A phrase that has no `problem`. */
export const parse = (text: string): Phrase => {
  const parts = text
    .trim()
    .split(/\s+/)
    .flatMap((each) => [...part(each)])
  const first = parts.find((each) => each._tag === "Word")
  return { parts, first: first === undefined ? [] : first.options }
}

const fits = (options: ReadonlyArray<Option>, said: string | undefined): boolean =>
  said !== undefined && options.some(({ text, isPrefix }) => (isPrefix ? said.startsWith(text) : said === text))

/** Whether nothing but the end and names of hosts follows. */
const isEnd = (words: ReadonlyArray<string>, at: number): boolean => {
  for (let next = at; next < words.length; next++) {
    const word = words[next]
    if (word !== undefined && word !== END && !word.startsWith("@")) return false
  }
  return true
}

const goesOn = (parts: ReadonlyArray<Part>, from: number, words: ReadonlyArray<string>, at: number): boolean => {
  const next = parts[from]
  if (next === undefined) return true
  switch (next._tag) {
    case "Start":
      return at === 0 && goesOn(parts, from + 1, words, at)
    case "Finish":
      return isEnd(words, at) && goesOn(parts, from + 1, words, at)
    case "Word":
      return (
        (fits(next.options, words[at]) && goesOn(parts, from + 1, words, at + 1)) ||
        (next.isOptional && goesOn(parts, from + 1, words, at))
      )
    case "Gap":
      for (let skipped = 0; skipped <= GAP; skipped++) {
        if (goesOn(parts, from + 1, words, at + skipped)) return true
        if (words[at + skipped] === END || words[at + skipped] === undefined) return false
      }
      return false
  }
}

/** Whether a phrase stands at a place of the words. */
export const standsAt = (phrase: Phrase, words: ReadonlyArray<string>, at: number): boolean =>
  goesOn(phrase.parts, 0, words, at)
