import { assert, it } from "@effect/vitest"
import { Headers } from "effect/http"
import { type SourceError, VendorHttp } from "@lading/core/waterfall"
import invalidInput from "./fixtures/invalid-input.json" with { type: "json" }
import flatMiss from "./fixtures/miss.flat.json" with { type: "json" }
import miss from "./fixtures/miss.json" with { type: "json" }
import quotaExhausted from "./fixtures/quota-exhausted.json" with { type: "json" }
import rateLimited from "./fixtures/rate-limited.json" with { type: "json" }
import unauthorized from "./fixtures/unauthorized.json" with { type: "json" }
import unavailable from "./fixtures/unavailable.json" with { type: "json" }
import { isMiss, refusal, source } from "./Refusal.ts"

const now = Date.parse("2026-11-21T09:30:30Z")
const answer = (fixture: { status: number; headers?: object; body: unknown }): VendorHttp.Answer => ({
  status: fixture.status,
  headers: Headers.fromInput({ ...fixture.headers }),
  body: fixture.body
})
/** An error's members: `deepStrictEqual` looks at nothing but the message of an error itself. */
const members = (error: SourceError.SourceError): Readonly<Record<string, unknown>> => ({ ...error, _tag: error._tag })
const refused = (status: number, body: unknown = VendorHttp.NotJson) => refusal(answer({ status, body }), now)

it("each documented error is the one that the waterfall has for it", () => {
  assert.deepStrictEqual(
    [invalidInput, unauthorized, quotaExhausted, rateLimited, unavailable].map((one) =>
      members(refusal(answer(one), now))
    ),
    [
      { _tag: "InvalidInput", source, problem: "status 400 invalid_request_error" },
      { _tag: "Unauthorized", source },
      { _tag: "QuotaExhausted", source },
      { _tag: "RateLimited", source, retryAfter: 30_000 },
      { _tag: "Unavailable", source, problem: "status 500 api_error" }
    ]
  )
})

it("a 404 is a miss with the message in either place and the type as string or list", () => {
  for (const fixture of [miss, flatMiss]) assert.isTrue(isMiss(answer(fixture)))
  assert.isTrue(isMiss(answer({ status: 404, body: { status: 404, message: "No records were found" } })))
  assert.isTrue(isMiss(answer({ status: 404, body: { status: 404, error: { type: ["not_found"] } } })))
})

it("a 404 that is not the vendor's is no miss", () => {
  for (const body of [VendorHttp.NotJson, {}, [], null, "Not Found", { error: "Not Found" }]) {
    assert.isFalse(isMiss(answer({ status: 404, body })))
  }
  assert.strictEqual(refused(404)._tag, "InvalidResponse")
})

it("only a 404 is a miss", () => {
  assert.isFalse(isMiss(answer({ ...miss, status: 400 })))
})

it("the status decides where the body is no JSON", () => {
  const tags = [301, 400, 401, 402, 403, 405, 418, 429, 500, 503].map((status) => refused(status)._tag)
  assert.deepStrictEqual(tags, [
    "InvalidResponse",
    "InvalidInput",
    "Unauthorized",
    "QuotaExhausted",
    "Unauthorized",
    "InvalidInput",
    "InvalidResponse",
    "RateLimited",
    "Unavailable",
    "Unavailable"
  ])
})

it("a problem holds no sentence of the vendor's", () => {
  const body = {
    status: 400,
    error: { type: ["invalid_request_error", "key s3cret of mara@example.net"], message: "s3cret" }
  }
  assert.deepStrictEqual(members(refused(400, body)), {
    _tag: "InvalidInput",
    source,
    problem: "status 400 invalid_request_error"
  })
})
