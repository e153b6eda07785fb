/** The contract that every source keeps, at this vendor's simulator. */
import { Effect, Redacted } from "effect"
import type { Source } from "@lading/core/waterfall"
import companyHit from "./fixtures/company.hit.json" with { type: "json" }
import personHit from "./fixtures/person.hit.json" with { type: "json" }
import { companySourceSuite, personSourceSuite, shapeSuite } from "@lading/testing/suites"
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

shapeSuite("PeopleDataLabs", { make: make(), answers: [companyHit.body, personHit.body] })
