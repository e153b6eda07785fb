/** Apollo against the contract of every source, over its own simulator. */
import { CompanyDirectory } from "@lading/core/company"
import { PersonDirectory } from "@lading/core/person"
import type { Source } from "@lading/core/waterfall"
import {
  companyDirectorySuite,
  companySourceSuite,
  fixturesSuite,
  personDirectorySuite,
  personSourceSuite,
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
