/**
 * `examples/openapi-client` as its readers run it: installed from its lock file, its types generated from the document of a
 * running server, checked by its own compiler, and every operation of the document called once.
 */
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Apollo from "@lading/apollo"
import * as ApolloSimulator from "@lading/apollo/simulator"
import { Slots } from "@lading/core/waterfall"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Customs from "../fixtures/Customs.ts"
import * as Loads from "../fixtures/Loads.ts"
import * as Mail from "../fixtures/Mail.ts"
import * as TestServer from "../fixtures/TestServer.ts"

const run = promisify(execFile)

const example = new URL("../../../../examples/openapi-client/", import.meta.url).pathname

/** npm's words for a registry that it cannot reach. */
const unreachable = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/

/** A copy with what it needs; what npm said where the registry cannot be reached. */
const installed = async (folder: string): Promise<string | null> => {
  cpSync(example, folder, { recursive: true, filter: (path) => !path.endsWith("node_modules") })
  const asked = ["ci", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000"]
  try {
    await run("npm", asked, { cwd: folder, timeout: 100_000 })
    return null
  } catch (problem) {
    const text = String(problem)
    if (unreachable.test(text)) return text
    throw problem
  }
}

/** What every operation of the document may answer, by its name. */
const documented = (document: any): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    Object.values<any>(document.paths).flatMap((methods) =>
      Object.values<any>(methods).map(({ operationId, responses }) => [operationId, Object.keys(responses)] as const)
    )
  )

/** With a vendor that tries keys, customs records, a place for imports, and a verifier that asks nobody. */
const started = Effect.gen(function* () {
  const simulator = yield* ApolloSimulator.start({ credentials: ["a-key-of-nobody"] })
  const credential = { _tag: "ApiKey" as const, key: Redacted.make("a-key-of-nobody") }
  const slots = [Slots.bound("provider_a", yield* Apollo.make({ baseUrl: simulator.url }), credential)]
  return yield* TestServer.make({
    slots,
    trade: Customs.layer,
    intake: Loads.make().layer,
    verifier: Mail.layerUnasked
  })
}).pipe(Effect.provide(FetchHttpClient.layer))

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lading-client-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

describe("a client that is generated from the document", () => {
  it.live(
    "compiles, and calls every operation, each of which answers as the document says",
    (context) =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const offline = yield* Effect.promise(() => installed(folder))
        if (offline !== null) return context.skip(`the npm registry cannot be reached: ${offline}`)
        const server = yield* started
        const { body } = yield* Effect.promise(() => server.send("/openapi.json", { key: null }))
        const node = (...parameters: ReadonlyArray<string>) =>
          Effect.promise(() =>
            run(process.execPath, parameters, {
              cwd: folder,
              timeout: 100_000,
              env: { ...process.env, LADING_URL: server.url, LADING_API_KEY: server.key }
            })
          )
        yield* node("node_modules/openapi-typescript/bin/cli.js", `${server.url}/openapi.json`, "-o", "src/lading.d.ts")
        yield* node("node_modules/typescript/bin/tsc")
        const { stdout } = yield* node("src/tour.ts")
        const called: ReadonlyArray<{ readonly operation: string; readonly status: number }> = stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        const operations = documented(body)
        assert.deepStrictEqual(called.map(({ operation }) => operation).toSorted(), [...operations.keys()].toSorted())
        for (const { operation, status } of called) {
          assert.include(operations.get(operation) ?? [], String(status), operation)
        }
        // What nobody has asked for before cannot be found; everything else is answered.
        const refused = called.filter(({ status }) => status >= 300)
        assert.deepStrictEqual(refused, [
          { operation: "company.find", status: 404 },
          { operation: "people.find", status: 404 },
          { operation: "webhooks.delivery", status: 404 },
          { operation: "webhooks.replayDelivery", status: 404 }
        ])
        // The compiler of the example notices what the document does not have.
        writeFileSync(
          join(folder, "src/wrong.ts"),
          'import { connect } from "./client.ts"\nawait connect("", "").GET("/api/nothing")\n'
        )
        const wrong = yield* Effect.promise(() =>
          run(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: folder, timeout: 100_000 }).then(
            () => "",
            ({ stdout }) => String(stdout)
          )
        )
        assert.match(wrong, /^src\/wrong\.ts\(2,\d+\): error TS/)
      }),
    300_000
  )
})
