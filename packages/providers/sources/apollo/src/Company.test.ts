import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts } from "@lading/core/company"
import { Schema } from "effect"
import * as Company from "./Company.ts"
import hit from "./fixtures/company.json" with { type: "json" }
import sparse from "./fixtures/company-sparse.json" with { type: "json" }

const read = (body: unknown) => Company.facts(Schema.decodeUnknownSync(Company.Company)(body).organization)
const readOne = (organization: Record<string, unknown>) => read({ organization: { id: "5e00", ...organization } })

describe("Company", () => {
  it("says what the documented answer says, in the domain's words", () => {
    assert.deepStrictEqual(read(hit.body), {
      name: "Nordvik Robotics",
      primary_domain: "nordvik-robotics.example",
      website_url: "http://www.nordvik-robotics.example",
      industries: ["industrial automation", "machinery"],
      description: "Robots that move boxes about in warehouses.",
      founded_year: 2012,
      estimated_employee_count: 240,
      annual_revenue: 42_000_000,
      total_funding: 15_000_000,
      phones: ["+12025550143"],
      hq: {
        full_address: "1 Havnegata, Oslo, Norway 0150",
        city: "Oslo",
        state: "Oslo",
        postal_code: "0150",
        country: "Norway"
      },
      social_links: {
        linkedin_url: "http://www.linkedin.com/company/nordvik-robotics-example",
        twitter_url: "https://twitter.com/nordvik_example",
        facebook_url: "https://facebook.com/nordvik-example",
        crunchbase_url: "http://www.crunchbase.com/organization/nordvik-robotics-example"
      },
      technologies: ["Salesforce", "nginx"],
      keywords: ["robotics", "warehouse automation"]
    })
  })

  it("knows a sparse answer's zeros and empty objects for nothing said", () => {
    assert.deepStrictEqual(read(sparse.body), {
      name: "Velham Freight",
      primary_domain: "velham-freight.example",
      website_url: "http://www.velham-freight.example",
      industries: ["logistics & supply chain"],
      description: "Freight by road.",
      founded_year: null,
      estimated_employee_count: null,
      annual_revenue: null,
      total_funding: null,
      phones: [],
      hq: null,
      social_links: null,
      technologies: [],
      keywords: []
    })
  })

  it("takes a number from wherever it stands, the cleaned one first", () => {
    assert.deepStrictEqual(readOne({ phone: "+1 202-555-0143" }).phones, ["+1 202-555-0143"])
    assert.deepStrictEqual(readOne({ phone: "+1 202-555-0143", sanitized_phone: "+12025550143" }).phones, [
      "+12025550143"
    ])
  })

  it("fills no field that it does not declare, and every one that it does", () => {
    const filled = Object.entries(read(hit.body)).flatMap(([field, value]) => (value === null ? [] : [field]))
    assert.sameMembers(filled, [...Company.fields])
  })

  it("fits the domain's schema and survives JSON", () => {
    for (const body of [hit.body, sparse.body]) {
      const facts = read(body)
      Schema.decodeUnknownSync(CompanyFacts)(facts)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts)
    }
  })

  it("is no organization without id and name, or with a field of another type", () => {
    assert.throws(() => read({ organization: { id: " ", industry: "freight" } }), /neither id nor name/)
    for (const wrong of [{ founded_year: "2012" }, { keywords: "robotics" }, { primary_phone: "+1" }, { name: 7 }]) {
      assert.throws(() => readOne(wrong))
    }
  })
})
