/** Holds the tables of `docs/tasks.md` to the schemas and to the catalogue, and its example to a server. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { AgenticTasks, type Operations, TaskPlan, TaskRequest } from "../packages/core/src/task/index.ts"
import * as TestServer from "../packages/http/src/fixtures/TestServer.ts"
import { LadingApi } from "../packages/http/src/api/index.ts"
import { OpenApi } from "effect/http-api"
import * as Markdown from "./fixtures/Markdown.ts"

const page = Markdown.read("docs/tasks.md")

const cells = (heading: string, column = 0): ReadonlyArray<string> =>
  Markdown.rows(Markdown.section(page, `## ${heading}`)).map((row) => (row[column] ?? "").replaceAll("`", ""))

const fields = (schema: { readonly fields: Schema.Struct.Fields }) => Object.keys(schema.fields).sort()

describe("docs/tasks.md", () => {
  it("has every field of the order, of a step, of a task and of a row, and no other", () => {
    assert.deepStrictEqual([...cells("The order")].sort(), fields(TaskRequest.TaskRequest))
    assert.deepStrictEqual([...cells("Steps")].sort(), fields(TaskPlan.Step))
    assert.deepStrictEqual([...cells("A task")].sort(), fields(AgenticTasks.Task))
    assert.deepStrictEqual([...cells("Rows")].sort(), fields(AgenticTasks.Row))
  })

  it.live("has every operation of a server, with its endpoint, and every endpoint of tasks", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const sent = yield* Effect.promise(() =>
        server.send("/api/tasks", { body: { steps: [{ id: "x", operation: "none", input: {} }], max_credits: 1 } })
      )
      const [{ message }] = sent.body.error.details
      const known: ReadonlyArray<Operations.Operation["name"]> = message.replace("Expected one of ", "").split(", ")
      assert.deepStrictEqual([...cells("Operations")].sort(), [...known].sort())
      const paths = Object.keys(OpenApi.fromApi(LadingApi).paths)
      for (const endpoint of cells("Operations", 1)) assert.include(paths, endpoint.split(",")[0]?.replace("POST ", ""))
      const documented = cells("Endpoints").map((text) => text.split(" ")[1]?.replace(":task_id", "{task_id}"))
      assert.deepStrictEqual(
        [...new Set(documented)].sort(),
        paths.filter((path) => path.startsWith("/api/tasks")).sort()
      )
    })
  )

  it.live("has an example that is taken as it stands", () =>
    Effect.gen(function* () {
      const body = /-d '(\{[^']+\})'/.exec(page)?.[1] ?? assert.fail("no example")
      const server = yield* TestServer.make()
      const sent = yield* Effect.promise(() => server.send("/api/tasks", { body }))
      assert.strictEqual(sent.status, 201)
    })
  )
})
