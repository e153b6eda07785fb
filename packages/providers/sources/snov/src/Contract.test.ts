/**
 * Snov.io against the contract of every source, over its own simulator.
 *
 * Gotcha: a fault that has to do with the connection shows at the first request, that for the token; one that has to do
 * with the answer shows where Snov.io shows it, after a token was given.
 */
import type { Source } from "@lading/core/waterfall"
import type { Simulator as Kit } from "@lading/testing"
import { companySourceSuite, personSourceSuite, shapeSuite } from "@lading/testing/suites"
import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import * as Snov from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
import found from "./fixtures/found.json" with { type: "json" }
import profile from "./fixtures/profile.json" with { type: "json" }
import * as Simulator from "./simulator/index.ts"

const id = "snov-contract-client"
const secret = "snov-contract-marker-7a1c"
const credential: Source.Credential = { _tag: "Client", id: Redacted.make(id), secret: Redacted.make(secret) }

const make = Effect.gen(function* () {
  const simulator = yield* Simulator.start({ credentials: [`${id}:${secret}`], polls: 0 })
  return { simulator, source: yield* Snov.make({ baseUrl: simulator.url, pace: { first: 0, every: 1 } }) }
})

/** The token; the token and a start; the token, a start and a result. */
const requests = ({ _tag }: Kit.Fault): number => (_tag === "QuotaExhausted" ? 2 : _tag === "Suppressed" ? 3 : 1)

companySourceSuite("Snov.io", {
  make,
  credential,
  requests,
  known: { domain: "nordvik-robotics.example", name: "Nordvik Robotics" },
  unknown: { domain: "nobody.example", name: null },
  objections: false
})

personSourceSuite("Snov.io", {
  make,
  credential,
  requests,
  known: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
  unknown: { first_name: "Nobody", last_name: "Known", domain: "nordvik-robotics.example" }
})

const token = { access_token: "synthetic-token", token_type: "Bearer", expires_in: 3_600 }
const started = { data: { task_hash: "9d0b7c21e4f84a6db3a5c6e7f8091a2b" }, meta: { task_hash: "9d0b7c21" } }

/** What is answered before the answer that the suite breaks, by the end of its path. */
const steps: ReadonlyArray<readonly [end: string, body: unknown]> = [
  ["/access_token", token],
  ["/start", started],
  ["/emails-by-domain-by-name/result", found.body],
  ["/get-profile-by-email", profile.body]
]

/** Snov.io whose answers are right, but for that on a path with this end, which is the suite's. */
const breaking = (end: string): Effect.Effect<Source.Source, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const broken = yield* HttpClient.HttpClient
    const http = HttpClient.make((request, url) => {
      const step = url.pathname.endsWith(end) ? undefined : steps.find(([other]) => url.pathname.endsWith(other))
      return step === undefined
        ? broken.execute(request)
        : Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(step[1])))
    })
    const source = yield* Snov.make({ pace: { first: 0 } }).pipe(Effect.provideService(HttpClient.HttpClient, http))
    // The suite has an API key, which Snov.io's adapter would refuse.
    return {
      ...source,
      company: { ...source.company!, call: (identity) => source.company!.call(identity, credential) },
      person: { ...source.person!, call: (identity) => source.person!.call(identity, credential) }
    }
  })

shapeSuite("Snov.io's token", { make: breaking("/access_token"), answers: [token] })
shapeSuite("Snov.io's start", { make: breaking("/start"), answers: [started] })
shapeSuite("Snov.io's company", { make: breaking("/domain-search/result/x"), answers: [company.body] })
shapeSuite("Snov.io's finder", { make: breaking("/emails-by-domain-by-name/result"), answers: [found.body] })
shapeSuite("Snov.io's profile", { make: breaking("/get-profile-by-email"), answers: [profile.body] })
