/**
 * Numbers as files write them. Which mark is the decimal one is the file's to say: `1.234` is a thousand in one country
 * and little more than one in another.
 */
import { Schema } from "effect"

/**
 * `.`: commas group thousands. `,`: dots do. `mixed`: rows of both kinds in one file; where there is a comma it is the
 * decimal mark and dots group, where there is none a dot is the decimal mark, unless there are several.
 */
export const DecimalMark = Schema.Literals([".", ",", "mixed"])
export type DecimalMark = typeof DecimalMark.Type

const plain = /^[+-]?\d+(?:\.\d+)?$/
const groupedByComma = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const groupedByDot = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/
const commaDecimal = /^[+-]?\d*,\d+$/
const dotDecimal = /^[+-]?(?:\d+\.|\.\d+|\d+\.\d+)$/
const scientific = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d{1,3}$/
/** Blanks of all widths and apostrophes group thousands everywhere. */
const gaps = /(?<=\d)[\s\u{a0}\u{202f}'’](?=\d{3}(?:\D|$))/gu

const finite = (text: string): number | undefined => {
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

const withComma = (text: string): string => text.replaceAll(".", "").replace(",", ".")

/** `undefined` for what is no number; blanks are no numbers, and none of this function's business. */
export const parse = (text: string, mark: DecimalMark): number | undefined => {
  if (mark !== "," && plain.test(text)) return finite(text)
  const bare = text.replace(gaps, "")
  if (scientific.test(bare)) return finite(bare.replace(",", "."))
  if (mark === ".") {
    if (groupedByComma.test(bare)) return finite(bare.replaceAll(",", ""))
    return plain.test(bare) || dotDecimal.test(bare) ? finite(bare) : undefined
  }
  if (groupedByDot.test(bare) && (mark === "," || bare.includes(",") || bare.indexOf(".") !== bare.lastIndexOf(".")))
    return finite(withComma(bare))
  if (commaDecimal.test(bare)) return finite(withComma(bare))
  if (/^[+-]?\d+$/.test(bare)) return finite(bare)
  return mark === "mixed" && dotDecimal.test(bare) ? finite(bare) : undefined
}
