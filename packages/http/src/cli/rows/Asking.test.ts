/** What a row does when a server refuses: over real HTTP, against a server that refuses by a script. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { once } from "node:events"
import { createServer } from "node:http"
import { body, type Saying } from "../../api/Refusal.ts"
import type { ErrorCode } from "../../api/ErrorBody.ts"
import * as Asking from "./Asking.ts"

interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly retryable?: boolean
  readonly retryAfter?: string
  readonly details?: Saying["details"]
}

const nothing = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, null]))

const none = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, []]))

const answer = {
  success: true,
  request_id: "req_answer",
  company: {
    input: { domain: "a.example", name: null },
    domain: "a.example",
    name: "A",
    profile: {
      ...nothing("website_url", "description", "founded_year", "estimated_employee_count", "annual_revenue"),
      ...nothing("total_funding"),
      ...none("industries", "phones", "technologies", "keywords", "emails"),
      name: "A",
      primary_domain: "a.example",
      hq: nothing("full_address", "city", "state", "postal_code", "country", "country_code"),
      social_links: nothing("linkedin_url", "twitter_url", "facebook_url", "crunchbase_url", "instagram_url")
    },
    field_sources: { name: "provider_a", primary_domain: "request" },
    provider_raw: {},
    customs: null
  },
  meta: {
    billing: { credits_charged: 1.1, byok_used: false, platform_credits_charged: 0.1 },
    waterfall: {
      ...none("sources_attempted", "sources_skipped", "sources_failed", "cache_hits"),
      mode: "first_match",
      all_fields_filled: false,
      total_latency_ms: 1,
      async_pending: false
    }
  },
  error: null
}

/** Refuses by the script, then answers; tells the keys that it was asked with. */
const scripted = Effect.fnUntraced(function* (script: ReadonlyArray<Refusal | "hang up">) {
  const keys: Array<string | undefined> = []
  const server = createServer((request, response) => {
    const refusal = script[keys.length]
    keys.push(request.headers["idempotency-key"]?.toString())
    request.resume()
    if (refusal === "hang up") {
      request.socket.destroy()
      return
    }
    const id = "req_refusal"
    response.writeHead(refusal?.status ?? 200, {
      "content-type": "application/json",
      "x-request-id": id,
      ...(refusal?.retryAfter === undefined ? {} : { "retry-after": refusal.retryAfter })
    })
    if (refusal === undefined) return void response.end(JSON.stringify(answer))
    const { code, details = [], retryable = false } = refusal
    const said = { request_id: id, message: `message of ${code}`, code, retryable, details, retry_after: null }
    response.end(JSON.stringify(body(said)))
  })
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const { ask } = yield* Asking.server(url, Redacted.make("key"))
  const asked = ask({ kind: "company", payload: { identity: { domains: ["a.example"] } } }, "job-1").pipe(
    Effect.map(({ outcome }) => outcome)
  )
  return { asked, keys }
}, Effect.provide(FetchHttpClient.layer))

describe("a row that a server refuses", () => {
  it.live("is sent again under the same key when it is told to wait, waits for a twin, or met a gap", () =>
    Effect.gen(function* () {
      const { asked, keys } = yield* scripted([
        { status: 429, code: "rate_limited", retryable: true, retryAfter: "1" },
        { status: 409, code: "idempotency_conflict", retryable: true },
        "hang up"
      ])
      const began = performance.now()
      const outcome = yield* asked
      assert.isAtLeast(performance.now() - began, 1000)
      const { credits, request_id, status } = outcome
      assert.deepStrictEqual([status, Number(credits), request_id], ["ok", 1_100_000, "req_answer"])
      assert.deepStrictEqual(keys, ["job-1", "job-1", "job-1", "job-1"])
    })
  )

  it.live("keeps its error where the refusal is its own", () =>
    Effect.gen(function* () {
      const details = [{ path: "identity.domains[0]", message: "Expected a domain" }]
      for (const refusal of [
        { status: 400, code: "invalid_request", details },
        { status: 409, code: "idempotency_conflict" },
        { status: 500, code: "internal" },
        { status: 504, code: "deadline_exceeded", retryable: true }
      ] satisfies ReadonlyArray<Refusal>) {
        const { asked, keys } = yield* scripted([refusal])
        const { credits, error, request_id, status } = yield* asked
        assert.deepStrictEqual([status, credits, request_id], ["error", 0, "req_refusal"])
        assert.include(error, refusal.status === 400 ? "identity.domains[0]: Expected a domain" : refusal.code)
        assert.strictEqual(keys.length, 1)
      }
    })
  )

  it.live("stops the run where every other row would be refused too, and says what to do", () =>
    Effect.gen(function* () {
      const details = [{ path: "waterfall.source_order[0]", message: "Expected one of provider_a" }]
      const expected = [
        [{ status: 400, code: "invalid_request", details }, "waterfall.source_order[0]: Expected one of"],
        [{ status: 401, code: "unauthenticated" }, "does not know the API key in LADING_API_KEY"],
        [{ status: 402, code: "insufficient_credits" }, "lading account grant"],
        [{ status: 403, code: "forbidden" }, "lading key create"],
        [{ status: 404, code: "not_found" }, "does not answer as a Lading server"]
      ] satisfies ReadonlyArray<readonly [Refusal, string]>
      for (const [refusal, words] of expected) {
        const { asked, keys } = yield* scripted([refusal])
        assert.include((yield* Effect.flip(asked)).problem, words)
        assert.strictEqual(keys.length, 1)
      }
    })
  )
})
