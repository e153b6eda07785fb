import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts } from "@lading/core/company"
import { Schema } from "effect"
import * as Company from "./Company.ts"
import hit from "./fixtures/company.json" with { type: "json" }
import sparse from "./fixtures/company-sparse.json" with { type: "json" }

const read = (body: unknown) => Company.facts(Schema.decodeUnknownSync(Company.Company)(body))
const readData = (data: Record<string, unknown>) => read({ data: { domain: "nordvik-robotics.example", ...data } })
const countOf = (employees: unknown) => readData({ metrics: { employees } }).estimated_employee_count
const revenueOf = (metrics: unknown) => readData({ metrics }).annual_revenue
const fundingOf = (fundingRounds: unknown, raised: unknown = null) =>
  readData({ fundingRounds, metrics: { raised } }).total_funding

describe("Company", () => {
  it("says what the documented answer says, in the domain's words", () => {
    const facts = read(hit.body)
    assert.deepStrictEqual(facts, {
      name: "Nordvik Robotics",
      primary_domain: "nordvik-robotics.example",
      domain_aliases: ["nordvik.example"],
      website_url: "https://nordvik-robotics.example",
      industries: ["Industrial Machinery", "Robotics", "Capital Goods", "Industrials"],
      description: "Robots that move boxes about in warehouses.",
      founded_year: 2012,
      estimated_employee_count: { min: 251, max: 1000, text: "251-1K" },
      annual_revenue: null,
      total_funding: null,
      phones: ["+1 202-555-0143", "+1 202-555-0144"],
      hq: {
        full_address: "Oslo, Norway",
        city: "Oslo",
        state: null,
        postal_code: "0150",
        country: "Norway",
        country_code: "NO"
      },
      social_links: {
        linkedin_url: "https://www.linkedin.com/company/nordvik",
        twitter_url: "https://twitter.com/nordvik",
        facebook_url: "https://www.facebook.com/nordvikrobotics",
        crunchbase_url: "https://www.crunchbase.com/organization/nordvik",
        instagram_url: null
      },
      technologies: ["cloudflare"],
      keywords: ["robotics", "warehouse automation"],
      emails: ["info@nordvik-robotics.example"]
    })
    assert.doesNotThrow(() => Schema.decodeUnknownSync(CompanyFacts)(JSON.parse(JSON.stringify(facts))))
  })

  it("reads an answer in which the name is null and most keys are missing", () => {
    const facts = read(sparse.body)
    assert.isNull(facts.name)
    assert.isNull(facts.hq)
    assert.deepStrictEqual(facts.industries, [])
    assert.strictEqual(facts.social_links?.linkedin_url, "https://www.linkedin.com/company/velham-freight")
    assert.isTrue(Company.saysSomething(facts))
  })

  it("falls back on the legal name", () => {
    assert.strictEqual(readData({ name: null, legalName: "Nordvik Robotics AS" }).name, "Nordvik Robotics AS")
  })

  it("knows an answer that says nothing but which company it is about", () => {
    assert.isFalse(Company.saysSomething(readData({ domainAliases: ["nordvik.example"], tags: [], geo: {} })))
    assert.isTrue(Company.saysSomething(readData({ tags: ["robotics"] })))
    assert.isTrue(Company.saysSomething(readData({ foundedYear: 2012 })))
  })

  it("gives a list in its order and drops what is null or blank", () => {
    const category = { industry: null, subIndustry: " ", industryGroup: "Capital Goods", sector: null }
    assert.deepStrictEqual(readData({ category, phone: null }).industries, ["Capital Goods"])
    assert.deepStrictEqual(readData({ phone: "+1 202-555-0144" }).phones, ["+1 202-555-0144"])
  })

  it("reads head-counts as ranges, open ranges and numbers", () => {
    assert.deepStrictEqual(countOf("10001+"), { min: 10001, max: null, text: "10001+" })
    assert.deepStrictEqual(countOf("11\u201350"), { min: 11, max: 50, text: "11\u201350" })
    assert.strictEqual(countOf(240), 240)
    for (const unsaid of [null, undefined, ""]) assert.isNull(countOf(unsaid))
  })

  it("prefers the reported revenue, and reads an estimated one only as a range in dollars", () => {
    assert.strictEqual(revenueOf({ annualRevenue: 42e6, estimatedAnnualRevenue: "$10M-$50M" }), 42e6)
    assert.deepStrictEqual(revenueOf({ annualRevenue: null, estimatedAnnualRevenue: "$10M-$50M" }), {
      min: 10e6,
      max: 50e6,
      text: "$10M-$50M"
    })
    for (const strange of ["\u20ac10M-\u20ac50M", "plenty", { min: 1 }, null]) {
      assert.isNull(revenueOf({ estimatedAnnualRevenue: strange }))
    }
  })

  it("sums funding rounds only when each is an amount in dollars", () => {
    const round = { amount: 5e6, currency: "USD" }
    assert.strictEqual(fundingOf([round, round]), 10e6)
    assert.strictEqual(fundingOf([round], 7e6), 7e6)
    assert.strictEqual(fundingOf([round], "7000000"), 7e6)
    for (const rounds of [[], [round, { amount: 5e6, currency: "EUR" }], [round, { amount: 5e6 }], ["5M"]]) {
      assert.isNull(fundingOf(rounds))
    }
  })

  it("refuses an answer of another shape instead of reading it as empty", () => {
    const bodies = [
      null,
      [],
      {},
      ...[null, [], {}, { domain: null }].map((data) => ({ data })),
      { data: { ...hit.body.data, tech: "cloudflare" } },
      { data: { ...hit.body.data, foundedYear: "long ago" } },
      { data: { ...hit.body.data, metrics: { employees: "many" } } },
      { data: { ...hit.body.data, linkedin: "company/nordvik" } }
    ]
    for (const body of bodies) assert.throws(() => read(body))
  })
})
