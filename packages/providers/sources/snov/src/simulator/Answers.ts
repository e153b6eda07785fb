/**
 * What Snov.io knows of the synthetic population, in Snov.io's shapes and spelling.
 */
import { Population, type Simulator } from "@lading/testing"
import type { Question } from "./Issued.ts"

/** Decides whom Snov.io knows and what it lacks; another number is another vendor. */
const SNOV = 2

export type Body = Readonly<Record<string, unknown>>

const bare = (url: string): string =>
  url
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "")

/** The ranges of Snov.io, by where each ends. */
const SIZES = [
  [1, "Self"],
  [10, "1-10"],
  [50, "11-50"],
  [200, "51-200"],
  [500, "201-500"],
  [1_000, "501-1000"],
  [5_000, "1001-5000"],
  [10_000, "5001-10000"]
] as const

const size = (employees: number): string => SIZES.find(([end]) => employees <= end)?.[1] ?? "10001+"

/** The number of a LinkedIn page, which Snov.io has in place of its name. */
const pageOf = (domain: string): string => {
  let h = 0
  for (const letter of domain) h = (Math.imul(h, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return `https://www.linkedin.com/company/${1_000_000 + (h % 9_000_000)}`
}

/** The last day of a month, which dates of jobs have. */
const lastDay = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

const company = (view: Population.CompanyView): Body => ({
  company_name: view.name,
  city: view.hq?.city ?? null,
  founded: view.founded_year === null ? null : String(view.founded_year),
  website: view.website === null ? null : bare(view.website),
  hq_phone: view.phones[0]?.replaceAll(/\D/g, "") ?? null,
  industry: view.industries[0] ?? null,
  size: view.employees === null ? null : size(view.employees),
  related_domains: view.aliases
})

/** The result of a domain search; a list without anything where nobody is known. */
export const companyResult = (domain: string, task_hash: string, data: Body | null): Body => ({
  data: data ?? [],
  meta: { domain, task_hash, prospects_count: data === null ? 0 : 40, emails_count: data === null ? 0 : 25 },
  links: {
    prospects: `https://api.snov.io/v2/domain-search/prospects/start?domain=${domain}`,
    domain_emails: `https://api.snov.io/v2/domain-search/domain-emails/start?domain=${domain}`,
    generic_contacts: `https://api.snov.io/v2/domain-search/generic-contacts/start?domain=${domain}`
  },
  status: "completed"
})

const statuses: Readonly<Record<Population.PersonView["work_email_status"], Body>> = {
  valid: { smtp_status: "valid" },
  invalid: { smtp_status: "unknown", unknown_status_reason: "connection_error" },
  catch_all: { smtp_status: "unknown", unknown_status_reason: "catchall" },
  unknown: { smtp_status: "unknown", unknown_status_reason: "greylist" }
}

/** An address as the finder gives it. */
export const address = (email: string, status: Body): Body => ({
  email,
  is_valid_format: true,
  is_disposable: false,
  is_webmail: false,
  is_gibberish: false,
  ...status
})

/** The result of the finder. */
export const personResult = (
  { domain, first_name, last_name }: Extract<Question, { readonly _tag: "Person" }>,
  task_hash: string,
  result: ReadonlyArray<Body>
): Body => ({
  status: "completed",
  data: [{ people: `${first_name} ${last_name}`, result }],
  meta: { rows: [{ first_name, last_name, domain }], task_hash }
})

/** What Snov.io answers when there is no profile behind an address. */
export const nobody: Body = { success: false, message: "We couldn't find profile with this email" }

const job = (at: Population.Job): Body => ({
  companyName: at.company_name,
  position: at.title,
  socialLink: pageOf(at.company_domain),
  site: `www.${at.company_domain}`,
  locality: null,
  state: null,
  city: at.company_city,
  street: null,
  street2: null,
  postal: null,
  founded: null,
  startDate: lastDay(at.start),
  endDate: at.end === null ? null : lastDay(at.end),
  size: null,
  industry: null,
  companyType: "Privately Held",
  country: at.company_country
})

const profile = (view: Population.PersonView): Body => ({
  success: true,
  id: 100_000 + view.last_name.length * 1_000 + view.first_name.length,
  source: "linkedIn",
  name: `${view.first_name} ${view.last_name}`,
  firstName: view.first_name,
  lastName: view.last_name,
  logo: null,
  industry: null,
  country: view.location?.country ?? null,
  locality: view.location === null ? null : `${view.location.city}, ${view.location.country}`,
  social: view.linkedin === null ? [] : [{ link: `https://www.${bare(view.linkedin)}/`, type: "linkedIn" }],
  currentJobs: view.jobs.filter(({ end }) => end === null).map(job),
  previousJobs: view.jobs.filter(({ end }) => end !== null).map(job),
  lastUpdateDate: "2026-02-07 10:12:28"
})

/** The result of a task that is done. */
export const result = (population: Population.SyntheticPopulation, question: Question, hash: string): Body => {
  if (question._tag === "Company") {
    const found = population.companyByDomain(question.domain)
    const view = found === null ? null : Population.viewCompany(SNOV, found)
    return companyResult(question.domain, hash, view === null ? null : company(view))
  }
  const found = population.personBy(question.first_name, question.last_name, question.domain)
  const view = found === null ? null : Population.viewPerson(SNOV, found)
  const email = view?.work_email ?? null
  return personResult(
    question,
    hash,
    view === null || email === null ? [] : [address(email, statuses[view.work_email_status])]
  )
}

/** The profile behind an address. */
export const profileOf = (population: Population.SyntheticPopulation, email: string): Body => {
  const found = population.personByEmail(email)
  const view = found === null ? null : Population.viewPerson(SNOV, found)
  return view === null ? nobody : profile(view)
}

/** A success, as JSON. */
export const success = (body: Body): Simulator.Reply => ({ status: 200, body })
