import { assert, describe, it } from "@effect/vitest"
import { PersonFacts } from "@lading/core/person"
import { Schema } from "effect"
import * as Person from "./Person.ts"
import hit from "./fixtures/person.json" with { type: "json" }
import locked from "./fixtures/person-locked.json" with { type: "json" }

const decode = Schema.decodeUnknownSync(Person.Person)
const read = (body: unknown) => Person.facts(decode(body))
const readOne = (person: Record<string, unknown>) => read({ person: { id: "65aa", ...person } })

const address = "mara.ellison@nordvik-robotics.example"
const statusOf = (email_status: unknown, email = address) => readOne({ email, email_status }).emails

describe("Person", () => {
  it("says what the documented answer says, in the domain's words", () => {
    assert.deepStrictEqual(read(hit.body), {
      first_name: "Mara",
      last_name: "Ellison",
      current_title: "Head of Procurement",
      company_name: "Nordvik Robotics",
      company_domain: "nordvik-robotics.example",
      company_website: "http://www.nordvik-robotics.example",
      company_linkedin_url: "http://www.linkedin.com/company/nordvik-robotics-example",
      location: { city: "Oslo", country: "Norway" },
      emails: [
        { email: address, type: "work", status: "valid" },
        { email: "mara@example.net", type: "personal", status: "unknown" },
        { email: "procurement@nordvik-robotics.example", type: "unknown", status: "unknown" }
      ],
      phones: [
        { number: "+46701740605", type: "mobile" },
        { number: "+1 202-555-0143", type: "work" },
        { number: "+12025550144", type: "unknown" }
      ],
      social_links: { linkedin_url: "http://www.linkedin.com/in/mara-ellison-example" },
      employment_history: [
        {
          company_name: "Nordvik Robotics",
          title: "Head of Procurement",
          start_date: "2021-03-01",
          end_date: null,
          is_current: true,
          company_domain: "nordvik-robotics.example",
          company_linkedin_url: "http://www.linkedin.com/company/nordvik-robotics-example",
          department: "master_operations",
          description: null
        },
        {
          company_name: "Velham Freight",
          title: "Buyer",
          start_date: "2016-06-01",
          end_date: "2021-02-01",
          is_current: false,
          company_domain: null,
          company_linkedin_url: null,
          department: null,
          description: "Bought pallets."
        }
      ],
      education: [
        {
          school: "Example University of Oslo",
          degree: "Master of Science",
          major: "Economics",
          start: "2008-01-01",
          end: "2013-01-01"
        }
      ]
    })
  })

  it("has no address where there is only its placeholder, however it is written and wherever it stands", () => {
    assert.deepStrictEqual(read(locked.body).emails, [])
    assert.deepStrictEqual(statusOf("verified", " Email_Not_Unlocked@Domain.com "), [])
    assert.deepStrictEqual(readOne({ personal_emails: ["email_not_unlocked@domain.com"] }).emails, [])
    const contact_emails = [{ email: "email_not_unlocked@domain.com", email_status: "verified" }]
    assert.deepStrictEqual(readOne({ contact: { contact_emails } }).emails, [])
  })

  for (const [word, status] of [
    ["verified", "valid"],
    ["bounced", "invalid"],
    ["guessed", "unknown"],
    ["extrapolated", "unknown"],
    ["unverified", "unknown"],
    ["likely to engage", "unknown"],
    ["update_required", "unknown"],
    ["a word of next year", "unknown"],
    [null, "unknown"]
  ] as const) {
    it(`reads the status ${word} as ${status}`, () => {
      assert.deepStrictEqual(statusOf(word), [{ email: address, type: "work", status }])
    })
  }

  it("has no address that Apollo calls unavailable, and none that is empty", () => {
    assert.deepStrictEqual(statusOf("unavailable"), [])
    assert.deepStrictEqual(statusOf("verified", " "), [])
    assert.deepStrictEqual(statusOf("verified", null as never), [])
  })

  it("takes the employer's name from the present job where no organization comes along", () => {
    const employment_history = [
      { current: false, organization_name: "Velham Freight", organization_id: "a" },
      { current: true, organization_name: "Nordvik Robotics", organization_id: "b" }
    ]
    const facts = readOne({ employment_history, organization: null })
    assert.strictEqual(facts.company_name, "Nordvik Robotics")
    assert.deepStrictEqual(
      facts.employment_history?.map(({ company_domain }) => company_domain),
      [null, null]
    )
  })

  it("gives the organization's domain to a present job at that organization only", () => {
    const employment_history = [
      { current: true, organization_name: "Other Board", organization_id: "other" },
      { current: true, organization_name: "Nordvik Robotics", organization_id: "b" },
      { current: false, organization_name: "Nordvik Robotics", organization_id: "b" }
    ]
    const facts = readOne({ employment_history, organization: { id: "b", primary_domain: "nordvik-robotics.example" } })
    assert.deepStrictEqual(
      facts.employment_history?.map(({ company_domain }) => company_domain),
      [null, "nordvik-robotics.example", null]
    )
  })

  it("fills no field that it does not declare, and every one that it does", () => {
    const filled = Object.entries(read(hit.body)).flatMap(([field, value]) => (value === null ? [] : [field]))
    assert.sameMembers(filled, [...Person.fields])
  })

  it("fits the domain's schema and survives JSON", () => {
    for (const body of [hit.body, locked.body]) {
      const facts = read(body)
      Schema.decodeUnknownSync(PersonFacts)(facts)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts)
    }
  })

  it("is nobody without id and name, or with a field of another type", () => {
    assert.throws(() => read({ person: { title: "Buyer" } }), /neither id nor name/)
    const current = [{ current: "yes" }]
    for (const wrong of [
      { email: 7 },
      { employment_history: current },
      { organization: "Nordvik" },
      { contact: [7] }
    ]) {
      assert.throws(() => readOne(wrong), undefined, undefined, JSON.stringify(wrong))
    }
  })
})
