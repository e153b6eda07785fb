/**
 * Hunter's two searches over the synthetic population.
 */
import { Population, type Simulator } from "@lading/testing"
import { missing, refusal, success } from "./Dialect.ts"
import { HUNTER, statuses } from "./Knowledge.ts"

type Question = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Question =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const folded = (value: unknown): string => String(value).trim().toLowerCase()

/** The values at a path of the question, in lower case; `null` where nothing is asked there. */
const values = (question: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const [name, ...rest] = path
  if (name !== undefined) return isRecord(question) ? values(question[name], ...rest) : null
  return Array.isArray(question) ? question.map(folded) : null
}

const anyOf = (wanted: ReadonlyArray<string> | null, said: ReadonlyArray<unknown>): boolean =>
  wanted === null || said.some((one) => wanted.includes(folded(one)))

/** The countries of a list of locations, as Discover and Domain Search have them. */
const countries = (question: Question, name: string): ReadonlyArray<string> | null => {
  const location = question[name]
  const include = isRecord(location) ? location["include"] : undefined
  if (!Array.isArray(include)) return null
  return include.map((place) => folded(isRecord(place) ? place["country"] : ""))
}

const classes: ReadonlyArray<readonly [upTo: number, label: string]> = [
  [10, "1-10"],
  [50, "11-50"],
  [200, "51-200"],
  [500, "201-500"],
  [1_000, "501-1000"],
  [5_000, "1001-5000"],
  [10_000, "5001-10000"]
]

const classOf = (count: number): string => classes.find(([upTo]) => count <= upTo)?.[1] ?? "10001+"

const inYears = (years: unknown, founded: number | null): boolean => {
  if (!isRecord(years)) return true
  const from = Number(years["from"] ?? 0)
  const to = Number(years["to"] ?? 9999)
  return founded !== null && founded >= from && founded <= to
}

const all = (population: Population.SyntheticPopulation) =>
  Array.from({ length: population.companies }, (_, index) => population.company(index))

const holds = (question: Question, view: Population.CompanyView): boolean => {
  const names = values(question, "organization", "name")
  const { employees } = view
  return (
    (names === null || names.some((name) => folded(view.name).includes(name))) &&
    anyOf(values(question, "organization", "domain"), [view.domain, ...view.aliases]) &&
    anyOf(countries(question, "headquarters_location"), [view.hq?.country_code]) &&
    anyOf(values(question, "industry", "include"), view.industries) &&
    anyOf(values(question, "technology", "include"), view.technologies) &&
    anyOf(values(question, "headcount"), employees === null ? [] : [classOf(employees)]) &&
    inYears(question["year_founded"], view.founded_year)
  )
}

/** A number among the parameters, wherever they are; `null` where it is none that is allowed. */
const count = (value: unknown, otherwise: number, max: number): number | null => {
  const number = Number(value ?? otherwise)
  return Number.isInteger(number) && number >= 0 && number <= max ? number : null
}

/** Companies, of which no more than domain and name are told. */
export const discover = (population: Population.SyntheticPopulation, { body }: Simulator.Asked): Simulator.Reply => {
  const question = isRecord(body) ? body : {}
  const limit = count(question["limit"], 100, 100)
  const offset = count(question["offset"], 0, 10_000)
  if (limit === null || limit === 0 || offset === null)
    return refusal(400, "pagination_error", "Wrong limit or offset.")
  const known = new Set(all(population).flatMap(({ industries }) => industries.map(folded)))
  const industries = values(question, "industry", "include") ?? []
  if (industries.some((one) => !known.has(one))) return refusal(400, "invalid_industry", "There is no such industry.")
  const found = all(population)
    .flatMap((company) => Population.viewCompany(HUNTER, company) ?? [])
    .filter((view) => holds(question, view))
  const data = found.slice(offset, offset + limit).map((view) => ({
    domain: view.domain,
    organization: view.name,
    emails_count: { personal: 1, generic: view.emails.length, total: view.emails.length + 1 }
  }))
  return success(data, { results: found.length, limit, offset, params: question, filters: question })
}

const levels: Readonly<Record<string, string>> = {
  c_level: "executive",
  vp: "executive",
  head: "senior",
  director: "senior",
  manager: "senior",
  senior: "senior",
  junior: "junior"
}

const departments: Readonly<Record<string, string>> = { engineering: "it" }

const departmentOf = ({ department }: Population.PersonView): string | null =>
  department === null ? null : (departments[folded(department)] ?? folded(department))

/** Names of several, with commas between them. */
const listed = (question: Question, name: string): ReadonlyArray<string> | null =>
  question[name] === undefined ? null : folded(question[name]).split(",")

/** A title matches with all of its words, in any order. */
const isTitled = (wanted: ReadonlyArray<string> | null, title: string | null): boolean =>
  wanted === null ||
  wanted.some((one) => title !== null && one.split(" ").every((word) => folded(title).split(" ").includes(word)))

const isAsked = (question: Question, view: Population.PersonView): boolean =>
  view.work_email !== null &&
  isTitled(listed(question, "job_titles"), view.title) &&
  anyOf(listed(question, "seniority"), [levels[view.seniority ?? ""]]) &&
  anyOf(listed(question, "department"), [departmentOf(view)]) &&
  anyOf(countries(question, "location"), [view.location?.country_code])

const entry = (view: Population.PersonView) => ({
  value: view.work_email,
  type: "personal",
  confidence: view.work_email_confidence,
  sources: [],
  first_name: view.first_name,
  last_name: view.last_name,
  position: view.title,
  position_raw: view.title,
  seniority: levels[view.seniority ?? ""] ?? null,
  department: departmentOf(view),
  linkedin: view.linkedin === null ? null : `https://www.${view.linkedin.replace(/^(https?:\/\/)?(www\.)?/, "")}`,
  twitter: null,
  phone_number: view.phones[0]?.number ?? null,
  verification: { date: "2026-01-15", status: statuses[view.work_email_status] }
})

/** The people with an address at a domain. */
export const domainSearch = (population: Population.SyntheticPopulation, asked: Simulator.Asked): Simulator.Reply => {
  const question: Question = asked.method === "POST" && isRecord(asked.body) ? asked.body : asked.query
  if (question["domain"] === undefined || question["domain"] === "") return missing("domain")
  const limit = count(question["limit"], 10, 100)
  const offset = count(question["offset"], 0, 1_000_000)
  if (limit === null || limit === 0 || offset === null)
    return refusal(400, "pagination_error", "Wrong limit or offset.")
  const company = population.companyByDomain(folded(question["domain"]))
  const view = company === null ? null : Population.viewCompany(HUNTER, company)
  const found =
    company === null || view === null
      ? []
      : population
          .peopleOf(company)
          .flatMap((one) => Population.viewPerson(HUNTER, one) ?? [])
          .filter((one) => isAsked(question, one))
  return success(
    {
      domain: view?.domain ?? folded(question["domain"]),
      disposable: false,
      webmail: false,
      accept_all: false,
      pattern: "{first}.{last}",
      organization: view?.name ?? null,
      linked_domains: [],
      emails: found.slice(offset, offset + limit).map(entry)
    },
    { results: found.length, limit, offset, params: { domain: question["domain"] } }
  )
}
