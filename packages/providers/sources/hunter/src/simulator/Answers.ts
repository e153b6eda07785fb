/**
 * What Hunter knows of the synthetic population, in Hunter's shapes and spelling.
 */
import { Population, type Simulator } from "@lading/testing"
import { missing, notFound, nothingFound, refusal, success } from "./Dialect.ts"
import * as Search from "./Search.ts"
import { HUNTER, statuses } from "./Knowledge.ts"

const employees: ReadonlyArray<readonly [upTo: number, range: string]> = [
  [10, "1-10"],
  [50, "11-50"],
  [250, "51-250"],
  [1_000, "251-1K"],
  [5_000, "1K-5K"],
  [10_000, "5K-10K"]
]

const rangeOf = (count: number | null): string | null =>
  count === null ? null : (employees.find(([upTo]) => count <= upTo)?.[1] ?? "10001+")

/** `https://www.linkedin.com/company/nordvik/` as `company/nordvik`. */
const handle = (url: string | null) => ({
  handle: url?.replace(/^(https?:\/\/)?[^/]+\//, "").replace(/\/$/, "") ?? null
})

const category = ([industry, subIndustry, industryGroup]: ReadonlyArray<string>) => ({
  sector: null,
  industryGroup: industryGroup ?? null,
  industry: industry ?? null,
  subIndustry: subIndustry ?? null,
  gicsCode: null,
  naicsCode: null
})

const place = (
  location: { readonly city: string; readonly country: string; readonly country_code: string } | null
) => ({
  location: location === null ? null : `${location.city}, ${location.country}`,
  geo: {
    streetAddress: null,
    city: location?.city ?? null,
    state: null,
    postalCode: null,
    country: location?.country ?? null,
    countryCode: location?.country_code ?? null
  }
})

const companyData = (view: Population.CompanyView) => {
  const { geo, location } = place(view.hq)
  return {
    name: view.name,
    legalName: view.legal_name,
    domain: view.domain,
    domainAliases: view.aliases,
    site: { phoneNumbers: view.phones, emailAddresses: view.emails },
    category: category(view.industries),
    tags: view.keywords,
    description: view.description,
    foundedYear: view.founded_year,
    location: view.hq?.full_address ?? location,
    geo: { ...geo, state: view.hq?.state ?? null, postalCode: view.hq?.postal_code ?? null },
    linkedin: handle(view.social.linkedin),
    twitter: handle(view.social.twitter),
    facebook: { ...handle(view.social.facebook), likes: null },
    crunchbase: handle(view.social.crunchbase),
    instagram: handle(view.social.instagram),
    phone: view.phones[0] ?? null,
    metrics: {
      employees: rangeOf(view.employees),
      raised: view.funding,
      annualRevenue: null,
      estimatedAnnualRevenue: null
    },
    tech: view.technologies,
    fundingRounds: [],
    parent: { domain: null }
  }
}

const personData = (view: Population.PersonView, email: string) => ({
  name: { fullName: `${view.first_name} ${view.last_name}`, givenName: view.first_name, familyName: view.last_name },
  email,
  ...place(view.location),
  employment: {
    domain: view.company_domain,
    name: view.company_name,
    title: view.title,
    role: view.department,
    subRole: null,
    seniority: view.seniority
  },
  facebook: { handle: null },
  twitter: { handle: null },
  linkedin: { handle: handle(view.linkedin).handle?.replace(/^in\//, "") ?? null },
  fuzzy: false,
  phone: view.phones[0]?.number ?? null,
  inactiveAt: null
})

const foundData = (view: Population.PersonView, email: string) => ({
  first_name: view.first_name,
  last_name: view.last_name,
  email,
  score: view.work_email_confidence,
  domain: view.company_domain,
  accept_all: view.work_email_status === "catch_all",
  position: view.title,
  company: view.company_name,
  twitter: null,
  linkedin_url: view.linkedin,
  phone_number: null,
  sources: [],
  verification: { date: "2026-01-15", status: statuses[view.work_email_status] }
})

const companiesFind = (population: Population.SyntheticPopulation, { query: { domain } }: Simulator.Asked) => {
  if (domain === undefined || domain === "") return missing("domain")
  const company = population.companyByDomain(domain)
  const view = company === null ? null : Population.viewCompany(HUNTER, company)
  return view === null ? notFound : success(companyData(view), { domain })
}

const emailFinder = (population: Population.SyntheticPopulation, asked: Simulator.Asked) => {
  const { domain = "", first_name = "", last_name = "" } = asked.query
  if (domain === "") return missing("domain")
  if (first_name === "" || last_name === "") return missing("first_name")
  const person = population.personBy(first_name, last_name, domain)
  const view = person === null ? null : Population.viewPerson(HUNTER, person)
  return view === null || view.work_email === null
    ? nothingFound(asked)
    : success(foundData(view, view.work_email), { params: { domain, first_name, last_name } })
}

const peopleFind = (population: Population.SyntheticPopulation, { query: { email } }: Simulator.Asked) => {
  if (email === undefined || email === "") return missing("email")
  const person = population.personByEmail(email)
  const view = person === null ? null : Population.viewPerson(HUNTER, person)
  return view === null ? notFound : success(personData(view, email), { email })
}

/** Whose key it is, the same for every key; nothing here is paid for. */
const account = {
  first_name: "Ines",
  last_name: "Holm",
  email: "ines@customer.example",
  plan_name: "Growth",
  plan_level: 2,
  reset_date: "2026-12-01",
  team_id: 1,
  requests: { credits: { used: 0, available: 10_000 } }
}

/** Answers from the population on the paths that the adapter asks; any other is unknown. */
export const from =
  (population: Population.SyntheticPopulation): Simulator.Dialect["answer"] =>
  (asked) => {
    switch (`${asked.method} ${asked.path}`) {
      case "GET /v2/companies/find":
        return companiesFind(population, asked)
      case "GET /v2/email-finder":
        return emailFinder(population, asked)
      case "GET /v2/people/find":
        return peopleFind(population, asked)
      case "POST /v2/discover":
        return Search.discover(population, asked)
      case "GET /v2/domain-search":
      case "POST /v2/domain-search":
        return Search.domainSearch(population, asked)
      case "GET /v2/account":
        return success(account, {})
      default:
        return refusal(404, "unknown_route", "There is no such path.")
    }
  }
