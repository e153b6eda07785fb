/**
 * Under which keys a company's industries and technologies are found, so that the words of a vendor, of a caller and of the
 * reference find each other. What is in none of the tables is its own key, folded. Pure.
 */
import * as Industries from "../reference/Industries.ts"
import * as Technologies from "../reference/Technologies.ts"
import * as Text from "../value/Text.ts"

const each = (texts: ReadonlyArray<string>, keysOf: (text: string) => ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap(keysOf).filter((key) => key !== ""))
]

/** What a company does: the code of each industry that is said. */
export const industries = (said: ReadonlyArray<string>): ReadonlyArray<string> =>
  each(said, (text) => [Industries.find(text)?.code ?? Text.key(text)])

/** The same with everything that they are part of: who asks for a division means all of it. */
export const industryPaths = (said: ReadonlyArray<string>): ReadonlyArray<string> =>
  each(said, (text) => {
    const industry = Industries.find(text)
    return industry === null ? [Text.key(text)] : [industry, ...Industries.above(industry)].map(({ code }) => code)
  })

/** The name of an industry by its key. */
export const industryName = (key: string): string => Industries.find(key)?.name ?? key

export const technologies = (said: ReadonlyArray<string>): ReadonlyArray<string> =>
  each(said, (text) => [Technologies.find(text)?.name ?? Text.key(text)])
