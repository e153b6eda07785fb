/**
 * Words with one wrong letter read as the word that was meant, out of those that rules know: `unknwon`, `recipent`.
 *
 * Only long words are looked at, and only where no other is as near. Candidates are found by leaving letters out of both
 * sides, so that a word costs as many look-ups as it has letters.
 */

/** Shorter words are too near to each other. */
const SHORTEST = 6

const shortened = (word: string): ReadonlyArray<string> =>
  Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1))

/** Whether two words differ by one letter: left out, put in, another, or two that changed places. */
const isNear = (left: string, right: string): boolean => {
  if (Math.abs(left.length - right.length) > 1) return false
  let begin = 0
  while (begin < left.length && left[begin] === right[begin]) begin++
  let end = 0
  while (end < Math.min(left.length, right.length) - begin && left.at(-1 - end) === right.at(-1 - end)) end++
  const [one, other] = [left.slice(begin, left.length - end), right.slice(begin, right.length - end)]
  if (one.length <= 1 && other.length <= 1) return true
  return one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0]
}

export interface Spelling {
  /** The known word that was meant; the word itself, where none or more than one is near. */
  readonly meant: (word: string) => string
}

export const make = (known: ReadonlySet<string>): Spelling => {
  const candidates = new Map<string, Set<string>>()
  for (const word of known) {
    if (word.length < SHORTEST) continue
    for (const key of [word, ...shortened(word)]) {
      const list = candidates.get(key)
      if (list === undefined) candidates.set(key, new Set([word]))
      else list.add(word)
    }
  }
  const meant = (word: string): string => {
    if (word.length < SHORTEST || known.has(word)) return word
    const found = new Set<string>()
    for (const key of [word, ...shortened(word)])
      for (const candidate of candidates.get(key) ?? []) if (isNear(word, candidate)) found.add(candidate)
    const [only] = found
    return found.size === 1 && only !== undefined ? only : word
  }
  return { meant }
}
