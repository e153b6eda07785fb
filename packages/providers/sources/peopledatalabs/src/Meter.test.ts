import { assert, describe, it } from "@effect/vitest"
import { Headers } from "effect/http"
import { allowance } from "./Meter.ts"

const now = Date.parse("2026-11-21T09:30:48Z")
const left = (headers: Readonly<Record<string, string>>) => allowance(Headers.fromInput(headers), now)
const reset = { "x-ratelimit-reset": "2026-11-21T09:31:00Z" }

describe("what is left", () => {
  it("is the calls of the window until its reset, or for a minute where that is not said", () => {
    const calls = { "x-ratelimit-remaining": "{'minute': 99}" }
    assert.deepStrictEqual(left({ ...calls, ...reset }), { remaining: 99, resetAt: now + 12_000 })
    assert.deepStrictEqual(left(calls), { remaining: 99, resetAt: now + 60_000 })
  })

  it("is the least of several windows, however they are written", () => {
    for (const said of ["{'minute': 99, 'day': 7}", "{'minute':99,'day':7 }", '{"minute": 99, "day": 7}', "7", " 7 "]) {
      assert.strictEqual(left({ "x-ratelimit-remaining": said })?.remaining, 7, said)
    }
  })

  it("is the credits where these are fewer, and one call where there are none", () => {
    const calls = { "x-ratelimit-remaining": "{'minute': 99}", ...reset }
    assert.deepStrictEqual(left({ ...calls, "x-totallimit-remaining": "3" }), { remaining: 3, resetAt: now + 60_000 })
    assert.deepStrictEqual(left({ ...calls, "x-totallimit-remaining": "0" }), { remaining: 1, resetAt: now + 60_000 })
    assert.strictEqual(left({ ...calls, "x-totallimit-remaining": "5000" })?.remaining, 99)
    assert.strictEqual(left({ "x-totallimit-remaining": "12" })?.remaining, 12)
  })

  it("is not known where the headers say nothing that can be read", () => {
    for (const headers of [
      {},
      { "x-ratelimit-remaining": "" },
      { "x-ratelimit-remaining": "{'minute': None}" },
      { "x-totallimit-remaining": "many" }
    ]) {
      assert.isNull(left(headers))
    }
  })
})
