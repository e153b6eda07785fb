import { assert, describe, it } from "@effect/vitest"
import { PersonFacts } from "@lading/core/person"
import { Schema } from "effect"
import * as Person from "./Person.ts"
import hit from "./fixtures/found.json" with { type: "json" }
import misses from "./fixtures/misses.json" with { type: "json" }
import behind from "./fixtures/profile.json" with { type: "json" }

const found = Schema.decodeUnknownSync(Person.Found)
const profile = Schema.decodeUnknownSync(Person.Profile)

const addressed = (...result: ReadonlyArray<Record<string, unknown>>) =>
  found({ ...hit.body, data: [{ people: "Mara Ellison", result }] })

const statusOf = (address: Record<string, unknown>) =>
  Person.emails(addressed({ email: "mara.ellison@nordvik-robotics.example", ...address }))[0]?.status

const job = (company: string, site: string | null) => ({ companyName: company, position: `${company}'s`, site })

describe("Person", () => {
  it("says what both documented answers say, with the job at the domain that was asked about", () => {
    assert.deepStrictEqual(Person.facts(found(hit.body), profile(behind.body)), {
      first_name: "Mara",
      last_name: "Ellison",
      current_title: "Head of Procurement",
      company_name: "Nordvik Robotics",
      company_domain: "nordvik-robotics.example",
      company_website: "www.nordvik-robotics.example",
      company_linkedin_url: "https://www.linkedin.com/company/1234567",
      location: { city: "Oslo", country: "Norway" },
      emails: [
        { email: "mara.ellison@nordvik-robotics.example", type: "work", status: "valid" },
        { email: "mara@nordvik.example", type: "work", status: "catch_all" }
      ],
      social_links: { linkedin_url: "https://www.linkedin.com/in/mara-ellison-example/" },
      employment_history: [
        {
          company_name: "Fjell Board of Trade",
          title: "Member of the Board",
          start_date: "2022-01-31",
          end_date: null,
          is_current: true,
          company_domain: "fjell-board.example",
          company_linkedin_url: "https://www.linkedin.com/company/7654321",
          company_city: "Bergen",
          company_country: "Norway"
        },
        {
          company_name: "Nordvik Robotics",
          title: "Head of Procurement",
          start_date: "2021-03-31",
          end_date: null,
          is_current: true,
          company_domain: "nordvik-robotics.example",
          company_linkedin_url: "https://www.linkedin.com/company/1234567",
          company_city: "Oslo",
          company_country: "Norway"
        },
        {
          company_name: "Velham Freight",
          title: "Buyer",
          start_date: "2017-08-31",
          end_date: "2021-02-28",
          is_current: false,
          company_domain: null,
          company_linkedin_url: null,
          company_city: null,
          company_country: null
        }
      ]
    })
  })

  for (const [address, status] of [
    [{ smtp_status: "valid" }, "valid"],
    [{ smtp_status: "not_valid" }, "invalid"],
    [{ smtp_status: "unknown", unknown_status_reason: "catchall" }, "catch_all"],
    [{ smtp_status: "unknown", unknown_status_reason: "greylist" }, "unknown"],
    [{ smtp_status: "unknown" }, "unknown"],
    [{ smtp_status: "valid", is_disposable: true }, "invalid"],
    [{}, "unknown"]
  ] as const) {
    it(`reads ${JSON.stringify(address)} as ${status}`, () => assert.strictEqual(statusOf(address), status))
  }

  it("has each address once, and knows a web mailer's for a personal one", () => {
    assert.deepStrictEqual(
      Person.emails(
        addressed(
          { email: "mara@mail.example", is_webmail: true },
          { email: "Mara@Mail.example", smtp_status: "valid" },
          { email: " " }
        )
      ),
      [{ email: "mara@mail.example", type: "personal", status: "unknown" }]
    )
  })

  it("sees that somebody had an address removed", () => {
    assert.isTrue(Person.isHidden(addressed({ email: "a@b.example", unknown_status_reason: "hidden_by_owner" })))
    assert.isFalse(Person.isHidden(found(hit.body)))
  })

  it("takes title and company from no job at another company", () => {
    const facts = (...currentJobs: ReadonlyArray<unknown>) =>
      Person.facts(found(hit.body), profile({ id: 1, currentJobs }))
    const elsewhere = facts(job("Fjell", "fjell.example"))
    assert.deepStrictEqual([elsewhere.current_title, elsewhere.company_name], [null, null])
    assert.strictEqual(elsewhere.employment_history?.length, 1)
    const unsaid = facts(job("Fjell", "fjell.example"), job("Nordvik", null))
    assert.deepStrictEqual([unsaid.current_title, unsaid.company_domain], ["Nordvik's", null])
  })

  for (const [locality, city] of [
    ["Oslo, Norway", "Oslo"],
    ["Oslo, Oslo, norway", "Oslo"],
    ["Greater Oslo", null],
    ["Oslo, Viken", null],
    ["", null],
    [null, null]
  ] as const) {
    it(`knows ${JSON.stringify(locality)} for ${city}`, () => {
      const { location } = Person.facts(found(hit.body), profile({ id: 1, country: "Norway", locality }))
      assert.deepStrictEqual(location, { city, country: "Norway" })
    })
  }

  it("knows the addresses only where there is no profile", () => {
    const facts = Person.facts(found(hit.body), null)
    const filled = Object.entries(facts).filter(([, value]) => value !== null && JSON.stringify(value) !== "[]")
    assert.deepStrictEqual(
      filled.map(([field]) => field),
      ["emails"]
    )
  })

  it("finds nobody in an answer without id and name", () => {
    for (const body of misses.profile) assert.isNull(Person.somebody(profile(body)))
    assert.isNotNull(Person.somebody(profile(behind.body)))
    for (const body of misses.person) assert.isEmpty(Person.emails(found(body)))
  })

  it("fills no field that it does not declare, and every one that it does", () => {
    const facts = Person.facts(found(hit.body), profile(behind.body))
    Schema.decodeUnknownSync(PersonFacts)(facts)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts)
    assert.sameMembers(Object.keys(facts), [...Person.fields])
  })
})
