/** The two searches over real HTTP, against a server that says what the fixtures say. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyDirectory } from "@lading/core/company"
import { PersonDirectory } from "@lading/core/person"
import { Directory, type Source } from "@lading/core/waterfall"
import { Simulator } from "@lading/testing"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Hunter from "./index.ts"
import discover from "./fixtures/discover.json" with { type: "json" }
import domainSearch from "./fixtures/domain-search.json" with { type: "json" }
import * as Dialect from "./simulator/Dialect.ts"

const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make("hunter-test-key-4711") }
const companies = CompanyDirectory.noFilter
const people = { ...PersonDirectory.noFilter, company_domain: "nordvik-robotics.example" }

const saying = Effect.fnUntraced(function* (reply: Simulator.Reply) {
  const vendor = yield* Simulator.make(Dialect.make(() => reply))
  const source = yield* Hunter.make({ baseUrl: vendor.url }).pipe(Effect.provide(FetchHttpClient.layer))
  return { vendor, companies: source.companyDirectory!, people: source.personDirectory! }
})

/** The search from that position on. */
const at = <Filter>(filter: Filter, limit: number, offset: number | string): Directory.Search<Filter> => ({
  filter,
  limit,
  cursor: Directory.cursor("hunter", { filter, limit }, offset)
})

describe("Hunter, search for companies", () => {
  it.live("sends every filter in Hunter's words, and nothing of what is not asked for", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(discover)
      const filter = {
        ...companies,
        query: "nordvik",
        countries: ["NO", "SE"],
        industries: ["Machinery"],
        technologies: ["nginx"],
        employee_range: { min: 40, max: 250 },
        founded_range: { min: 1980, max: null }
      }
      yield* directory.search({ filter, limit: 10, cursor: null }, key)
      yield* directory.search({ filter: { ...companies, domains: ["a.example"] }, limit: 10, cursor: null }, key)
      assert.deepStrictEqual(
        (yield* vendor.calls).map(({ body, method, path }) => ({ body, method, path })),
        [
          {
            method: "POST",
            path: "/v2/discover",
            body: {
              organization: { name: ["nordvik"] },
              headquarters_location: { include: [{ country: "NO" }, { country: "SE" }] },
              industry: { include: ["Machinery"] },
              technology: { match: "any", include: ["nginx"] },
              headcount: ["11-50", "51-200", "201-500"],
              year_founded: { from: 1980 }
            }
          },
          { method: "POST", path: "/v2/discover", body: { organization: { domain: ["a.example"] } } }
        ]
      )
    })
  )

  it.live("asks for every class of head count that a range touches", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(discover)
      for (const employee_range of [
        { min: null, max: 11 },
        { min: 10_000, max: null },
        { min: 51, max: 51 }
      ]) {
        yield* directory.search({ filter: { ...companies, employee_range }, limit: 1, cursor: null }, key)
      }
      assert.deepStrictEqual(
        (yield* vendor.calls).map(({ body }) => body),
        [{ headcount: ["1-10", "11-50"] }, { headcount: ["5001-10000", "10001+"] }, { headcount: ["51-200"] }]
      )
    })
  )

  it.live("reads domain and name, and cuts the first page here, since limit and offset want a paying plan", () =>
    Effect.gen(function* () {
      const { companies: directory, vendor } = yield* saying(discover)
      const filter = { ...companies, countries: ["NO"] }
      const first = yield* directory.search({ filter, limit: 2, cursor: null }, key)
      assert.deepStrictEqual(first.hits, [
        {
          source: "hunter",
          id: "nordvik-robotics.example",
          facts: { name: "Nordvik Robotics", primary_domain: "nordvik-robotics.example" },
          raw: discover.body.data[0]
        },
        {
          source: "hunter",
          id: "velham-freight.example",
          facts: { name: null, primary_domain: "velham-freight.example" },
          raw: discover.body.data[1]
        }
      ])
      assert.strictEqual(first.total, 3)
      const second = yield* directory.search({ filter, limit: 2, cursor: first.next }, key)
      assert.deepStrictEqual(
        second.hits.map(({ id }) => id),
        ["halvern-foods.example"]
      )
      assert.isNull(second.next)
      for (const { body } of yield* vendor.calls) assert.doesNotHaveAnyKeys(body, ["limit", "offset"])
    })
  )

  it.live("asks for what is beyond the first hundred with limit and offset, up to 10,000", () =>
    Effect.gen(function* () {
      const filter = { ...companies, countries: ["NO"] }
      const meta = { ...discover.body.meta, results: 50_000 }
      const { companies: directory, vendor } = yield* saying({ status: 200, body: { ...discover.body, meta } })
      const page = yield* directory.search(at(filter, 30, 90), key)
      assert.deepInclude((yield* vendor.calls)[0]?.body, { limit: 30, offset: 90 })
      assert.strictEqual(page.hits.length, 3)
      assert.isNotNull(page.next)
      assert.isNull((yield* directory.search(at(filter, 30, 9_990), key)).next)
      for (const offset of [10_001, -1, 0.5, "x"]) {
        assert.strictEqual((yield* Effect.flip(directory.search(at(filter, 30, offset), key)))._tag, "InvalidInput")
      }
    })
  )

  it.live("does not ask for names and domains together", () =>
    Effect.gen(function* () {
      const { companies: directory } = yield* saying(discover)
      assert.isFalse(directory.accepts({ ...companies, query: "nordvik", domains: ["a.example"] }))
    })
  )

  it.live("a plan without Discover is Unauthorized, a word that is not on its lists InvalidInput", () =>
    Effect.gen(function* () {
      for (const [status, id, tag] of [
        [403, "no_discover_access", "Unauthorized"],
        [400, "invalid_industry", "InvalidInput"],
        [400, "pagination_error", "InvalidInput"]
      ] as const) {
        const { companies: directory } = yield* saying(Dialect.refusal(status, id, "Not so."))
        const search = { filter: { ...companies, industries: ["x"] }, limit: 1, cursor: null }
        assert.strictEqual((yield* Effect.flip(directory.search(search, key)))._tag, tag)
      }
    })
  )
})

describe("Hunter, search for people", () => {
  it.live("asks with GET for a domain, with every filter in Hunter's words", () =>
    Effect.gen(function* () {
      const { people: directory, vendor } = yield* saying(domainSearch)
      const filter = {
        ...people,
        titles: ["head of procurement", "buyer"],
        seniorities: ["c_level", "vp", "junior"] as const,
        departments: ["operations", "hr"] as const
      }
      yield* directory.search({ filter, limit: 3, cursor: null }, key)
      yield* directory.search(at(people, 1_000, 100), key)
      const calls = yield* vendor.calls
      assert.deepStrictEqual(
        calls.map(({ body, method, path, query }) => ({ body, method, path, query })),
        [
          {
            method: "GET",
            path: "/v2/domain-search",
            query: {
              domain: "nordvik-robotics.example",
              type: "personal",
              limit: "3",
              job_titles: "head of procurement,buyer",
              seniority: "executive,junior",
              department: "operations,hr"
            },
            body: null
          },
          {
            method: "GET",
            path: "/v2/domain-search",
            query: { domain: "nordvik-robotics.example", type: "personal", limit: "100", offset: "100" },
            body: null
          }
        ]
      )
    })
  )

  it.live("asks with POST where a place is asked for", () =>
    Effect.gen(function* () {
      const { people: directory, vendor } = yield* saying(domainSearch)
      yield* directory.search(at({ ...people, countries: ["NO"] }, 5, 10), key)
      const [call] = yield* vendor.calls
      assert.strictEqual(call?.method, "POST")
      assert.deepStrictEqual(call?.body, {
        domain: "nordvik-robotics.example",
        type: "personal",
        limit: 5,
        offset: 10,
        location: { include: [{ country: "NO" }] }
      })
    })
  )

  it.live("reads people with their addresses, and no mailbox of nobody's", () =>
    Effect.gen(function* () {
      const { people: directory } = yield* saying(domainSearch)
      const { hits, next, total } = yield* directory.search({ filter: people, limit: 3, cursor: null }, key)
      assert.deepStrictEqual(hits, [
        {
          source: "hunter",
          id: "mara.ellison@nordvik-robotics.example",
          facts: {
            first_name: "Mara",
            last_name: "Ellison",
            current_title: "Head of Procurement",
            company_name: "Nordvik Robotics",
            company_domain: "nordvik-robotics.example",
            emails: [{ email: "mara.ellison@nordvik-robotics.example", type: "work", status: "valid", confidence: 94 }],
            phones: [{ number: "+1 202-555-0143", type: "unknown" }],
            social_links: { linkedin_url: "https://www.linkedin.com/in/mara-ellison-example" }
          },
          last_name_hint: null,
          seniority: "senior",
          department: "operations",
          raw: domainSearch.body.data.emails[0]
        },
        {
          source: "hunter",
          id: "t.abernale@nordvik-robotics.example",
          facts: {
            first_name: null,
            last_name: null,
            current_title: null,
            company_name: "Nordvik Robotics",
            company_domain: "nordvik-robotics.example",
            emails: [{ email: "t.abernale@nordvik-robotics.example", type: "work", status: "unknown", confidence: 40 }],
            phones: [],
            social_links: null
          },
          last_name_hint: null,
          seniority: null,
          department: null,
          raw: domainSearch.body.data.emails[1]
        }
      ])
      assert.strictEqual(total, 35)
      assert.isNotNull(next)
    })
  )

  it.live("cannot ask without a domain, for a department that Hunter does not have, or for a title with a comma", () =>
    Effect.gen(function* () {
      const { people: directory } = yield* saying(domainSearch)
      assert.isTrue(directory.accepts(people))
      assert.isFalse(directory.accepts({ ...people, company_domain: null, titles: ["buyer"] }))
      assert.isFalse(directory.accepts({ ...people, departments: ["engineering"] }))
      assert.isFalse(directory.accepts({ ...people, titles: ["Head of Procurement, Nordics"] }))
    })
  )
})
