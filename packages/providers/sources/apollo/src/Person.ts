/**
 * `POST /api/v1/people/match`: the part of Apollo's answer that is read, and what it says in the domain's words.
 *
 * Gotchas
 * - `email_not_unlocked@domain.com` is no address but a notice that there is one to buy; `email_status` says `verified`
 *   beside it.
 * - Phones stand in the record of the customer's own CRM (`contact`), where there is one. Others come by a webhook that is
 *   not asked for.
 * - The employer of a job has no domain, but that of the present one, whose organization comes along.
 * - Jobs and education share one list. What has a degree, a major or the kind `education` is education.
 * - `extrapolated_email_confidence` has no documented scale and is left alone; the raw answer has it.
 */
import type { EmailStatus, EmailType, PersonFacts, PhoneType } from "@lading/core/person"
import { Said, type Source } from "@lading/core/waterfall"
import { Schema } from "effect"
import { known, unlessEmpty } from "./Company.ts"

const text = Said.said(Schema.String)

const Job = Schema.Struct({
  current: Said.said(Schema.Boolean),
  title: text,
  organization_id: text,
  organization_name: text,
  start_date: text,
  end_date: text,
  description: text,
  degree: text,
  major: text,
  kind: text
})
type Job = typeof Job.Type

const Employer = Schema.Struct({
  id: text,
  name: text,
  primary_domain: text,
  website_url: text,
  linkedin_url: text
})

const Phone = Schema.Struct({ raw_number: text, sanitized_number: text, type: text })

const Contact = Schema.Struct({
  contact_emails: Said.said(Schema.Array(Schema.Struct({ email: text, email_status: text }))),
  phone_numbers: Said.said(Schema.Array(Phone))
})

const PersonRecord = Schema.Struct({
  id: text,
  name: text,
  first_name: text,
  last_name: text,
  title: text,
  linkedin_url: text,
  email: text,
  email_status: text,
  personal_emails: Said.said(Schema.Array(Schema.String)),
  match_confidence: text,
  city: text,
  country: text,
  departments: Said.said(Schema.Array(Schema.String)),
  employment_history: Said.said(Schema.Array(Job)),
  organization: Said.said(Employer),
  contact: Said.said(Contact)
}).check(Schema.makeFilter(({ id, name }) => known(id) !== null || known(name) !== null || "neither id nor name"))
type PersonRecord = typeof PersonRecord.Type

/** The answer to `people/match` where there is one. */
export const Person = Schema.Struct({ person: PersonRecord })
export type Person = typeof Person.Type

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
  "phones",
  "social_links",
  "employment_history",
  "education"
]

/** What Apollo puts in place of an address that nobody has paid for. */
const PLACEHOLDER = "email_not_unlocked@domain.com"

/** Words for what is known of an address; `guessed`, `extrapolated` and all others decide nothing. */
const statuses: ReadonlyMap<string, EmailStatus> = new Map([
  ["verified", "valid"],
  ["bounced", "invalid"]
])

type Email = NonNullable<PersonFacts["emails"]>[number]

/** The address; none where there is only its placeholder, or where Apollo calls it unavailable. */
const typed = (
  said: string | null | undefined,
  status: string | null | undefined,
  type: EmailType
): ReadonlyArray<Email> => {
  const email = known(said)
  const word = known(status)?.toLowerCase() ?? ""
  if (email === null || email.toLowerCase() === PLACEHOLDER || word === "unavailable") return []
  return [{ email, type, status: statuses.get(word) ?? "unknown" }]
}

/** The work address first, then the person's own, then what the customer's CRM has; each once. */
const emails = (person: PersonRecord): ReadonlyArray<Email> => {
  const all = [
    ...typed(person.email, person.email_status, "work"),
    ...(person.personal_emails ?? []).flatMap((email) => typed(email, null, "personal")),
    ...(person.contact?.contact_emails ?? []).flatMap(({ email, email_status }) =>
      typed(email, email_status, "unknown")
    )
  ]
  return [...Map.groupBy(all, ({ email }) => email.toLowerCase()).values()].flatMap((same) => same.slice(0, 1))
}

const phoneTypes: ReadonlyMap<string, PhoneType> = new Map([
  ["mobile", "mobile"],
  ["home", "home"],
  ["work_direct", "work"],
  ["work_hq", "work"]
])

const phones = ({ contact }: PersonRecord): NonNullable<PersonFacts["phones"]> =>
  (contact?.phone_numbers ?? []).flatMap(({ raw_number, sanitized_number, type }) => {
    const number = known(sanitized_number) ?? known(raw_number)
    return number === null ? [] : [{ number, type: phoneTypes.get(known(type)?.toLowerCase() ?? "") ?? "unknown" }]
  })

const isEducation = ({ degree, kind, major }: Job): boolean =>
  known(degree) !== null || known(major) !== null || known(kind)?.toLowerCase() === "education"

/** The job at the organization that comes along with the person. */
const isPresent = (job: Job, { organization }: PersonRecord): boolean =>
  job.current === true && known(organization?.id) !== null && job.organization_id === organization?.id

const employment = (job: Job, person: PersonRecord): NonNullable<PersonFacts["employment_history"]>[number] => {
  const present = isPresent(job, person) ? person : null
  return {
    company_name: known(job.organization_name),
    title: known(job.title),
    start_date: known(job.start_date),
    end_date: known(job.end_date),
    is_current: job.current === true,
    company_domain: known(present?.organization?.primary_domain),
    company_linkedin_url: known(present?.organization?.linkedin_url),
    department: known(present?.departments?.[0]),
    description: known(job.description)
  }
}

const education = (study: Job): NonNullable<PersonFacts["education"]>[number] => ({
  school: known(study.organization_name),
  degree: known(study.degree),
  major: known(study.major),
  start: known(study.start_date),
  end: known(study.end_date)
})

/**
 * Whether the answer is about somebody at all: Apollo says of some records itself that they match nothing. An address
 * speaks for them all the same.
 */
export const isMatch = ({ person }: Person): boolean =>
  known(person.match_confidence)?.toLowerCase() !== "none" || emails(person).length > 0

/** What the answer says about the person. */
export const facts = ({ person }: Person): PersonFacts => {
  const { employment_history, organization } = person
  const linkedin = known(person.linkedin_url)
  const history = employment_history ?? []
  return {
    first_name: known(person.first_name),
    last_name: known(person.last_name),
    current_title: known(person.title),
    company_name: known(organization?.name) ?? known(history.find((job) => job.current === true)?.organization_name),
    company_domain: known(organization?.primary_domain),
    company_website: known(organization?.website_url),
    company_linkedin_url: known(organization?.linkedin_url),
    location: unlessEmpty({ city: known(person.city), country: known(person.country) }),
    emails: emails(person),
    phones: phones(person),
    social_links: linkedin === null ? null : { linkedin_url: linkedin },
    employment_history: history.filter((job) => !isEducation(job)).map((job) => employment(job, person)),
    education: history.filter(isEducation).map(education)
  }
}
