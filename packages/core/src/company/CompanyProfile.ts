/** What Lading answers about a company. Every member is there; unknown is `null` or an empty list. */
import { Schema } from "effect"

const Text = Schema.NullOr(Schema.String)
const Texts = Schema.Array(Schema.String)

const Hq = Schema.Struct({
  full_address: Text,
  city: Text,
  state: Text,
  postal_code: Text,
  country: Text,
  country_code: Text.annotate({ description: "ISO 3166-1 alpha-2, upper case" })
})

const CompanySocialLinks = Schema.Struct({
  linkedin_url: Text,
  twitter_url: Text,
  facebook_url: Text,
  crunchbase_url: Text,
  instagram_url: Text
})

export const CompanyProfile = Schema.Struct({
  name: Text,
  primary_domain: Text,
  website_url: Text,
  industries: Texts,
  description: Text,
  founded_year: Schema.NullOr(Schema.Int),
  estimated_employee_count: Schema.NullOr(Schema.Int),
  annual_revenue: Schema.NullOr(Schema.Finite).annotate({ description: "US dollars a year" }),
  total_funding: Schema.NullOr(Schema.Finite).annotate({ description: "US dollars" }),
  phones: Texts,
  hq: Hq,
  social_links: CompanySocialLinks,
  technologies: Texts,
  keywords: Texts,
  emails: Texts
}).annotate({ identifier: "CompanyProfile" })
export type CompanyProfile = typeof CompanyProfile.Type
