/**
 * `GET /v2/companies/find?domain=`: the part of Hunter's answer that is read, and what it says in the domain's words.
 *
 * Gotchas
 * - Payloads in circulation disagree on which keys exist (`instagram` comes and goes) and on what may be null (`name`
 *   may, on a hit). Every key may be missing except `data` and `data.domain`: an answer that does not say which company
 *   it is about is no answer.
 * - Two shapes are not documented and are read only where they are beyond doubt: `estimatedAnnualRevenue` as a range
 *   in dollars, `fundingRounds` as amounts in US dollars.
 */
import type { CompanyFacts } from "@lading/core/company"
import { Said, type Source } from "@lading/core/waterfall"
import { Option, Schema } from "effect"
import * as Handles from "./Handles.ts"
import * as Ranges from "./Ranges.ts"

const text = Said.said(Schema.String)
const texts = Said.said(Schema.Array(Schema.String))
const number = Said.said(Schema.Union([Schema.Finite, Schema.FiniteFromString]))
const profile = Said.said(Schema.Struct({ handle: text }))

/** A size that is documented as a range; a text that is none is another answer than the one that was promised. */
const Size = Schema.Union([
  Schema.Finite,
  Schema.String.check(
    Schema.makeFilter((value: string) => value.trim() === "" || Ranges.read(value) !== null, {
      expected: "a number or a range"
    })
  )
])

const Data = Schema.Struct({
  name: text,
  legalName: text,
  domain: Schema.String,
  domainAliases: texts,
  site: Said.said(Schema.Struct({ phoneNumbers: texts, emailAddresses: texts })),
  category: Said.said(Schema.Struct({ sector: text, industryGroup: text, industry: text, subIndustry: text })),
  tags: texts,
  description: text,
  foundedYear: number,
  location: text,
  geo: Said.said(Schema.Struct({ city: text, state: text, postalCode: text, country: text, countryCode: text })),
  linkedin: profile,
  twitter: profile,
  facebook: profile,
  crunchbase: profile,
  instagram: profile,
  phone: text,
  metrics: Said.said(
    Schema.Struct({
      employees: Said.said(Size),
      raised: number,
      annualRevenue: number,
      estimatedAnnualRevenue: Schema.optional(Schema.Unknown)
    })
  ),
  tech: texts,
  fundingRounds: Said.said(Schema.Array(Schema.Unknown))
})
type Data = typeof Data.Type

/** The answer to `companies/find`. */
export const Company = Schema.Struct({ data: Data })
export type Company = typeof Company.Type

/** A round whose amount is beyond doubt. */
const DollarRound = Schema.Struct({ amount: Schema.Finite, currency: Schema.Literals(["USD", "usd", "$"]) })
const readRound = Schema.decodeUnknownOption(DollarRound)

/** The sum of the rounds; nothing when there are none, or when one of them cannot be counted in dollars. */
const sumOfRounds = (rounds: ReadonlyArray<unknown>): number | null => {
  const counted = rounds.map((round) => readRound(round)).filter(Option.isSome)
  if (rounds.length === 0 || counted.length < rounds.length) return null
  return counted.reduce((sum, round) => sum + round.value.amount, 0)
}

const estimate = (value: unknown): Said.Estimate | null => {
  if (typeof value === "number") return value
  return typeof value === "string" ? Ranges.read(value) : null
}

const filled = (values: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  values.filter((value) => typeof value === "string" && value.trim() !== "").map(String)

/** The struct, or `null` when no member of it says anything. */
const unlessEmpty = <A extends Readonly<Record<string, unknown>>>(members: A): A | null =>
  Object.values(members).some((member) => member !== null) ? members : null

const address = (data: Data) =>
  unlessEmpty({
    full_address: data.location ?? null,
    city: data.geo?.city ?? null,
    state: data.geo?.state ?? null,
    postal_code: data.geo?.postalCode ?? null,
    country: data.geo?.country ?? null,
    country_code: data.geo?.countryCode ?? null
  })

const socialLinks = (data: Data) =>
  unlessEmpty({
    linkedin_url: Handles.linkedinCompany(data.linkedin),
    twitter_url: Handles.twitter(data.twitter),
    facebook_url: Handles.facebook(data.facebook),
    crunchbase_url: Handles.crunchbase(data.crunchbase),
    instagram_url: Handles.instagram(data.instagram)
  })

/** The profile fields that an answer can fill. */
export const fields: NonNullable<Source.Source["company"]>["fields"] = [
  "name",
  "primary_domain",
  "website_url",
  "industries",
  "description",
  "founded_year",
  "estimated_employee_count",
  "annual_revenue",
  "total_funding",
  "phones",
  "hq",
  "social_links",
  "technologies",
  "keywords",
  "emails"
]

/** What the answer says about the company. */
export const facts = ({ data }: Company): CompanyFacts => ({
  name: data.name ?? data.legalName ?? null,
  primary_domain: data.domain,
  domain_aliases: data.domainAliases ?? [],
  website_url: `https://${data.domain}`,
  industries: filled([
    data.category?.industry,
    data.category?.subIndustry,
    data.category?.industryGroup,
    data.category?.sector
  ]),
  description: data.description ?? null,
  founded_year: data.foundedYear ?? null,
  estimated_employee_count: estimate(data.metrics?.employees),
  annual_revenue: data.metrics?.annualRevenue ?? estimate(data.metrics?.estimatedAnnualRevenue),
  total_funding: data.metrics?.raised ?? sumOfRounds(data.fundingRounds ?? []),
  phones: filled([...(data.site?.phoneNumbers ?? []), data.phone]),
  hq: address(data),
  social_links: socialLinks(data),
  technologies: data.tech ?? [],
  keywords: data.tags ?? [],
  emails: data.site?.emailAddresses ?? []
})

/**
 * Whether the facts say anything beyond which company they are about. Hunter knows of some domains only that they
 * exist; such an answer is a miss.
 */
export const saysSomething = ({
  primary_domain: _domain,
  domain_aliases: _aliases,
  website_url: _url,
  ...rest
}: CompanyFacts): boolean =>
  Object.values(rest).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null))
