/**
 * `GET /v5/person/enrich`: the question, the part of the answer that is read, and the facts in it.
 *
 * Gotchas: the record is under `data`; `emails[]` reaches back into former jobs, so a `professional` address that is not
 * the current one is not called a work address; the vendor asserts of no address that it takes mail.
 */
import { Schema } from "effect"
import type { EmailType, PersonFacts, PersonIdentity } from "@lading/core/person"
import { distinct, given, group, known, text, texts, titled } from "./Given.ts"
import { minimum } from "./Likelihood.ts"

export const path = "/v5/person/enrich"

/** The fields that an answer can fill. */
export const fields = [
  "first_name",
  "last_name",
  "current_title",
  "company_name",
  "company_domain",
  "company_website",
  "company_linkedin_url",
  "location",
  "emails",
  "phones",
  "social_links",
  "employment_history",
  "education"
] as const

/** The vendor's minimum: both names, and one thing that tells namesakes apart; here the company. */
export const accepts = (identity: PersonIdentity): boolean =>
  text(identity.first_name) !== null && text(identity.last_name) !== null && text(identity.domain) !== null

/** The parameters of the question, each a single value, without empty ones. */
export const question = (identity: PersonIdentity): Readonly<Record<string, string>> => {
  const [first, last, company] = [text(identity.first_name), text(identity.last_name), text(identity.domain)]
  return {
    ...(first === null ? {} : { first_name: first }),
    ...(last === null ? {} : { last_name: last }),
    ...(company === null ? {} : { company }),
    min_likelihood: String(minimum),
    titlecase: "true"
  }
}

const Job = Schema.Struct({
  company: given(
    Schema.Struct({
      id: given(Schema.String),
      name: given(Schema.String),
      website: given(Schema.String),
      linkedin_url: given(Schema.String),
      location: given(Schema.Struct({ locality: given(Schema.String), country: given(Schema.String) }))
    })
  ),
  title: given(Schema.Struct({ name: given(Schema.String), role: given(Schema.String) })),
  start_date: given(Schema.String),
  end_date: given(Schema.String),
  is_primary: Schema.optional(Schema.NullOr(Schema.Boolean)),
  summary: given(Schema.String)
})

const Education = Schema.Struct({
  school: given(Schema.Struct({ name: given(Schema.String) })),
  degrees: given(Schema.Array(Schema.String)),
  majors: given(Schema.Array(Schema.String)),
  start_date: given(Schema.String),
  end_date: given(Schema.String)
})

const PersonRecord = Schema.Struct({
  id: given(Schema.String),
  full_name: given(Schema.String),
  first_name: given(Schema.String),
  last_name: given(Schema.String),
  linkedin_url: given(Schema.String),
  work_email: given(Schema.String),
  personal_emails: given(Schema.Array(Schema.String)),
  emails: given(Schema.Array(Schema.Struct({ address: given(Schema.String), type: given(Schema.String) }))),
  mobile_phone: given(Schema.String),
  phone_numbers: given(Schema.Array(Schema.String)),
  phones: given(Schema.Array(Schema.Struct({ number: given(Schema.String) }))),
  location_locality: given(Schema.String),
  location_country: given(Schema.String),
  job_title: given(Schema.String),
  job_company_id: given(Schema.String),
  job_company_name: given(Schema.String),
  job_company_website: given(Schema.String),
  job_company_linkedin_url: given(Schema.String),
  experience: given(Schema.Array(Job)),
  education: given(Schema.Array(Education))
}).check(
  Schema.makeFilter((person) => text(person.id) !== null || text(person.full_name) !== null || "neither id nor name")
)
type PersonRecord = typeof PersonRecord.Type

/** The answer around a person's record. */
export const Person = Schema.Struct({ data: PersonRecord })
export type Person = typeof Person.Type

type Email = NonNullable<PersonFacts["emails"]>[number]
type Phone = NonNullable<PersonFacts["phones"]>[number]
type Employment = NonNullable<PersonFacts["employment_history"]>[number]

/** Words of `emails[].type`; `professional` may be of a former job, `disposable` is nobody's: both stay unknown. */
const emailTypes: ReadonlyMap<string, EmailType> = new Map([
  ["current_professional", "work"],
  ["personal", "personal"]
])

const typed = (email: string | null, type: EmailType): ReadonlyArray<Email> =>
  email === null ? [] : [{ email, type, status: "unknown" }]

/** The address of the present job first, then the person's own, then those of which less is known. */
const emails = (person: PersonRecord): ReadonlyArray<Email> => {
  const listed = (known(person.emails) ?? []).flatMap((entry) =>
    typed(text(entry.address), emailTypes.get(text(entry.type)?.toLowerCase() ?? "") ?? "unknown")
  )
  const all = [
    ...typed(text(person.work_email), "work"),
    ...listed.filter((email) => email.type === "work"),
    ...texts(person.personal_emails).flatMap((email) => typed(email, "personal")),
    ...listed.filter((email) => email.type !== "work")
  ]
  return distinct(all, (entry) => entry.email.toLowerCase())
}

const phones = (person: PersonRecord): ReadonlyArray<Phone> => {
  const mobile = text(person.mobile_phone)
  const others = [
    ...texts(person.phone_numbers),
    ...(known(person.phones) ?? []).flatMap((phone) => text(phone.number) ?? [])
  ]
  const all: ReadonlyArray<Phone> = [
    ...(mobile === null ? [] : [{ number: mobile, type: "mobile" as const }]),
    ...others.map((number) => ({ number, type: "unknown" as const }))
  ]
  return distinct(all, (phone) => phone.number.replace(/\D/g, ""))
}

/**
 * A job is current when it has no end and is the primary one, or is at the company of the present job: an end that is
 * merely missing does not make an old job current.
 */
const isCurrent = (job: typeof Job.Type, person: PersonRecord): boolean => {
  if (text(job.end_date) !== null) return false
  const id = text(known(job.company)?.id)
  return job.is_primary === true || (id !== null && id === text(person.job_company_id))
}

const employment = (job: typeof Job.Type, person: PersonRecord): Employment => {
  const company = known(job.company)
  const location = known(company?.location)
  return {
    company_name: titled(company?.name),
    title: titled(known(job.title)?.name),
    start_date: text(job.start_date),
    end_date: text(job.end_date),
    is_current: isCurrent(job, person),
    company_domain: text(company?.website),
    company_linkedin_url: text(company?.linkedin_url),
    department: text(known(job.title)?.role),
    description: text(job.summary),
    company_city: titled(location?.locality),
    company_country: titled(location?.country)
  }
}

/** What the record says, in the domain's words. */
export const facts = ({ data: person }: Person): PersonFacts => ({
  first_name: titled(person.first_name),
  last_name: titled(person.last_name),
  current_title: titled(person.job_title),
  company_name: titled(person.job_company_name),
  company_domain: text(person.job_company_website),
  company_website: text(person.job_company_website),
  company_linkedin_url: text(person.job_company_linkedin_url),
  location: group({ city: titled(person.location_locality), country: titled(person.location_country) }),
  emails: emails(person),
  phones: phones(person),
  social_links: group({ linkedin_url: text(person.linkedin_url) }),
  employment_history: (known(person.experience) ?? []).map((job) => employment(job, person)),
  education: (known(person.education) ?? []).map((study) => ({
    school: titled(known(study.school)?.name),
    degree: titled(texts(study.degrees)[0]),
    major: titled(texts(study.majors)[0]),
    start: text(study.start_date),
    end: text(study.end_date)
  }))
})
