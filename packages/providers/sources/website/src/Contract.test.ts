/** The contract that every source keeps, against the sites of the synthetic companies. */
import { companySourceSuite, fixturesSuite } from "@lading/testing/suites"
import { Effect } from "effect"
import * as Website from "./index.ts"
import * as Simulator from "./simulator/index.ts"

const make = Effect.gen(function* () {
  const simulator = yield* Simulator.start()
  return { simulator, source: yield* Website.make({ baseUrl: simulator.url }) }
})

/** They are a robots.txt like any other: only the home page shows what is wrong. */
const seenLate = new Set(["MalformedJson", "WrongShape", "Suppressed"])

companySourceSuite("Website", {
  make,
  credential: { _tag: "None" },
  // It is at home where it is asked for: a redirect that is cut off is a redirect all the same.
  known: { domain: "acme-robotics.example", name: "Acme Robotics" },
  unknown: { domain: "nobody.example", name: null },
  objections: false,
  requests: ({ _tag }) => (seenLate.has(_tag) ? 2 : 1)
})

fixturesSuite("Website", { make: Website.make(), folder: new URL("..", import.meta.url) })
