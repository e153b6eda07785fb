import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import power from "./fixtures/power.json" with { type: "json" }
import * as Reoon from "./index.ts"
import * as Result from "./Result.ts"
import * as Simulator from "./simulator/index.ts"

const secret = "reoon-contract-marker-51c7"

const reoon = Effect.fnUntraced(function* (key = secret) {
  const simulator = yield* Simulator.start({ credentials: [secret] })
  const { bulk, single } = yield* Reoon.make({ baseUrl: simulator.url, key: Redacted.make(key) })
  assert(bulk._tag === "Delegated")
  return { simulator, bulk, single: (email: string, millis = 20_000) => single(email, Date.now() + millis) }
}, Effect.provide(FetchHttpClient.layer))

const many = ["nobody", "catch_all", ...Array.from({ length: 10 }, (_, n) => `ada${n}`)].map((l) => `${l}@acme.example`)

describe("Reoon", () => {
  it("reads the documented answer, and no more than it says", () => {
    const { email } = power.body
    const result = Result.read(email, power.body)
    assert.deepInclude(result, { email, status: "safe", overall_score: "98", mx_records: true, is_safe_to_send: true })
    assert.deepInclude(Result.read(email, { status: "valid", is_safe_to_send: true }), {
      status: "unknown",
      has_inbox_full: null,
      is_safe_to_send: false
    })
    assert.deepInclude(Result.read(email, { status: "CATCH_ALL", overall_score: "64", is_catch_all: "true" }), {
      status: "catch_all",
      overall_score: "64",
      is_catch_all: true
    })
  })

  it.live("asks the power mode, a plus sign and all", () =>
    Effect.gen(function* () {
      const { simulator, single } = yield* reoon()
      assert.deepInclude(yield* single("ada+x@acme.example"), { email: "ada+x@acme.example", status: "safe" })
      const [call] = yield* simulator.calls
      assert.deepInclude(call?.query, { email: "ada+x@acme.example", mode: "power" })
    })
  )

  it.live("is unknown where Reoon does not take the text for an address: others may be answered", () =>
    Effect.gen(function* () {
      const { single } = yield* reoon()
      assert.strictEqual((yield* single("refused@acme.example")).status, "unknown")
      assert.strictEqual((yield* single("ada@acme.example")).status, "safe")
    })
  )

  it.live("is unknown rather than late", () =>
    Effect.gen(function* () {
      const { simulator, single } = yield* reoon()
      yield* simulator.fail({ _tag: "Hang" })
      assert.strictEqual((yield* single("ada@acme.example", 50)).status, "unknown")
    })
  )

  it.live("hands a list over, and reads it when it is complete", () =>
    Effect.gen(function* () {
      const { bulk } = yield* reoon()
      const task = yield* bulk.begin(many)
      assert.deepStrictEqual(yield* bulk.progress(task), { checked: 3, results: null })
      const { results } = yield* bulk.progress(task)
      assert.deepStrictEqual(
        results?.slice(0, 3).map(({ status }) => status),
        ["invalid", "catch_all", "safe"]
      )
      assert.isFalse((yield* Effect.flip(bulk.progress("lost"))).retryable)
    })
  )

  it.live("refuses what is no list of Reoon's", () =>
    Effect.gen(function* () {
      const { bulk, simulator } = yield* reoon()
      for (const emails of [
        many.slice(0, bulk.least - 1),
        Array.from({ length: bulk.most + 1 }, (_, n) => `a${n}@b.example`)
      ])
        assert.isFalse((yield* Effect.flip(bulk.begin(emails))).retryable)
      assert.isEmpty(yield* simulator.calls)
    })
  )

  const faults = [
    [{ _tag: "WrongKey" }, false],
    [{ _tag: "QuotaExhausted" }, false],
    [{ _tag: "WrongShape" }, false],
    [{ _tag: "MalformedJson" }, false],
    [{ _tag: "RateLimited", retryAfterSeconds: null }, true],
    [{ _tag: "ServerError", status: 502 }, true],
    [{ _tag: "Drop" }, true]
  ] as const
  for (const [fault, retryable] of faults) {
    it.live(`says of ${fault._tag} whether it is worth another try, and names neither key nor address`, () =>
      Effect.gen(function* () {
        const { simulator, single } = yield* reoon()
        yield* simulator.fail(fault)
        const error = yield* Effect.flip(single("ada@acme.example"))
        assert.strictEqual(error.retryable, retryable)
        assert.notInclude(JSON.stringify(error), secret)
        assert.notInclude(JSON.stringify(error), "ada")
      })
    )
  }
})
