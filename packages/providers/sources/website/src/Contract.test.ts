/** The contract that every source keeps, against the sites of the synthetic companies. */
import type { Source } from "@lading/core/waterfall"
import { companySourceSuite, fixturesSuite, sequenceSuite } from "@lading/testing/suites"
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

const ROBOTS = "GET /robots.txt"
const HOME = "GET /"
const FURTHER = ["GET /contact", "GET /about-us", "GET /imprint"]
const down = { _tag: "ServerError", status: 503 } as const

const ask = (domain: string) => (source: Source.Source) =>
  source.company!.call({ domain, name: null }, { _tag: "None" })
const acme = ask("acme-robotics.example")

sequenceSuite("Website", {
  make,
  courses: [
    { of: "a site", ask: acme, ends: "Hit", requests: [ROBOTS, HOME, ...FURTHER], together: 3 },
    { of: "nobody's", ask: ask("nobody.example"), ends: "Miss", requests: [ROBOTS, HOME] },
    { of: "a site, down", ask: acme, fault: [0, down], ends: "Unavailable", requests: [ROBOTS] },
    { of: "a home page, down", ask: acme, fault: [1, down], ends: "Unavailable", requests: [ROBOTS, HOME] },
    {
      of: "further pages, down",
      ask: acme,
      fault: [2, down],
      ends: "Hit",
      requests: [ROBOTS, HOME, ...FURTHER],
      together: 3
    }
  ]
})
