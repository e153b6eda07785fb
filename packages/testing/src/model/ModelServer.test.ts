import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ModelServer from "./ModelServer.ts"

const post = (url: string, body: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const answer: unknown = await response.json()
    return { status: response.status, body: answer }
  })

const question = {
  model: "small",
  messages: [{ role: "user", content: "How many?" }],
  response_format: { type: "json_object" },
  temperature: 0
}

describe("ModelServer", () => {
  it.live("answers what its script makes of the question, and records it", () =>
    Effect.gen(function* () {
      const server = yield* ModelServer.start(
        ({ messages }) => ModelServer.json({ heard: messages.map(({ content }) => content) }),
        { models: ["small"] }
      )
      const { body, status } = yield* post(server.url, question)
      assert.strictEqual(status, 200)
      assert.deepNestedInclude(body, {
        "choices[0].message.content": '{"heard":["How many?"]}',
        "choices[0].finish_reason": "stop"
      })
      assert.deepStrictEqual(yield* server.asked, [question])
      const models = yield* Effect.promise(async (): Promise<unknown> => (await fetch(`${server.url}/models`)).json())
      assert.deepNestedInclude(models, { "data[0].id": "small" })
    })
  )

  it.live("refuses models, formats and temperatures that it does not have", () =>
    Effect.gen(function* () {
      const { url } = yield* ModelServer.start(() => ModelServer.json({}), {
        models: ["small"],
        formats: ["text", "json_object"],
        temperature: false
      })
      const refused = Effect.fnUntraced(function* (change: object) {
        const { body, status } = yield* post(url, { ...question, temperature: undefined, ...change })
        return [status, JSON.stringify(body).match(/"param":"?(\w+)/)?.[1]]
      })
      assert.deepStrictEqual(yield* refused({ model: "large" }), [404, "null"])
      assert.deepStrictEqual(yield* refused({ response_format: { type: "json_schema" } }), [400, "response_format"])
      assert.deepStrictEqual(yield* refused({ temperature: 0 }), [400, "temperature"])
      assert.deepStrictEqual(yield* refused({}), [200, undefined])
    })
  )
})
