/**
 * What Apollo answers from the synthetic population.
 */
import { Population, type Simulator } from "@lading/testing"
import { matched, missing, refusal, success } from "./Dialect.ts"
import { APOLLO, bare, organization, person } from "./Records.ts"
import * as Search from "./Search.ts"

const hostOf = (website: string): string => bare(website.toLowerCase()).replace(/\/.*$/, "")

const enrich = (population: Population.SyntheticPopulation, { query }: Simulator.Asked): Simulator.Reply => {
  const website = query["domain"] ?? query["website"] ?? ""
  if (website === "") return missing("domain")
  const company = population.companyByDomain(hostOf(website))
  const view = company === null ? null : Population.viewCompany(APOLLO, company)
  return success({ organization: view === null ? null : organization(view) })
}

const personOf = (population: Population.SyntheticPopulation, query: Simulator.Asked["query"]) => {
  if (query["email"] !== undefined) return population.personByEmail(query["email"])
  const company =
    population.companyByDomain(hostOf(query["domain"] ?? "")) ??
    population.companyByName(query["organization_name"] ?? "")
  return company === null
    ? null
    : population.personBy(query["first_name"] ?? "", query["last_name"] ?? "", company.domain)
}

/** Only the query is read: what stands in a body matches nobody. */
const match = (population: Population.SyntheticPopulation, { query }: Simulator.Asked): Simulator.Reply => {
  const found = personOf(population, query)
  const view = found === null ? null : Population.viewPerson(APOLLO, found)
  if (found === null || view === null) return matched(null)
  return matched(person(view, Population.viewCompany(APOLLO, found.company)))
}

/** Answers from the population on the paths that the adapter asks; any other is unknown. */
export const from =
  (population: Population.SyntheticPopulation): Simulator.Dialect["answer"] =>
  (asked) => {
    switch (`${asked.method} ${asked.path}`) {
      case "GET /api/v1/organizations/enrich":
        return enrich(population, asked)
      case "POST /api/v1/people/match":
        return match(population, asked)
      case "POST /api/v1/mixed_companies/search":
        return Search.companies(population, asked)
      case "POST /api/v1/mixed_people/api_search":
        return Search.people(population, asked)
      case "GET /api/v1/auth/health":
        return success({ healthy: true, is_logged_in: true })
      default:
        return refusal(404, { error: "Not found" })
    }
  }
