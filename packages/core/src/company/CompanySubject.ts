/** The operation `company`: what the waterfall has to know about companies. */
import { Schema } from "effect"
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import * as Text from "../value/Text.ts"
import * as Country from "../value/Country.ts"
import type { Subject } from "../waterfall/Subject.ts"
import { CompanyFacts } from "./CompanyFacts.ts"
import { CompanyFields } from "./CompanyFields.ts"
import type { CompanyIdentity } from "./CompanyIdentity.ts"
import * as CompanyName from "./CompanyName.ts"
import type { CompanyProfile } from "./CompanyProfile.ts"

/** By domain where both sides have one (aliases count), else by name. */
const matches = (identity: CompanyIdentity, facts: CompanyFacts): boolean => {
  const answered = DomainName.parse(facts.primary_domain ?? facts.website_url ?? "")
  const domain = identity.domain
  if (domain !== null && answered !== null) {
    return [answered, ...(facts.domain_aliases ?? [])].some((name) => DomainName.sameOwner(name.toLowerCase(), domain))
  }
  return identity.name === null || facts.name == null || CompanyName.alike(identity.name, facts.name)
}

export const CompanySubject: Subject<"company", CompanyProfile> = {
  operation: "company",
  table: CompanyFields,
  decode: Schema.decodeUnknownOption(CompanyFacts),
  serve: (source) => source.company,
  key: ({ domain, name }) => JSON.stringify([domain, name === null ? null : Text.key(name)]),
  requested: ({ domain }) => ({ primary_domain: domain }),
  fallback: ({ name }) => ({ name }),
  matches,
  region: (facts) => ({ country: Country.read(facts.hq?.country, facts.hq?.country_code).country_code }),
  handles: ({ domain }, facts) => {
    const domains = [domain, DomainName.parse(facts?.primary_domain ?? "")].filter((name) => name !== null)
    return [
      ...domains.map((name) => `domain:${DomainName.registrable(name)}`),
      ...(facts?.emails ?? []).map((email) => `email:${MailAddress.key(email)}`)
    ]
  }
}
