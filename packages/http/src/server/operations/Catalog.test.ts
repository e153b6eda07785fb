/** The operations of the catalogue answer as their endpoints do, cost the same, and refuse the same. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { Scope } from "@lading/core/account"
import { Credits, Ledger, PriceBook } from "@lading/core/billing"
import type { Caller } from "@lading/core/request"
import { Operations } from "@lading/core/task"
import { Slots } from "@lading/core/waterfall"
import { ScriptedVerifier } from "@lading/testing"
import { Effect, Layer, Result } from "effect"
import * as Customs from "../../fixtures/Customs.ts"
import * as TestServer from "../../fixtures/TestServer.ts"
import * as Catalog from "./Catalog.ts"

const account = "catalogue"
const verifier = ScriptedVerifier.knowing({}).layer

const layer = Catalog.layer(PriceBook.standard).pipe(
  Layer.provideMerge(
    Core.layerMemory([Slots.bound("provider_a", TestServer.knowing)], {
      ledger: Ledger.layerMemory,
      trade: Customs.layer,
      verifier
    })
  )
)

let requests = 0
const caller = (): Caller.Caller => ({
  account,
  api_key: null,
  request_id: `req_catalogue${String(++requests).padStart(20, "0")}`,
  received_at: Date.now(),
  idempotency: null
})

const runner = (): Operations.Runner => ({ caller: caller(), scopes: Scope.all })

const funded = Effect.flatMap(Ledger.Ledger, (ledger) =>
  ledger.grant({ account, amount: Credits.fromNumber(1000), expires_at: null, key: "test", reason: "test" })
)

/** A sample about somebody who is there. */
const asked = ({ sample }: Operations.Operation): Readonly<Record<string, unknown>> => ({
  ...sample,
  ...("company_id" in sample ? { company_id: Customs.traders[0] } : {}),
  ...("companies" in sample ? { companies: [{ id: Customs.traders[0], type: "import" }] } : {})
})

/** What two answers to the same question do not have in common: names and times. */
const lasting = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      ["request_id", "time", "total_latency_ms", "latency_ms", "answered_at", "observed_at"].includes(key)
        ? undefined
        : value
    )
  )

describe("the catalogue", () => {
  it.live("answers each operation as its endpoint does, for what it said it could cost at most", () =>
    Effect.gen(function* () {
      yield* funded
      const { all } = yield* Operations.Operations
      const ledger = yield* Ledger.Ledger
      const server = yield* TestServer.make({ trade: Customs.layer, verifier })
      assert.isAbove(all.length, 20)
      for (const operation of all) {
        const input = asked(operation)
        const worst = yield* operation.worst(input, account)
        const before = yield* ledger.balance(account)
        const { body, credits } = yield* operation.run(input, runner())
        const after = yield* ledger.balance(account)
        assert.strictEqual(after.captured - before.captured, credits, operation.name)
        assert.isNotNull(worst, operation.name)
        assert.isAtMost(credits, worst ?? 0, operation.name)
        const sent = yield* Effect.promise(() => server.send(operation.path, { body: input }))
        assert.isBelow(sent.status, 300, operation.name)
        assert.deepStrictEqual(lasting(body), lasting(sent.body), operation.name)
      }
    }).pipe(Effect.provide(layer))
  )

  it.effect("says of each what it is, what it takes, what it answers and what it costs", () =>
    Effect.gen(function* () {
      const { all, find } = yield* Operations.Operations
      for (const { answer, description, name, price, request, title } of all) {
        for (const text of [title, description, price]) assert.isNotEmpty(text, name)
        const text = JSON.stringify([request, answer])
        for (const [, ref = ""] of text.matchAll(/"#\/\$defs\/([^"]+)"/g))
          assert.include(text, `"${ref}":{`, `${name} refers to ${ref}`)
        assert.notInclude(text, "#/components")
        assert.strictEqual(request["type"], "object", name)
        assert.strictEqual(answer["type"], "object", name)
      }
      assert.strictEqual(find("email.verify")?.name, "email.verify")
      assert.isUndefined(find("admin.grant"))
    }).pipe(Effect.provide(layer))
  )

  it.effect("refuses in the interface's words, and takes nothing", () =>
    Effect.gen(function* () {
      const { find } = yield* Operations.Operations
      const refused = Effect.fnUntraced(function* (name: string, input: unknown, has = Scope.all) {
        const run = find(name)?.run ?? assert.fail(name)
        const result = yield* Effect.result(run(input, { ...runner(), scopes: has }))
        const { code, details } = Result.isFailure(result) ? result.failure : assert.fail("not refused")
        return [code, details.map(({ path }) => path)]
      })
      assert.deepStrictEqual(yield* refused("company.enrich", { identity: { domains: 3 } }), [
        "invalid_request",
        ["identity.domains"]
      ])
      assert.deepStrictEqual(yield* refused("company.enrich", TestServer.acme, ["people"]), ["forbidden", []])
      const withCustoms = { ...TestServer.acme, include_customs: true }
      assert.deepStrictEqual(yield* refused("company.enrich", withCustoms, ["company"]), ["forbidden", []])
      assert.deepStrictEqual(yield* refused("company.enrich", TestServer.acme), ["insufficient_credits", []])
      yield* funded
      assert.deepStrictEqual(yield* refused("customs.details", { company_id: "nobody" }), ["not_found", []])
      const { captured, held } = yield* (yield* Ledger.Ledger).balance(account)
      assert.deepStrictEqual([captured, held], [0, 0])
    }).pipe(Effect.provide(layer))
  )
})
