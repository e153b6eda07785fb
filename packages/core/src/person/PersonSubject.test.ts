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
})
