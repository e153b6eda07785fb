/** The contract that every source keeps, at this vendor's simulator. */
import { Effect, Redacted } from "effect"
import { CompanyDirectory } from "@lading/core/company"
import { PersonDirectory } from "@lading/core/person"
import type { Source } from "@lading/core/waterfall"
import companySearch from "./fixtures/company-search.json" with { type: "json" }
import personSearch from "./fixtures/person-search.json" with { type: "json" }
import companyHit from "./fixtures/company.hit.json" with { type: "json" }
import personHit from "./fixtures/person.hit.json" with { type: "json" }
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
import { make } from "./index.ts"
import { start } from "./simulator/index.ts"

const KEY = "marker-of-the-contract-0123456789"
const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make(KEY) }

const bound = Effect.gen(function* () {
  const simulator = yield* start({ credentials: [KEY] })
  return { simulator, source: yield* make({ baseUrl: simulator.url }) }
})

companySourceSuite("peopledatalabs", {
  make: bound,
  known: { domain: "nordvik-robotics.example", name: "Nordvik Robotics" },
  unknown: { domain: "nobody-knows-it.example", name: "Nobody Knows It" },
  credential,
  objections: false
})

personSourceSuite("peopledatalabs", {
  make: bound,
  known: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
  unknown: { first_name: "Nobody", last_name: "Knows", domain: "nordvik-robotics.example" },
  credential,
  objections: false
})

credentialCheckSuite("peopledatalabs", {
  make: bound,
  credential,
  requests: ["GET /v5/company/enrich"],
  readme: new URL("../README.md", import.meta.url)
})

fixturesSuite("peopledatalabs", { make: make(), folder: new URL("..", import.meta.url) })

shapeSuite("PeopleDataLabs", {
  make: make(),
  answers: [companyHit.body, personHit.body, companySearch.body, personSearch.body]
})

const companies = CompanyDirectory.noFilter

companyDirectorySuite("peopledatalabs", {
  make: Effect.flatMap(bound, ({ simulator, source: { adapter, companyDirectory } }) =>
    companyDirectory === undefined
      ? Effect.die("no directory of companies")
      : Effect.succeed({ adapter, directory: companyDirectory, simulator })
  ),
  credential,
  finds: {
    query: { ...companies, query: "robotics nordvik" },
    domains: { ...companies, domains: ["nordvik-robotics.example", "Acme-Robotics.example"] },
    countries: { ...companies, countries: ["US", "NO"] },
    industries: { ...companies, industries: ["Machinery"] },
    employee_range: { ...companies, employee_range: { min: 2_000, max: null } },
    founded_range: { ...companies, founded_range: { min: 1990, max: 2000 } }
  },
  many: { ...companies, query: "robotics" },
  nobody: { ...companies, query: "nobody has this name" }
})

const people = { ...PersonDirectory.noFilter, company_domain: "orchardine-textiles.example" }

personDirectorySuite("peopledatalabs", {
  make: Effect.flatMap(bound, ({ simulator, source: { adapter, personDirectory } }) =>
    personDirectory === undefined
      ? Effect.die("no directory of people")
      : Effect.succeed({ adapter, directory: personDirectory, simulator })
  ),
  credential,
  finds: {
    company_domain: people,
    titles: { ...people, titles: ["Sales", "head of procurement"] },
    seniorities: { ...people, seniorities: ["c_level", "manager"] },
    departments: { ...people, departments: ["operations"] },
    countries: { ...people, countries: ["NO"] }
  },
  many: people,
  nobody: { ...people, company_domain: "nobody.example" }
})

const nordvik = { domain: "nordvik-robotics.example", name: "Nordvik Robotics" }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
const down = { _tag: "ServerError", status: 503 } as const
const COMPANY = "GET /v5/company/enrich?min_likelihood&name&titlecase&website"
const PERSON = "GET /v5/person/enrich?company&first_name&last_name&min_likelihood&titlecase"
const COMPANIES = "POST /v5/company/search {query, size, titlecase}"
const PEOPLE = "POST /v5/person/search {query, size, titlecase}"

const askCompany = (company: typeof nordvik) => (source: Source.Source) => source.company!.call(company, credential)
const nobody = { domain: "nobody-knows-it.example", name: "Nobody Knows It" }
const askPerson = (first_name: string) => (source: Source.Source) =>
  source.person!.call({ ...mara, first_name }, credential)
const findCompanies = (query: string) => (source: Source.Source) =>
  source.companyDirectory!.search({ filter: { ...companies, query }, limit: 10, cursor: null }, credential)
const findPeople = (company_domain: string) => (source: Source.Source) =>
  source.personDirectory!.search({ filter: { ...people, company_domain }, limit: 10, cursor: null }, credential)

sequenceSuite("peopledatalabs", {
  make: bound,
  readme: new URL("../README.md", import.meta.url),
  courses: [
    { of: "a company", ask: askCompany(nordvik), ends: "Hit", requests: [COMPANY] },
    { of: "a company nobody knows", ask: askCompany(nobody), ends: "Miss", requests: [COMPANY] },
    { of: "a company, down", ask: askCompany(nordvik), fault: [0, down], ends: "Unavailable", requests: [COMPANY] },
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
    { of: "people", ask: findPeople(people.company_domain), ends: "Hit", requests: [PEOPLE] },
    { of: "no people", ask: findPeople("nobody.example"), ends: "Miss", requests: [PEOPLE] },
    {
      of: "people, down",
      ask: findPeople(people.company_domain),
      fault: [0, down],
      ends: "Unavailable",
      requests: [PEOPLE]
    }
  ]
})
