/** Telephone numbers: shown as the source writes them, compared in E.164 (`libphonenumber-js`). */
import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js"

/** What stands before the number in a link or in a text. */
const label = /^(?:tel|phone)\s?[.:]+\s*/i

/**
 * The international prefix of most countries, which sources write for `+`. Not `0011`, which is Australia's, since no
 * number under `+1` begins with 1.
 */
const international = /^00\s?(?!11)(?=[1-9])/

/** Longer texts hold more than a number. */
const LONGEST = 100

/** What was parsed before: kept answers are read again and again, and parsing is the dearest part of reading them. */
const parsed = new Map<string, string | null>()

/**
 * E.164, or `null` for a number that is not possible. `region` (ISO 3166-1 alpha-2) is assumed where the number has no
 * country code. An extension is another telephone: it follows as RFC 3966 writes it, `+4722000000;ext=12`.
 */
export const e164 = (text: string, region: string | null): string | null => {
  const written = text.trim()
  if (written.length > LONGEST) return null
  const question = `${region ?? ""} ${written}`
  const known = parsed.get(question)
  if (known !== undefined) return known
  if (parsed.size >= 10_000) parsed.clear()
  const found = parse(written, region)
  parsed.set(question, found)
  return found
}

const parse = (written: string, region: string | null): string | null => {
  const bare = written.replace(label, "")
  const number =
    (international.test(bare) ? possible(bare.replace(international, "+"), null) : undefined) ?? possible(bare, region)
  if (number === undefined) return null
  return number.ext === undefined ? number.number : `${number.number};ext=${number.ext}`
}

const possible = (text: string, region: string | null): PhoneNumber | undefined => {
  const number = parsePhoneNumberFromString(
    text,
    region !== null && isSupportedCountry(region) ? { defaultCountry: region, extract: false } : { extract: false }
  )
  return number?.isPossible() === true ? number : undefined
}

/** For numbers that cannot be parsed: their digits. */
export const digits = (text: string): string => text.replace(/\D/g, "")
