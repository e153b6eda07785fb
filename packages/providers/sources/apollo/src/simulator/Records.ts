/**
 * The synthetic population as Apollo writes it down.
 */
import type { Population } from "@lading/testing"
import { id } from "./Dialect.ts"

/** Decides whom Apollo knows and what it lacks; another number is another vendor. */
export const APOLLO = 1

export const bare = (url: string): string =>
  url
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "")

/** Apollo's URLs have the scheme of long ago. */
const linked = (url: string | null): string | null => (url === null ? null : `http://www.${bare(url)}`)

const phone = (numbers: ReadonlyArray<string>) => {
  const [number] = numbers
  if (number === undefined) return { primary_phone: {}, phone: null, sanitized_phone: null }
  const sanitized = number.replaceAll(/[^+\d]/g, "")
  return {
    primary_phone: { number, source: "Scraped", sanitized_number: sanitized },
    phone: number,
    sanitized_phone: sanitized
  }
}

const address = (hq: Population.CompanyView["hq"]) => ({
  raw_address: hq?.full_address ?? null,
  street_address: hq?.street ?? null,
  city: hq?.city ?? null,
  state: hq?.state ?? null,
  postal_code: hq?.postal_code ?? null,
  country: hq?.country ?? null
})

/** An organization as `organizations/enrich` and a person's record have it. */
export const organization = (view: Population.CompanyView) => {
  const [industry, ...others] = view.industries.map((word) => word.toLowerCase())
  return {
    id: id(view.domain),
    name: view.name,
    website_url: view.website === null ? null : `http://www.${bare(view.website)}`,
    primary_domain: view.domain,
    blog_url: null,
    angellist_url: null,
    linkedin_url: linked(view.social.linkedin),
    twitter_url: linked(view.social.twitter),
    facebook_url: linked(view.social.facebook),
    crunchbase_url: linked(view.social.crunchbase),
    languages: [],
    ...phone(view.phones),
    founded_year: view.founded_year,
    publicly_traded_symbol: null,
    industry: industry ?? null,
    industries: industry === undefined ? [] : [industry],
    secondary_industries: others,
    keywords: view.keywords,
    estimated_num_employees: view.employees,
    ...address(view.hq),
    short_description: view.description,
    annual_revenue: view.revenue,
    total_funding: view.funding,
    funding_events: [],
    technology_names: view.technologies,
    suborganizations: [],
    account_id: null
  }
}

const job = (employer: Population.Job) => ({
  _id: id(`${employer.company_domain}/${employer.start}`),
  current: employer.end === null,
  title: employer.title,
  organization_id: id(employer.company_domain),
  organization_name: employer.company_name,
  start_date: `${employer.start}-01`,
  end_date: employer.end === null ? null : `${employer.end}-01`,
  description: null,
  kind: null,
  degree: null,
  major: null
})

const study = (at: Population.PersonView["education"][number]) => ({
  _id: id(`${at.school}/${at.start}`),
  current: false,
  title: null,
  organization_id: null,
  organization_name: at.school,
  start_date: `${at.start}-01-01`,
  end_date: `${at.end}-01-01`,
  description: null,
  kind: "education",
  degree: at.degree,
  major: at.major
})

const statuses: Readonly<Record<Population.PersonView["work_email_status"], string>> = {
  valid: "verified",
  invalid: "bounced",
  catch_all: "extrapolated",
  unknown: "guessed"
}

const phoneTypes: Readonly<Record<string, string>> = { mobile: "mobile", work: "work_direct" }

/** The record in the customer's CRM, in which the phones are; only some people are in it. */
const contact = ({ phones }: Population.PersonView) =>
  phones.length === 0
    ? {}
    : {
        contact_id: id(phones.map(({ number }) => number).join("/")),
        contact: {
          contact_emails: [],
          phone_numbers: phones.map(({ number, type }, position) => ({
            raw_number: number,
            sanitized_number: number.replaceAll(/[^+\d]/g, ""),
            type: phoneTypes[type] ?? null,
            position,
            status: "no_status"
          }))
        }
      }

/** A person as `people/match` has them. */
export const person = (view: Population.PersonView, employer: Population.CompanyView | null) => ({
  id: id(`${view.first_name}/${view.last_name}/${view.company_domain}`),
  first_name: view.first_name,
  last_name: view.last_name,
  name: `${view.first_name} ${view.last_name}`,
  linkedin_url: linked(view.linkedin),
  title: view.title,
  headline: view.title === null ? null : `${view.title} at ${view.company_name}`,
  photo_url: null,
  email: view.work_email,
  email_status: view.work_email === null ? "unavailable" : statuses[view.work_email_status],
  extrapolated_email_confidence: null,
  organization_id: id(view.company_domain),
  state: null,
  city: view.location?.city ?? null,
  country: view.location?.country ?? null,
  employment_history: [...view.jobs.map(job), ...view.education.map(study)],
  organization: employer === null ? null : organization(employer),
  departments: view.department === null ? [] : [`master_${view.department.toLowerCase()}`],
  seniority: view.seniority,
  ...contact(view)
})
