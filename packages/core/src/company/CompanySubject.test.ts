import { assert, describe, it } from "@effect/vitest"
import type { CompanyFacts } from "./CompanyFacts.ts"
import * as CompanyName from "./CompanyName.ts"
import { CompanySubject } from "./CompanySubject.ts"

describe("company names", () => {
  it("are compared without legal form, case, accents and punctuation", () => {
    for (const name of ["Café Noir GmbH", "CAFE NOIR, Inc.", "Cafe-Noir S.A.", "cafe noir Sp. z o.o."]) {
      assert.deepStrictEqual(CompanyName.tokens(name).slice(0, 2), ["cafe", "noir"], name)
    }
    assert.isTrue(CompanyName.alike("Nordvik Robotics AS", "NORDVIK ROBOTICS"))
    assert.isTrue(CompanyName.alike("Nordvik", "Nordvik Robotics AS"))
    assert.isFalse(CompanyName.alike("Nordvik Robotics", "Sudvik Robotics"))
  })

  it("that are nothing but a legal form keep it", () => {
    assert.deepStrictEqual(CompanyName.tokens("SE"), ["se"])
    assert.isFalse(CompanyName.alike("SE", "AG"))
  })
})

describe("whether an answer is about the company that was asked about", () => {
  const about = (identity: { domain: string | null; name: string | null }, facts: CompanyFacts) =>
    CompanySubject.matches(identity, facts)
  const byDomain = { domain: "acme.example", name: null }

  it("is judged by domain where both have one: subdomains and aliases are the same company", () => {
    assert.isTrue(about(byDomain, { primary_domain: "https://www.acme.example/" }))
    assert.isTrue(about(byDomain, { website_url: "http://shop.acme.example" }))
    assert.isTrue(about(byDomain, { primary_domain: "acme.test", domain_aliases: ["ACME.example"] }))
    assert.isFalse(about(byDomain, { primary_domain: "acme.test" }))
    assert.isFalse(about({ domain: "acme.example", name: "Acme" }, { primary_domain: "acme.test", name: "Acme" }))
  })

  it("is judged by name where a domain is missing, and cannot be doubted where both are", () => {
    assert.isTrue(about({ domain: null, name: "Acme" }, { name: "ACME Ltd", primary_domain: "acme.test" }))
    assert.isFalse(about({ domain: null, name: "Acme" }, { name: "Other" }))
    assert.isTrue(about(byDomain, { name: "Anything", founded_year: 2001 }))
  })
})
