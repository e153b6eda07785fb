import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CompanyFacts } from "@lading/core/company"
import * as Company from "./Company.ts"
import hidden from "./fixtures/company.hidden.json" with { type: "json" }
import hit from "./fixtures/company.hit.json" with { type: "json" }

const decode = Schema.decodeUnknownSync(Company.Company)
const read = (body: unknown) => Company.facts(decode(body))

describe("the question", () => {
  it("holds only what is known", () => {
    assert.deepStrictEqual(Company.question({ domain: "nordvik-robotics.example", name: null }), {
      website: "nordvik-robotics.example",
      min_likelihood: "6",
      titlecase: "true"
    })
    assert.deepStrictEqual(Company.question({ domain: " ", name: "Nordvik Robotics" }), {
      name: "Nordvik Robotics",
      min_likelihood: "6",
      titlecase: "true"
    })
  })

  it("needs a domain or a name", () => {
    assert.isTrue(Company.accepts({ domain: "nordvik-robotics.example", name: null }))
    assert.isTrue(Company.accepts({ domain: null, name: "Nordvik Robotics" }))
    assert.isFalse(Company.accepts({ domain: null, name: null }))
    assert.isFalse(Company.accepts({ domain: "", name: " " }))
  })
})

describe("the facts", () => {
  it("are those of the documented record", () => {
    assert.deepStrictEqual(read(hit.body), {
      name: "Nordvik Robotics",
      primary_domain: "nordvik-robotics.example",
      domain_aliases: ["nordvik.example"],
      website_url: "nordvik-robotics.example",
      industries: ["automation machinery manufacturing", "industrial automation"],
      description: "Nordvik Robotics builds loading arms for small harbours.\nFounded in Oslo.",
      founded_year: 2012,
      estimated_employee_count: 240,
      annual_revenue: { min: 25e6, max: 50e6, text: "$25M-$50M" },
      total_funding: 15_000_000,
      hq: {
        full_address: "1 Havnegata, Oslo, Oslo, Norway",
        city: "Oslo",
        state: "Oslo",
        postal_code: "0150",
        country: "Norway"
      },
      social_links: {
        linkedin_url: "linkedin.com/company/nordvik-robotics",
        twitter_url: "twitter.com/nordvik_robotics",
        facebook_url: null,
        crunchbase_url: "crunchbase.com/organization/nordvik-robotics",
        instagram_url: "instagram.com/nordvik.robotics"
      },
      keywords: ["robotics", "harbour"]
    })
  })

  it("are null where the plan puts a boolean, and the head count falls back to its range", () => {
    const facts = read(hidden.body)
    assert.strictEqual(facts.name, "Tallgrass Freight")
    assert.strictEqual(facts.description, null)
    assert.strictEqual(facts.founded_year, null)
    assert.deepStrictEqual(facts.estimated_employee_count, { min: 10_001, max: null, text: "10001+" })
    assert.deepStrictEqual(facts.annual_revenue, { min: 1e10, max: null, text: "$10B+" })
    assert.strictEqual(facts.total_funding, null)
    assert.strictEqual(facts.hq?.full_address, null)
    assert.strictEqual(facts.hq?.city, null)
    assert.strictEqual(facts.hq?.country, "United States")
    assert.strictEqual(facts.social_links, null)
    assert.deepStrictEqual(facts.keywords, [])
  })

  it("fit the domain's schema and survive JSON", () => {
    for (const body of [hit.body, hidden.body]) {
      const facts = read(body)
      Schema.decodeUnknownSync(CompanyFacts)(facts)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts)
    }
  })

  it("fill no field that the source does not declare, and every one it does", () => {
    const filled = Object.entries(read(hit.body)).flatMap(([field, value]) =>
      value === null || field === "domain_aliases" ? [] : field
    )
    assert.sameMembers(filled, [...Company.fields])
  })

  it("a look-alike of crunchbase or instagram is no profile there", () => {
    const profiles = ["notcrunchbase.com/organization/x", "instagram.com.example/x"]
    assert.strictEqual(read({ id: "x", profiles }).social_links, null)
    assert.strictEqual(
      read({ id: "x", profiles: ["https://www.instagram.com/x"] }).social_links?.instagram_url,
      "https://www.instagram.com/x"
    )
  })
})

describe("a wrong shape", () => {
  it("is an answer with neither id nor name, or with the record under data", () => {
    assert.throws(() => decode({ status: 200, likelihood: 9 }), /neither id nor name/)
    assert.throws(() => decode({ status: 200, data: hit.body }), /neither id nor name/)
    assert.throws(() => decode({ id: true, name: null }), /neither id nor name/)
    assert.throws(() => decode([]))
    decode({ id: "x" })
    decode({ name: "x" })
  })

  it("is a field of another type", () => {
    assert.throws(() => decode({ ...hit.body, founded: "2012" }))
    assert.throws(() => decode({ ...hit.body, tags: "robotics" }))
    assert.throws(() => decode({ ...hit.body, location: "oslo" }))
    assert.throws(() => decode({ ...hit.body, inferred_revenue: "a lot" }))
  })
})
