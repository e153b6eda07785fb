/**
 * `/v2/domain-search`: the question, the part of the answer that is read, and the hits in it.
 *
 * Gotchas
 * - It is about one domain, and gives people with an address there: whoever has none is not among them.
 * - A place is asked for with POST and a JSON body, all else with GET.
 * - Titles go as one text with commas between them, so that none can have a comma.
 * - Hunter has three levels. Ours are asked for by the level that they are in, which brings others along.
 */
import type { PersonDirectory, PersonFacts } from "@lading/core/person"
import { Directory, Said } from "@lading/core/waterfall"
import { Schema } from "effect"
import * as Handles from "./Handles.ts"
import * as Person from "./Person.ts"

export const path = "/v2/domain-search"

export const PAGE_SIZE = 100

type Filter = PersonDirectory.PersonFilter

export const filters: PersonDirectory.PersonDirectory["Service"]["filters"] = {
  company_domain: "exact",
  titles: "wide",
  seniorities: "wide",
  departments: "exact",
  countries: "exact"
}

const levels: Readonly<Record<PersonDirectory.Seniority, string>> = {
  owner: "executive",
  founder: "executive",
  c_level: "executive",
  partner: "executive",
  vp: "executive",
  head: "senior",
  director: "senior",
  manager: "senior",
  senior: "senior",
  junior: "junior",
  intern: "junior"
}

/** The departments that Hunter has under the same word. */
const departments: ReadonlySet<PersonDirectory.Department> = new Set([
  "executive",
  "operations",
  "it",
  "finance",
  "sales",
  "marketing",
  "communication",
  "hr",
  "legal",
  "support",
  "design",
  "education",
  "health"
])

export const accepts = (filter: Filter): boolean =>
  Directory.covers(filters, filter) &&
  Directory.asked(filter).includes("company_domain") &&
  filter.departments.every((department) => departments.has(department)) &&
  filter.titles.every((title) => !title.includes(","))

/** The question; what is not asked for is left out. */
export const question = (filter: Filter, offset: number, limit: number): Readonly<Record<string, string>> => {
  const asked = new Set(Directory.asked(filter))
  const seniority = new Set(filter.seniorities.map((one) => levels[one]))
  return {
    domain: filter.company_domain ?? "",
    type: "personal",
    limit: String(limit),
    ...(offset === 0 ? {} : { offset: String(offset) }),
    ...(asked.has("titles") ? { job_titles: filter.titles.join(",") } : {}),
    ...(asked.has("seniorities") ? { seniority: [...seniority].join(",") } : {}),
    ...(asked.has("departments") ? { department: filter.departments.join(",") } : {})
  }
}

/** The places, where any are asked for: then the question is a POST. */
export const location = ({ countries }: Filter): Readonly<Record<string, unknown>> | null =>
  countries.length === 0 ? null : { location: { include: countries.map((country) => ({ country })) } }

const text = Said.said(Schema.String)

/** A page of the answer. */
export const Answer = Schema.Struct({
  data: Schema.Struct({ domain: Schema.String, organization: text, emails: Schema.Array(Schema.Unknown) }),
  meta: Schema.Struct({ results: Schema.Int })
})
export type Answer = typeof Answer.Type

/** One of them. */
export const Found = Schema.Struct({
  value: Schema.String,
  type: text,
  confidence: Said.said(Schema.Finite),
  first_name: text,
  last_name: text,
  position: text,
  seniority: text,
  department: text,
  linkedin: text,
  phone_number: text,
  verification: Said.said(Schema.Struct({ status: text }))
})
export type Found = typeof Found.Type

/** A mailbox of nobody's (`info@`) is no person, even where it comes along. */
export const isPerson = ({ type }: Found): boolean => type !== "generic"

export const facts = ({ data }: Answer, found: Found): PersonFacts => {
  const linkedin = Handles.linkedinPerson({ handle: found.linkedin })
  return {
    first_name: found.first_name ?? null,
    last_name: found.last_name ?? null,
    current_title: found.position ?? null,
    company_name: data.organization ?? null,
    company_domain: data.domain,
    emails: [Person.address(found.value, found.verification, found.confidence)],
    phones: found.phone_number ? [{ number: found.phone_number, type: "unknown" }] : [],
    social_links: linkedin === null ? null : { linkedin_url: linkedin }
  }
}
