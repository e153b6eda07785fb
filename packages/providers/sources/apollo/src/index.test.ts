/** The adapter over real HTTP, against a server that says what the fixtures say. */
import { assert, describe, it } from "@effect/vitest"
import { Allowance, type Source } from "@lading/core/waterfall"
import { Simulator } from "@lading/testing"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { readFileSync } from "node:fs"
import * as Apollo from "./index.ts"
import company from "./fixtures/company.json" with { type: "json" }
import locked from "./fixtures/person-locked.json" with { type: "json" }
import misses from "./fixtures/misses.json" with { type: "json" }
import refusals from "./fixtures/refusals.json" with { type: "json" }
import * as Dialect from "./simulator/Dialect.ts"

const secret = "apollo-test-key-4711"
const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make(secret) }
const nordvik = { domain: "nordvik-robotics.example", name: null }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }

/** The text of a fixture: an import would round its `request_id`. */
const person = readFileSync(new URL("./fixtures/person.json", import.meta.url), "utf8")

/** A vendor that gives this one answer to everybody, and Apollo's adapter at it. */
const saying = Effect.fnUntraced(function* (reply: Simulator.Reply, ending = "") {
  const asked: Array<Simulator.Asked> = []
  const dialect = Dialect.make(() => reply)
  const vendor = yield* Simulator.make(
    {
      ...dialect,
      credential: (request) => {
        asked.push(request)
        return dialect.credential(request)
      }
    },
    { credentials: [secret] }
  )
  const source = yield* Apollo.make({ baseUrl: `${vendor.url}${ending}` }).pipe(Effect.provide(FetchHttpClient.layer))
  return {
    asked,
    company: (credential: Source.Credential = key) => source.company!.call(nordvik, credential),
    person: (credential: Source.Credential = key) => source.person!.call(mara, credential)
  }
})

const answered = (body: unknown): Simulator.Reply => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body
})

const fixture = answered(
  `{ "person": ${JSON.stringify(JSON.parse(person).body.person)}, "request_id": 1039995589705121901 }`
)

const tagOf = <Facts>(call: Effect.Effect<Source.Outcome<Facts>, { readonly _tag: string }>) =>
  Effect.match(call, { onSuccess: ({ _tag }): string => _tag, onFailure: ({ _tag }) => _tag })

describe("Apollo, what goes out", () => {
  it.live("a company is one GET by domain, with the key in a header only", () =>
    Effect.gen(function* () {
      const { asked, company: ask } = yield* saying(company, "/")
      assert.strictEqual((yield* ask())._tag, "Hit")
      assert.strictEqual(asked.length, 1)
      const { body, headers, method, path, query } = asked[0]!
      assert.deepStrictEqual(
        { method, path, query, body },
        {
          method: "GET",
          path: "/api/v1/organizations/enrich",
          query: { domain: "nordvik-robotics.example" },
          body: null
        }
      )
      assert.strictEqual(headers["x-api-key"], secret)
    })
  )

  it.live("a person is one POST with the question in the query, nothing in the body, and nothing to be revealed", () =>
    Effect.gen(function* () {
      const { asked, person: ask } = yield* saying(fixture)
      assert.strictEqual((yield* ask())._tag, "Hit")
      assert.strictEqual(asked.length, 1)
      const { body, headers, method, path, query } = asked[0]!
      assert.deepStrictEqual(
        { method, path, query, body },
        {
          method: "POST",
          path: "/api/v1/people/match",
          query: { ...mara, reveal_personal_emails: "false" },
          body: null
        }
      )
      assert.strictEqual(headers["content-length"], "0")
      assert.strictEqual(headers["x-api-key"], secret)
    })
  )

  it.live("is nothing without a key, or with one that no header can hold", () =>
    Effect.gen(function* () {
      const { asked, company: ask } = yield* saying(company)
      const unusable: ReadonlyArray<Source.Credential> = [
        { _tag: "None" },
        { _tag: "Client", id: Redacted.make("id"), secret: Redacted.make("secret") },
        { _tag: "ApiKey", key: Redacted.make("a\r\nb") }
      ]
      for (const one of unusable) assert.strictEqual(yield* tagOf(ask(one)), "Unauthorized")
      assert.isEmpty(asked)
    })
  )
})

describe("Apollo, what comes back", () => {
  it.live("the raw answer keeps every digit of the request_id, and nothing else differs from what was sent", () =>
    Effect.gen(function* () {
      const { person: ask } = yield* saying(fixture)
      const outcome = yield* ask()
      assert(outcome._tag === "Hit")
      assert.deepStrictEqual(outcome.raw, {
        person: JSON.parse(person).body.person,
        request_id: "1039995589705121901"
      })
    })
  )

  for (const [position, body] of misses.person.entries()) {
    it.live(`a 200 without a person is a miss, way ${position}`, () =>
      Effect.gen(function* () {
        const { person: ask } = yield* saying(answered(body))
        assert.strictEqual((yield* ask())._tag, "Miss")
      })
    )
  }

  for (const [position, body] of misses.organization.entries()) {
    it.live(`a 200 without an organization is a miss, way ${position}`, () =>
      Effect.gen(function* () {
        const { company: ask } = yield* saying(answered(body))
        assert.strictEqual((yield* ask())._tag, "Miss")
      })
    )
  }

  it.live("a record that is called no match is a hit all the same where it brings an address", () =>
    Effect.gen(function* () {
      const found = { id: "65aa", match_confidence: "none", email: "mara.ellison@nordvik-robotics.example" }
      const { person: ask } = yield* saying(answered({ person: found }))
      assert.strictEqual((yield* ask())._tag, "Hit")
    })
  )

  it.live("the placeholder is no address", () =>
    Effect.gen(function* () {
      const { person: ask } = yield* saying(answered(locked.body))
      const outcome = yield* ask()
      assert(outcome._tag === "Hit")
      assert.deepStrictEqual(outcome.facts.emails, [])
    })
  )

  for (const [what, body] of [
    ["a page", "<html></html>"],
    ["a list", []],
    ["the other operation's answer", company.body],
    ["an error without a word of credits", { error: "Something else." }],
    ["a record that is a text", { person: "Mara Ellison", organization: "Nordvik" }],
    ["a record without id and name", { person: { title: "Buyer" }, organization: { industry: "freight" } }]
  ] as const) {
    it.live(`${what} is no miss but an invalid answer`, () =>
      Effect.gen(function* () {
        const { company: askCompany, person: askPerson } = yield* saying(answered(body))
        assert.strictEqual(yield* tagOf(askPerson()), "InvalidResponse")
        if (body !== company.body) assert.strictEqual(yield* tagOf(askCompany()), "InvalidResponse")
      })
    )
  }

  for (const { body, means, retryAfter, status } of refusals.answers) {
    it.live(`${status} ${JSON.stringify(body)} is ${means}`, () =>
      Effect.gen(function* () {
        const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter / 1000) }
        const { asked, company: askCompany, person: askPerson } = yield* saying({ status, headers, body })
        const error = yield* Effect.flip(askCompany())
        assert.strictEqual(error._tag, means)
        if (error._tag === "RateLimited") assert.strictEqual(error.retryAfter, retryAfter ?? null)
        assert.strictEqual(yield* tagOf(askPerson()), means)
        assert.strictEqual(asked.length, 2)
      })
    )
  }

  it.live("a redirect is not followed with the key", () =>
    Effect.gen(function* () {
      const { asked, company: ask } = yield* saying({ status: 302, headers: { location: "/elsewhere" }, body: {} })
      assert.strictEqual(yield* tagOf(ask()), "InvalidResponse")
      assert.strictEqual(asked.length, 1)
    })
  )
})

describe("Apollo, what it says is left", () => {
  it.live("is told to whoever listens, after a hit and after a refusal", () =>
    Effect.gen(function* () {
      const heard: Array<number> = []
      const hearing = Effect.provideService(Allowance.Listener, ({ remaining, resetAt }: Allowance.Allowance) =>
        Effect.sync(() => void heard.push(remaining, Math.round((resetAt - Date.now()) / 10_000)))
      )
      const headers = { "x-minute-requests-left": "12", "x-hourly-requests-left": "7" }
      const { company: ask } = yield* saying({ ...company, headers })
      yield* hearing(ask())
      const { company: refused } = yield* saying({ status: 429, headers: { "x-minute-requests-left": "0" }, body: {} })
      yield* hearing(Effect.flip(refused()))
      assert.deepStrictEqual(heard, [7, 6, 0, 6])
    })
  )
})

describe("Apollo, what it accepts", () => {
  it.effect("works with a company's domain and with a person's whole name at a domain", () =>
    Effect.gen(function* () {
      const { company, person } = yield* Apollo.make().pipe(Effect.provide(FetchHttpClient.layer))
      assert.isTrue(company!.accepts(nordvik))
      assert.isFalse(company!.accepts({ domain: null, name: "Nordvik Robotics" }))
      assert.isTrue(person!.accepts(mara))
      for (const part of ["first_name", "last_name", "domain"]) {
        for (const unsaid of [null, " "]) assert.isFalse(person!.accepts({ ...mara, [part]: unsaid }))
      }
    })
  )
})
