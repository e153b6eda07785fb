/** Apollo against the contract of every source, over its own simulator. */
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
import * as Apollo from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
import companySearch from "./fixtures/company-search.json" with { type: "json" }
import personSearch from "./fixtures/person-search.json" with { type: "json" }
import person from "./fixtures/person.json" with { type: "json" }
import * as Simulator from "./simulator/index.ts"

const secret = "apollo-contract-marker-2d8e"
const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make(secret) }

const make = Effect.gen(function* () {
  const simulator = yield* Simulator.start({ credentials: [secret] })
  return { simulator, source: yield* Apollo.make({ baseUrl: simulator.url }) }
})

companySourceSuite("Apollo", {
  make,
  credential,
  known: { domain: "nordvik-robotics.example", name: "Nordvik Robotics" },
  unknown: { domain: "nobody.example", name: null },
  objections: false
})

personSourceSuite("Apollo", {
  make,
  credential,
  known: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
  unknown: { first_name: "Nobody", last_name: "Known", domain: "nordvik-robotics.example" },
  objections: false
})

credentialCheckSuite("Apollo", {
  make,
  credential,
  requests: ["GET /api/v1/auth/health"],
  readme: new URL("../README.md", import.meta.url)
})

fixturesSuite("Apollo", { make: Apollo.make(), folder: new URL("..", import.meta.url) })

shapeSuite("Apollo", {
  make: Apollo.make(),
  answers: [company.body, person.body, companySearch.body, personSearch.body]
})

const companies = CompanyDirectory.noFilter

companyDirectorySuite("Apollo", {
  make: Effect.flatMap(make, ({ simulator, source: { adapter, companyDirectory } }) =>
    companyDirectory === undefined
      ? Effect.die("no directory of companies")
      : Effect.succeed({ adapter, directory: companyDirectory, simulator })
  ),
  credential,
  finds: {
    query: { ...companies, query: "robotics" },
    domains: { ...companies, domains: ["nordvik-robotics.example", "acme-robotics.example"] },
    countries: { ...companies, countries: ["US"] },
    industries: { ...companies, industries: ["Machinery"] },
    technologies: { ...companies, technologies: ["Google Analytics", "Node.js"] },
    employee_range: { ...companies, employee_range: { min: 2_000, max: null } }
  },
  many: { ...companies, query: "robotics" },
  nobody: { ...companies, query: "nobody has this name" }
})

const people = PersonDirectory.noFilter

personDirectorySuite("Apollo", {
  make: Effect.flatMap(make, ({ simulator, source: { adapter, personDirectory } }) =>
    personDirectory === undefined
      ? Effect.die("no directory of people")
      : Effect.succeed({ adapter, directory: personDirectory, simulator })
  ),
  credential,
  finds: {
    company_domain: { ...people, company_domain: "nordvik-robotics.example" },
    titles: { ...people, titles: ["procurement head"] },
    seniorities: { ...people, seniorities: ["c_level"] },
    countries: { ...people, countries: ["NO"], titles: ["procurement"] }
  },
  many: { ...people, titles: ["head of procurement"], countries: ["NO"] },
  nobody: { ...people, company_domain: "nobody.example" }
})

const nordvik = { domain: "nordvik-robotics.example", name: "Nordvik Robotics" }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
const down = { _tag: "ServerError", status: 503 } as const
const COMPANY = "GET /api/v1/organizations/enrich?domain"
const PERSON = "POST /api/v1/people/match?domain&first_name&last_name&reveal_personal_emails"
const COMPANIES = "POST /api/v1/mixed_companies/search {page, per_page, q_organization_name}"
const PEOPLE = "POST /api/v1/mixed_people/api_search {page, per_page, q_organization_domains_list}"

const askCompany = (domain: string) => (source: Source.Source) =>
  source.company!.call({ ...nordvik, domain }, credential)
const askPerson = (first_name: string) => (source: Source.Source) =>
  source.person!.call({ ...mara, first_name }, credential)
const findCompanies = (query: string) => (source: Source.Source) =>
  source.companyDirectory!.search({ filter: { ...companies, query }, limit: 10, cursor: null }, credential)
const findPeople = (company_domain: string) => (source: Source.Source) =>
  source.personDirectory!.search({ filter: { ...people, company_domain }, limit: 10, cursor: null }, credential)

sequenceSuite("Apollo", {
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
    { of: "a person", ask: askPerson("Mara"), ends: "Hit", requests: [PERSON] },
    { of: "a person nobody knows", ask: askPerson("Nobody"), ends: "Miss", requests: [PERSON] },
    { of: "a person, down", ask: askPerson("Mara"), fault: [0, down], ends: "Unavailable", requests: [PERSON] },
    { of: "companies", ask: findCompanies("robotics"), ends: "Hit", requests: [COMPANIES] },
    { of: "no company", ask: findCompanies("nobody has this name"), ends: "Miss", requests: [COMPANIES] },
    {
      of: "companies, down",
      ask: findCompanies("robotics"),
      fault: [0, down],
      ends: "Unavailable",
      requests: [COMPANIES]
    },
    { of: "people", ask: findPeople(nordvik.domain), ends: "Hit", requests: [PEOPLE] },
    { of: "no people", ask: findPeople("nobody.example"), ends: "Miss", requests: [PEOPLE] },
    { of: "people, down", ask: findPeople(nordvik.domain), fault: [0, down], ends: "Unavailable", requests: [PEOPLE] }
  ]
})
