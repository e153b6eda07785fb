/** The tools over Streamable HTTP, as the official client uses them. */
import { assert, describe, it } from "@effect/vitest"
import { Slots, Source } from "@lading/core/waterfall"
import { ScriptedSource, ScriptedVerifier } from "@lading/testing"
import { Deferred, Effect } from "effect"
import * as Customs from "../../fixtures/Customs.ts"
import * as Mcp from "../../fixtures/Mcp.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const started = (options: TestServer.Options = {}) =>
  TestServer.make({ trade: Customs.layer, verifier: ScriptedVerifier.knowing({}).layer, ...options })

const session = (server: TestServer.TestServer, headers: Readonly<Record<string, string>> = {}) =>
  Mcp.over(server.url, { authorization: `Bearer ${TestServer.key}`, ...headers })

/** What costs 1.1 credits at most, and 1.1 where it is found. */
const enrichment = TestServer.acme

describe("/mcp", () => {
  it.live("lists every operation with its price, and answers as the endpoint does", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { ask, client, list } = yield* session(server)
      assert.strictEqual(client.getServerVersion()?.name, "lading")
      assert.include(client.getInstructions(), "lading_balance")
      const tools = yield* list
      for (const { description, name, title } of tools) {
        assert.match(name, /^[a-z][a-z0-9_]{2,63}$/)
        assert.match(description ?? "", /\. Price: .+\.$/, name)
        assert.isNotEmpty(title)
      }
      assert.include(tools.find(({ name }) => name === "company_enrich")?.description, "0.1 credits")
      const { structuredContent: body } = yield* ask("company_enrich", enrichment)
      assert.strictEqual(body.company.profile.name, "Acme Robotics")
      assert.strictEqual(body.meta.billing.credits_charged, 1.1)
      const { body: metrics } = yield* Effect.promise(() => server.send("/metrics"))
      assert.match(String(metrics), /^lading_platform_credits_total\{[^}]*operation="company"[^}]*\} /m)
      const balance = yield* ask("lading_balance")
      assert.deepStrictEqual(balance.structuredContent, {
        session: { cap: 10, spent: 1.1, reserved: 0, left: 8.9 },
        account: { available: 998.9, held: 0 }
      })
      assert.deepStrictEqual(JSON.parse(balance.content[0]?.text ?? ""), balance.structuredContent)
    })
  )

  it.live("lets every tool be called with a request that is right, in the shape that it promised", () =>
    Effect.gen(function* () {
      const server = yield* started({ mcpCredits: 1000 })
      const { ask, list } = yield* session(server)
      const { samples } = yield* Mcp.samples
      for (const { name } of yield* list) {
        const sample = samples.get(name)
        if (sample === undefined) continue
        // The client holds structured content against the schema of the tool, and fails where it is another one.
        const result = yield* ask(name, "company_id" in sample ? { ...sample, company_id: Customs.traders[0] } : sample)
        assert.isUndefined(result.isError, `${name}: ${JSON.stringify(result.content)}`)
        assert.isTrue(result.structuredContent.success, name)
      }
      assert.isAbove(samples.size, 20)
    })
  )

  it.live("shows a key what its scopes permit, and calls nothing else", () =>
    Effect.gen(function* () {
      const server = yield* started()
      yield* server.addKey("lad_live_customs-only", ["customs"])
      const { ask, call, list } = yield* session(server, { authorization: "Bearer lad_live_customs-only" })
      const names = (yield* list).map(({ name }) => name)
      assert.includeMembers(names, ["customs_match", "lading_balance"])
      for (const name of ["company_enrich", "people_enrich", "email_verify", "customs_match_contacts"]) {
        assert.notInclude(names, name)
      }
      const refused = yield* Effect.promise(() => call("company_enrich", enrichment).catch((error: unknown) => error))
      assert.match(String(refused), /not found/i)
      assert.isUndefined((yield* ask("customs_match", { name: "Nordvik" })).isError)
    })
  )

  it.live("says what is wrong with arguments, for nothing", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { ask, error } = yield* session(server)
      const { code, details, retryable } = error(yield* ask("company_enrich", { identity: { domains: 3 } }))
      assert.deepStrictEqual([code, retryable, details[0]?.path], ["invalid_request", false, "identity.domains"])
      assert.strictEqual(error(yield* ask("customs_details", { company_id: "nobody" })).code, "not_found")
      const { structuredContent } = yield* ask("lading_balance")
      assert.deepStrictEqual(structuredContent.session, { cap: 10, spent: 0, reserved: 0, left: 10 })
    })
  )

  it.live("never passes the cap, however many calls there are at once, and says what is left", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const { ask, error } = yield* session(server, { "lading-max-credits": "2.5" })
      const domains = Array.from({ length: 8 }, (_, index) => `acme${index}.example`)
      const results = yield* Effect.forEach(
        domains,
        (domain) => ask("company_enrich", { identity: { domains: [domain] } }),
        { concurrency: "unbounded" }
      )
      const answered = results.filter(({ isError }) => isError !== true)
      assert.strictEqual(answered.length, 2)
      for (const result of results.filter(({ isError }) => isError === true)) {
        assert.strictEqual(error(result).code, "session_cap_reached")
      }
      const { message, retryable } = error(yield* ask("company_enrich", enrichment))
      assert.strictEqual(message, "This call may cost up to 1.1 credits; 0.3 of the session's 2.5 are left")
      assert.isFalse(retryable)
      // What is free goes on.
      assert.isUndefined((yield* ask("customs_bulk_status", { companies: [{ id: "nobody", type: "import" }] })).isError)
      assert.strictEqual((yield* server.balance).captured, 2_200_000)
    })
  )

  it.live("has a cap that clients may lower at any time, and never raise", () =>
    Effect.gen(function* () {
      const server = yield* started({ mcpCredits: 3 })
      const cap = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
        const { ask } = yield* session(server, headers)
        return (yield* ask("lading_balance")).structuredContent.session.cap
      })
      assert.strictEqual(yield* cap({}), 3)
      assert.strictEqual(yield* cap({ "lading-max-credits": "100" }), 3)
      assert.strictEqual(yield* cap({ "lading-max-credits": "0.5" }), 0.5)
    })
  )

  it.live("interrupts the vendors of a call that is cancelled, and counts the most it may have cost", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const hanging = ScriptedSource.make({
        company: () =>
          Effect.andThen(Deferred.succeed(asked, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
      })
      const server = yield* started({ slots: [Slots.bound("provider_a", hanging)] })
      const { ask, call } = yield* session(server)
      const controller = new AbortController()
      const cancelled = call("company_enrich", enrichment, controller.signal).catch((error: unknown) => String(error))
      yield* Deferred.await(asked)
      assert.strictEqual((yield* ask("lading_balance")).structuredContent.session.reserved, 1.1)
      controller.abort("enough")
      assert.include(yield* Effect.promise(() => cancelled), "enough")
      yield* Deferred.await(interrupted)
      const { session: left } = (yield* ask("lading_balance")).structuredContent
      assert.deepStrictEqual(left, { cap: 10, spent: 1.1, reserved: 0, left: 8.9 })
    })
  )

  it.live("counts the most that a pending answer may cost", () =>
    Effect.gen(function* () {
      const later = ScriptedSource.make({
        company: () => Effect.succeed(Source.pending("handle")),
        resumeCompany: () => Effect.succeed(Source.pending("handle"))
      })
      const server = yield* started({ slots: [Slots.bound("provider_a", later)] })
      const { ask } = yield* session(server)
      const { structuredContent: body } = yield* ask("company_enrich", enrichment)
      assert.isTrue(body.meta.waterfall.async_pending)
      assert.strictEqual((yield* ask("lading_balance")).structuredContent.session.spent, 1.1)
    })
  )
})

describe("/mcp, before the protocol", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  }
  const headers = { accept: "application/json, text/event-stream" }
  const post = (server: TestServer.TestServer, asking: TestServer.Asking = {}) =>
    Effect.promise(() =>
      server.send("/mcp", { body: initialize, ...asking, headers: { ...headers, ...asking.headers } })
    )

  it.live("refuses in the interface's shape: no key, a web page, another method, another body", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const refused: ReadonlyArray<readonly [TestServer.Asking, number, string]> = [
        [{ key: null }, 401, "unauthenticated"],
        [{ key: "lad_live_nobody" }, 401, "unauthenticated"],
        [{ headers: { origin: "http://rebound.example" } }, 403, "forbidden"],
        [{ headers: { origin: server.url } }, 403, "forbidden"],
        [{ method: "PUT" }, 405, "method_not_allowed"],
        [{ headers: { "mcp-session-id": "nobodys" } }, 404, "not_found"],
        [{ headers: { "lading-max-credits": "all" } }, 400, "invalid_request"],
        [{ body: { ...initialize, padding: "x".repeat(1_100_000) } }, 413, "payload_too_large"]
      ]
      for (const [asking, status, code] of refused) {
        const sent = yield* post(server, asking)
        assert.deepStrictEqual([sent.status, sent.body.error.code], [status, code])
        assert.match(sent.body.request_id, /^req_/)
      }
      assert.strictEqual((yield* post(server, { key: null })).headers.get("www-authenticate"), "Bearer")
      assert.strictEqual((yield* post(server)).status, 200)
    })
  )

  it.live("counts for the rate of the key as any request does", () =>
    Effect.gen(function* () {
      const server = yield* started({ rateLimit: { requests: 1, window: 60_000 } })
      assert.strictEqual((yield* post(server)).headers.get("ratelimit-remaining"), "0")
      const sent = yield* post(server)
      assert.deepStrictEqual([sent.status, sent.body.error.code], [429, "rate_limited"])
    })
  )

  it.live("a session is its key's, and ends when its client says so", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const other = yield* server.addAccount("other", "lad_live_of-another-account")
      const id = (yield* post(server)).headers.get("mcp-session-id") ?? assert.fail("no session")
      const list = { body: { jsonrpc: "2.0", id: 2, method: "tools/list" }, headers: { "mcp-session-id": id } }
      assert.strictEqual((yield* post(server, list)).status, 200)
      assert.strictEqual((yield* post(server, { ...list, key: other })).status, 404)
      const end = { method: "DELETE", headers: list.headers }
      assert.strictEqual((yield* Effect.promise(() => server.send("/mcp", { ...end, key: other }))).status, 404)
      assert.strictEqual((yield* post(server, list)).status, 200)
      assert.strictEqual((yield* Effect.promise(() => server.send("/mcp", end))).status, 204)
      assert.strictEqual((yield* post(server, list)).status, 404)
    })
  )

  it.live("a key that begins ever more sessions loses those it used least", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const first = (yield* post(server)).headers.get("mcp-session-id") ?? ""
      for (let turn = 0; turn < 100; turn++) yield* post(server)
      const list = { jsonrpc: "2.0", id: 2, method: "tools/list" }
      assert.strictEqual((yield* post(server, { body: list, headers: { "mcp-session-id": first } })).status, 404)
    })
  )
})
