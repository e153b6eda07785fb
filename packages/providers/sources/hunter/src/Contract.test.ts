/** Hunter against the contract of every source, over its own simulator. */
import type { Source } from "@lading/core/waterfall"
import { companySourceSuite, personSourceSuite, shapeSuite } from "@lading/testing/suites"
import { Effect, Redacted } from "effect"
import * as Hunter from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
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

shapeSuite("Hunter", { make: Hunter.make(), answers: [company.body, emailFinder.body, peopleFind.body] })
