/** `lading mcp` as MCP clients start it: a process between their streams and a sandbox. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CommandLine from "../../fixtures/CommandLine.ts"
import * as Mcp from "../../fixtures/Mcp.ts"

const key = "lad_live_key-of-an-mcp-client"

let sandbox: CommandLine.Running
let folder: string
let environment: CommandLine.Environment

beforeAll(async () => {
  folder = await CommandLine.folder()
  sandbox = CommandLine.start(["sandbox"], { LADING_DATA_DIR: folder, LADING_PORT: "0", LADING_API_KEY: key })
  await sandbox.printed("Ctrl-C stops it")
  const [, url = ""] = /^Lading sandbox on (http:\/\/\S+)/m.exec(sandbox.stdout()) ?? []
  environment = { LADING_URL: url, LADING_API_KEY: key }
}, 60_000)

afterAll(async () => {
  sandbox.child.kill("SIGTERM")
  await sandbox.ended
  await CommandLine.remove(folder)
})

const nordvik = {
  identity: { domains: ["nordvik-robotics.example"] },
  waterfall: { source_order: ["provider_a"], max_cache_age_s: 0 }
}

describe("lading mcp", () => {
  it.live("initializes, lists the tools of the server, and enriches for credits of the account", () =>
    Effect.gen(function* () {
      const { ask, client, list } = yield* Mcp.beside(environment)
      assert.strictEqual(client.getServerVersion()?.name, "lading")
      assert.include(client.getInstructions(), "lading_balance")
      const tools = yield* list
      assert.includeMembers(
        tools.map(({ name }) => name),
        ["company_enrich", "people_enrich", "email_verify", "customs_match", "lading_balance"]
      )
      assert.include(tools[0]?.description, "Price:")
      const { structuredContent: body } = yield* ask("company_enrich", nordvik)
      assert.strictEqual(body.company.profile.name.toLowerCase(), "nordvik robotics")
      assert.strictEqual(body.meta.billing.credits_charged, 1.1)
      const { session } = (yield* ask("lading_balance")).structuredContent
      assert.deepStrictEqual(session, { cap: 10, spent: 1.1, reserved: 0, left: 8.9 })
    })
  )

  it.live("says what is wrong with arguments, and when the cap of the session is reached", () =>
    Effect.gen(function* () {
      const { ask, error } = yield* Mcp.beside({ ...environment, LADING_MCP_MAX_CREDITS: "1.2" })
      const { code, details } = error(yield* ask("company_enrich", { identity: { domains: [7] } }))
      assert.deepStrictEqual([code, details[0]?.path], ["invalid_request", "identity.domains[0]"])
      assert.isUndefined((yield* ask("company_enrich", nordvik)).isError)
      const refused = error(yield* ask("company_enrich", nordvik))
      assert.strictEqual(refused.code, "session_cap_reached")
      assert.include(refused.message, "of the session's 1.2 are left")
    })
  )

  it.live("gives a cancelled call up, and answers the next one", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* Mcp.beside(environment)
      const controller = new AbortController()
      const cancelled = call("company_enrich", nordvik, controller.signal).catch((error: unknown) => String(error))
      controller.abort("enough")
      assert.include(yield* Effect.promise(() => cancelled), "enough")
      assert.isUndefined((yield* ask("lading_balance")).isError)
    })
  )

  it("ends with its input, and with one line where it cannot begin", async () => {
    const running = CommandLine.start(["mcp"], environment)
    running.child.stdin?.end()
    assert.deepStrictEqual(await running.ended, { code: 0, stdout: "", stderr: "" })
    const cases: ReadonlyArray<readonly [CommandLine.Environment, RegExp]> = [
      [{ ...environment, LADING_API_KEY: "lad_live_of-nobody" }, /does not know the key in LADING_API_KEY/],
      [{ LADING_URL: environment["LADING_URL"] ?? "" }, /put one into LADING_API_KEY/],
      [{ LADING_URL: "http://127.0.0.1:1", LADING_API_KEY: key }, /127\.0\.0\.1:1: the server cannot be asked/],
      [{ LADING_DATA_DIR: `${folder}/none`, LADING_API_KEY: key }, /put its address into LADING_URL/]
    ]
    for (const [wrong, said] of cases) {
      const { code, stderr, stdout } = await CommandLine.run(["mcp"], wrong)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, said)
      assert.strictEqual(stderr.trim().split("\n").length, 1, stderr)
      assert.notInclude(stderr, "lad_live_of-nobody")
    }
  }, 60_000)
})
