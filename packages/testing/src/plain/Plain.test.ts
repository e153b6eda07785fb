import type { Source } from "@lading/core/waterfall"
import { Effect, Redacted } from "effect"
import { companySourceSuite, personSourceSuite } from "../suites/index.ts"
import * as Plain from "./index.ts"
import { simulator } from "./simulator.ts"

const secret = "plain-marker-7731"
const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make(secret) }

const make = Effect.gen(function* () {
  const vendor = yield* simulator({ credentials: [secret] })
  return { source: yield* Plain.make({ baseUrl: vendor.url }), simulator: vendor }
})

companySourceSuite("Plain", {
  make,
  known: { domain: "nordvik-robotics.example", name: null },
  unknown: { domain: "nowhere.example", name: null },
  credential
})

personSourceSuite("Plain", {
  make,
  known: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
  unknown: { first_name: "Nobody", last_name: "Ellison", domain: "nordvik-robotics.example" },
  credential
})
