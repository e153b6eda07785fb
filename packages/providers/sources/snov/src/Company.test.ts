import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts } from "@lading/core/company"
import { Schema } from "effect"
import * as Company from "./Company.ts"
import hit from "./fixtures/company.json" with { type: "json" }
import misses from "./fixtures/misses.json" with { type: "json" }

const read = (body: unknown) => Company.facts(Schema.decodeUnknownSync(Company.Company)(body))
const readOne = (data: Record<string, unknown>) => read({ status: "completed", data, meta: {} })

describe("Company", () => {
  it("says what the documented answer says, in the domain's words", () => {
    assert.deepStrictEqual(read(hit.body), {
      name: "Nordvik Robotics",
      primary_domain: "nordvik-robotics.example",
      domain_aliases: ["nordvik.example"],
      website_url: "https://nordvik-robotics.example",
      industries: ["Industrial Automation"],
      founded_year: 2012,
      estimated_employee_count: { min: 201, max: 500, text: "201-500" },
      phones: ["+12025550143"],
      hq: { city: "Oslo" }
    })
  })

  for (const [size, count] of [
    ["Self", { min: 1, max: 1, text: "Self" }],
    ["1-10", { min: 1, max: 10, text: "1-10" }],
    ["5001\u201310000", { min: 5_001, max: 10_000, text: "5001\u201310000" }],
    ["10001+", { min: 10_001, max: null, text: "10001+" }],
    [240, 240],
    ["", null],
    [null, null]
  ] as const) {
    it(`reads a size of ${JSON.stringify(size)}`, () => {
      const said = readOne({ size }).estimated_employee_count
      assert.deepStrictEqual(said, count)
    })
  }

  it("takes a year for a year, and a number with its country's code for one from abroad", () => {
    assert.strictEqual(readOne({ founded: 2012 }).founded_year, 2012)
    for (const none of ["", "0", "about 2012", null]) assert.isNull(readOne({ founded: none }).founded_year)
    assert.deepStrictEqual(readOne({ hq_phone: 12025550143 }).phones, ["+12025550143"])
    assert.deepStrictEqual(readOne({ hq_phone: "+1 202 555 0143" }).phones, ["+1 202 555 0143"])
    assert.deepStrictEqual(readOne({ hq_phone: "0202 5550143" }).phones, ["0202 5550143"])
  })

  it("knows the domain from the site where the question is not repeated", () => {
    const said = readOne({ website: "https://www.Nordvik-Robotics.example/no?x=1" })
    assert.strictEqual(said.primary_domain, "nordvik-robotics.example")
    assert.strictEqual(said.website_url, "https://www.Nordvik-Robotics.example/no?x=1")
  })

  it("fills no field that it does not declare, and every one that it does", () => {
    const filled = Object.entries(read(hit.body)).flatMap(([field, value]) => (value === null ? [] : [field]))
    assert.sameMembers(filled, [...Company.fields, "domain_aliases"])
  })

  it("says something, or nothing that was not asked", () => {
    assert.isTrue(Company.saysSomething(read(hit.body)))
    for (const body of misses.company) assert.isFalse(Company.saysSomething(read(body)))
  })

  it("fits the domain's schema and survives JSON", () => {
    const facts = read(hit.body)
    Schema.decodeUnknownSync(CompanyFacts)(facts)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts)
  })

  it("is none with a field of another type, a size that is no range, or a list that is not empty", () => {
    for (const wrong of [{ founded: {} }, { company_name: 7 }, { size: "many" }, { related_domains: "x" }]) {
      assert.throws(() => readOne(wrong))
    }
    assert.throws(() => read({ status: "completed", data: [{}], meta: {} }))
    assert.throws(() => read({ status: "completed", meta: {} }))
  })
})
