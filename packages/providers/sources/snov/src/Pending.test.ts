/** Snov.io behind the waterfall: what a request learns of an answer that takes longer, and what can be done with it then. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { PersonEnrichment } from "@lading/core/person"
import { Caller } from "@lading/core/request"
import { Slots } from "@lading/core/waterfall"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Snov from "./index.ts"
import * as Simulator from "./simulator/index.ts"

const platform = { _tag: "Client", id: Redacted.make("platform"), secret: Redacted.make("platform-secret") } as const
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }

/** `patience`: milliseconds that a task is waited for. */
const setup = Effect.fnUntraced(function* (polls: number, patience: number) {
  const simulator = yield* Simulator.start({ polls, credentials: ["platform:platform-secret", "own:own-secret"] })
  const source = yield* Snov.make({ baseUrl: simulator.url, pace: { first: 0, every: 5, patience } }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
  const core = Core.layerMemory([Slots.bound("provider_b", source, platform)])
  const tokens = Effect.map(
    simulator.calls,
    (calls) => calls.filter(({ path }) => path === "/v1/oauth/access_token").length
  )
  return { simulator, core, tokens }
})

const enrich = Effect.fnUntraced(function* (at: number, byok: { readonly [key: string]: Redacted.Redacted } = {}) {
  const { enrich } = yield* PersonEnrichment.PersonEnrichment
  const request = { identity: mara, waterfall: { byok } }
  return (yield* enrich(request, Caller.embedded(`req_${at}`, Date.now(), `acc_${at}`))).answer
})

describe("Snov.io behind the waterfall", () => {
  it.live("an answer that takes longer than the call is pending, not failed", () =>
    Effect.gen(function* () {
      const { core, simulator } = yield* setup(Number.POSITIVE_INFINITY, 50)
      const { meta, status } = yield* Effect.provide(enrich(1), core)
      assert.strictEqual(status, "pending")
      assert.isTrue(meta.waterfall.async_pending)
      assert.deepStrictEqual(meta.waterfall.sources_failed, [])
      assert.strictEqual((yield* simulator.calls).filter(({ path }) => path.endsWith("/start")).length, 1)
    })
  )

  it.live("a caller's own client gets a token of its own, beside the platform's", () =>
    Effect.gen(function* () {
      const { core, tokens } = yield* setup(0, 5_000)
      const byok = {
        provider_b_client_id: Redacted.make("own"),
        provider_b_client_secret: Redacted.make("own-secret")
      }
      const answers = yield* Effect.gen(function* () {
        const first = yield* enrich(1)
        assert.strictEqual(yield* tokens, 1)
        return [first, yield* enrich(2, byok)]
      }).pipe(Effect.provide(core))
      assert.strictEqual(yield* tokens, 2)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        ["completed", "completed"]
      )
    })
  )
})
