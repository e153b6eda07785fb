/** The operation `person`: what the waterfall has to know about people. */
import { Schema } from "effect"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import * as Page from "../value/Page.ts"
import * as SharedHost from "../value/SharedHost.ts"
import * as Text from "../value/Text.ts"
import * as WebAddress from "../value/WebAddress.ts"
import * as Segment from "../waterfall/Segment.ts"
import type { Subject } from "../waterfall/Subject.ts"
import { PersonFacts } from "./PersonFacts.ts"
import { PersonFields } from "./PersonFields.ts"
import type { PersonIdentity } from "./PersonIdentity.ts"
import * as PersonName from "./PersonName.ts"
import type { PersonProfile } from "./PersonProfile.ts"

const parsed = (texts: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  texts.flatMap((text) => DomainName.parse(text ?? "") ?? [])

/** The employer's domain, as the answer says it; a page on a network and a mail provider are no employer's. */
const employer = (facts: PersonFacts): ReadonlyArray<string> =>
  [...parsed([facts.company_domain]), ...ownSite(facts)].filter((domain) => !SharedHost.mail(domain))

const ownSite = (facts: PersonFacts): ReadonlyArray<string> => {
  const domain = SharedHost.ownSite(facts.company_website ?? "")
  return domain === null ? [] : [domain]
}

/** Every domain that the answer ties the person to: the employer's, former ones', and those of the mail addresses. */
const ties = (facts: PersonFacts): ReadonlyArray<string> => [
  ...parsed([facts.company_domain]),
  ...ownSite(facts),
  ...parsed((facts.employment_history ?? []).map((job) => job.company_domain)),
  ...(facts.emails ?? [])
    .filter((email) => email.type !== "personal")
    .flatMap((email) => MailAddress.domain(email.email) ?? [])
    .filter((domain) => !SharedHost.mail(domain))
]

/**
 * The names agree, and so does the company: any domain of the answer speaks for it, but only the employer's own speaks
 * against it. A private mailbox or a former employer is no sign of somebody else.
 */
const matches = (identity: PersonIdentity, facts: PersonFacts): boolean => {
  const { first_name, last_name, domain } = identity
  if (last_name !== null && facts.last_name != null && !PersonName.sameFamily(last_name, facts.last_name)) return false
  if (first_name !== null && facts.first_name != null && !PersonName.sameGiven(first_name, facts.first_name)) {
    return false
  }
  return (
    domain === null || ties(facts).some((name) => DomainName.sameOwner(name, domain)) || employer(facts).length === 0
  )
}

/** Objections of an employer count for the present one, however the answer names it; not for former ones. */
const handles = ({ domain }: PersonIdentity, facts: PersonFacts = {}): ReadonlyArray<string> => {
  const domains = [...(domain === null ? [] : [domain]), ...parsed([facts.company_domain]), ...ownSite(facts)]
  const profile = WebAddress.profile(facts.social_links?.linkedin_url ?? "", Page.networks.linkedin_url)
  return [
    ...new Set([
      ...domains.map((name) => `domain:${DomainName.registrable(name)}`),
      ...(facts.emails ?? []).map((email) => MailAddress.emailHandle(email.email)),
      ...(profile === null ? [] : [Page.handle(profile)])
    ])
  ]
}

const Identity = Schema.Struct({
  first_name: Schema.NullOr(Schema.String),
  last_name: Schema.NullOr(Schema.String),
  domain: Schema.NullOr(Schema.String)
})

export const PersonSubject: Subject<"person", PersonProfile> = {
  operation: "person",
  table: PersonFields,
  decode: Schema.decodeUnknownOption(PersonFacts),
  decodeIdentity: Schema.decodeUnknownOption(Identity),
  serve: (source) => source.person,
  key: ({ first_name, last_name, domain }) =>
    JSON.stringify([first_name, last_name].map((name) => (name === null ? null : Text.key(name))).concat(domain)),
  segment: ({ first_name, last_name, domain }) => Segment.of(domain, first_name !== null || last_name !== null),
  requested: ({ first_name, last_name, domain }) => ({ first_name, last_name, company_domain: domain }),
  fallback: () => ({}),
  matches,
  region: (facts) => ({ country: Country.read(facts.location?.country, facts.location?.country_code).country_code }),
  handles,
  // Whose address or page stands in an answer about a person is taken for that person, wherever it stands: vendors keep
  // addresses in places that no fact is read from.
  withhold: (facts, { mentioned, own }) =>
    own.size > 0 || [...mentioned].some((handle) => !handle.startsWith("domain:")) ? null : facts
}
