import { assert, describe, it } from "@effect/vitest"
import { PersonFacts, PersonSubject } from "@lading/core/person"
import { Schema } from "effect"
import * as Person from "./Person.ts"
import found from "./fixtures/email-finder.json" with { type: "json" }
import miss from "./fixtures/email-finder-miss.json" with { type: "json" }
import profile from "./fixtures/people-find.json" with { type: "json" }

const readFound = Schema.decodeUnknownSync(Person.Found)
const readProfile = Schema.decodeUnknownSync(Person.Profile)

const email = "mara.ellison@nordvik-robotics.example"

const together = (foundData: Record<string, unknown> = {}, profileData: Record<string, unknown> | null = {}) =>
  Person.facts(
    readFound({ data: { ...found.body.data, ...foundData } }),
    email,
    profileData === null ? null : readProfile({ data: { ...profile.body.data, ...profileData } })
  )

describe("Person", () => {
  it("says what the two documented answers say together", () => {
    const facts = together()
    assert.deepStrictEqual(facts, {
      first_name: "Mara",
      last_name: "Ellison",
      current_title: "Head of Procurement",
      company_name: "Nordvik Robotics",
      company_domain: "nordvik-robotics.example",
      location: { city: "Oslo", country: "Norway", country_code: "NO" },
      emails: [{ email, type: "work", status: "valid", confidence: 94 }],
      phones: [{ number: "+1 202-555-0177", type: "unknown" }],
      social_links: { linkedin_url: "https://www.linkedin.com/in/mara-ellison" },
      employment_history: [
        {
          company_name: "Nordvik Robotics",
          title: "Head of Procurement",
          start_date: null,
          end_date: null,
          is_current: true,
          company_domain: "nordvik-robotics.example",
          department: "management"
        }
      ]
    })
    assert.doesNotThrow(() => Schema.decodeUnknownSync(PersonFacts)(JSON.parse(JSON.stringify(facts))))
  })

  it("says what the finder says where there is no profile", () => {
    assert.deepStrictEqual(together({}, null), {
      first_name: "Mara",
      last_name: "Ellison",
      current_title: "Procurement Lead",
      company_name: "Nordvik",
      company_domain: "nordvik-robotics.example",
      location: null,
      emails: [{ email, type: "work", status: "valid", confidence: 94 }],
      phones: [{ number: "+1 202-555-0177", type: "unknown" }],
      social_links: { linkedin_url: "https://www.linkedin.com/in/mara-e" },
      employment_history: []
    })
  })

  it("knows the finder's way to say that it has no address", () => {
    assert.isNull(Person.addressOf(readFound(miss.body)))
    assert.isNull(Person.addressOf(readFound({ data: { email: "" } })))
    assert.strictEqual(Person.addressOf(readFound(found.body)), email)
  })

  it("takes the name of the address's owner, so that a stranger's address is found out", () => {
    const facts = together({}, { name: { givenName: "Mark", familyName: "Elling" } })
    assert.deepStrictEqual([facts.first_name, facts.last_name], ["Mark", "Elling"])
    const asked = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
    assert.isFalse(PersonSubject.matches(asked, facts))
    assert.isTrue(PersonSubject.matches(asked, together()))
  })

  it("takes the finder's name where the profile has none", () => {
    for (const name of [null, { givenName: null, familyName: null }, {}]) {
      const facts = together({}, { name })
      assert.deepStrictEqual([facts.first_name, facts.last_name], ["Mara", "Ellison"])
    }
  })

  it("does not mix two jobs: an employer elsewhere stays in the history", () => {
    const facts = together(
      { position: null },
      { employment: { domain: "velham-freight.example", name: "Velham Freight", title: "Director", role: null } }
    )
    assert.isNull(facts.current_title)
    assert.strictEqual(facts.company_name, "Nordvik")
    assert.strictEqual(facts.company_domain, "nordvik-robotics.example")
    assert.strictEqual(facts.employment_history?.[0]?.company_domain, "velham-freight.example")
  })

  it("fills the gaps of one job from both answers", () => {
    const employment = { domain: "Nordvik-Robotics.example", name: "Nordvik Robotics", title: null }
    assert.strictEqual(together({}, { employment }).current_title, "Procurement Lead")
    assert.strictEqual(together({}, { employment }).company_name, "Nordvik Robotics")
    assert.strictEqual(together({ domain: null }, {}).company_domain, "nordvik-robotics.example")
  })

  it("makes no history of an employment that names neither employer nor title", () => {
    for (const employment of [null, {}, { domain: "nordvik-robotics.example", name: null, title: null }]) {
      assert.deepStrictEqual(together({}, { employment }).employment_history, [])
    }
  })

  const words: ReadonlyArray<readonly [string | null, string, string]> = [
    ["valid", "valid", "work"],
    ["invalid", "invalid", "work"],
    ["accept_all", "catch_all", "work"],
    ["disposable", "invalid", "work"],
    ["webmail", "unknown", "personal"],
    ["unknown", "unknown", "work"],
    ["something new", "unknown", "work"],
    [null, "unknown", "work"]
  ]
  for (const [word, status, type] of words) {
    it(`reads the verification ${word} as ${status}, ${type}`, () => {
      const address = together({ verification: { date: null, status: word } }).emails?.[0]
      assert.deepStrictEqual([address?.status, address?.type], [status, type])
    })
  }

  it("gives a number that both answers have once", () => {
    const phone = "+1 202-555-0177"
    assert.deepStrictEqual(together({ phone_number: phone }, { phone }).phones, [{ number: phone, type: "unknown" }])
    assert.lengthOf(together({}, { phone: "+1 202-555-0178" }).phones ?? [], 2)
  })

  it("refuses answers of another shape instead of reading them as a miss", () => {
    for (const body of [null, {}, { data: null }, { data: [] }, { data: {} }, { data: { email: 7 } }]) {
      assert.throws(() => readFound(body))
    }
    for (const body of [null, {}, { data: null }, { data: {} }, { data: { name: "Mara Ellison" } }]) {
      assert.throws(() => readProfile(body))
    }
  })
})
