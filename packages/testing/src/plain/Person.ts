/**
 * The plain vendor's answer about a person, and what it says in the domain's words.
 */
import type { EmailStatus, EmailType, PersonFacts, PhoneType } from "@lading/core/person"
import { Schema } from "effect"

const Mail = Schema.Struct({
  address: Schema.String,
  kind: Schema.String,
  check: Schema.String,
  score: Schema.NullOr(Schema.Finite)
})

const Job = Schema.Struct({
  employer: Schema.String,
  employerDomain: Schema.String,
  employerProfile: Schema.NullOr(Schema.String),
  city: Schema.String,
  country: Schema.String,
  title: Schema.String,
  department: Schema.NullOr(Schema.String),
  /** `YYYY-MM` */
  from: Schema.String,
  until: Schema.NullOr(Schema.String)
})

/** `GET /v1/person?firstName=&lastName=&domain=`, the part of the answer that is read. */
export const Person = Schema.Struct({
  firstName: Schema.String,
  lastName: Schema.String,
  title: Schema.NullOr(Schema.String),
  employer: Schema.Struct({
    name: Schema.String,
    domain: Schema.String,
    profile: Schema.NullOr(Schema.String)
  }),
  place: Schema.NullOr(Schema.Struct({ city: Schema.String, country: Schema.String, countryCode: Schema.String })),
  mail: Schema.Array(Mail),
  phones: Schema.Array(Schema.Struct({ number: Schema.String, kind: Schema.String })),
  profile: Schema.NullOr(Schema.String),
  jobs: Schema.Array(Job),
  studies: Schema.Array(
    Schema.Struct({
      school: Schema.String,
      degree: Schema.String,
      subject: Schema.String,
      from: Schema.Int,
      until: Schema.Int
    })
  )
})
export type Person = typeof Person.Type

/** The profile fields that an answer can fill. */
export const fields = [
  "first_name",
  "last_name",
  "current_title",
  "company_name",
  "company_domain",
  "company_linkedin_url",
  "location",
  "emails",
  "phones",
  "social_links",
  "employment_history",
  "education"
] as const

/** The vendor's words for a kind of address; a word it adds later is unknown. */
const emailTypes: ReadonlyMap<string, EmailType> = new Map([
  ["business", "work"],
  ["private", "personal"]
])

/** The vendor's words for what a check found. */
const emailStatuses: ReadonlyMap<string, EmailStatus> = new Map([
  ["ok", "valid"],
  ["bad", "invalid"],
  ["accept_all", "catch_all"]
])

const phoneTypes: ReadonlyMap<string, PhoneType> = new Map([
  ["cell", "mobile"],
  ["office", "work"]
])

/** The answer in the domain's words. */
export const facts = (person: Person): PersonFacts => ({
  first_name: person.firstName,
  last_name: person.lastName,
  current_title: person.title,
  company_name: person.employer.name,
  company_domain: person.employer.domain,
  company_linkedin_url: person.employer.profile,
  location:
    person.place === null
      ? null
      : { city: person.place.city, country: person.place.country, country_code: person.place.countryCode },
  emails: person.mail.map((mail) => ({
    email: mail.address,
    type: emailTypes.get(mail.kind) ?? "unknown",
    status: emailStatuses.get(mail.check) ?? "unknown",
    confidence: mail.score
  })),
  phones: person.phones.map(({ number, kind }) => ({ number, type: phoneTypes.get(kind) ?? "unknown" })),
  social_links: { linkedin_url: person.profile },
  employment_history: person.jobs.map((job) => ({
    company_name: job.employer,
    title: job.title,
    start_date: job.from,
    end_date: job.until,
    is_current: job.until === null,
    company_domain: job.employerDomain,
    company_linkedin_url: job.employerProfile,
    department: job.department,
    company_city: job.city,
    company_country: job.country
  })),
  education: person.studies.map((study) => ({
    school: study.school,
    degree: study.degree,
    major: study.subject,
    start: String(study.from),
    end: String(study.until)
  }))
})
