/** The two searches over real HTTP, against a server that says what the fixtures say. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyDirectory } from "@lading/core/company"
import { PersonDirectory } from "@lading/core/person"
import { Directory, type Source } from "@lading/core/waterfall"
import { Simulator } from "@lading/testing"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Apollo from "./index.ts"
import companySearch from "./fixtures/company-search.json" with { type: "json" }
import personSearch from "./fixtures/person-search.json" with { type: "json" }
import * as Dialect from "./simulator/Dialect.ts"

const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make("apollo-test-key-4711") }
const companies = CompanyDirectory.noFilter
const people = PersonDirectory.noFilter

const saying = Effect.fnUntraced(function* (reply: Simulator.Reply) {
  const vendor = yield* Simulator.make(Dialect.make(() => reply))
  const source = yield* Apollo.make({ baseUrl: vendor.url }).pipe(Effect.provide(FetchHttpClient.layer))
  return { vendor, companies: source.companyDirectory!, people: source.personDirectory! }
})

describe("Apollo, search for companies", () => {
  it.live("sends every filter in Apollo's words, and nothing of what is not asked for", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(companySearch)
      const filter = {
        query: "robotics",
        domains: ["nordvik-robotics.example"],
        countries: ["US", "HK"],
        industries: ["machinery"],
        technologies: ["Google Analytics", "Node.js"],
        employee_range: { min: 11, max: null },
        founded_range: null
      }
      yield* directory.search({ filter, limit: 25, cursor: null }, key)
      const least = { ...companies, employee_range: { min: null, max: 50 } }
      yield* directory.search({ filter: least, limit: 1000, cursor: null }, key)
      const calls = yield* vendor.calls
      assert.deepStrictEqual(
        calls.map(({ body, method, path, query }) => ({ body, method, path, query })),
        [
          {
            method: "POST",
            path: "/api/v1/mixed_companies/search",
            query: {},
            body: {
              q_organization_name: "robotics",
              q_organization_domains_list: ["nordvik-robotics.example"],
              organization_locations: ["United States", "Hong Kong"],
              q_organization_keyword_tags: ["machinery"],
              currently_using_any_of_technology_uids: ["google_analytics", "node_js"],
              organization_num_employees_ranges: ["11,10000000"],
              page: 1,
              per_page: 25
            }
          },
          {
            method: "POST",
            path: "/api/v1/mixed_companies/search",
            query: {},
            body: { organization_num_employees_ranges: ["1,50"], page: 1, per_page: 100 }
          }
        ]
      )
    })
  )

  it.live("reads accounts and organizations alike, an account by its organization's id and its domain", () =>
    Effect.gen(function* () {
      const { companies: directory } = yield* saying(companySearch)
      const search = { filter: { ...companies, query: "o" }, limit: 2, cursor: null }
      const { hits, next, total } = yield* directory.search(search, key)
      assert.deepStrictEqual(
        hits.map(({ facts, id, source }) => [source, id, facts.name, facts.primary_domain, facts.founded_year]),
        [
          ["apollo", "5e00000000000000000000aa", "Nordvik Robotics", "nordvik-robotics.example", 2012],
          ["apollo", "5e00000000000000000000ab", "Velham Freight", "velham-freight.example", 1998]
        ]
      )
      assert.deepStrictEqual(
        hits.map(({ raw }) => raw),
        [companySearch.body.accounts[0], companySearch.body.organizations[0]]
      )
      assert.strictEqual(total, 5)
      assert.strictEqual(yield* Directory.position("apollo", { ...search, cursor: next }), "2")
    })
  )

  it.live("goes on to the page that the cursor names, and ends with the last one or the 500th", () =>
    Effect.gen(function* () {
      const search = { filter: { ...companies, query: "o" }, limit: 2, cursor: null }
      const at = (page: number) => ({ ...search, cursor: Directory.cursor("apollo", search, page) })
      const { companies: few, vendor } = yield* saying(companySearch)
      assert.isNull((yield* few.search(at(3), key)).next)
      assert.deepInclude((yield* vendor.calls)[0]?.body, { page: 3, per_page: 2 })
      const pagination = { page: 1, per_page: 2, total_entries: 2_000, total_pages: 1_000 }
      const { companies: many } = yield* saying({ status: 200, body: { ...companySearch.body, pagination } })
      assert.isNotNull((yield* many.search(at(499), key)).next)
      assert.isNull((yield* many.search(at(500), key)).next)
      for (const page of ["501", "0", "1.5", "two"]) {
        const crafted = { ...search, cursor: Directory.cursor("apollo", search, page) }
        assert.strictEqual((yield* Effect.flip(many.search(crafted, key)))._tag, "InvalidInput")
      }
    })
  )

  it.live("has no filter for founding years, and none for what is no country", () =>
    Effect.gen(function* () {
      const { companies: directory } = yield* saying(companySearch)
      assert.isFalse(directory.accepts({ ...companies, query: "o", founded_range: { min: 2000, max: null } }))
      assert.isFalse(directory.accepts({ ...companies, countries: ["NO", "XX"] }))
    })
  )

  it.live("takes an answer without its lists or its pagination for another shape, and one about credits for that", () =>
    Effect.gen(function* () {
      const search = { filter: { ...companies, query: "o" }, limit: 2, cursor: null }
      for (const [body, tag] of [
        [{ ...companySearch.body, organizations: null }, "InvalidResponse"],
        [{ ...companySearch.body, pagination: undefined }, "InvalidResponse"],
        [{ ...companySearch.body, accounts: [{ industry: "freight" }] }, "InvalidResponse"],
        [{ error: "You have used all of your credits." }, "QuotaExhausted"]
      ] as const) {
        const { companies: directory } = yield* saying({ status: 200, body })
        assert.strictEqual((yield* Effect.flip(directory.search(search, key)))._tag, tag)
      }
    })
  )
})

describe("Apollo, search for people", () => {
  it.live("sends every filter in Apollo's words", () =>
    Effect.gen(function* () {
      const { people: directory, vendor } = yield* saying(personSearch)
      const filter = {
        ...people,
        company_domain: "nordvik-robotics.example",
        titles: ["head of procurement"],
        seniorities: ["c_level", "junior", "head"] as const,
        countries: ["NO"]
      }
      yield* directory.search({ filter, limit: 10, cursor: null }, key)
      const [call] = yield* vendor.calls
      assert.strictEqual(call?.path, "/api/v1/mixed_people/api_search")
      assert.deepStrictEqual(call?.body, {
        q_organization_domains_list: ["nordvik-robotics.example"],
        person_titles: ["head of procurement"],
        person_seniorities: ["c_suite", "entry", "head"],
        person_locations: ["Norway"],
        page: 1,
        per_page: 10
      })
    })
  )

  it.live("says what is shown of a last name, and gives it for none", () =>
    Effect.gen(function* () {
      const { people: directory } = yield* saying(personSearch)
      const search = { filter: { ...people, titles: ["buyer"] }, limit: 2, cursor: null }
      const { hits, next, total } = yield* directory.search(search, key)
      assert.deepStrictEqual(hits, [
        {
          source: "apollo",
          id: "65aa00000000000000000001",
          facts: {
            first_name: "Mara",
            last_name: null,
            current_title: "Head of Procurement",
            company_name: "Nordvik Robotics"
          },
          last_name_hint: "El***n",
          seniority: null,
          department: null,
          raw: personSearch.body.people[0]
        },
        {
          source: "apollo",
          id: "65aa00000000000000000002",
          facts: { first_name: "Tom", last_name: null, current_title: null, company_name: null },
          last_name_hint: null,
          seniority: null,
          department: null,
          raw: personSearch.body.people[1]
        }
      ])
      assert.strictEqual(total, 3)
      assert.isNotNull(next)
    })
  )

  it.live("has no filter for departments", () =>
    Effect.gen(function* () {
      const { people: directory } = yield* saying(personSearch)
      assert.isFalse(directory.accepts({ ...people, company_domain: "a.example", departments: ["sales"] }))
    })
  )
})
