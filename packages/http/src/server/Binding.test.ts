import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Binding from "./Binding.ts"
import * as Configuration from "./Configuration.ts"

/** The slots that an environment calls for. */
const slots = (environment: Configuration.Environment) =>
  Configuration.read(environment).pipe(
    Effect.flatMap(({ providers }) => Effect.forEach(providers, Binding.bind)),
    Effect.provide(FetchHttpClient.layer)
  )

const refusal = (environment: Configuration.Environment) =>
  Effect.map(Effect.flip(slots(environment)), ({ message }) => message)

describe("Binding", () => {
  it.effect("binds each slot to its vendor, to wait for callers' keys", () =>
    Effect.gen(function* () {
      const bound = yield* slots({})
      assert.deepStrictEqual(
        bound.map(({ credential, name, source }) => [name, source?.adapter ?? null, credential]),
        [
          ["provider_a", "apollo", null],
          ["provider_b", "snov", null],
          ["provider_c", "hunter", null],
          ["provider_d", "peopledatalabs", null],
          ["website", null, null]
        ]
      )
    })
  )

  it.effect("gives the platform's key to a slot, but never to one for own keys only", () =>
    Effect.gen(function* () {
      const [, , third, fourth] = yield* slots({
        LADING_PROVIDER_C_API_KEY: "platform-key-c",
        LADING_PROVIDER_D_API_KEY: "platform-key-d"
      })
      const credential = third?.credential
      assert.strictEqual(credential?._tag, "ApiKey")
      if (credential?._tag === "ApiKey") assert.strictEqual(Redacted.value(credential.key), "platform-key-c")
      assert.deepStrictEqual([fourth?.credential, fourth?.byokOnly], [null, true])
    })
  )

  it.effect("gives a slot what its vendor's units are worth, where that is said", () =>
    Effect.gen(function* () {
      const [first, second] = yield* slots({ LADING_PROVIDER_A_UNIT_PRICE: "0.05" })
      assert.deepStrictEqual([first?.unitPrice, second?.unitPrice], [0.05, undefined])
    })
  )

  it.effect("binds the companies' own sites without a credential", () =>
    Effect.gen(function* () {
      const website = (yield* slots({ LADING_WEBSITE: "on" })).at(-1)
      assert.deepStrictEqual(
        [website?.name, website?.source?.adapter, website?.credential],
        ["website", "website", { _tag: "None" }]
      )
    })
  )

  it.effect("refuses a credential of a shape that the adapter does not take", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refusal({ LADING_PROVIDER_C_CLIENT_SECRET: "secret" }),
        "LADING_PROVIDER_C_CLIENT_SECRET: expected nothing: the adapter hunter takes an API key, LADING_PROVIDER_C_API_KEY"
      )
    })
  )

  it.effect("refuses an adapter without an address when it has none of its own", () =>
    Effect.gen(function* () {
      const message = yield* refusal({ LADING_PROVIDER_A_ADAPTER: "plain" })
      assert.isTrue(message.startsWith("LADING_PROVIDER_A_BASE_URL: expected the vendor's address"), message)
    })
  )

  it.effect("marks the version of a simulated vendor, so that its kept answers are never taken for real ones", () =>
    Effect.gen(function* () {
      const { providers } = yield* Configuration.read({})
      const bound = yield* Effect.forEach(providers, (provider) => Binding.bind({ ...provider, simulated: true }))
      assert.strictEqual(bound[2]?.source?.version, "1-simulated")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
