/**
 * The plain vendor's answer about a company, and what it says in the domain's words.
 */
import type { CompanyFacts } from "@lading/core/company"
import { Schema } from "effect"

/** An address in both answers. */
const Address = Schema.Struct({
  line: Schema.String,
  city: Schema.String,
  region: Schema.NullOr(Schema.String),
  postcode: Schema.String,
  country: Schema.String,
  countryCode: Schema.String
})

/** `GET /v1/company?domain=` or `?name=`, the part of the answer that is read. */
export const Company = Schema.Struct({
  name: Schema.String,
  domain: Schema.String,
  otherDomains: Schema.Array(Schema.String),
  website: Schema.NullOr(Schema.String),
  industries: Schema.Array(Schema.String),
  about: Schema.NullOr(Schema.String),
  foundedYear: Schema.NullOr(Schema.Int),
  headCount: Schema.NullOr(Schema.Int),
  revenueUsd: Schema.NullOr(Schema.Finite),
  fundingUsd: Schema.NullOr(Schema.Finite),
  phones: Schema.Array(Schema.String),
  address: Schema.NullOr(Address),
  profiles: Schema.Struct({
    linkedin: Schema.NullOr(Schema.String),
    twitter: Schema.NullOr(Schema.String),
    facebook: Schema.NullOr(Schema.String),
    crunchbase: Schema.NullOr(Schema.String),
    instagram: Schema.NullOr(Schema.String)
  }),
  tech: Schema.Array(Schema.String),
  tags: Schema.Array(Schema.String),
  mailboxes: Schema.Array(Schema.String)
})
export type Company = typeof Company.Type

/** The profile fields that an answer can fill: all of them. */
export const fields = [
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
] as const

const hq = (address: Company["address"]): CompanyFacts["hq"] =>
  address === null
    ? null
    : {
        full_address: address.line,
        city: address.city,
        state: address.region,
        postal_code: address.postcode,
        country: address.country,
        country_code: address.countryCode
      }

/** The answer in the domain's words. */
export const facts = (company: Company): CompanyFacts => ({
  name: company.name,
  primary_domain: company.domain,
  domain_aliases: company.otherDomains,
  website_url: company.website,
  industries: company.industries,
  description: company.about,
  founded_year: company.foundedYear,
  estimated_employee_count: company.headCount,
  annual_revenue: company.revenueUsd,
  total_funding: company.fundingUsd,
  phones: company.phones,
  hq: hq(company.address),
  social_links: {
    linkedin_url: company.profiles.linkedin,
    twitter_url: company.profiles.twitter,
    facebook_url: company.profiles.facebook,
    crunchbase_url: company.profiles.crunchbase,
    instagram_url: company.profiles.instagram
  },
  technologies: company.tech,
  keywords: company.tags,
  emails: company.mailboxes
})
