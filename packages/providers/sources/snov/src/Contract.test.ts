/**
 * Snov.io against the contract of every source, over its own simulator.
 *
 * Gotcha: a fault that has to do with the connection shows at the first request, that for the token; one that has to do
 * with the answer shows where Snov.io shows it, after a token was given.
 */
import type { Source } from "@lading/core/waterfall"
import type { Simulator as Kit } from "@lading/testing"
import {
  companySourceSuite,
  credentialCheckSuite,
  type Course,
  fixturesSuite,
  personSourceSuite,
  sequenceSuite,
  shapeSuite
} from "@lading/testing/suites"
import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import * as Snov from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
import found from "./fixtures/found.json" with { type: "json" }
import profile from "./fixtures/profile.json" with { type: "json" }
import task from "./fixtures/task.json" with { type: "json" }
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

credentialCheckSuite("Snov.io", {
  make,
  credential,
  requests: ["POST /v1/oauth/access_token", "GET /v1/get-balance"],
  readme: new URL("../README.md", import.meta.url)
})

fixturesSuite("Snov.io", { make: Snov.make(), folder: new URL("..", import.meta.url) })

const { started, token } = task

/** What is answered before the answer that the suite breaks, by the end of its path. */
const steps: ReadonlyArray<readonly [end: string, body: unknown]> = [
  ["/access_token", token],
  ["/start", started[0]],
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
shapeSuite("Snov.io's start", { make: breaking("/start"), answers: started })
shapeSuite("Snov.io's company", { make: breaking("/domain-search/result/x"), answers: [company.body] })
shapeSuite("Snov.io's finder", { make: breaking("/emails-by-domain-by-name/result"), answers: [found.body] })
shapeSuite("Snov.io's profile", { make: breaking("/get-profile-by-email"), answers: [profile.body] })

const nordvik = { domain: "nordvik-robotics.example", name: "Nordvik Robotics" }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
const down = { _tag: "ServerError", status: 503 } as const
const TOKEN = "POST /v1/oauth/access_token {client_id, client_secret, grant_type}"
const COMPANY = "POST /v2/domain-search/start {domain}"
const COMPANY_RESULT = "GET /v2/domain-search/result/{task_hash}"
const PERSON = "POST /v2/emails-by-domain-by-name/start {rows}"
const PERSON_RESULT = "GET /v2/emails-by-domain-by-name/result?task_hash"
const PROFILE = "POST /v1/get-profile-by-email {email}"
const PERSON_FOUND = [TOKEN, PERSON, PERSON_RESULT, PROFILE]

const askCompany = (domain: string) => (source: Source.Source) =>
  source.company!.call({ ...nordvik, domain }, credential)
const askPerson = (first_name: string) => (source: Source.Source) =>
  source.person!.call({ ...mara, first_name }, credential)
/** Two questions, one after the other. */
const askBoth = (source: Source.Source) => Effect.andThen(askCompany(nordvik.domain)(source), askPerson("Mara")(source))
/** A pending answer that is asked for again. */
const askAgain = (source: Source.Source) =>
  Effect.flatMap(askCompany(nordvik.domain)(source), (outcome) =>
    outcome._tag === "Pending" ? source.company!.resume!(outcome.handle, credential) : Effect.die("not pending")
  )

/** With its fault at one of the requests of a person. */
const failing = (
  from: number,
  fault: Kit.Fault,
  ends: string,
  requests: ReadonlyArray<string>,
  times?: number
): Course => ({
  of: `a person, ${fault._tag} from request ${from + 1} on`,
  ask: askPerson("Mara"),
  fault: times === undefined ? [from, fault] : [from, fault, times],
  ends,
  requests
})

sequenceSuite("Snov.io", {
  make,
  readme: new URL("../README.md", import.meta.url),
  courses: [
    { of: "a company", ask: askCompany(nordvik.domain), ends: "Hit", requests: [TOKEN, COMPANY, COMPANY_RESULT] },
    {
      of: "a company nobody knows",
      ask: askCompany("nobody.example"),
      ends: "Miss",
      requests: [TOKEN, COMPANY, COMPANY_RESULT]
    },
    {
      of: "a company, down",
      ask: askCompany(nordvik.domain),
      fault: [1, down],
      ends: "Unavailable",
      requests: [TOKEN, COMPANY]
    },
    { of: "a person", ask: askPerson("Mara"), ends: "Hit", requests: PERSON_FOUND },
    { of: "a person nobody knows", ask: askPerson("Nobody"), ends: "Miss", requests: [TOKEN, PERSON, PERSON_RESULT] },
    {
      of: "a company and a person",
      ask: askBoth,
      ends: "Hit",
      requests: [TOKEN, COMPANY, COMPANY_RESULT, PERSON, PERSON_RESULT, PROFILE]
    },
    failing(0, down, "Unavailable", [TOKEN]),
    failing(1, down, "Unavailable", [TOKEN, PERSON]),
    failing(2, down, "Hit", [TOKEN, PERSON, PERSON_RESULT, PERSON_RESULT, PROFILE], 1),
    failing(2, { _tag: "MalformedJson" }, "InvalidResponse", [TOKEN, PERSON, PERSON_RESULT]),
    failing(3, down, "Hit", PERSON_FOUND),
    // A token that is refused is replaced once, and the request with it.
    failing(1, { _tag: "WrongKey" }, "Hit", [TOKEN, PERSON, TOKEN, PERSON, PERSON_RESULT, PROFILE], 1)
  ]
})

sequenceSuite("Snov.io, in its own time", {
  make: Effect.gen(function* () {
    const simulator = yield* Simulator.start({ polls: 2 })
    return { simulator, source: yield* Snov.make({ baseUrl: simulator.url, pace: { first: 0, every: 1 } }) }
  }),
  courses: [
    {
      of: "a company",
      ask: askCompany(nordvik.domain),
      ends: "Hit",
      requests: [TOKEN, COMPANY, COMPANY_RESULT, COMPANY_RESULT, COMPANY_RESULT]
    }
  ]
})

sequenceSuite("Snov.io, later", {
  make: Effect.gen(function* () {
    const simulator = yield* Simulator.start({ polls: 1 })
    return {
      simulator,
      source: yield* Snov.make({ baseUrl: simulator.url, pace: { first: 0, every: 10_000, patience: 2_000 } })
    }
  }),
  courses: [
    { of: "a company", ask: askCompany(nordvik.domain), ends: "Pending", requests: [TOKEN, COMPANY, COMPANY_RESULT] },
    {
      of: "a company, asked for again",
      ask: askAgain,
      ends: "Hit",
      requests: [TOKEN, COMPANY, COMPANY_RESULT, COMPANY_RESULT]
    }
  ]
})
