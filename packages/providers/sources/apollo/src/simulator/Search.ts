/**
 * Apollo's two searches over the synthetic population. The question may stand in a JSON body; arrays are of any of their
 * values, and all parameters have to hold.
 */
import { Population, type Simulator } from "@lading/testing"
import { id, missing, refusal, success } from "./Dialect.ts"
import { APOLLO, organization } from "./Records.ts"

type Question = Readonly<Record<string, unknown>>

const questionOf = ({ body }: Simulator.Asked): Question =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {}

const folded = (text: string): string => text.trim().toLowerCase()

/** The values of a parameter, in lower case; none where it is left out. */
const values = (question: Question, name: string): ReadonlyArray<string> => {
  const value = question[name]
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((one) => folded(String(one)))
}

const anyOf = (wanted: ReadonlyArray<string>, said: ReadonlyArray<string>): boolean =>
  wanted.length === 0 || said.some((one) => wanted.includes(folded(one)))

const inRanges = (ranges: ReadonlyArray<string>, count: number | null): boolean =>
  ranges.length === 0 ||
  ranges.some((range) => {
    const [min = 0, max = 0] = range.split(",").map(Number)
    return count !== null && count >= min && count <= max
  })

const uid = (technology: string): string => technology.toLowerCase().replaceAll(/[\s.]/g, "_")

const holds = (question: Question, view: Population.CompanyView): boolean =>
  values(question, "q_organization_name").every((words) => folded(view.name).includes(words)) &&
  anyOf(values(question, "q_organization_domains_list"), [view.domain, ...view.aliases]) &&
  anyOf(values(question, "organization_locations"), view.hq === null ? [] : [view.hq.country, view.hq.city]) &&
  inRanges(values(question, "organization_num_employees_ranges"), view.employees) &&
  anyOf(values(question, "currently_using_any_of_technology_uids"), view.technologies.map(uid)) &&
  anyOf(values(question, "q_organization_keyword_tags"), [...view.industries, ...view.keywords])

/** `page` and `per_page`, or the refusal of what they must not be. */
const pageOf = (question: Question): { readonly page: number; readonly per_page: number } | null => {
  const page = Number(question["page"] ?? 1)
  const per_page = Number(question["per_page"] ?? 10)
  return Number.isInteger(page) && page >= 1 && page <= 500 && per_page >= 1 && per_page <= 100
    ? { page, per_page }
    : null
}

const all = (population: Population.SyntheticPopulation) =>
  Array.from({ length: population.companies }, (_, index) => population.company(index))

/** What the customer has in its CRM already, with an id of its own. */
const account = (view: Population.CompanyView) => ({
  ...organization(view),
  id: id(`account/${view.domain}`),
  organization_id: id(view.domain),
  domain: view.domain
})

/** A page of organizations: the famous ones are the customer's accounts, and come first. */
export const companies = (population: Population.SyntheticPopulation, asked: Simulator.Asked): Simulator.Reply => {
  const question = questionOf(asked)
  const place = pageOf(question)
  if (place === null) return refusal(422, { error: "There is no such page." })
  const found = all(population).flatMap((company) => {
    const view = Population.viewCompany(APOLLO, company)
    return view !== null && holds(question, view) ? [{ view, famous: company.famous }] : []
  })
  const shown = found.slice((place.page - 1) * place.per_page, place.page * place.per_page)
  return success({
    breadcrumbs: [],
    partial_results_only: false,
    accounts: shown.flatMap(({ famous, view }) => (famous ? [account(view)] : [])),
    organizations: shown.flatMap(({ famous, view }) => (famous ? [] : [organization(view)])),
    pagination: { ...place, total_entries: found.length, total_pages: Math.ceil(found.length / place.per_page) }
  })
}

/** Apollo's words for the population's levels. */
const levels: Readonly<Record<string, string>> = { c_level: "c_suite", junior: "entry" }

const levelOf = (seniority: string | null): string | null =>
  seniority === null ? null : (levels[seniority] ?? seniority)

/** A similar title is one with all the words, in any order. */
const isTitled = (wanted: ReadonlyArray<string>, title: string | null): boolean =>
  wanted.length === 0 ||
  wanted.some((one) => title !== null && one.split(" ").every((word) => folded(title).split(" ").includes(word)))

const isAsked = (question: Question, view: Population.PersonView): boolean =>
  anyOf(values(question, "q_organization_domains_list"), [
    view.company_domain,
    ...view.jobs.map(({ company_domain }) => company_domain)
  ]) &&
  isTitled(values(question, "person_titles"), view.title) &&
  anyOf(values(question, "person_seniorities"), [levelOf(view.seniority) ?? ""]) &&
  anyOf(values(question, "person_locations"), view.location === null ? [] : [view.location.country, view.location.city])

const obfuscated = (name: string): string => `${name.slice(0, 2)}***${name.slice(-1)}`

const summary = (view: Population.PersonView) => ({
  id: id(`${view.first_name}/${view.last_name}/${view.company_domain}`),
  first_name: view.first_name,
  last_name_obfuscated: obfuscated(view.last_name),
  title: view.title,
  last_refreshed_at: "2026-01-15T00:00:00.000+00:00",
  has_email: view.work_email !== null,
  has_city: view.location !== null,
  has_state: false,
  has_country: view.location !== null,
  has_direct_phone: view.phones.length > 0 ? "Yes" : "Maybe",
  organization: { name: view.company_name, has_industry: true, has_phone: true }
})

/** A page of people, without what is for sale. */
export const people = (population: Population.SyntheticPopulation, asked: Simulator.Asked): Simulator.Reply => {
  const question = questionOf(asked)
  const place = pageOf(question)
  if (place === null) return missing("page")
  const found = all(population)
    .flatMap(population.peopleOf)
    .flatMap((one) => Population.viewPerson(APOLLO, one) ?? [])
    .filter((view) => isAsked(question, view))
  return success({
    total_entries: found.length,
    people: found.slice((place.page - 1) * place.per_page, place.page * place.per_page).map(summary)
  })
}
