/** Invented companies, the same for the same number: names of a common, a usual and a rare word. */
import { KnownCompany } from "@lading/core/company"
import { Industries, Technologies } from "@lading/core/reference"

const common = "Robotics Foods Textiles Motors Chemicals Logistics Timber Steel Optics Marine".split(" ")
const countries = "NO DE US CN PE BR FR IN GB SE IT ES NL PL JP KR VN TR MX CO".split(" ")
const syllables = "ba do fi ga hu ji ko lu me na po qui ra si to vu wa xe yo zu".split(" ")

/** Every bit of the result depends on every bit of the number. */
const mixed = (number: number): number => {
  const a = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return (b ^ (b >>> 16)) >>> 0
}

const word = (number: number): string => {
  let [rest, text] = [number, ""]
  for (let letters = 0; letters < 4; letters++) {
    text += syllables[rest % syllables.length] ?? ""
    rest = Math.floor(rest / syllables.length)
  }
  return text
}

/** The rare word of a company: a few have it. */
export const rareOf = (index: number): string => word(mixed(index) % 160_000)

export const commonOf = (index: number): string => common[mixed(index + 7) % common.length] ?? ""

export const countryOf = (index: number): string =>
  countries[Math.floor((mixed(index + 13) % 1000) ** 2 / 50_000)] ?? "NO"

export const industryOf = (index: number): string =>
  Industries.all[mixed(index + 17) % Industries.all.length]?.name ?? ""

export const domainOf = (index: number): string => `${rareOf(index)}-${index}.example`

export const at = (index: number): KnownCompany.KnownCompany => {
  const name = `${rareOf(index)} ${word(mixed(index + 3) % 3000)} ${commonOf(index)}`
  const min = mixed(index + 19) % 5000
  return {
    ...KnownCompany.nothing,
    account: null,
    trader_id: null,
    name,
    domain: domainOf(index),
    website_url: `https://${domainOf(index)}/`,
    country: countryOf(index),
    city: `City ${index % 5000}`,
    industries: [industryOf(index)],
    technologies: Array.from(
      { length: index % 5 },
      (_, one) => Technologies.all[mixed(index * 5 + one) % Technologies.all.length]?.name ?? ""
    ),
    employees: index % 4 === 0 ? null : { min, max: min + 50 },
    founded_year: 1900 + (mixed(index + 23) % 120),
    description: index % 3 === 0 ? `${name} is invented, for measuring.` : null
  }
}
