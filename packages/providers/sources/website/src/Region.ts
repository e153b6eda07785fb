/**
 * The country that a site's telephone numbers are in where they do not say it: that of the company's address, else of
 * the domain's ending, else of the page's language (`nb-NO`), which may be that of a translation.
 */
import type { CompanyFacts } from "@lading/core/company"
import { Country } from "@lading/core/value"
import type { Extract } from "./Extract.ts"

/** Endings that belong to a country and are used by everybody. */
const generic = new Set("ai cc co dj fm gg im io la ly me nu sh tk to tv ws".split(" "))

const byDomain = (domain: string): string | null => {
  const ending = domain.slice(domain.lastIndexOf(".") + 1)
  if (ending.length !== 2 || generic.has(ending)) return null
  return Country.code(ending)
}

const byLocale = (locale: string | null | undefined): string | null => {
  const region = /^[a-z]{2,3}(?:[-_][A-Za-z]{4})?[-_]([A-Za-z]{2})$/.exec(locale?.trim() ?? "")?.[1]
  return region === undefined ? null : Country.code(region)
}

/** By the ending of a page's host, else by its languages. ISO 3166-1 alpha-2, or `null`. */
export const ofPage = (language: string | null, locale: string | null, host: string): string | null => {
  const ending = byDomain(host)
  if (ending !== null) return ending
  const spoken = byLocale(locale) ?? byLocale(language)
  // A site in American English is as often anybody's.
  return spoken === "US" ? null : spoken
}

/** Of a company with this address. ISO 3166-1 alpha-2, or `null`. */
export const of = (hq: CompanyFacts["hq"], pages: ReadonlyArray<Extract>, domain: string): string | null => {
  const address = Country.read(hq?.country, hq?.country_code).country_code
  if (address !== null) return address
  for (const { language, meta } of pages) {
    const region = ofPage(language, meta["og:locale"] ?? null, domain)
    if (region !== null) return region
  }
  return null
}
