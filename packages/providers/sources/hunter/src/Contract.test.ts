/** Hunter against the contract of every source, over its own simulator. */
import type { Source } from "@lading/core/waterfall"
import { companySourceSuite, personSourceSuite } from "@lading/testing/suites"
import { Effect, Redacted } from "effect"
import * as Hunter from "./index.ts"
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
