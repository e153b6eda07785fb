import { assert, describe, it } from "@effect/vitest"
import type { Source } from "@lading/core/waterfall"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Simulator } from "@lading/testing"
import { companySourceSuite, personSourceSuite } from "@lading/testing/suites"
import * as Plain from "./index.ts"
import { dialect, start } from "./simulator/index.ts"

const secret = "plain-marker-7731"
const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make(secret) }

const make = Effect.gen(function* () {
  const vendor = yield* start({ credentials: [secret] })
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

const nordvik = { domain: "nordvik-robotics.example", name: null }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }

/** The adapter before a vendor that answers everything with `reply`. */
const answering = Effect.fnUntraced(function* (reply: Simulator.Reply) {
  const vendor = yield* Simulator.make({ ...dialect(), answer: () => reply })
  return yield* Plain.make({ baseUrl: `${vendor.url}/` }).pipe(Effect.provide(FetchHttpClient.layer))
})

describe("Plain", () => {
  it.live("asks by domain, else by name, and tells the same facts", () =>
    Effect.gen(function* () {
      const { source, simulator: vendor } = yield* make.pipe(Effect.provide(FetchHttpClient.layer))
      const byDomain = yield* source.company!.call(nordvik, credential)
      const byName = yield* source.company!.call({ domain: null, name: "Nordvik Robotics" }, credential)
      assert.deepStrictEqual(byName, byDomain)
      assert.deepStrictEqual(
        (yield* vendor.calls).map((call) => call.query),
        [{ domain: "nordvik-robotics.example" }, { name: "Nordvik Robotics" }]
      )
    })
  )

  it.live("tells a person's mail, phones and jobs in the domain's words", () =>
    Effect.gen(function* () {
      const { source } = yield* make.pipe(Effect.provide(FetchHttpClient.layer))
      const outcome = yield* source.person!.call(mara, credential)
      assert(outcome._tag === "Hit")
      const { emails, phones, employment_history } = outcome.facts
      assert.strictEqual(emails?.[0]?.email, "mara.ellison@nordvik-robotics.example")
      assert.strictEqual(emails?.[0]?.type, "work")
      assert.strictEqual(emails?.[0]?.status, "valid")
      assert.includeMembers(["mobile", "work"], phones?.map(({ type }) => type) ?? ["none"])
      assert.strictEqual(employment_history?.[0]?.title, "Head of Procurement")
      assert.isTrue(employment_history?.[0]?.is_current)
    })
  )

  const statuses: ReadonlyArray<readonly [number, string]> = [
    [400, "InvalidInput"],
    [401, "Unauthorized"],
    [402, "QuotaExhausted"],
    [404, "InvalidResponse"],
    [422, "InvalidInput"],
    [429, "RateLimited"],
    [451, "Suppressed"],
    [418, "InvalidResponse"],
    [302, "InvalidResponse"],
    [204, "InvalidResponse"],
    [500, "Unavailable"],
    [599, "Unavailable"]
  ]
  for (const [status, tag] of statuses) {
    it.live(`status ${status} is ${tag}${status === 404 ? ", unless the vendor itself says not_found" : ""}`, () =>
      Effect.gen(function* () {
        const source = yield* answering({ status, body: status === 204 ? "" : "<html></html>" })
        assert.strictEqual((yield* Effect.flip(source.company!.call(nordvik, credential)))._tag, tag)
        assert.strictEqual((yield* Effect.flip(source.person!.call(mara, credential)))._tag, tag)
      })
    )
  }

  it.live("reads the time to wait from an HTTP date", () =>
    Effect.gen(function* () {
      const inAMinute = new Date(Date.now() + 60_000).toUTCString()
      const source = yield* answering({ status: 429, headers: { "retry-after": inAMinute }, body: {} })
      const error = yield* Effect.flip(source.company!.call(nordvik, credential))
      assert(error._tag === "RateLimited")
      assert.closeTo(error.retryAfter ?? 0, 60_000, 2_000)
    })
  )

  it.live("names the place of a wrong field, never its value", () =>
    Effect.gen(function* () {
      const source = yield* answering({ status: 200, body: { name: 4711 } })
      const error = yield* Effect.flip(source.company!.call(nordvik, credential))
      assert(error._tag === "InvalidResponse")
      assert.strictEqual(error.problem, "wrong value at name")
    })
  )

  it.live("takes its name, version, cost and limits from its options", () =>
    Effect.gen(function* () {
      const cost: Source.Cost = { kind: "per_call", units: 3, unit: "credit" }
      const source = yield* Plain.make({
        baseUrl: "http://127.0.0.1:1",
        name: "other",
        version: "9",
        cost,
        limits: { concurrency: 1 }
      }).pipe(Effect.provide(FetchHttpClient.layer))
      assert.strictEqual(source.adapter, "other")
      assert.strictEqual(source.version, "9")
      assert.strictEqual(source.limits.concurrency, 1)
      assert.strictEqual(source.limits.timeout, 10_000)
      assert.deepStrictEqual([source.company?.cost, source.person?.cost], [cost, cost])
      assert.strictEqual((yield* Effect.flip(source.company!.call(nordvik, credential))).source, "other")
    })
  )

  it.live("two seeds are two vendors that know different things of the same company", () =>
    Effect.gen(function* () {
      const facts = yield* Effect.forEach([1, 2], (seed) =>
        Effect.gen(function* () {
          const vendor = yield* start({ seed })
          const source = yield* Plain.make({ baseUrl: vendor.url }).pipe(Effect.provide(FetchHttpClient.layer))
          const outcome = yield* source.company!.call(nordvik, credential)
          return outcome._tag === "Hit" ? outcome.facts : assert.fail("no hit")
        })
      )
      assert.strictEqual(facts[0]?.primary_domain, facts[1]?.primary_domain)
      assert.notDeepEqual(facts[0], facts[1])
    })
  )
})
