/** Countries by ISO 3166-1 (`i18n-iso-countries`), from whatever a source writes: a name, alpha-2 or alpha-3. */
import countries from "i18n-iso-countries"
import english from "i18n-iso-countries/langs/en.json" with { type: "json" }

countries.registerLocale(english)

/** What was looked up before; the same few spellings come again and again. */
const known = new Map<string, string | null>()

/** Alpha-2 in upper case, or `null` for what is no country. */
export const code = (text: string): string | null => {
  if (text.length > LONGEST) return null
  const remembered = known.get(text)
  if (remembered !== undefined) return remembered
  if (known.size >= 2000) known.clear()
  const found = lookUp(text)
  known.set(text, found)
  return found
}

/** No country's name is longer; what sources write into the field may be. */
const LONGEST = 100

const lookUp = (text: string): string | null => {
  // "U.S.A." is an abbreviation like any other.
  const trimmed = text.trim().replace(/^(?:[A-Za-z]\.\s?){1,2}[A-Za-z]\.?$/, (letters) => letters.replace(/[.\s]/g, ""))
  const upper = trimmed.toUpperCase()
  if (/^[A-Z]{2}$/.test(upper)) return countries.isValid(upper) ? upper : upper === "UK" ? "GB" : null
  if (/^[A-Z]{3}$/.test(upper) && countries.isValid(upper)) return countries.alpha3ToAlpha2(upper) ?? null
  return (
    countries.getAlpha2Code(trimmed, "en") ??
    countries.getSimpleAlpha2Code(trimmed, "en") ??
    byUsualName().get(trimmed.toLowerCase().replaceAll("’", "'")) ??
    null
  )
}

/** Names that everybody uses and the standard does not have (`Laos`, `Syria`); gathered when one is met. */
const byUsualName = (): ReadonlyMap<string, string> =>
  (usualNames ??= new Map(
    Object.keys(countries.getAlpha2Codes()).map((alpha2) => [usualName(alpha2).toLowerCase(), alpha2])
  ))

let usualNames: ReadonlyMap<string, string> | null = null

/** The English name of an alpha-2 code. */
const name = (alpha2: string): string | null => countries.getName(alpha2, "en", { select: "official" }) ?? null

const regionNames = new Intl.DisplayNames("en", { type: "region" })

/** In the words of the Unicode locale data. */
const usualName = (alpha2: string): string => (regionNames.of(alpha2.toUpperCase()) ?? alpha2).replaceAll("’", "'")

/**
 * The English names of a country, the one that most people write first (`South Korea`, not `Korea, Republic of`); none for
 * what is no code. For searching by name, where nobody says which of them is meant.
 */
export const names = (alpha2: string): ReadonlyArray<string> => {
  if (!countries.isValid(alpha2)) return []
  const listed = countries.getName(alpha2, "en", { select: "all" }) ?? []
  const usual = usualName(alpha2)
  // A label rather than a name: `Congo - Kinshasa`, `Hong Kong SAR China`, `Trinidad & Tobago`.
  const label = / - | & | SAR |\(/.test(usual)
  return [...new Set(label ? [...listed, usual] : [usual, ...listed])]
}

/**
 * Name and code from what was said of either. A name that is no known country stays as it is, with the code that was
 * said beside it; where both are known and contradict each other, the name counts, since it is what a reader sees. An
 * abbreviation (`NO`, `U.S.A.`) is shown as the name it stands for.
 */
export const read = (
  saidName: string | null | undefined,
  saidCode: string | null | undefined
): { readonly country: string | null; readonly country_code: string | null } => {
  const text = saidName?.trim() ?? ""
  const named = text === "" ? null : code(text)
  const known = named ?? (saidCode == null ? null : code(saidCode))
  const abbreviated = text === "" || (named !== null && abbreviation.test(text))
  return {
    country: !abbreviated ? text : known === null ? null : name(known),
    country_code: known
  }
}

const abbreviation = /^(?:[A-Za-z]\.?\s?){2,3}$/
