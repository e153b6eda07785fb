/**
 * A person in Snov.io's words: the result of `emails-by-domain-by-name`, which finds addresses, and the profile behind an
 * address (`POST /v1/get-profile-by-email`).
 *
 * Gotchas
 * - One name may have several addresses, also at other domains: those of the domain that was asked about come first.
 * - `hidden_by_owner` says that somebody had their address removed.
 * - A profile that is not there comes with `success` true or false: without id and name it is none.
 * - Snov.io gives a place as free text and the country beside it.
 * - The profile may be that of somebody with several jobs, or a new one: title and company come from the present job at
 *   the domain that was asked about, or from one whose site is not known, and else from none.
 */
import type { EmailStatus, PersonFacts } from "@lading/core/person"
import { Said, type Source } from "@lading/core/waterfall"
import { Schema } from "effect"
import { host, known } from "./Company.ts"

const text = Said.said(Schema.String)
const spelt = Said.said(Schema.Union([Schema.String, Schema.Finite]))
const flag = Said.said(Schema.Boolean)

const Address = Schema.Struct({
  email: Schema.String,
  smtp_status: text,
  is_disposable: flag,
  is_webmail: flag,
  unknown_status_reason: text
})
type Address = typeof Address.Type

/** The result of the finder when it is done; it was asked about one name. */
export const Found = Schema.Struct({
  status: Schema.String,
  data: Schema.Array(Schema.Struct({ result: Schema.NullOr(Schema.Array(Address)) })),
  meta: Schema.Struct({ rows: Schema.Array(Schema.Struct({ domain: text })) })
})
export type Found = typeof Found.Type

const Job = Schema.Struct({
  companyName: text,
  position: text,
  socialLink: text,
  site: text,
  city: text,
  country: text,
  startDate: text,
  endDate: text
})
type Job = typeof Job.Type

/** The profile behind an address. */
export const Profile = Schema.Struct({
  id: spelt,
  name: text,
  firstName: text,
  lastName: text,
  country: text,
  locality: text,
  social: Said.said(Schema.Array(Schema.Struct({ link: text, type: text }))),
  currentJobs: Said.said(Schema.Array(Job)),
  previousJobs: Said.said(Schema.Array(Job))
})
export type Profile = typeof Profile.Type

/** The profile fields that an answer can fill. */
export const fields: NonNullable<Source.Source["person"]>["fields"] = [
  "first_name",
  "last_name",
  "current_title",
  "company_name",
  "company_domain",
  "company_website",
  "company_linkedin_url",
  "location",
  "emails",
  "social_links",
  "employment_history"
]

const addresses = ({ data }: Found): ReadonlyArray<Address> => data[0]?.result ?? []

const reason = ({ unknown_status_reason }: Address): string => known(unknown_status_reason)?.toLowerCase() ?? ""

/** Whether the owner of an address had it removed. */
export const isHidden = (found: Found): boolean =>
  addresses(found).some((address) => reason(address) === "hidden_by_owner")

const askedDomain = ({ meta }: Found): string | null => host(meta.rows[0]?.domain)

const statusOf = (address: Address): EmailStatus => {
  if (address.is_disposable === true) return "invalid"
  switch (known(address.smtp_status)?.toLowerCase()) {
    case "valid":
      return "valid"
    case "not_valid":
      return "invalid"
    default:
      return reason(address) === "catchall" ? "catch_all" : "unknown"
  }
}

type Emails = NonNullable<PersonFacts["emails"]>

/** The addresses that were found, those at the domain that was asked about first, each once. */
export const emails = (found: Found): Emails => {
  const domain = askedDomain(found)
  const all = addresses(found).flatMap((address): Emails => {
    const email = known(address.email)
    if (email === null) return []
    return [{ email, type: address.is_webmail === true ? "personal" : "work", status: statusOf(address) }]
  })
  const at = (email: string) => host(email.slice(email.lastIndexOf("@") + 1)) === domain
  const ordered = [...all.filter(({ email }) => at(email)), ...all.filter(({ email }) => !at(email))]
  return [...Map.groupBy(ordered, ({ email }) => email.toLowerCase()).values()].flatMap((same) => same.slice(0, 1))
}

/** The profile, unless it is nobody's. */
export const somebody = (profile: Profile): Profile | null =>
  known(profile.id) === null && known(profile.name) === null ? null : profile

const jobAt = (domain: string | null, jobs: ReadonlyArray<Job>): Job | null =>
  jobs.find(({ site }) => domain !== null && host(site) === domain) ??
  jobs.find(({ site }) => host(site) === null) ??
  null

/** Of a place written as `Oslo, Norway`, beside `Norway`, the city; what is written otherwise may be any place. */
const cityOf = ({ country, locality }: Profile): string | null => {
  const parts = known(locality)?.split(",").map(known) ?? []
  const last = parts.at(-1)?.toLowerCase()
  return parts.length > 1 && last !== undefined && last === known(country)?.toLowerCase() ? (parts[0] ?? null) : null
}

const location = (profile: Profile): PersonFacts["location"] => {
  const place = { city: cityOf(profile), country: known(profile.country) }
  return place.city === null && place.country === null ? null : place
}

const employment = (job: Job, is_current: boolean): NonNullable<PersonFacts["employment_history"]>[number] => ({
  company_name: known(job.companyName),
  title: known(job.position),
  start_date: known(job.startDate),
  end_date: known(job.endDate),
  is_current,
  company_domain: host(job.site),
  company_linkedin_url: known(job.socialLink),
  company_city: known(job.city),
  company_country: known(job.country)
})

/** What both answers say about the person. */
export const facts = (found: Found, profile: Profile | null): PersonFacts => {
  const present = profile?.currentJobs ?? []
  const job = jobAt(askedDomain(found), present)
  const linkedin = known(profile?.social?.find(({ type }) => known(type)?.toLowerCase() === "linkedin")?.link)
  return {
    first_name: known(profile?.firstName),
    last_name: known(profile?.lastName),
    current_title: known(job?.position),
    company_name: known(job?.companyName),
    company_domain: host(job?.site),
    company_website: known(job?.site),
    company_linkedin_url: known(job?.socialLink),
    location: profile === null ? null : location(profile),
    emails: emails(found),
    social_links: linkedin === null ? null : { linkedin_url: linkedin },
    employment_history: [
      ...present.map((one) => employment(one, true)),
      ...(profile?.previousJobs ?? []).map((one) => employment(one, false))
    ]
  }
}
