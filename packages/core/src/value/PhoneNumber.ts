/** Telephone numbers: shown as the source writes them, compared in E.164 (`libphonenumber-js`). */
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js"

/**
 * E.164, or `null` for a number that is not possible. `region` (ISO 3166-1 alpha-2) is assumed where the number has no
 * country code.
 */
export const e164 = (text: string, region: string | null): string | null => {
  const number = parsePhoneNumberFromString(
    text,
    region !== null && isSupportedCountry(region) ? { defaultCountry: region, extract: false } : { extract: false }
  )
  return number !== undefined && number.isPossible() ? number.number : null
}

/** For numbers that cannot be parsed: their digits. */
export const digits = (text: string): string => text.replace(/\D/g, "")
