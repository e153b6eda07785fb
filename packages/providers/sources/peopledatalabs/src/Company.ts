/**
 * `GET /v5/company/enrich`: the question, the part of the answer that is read, and the facts in it.
 *
 * Gotchas: the record is the whole answer, not under `data`; there are no phones, no e-mail addresses and no
 * technologies in it; not every plan has every field.
 */
import { Schema } from "effect"
import type { CompanyFacts, CompanyIdentity } from "@lading/core/company"
import { Bucket, range } from "./Bucket.ts"
import { distinct, given, group, known, text, texts, titled } from "./Given.ts"
import { minimum } from "./Likelihood.ts"

export const path = "/v5/company/enrich"

/** The fields that an answer can fill. */
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
  "hq",
  "social_links",
  "keywords"
] as const

/** A domain or a name is enough. */
export const accepts = (identity: CompanyIdentity): boolean =>
  text(identity.domain) !== null || text(identity.name) !== null

/** The parameters of the question, without empty ones. */
export const question = (identity: CompanyIdentity): Readonly<Record<string, string>> => {
  const website = text(identity.domain)
  const name = text(identity.name)
  return {
    ...(website === null ? {} : { website }),
    ...(name === null ? {} : { name }),
    min_likelihood: String(minimum),
    titlecase: "true"
  }
}

const Location = Schema.Struct({
  name: given(Schema.String),
  street_address: given(Schema.String),
  locality: given(Schema.String),
  region: given(Schema.String),
  postal_code: given(Schema.String),
  country: given(Schema.String)
})

const CompanyRecord = Schema.Struct({
  id: given(Schema.String),
  name: given(Schema.String),
  display_name: given(Schema.String),
  headline: given(Schema.String),
  summary: given(Schema.String),
  website: given(Schema.String),
  alternative_domains: given(Schema.Array(Schema.String)),
  size: given(Bucket),
  employee_count: given(Schema.Finite),
  founded: given(Schema.Finite),
  industry: given(Schema.String),
  industry_v2: given(Schema.String),
  tags: given(Schema.Array(Schema.String)),
  location: given(Location),
  linkedin_url: given(Schema.String),
  twitter_url: given(Schema.String),
  facebook_url: given(Schema.String),
  profiles: given(Schema.Array(Schema.String)),
  inferred_revenue: given(Bucket),
  total_funding_raised: given(Schema.Finite)
})

/** A company's record. One that has neither an id nor a name is none. */
export const Company = CompanyRecord.check(
  Schema.makeFilter((company) => text(company.id) !== null || text(company.name) !== null || "neither id nor name")
)
export type Company = typeof Company.Type

const hq = (company: Company): CompanyFacts["hq"] => {
  const location = known(company.location)
  if (location === null) return null
  const parts = [titled(location.street_address), titled(location.name)].filter((part) => part !== null)
  return group({
    full_address: parts.length === 0 ? null : parts.join(", "),
    city: titled(location.locality),
    state: titled(location.region),
    postal_code: text(location.postal_code),
    country: titled(location.country)
  })
}

/** The profile on `site`, of which only a list of URLs knows. */
const profileOn = (company: Company, site: string): string | null =>
  texts(company.profiles).find((url) => new RegExp(`^(?:https?://)?(?:[a-z]+\\.)?${site}\\.com/`, "i").test(url)) ??
  null

const socialLinks = (company: Company): CompanyFacts["social_links"] =>
  group({
    linkedin_url: text(company.linkedin_url),
    twitter_url: text(company.twitter_url),
    facebook_url: text(company.facebook_url),
    crunchbase_url: profileOn(company, "crunchbase"),
    instagram_url: profileOn(company, "instagram")
  })

/** What the record says, in the domain's words. */
export const facts = (company: Company): CompanyFacts => ({
  name: text(company.display_name) ?? titled(company.name),
  primary_domain: text(company.website),
  domain_aliases: texts(company.alternative_domains),
  website_url: text(company.website),
  industries: distinct(
    [company.industry_v2, company.industry].flatMap((industry) => text(industry) ?? []),
    (industry) => industry.toLowerCase()
  ),
  description: text(company.summary) ?? text(company.headline),
  founded_year: known(company.founded),
  estimated_employee_count: known(company.employee_count) ?? range(known(company.size)),
  annual_revenue: range(known(company.inferred_revenue)),
  total_funding: known(company.total_funding_raised),
  hq: hq(company),
  social_links: socialLinks(company),
  keywords: texts(company.tags)
})
