/** A person in a list: what is shown of a record, in its own spelling. */
import { Schema } from "effect"
import type { PersonHit } from "./PersonDirectory.ts"
import { EmailStatus, EmailType, PhoneType } from "./PersonFacts.ts"

const Text = Schema.NullOr(Schema.String)

export const fields = {
  first_name: Text,
  last_name: Text,
  last_name_hint: Text.annotate({ description: "What the source shows of a last name that it does not give away" }),
  current_title: Text,
  company_name: Text,
  company_domain: Text,
  seniority: Text,
  department: Text,
  city: Text,
  country: Text,
  linkedin_url: Text,
  emails: Schema.Array(Schema.Struct({ email: Schema.String, type: EmailType, status: EmailStatus })),
  phones: Schema.Array(Schema.Struct({ number: Schema.String, type: PhoneType }))
}

const Person = Schema.Struct(fields)
export type Person = typeof Person.Type

/** With the source that knows the person. */
export const PersonSummary = Schema.Struct({ ...fields, source: Schema.String }).annotate({
  identifier: "PersonSummary"
})
export type PersonSummary = typeof PersonSummary.Type

/** A record of a vendor's. */
export const of = ({ department, facts, last_name_hint, seniority }: PersonHit): Person => ({
  first_name: facts.first_name ?? null,
  last_name: facts.last_name ?? null,
  last_name_hint,
  current_title: facts.current_title ?? null,
  company_name: facts.company_name ?? null,
  company_domain: facts.company_domain ?? null,
  seniority,
  department,
  city: facts.location?.city ?? null,
  country: facts.location?.country_code ?? facts.location?.country ?? null,
  linkedin_url: facts.social_links?.linkedin_url ?? null,
  emails: (facts.emails ?? []).map(({ email, status, type }) => ({ email, type, status })),
  phones: (facts.phones ?? []).map(({ number, type }) => ({ number, type }))
})
