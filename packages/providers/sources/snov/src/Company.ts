/**
 * `GET /v2/domain-search/result/{task_hash}`: the part of Snov.io's answer about a company that is read, and what it says
 * in the domain's words.
 *
 * Gotchas
 * - Head counts are ranges, and `Self` for somebody who works alone.
 * - The phone number has its country's code and no `+`.
 * - The founding year is a text. Numbers are taken too.
 * - How a domain that nobody knows is answered is not documented: an empty list, an empty object or an object that says
 *   nothing are a miss.
 */
import type { CompanyFacts } from "@lading/core/company"
import { Said, type Source } from "@lading/core/waterfall"
import { Schema } from "effect"

const text = Said.said(Schema.String)
const spelt = Said.said(Schema.Union([Schema.String, Schema.Finite]))

/** A text that says something. */
export const known = (said: string | number | null | undefined): string | null => {
  const trimmed = String(said ?? "").trim()
  return trimmed === "" ? null : trimmed
}

/** A head count as Snov.io writes it; `null` for what is none. */
const range = (said: string): Said.Range | null => {
  const written = said.trim()
  if (/^self(-employed)?$/i.test(written)) return { min: 1, max: 1, text: written }
  const [, from, to] = /^(\d{1,9})\s*(?:[-\u2013]\s*(\d{1,9})|\+)$/.exec(written.replaceAll(",", "")) ?? []
  return from === undefined ? null : { min: Number(from), max: to === undefined ? null : Number(to), text: written }
}

/** A size is documented as a range; a text that is none is another answer than the one that was promised. */
const Size = Schema.Union([
  Schema.Finite,
  Schema.String.check(
    Schema.makeFilter((said: string) => said.trim() === "" || range(said) !== null, { expected: "a number or a range" })
  )
])

const Known = Schema.Struct({
  company_name: text,
  city: text,
  founded: spelt,
  website: text,
  hq_phone: spelt,
  industry: text,
  size: Said.said(Size),
  related_domains: Said.said(Schema.Array(Schema.String))
})
type Known = typeof Known.Type

/** The result of a domain search that is done. */
export const Company = Schema.Struct({
  status: Schema.String,
  data: Schema.NullOr(Schema.Union([Schema.Tuple([]), Known])),
  meta: Said.said(Schema.Struct({ domain: text }))
})
export type Company = typeof Company.Type

/** The profile fields that an answer can fill. */
export const fields: NonNullable<Source.Source["company"]>["fields"] = [
  "name",
  "primary_domain",
  "website_url",
  "industries",
  "founded_year",
  "estimated_employee_count",
  "phones",
  "hq"
]

const nothing: Known = {}

const isKnown = (data: Company["data"]): data is Known => data !== null && !Array.isArray(data)

/** Host of a web site: lower case, without scheme, `www.`, path and final dot. */
export const host = (site: string | null | undefined): string | null =>
  known(
    known(site)
      ?.toLowerCase()
      .replace(/^[a-z]+:\/\//, "")
      .replace(/[/?#:].*$/, "")
      .replace(/^www\./, "")
      .replace(/\.$/, "")
  )

const year = (founded: Known["founded"]): number | null =>
  /^[12]\d{3}$/.test(known(founded) ?? "") ? Number(founded) : null

const phones = (said: Known["hq_phone"]): ReadonlyArray<string> => {
  const number = known(said)
  if (number === null) return []
  return [/^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number]
}

const size = (said: Known["size"]): CompanyFacts["estimated_employee_count"] =>
  typeof said === "string" ? range(said) : (said ?? null)

const url = (website: string | null): string | null =>
  website === null || /^https?:\/\//i.test(website) ? website : `https://${website}`

/** What the answer says about the company. */
export const facts = ({ data, meta }: Company): CompanyFacts => {
  const company = isKnown(data) ? data : nothing
  const city = known(company.city)
  const industry = known(company.industry)
  return {
    name: known(company.company_name),
    primary_domain: known(meta?.domain) ?? host(company.website),
    domain_aliases: (company.related_domains ?? []).flatMap((domain) => known(domain) ?? []),
    website_url: url(known(company.website)),
    industries: industry === null ? [] : [industry],
    founded_year: year(company.founded),
    estimated_employee_count: size(company.size),
    phones: phones(company.hq_phone),
    hq: city === null ? null : { city }
  }
}

const isSaid = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0)

/** Whether there is anything beyond the domain that was asked about. */
export const saysSomething = (facts: CompanyFacts): boolean =>
  fields.some((field) => field !== "primary_domain" && isSaid(facts[field]))
