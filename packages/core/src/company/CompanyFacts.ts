/**
 * What a source says about one company, each value as that source spells it.
 */
import { Schema } from "effect"
import { Address, Estimate, said } from "../waterfall/Said.ts"

export const CompanyFacts = Schema.Struct({
  name: said(Schema.String),
  primary_domain: said(Schema.String),
  /** Other domains of the same company; used to judge whether the answer is about the right one, never shown. */
  domain_aliases: said(Schema.Array(Schema.String)),
  website_url: said(Schema.String),
  industries: said(Schema.Array(Schema.String)),
  description: said(Schema.String),
  founded_year: said(Schema.Finite),
  estimated_employee_count: said(Estimate),
  /** US dollars a year. */
  annual_revenue: said(Estimate),
  /** US dollars in all. */
  total_funding: said(Schema.Finite),
  phones: said(Schema.Array(Schema.String)),
  hq: said(Address),
  /** Profile URLs, with or without a scheme. */
  social_links: said(
    Schema.Struct({
      linkedin_url: said(Schema.String),
      twitter_url: said(Schema.String),
      facebook_url: said(Schema.String),
      crunchbase_url: said(Schema.String),
      instagram_url: said(Schema.String)
    })
  ),
  technologies: said(Schema.Array(Schema.String)),
  keywords: said(Schema.Array(Schema.String)),
  emails: said(Schema.Array(Schema.String))
})
export type CompanyFacts = typeof CompanyFacts.Type
