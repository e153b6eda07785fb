/**
 * Product codes out of files that have lost zeros. Zeros are put back by the width that the source's codes have, never by
 * guess: a code of another width than the source says is kept as it is, and is no code to compare by.
 */
import { HsCode } from "@lading/core/trade"
import { Schema } from "effect"

/**
 * How many digits the codes of a source have. `even`: codes of two, four, six, eight or ten digits are mixed, so an odd
 * number means that one zero was lost. `null`: nothing is known, and nothing put back.
 */
export const Width = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 12 })),
  Schema.Literal("even")
])
export type Width = typeof Width.Type

export interface Hs {
  readonly hs_raw: string | null
  readonly hs_code: string | null
}

const isKnown = (code: string): boolean => HsCode.chapter(code) !== null || /^9[89]/.test(code)

const padded = (digits: string, width: Width | null): string => {
  if (width === "even") return digits.length % 2 === 1 ? `0${digits}` : digits
  return width === null ? digits : digits.padStart(width, "0")
}

const code = (digits: string): string | null => {
  if (digits.length % 2 === 1 || digits.length > 12 || !isKnown(digits)) return null
  if (digits.length >= 6) return digits.slice(0, 6)
  return digits.length === 4 || digits.length === 2 ? digits : null
}

export const read = (text: string, width: Width | null): Hs => {
  // `84122981.0` and `37.` have been numbers on their way.
  const digits = text.replace(/^(\d+)\.0?$/, "$1").replace(/(?<=\d)[.\s-](?=\d)/g, "")
  if (!/^\d+$/.test(digits)) return { hs_raw: text, hs_code: null }
  const full = padded(digits, width)
  const found = code(full)
  return { hs_raw: found === null ? text : full, hs_code: found }
}
