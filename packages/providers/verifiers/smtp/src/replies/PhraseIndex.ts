/**
 * Finds at once which of many phrases are in a text. Each word of the text is looked up among the first words of all
 * phrases, and only the few that begin with it are compared: a text costs what its words cost, not what the rules do.
 */
import * as Phrase from "./Phrase.ts"
import * as Spelling from "./Spelling.ts"

export interface PhraseIndex {
  /** The phrases, by their text, that are in these words (of `Words.of`). */
  readonly found: (words: ReadonlyArray<string>) => ReadonlySet<string>
}

interface Entry {
  readonly text: string
  readonly phrase: Phrase.Phrase
}

const push = (into: Map<string, Array<Entry>>, key: string, entry: Entry): void => {
  const list = into.get(key)
  if (list === undefined) into.set(key, [entry])
  else list.push(entry)
}

/** Words and beginnings of words that a phrase names. */
const spelled = (phrase: Phrase.Phrase) => phrase.parts.flatMap((part) => (part._tag === "Word" ? part.options : []))

const HAS_DIGIT = /\d/

/** A word that was read before: how it is meant, and the phrases that begin with it; `null` where it is dropped. */
type Known = { readonly word: string; readonly entries: ReadonlyArray<Entry> } | null

/** Words that are remembered. Hosts say the same few thousand; one that invents words fills no more than this. */
const REMEMBERED = 20_000

export const make = (texts: Iterable<string>): PhraseIndex => {
  const exact = new Map<string, Array<Entry>>()
  const prefixes = new Map<string, Array<Entry>>()
  const words = new Set<string>()
  const beginnings = new Set<string>()
  for (const text of new Set(texts)) {
    const entry = { text, phrase: Phrase.parse(text) }
    for (const { text: first, isPrefix } of entry.phrase.first) push(isPrefix ? prefixes : exact, first, entry)
    for (const option of spelled(entry.phrase)) (option.isPrefix ? beginnings : words).add(option.text)
  }
  const lengths = [...new Set([...prefixes.keys()].map((each) => each.length))].sort((a, b) => a - b)
  const begins = [...new Set([...beginnings].map((each) => each.length))].sort((a, b) => a - b)
  const spelling = Spelling.make(words)

  const isKnown = (word: string) => words.has(word) || begins.some((length) => beginnings.has(word.slice(0, length)))
  const beginning = (word: string): ReadonlyArray<Entry> => [
    ...(exact.get(word) ?? []),
    ...lengths.flatMap((length) => prefixes.get(word.slice(0, length)) ?? [])
  ]

  const learn = (said: string): Known => {
    if (isKnown(said)) return { word: said, entries: beginning(said) }
    // With digits, and named by no phrase: an id. Others may be misspelled.
    if (HAS_DIGIT.test(said) && !said.startsWith("@")) return null
    const word = spelling.meant(said)
    return { word, entries: beginning(word) }
  }
  const memory = new Map<string, Known>()
  const known = (said: string): Known => {
    const before = memory.get(said)
    if (before !== undefined) return before
    const learnt = learn(said)
    if (memory.size < REMEMBERED) memory.set(said, learnt)
    return learnt
  }

  const found = (said: ReadonlyArray<string>): ReadonlySet<string> => {
    const all = new Set<string>()
    const read = said.map(known).filter((each) => each !== null)
    const text = read.map(({ word }) => word)
    for (const [at, { entries }] of read.entries())
      for (const entry of entries)
        if (!all.has(entry.text) && Phrase.standsAt(entry.phrase, text, at)) all.add(entry.text)
    return all
  }
  return { found }
}
