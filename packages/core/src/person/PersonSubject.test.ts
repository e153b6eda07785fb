import { assert, describe, it } from "@effect/vitest"
import type { PersonFacts } from "./PersonFacts.ts"
import { PersonSubject } from "./PersonSubject.ts"

describe("whether an answer is about the person who was asked about", () => {
  const mara = { first_name: "Mara", last_name: "Ellison", domain: "acme.example" }
  const about = (facts: PersonFacts) => PersonSubject.matches(mara, facts)

  it("names agree by short forms, initials, accents and double names", () => {
    assert.isTrue(about({ first_name: "M.", last_name: "ELLISON" }))
    assert.isTrue(about({ first_name: "Mára", last_name: "Ellison-Berg" }))
    assert.isFalse(about({ first_name: "Tom", last_name: "Ellison" }))
    assert.isFalse(about({ first_name: "Mara", last_name: "Berg" }))
  })

  it("one of the domains has to be the company's: employer, former employer or work mail", () => {
    assert.isTrue(about({ last_name: "Ellison", company_domain: "www.acme.example" }))
    assert.isTrue(
      about({ company_domain: "new.test", employment_history: [{ company_domain: "acme.example", is_current: false }] })
    )
    assert.isTrue(
      about({
        company_domain: "new.test",
        emails: [{ email: "mara@acme.example", type: "work", status: "valid" }]
      })
    )
    assert.isFalse(about({ last_name: "Ellison", company_domain: "other.test" }))
  })

  it("an answer that names no company cannot be doubted; a private address says nothing about the company", () => {
    assert.isTrue(about({ last_name: "Ellison", current_title: "Buyer" }))
    assert.isTrue(about({ emails: [{ email: "mara@mail.test", type: "personal", status: "unknown" }] }))
  })

  it("only the employer's own domain speaks against it", () => {
    const at = (host: string) => ({ email: `mara@${host}`, type: "unknown", status: "unknown" }) as const
    assert.isTrue(about({ last_name: "Ellison", emails: [at("gmail.com")] }))
    assert.isTrue(about({ emails: [at("mail.test")] }))
    assert.isTrue(about({ company_website: "linkedin.com/company/acme" }))
    assert.isTrue(about({ company_domain: "gmail.com" }))
    assert.isTrue(about({ company_domain: "n/a", company_website: "" }))
    assert.isTrue(about({ employment_history: [{ company_domain: "former.test", is_current: false }] }))
    assert.isFalse(about({ company_website: "https://www.other.test/", emails: [at("gmail.com")] }))
    assert.isFalse(about({ company_domain: "other.test", emails: [at("other.test")] }))
  })

  it("a private mailbox does not speak for a mail provider either", () => {
    const asked = { first_name: null, last_name: "Ellison", domain: "yahoo.com" }
    const emails = [{ email: "mara@yahoo.com", type: "unknown", status: "unknown" }] as const
    assert.isFalse(PersonSubject.matches(asked, { company_domain: "other.test", emails }))
    assert.isTrue(PersonSubject.matches(asked, { company_domain: "yahoo.com" }))
  })
})

describe("the names under which a person may be suppressed", () => {
  it("are the company's domains, all addresses and the profile page, each once", () => {
    const handles = PersonSubject.handles(
      { first_name: null, last_name: null, domain: "acme.example" },
      {
        company_domain: "www.Acme.example",
        company_website: "https://shop.acme.test/x",
        employment_history: [{ company_domain: "former.test", is_current: false }],
        emails: [{ email: " Mara@acme.example", type: "work", status: "valid" }],
        social_links: { linkedin_url: "no.linkedin.com/in/Mara/?trk=x" }
      }
    )
    assert.deepStrictEqual(handles, [
      "domain:acme.example",
      "domain:acme.test",
      "email:mara@acme.example",
      "url:linkedin.com/in/mara"
    ])
  })

  it("leave out the network that a page of the company stands on", () => {
    const nobody = { first_name: "Mara", last_name: "Ellison", domain: null }
    assert.deepStrictEqual(PersonSubject.handles(nobody, { company_website: "linkedin.com/company/acme" }), [])
    assert.deepStrictEqual(PersonSubject.handles(nobody), [])
  })
})
