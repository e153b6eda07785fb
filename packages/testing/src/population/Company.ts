/**
 * One synthetic company, complete and in its own spelling. What a vendor knows of it is a `CompanyView`.
 */
import { type Chance, chance } from "./Chance.ts"
import { slug } from "./Slug.ts"
import { COMPANY_WORDS, OSLO, type Place, PLACES, ROBOTICS, TECHNOLOGIES, type Trade, TRADES } from "./Words.ts"

export interface Company {
  readonly slug: string
  readonly name: string
  /** With its legal form, e.g. `Nordvik Robotics AS`. */
  readonly legal_name: string
  /** `<slug>.example` */
  readonly domain: string
  /** Other domains of the same company. */
  readonly aliases: ReadonlyArray<string>
  readonly industries: ReadonlyArray<string>
  readonly description: string
  readonly founded_year: number
  readonly employees: number
  /** US dollars a year. */
  readonly revenue: number
  /** US dollars in all; `null` where the company never raised any. */
  readonly funding: number | null
  /** E.164. */
  readonly phones: ReadonlyArray<string>
  readonly hq: {
    readonly full_address: string
    readonly street: string
    readonly city: string
    readonly state: string | null
    readonly postal_code: string
    readonly country: string
    /** ISO 3166-1 alpha-2. */
    readonly country_code: string
  }
  readonly social: {
    readonly linkedin: string
    readonly twitter: string
    readonly facebook: string
    readonly crunchbase: string
    readonly instagram: string
  }
  readonly technologies: ReadonlyArray<string>
  readonly keywords: ReadonlyArray<string>
  readonly emails: ReadonlyArray<string>
  /** Known to every vendor: documentation and examples count on it. */
  readonly famous: boolean
}

interface Sort {
  readonly name: string
  readonly place: Place
  readonly trade: Trade
  readonly famous: boolean
}

const FAMOUS: ReadonlyArray<Sort> = [
  { name: "Nordvik Robotics", place: OSLO, trade: ROBOTICS, famous: true },
  { name: "Acme Robotics", place: PLACES[6] ?? OSLO, trade: ROBOTICS, famous: true }
]

/** Different names for every index below 320: each word meets each trade once. */
const sortOf = (seed: number, index: number): Sort => {
  const famous = FAMOUS[index]
  if (famous !== undefined) return famous
  const word = COMPANY_WORDS[index % COMPANY_WORDS.length] ?? COMPANY_WORDS[0]
  const round = Math.floor(index / COMPANY_WORDS.length)
  const trade = TRADES[(index + round) % TRADES.length] ?? TRADES[0]
  const place = chance(`${seed}/place`).pick(String(index), PLACES)
  return { name: `${word} ${trade.word}`, place, trade, famous: false }
}

/** A number of a fictional range. */
const line = (it: Chance, about: string, { prefix, digits }: Place["line"]): string =>
  prefix + String(it.int(about, 0, 10 ** digits - 1)).padStart(digits, "0")

const hqOf = (place: Place): Company["hq"] => ({
  full_address: [place.street, `${place.postal_code} ${place.city}`, place.country].join(", "),
  street: place.street,
  city: place.city,
  state: place.state,
  postal_code: place.postal_code,
  country: place.country,
  country_code: place.country_code
})

/** The company at `index` of the population that `seed` makes. */
export const makeCompany = (seed: number, index: number): Company => {
  const { name, place, trade, famous } = sortOf(seed, index)
  const own = slug(name)
  const it = chance(`${seed}/company/${own}`)
  const employees = Math.round(10 ** (1 + 3 * it.fraction("employees")))
  return {
    slug: own,
    name,
    legal_name: `${name} ${place.legal_form}`,
    domain: `${own}.example`,
    aliases: famous || it.maybe("aliases", 0.4) ? [`${own}-group.example`] : [],
    industries: trade.industries,
    description: `Synthetic company for demonstrations. ${name} of ${place.city} deals in ${trade.keywords[0]} and ${trade.keywords[1]}.`,
    founded_year: it.int("founded", 1921, 2021),
    employees,
    revenue: employees * it.int("revenue", 90, 310) * 1000,
    funding: it.maybe("funding", 0.5) ? it.int("funds", 2, 180) * 500_000 : null,
    phones: [line(it, "phone", place.line), ...(it.maybe("phones", 0.3) ? [line(it, "second phone", place.line)] : [])],
    hq: hqOf(place),
    // The profiles do not exist: the suffix keeps them apart from any that do.
    social: {
      linkedin: `linkedin.com/company/${own}-example`,
      twitter: `twitter.com/${own.replaceAll("-", "_")}_example`,
      facebook: `facebook.com/${own}-example`,
      crunchbase: `crunchbase.com/organization/${own}-example`,
      instagram: `instagram.com/${own}.example`
    },
    technologies: it.sample("technologies", TECHNOLOGIES, it.int("technology count", 3, 7)),
    keywords: it.sample("keywords", trade.keywords, it.int("keyword count", 3, 5)),
    emails: [`info@${own}.example`, ...(it.maybe("sales", 0.6) ? [`sales@${own}.example`] : [])],
    famous
  }
}
