/** Apollo against the contract of every source, over its own simulator. */
import type { Source } from "@lading/core/waterfall"
import { companySourceSuite, personSourceSuite, shapeSuite } from "@lading/testing/suites"
import { Effect, Redacted } from "effect"
import * as Apollo from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
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

shapeSuite("Apollo", { make: Apollo.make(), answers: [company.body, person.body] })
