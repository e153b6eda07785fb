/**
 * Under which keys an index holds a trader: whole words, pairs of words, beginnings and ends of words, for names that are
 * cut, reordered or mistyped. Two names that may be one trader's share a key; which traders are worth to be looked at is
 * asked of the index, never of all of them.
 *
 * | Key | Of |
 * |---|---|
 * | `=word…` | the whole name, its words run together |
 * | `word` | each of the words that say most |
 * | `word word` | two of them, in alphabetical order, for names of frequent words |
 * | `word*`, `*word` | the first and last four letters of a word: one mistake leaves one of them as it is |
 * | `.abc` | the first letters of three words or more, and words that may be such letters |
 * | `#id` | a tax id |
 */
import * as Romanized from "./Romanized.ts"
import type { KeyCounts } from "./TradeAnswer.ts"
import type { WeighedKey } from "./TradeQuestion.ts"
import type { Party } from "./TradeRecord.ts"
import * as NameKinds from "./NameKinds.ts"
import * as NameWords from "./NameWords.ts"
import * as TraderName from "./TraderName.ts"

/** No name has more keys. */
export const MOST = 12

const WORDS = 4
const PAIRS = 2
const HALF = 4
const LONGEST = 64

/** Each two neighbours of a word without spaces in it. */
const bigrams = (word: string): ReadonlyArray<string> => {
  const letters = [...word]
  return letters.length < 3 ? [word] : letters.slice(1).map((letter, index) => (letters[index] ?? "") + letter)
}

const halves = (word: string): ReadonlyArray<string> =>
  word.length < HALF + 2 ? [] : [`${word.slice(0, HALF)}*`, `*${word.slice(-HALF)}`]

/** Each two neighbours of sorted words. */
const pairs = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sorted = words.toSorted()
  return sorted.slice(1).map((word, index) => `${sorted[index] ?? ""} ${word}`)
}

/** First letters of all words, and of all but the last, which often says the business. */
const acronyms = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const firsts = words.map((word) => word.charAt(0)).join("")
  if (words.length >= 3)
    return [...new Set([firsts, firsts.slice(0, -1)])]
      .filter(({ length }) => length > 2 && length < 7)
      .map((letters) => `.${letters}`)
  return words
    .filter((word) => /^[a-z]{3,6}$/.test(word))
    .slice(0, 1)
    .map((word) => `.${word}`)
}

/** The keys of a name, at most `MOST`; none for a placeholder. */
export const ofName = (name: string): ReadonlyArray<string> => {
  const { placeholder, tokens } = TraderName.read(name)
  if (placeholder || tokens.length === 0) return []
  const telling = tokens.filter((token) => !NameKinds.isWeak(token))
  const said = (telling.length === 0 ? tokens : telling).map(Romanized.latin)
  const words = said.filter((word) => !NameWords.unspaced.test(word))
  const runs = said.filter((word) => NameWords.unspaced.test(word))
  // A single word says more with its neighbour.
  const others = tokens.map(Romanized.latin).filter((word) => !said.includes(word))
  const paired = words.length === 1 ? [...words, ...others.slice(0, 1)] : words
  return [
    ...new Set([
      `=${tokens.map(Romanized.latin).join("").slice(0, LONGEST)}`,
      ...words.slice(0, WORDS),
      ...runs.flatMap(bigrams).slice(0, WORDS + 2),
      ...pairs(paired.slice(0, WORDS)).slice(0, PAIRS),
      ...acronyms(tokens.map(Romanized.latin)),
      ...words.slice(0, 2).flatMap(halves)
    ])
  ].slice(0, MOST)
}

/** The words by which `TraderMatch` asks how rare they are: those of a name that are keys by themselves. */
export const wordsOf = (name: string): ReadonlyArray<string> =>
  TraderName.read(name)
    .tokens.filter((token) => !NameKinds.isWeak(token))
    .map(Romanized.latin)

/** Letters and digits of a tax id; `null` for what is none, e.g. one digit again and again. */
export const taxId = (written: string | null): string | null => {
  const id =
    written
      ?.normalize("NFKC")
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]/gu, "") ?? ""
  return id.length < 5 || /^(.)\1*$/u.test(id) ? null : id
}

/** The keys of a party: of its name and its tax id. */
export const of = ({ name, tax_id }: Pick<Party, "name" | "tax_id">): ReadonlyArray<string> => {
  const id = taxId(tax_id)
  return [...(name === null ? [] : ofName(name)), ...(id === null ? [] : [`#${id}`])]
}

/** Keys that more traders have, in sum, are not looked up: what is frequent says little and costs most. */
export const REACH = 20_000

/** The keys that are worth to be looked up, the rarest first, each weighing the more the fewer traders have it. */
export const chosen = ({ counts, traders }: KeyCounts): ReadonlyArray<WeighedKey> => {
  let reached = 0
  return [...counts]
    .toSorted(([a, some], [b, others]) => some - others || (a < b ? -1 : 1))
    .filter(([, count]) => (reached += count) <= REACH)
    .map(([key, count]) => ({ key, weight: 1 + Math.floor(Math.log2(Math.max(1, traders / count))) }))
}
