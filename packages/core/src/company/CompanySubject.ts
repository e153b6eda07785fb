/** The operation `company`: what the waterfall has to know about companies. */
import { Schema } from "effect"
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import * as Page from "../value/Page.ts"
import * as SharedHost from "../value/SharedHost.ts"
import * as Text from "../value/Text.ts"
import * as Country from "../value/Country.ts"
import * as WebAddress from "../value/WebAddress.ts"
import * as Segment from "../waterfall/Segment.ts"
import type { Subject } from "../waterfall/Subject.ts"
import { CompanyFacts } from "./CompanyFacts.ts"
import { CompanyFields } from "./CompanyFields.ts"
import type { CompanyIdentity } from "./CompanyIdentity.ts"
import * as CompanyName from "./CompanyName.ts"
import type { CompanyProfile } from "./CompanyProfile.ts"

const parsed = (domains: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  domains.filter((domain) => domain !== null)

/** Where the answer says the company is; a web site that is a page on a network says nothing. */
const ownDomains = (facts: CompanyFacts): ReadonlyArray<string> =>
  parsed([DomainName.parse(facts.primary_domain ?? ""), SharedHost.ownSite(facts.website_url ?? "")])

const aliases = (facts: CompanyFacts): ReadonlyArray<string> =>
  parsed((facts.domain_aliases ?? []).map(DomainName.parse))

/** All domains of the answer that can be read. */
const domains = (facts: CompanyFacts): ReadonlyArray<string> => [...ownDomains(facts), ...aliases(facts)]

/**
 * By domain where both sides have one, else by name; one that says neither cannot be doubted. Aliases speak for an
 * answer and never against it: they are the other domains of a company, and sources leave out the first.
 */
const matches = ({ domain, name }: CompanyIdentity, facts: CompanyFacts): boolean => {
  if (domain !== null) {
    if (domains(facts).some((one) => DomainName.sameOwner(one, domain))) return true
    if (ownDomains(facts).length > 0) return false
  }
  return name === null || facts.name == null || CompanyName.alike(name, facts.name)
}

/** Its pages on networks; what is no address is none. */
const pages = (links: CompanyFacts["social_links"]): ReadonlyArray<string> =>
  links == null
    ? []
    : Object.values(links).flatMap((link) => (link != null && WebAddress.parse(link) !== null ? [link] : []))

/** Domains, pages and mail addresses of the company. */
const handles = ({ domain }: CompanyIdentity, facts: CompanyFacts = {}): ReadonlyArray<string> => [
  ...new Set([
    ...[...(domain === null ? [] : [domain]), ...domains(facts)].map(
      (name) => `domain:${DomainName.registrable(name)}`
    ),
    ...(facts.emails ?? []).map(MailAddress.emailHandle),
    ...pages(facts.social_links).map(Page.handle)
  ])
]

const Identity = Schema.Struct({ domain: Schema.NullOr(Schema.String), name: Schema.NullOr(Schema.String) })

export const CompanySubject: Subject<"company", CompanyProfile> = {
  operation: "company",
  table: CompanyFields,
  decode: Schema.decodeUnknownOption(CompanyFacts),
  decodeIdentity: Schema.decodeUnknownOption(Identity),
  serve: (source) => source.company,
  key: ({ domain, name }) => JSON.stringify([domain, name === null ? null : Text.key(name)]),
  segment: ({ domain, name }) => Segment.of(domain, name !== null),
  requested: ({ domain }) => ({ primary_domain: domain }),
  fallback: ({ name }) => ({ name }),
  matches,
  region: (facts) => ({ country: Country.read(facts.hq?.country, facts.hq?.country_code).country_code }),
  handles,
  // A person's address at a company that did not object goes, the company stays.
  withhold: (facts, { own }) =>
    [...own].every((handle) => handle.startsWith(MailAddress.emailHandle("")))
      ? { ...facts, emails: (facts.emails ?? []).filter((email) => !own.has(MailAddress.emailHandle(email))) }
      : null
}
