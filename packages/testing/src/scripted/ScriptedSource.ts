/**
 * A source without a vendor: answers what the script says, inside the process. For tests of whatever stands behind a
 * source; adapters themselves are tested against their simulators over HTTP.
 */
import type { CompanyFacts, CompanyIdentity } from "@lading/core/company"
import type { PersonFacts, PersonIdentity } from "@lading/core/person"
import { Source, type SourceError } from "@lading/core/waterfall"
import { Effect } from "effect"

type Answer<Facts> = Effect.Effect<Source.Outcome<Facts>, SourceError.SourceError>

export interface Script {
  /** The adapter's name. */
  readonly adapter?: string
  /** What is said of a company; left out, the source does not serve companies. */
  readonly company?: (identity: CompanyIdentity, credential: Source.Credential) => Answer<CompanyFacts>
  /** What is said of a person; left out, the source does not serve persons. */
  readonly person?: (identity: PersonIdentity, credential: Source.Credential) => Answer<PersonFacts>
  /** What has become of an answer that is pending; left out, the source has none. */
  readonly resumeCompany?: (handle: string, credential: Source.Credential) => Answer<CompanyFacts>
  readonly resumePerson?: (handle: string, credential: Source.Credential) => Answer<PersonFacts>
  /** Reads a raw answer of a company again; left out, raw answers are not read again. */
  readonly decodeCompany?: (raw: unknown) => Effect.Effect<Source.Outcome<CompanyFacts>, SourceError.InvalidResponse>
  /** By default `1`. */
  readonly version?: string
  /** By default a call costs when it finds something. */
  readonly kind?: Source.BillingKind
  /** By default `None`: no key is needed. */
  readonly credential?: Source.Credential["_tag"]
  readonly repeatable?: boolean
  readonly limits?: Partial<Source.Limits>
  readonly accepts?: boolean
  /** By default everything. */
  readonly companyFields?: Source.SourceOperation<CompanyIdentity, CompanyFacts>["fields"]
  readonly personFields?: Source.SourceOperation<PersonIdentity, PersonFacts>["fields"]
}

const companyFields: Source.SourceOperation<CompanyIdentity, CompanyFacts>["fields"] = [
  "name",
  "primary_domain",
  "website_url",
  "industries",
  "description",
  "founded_year",
  "estimated_employee_count",
  "annual_revenue",
  "total_funding",
  "phones",
  "hq",
  "social_links",
  "technologies",
  "keywords",
  "emails"
]

const personFields: Source.SourceOperation<PersonIdentity, PersonFacts>["fields"] = [
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

export const make = (script: Script): Source.Source => {
  const shared = {
    cost: { kind: script.kind ?? "per_hit", units: 1, unit: "credit" },
    repeatable: script.repeatable ?? true,
    accepts: () => script.accepts ?? true
  } as const
  const { company, person } = script
  return {
    adapter: script.adapter ?? "scripted",
    version: script.version ?? "1",
    credential: script.credential ?? "None",
    limits: { concurrency: 100, rate: { calls: 1000, window: 1000 }, timeout: 10_000, ...script.limits },
    ...(company === undefined
      ? {}
      : {
          company: {
            ...shared,
            fields: script.companyFields ?? companyFields,
            call: company,
            ...(script.resumeCompany === undefined ? {} : { resume: script.resumeCompany }),
            ...(script.decodeCompany === undefined ? {} : { decode: script.decodeCompany })
          }
        }),
    ...(person === undefined
      ? {}
      : {
          person: {
            ...shared,
            fields: script.personFields ?? personFields,
            call: person,
            ...(script.resumePerson === undefined ? {} : { resume: script.resumePerson })
          }
        })
  }
}

/** A source that always finds this company. */
export const knowing = (facts: CompanyFacts, script?: Script): Source.Source =>
  make({ company: () => Effect.succeed(Source.hit(facts, { synthetic: true })), ...script })
