/** The document that the server serves, before a linter with its strictest rules, none of them switched off. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"

const linter = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"))

/** What `redocly lint` finds, in a folder without any configuration, and without asking anybody on the internet. */
const lint = (document: unknown) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "lading-openapi-"))),
    (folder) =>
      Effect.promise(() => {
        writeFileSync(join(folder, "openapi.json"), JSON.stringify(document))
        const asked = ["lint", "openapi.json", "--extends", "recommended-strict", "--format", "json"]
        const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
        return new Promise<string>((resolve) => {
          execFile(process.execPath, [linter, ...asked], { cwd: folder, env, maxBuffer: 2 ** 28 }, (_, stdout) =>
            resolve(stdout)
          )
        })
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ).pipe(
    Effect.map((found) =>
      JSON.parse(found).problems.map(
        ({ location, message, ruleId }: any) => `${ruleId}: ${message} (${location[0].pointer})`
      )
    )
  )

const operations = (document: any) =>
  Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({ path, method, operation }))
  )

describe("/openapi.json", () => {
  it.live("passes every rule of the linter, which finds what is wrong", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { body } = yield* Effect.promise(() => server.send("/openapi.json", { key: null }))
      assert.deepStrictEqual(yield* lint(body), [])
      const { servers: _, ...without } = body
      assert.deepStrictEqual(yield* lint(without), ["no-empty-servers: Servers must be present. (#/openapi)"])
    })
  )

  it.live("says of each operation what it is called, what it does, and how it fails", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { body } = yield* Effect.promise(() => server.send("/openapi.json", { key: null }))
      const all = operations(body)
      assert.isAbove(all.length, 50)
      assert.strictEqual(new Set(all.map(({ operation }) => operation.operationId)).size, all.length)
      for (const { method, operation, path } of all) {
        const name = `${method} ${path}`
        assert.match(operation.operationId, /^[a-z]+\.[a-zA-Z]+$/, name)
        assert.isNotEmpty(operation.summary, name)
        assert.isNotEmpty(operation.description, name)
        assert.containsAllKeys(operation.responses, ["405", "500"], name)
        const open = path === "/api/reference/codes" || operation.tags.includes("system")
        assert.deepStrictEqual(operation.security, open ? [] : [{ bearer: [] }, { api_key: [] }], name)
        for (const { in: place, name, schema } of operation.parameters ?? []) {
          if (["page", "limit", "load", "part"].includes(name)) assert.strictEqual(schema.type, "integer", place)
        }
      }
      // A schema that two endpoints have in common is one component.
      assert.deepStrictEqual(
        Object.keys(body.components.schemas).filter((name) => /_\d+$/.test(name)),
        []
      )
    })
  )
})
