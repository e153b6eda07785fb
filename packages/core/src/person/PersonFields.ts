/** The fields of a person profile: how each is read, checked and merged. A new field is a row here. */
import { type FieldTable, group, list, members, scalar } from "../waterfall/Field.ts"
import type { Delivery, Observation } from "../waterfall/Observation.ts"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import * as PartialDate from "../value/PartialDate.ts"
import * as PhoneNumber from "../value/PhoneNumber.ts"
import * as Text from "../value/Text.ts"
import * as WebAddress from "../value/WebAddress.ts"
import * as CompanyName from "../company/CompanyName.ts"
import type { PersonFacts } from "./PersonFacts.ts"
import type { PersonProfile } from "./PersonProfile.ts"

type Email = PersonProfile["emails"][number]
type Phone = PersonProfile["phones"][number]
type Job = PersonProfile["employment_history"][number]
type Education = PersonProfile["education"][number]
type Said<Name extends keyof PersonFacts> = NonNullable<PersonFacts[Name]>

const linkedIn = ["linkedin.com"] as const

const text = (said: string) => {
  const value = Text.said(said)
  return value === null ? null : { value, valid: /[\p{L}\p{N}]/u.test(value), estimated: false }
}

/** A value that is shown in its canonical form when it has one. */
const canonical = (parse: (text: string) => string | null) => (said: string) => {
  const value = Text.said(said)
  if (value === null) return null
  const parsed = parse(value)
  return { value: parsed ?? value, valid: parsed !== null, estimated: false }
}

const textOf = (said: string | null | undefined): string | null => Text.said(said ?? "")

/** One address of several sources: all of them are named, and the first definite word on each question counts. */
const combineEmails = (same: ReadonlyArray<Observation<Email>>): Email => {
  const values = same.map(({ reading }) => reading.value)
  const verified = values.find((value) => value.status !== "unknown") ?? values[0]
  return {
    email: values[0]?.email ?? "",
    type: values.find((value) => value.type !== "unknown")?.type ?? "unknown",
    status: verified?.status ?? "unknown",
    sources: [...new Set(same.map(({ origin }) => origin.source))],
    confidence: verified?.confidence ?? values.find((value) => value.confidence !== null)?.confidence ?? null
  }
}

/** What verifying an address came to counts more than what its source says of it. */
const verified = (said: Email, delivery: Delivery): Email => {
  switch (delivery) {
    case "deliverable":
      return { ...said, status: "valid" }
    case "catch_all":
      return { ...said, status: "catch_all" }
    case "undeliverable":
    case "unwanted":
      return { ...said, status: "invalid" }
    case "unknown":
      return said
  }
}

const combinePhones = (same: ReadonlyArray<Observation<Phone>>): Phone => ({
  number: same[0]?.reading.value.number ?? "",
  type: same.find(({ reading }) => reading.value.type !== "unknown")?.reading.value.type ?? "unknown"
})

const readJob = (said: Said<"employment_history">[number]) => {
  const value: Job = {
    company_name: textOf(said.company_name),
    title: textOf(said.title),
    start_date: PartialDate.month(said.start_date),
    end_date: PartialDate.month(said.end_date),
    is_current: said.is_current,
    company_linkedin_url: WebAddress.profile(said.company_linkedin_url ?? "", linkedIn),
    department: textOf(said.department),
    description: textOf(said.description),
    company_city: textOf(said.company_city),
    company_country_code: said.company_country == null ? null : Country.code(said.company_country)
  }
  if (value.company_name === null && value.title === null) return null
  const company = CompanyName.tokens(value.company_name ?? "").join(" ")
  return {
    key: [company, Text.key(value.title ?? "")].join("\n"),
    // The year alone, since many sources know no more: `2020` goes with `2020-03`, not with a stint of 2010. Nobody begins
    // the same job at the same company twice in a year.
    variant: PartialDate.year(said.start_date)?.toString() ?? null,
    value,
    raw: said,
    valid: value.company_name !== null,
    estimated: false
  }
}

const readEducation = (said: Said<"education">[number]) => {
  const value: Education = {
    school: textOf(said.school),
    degree: textOf(said.degree),
    major: textOf(said.major),
    start: PartialDate.year(said.start),
    end: PartialDate.year(said.end)
  }
  if (value.school === null && value.degree === null && value.major === null) return null
  return {
    key: [value.school, value.degree, value.major].map((part) => Text.key(part ?? "")).join("\n"),
    value,
    raw: said,
    valid: value.school !== null,
    estimated: false
  }
}

export const PersonFields: FieldTable<PersonFacts, PersonProfile> = {
  first_name: scalar(text),
  last_name: scalar(text),
  current_title: scalar(text, { required: true }),
  company_name: scalar(text),
  company_domain: scalar(canonical(DomainName.parse)),
  company_website: scalar(canonical(WebAddress.parse)),
  company_linkedin_url: scalar(canonical((url) => WebAddress.profile(url, linkedIn))),
  location: group({ city: null, country: null, country_code: null }, (said) => {
    const value = { city: textOf(said.city), ...Country.read(said.country, said.country_code) }
    return value.city === null && value.country === null ? null : { value, valid: true, estimated: false }
  }),
  emails: list(
    (said: Said<"emails">[number]) => {
      const email = Text.said(said.email)
      return email === null
        ? null
        : {
            key: MailAddress.key(email),
            value: { email, type: said.type, status: said.status, sources: [], confidence: said.confidence ?? null },
            raw: said,
            valid: MailAddress.domain(email) !== null,
            estimated: false
          }
    },
    { required: true, combine: combineEmails, verifiable: { address: ({ email }) => email, judged: verified } }
  ),
  phones: list(
    (said: Said<"phones">[number], region) => {
      const number = Text.said(said.number)
      if (number === null) return null
      const e164 = PhoneNumber.e164(number, region.country)
      return {
        key: e164 ?? PhoneNumber.digits(number),
        value: { number, type: said.type },
        raw: said,
        valid: e164 !== null,
        estimated: false
      }
    },
    { combine: combinePhones }
  ),
  social_links: members(["linkedin_url"], (said, network) => {
    const value = textOf(said[network])
    if (value === null) return null
    const url = WebAddress.profile(value, linkedIn)
    return { value: url ?? value, raw: value, valid: url !== null, estimated: false }
  }),
  employment_history: list(readJob, { required: true }),
  education: list(readEducation)
}
