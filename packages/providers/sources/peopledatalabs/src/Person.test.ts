import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { PersonFacts } from "@lading/core/person"
import hidden from "./fixtures/person.hidden.json" with { type: "json" }
import hit from "./fixtures/person.hit.json" with { type: "json" }
import * as Person from "./Person.ts"

const decode = Schema.decodeUnknownSync(Person.Person)
const read = (body: unknown) => Person.facts(decode(body))
const typesOf = (type: unknown) =>
  read({ data: { id: "x", emails: [{ address: "a@old-harbour.example", type }] } }).emails?.map((one) => one.type)
const identity = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }

describe("the question", () => {
  it("is made of single values and asks for capitals and a minimum likelihood", () => {
    assert.deepStrictEqual(Person.question(identity), {
      first_name: "Mara",
      last_name: "Ellison",
      company: "nordvik-robotics.example",
      min_likelihood: "6",
      titlecase: "true"
    })
  })

  it("needs both names and the company: the vendor's minimum", () => {
    assert.isTrue(Person.accepts(identity))
    assert.isFalse(Person.accepts({ ...identity, first_name: null }))
    assert.isFalse(Person.accepts({ ...identity, last_name: " " }))
    assert.isFalse(Person.accepts({ ...identity, domain: null }))
  })
})

describe("the facts", () => {
  it("are those of the documented record", () => {
    assert.deepStrictEqual(read(hit.body), {
      first_name: "Mara",
      last_name: "Ellison",
      current_title: "Head Of Procurement",
      company_name: "Nordvik Robotics",
      company_domain: "nordvik-robotics.example",
      company_website: "nordvik-robotics.example",
      company_linkedin_url: "linkedin.com/company/nordvik-robotics",
      location: { city: "Oslo", country: "Norway" },
      emails: [
        { email: "mara.ellison@nordvik-robotics.example", type: "work", status: "unknown" },
        { email: "mara@example.net", type: "personal", status: "unknown" },
        { email: "m.ellison@old-harbour.example", type: "unknown", status: "unknown" },
        { email: "mx31@throwaway.example", type: "unknown", status: "unknown" }
      ],
      phones: [
        { number: "+12025550143", type: "mobile" },
        { number: "+12025550144", type: "unknown" },
        { number: "+12025550145", type: "unknown" }
      ],
      social_links: { linkedin_url: "linkedin.com/in/mara-ellison-example" },
      employment_history: [
        {
          company_name: "Nordvik Robotics",
          title: "Head Of Procurement",
          start_date: "2021-03",
          end_date: null,
          is_current: true,
          company_domain: "nordvik-robotics.example",
          company_linkedin_url: "linkedin.com/company/nordvik-robotics",
          department: "operations",
          description: null,
          company_city: "Oslo",
          company_country: "Norway"
        },
        {
          company_name: "Old Harbour",
          title: "Buyer",
          start_date: "2015",
          end_date: "2021-02-28",
          is_current: false,
          company_domain: "old-harbour.example",
          company_linkedin_url: null,
          department: null,
          description: "Bought cranes.",
          company_city: null,
          company_country: null
        },
        {
          company_name: "Harbour Museum",
          title: null,
          start_date: "2014-06",
          end_date: null,
          is_current: false,
          company_domain: null,
          company_linkedin_url: null,
          department: null,
          description: null,
          company_city: null,
          company_country: null
        }
      ],
      education: [{ school: "Example University", degree: "Masters", major: "Economics", start: "2008", end: "2013" }]
    })
  })

  it("an address is the current work address only where the vendor says so", () => {
    assert.deepStrictEqual(typesOf("current_professional"), ["work"])
    assert.deepStrictEqual(typesOf("Current_Professional"), ["work"])
    assert.deepStrictEqual(typesOf("professional"), ["unknown"])
    assert.deepStrictEqual(typesOf("personal"), ["personal"])
    assert.deepStrictEqual(typesOf("disposable"), ["unknown"])
    assert.deepStrictEqual(typesOf(null), ["unknown"])
  })

  it("likelihood is no confidence of an address", () => {
    assert.isTrue(read(hit.body).emails?.every((one) => one.confidence === undefined && one.status === "unknown"))
  })

  it("are null or empty where the plan puts a boolean, and existing capitals stay", () => {
    const facts = read(hidden.body)
    assert.strictEqual(facts.last_name, "O'Brien-Rossi")
    assert.deepStrictEqual(facts.emails, [])
    assert.deepStrictEqual(facts.phones, [])
    assert.deepStrictEqual(facts.education, [])
    assert.deepStrictEqual(facts.location, { city: null, country: "United States" })
    assert.strictEqual(facts.social_links, null)
  })

  it("dates keep their precision", () => {
    const dates = ["2015", "2021-02", "2021-02-28"].map(
      (start_date) => read({ data: { id: "x", experience: [{ start_date }] } }).employment_history?.[0]?.start_date
    )
    assert.deepStrictEqual(dates, ["2015", "2021-02", "2021-02-28"])
  })

  it("fit the domain's schema and survive JSON", () => {
    for (const body of [hit.body, hidden.body]) {
      const facts = read(body)
      Schema.decodeUnknownSync(PersonFacts)(facts)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts)
    }
  })

  it("fill no field that the source does not declare, and every one it does", () => {
    const filled = Object.entries(read(hit.body)).flatMap(([field, value]) => (value === null ? [] : field))
    assert.sameMembers(filled, [...Person.fields])
  })
})

describe("a wrong shape", () => {
  it("is an answer without data, or a record with neither id nor name", () => {
    assert.throws(() => decode({ status: 200, likelihood: 8 }))
    assert.throws(() => decode(hit.body.data))
    assert.throws(() => decode({ data: null }))
    assert.throws(() => decode({ data: {} }), /neither id nor name/)
    decode({ data: { id: "x" } })
  })

  it("is a field of another type", () => {
    assert.throws(() => decode({ data: { ...hit.body.data, work_email: 7 } }))
    assert.throws(() => decode({ data: { ...hit.body.data, experience: {} } }))
  })
})
