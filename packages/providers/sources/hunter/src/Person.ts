/**
 * A person is two answers: `GET /v2/email-finder` gives the address, `GET /v2/people/find?email=` what belongs to it
 * (employment, place, profiles, phone). Here are the parts that are read of both, and what they say together.
 *
 * Gotchas
 * - The finder says that it knows nothing with HTTP 200 and every field null. `data.email` is therefore the one key that
 *   must be there: without it, "nothing known" and "another shape" would look the same.
 * - `people/find` says whose address it is. Its name wins over the finder's, which only repeats the question, so that an
 *   address that was guessed and belongs to somebody else is found out by the waterfall's identity check.
 * - The two may speak of two jobs. Title, company and domain are never mixed of two: the enrichment's count when its
 *   employer has the domain that was asked about (or names none), else the finder's. The history keeps the other job.
 */
import type { EmailStatus, PersonFacts } from "@lading/core/person"
import { Said, type Source } from "@lading/core/waterfall"
import { Schema } from "effect"
import * as Handles from "./Handles.ts"

const text = Said.said(Schema.String)

/** The answer to `email-finder`. */
export const Found = Schema.Struct({
  data: Schema.Struct({
    first_name: text,
    last_name: text,
    email: Schema.NullOr(Schema.String),
    score: Said.said(Schema.Union([Schema.Finite, Schema.FiniteFromString])),
    domain: text,
    position: text,
    company: text,
    linkedin_url: text,
    phone_number: text,
    verification: Said.said(Schema.Struct({ status: text }))
  })
})
export type Found = typeof Found.Type

/** The answer to `people/find`. */
export const Profile = Schema.Struct({
  data: Schema.Struct({
    name: Schema.NullOr(Schema.Struct({ givenName: text, familyName: text })),
    geo: Said.said(Schema.Struct({ city: text, country: text, countryCode: text })),
    employment: Said.said(Schema.Struct({ domain: text, name: text, title: text, role: text })),
    linkedin: Said.said(Schema.Struct({ handle: text })),
    phone: text
  })
})
export type Profile = typeof Profile.Type

/** The profile fields that the two answers can fill. */
export const fields: NonNullable<Source.Source["person"]>["fields"] = [
  "first_name",
  "last_name",
  "current_title",
  "company_name",
  "company_domain",
  "location",
  "emails",
  "phones",
  "social_links",
  "employment_history"
]

/** The address that the finder gave; `null` for its way to say that it has none. */
export const addressOf = ({ data }: Found): string | null =>
  data.email === null || data.email === "" ? null : data.email

/** Hunter's word for how an address was verified. `webmail` and a word that is not documented decide nothing. */
const statuses: Readonly<Record<string, EmailStatus>> = {
  valid: "valid",
  invalid: "invalid",
  accept_all: "catch_all",
  disposable: "invalid"
}

type Email = NonNullable<PersonFacts["emails"]>[number]

/** An address with Hunter's word for how it was verified, and its score. */
export const address = (
  email: string,
  verification: { readonly status?: string | null | undefined } | null | undefined,
  score: number | null | undefined
): Email => {
  const word = verification?.status ?? "unknown"
  return {
    email,
    type: word === "webmail" ? "personal" : "work",
    status: statuses[word] ?? "unknown",
    confidence: score ?? null
  }
}

interface Job {
  readonly current_title: string | null
  readonly company_name: string | null
  readonly company_domain: string | null
}

const job = (found: Found["data"], profile: Profile["data"] | null): Job => {
  const employment = profile?.employment
  const domains = [employment?.domain, found.domain].filter((domain) => typeof domain === "string")
  const other = new Set(domains.map((domain) => domain.toLowerCase())).size > 1
  return {
    current_title: (other ? null : employment?.title) ?? found.position ?? null,
    company_name: (other ? null : employment?.name) ?? found.company ?? null,
    company_domain: found.domain ?? (other ? null : employment?.domain) ?? null
  }
}

/** The one job that Hunter knows of, without dates; nothing when it names neither employer nor title. */
const history = (profile: Profile["data"] | null): NonNullable<PersonFacts["employment_history"]> => {
  const employment = profile?.employment
  if (!employment?.name && !employment?.title) return []
  return [
    {
      company_name: employment.name ?? null,
      title: employment.title ?? null,
      start_date: null,
      end_date: null,
      is_current: true,
      company_domain: employment.domain ?? null,
      department: employment.role ?? null
    }
  ]
}

const place = (profile: Profile["data"] | null): PersonFacts["location"] => {
  const { city = null, country = null, countryCode = null } = profile?.geo ?? {}
  return city === null && country === null && countryCode === null ? null : { city, country, country_code: countryCode }
}

/**
 * What both answers say about the person; `profile` is `null` where the enrichment knew nothing or failed.
 *
 * `email` is the finder's address (see {@link addressOf}).
 */
export const facts = ({ data: found }: Found, email: string, enriched: Profile | null): PersonFacts => {
  const profile = enriched?.data ?? null
  const linkedin = Handles.linkedinPerson(profile?.linkedin) ?? found.linkedin_url ?? null
  const numbers = [profile?.phone, found.phone_number].filter((number) => typeof number === "string" && number !== "")
  return {
    first_name: profile?.name?.givenName ?? found.first_name ?? null,
    last_name: profile?.name?.familyName ?? found.last_name ?? null,
    ...job(found, profile),
    location: place(profile),
    emails: [address(email, found.verification, found.score)],
    phones: [...new Set(numbers.map(String))].map((number) => ({ number, type: "unknown" })),
    social_links: linkedin === null ? null : { linkedin_url: linkedin },
    employment_history: history(profile)
  }
}
