/** The operation `person`: what the waterfall has to know about people. */
import { Schema } from "effect"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import * as Text from "../value/Text.ts"
import * as WebAddress from "../value/WebAddress.ts"
import type { Subject } from "../waterfall/Subject.ts"
import { PersonFacts } from "./PersonFacts.ts"
import { PersonFields } from "./PersonFields.ts"
import type { PersonIdentity } from "./PersonIdentity.ts"
import * as PersonName from "./PersonName.ts"
import type { PersonProfile } from "./PersonProfile.ts"

/** Every domain that the answer ties the person to: the employer's, former ones', and those of the mail addresses. */
const domains = (facts: PersonFacts): ReadonlyArray<string> =>
  [
    facts.company_domain,
    facts.company_website,
    ...(facts.employment_history ?? []).map((job) => job.company_domain),
    ...(facts.emails ?? []).filter((email) => email.type !== "personal").map((email) => MailAddress.domain(email.email))
  ].flatMap((text) => DomainName.parse(text ?? "") ?? [])

/** The names agree, and one of the answer's domains is the company that was asked about. */
const matches = (identity: PersonIdentity, facts: PersonFacts): boolean => {
  const { first_name, last_name, domain } = identity
  if (last_name !== null && facts.last_name != null && !PersonName.sameFamily(last_name, facts.last_name)) return false
  if (first_name !== null && facts.first_name != null && !PersonName.sameGiven(first_name, facts.first_name)) {
    return false
  }
  const answered = domains(facts)
  return domain === null || answered.length === 0 || answered.some((name) => DomainName.sameOwner(name, domain))
}

export const PersonSubject: Subject<"person", PersonProfile> = {
  operation: "person",
  table: PersonFields,
  decode: Schema.decodeUnknownOption(PersonFacts),
  serve: (source) => source.person,
  key: ({ first_name, last_name, domain }) =>
    JSON.stringify([first_name, last_name].map((name) => (name === null ? null : Text.key(name))).concat(domain)),
  requested: ({ first_name, last_name, domain }) => ({ first_name, last_name, company_domain: domain }),
  fallback: () => ({}),
  matches,
  region: (facts) => ({ country: Country.read(facts.location?.country, facts.location?.country_code).country_code }),
  handles: ({ domain }, facts) => {
    const profile = WebAddress.profile(facts?.social_links?.linkedin_url ?? "", ["linkedin.com"])
    return [
      ...(domain === null ? [] : [`domain:${DomainName.registrable(domain)}`]),
      ...(facts?.emails ?? []).map((email) => `email:${MailAddress.key(email.email)}`),
      ...(profile === null ? [] : [`url:${WebAddress.key(profile)}`])
    ]
  }
}
