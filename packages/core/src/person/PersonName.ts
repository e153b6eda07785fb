/**
 * Personal names as they are compared: without case, accents, punctuation, titles and particles, with initials and
 * short forms.
 *
 * Gotchas
 * - What cannot be judged is the same: nothing said (a title is nothing), or names in two scripts (`Вебер`, `Weber`).
 * - A given name that is neither the beginning of the other nor in the table of nicknames is another one, whatever else
 *   agrees: colleagues with one family name are common, and a stranger's data is worse than a missed hit.
 * - Of longer names than anybody has only the beginning is read: sources are not trusted.
 */
import * as Script from "../value/Script.ts"
import * as Text from "../value/Text.ts"
import * as Nickname from "./Nickname.ts"

const LONGEST = 200

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const titles = setOf(
  "dr prof professor mr mrs ms miss mx sir dame lord lady rev fr hon herr frau ing dipl mag mme mlle monsieur madame " +
    "senor senora sr sra dott dra phd md mba msc bsc cpa esq"
)

/** What many family names begin or end with, as `Text.words` gives it; it tells nobody apart. */
const particles = setOf(
  "de da di do d dos das du del della dei degli dello dal dalla des van von vom der den dem zu zum zur het ten ter te t " +
    "af av la le las les los lo l el al abu bin ibn ben bint st ste saint sankt san santa mc mac o ni y e " +
    "jr sr junior senior ii iii iv v"
)

/** With `O’Brien` as one word, in each of its spellings. */
const wordsOf = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  Text.spellings(name.slice(0, LONGEST).replace(/(?<=\p{L})['’‘ʼʻ´`′](?=\p{L})/gu, "")).map(Text.words)

const without = (words: ReadonlyArray<string>, ...ignored: ReadonlyArray<ReadonlySet<string>>): ReadonlyArray<string> =>
  words.filter((word) => !ignored.some((set) => set.has(word)))

/**
 * Family names: one of the words in common (people carry double names, and drop one of them), particles, titles and
 * suffixes apart, unless one of the names is nothing else; or the same letters (`Mac Donald`, `MacDonald`).
 */
export const sameFamily = (a: string, b: string): boolean =>
  a === b || !Script.shared(a, b) || wordsOf(a).some((some) => wordsOf(b).some((others) => sameWords(some, others)))

const sameWords = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  const [x, y] = [without(a, particles, titles), without(b, particles, titles)]
  const [some, others] = x.length === 0 || y.length === 0 ? [a, b] : [x, y]
  if (some.length === 0 || others.length === 0) return true
  const known = new Set(others)
  return some.some((word) => known.has(word)) || without(a, titles).join("") === without(b, titles).join("")
}

/**
 * Given names: any two of the words are equal, or one begins with the other (`Rob` and `Robert`), or is a nickname of
 * it. An initial stands for the first word only (`M.` and `Mara`, not `John M.` and `Mara`).
 */
export const sameGiven = (a: string, b: string): boolean =>
  a === b || !Script.shared(a, b) || wordsOf(a).some((some) => wordsOf(b).some((others) => sameCalled(some, others)))

const sameCalled = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  const [x, y] = [without(a, titles), without(b, titles)]
  const [first, other] = [x[0], y[0]]
  if (first === undefined || other === undefined || begins(first, other)) return true
  return x.some((word) =>
    y.some((or) => word.length > 1 && or.length > 1 && (begins(word, or) || Nickname.same(word, or)))
  )
}

const begins = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)
