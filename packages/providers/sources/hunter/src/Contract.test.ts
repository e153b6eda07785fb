/** Hunter against the contract of every source, over its own simulator. */
import { CompanyDirectory } from "@lading/core/company"
import { PersonDirectory } from "@lading/core/person"
import type { Source } from "@lading/core/waterfall"
import {
  companyDirectorySuite,
  companySourceSuite,
  credentialCheckSuite,
  fixturesSuite,
  personDirectorySuite,
  personSourceSuite,
  sequenceSuite,
  shapeSuite
} from "@lading/testing/suites"
import { Effect, Redacted } from "effect"
import * as Hunter from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
import discover from "./fixtures/discover.json" with { type: "json" }
import domainSearch from "./fixtures/domain-search.json" with { type: "json" }
import emailFinder from "./fixtures/email-finder.json" with { type: "json" }
import peopleFind from "./fixtures/people-find.json" with { type: "json" }
import * as Simulator from "./simulator/index.ts"

const secret = "hunter-contract-marker-6a1f"
const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make(secret) }

const make = Effect.gen(function* () {
  const simulator = yield* Simulator.start({ credentials: [secret] })
  return { simulator, source: yield* Hunter.make({ baseUrl: simulator.url }) }
})

companySourceSuite("Hunter", {
  make,
  credential,
  known: { domain: "nordvik-robotics.example", name: "Nordvik Robotics" },
  unknown: { domain: "nobody.example", name: null }
})

personSourceSuite("Hunter", {
  make,
  credential,
  known: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
  unknown: { first_name: "Nobody", last_name: "Known", domain: "nordvik-robotics.example" }
})

credentialCheckSuite("Hunter", {
  make,
  credential,
  requests: ["GET /v2/account"],
  readme: new URL("../README.md", import.meta.url)
})

fixturesSuite("Hunter", { make: Hunter.make(), folder: new URL("..", import.meta.url) })

shapeSuite("Hunter", {
  make: Hunter.make(),
  answers: [company.body, emailFinder.body, peopleFind.body, discover.body, domainSearch.body]
})

const companies = CompanyDirectory.noFilter

companyDirectorySuite("Hunter", {
  make: Effect.flatMap(make, ({ simulator, source: { adapter, companyDirectory } }) =>
    companyDirectory === undefined
      ? Effect.die("no directory of companies")
      : Effect.succeed({ adapter, directory: companyDirectory, simulator })
  ),
  credential,
  finds: {
    query: { ...companies, query: "robotics" },
    domains: { ...companies, domains: ["nordvik-robotics.example", "acme-robotics.example"] },
    countries: { ...companies, countries: ["US", "NO"] },
    industries: { ...companies, industries: ["Machinery"] },
    technologies: { ...companies, technologies: ["nginx"] },
    employee_range: { ...companies, employee_range: { min: 2_000, max: null } },
    founded_range: { ...companies, founded_range: { min: 1990, max: 2000 } }
  },
  many: { ...companies, query: "robotics" },
  nobody: { ...companies, query: "nobody has this name" }
})

const people = { ...PersonDirectory.noFilter, company_domain: "ironpetal-energy.example" }

personDirectorySuite("Hunter", {
  make: Effect.flatMap(make, ({ simulator, source: { adapter, personDirectory } }) =>
    personDirectory === undefined
      ? Effect.die("no directory of people")
      : Effect.succeed({ adapter, directory: personDirectory, simulator })
  ),
  credential,
  finds: {
    company_domain: people,
    titles: { ...people, titles: ["purchasing manager"] },
    seniorities: { ...people, seniorities: ["c_level"] },
    departments: { ...people, departments: ["sales"] },
    countries: { ...people, countries: ["SE"] }
  },
  many: people,
  nobody: { ...people, company_domain: "nobody.example" }
})

const nordvik = { domain: "nordvik-robotics.example", name: "Nordvik Robotics" }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
const down = { _tag: "ServerError", status: 503 } as const
const COMPANY = "GET /v2/companies/find?domain"
const FINDER = "GET /v2/email-finder?domain&first_name&last_name&max_duration"
const PROFILE = "GET /v2/people/find?email"
const COMPANIES = "POST /v2/discover {organization}"
const PEOPLE = "GET /v2/domain-search?domain&limit&type"
const PEOPLE_THERE = "POST /v2/domain-search {domain, limit, location, offset, type}"

const askCompany = (domain: string) => (source: Source.Source) =>
  source.company!.call({ ...nordvik, domain }, credential)
const askPerson = (first_name: string) => (source: Source.Source) =>
  source.person!.call({ ...mara, first_name }, credential)
const findCompanies = (query: string) => (source: Source.Source) =>
  source.companyDirectory!.search({ filter: { ...companies, query }, limit: 10, cursor: null }, credential)
const findPeople = (filter: Partial<typeof people>) => (source: Source.Source) =>
  source.personDirectory!.search({ filter: { ...people, ...filter }, limit: 10, cursor: null }, credential)

sequenceSuite("Hunter", {
  make,
  readme: new URL("../README.md", import.meta.url),
  courses: [
    { of: "a company", ask: askCompany(nordvik.domain), ends: "Hit", requests: [COMPANY] },
    { of: "a company nobody knows", ask: askCompany("nobody.example"), ends: "Miss", requests: [COMPANY] },
    {
      of: "a company, down",
      ask: askCompany(nordvik.domain),
      fault: [0, down],
      ends: "Unavailable",
      requests: [COMPANY]
    },
    { of: "a person", ask: askPerson("Mara"), ends: "Hit", requests: [FINDER, PROFILE] },
    { of: "a person nobody knows", ask: askPerson("Nobody"), ends: "Miss", requests: [FINDER] },
    { of: "a person, down", ask: askPerson("Mara"), fault: [0, down], ends: "Unavailable", requests: [FINDER] },
    { of: "a profile, down", ask: askPerson("Mara"), fault: [1, down], ends: "Hit", requests: [FINDER, PROFILE] },
    { of: "companies", ask: findCompanies("robotics"), ends: "Hit", requests: [COMPANIES] },
    { of: "no company", ask: findCompanies("nobody has this name"), ends: "Miss", requests: [COMPANIES] },
    {
      of: "companies, down",
      ask: findCompanies("robotics"),
      fault: [0, down],
      ends: "Unavailable",
      requests: [COMPANIES]
    },
    { of: "people", ask: findPeople({}), ends: "Hit", requests: [PEOPLE] },
    { of: "people of a country", ask: findPeople({ countries: ["SE"] }), ends: "Hit", requests: [PEOPLE_THERE] },
    { of: "no people", ask: findPeople({ company_domain: "nobody.example" }), ends: "Miss", requests: [PEOPLE] },
    { of: "people, down", ask: findPeople({}), fault: [0, down], ends: "Unavailable", requests: [PEOPLE] }
  ]
})
