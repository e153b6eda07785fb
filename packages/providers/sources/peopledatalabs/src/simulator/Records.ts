/**
 * The synthetic population as People Data Labs would write it down.
 *
 * Gotchas
 * - Text is lower case, unless the question says `titlecase=true`; `display_name` is as the company spells itself.
 * - URLs have no scheme, countries are names, head counts and revenues also come as ranges.
 * - A contact field that the plan hides is `false` here, where others would have left it `null`.
 */
import type { Population } from "@lading/testing"

/** How the question wants text to be written. */
export type Spell = (text: string | null) => string | null

export const lowerCase: Spell = (text) => text?.toLowerCase() ?? null

export const titleCase: Spell = (text) => text

const SIZES: ReadonlyArray<readonly [number, string]> = [
  [10, "1-10"],
  [50, "11-50"],
  [200, "51-200"],
  [500, "201-500"],
  [1000, "501-1000"],
  [5000, "1001-5000"],
  [10_000, "5001-10000"],
  [Number.POSITIVE_INFINITY, "10001+"]
]

const REVENUES: ReadonlyArray<readonly [number, string]> = [
  [1e6, "$0-$1M"],
  [1e7, "$1M-$10M"],
  [2.5e7, "$10M-$25M"],
  [5e7, "$25M-$50M"],
  [1e8, "$50M-$100M"],
  [2.5e8, "$100M-$250M"],
  [5e8, "$250M-$500M"],
  [1e9, "$500M-$1B"],
  [1e10, "$1B-$10B"],
  [Number.POSITIVE_INFINITY, "$10B+"]
]

const bucket = (buckets: typeof SIZES, count: number | null): string | null =>
  count === null ? null : (buckets.find(([upTo]) => count <= upTo)?.[1] ?? null)

const bare = (url: string | null): string | null =>
  url
    ?.replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "") ?? null

/** Stands in for the vendor's identifiers, which are opaque. */
const id = (about: string): string => `sim-${about}`

/** `street, city, state, country`, of what there is. */
const place = (parts: ReadonlyArray<string | null>): string => parts.filter((part) => part !== null).join(", ")

/** The whole answer about a company: the record is not under `data`. */
export const company = (view: Population.CompanyView, likelihood: number, spell: Spell) => ({
  status: 200,
  likelihood,
  id: id(view.domain),
  name: spell(view.name),
  display_name: view.name,
  headline: null,
  summary: view.description,
  website: bare(view.website),
  alternative_domains: view.aliases,
  alternative_names: view.legal_name === null ? [] : [spell(view.legal_name)],
  size: bucket(SIZES, view.employees),
  employee_count: view.employees,
  founded: view.founded_year,
  type: "private",
  ticker: null,
  industry: spell(view.industries[1] ?? null),
  industry_v2: spell(view.industries[0] ?? null),
  tags: view.keywords.map((keyword) => keyword.toLowerCase()),
  location:
    view.hq === null
      ? null
      : {
          name: spell(place([view.hq.city, view.hq.state, view.hq.country])),
          locality: spell(view.hq.city),
          region: spell(view.hq.state),
          metro: null,
          country: spell(view.hq.country),
          street_address: spell(view.hq.street),
          address_line_2: null,
          postal_code: view.hq.postal_code,
          geo: null
        },
  linkedin_url: bare(view.social.linkedin),
  twitter_url: bare(view.social.twitter),
  facebook_url: bare(view.social.facebook),
  profiles: Object.values(view.social).flatMap((url) => bare(url) ?? []),
  inferred_revenue: bucket(REVENUES, view.revenue),
  total_funding_raised: view.funding,
  dataset_version: "35.0"
})

const digitsOnly = (number: string): string => number.replace(/[^+\d]/g, "")

const experience = (job: Population.Job, spell: Spell) => ({
  company: {
    name: spell(job.company_name),
    id: id(job.company_domain),
    website: job.company_domain,
    linkedin_url: bare(job.company_linkedin),
    location: { locality: spell(job.company_city), country: spell(job.company_country) }
  },
  title: { name: spell(job.title), role: job.department.toLowerCase(), levels: [job.seniority.toLowerCase()] },
  start_date: job.start,
  end_date: job.end,
  is_primary: job.end === null,
  summary: null
})

const emails = (view: Population.PersonView) => [
  ...(view.work_email === null ? [] : [{ address: view.work_email, type: "current_professional", num_sources: 3 }]),
  ...(view.personal_email === null ? [] : [{ address: view.personal_email, type: "personal", num_sources: 1 }])
]

/** The vendor's words for the population's departments and levels; it has none for an executive role. */
const roles: Readonly<Record<string, string>> = {
  Operations: "operations",
  Sales: "sales",
  Engineering: "engineering",
  Marketing: "marketing",
  Finance: "finance"
}

const levels: Readonly<Record<string, ReadonlyArray<string>>> = {
  c_level: ["cxo"],
  vp: ["vp"],
  head: ["director"],
  director: ["director"],
  manager: ["manager"],
  senior: ["senior"],
  junior: ["entry"]
}

/** The whole answer about a person: the record is under `data`. */
export const person = (view: Population.PersonView, likelihood: number, spell: Spell) => ({
  status: 200,
  likelihood,
  data: {
    id: id(`${view.first_name}-${view.last_name}-${view.company_domain}`.toLowerCase()),
    full_name: spell(`${view.first_name} ${view.last_name}`),
    first_name: spell(view.first_name),
    middle_name: null,
    last_name: spell(view.last_name),
    linkedin_url: bare(view.linkedin),
    work_email: view.work_email ?? false,
    personal_emails: view.personal_email === null ? [] : [view.personal_email],
    emails: emails(view),
    mobile_phone:
      view.phones.map(({ number, type }) => (type === "mobile" ? digitsOnly(number) : null)).find(Boolean) ?? false,
    phone_numbers: view.phones.map(({ number }) => digitsOnly(number)),
    phones: view.phones.map(({ number }) => ({ number: digitsOnly(number), num_sources: 1 })),
    location_locality: view.location === null ? false : spell(view.location.city),
    location_country: spell(view.location?.country ?? null),
    job_title: spell(view.title),
    job_title_role: view.department === null ? null : (roles[view.department] ?? null),
    job_title_levels: view.seniority === null ? [] : (levels[view.seniority] ?? []),
    job_company_id: id(view.company_domain),
    job_company_name: spell(view.company_name),
    job_company_website: view.company_domain,
    job_company_linkedin_url: bare(view.company_linkedin),
    experience: view.jobs.map((job) => experience(job, spell)),
    education: view.education.map((study) => ({
      school: { name: spell(study.school), type: "post-secondary institution" },
      degrees: [spell(study.degree)],
      majors: [spell(study.major)],
      minors: [],
      start_date: String(study.start),
      end_date: String(study.end)
    })),
    dataset_version: "35.0"
  }
})
