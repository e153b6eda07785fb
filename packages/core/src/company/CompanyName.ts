/**
 * Company names as they are compared: without case, accents, punctuation and legal form.
 *
 * Gotcha: what cannot be judged is alike: a name of no words (`!!!`), or names in two scripts (`Ромашка`, `Romashka`).
 */
import * as Script from "../value/Script.ts"
import * as Text from "../value/Text.ts"

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** Legal forms as they stand at the end of names, in the spelling that `words` gives. */
const atEnd = setOf(
  "ab ag aps as asa bv bvba co company corp corporation cv doo eood gmbh gesmbh inc incorporated kft kg kgaa kk " +
    "lda limited llc llp lp ltd ltda mbh nv ohg oo ooo oy oyj plc pte pty pvt sa sab sac sarl sas sdn bhd se sl slu " +
    "spa spol sp srl sro sti ug zrt"
)

/** Those that stand before or after. `株` and `주` are what `㈱` and `㈜` fold to. */
const atEitherEnd = setOf(
  "ооо оао зао пао нпао ао нао тов прат пат тоо оод еоод ад еад ип αε επε ικε شركة " +
    "株 有 合 株式会社 有限会社 合同会社 合資会社 合名会社 주 유 주식회사 유한회사 " +
    "有限公司 股份有限公司 有限责任公司 有限責任公司 股份公司"
)

/** Those that are written without a space, the longer before what it ends with. */
const attached = (
  "株式会社 有限会社 合同会社 合資会社 合名会社 주식회사 유한회사 " +
  "股份有限公司 有限责任公司 有限責任公司 有限公司 股份公司"
).split(" ")

/** The words that tell companies apart. A name of nothing but legal forms keeps them. */
export const tokens = (name: string): ReadonlyArray<string> => {
  // "S.A." and "A/S" are one word, "&" says nothing.
  const all = Text.words(name.replace(/(?<=(?<!\p{L})\p{L})[./](?=\p{L}(?!\p{L}))/gu, ""))
  const last = endOf(all)
  const start = all.findIndex((word) => !atEitherEnd.has(word))
  const kept = start === -1 || last <= start ? all : all.slice(start, last)
  return kept.length === 0 ? kept : detached(kept)
}

/** Where the legal forms at the end begin; "Sp. z o.o." is the one that is a phrase. */
const endOf = (words: ReadonlyArray<string>): number => {
  const polish = words.at(-1) === "oo" ? -3 : words.at(-1) === "o" && words.at(-2) === "o" ? -4 : 0
  const phrase = polish !== 0 && words.at(polish) === "sp" && words.at(polish + 1) === "z"
  const rest = phrase ? words.slice(0, polish) : words
  return rest.findLastIndex((word) => !atEnd.has(word) && !atEitherEnd.has(word)) + 1
}

const detached = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, last] = [words[0] ?? "", words.at(-1) ?? ""]
  if (/^[\x20-\x7e]*$/.test(first + last)) return words
  const before = attached.find((form) => first.startsWith(form) && first !== form)
  const bare = before === undefined ? words : [first.slice(before.length), ...words.slice(1)]
  const end = bare.at(-1) ?? ""
  const after = attached.find((form) => end.endsWith(form) && end !== form)
  return after === undefined ? bare : [...bare.slice(0, -1), end.slice(0, -after.length)]
}

/**
 * Whether two names may be one company's: the words of the shorter one all stand in the longer one, in one of the ways
 * of writing them (`Müller`, `Mueller`).
 */
export const alike = (a: string, b: string): boolean =>
  a === b ||
  !Script.shared(a, b) ||
  Text.spellings(a).some((some) => Text.spellings(b).some((others) => within(tokens(some), tokens(others))))

const within = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  const [fewer, more] = a.length <= b.length ? [a, new Set(b)] : [b, new Set(a)]
  return fewer.every((word) => more.has(word))
}
