import { assert, describe, it } from "@effect/vitest"
import * as Fields from "./Fields.ts"
import { enrich, verify } from "./fixtures/Operations.ts"

const most = 100

describe("Fields", () => {
  it("names each value of a request, what it may be, and whether it has to be there", () => {
    const without = new Set(["webhook_url", "waterfall.byok"])
    assert.deepStrictEqual(Fields.lines(enrich.request, { most, explained: true, without }), [
      "identity: object, required – At least one of either",
      "identity.domains: array of string, required",
      "identity.names: string",
      'waterfall.mode: "first_match" or "aggregate"'
    ])
  })

  it("follows references, one that leads back to itself as far as it makes sense", () => {
    const lines = Fields.lines(enrich.answer, { most, explained: false, without: new Set(["meta"]) })
    for (const line of [
      "success: boolean",
      "company.name: string",
      "company.profile.founded_year: integer",
      "company.profile.industries: array of string",
      "company.profile.people[].name: string",
      "company.parent.parent.name: string"
    ])
      assert.include(lines, line)
    assert.isFalse(lines.some((line) => line.startsWith("meta")))
    assert.isBelow(lines.length, 40)
  })

  it("marks values of objects whose keys nobody knows", () => {
    assert.deepStrictEqual(Fields.lines(verify.answer, { most, explained: false }), ["results{}.status: string"])
  })

  it("leaves out the deepest first, and keeps the order", () => {
    const lines = Fields.lines(enrich.answer, { most: 3, explained: false })
    assert.deepStrictEqual(lines, ["success: boolean", "request_id: string", "company.name: string"])
  })

  it("comes to an end with what is no schema, or refers to itself and to nothing", () => {
    const odd: ReadonlyArray<Fields.JsonSchema> = [
      {},
      { $ref: "#/$defs/Nobody" },
      { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } },
      { type: "object", properties: 7, required: "all", anyOf: "none" },
      { type: "null" }
    ]
    for (const schema of odd) assert.deepStrictEqual(Fields.lines(schema, { most, explained: true }), [])
    const self = { type: "object", properties: { a: { $ref: "#/$defs/S" }, b: { $ref: "#/$defs/S" } } }
    const twice = Fields.lines({ $ref: "#/$defs/S", $defs: { S: self } }, { most, explained: true })
    assert.isEmpty(twice)
  })

  it("says what is one of several kinds, and shortens long lists of words and long descriptions", () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}`)
    const [order = "", many = "", any = ""] = Fields.lines(
      {
        type: "object",
        properties: {
          order: {
            anyOf: [
              { type: "string", enum: ["cheapest"] },
              { type: "array", items: { type: "string" } }
            ]
          },
          many: { type: "string", enum: words, description: "d".repeat(1000) },
          any: {}
        }
      },
      { most, explained: true }
    )
    assert.strictEqual(order, 'order: "cheapest" or array of string')
    assert.include(many, '"w15" or …')
    assert.isBelow(many.length, 400)
    assert.strictEqual(any, "any: anything")
  })
})
