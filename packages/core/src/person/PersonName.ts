/** Personal names as they are compared: without case, accents and punctuation, with initials and short forms. */
import { words } from "../value/Text.ts"

/** Family names: one of the words in common (people carry double names, and drop one of them). */
export const sameFamily = (a: string, b: string): boolean => {
  const others = words(b)
  return others.length === 0 || words(a).some((word) => others.includes(word))
}

/** Given names: equal, or one is the beginning of the other (`Rob` and `Robert`, `M.` and `Mara`). */
export const sameGiven = (a: string, b: string): boolean => {
  const [x, y] = [words(a)[0], words(b)[0]]
  return x === undefined || y === undefined || x.startsWith(y) || y.startsWith(x)
}
