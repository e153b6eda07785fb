import { assert, describe, it } from "@effect/vitest"
import { verdicts, noFilter, type CompanyFilter } from "./CompanyDirectory.ts"
import type { CompanyFacts } from "./CompanyFacts.ts"

const nordvik: CompanyFacts = {
  name: "Nordvik Robotics AS",
  primary_domain: "www.nordvik.example",
  domain_aliases: ["nordvik-group.example"],
  industries: ["Industrial Automation"],
  technologies: ["nginx"],
  hq: { country: "Norway" },
  founded_year: 2012,
  estimated_employee_count: { min: 201, max: 500, text: "201-500" }
}

const judged = (filter: Partial<CompanyFilter>, facts: CompanyFacts = nordvik) =>
  Object.fromEntries(verdicts({ ...noFilter, ...filter }, facts))

describe("what a company says to a filter", () => {
  it("is nothing to filters that ask for nothing", () => assert.deepStrictEqual(judged({}), {}))

  it("is nothing where it says nothing", () => {
    const filter = { query: "robotics", domains: ["a.example"], countries: ["NO"], industries: ["x"] }
    assert.deepStrictEqual(judged({ ...filter, founded_range: { min: 1, max: 2 } }, {}), {
      query: null,
      domains: null,
      countries: null,
      industries: null,
      founded_range: null
    })
  })

  const agreeing: ReadonlyArray<Partial<CompanyFilter>> = [
    { query: "robotics nordvik" },
    { domains: ["other.example", "nordvik.example"] },
    { domains: ["shop.nordvik-group.example"] },
    { countries: ["SE", "NO"] },
    { industries: ["industrial automation"] },
    { technologies: ["NGINX"] },
    { employee_range: { min: 500, max: null } },
    { employee_range: { min: null, max: 201 } },
    { founded_range: { min: 2012, max: 2012 } }
  ]
  for (const filter of agreeing) {
    it(`agrees with ${JSON.stringify(filter)}`, () => {
      for (const verdict of Object.values(judged(filter))) assert.isTrue(verdict)
    })
  }

  const contradicting: ReadonlyArray<Partial<CompanyFilter>> = [
    { query: "robot" },
    { query: "nordvik foods" },
    { domains: ["nordvik-robotics.example"] },
    { countries: ["SE"] },
    { industries: ["automation"] },
    { technologies: ["react"] },
    { employee_range: { min: 501, max: null } },
    { employee_range: { min: null, max: 200 } },
    { founded_range: { min: 2013, max: null } }
  ]
  for (const filter of contradicting) {
    it(`contradicts ${JSON.stringify(filter)}`, () => {
      for (const verdict of Object.values(judged(filter))) assert.isFalse(verdict)
    })
  }
})
