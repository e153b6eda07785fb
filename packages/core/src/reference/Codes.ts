/**
 * Codes of countries (ISO 3166-1: `i18n-iso-countries`, with currencies and continents of `countries-list` and calling
 * codes of `libphonenumber-js`) and of languages (ISO 639-1: `iso-639-1`).
 *
 * Gotcha: Kosovo (`XK`) is in the list though its code is one of those that the standard leaves to its users.
 */
import { Schema } from "effect"
import iso from "i18n-iso-countries"
import languageCodes from "iso-639-1"
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js"
import * as Country from "../value/Country.ts"
import * as Land from "../value/Land.ts"

export const CountryCode = Schema.Struct({
  code: Schema.String.annotate({ description: "ISO 3166-1 alpha-2" }),
  code3: Schema.NullOr(Schema.String).annotate({ description: "ISO 3166-1 alpha-3" }),
  numeric: Schema.NullOr(Schema.String).annotate({ description: "ISO 3166-1 numeric, three digits" }),
  name: Schema.String.annotate({ description: "The usual English name" }),
  calling_code: Schema.NullOr(Schema.String).annotate({ description: "As it is dialled, such as +47" }),
  currency: Schema.NullOr(Schema.String).annotate({ description: "ISO 4217, the first of those in use" }),
  continent: Schema.NullOr(Schema.String).annotate({ description: "Such as South America" })
}).annotate({ identifier: "CountryCode" })
export type CountryCode = typeof CountryCode.Type

export const LanguageCode = Schema.Struct({
  code: Schema.String.annotate({ description: "ISO 639-1" }),
  name: Schema.String.annotate({ description: "The English name" }),
  native_name: Schema.String.annotate({ description: "As its speakers write it" })
}).annotate({ identifier: "LanguageCode" })
export type LanguageCode = typeof LanguageCode.Type

/** Of the number plan that the country is in; for the few that `libphonenumber-js` leaves out, the listed one. */
const callingCode = (code: string): string | null => {
  const digits = isSupportedCountry(code) ? getCountryCallingCode(code) : Land.of(code).calling_code
  return digits === null ? null : `+${digits}`
}

const countryOf = (code: string): CountryCode => {
  const { continent, currency } = Land.of(code)
  return {
    code,
    code3: iso.alpha2ToAlpha3(code) ?? null,
    numeric: iso.alpha2ToNumeric(code)?.padStart(3, "0") ?? null,
    name: Country.names(code)[0] ?? code,
    calling_code: callingCode(code),
    currency,
    continent
  }
}

/** All countries, by code. */
export const countries: ReadonlyArray<CountryCode> = Object.keys(iso.getAlpha2Codes()).toSorted().map(countryOf)

/** All languages, by code. */
export const languages: ReadonlyArray<LanguageCode> = languageCodes
  .getLanguages(languageCodes.getAllCodes())
  .map(({ code, name, nativeName }) => ({ code, name, native_name: nativeName }))
  .toSorted((a, b) => (a.code < b.code ? -1 : 1))
