/**
 * Company names as they are compared: without case, accents, punctuation and legal form.
 */
import { words } from "../value/Text.ts"

/** Legal forms as they stand at the end of names, in the spelling that `words` gives. */
const legalForms = new Set(
  (
    "ab ag aps as asa bv bvba co company corp corporation cv doo eood gmbh gesmbh inc incorporated kft kg kgaa kk " +
    "lda limited llc llp lp ltd ltda mbh nv ohg oo ooo oy oyj plc pte pty pvt sa sab sac sarl sas sdn bhd se sl slu " +
    "spa spol sp srl sro sti ug zrt"
  ).split(" ")
)

/** The words that tell companies apart. A name of nothing but legal forms keeps them. */
export const tokens = (name: string): ReadonlyArray<string> => {
  // "S.A." and "A/S" are one word, "&" says nothing.
  const all = words(name.replace(/(?<=\b\p{L})[./](?=\p{L}\b)/gu, ""))
  const end = all.findLastIndex((word) => !legalForms.has(word)) + 1
  return end === 0 ? all : all.slice(0, end)
}

/** Whether two names may be one company's: the words of the shorter one all stand in the longer one. */
export const alike = (a: string, b: string): boolean => {
  const [fewer, more] = [tokens(a), tokens(b)].toSorted((x, y) => x.length - y.length)
  return fewer === undefined || more === undefined || fewer.every((word) => more.includes(word))
}
