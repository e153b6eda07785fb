import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { Ledger, PriceBook } from "@lading/core/billing"
import { Operations, Planner } from "@lading/core/task"
import { ModelServer } from "@lading/testing"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Configuration from "./Configuration.ts"
import * as Catalog from "./operations/Catalog.ts"
import * as Planners from "./Planners.ts"

const planner = Effect.fnUntraced(function* (environment: Configuration.Environment) {
  const configuration = yield* Configuration.read(environment)
  const layer = Planners.layerPlanner(configuration).pipe(Layer.provide(FetchHttpClient.layer))
  return yield* Effect.provide(Planner.Planner, yield* Layer.build(layer))
})

const refusal = (environment: Configuration.Environment) =>
  Effect.map(Effect.flip(planner(environment)), ({ message }) => message)

const catalogue = Catalog.layer(PriceBook.standard).pipe(
  Layer.provide(Core.layerMemory([], { ledger: Ledger.layerMemory }))
)

const asked: Planner.Asked = { prompt: "Everything", operations: [], columns: [], wanted: [], refused: null }

const plan = { steps: [], outputs: [] }

describe("Planners", () => {
  it.live("is nobody where no model is configured, and says what to do", () =>
    Effect.gen(function* () {
      const { absent, plan } = yield* planner({})
      assert.include(absent, "LADING_MODEL_URL")
      assert.include(absent, "LADING_MODEL ")
      assert.isFalse((yield* Effect.flip(plan(asked))).retryable)
    })
  )

  it.live("is the model at that endpoint, with and without a key", () =>
    Effect.gen(function* () {
      const key = "model-key-marker"
      const server = yield* ModelServer.start(() => ModelServer.json(plan), { models: ["small"], credentials: [key] })
      const variables = { LADING_MODEL_URL: server.url, LADING_MODEL: "small" }
      const keyed = yield* planner({ ...variables, LADING_MODEL_KEY: key })
      assert.isNull(keyed.absent)
      assert.deepStrictEqual(yield* keyed.plan(asked), plan)
      const keyless = yield* planner(variables)
      assert.include((yield* Effect.flip(keyless.plan(asked))).problem, "401")
    })
  )

  it.live("tells the model every operation of the server, with its price and what its answer has", () =>
    Effect.gen(function* () {
      const server = yield* ModelServer.start(() => ModelServer.json(plan))
      const { all } = yield* Operations.Operations
      const { plan: ask } = yield* planner({ LADING_MODEL_URL: server.url, LADING_MODEL: "scripted" })
      yield* ask({ ...asked, operations: all })
      const [{ messages } = { messages: [] }] = yield* server.asked
      const lines = messages.flatMap(({ content }) => content.split("\n"))
      for (const { name, price } of all) {
        assert.include(lines, `## ${name}`)
        assert.isTrue(lines.some((line) => line.endsWith(`Price: ${price}.`)))
      }
      for (const line of [
        "  identity.domains: array of string",
        "  company.profile.founded_year: integer",
        "  data.data.row.website_url: string",
        "  results{}.is_deliverable: boolean"
      ])
        assert.include(lines, line)
    }).pipe(Effect.provide(catalogue))
  )

  it.live("does not start with half of a model", () =>
    Effect.gen(function* () {
      const url = "https://model.example/v1"
      assert.match(yield* refusal({ LADING_MODEL_URL: url }), /^LADING_MODEL: LADING_MODEL_URL is set/)
      assert.match(yield* refusal({ LADING_MODEL: "small" }), /^LADING_MODEL_URL: LADING_MODEL is set/)
      assert.match(yield* refusal({ LADING_MODEL_KEY: "some-key" }), /^LADING_MODEL_URL: LADING_MODEL_KEY is set/)
    })
  )

  it.effect("is configured with values that can be so, and never shows a wrong key or address", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["LADING_MODEL_URL", "ftp://model.example"],
        ["LADING_MODEL_URL", "https://me:secret@model.example/v1"],
        ["LADING_MODEL", "two words"],
        ["LADING_MODEL_KEY", "secret with spaces"]
      ] as const) {
        const { message } = yield* Effect.flip(Configuration.read({ [name]: value }))
        assert.match(message, new RegExp(`^${name}: expected `))
        assert.notInclude(message, "secret")
      }
      const { planner } = yield* Configuration.read({ LADING_MODEL_KEY: "some-key" })
      assert.strictEqual(planner.key && Redacted.value(planner.key), "some-key")
    })
  )
})
