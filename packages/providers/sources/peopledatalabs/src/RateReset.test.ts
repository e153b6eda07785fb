import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Headers } from "effect/http"
import { retryAfter } from "./RateReset.ts"

const now = Date.parse("2026-11-21T09:30:30Z")
const wait = (headers: Record<string, string>) => retryAfter(Headers.fromInput(headers), now)

/** A time without a zone would be read as local time, which in UTC nobody would notice. */
const zone = process.env["TZ"]
beforeAll(() => {
  process.env["TZ"] = "Asia/Tokyo"
})
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"]
  else process.env["TZ"] = zone
})

it("the wait ends at the reset, however the vendor spells that time", () => {
  const spellings = [
    "2026-11-21T09:31:00Z",
    "2026-11-21T09:31:00.000000+00:00",
    "2026-11-21 09:31:00+00:00",
    "2026-11-21T10:31:00+01:00",
    "2026-11-21T09:31:00",
    "2026-11-21 09:31:00",
    "2026-11-21 09:31:00 UTC",
    "Sat, 21 Nov 2026 09:31:00 GMT",
    "'2026-11-21T09:31:00Z'",
    "{'minute': '2026-11-21T09:31:00Z', 'day': '2026-11-22T00:00:00Z'}",
    String(Date.parse("2026-11-21T09:31:00Z") / 1000),
    String(Date.parse("2026-11-21T09:31:00Z")),
    `{'minute': ${Date.parse("2026-11-21T09:31:00Z") / 1000}}`
  ]
  for (const spelling of spellings) assert.strictEqual(wait({ "x-ratelimit-reset": spelling }), 30_000, spelling)
})

it("a reset in the past is no wait", () => {
  assert.strictEqual(wait({ "x-ratelimit-reset": "2026-11-21T09:30:00Z" }), 0)
})

it("what is no time says nothing", () => {
  assert.strictEqual(wait({}), null)
  for (const reset of ["", "{}", "soon", "{'minute': }", "{'minute': 1000}", "42"]) {
    assert.strictEqual(wait({ "x-ratelimit-reset": reset }), null, reset)
  }
})

it("a gateway's Retry-After goes first", () => {
  assert.strictEqual(wait({ "retry-after": "5", "x-ratelimit-reset": "2026-11-21T09:31:00Z" }), 5000)
})
