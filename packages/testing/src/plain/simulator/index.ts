/**
 * The plain vendor: answers from the synthetic population, of which each seed knows another part.
 */
import { Population, Simulator } from "@lading/testing"
import type { Effect, Scope } from "effect"
import * as Answers from "./Answers.ts"

export interface Options extends Simulator.Options {
  /** Which vendor this is: what it knows and how it spells; 1 by default. */
  readonly seed?: number
  readonly population?: Population.SyntheticPopulation
}

const refusal = (status: number, error: string): Simulator.Reply => ({ status, body: { error } })

const NOT_FOUND = refusal(404, "not_found")

/** How the vendor of that seed speaks. */
export const dialect = (
  seed = 1,
  population: Population.SyntheticPopulation = Population.standard
): Simulator.Dialect => {
  const company = ({ query: { domain, name } }: Simulator.Asked): Simulator.Reply => {
    if (domain === undefined && name === undefined) return refusal(400, "domain_or_name_required")
    const found = domain === undefined ? population.companyByName(name ?? "") : population.companyByDomain(domain)
    const view = found === null ? null : Population.viewCompany(seed, found)
    return view === null ? NOT_FOUND : { status: 200, body: Answers.company(view) }
  }
  const person = ({ query: { firstName, lastName, domain } }: Simulator.Asked): Simulator.Reply => {
    if (firstName === undefined || lastName === undefined || domain === undefined) {
      return refusal(400, "name_and_domain_required")
    }
    const found = population.personBy(firstName, lastName, domain)
    const view = found === null ? null : Population.viewPerson(seed, found)
    return view === null ? NOT_FOUND : { status: 200, body: Answers.person(view) }
  }
  return {
    vendor: "plain",
    credential: (asked) => asked.headers["x-api-key"] ?? null,
    answer: (asked) => {
      if (asked.path === "/v1/company") return company(asked)
      if (asked.path === "/v1/person") return person(asked)
      return refusal(404, "no_such_path")
    },
    miss: () => NOT_FOUND,
    wrongKey: () => refusal(401, "wrong_key"),
    quotaExhausted: () => refusal(402, "quota_exhausted"),
    rateLimited: (seconds) => ({
      ...refusal(429, "too_many_requests"),
      ...(seconds === null ? {} : { headers: { "retry-after": String(seconds) } })
    }),
    suppressed: () => refusal(451, "objected")
  }
}

/** Starts the vendor; its `url` is the adapter's `baseUrl`. */
export const start = (options: Options = {}): Effect.Effect<Simulator.Simulator, never, Scope.Scope> =>
  Simulator.make(dialect(options.seed, options.population), options)
