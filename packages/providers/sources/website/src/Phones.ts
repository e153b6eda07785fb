/**
 * Telephone numbers on a page: those that are links, and those in the text that say that they are numbers, by a word in
 * front of them or by an international prefix. Whether one is a number at all is `libphonenumber-js`'s word.
 *
 * Gotcha: digits alone are as often a VAT number, a date or an order, so they are not taken, and neither is a fax.
 */
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js"

const MOST = 30

const LONGEST = 60

/** What stands before a number, in the languages of most sites; Chinese, Japanese and Korean without a word boundary. */
const label =
  /(?:(?<![\p{L}\p{N}])(?:tel|telephone|telefon|téléphone|telefono|teléfono|telefone|telefoon|tlf|tfn|puh|puhelin|phone|fon|mobile?|mobil|handy|cell|call(?: us)?|ring|t|p|m|тел|телефон|τηλ)|电话|電話|전화)[.:\s()]{1,4}$/iu

const fax = /(?:(?<![\p{L}\p{N}])(?:fax|telefax|faks|télécopie|f|факс)|传真|傳真|팩스)[.:\s()]{1,4}$/iu

/** Something that may be a number: digits with what is written between them. */
const candidate = /(?<![\p{L}\p{N}])(?:\+|00|\()?\d[\d\s().\-–/\u00a0]{4,24}\d(?![\p{L}\p{N}])/gu

/** What of a page may be numbers, as it is written: links first. */
export const candidates = (hrefs: ReadonlyArray<string>, text: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const href of hrefs) {
    const number = /^tel:(.{3,60})$/is.exec(href.trim())?.[1]
    if (number !== undefined) found.add(unescaped(number).trim())
    if (found.size >= MOST) break
  }
  for (const line of text.split("\n")) {
    for (const { 0: number, index } of line.matchAll(candidate)) {
      const before = line.slice(Math.max(0, index - 24), index)
      if (fax.test(before)) continue
      if (found.size < MOST && (/^(?:\+|00)/.test(number) || label.test(before))) found.add(number)
    }
  }
  return [...found]
}

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The number in international format; `null` for what is none. `country` is where one without a country code is. */
const international = (written: string, country: string | null): string | null => {
  if (written.length > LONGEST) return null
  const text = written.replace(/^00(?=[1-9])/, "+").replace(/\(0\)/, "")
  const region = country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {}
  const number = parsePhoneNumberFromString(text, { ...region, extract: false })
  return number?.isValid() === true ? number.formatInternational() : null
}

/** The numbers among what may be some, in international format, each once. */
export const numbers = (written: ReadonlyArray<string>, country: string | null): ReadonlyArray<string> => [
  ...new Set(written.flatMap((one) => international(one, country) ?? []))
]
