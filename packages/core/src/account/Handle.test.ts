import { assert, describe, it } from "@effect/vitest"
import { CompanySubject } from "../company/CompanySubject.ts"
import { PersonSubject } from "../person/PersonSubject.ts"
import * as Handle from "./Handle.ts"

const text = (subject: string): string => {
  const handle = Handle.read(subject)
  return typeof handle === "string" ? `refused: ${handle}` : handle.text
}

describe("Handle", () => {
  it("is an address, a page or a domain, however it is written", () => {
    for (const [subject, expected] of [
      [" Mara@Acme.Example ", "email:mara@acme.example"],
      ["acme.example", "domain:acme.example"],
      ["https://www.shop.acme.example/", "domain:acme.example"],
      ["HTTP://ACME.EXAMPLE:8080", "domain:acme.example"],
      ["https://no.linkedin.com/in/Mara-Ellison/?x=1", "url:linkedin.com/in/mara-ellison"],
      ["linkedin.com/company/acme", "url:linkedin.com/company/acme"]
    ] as const) {
      assert.strictEqual(text(subject), expected)
    }
  })

  it("is the same handle that answers are found by", () => {
    const person = {
      emails: [{ email: "Mara@acme.example", type: "work", status: "valid" }],
      social_links: { linkedin_url: "https://no.linkedin.com/in/Mara-Ellison/" }
    } as const
    const handles = PersonSubject.handles(
      { first_name: "Mara", last_name: "Ellison", domain: "shop.acme.example" },
      person
    )
    for (const subject of ["mara@acme.example", "linkedin.com/in/mara-ellison", "acme.example"]) {
      assert.include(handles, text(subject))
    }
    const company = { social_links: { linkedin_url: "linkedin.com/company/Acme" } }
    assert.include(
      CompanySubject.handles({ domain: null, name: "Acme" }, company),
      text("https://linkedin.com/company/acme")
    )
  })

  it("refuses what names nobody, or far too many", () => {
    for (const subject of [
      "",
      "Mara Ellison",
      "@",
      "mara@",
      "com",
      "gmail.com",
      "linkedin.com",
      "https://www.facebook.com/",
      "co.uk",
      "github.io",
      "media.licdn.com",
      "linkedin.com/in",
      "https://linkedin.com/company/",
      "linkedin.com/profile/view?id=123",
      "https://scholar.example/citations?user=abc",
      "https://profiles.example/?user=mara",
      "https://profiles.example/#/mara"
    ]) {
      assert.match(text(subject), /^refused: Expected/)
    }
  })
})
