/**
 * `GET /api/v1/organizations/enrich?domain=`: the part of Apollo's answer that is read, and what it says in the domain's
 * words.
 *
 * Gotchas
 * - Members come and go with plan and endpoint, so that each may be missing; an organization without id and name is none.
 * - `primary_phone` may be `{}`. The same number comes in three places and spellings.
 * - 0 stands for "unknown" in the founding year and the head count.
 * - The currency of revenue and funding is not documented; they are taken for US dollars, as Apollo shows them.
 */
import type { CompanyFacts } from "@lading/core/company"
import { Said, type Source } from "@lading/core/waterfall"
import { Schema } from "effect"

const text = Said.said(Schema.String)
const texts = Said.said(Schema.Array(Schema.String))
const number = Said.said(Schema.Finite)

/** An organization as enrichment, search and a person's record hold it. */
export const Organization = Schema.Struct({
  id: text,
  name: text,
  website_url: text,
  primary_domain: text,
  linkedin_url: text,
  twitter_url: text,
  facebook_url: text,
  crunchbase_url: text,
  primary_phone: Said.said(Schema.Struct({ number: text, sanitized_number: text })),
  sanitized_phone: text,
  phone: text,
  founded_year: number,
  industry: text,
  industries: texts,
  secondary_industries: texts,
  keywords: texts,
  estimated_num_employees: number,
  raw_address: text,
  city: text,
  state: text,
  postal_code: text,
  country: text,
  short_description: text,
  seo_description: text,
  annual_revenue: number,
  total_funding: number,
  technology_names: texts
}).check(Schema.makeFilter(({ id, name }) => known(id) !== null || known(name) !== null || "neither id nor name"))
export type Organization = typeof Organization.Type

/** The answer to `organizations/enrich` where there is one. */
export const Company = Schema.Struct({ organization: Organization })
export type Company = typeof Company.Type

/** A text that says something. */
export const known = (said: string | null | undefined): string | null => {
  const trimmed = said?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

const filled = (all: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(all.flatMap((said) => known(said) ?? []))
]

/** 0 is Apollo's word for a count or a year that it does not know. */
const counted = (said: number | null | undefined): number | null => (said === 0 ? null : (said ?? null))

/** The struct, or `null` when no member of it says anything. */
export const unlessEmpty = <A extends Readonly<Record<string, unknown>>>(members: A): A | null =>
  Object.values(members).some((member) => member !== null) ? members : null

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
  "keywords"
]

const industries = ({ industry, industries, secondary_industries }: Organization): ReadonlyArray<string> => {
  const first = filled(industries ?? [])
  return filled([...(first.length === 0 ? [industry] : first), ...(secondary_industries ?? [])])
}

/** One number, in the best of its spellings. */
const phones = (company: Organization): ReadonlyArray<string> =>
  filled([
    known(company.primary_phone?.sanitized_number) ??
      known(company.sanitized_phone) ??
      known(company.primary_phone?.number) ??
      known(company.phone)
  ])

const hq = (company: Organization): CompanyFacts["hq"] =>
  unlessEmpty({
    full_address: known(company.raw_address),
    city: known(company.city),
    state: known(company.state),
    postal_code: known(company.postal_code),
    country: known(company.country)
  })

/** What the answer says about the company. */
export const facts = (company: Organization): CompanyFacts => ({
  name: known(company.name),
  primary_domain: known(company.primary_domain),
  website_url: known(company.website_url),
  industries: industries(company),
  description: known(company.short_description) ?? known(company.seo_description),
  founded_year: counted(company.founded_year),
  estimated_employee_count: counted(company.estimated_num_employees),
  annual_revenue: company.annual_revenue ?? null,
  total_funding: company.total_funding ?? null,
  phones: phones(company),
  hq: hq(company),
  social_links: unlessEmpty({
    linkedin_url: known(company.linkedin_url),
    twitter_url: known(company.twitter_url),
    facebook_url: known(company.facebook_url),
    crunchbase_url: known(company.crunchbase_url)
  }),
  technologies: filled(company.technology_names ?? []),
  keywords: filled(company.keywords ?? [])
})
