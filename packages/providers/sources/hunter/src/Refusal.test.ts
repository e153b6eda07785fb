import { assert, describe, it } from "@effect/vitest"
import { VendorHttp } from "@lading/core/waterfall"
import * as Refusal from "./Refusal.ts"
import refusals from "./fixtures/refusals.json" with { type: "json" }

const read = (status: number, body: unknown = null, retryAfter: number | null = null) =>
  Refusal.read({ status, body, retryAfter })

describe("Refusal.read", () => {
  for (const { body, means, retryAfter, status } of refusals.answers) {
    it(`reads ${status} ${body.errors[0]?.id}${retryAfter === null ? "" : " with Retry-After"} as ${means}`, () => {
      const refusal = read(status, body, retryAfter)
      assert.strictEqual(refusal._tag, means)
      if (refusal._tag === "RateLimited") assert.strictEqual(refusal.retryAfter, retryAfter)
    })
  }

  for (const status of [202, 222]) {
    it(`does not take ${status} for a success, whatever its body`, () => {
      for (const body of [null, {}, { data: { email: "mara@nordvik-robotics.example" } }]) {
        assert.strictEqual(read(status, body)._tag, "Unavailable")
      }
    })
  }

  for (const status of [500, 502, 503, 504, 520]) {
    it(`takes a ${status} without JSON for a vendor that is down`, () => {
      assert.strictEqual(read(status, VendorHttp.NotJson)._tag, "Unavailable")
    })
  }

  it("does not take somebody else's 404 page for a miss", () => {
    assert.strictEqual(read(404, VendorHttp.NotJson)._tag, "InvalidResponse")
    assert.strictEqual(read(404, { message: "no such route" })._tag, "InvalidResponse")
  })

  it("takes a status that Hunter does not have for an invalid response", () => {
    for (const status of [204, 301, 418]) assert.strictEqual(read(status)._tag, "InvalidResponse")
  })

  it("keeps the vendor's free text out of the problem", () => {
    const refusal = read(400, { errors: [{ id: "invalid_email", details: "mara@nordvik.example is wrong" }] })
    assert.strictEqual(refusal._tag === "InvalidInput" && refusal.problem, "400 invalid_email")
    const strange = read(400, { errors: [{ id: "mara@nordvik.example" }] })
    assert.strictEqual(strange._tag === "InvalidInput" && strange.problem, "400")
  })
})
