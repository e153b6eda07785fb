/** Countries as customs files write them: codes of ISO 3166-1 (letters or number), names in the languages of trade. */
import { TradePlace } from "@lading/core/trade"
import { Country, Text } from "@lading/core/value"
import { remembering } from "./Remembered.ts"

const languages = ["es", "pt", "fr", "de", "it", "en"]

/** Names that the locale data have otherwise. */
const others: ReadonlyArray<readonly [name: string, code: string]> = [
  ["eeuu", "US"],
  ["ee.uu.", "US"],
  ["estados unidos de america", "US"],
  ["reino unido", "GB"],
  ["holanda", "NL"],
  ["corea", "KR"],
  ["corea del sur", "KR"],
  ["coreia do sul", "KR"],
  ["republica de corea", "KR"],
  ["china, republica popular", "CN"],
  ["republica popular china", "CN"],
  ["taiwan", "TW"],
  ["hong kong", "HK"],
  ["viet nam", "VN"],
  ["russia", "RU"],
  ["rusia", "RU"],
  ["turkey", "TR"]
]

const gathered = (): ReadonlyMap<string, string> => {
  const byName = new Map<string, string>()
  for (const language of languages) {
    const names = new Intl.DisplayNames(language, { type: "region" })
    for (const { code } of TradePlace.countries) byName.set(Text.key(names.of(code) ?? code), code)
  }
  for (const [name, code] of others) byName.set(name, code)
  for (const { code, numeric } of TradePlace.countries) byName.set(numeric, code)
  return byName
}

let known: ReadonlyMap<string, string> | null = null

/** Alpha-2, or `null` for what is no country. */
export const code = remembering((text): string | null => {
  if (text.length > LONGEST) return null
  known ??= gathered()
  return Country.code(text) ?? known.get(Text.key(text)) ?? null
})

/** No country's name is longer. */
const LONGEST = 100
