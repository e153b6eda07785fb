/** The two searches over real HTTP, against a server that says what the fixtures say. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyDirectory } from "@lading/core/company"
import { PersonDirectory } from "@lading/core/person"
import { Directory, type Source } from "@lading/core/waterfall"
import { Simulator } from "@lading/testing"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import companySearch from "./fixtures/company-search.json" with { type: "json" }
import miss from "./fixtures/miss.json" with { type: "json" }
import personSearch from "./fixtures/person-search.json" with { type: "json" }
import { make } from "./index.ts"
import { dialect } from "./simulator/index.ts"

const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make("pdl-key-0123456789-0123456789") }
const companies = CompanyDirectory.noFilter
const people = PersonDirectory.noFilter

const saying = Effect.fnUntraced(function* (reply: Simulator.Reply) {
  const vendor = yield* Simulator.make({ ...dialect, answer: () => reply })
  const source = yield* make({ baseUrl: vendor.url }).pipe(Effect.provide(FetchHttpClient.layer))
  return { vendor, companies: source.companyDirectory!, people: source.personDirectory! }
})

describe("search for companies", () => {
  it.live("asks with one query, every filter a clause of it", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(companySearch)
      const filter = {
        ...companies,
        query: "Nordvik Robotics",
        domains: ["Nordvik-Robotics.example"],
        countries: ["NO"],
        industries: ["Industrial Automation"],
        employee_range: { min: 11, max: null },
        founded_range: { min: 1990, max: 2020 }
      }
      yield* directory.search({ filter, limit: 25, cursor: null }, key)
      const [call] = yield* vendor.calls
      assert.strictEqual(`${call?.method} ${call?.path}`, "POST /v5/company/search")
      assert.deepStrictEqual(call?.body, {
        query: {
          bool: {
            must: [
              { match: { "name.text": "nordvik" } },
              { match: { "name.text": "robotics" } },
              { terms: { website: ["nordvik-robotics.example"] } },
              { terms: { "location.country": ["norway"] } },
              {
                bool: {
                  should: [
                    { terms: { industry: ["industrial automation"] } },
                    { terms: { industry_v2: ["industrial automation"] } }
                  ]
                }
              },
              { range: { employee_count: { gte: 11 } } },
              { range: { founded: { gte: "1990", lte: "2020" } } }
            ]
          }
        },
        size: 25,
        titlecase: true
      })
    })
  )

  it.live("asks for a country by every name that it has", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(companySearch)
      yield* directory.search({ filter: { ...companies, countries: ["US", "KR"] }, limit: 1, cursor: null }, key)
      const told = JSON.stringify((yield* vendor.calls)[0]?.body)
      for (const name of ["united states", "united states of america", "south korea"]) {
        assert.include(told, `"${name}"`)
      }
      assert.isFalse(directory.accepts({ ...companies, countries: ["XX"] }))
    })
  )

  it.live("reads whole records, without what the plan hides, and goes on with the vendor's token", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(companySearch)
      const search = { filter: { ...companies, query: "o" }, limit: 2, cursor: null }
      const { hits, next, total } = yield* directory.search(search, key)
      assert.deepStrictEqual(
        hits.map(({ facts, id }) => [id, facts.name, facts.founded_year, facts.annual_revenue]),
        [
          ["tnHcNHbCv8MKeLh92946LAkX6PKg", "Nordvik Robotics", 2012, null],
          ["bbbbNHbCv8MKeLh92946LAkX6PKg", "Tallgrass Freight", null, null]
        ]
      )
      assert.deepStrictEqual(
        hits.map(({ raw }) => raw),
        companySearch.body.data
      )
      assert.strictEqual(total, 99)
      yield* directory.search({ ...search, cursor: next }, key)
      assert.deepInclude((yield* vendor.calls)[1]?.body, { scroll_token: "1117$12.176522", size: 2 })
    })
  )

  it.live("ends where all were shown, where there is no token, and where the vendor has no more", () =>
    Effect.gen(function* () {
      const search = { filter: { ...companies, query: "o" }, limit: 2, cursor: null }
      const { body } = companySearch
      for (const [reply, hits] of [
        [{ status: 200, body: { ...body, total: 2 } }, 2],
        [{ status: 200, body: { ...body, scroll_token: undefined } }, 2],
        [{ status: 200, body: { ...body, data: [] } }, 0],
        [miss, 0]
      ] as const) {
        const { companies: directory } = yield* saying(reply)
        const page = yield* directory.search(search, key)
        assert.deepStrictEqual([page.hits.length, page.next], [hits, null])
      }
    })
  )

  it.live("has no filter for technologies, and none for a name without a word", () =>
    Effect.gen(function* () {
      const { companies: directory } = yield* saying(companySearch)
      assert.isFalse(directory.accepts({ ...companies, technologies: ["nginx"] }))
      assert.isFalse(directory.accepts({ ...companies, query: "&&" }))
    })
  )

  it.live("refuses a cursor with a position that is not its own", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(companySearch)
      const search = { filter: { ...companies, query: "o" }, limit: 2 }
      for (const position of ["", "7", "[1]", '["a","b"]', "{}"]) {
        const crafted = { ...search, cursor: Directory.cursor("peopledatalabs", search, position) }
        assert.strictEqual((yield* Effect.flip(directory.search(crafted, key)))._tag, "InvalidInput")
      }
      assert.isEmpty(yield* vendor.calls)
    })
  )
})

describe("search for people", () => {
  it.live("asks with one query, our classes in the vendor's words", () =>
    Effect.gen(function* () {
      const { people: directory, vendor } = yield* saying(personSearch)
      const filter = {
        company_domain: "nordvik-robotics.example",
        titles: ["Head of Procurement", "buyer"],
        seniorities: ["c_level", "junior"] as const,
        departments: ["hr", "design"] as const,
        countries: ["NO"]
      }
      yield* directory.search({ filter, limit: 1_000, cursor: null }, key)
      const [call] = yield* vendor.calls
      assert.strictEqual(`${call?.method} ${call?.path}`, "POST /v5/person/search")
      assert.deepStrictEqual(call?.body, {
        query: {
          bool: {
            must: [
              { terms: { job_company_website: ["nordvik-robotics.example"] } },
              {
                bool: {
                  should: [
                    { match_phrase: { job_title: "head of procurement" } },
                    { match_phrase: { job_title: "buyer" } }
                  ]
                }
              },
              { terms: { job_title_levels: ["cxo", "entry"] } },
              { terms: { job_title_role: ["human_resources", "creative"] } },
              { terms: { location_country: ["norway"] } }
            ]
          }
        },
        size: 100,
        titlecase: true
      })
    })
  )

  it.live("reads a record with its level and its role, and nothing where the plan hides it", () =>
    Effect.gen(function* () {
      const { people: directory } = yield* saying(personSearch)
      const { hits, next } = yield* directory.search(
        { filter: { ...people, titles: ["o"] }, limit: 1, cursor: null },
        key
      )
      assert.strictEqual(hits.length, 1)
      const [{ facts, ...hit }] = hits as [PersonDirectory.PersonHit]
      assert.deepStrictEqual(hit, {
        source: "peopledatalabs",
        id: "qEnOZ5Oh0poWnQ1luFBfVw_0000",
        last_name_hint: null,
        seniority: "director",
        department: "operations",
        raw: personSearch.body.data[0]
      })
      assert.deepInclude(facts, { last_name: "Ellison", current_title: "Head Of Procurement", emails: [] })
      assert.isNull(next)
    })
  )

  it.live("cannot ask for classes that the vendor does not have, or for a title without a word", () =>
    Effect.gen(function* () {
      const { people: directory } = yield* saying(personSearch)
      for (const seniority of ["founder", "head"] as const) {
        assert.isFalse(directory.accepts({ ...people, seniorities: ["vp", seniority] }))
      }
      for (const department of ["executive", "it", "communication"] as const) {
        assert.isFalse(directory.accepts({ ...people, departments: [department] }))
      }
      assert.isFalse(directory.accepts({ ...people, titles: ["buyer", " - "] }))
    })
  )

  it.live("what the vendor charged is told to the span of the call", () =>
    Effect.gen(function* () {
      const { people: directory } = yield* saying(personSearch)
      yield* directory.search({ filter: { ...people, titles: ["o"] }, limit: 1, cursor: null }, key)
      const span = yield* Effect.currentSpan
      assert.strictEqual(span.attributes.get("peopledatalabs.credits_spent"), "1")
    }).pipe(Effect.withSpan("search"))
  )
})
