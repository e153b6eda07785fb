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

  it("looks at every domain that can be read: site and aliases where there is no primary one", () => {
    assert.isTrue(about(byDomain, { primary_domain: "", website_url: "https://acme.example" }))
    assert.isTrue(about(byDomain, { primary_domain: "acme.test", website_url: "https://acme.example" }))
    assert.isFalse(about(byDomain, { primary_domain: "n/a", website_url: "https://other.test" }))
    assert.isTrue(about(byDomain, { primary_domain: "", domain_aliases: ["other.test"] }))
    assert.isFalse(about({ ...byDomain, name: "Acme" }, { name: "Zeta", domain_aliases: ["zeta.test"] }))
    assert.isTrue(about(byDomain, { domain_aliases: ["other.test", "https://www.acme.example/"] }))
    const asked = { domain: "xn--bcher-kva.example", name: null }
    assert.isTrue(about(asked, { primary_domain: "books.test", domain_aliases: ["Bücher.example"] }))
  })

  it("is judged by name where no domain can be read, or the site is a page on a network", () => {
    const both = { domain: "acme.example", name: "Acme" }
    for (const facts of [
      { primary_domain: "n/a" },
      { website_url: "linkedin.com/company/acme" },
      { domain_aliases: ["-"] }
    ]) {
      assert.isTrue(about(both, { ...facts, name: "ACME Ltd" }))
      assert.isFalse(about(both, { ...facts, name: "Other" }))
      assert.isTrue(about(byDomain, { ...facts, name: "Other" }))
    }
  })
})

describe("the names under which a company may be suppressed", () => {
  it("are all its domains and pages, each once", () => {
    const handles = CompanySubject.handles(
      { domain: "acme.example", name: null },
      {
        primary_domain: "www.acme.example",
        website_url: "https://shop.acme.test/",
        domain_aliases: ["Bücher.example", "n/a"],
        social_links: {
          linkedin_url: "linkedin.com/company/Acme/",
          twitter_url: "https://x.com/acme",
          facebook_url: "no page",
          instagram_url: null
        }
      }
    )
    assert.deepStrictEqual(handles, [
      "domain:acme.example",
      "domain:acme.test",
      "domain:xn--bcher-kva.example",
      "url:linkedin.com/company/acme",
      "url:twitter.com/acme"
    ])
  })
})
