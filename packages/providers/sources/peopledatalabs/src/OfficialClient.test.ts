/**
 * The vendor's own client from npm, pointed at the simulator over real HTTP, gets the same as the adapter: the simulator
 * speaks what that client understands, and the adapter reads what it reads.
 */
import { assert, describe, it } from "@effect/vitest"
import { CompanyDirectory } from "@lading/core/company"
import { PersonDirectory } from "@lading/core/person"
import type { Directory, Source } from "@lading/core/waterfall"
import { Population, type Simulator } from "@lading/testing"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import PDLJS from "peopledatalabs"
import * as Company from "./Company.ts"
import * as CompanySearch from "./CompanySearch.ts"
import { make } from "./index.ts"
import * as Person from "./Person.ts"
import * as PersonSearch from "./PersonSearch.ts"
import { start } from "./simulator/index.ts"

/** The client takes keys of 64 characters only. */
const KEY = "official-client-".padEnd(64, "0")
const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make(KEY) }

const population = Population.standard
const companies = Array.from({ length: 24 }, (_, index) => population.company(index))
const people = companies.slice(0, 12).flatMap((company) => population.peopleOf(company).slice(0, 2))
/** What the adapter sends along with each question. */
const manner = { min_likelihood: 6, titlecase: true } as const

const both = Effect.gen(function* () {
  const simulator = yield* start({ credentials: [KEY] })
  const source = yield* make({ baseUrl: simulator.url })
  return { simulator, source, official: new PDLJS({ apiKey: KEY, basePath: `${simulator.url}/v5` }) }
}).pipe(Effect.provide(FetchHttpClient.layer))

/** The answer without what the client adds, `null` for its 404. */
const asked = (answer: () => Promise<object>): Effect.Effect<object | null> =>
  Effect.promise(async () => {
    try {
      const { rateLimit: _, ...body } = (await answer()) as { readonly rateLimit?: unknown }
      return body
    } catch (error) {
      assert.deepInclude(error, { status: 404 })
      return null
    }
  })

const rawOf = (outcome: Source.Outcome<unknown>): unknown => {
  assert(outcome._tag !== "Pending")
  return outcome._tag === "Hit" ? outcome.raw : null
}

const factsOf = (outcome: Source.Outcome<unknown>): unknown => (outcome._tag === "Hit" ? outcome.facts : null)

/** Path, method and the names of what was asked, where the key does not count: the client sends it in the query. */
const shape = ({ body, method, path, query }: Simulator.Call) => ({
  method,
  path,
  query: Object.fromEntries(Object.entries(query).filter(([name]) => name !== "api_key")),
  body
})

describe("the vendor's own client", () => {
  it.live("gets the same companies as the adapter, and the same misses", () =>
    Effect.gen(function* () {
      const { official, simulator, source } = yield* both
      let hits = 0
      for (const { domain, name } of [...companies, { domain: "nobody-knows-it.example", name: "Nobody Knows It" }]) {
        yield* simulator.reset
        const theirs = yield* asked(() => official.company.enrichment({ website: domain, name, ...manner }))
        const ours = yield* source.company!.call({ domain, name }, credential)
        assert.deepStrictEqual(rawOf(ours), theirs)
        assert.deepStrictEqual(
          factsOf(ours),
          theirs === null ? null : Company.facts(Schema.decodeUnknownSync(Company.Company)(theirs))
        )
        const [one, other] = yield* simulator.calls
        assert.deepStrictEqual(shape(other!), shape(one!))
        if (theirs !== null) hits += 1
      }
      assert.isTrue(hits > companies.length / 2 && hits < companies.length, `${hits} hits`)
    })
  )

  it.live("gets the same persons as the adapter, and the same misses", () =>
    Effect.gen(function* () {
      const { official, simulator, source } = yield* both
      const asking = people.map(({ company: { domain }, first_name, last_name }) => ({ first_name, last_name, domain }))
      let hits = 0
      for (const identity of [
        ...asking,
        { first_name: "Nobody", last_name: "Known", domain: "nordvik-robotics.example" }
      ]) {
        yield* simulator.reset
        const { domain, first_name, last_name } = identity
        const theirs = yield* asked(() =>
          official.person.enrichment({ first_name, last_name, company: domain, ...manner })
        )
        const ours = yield* source.person!.call(identity, credential)
        assert.deepStrictEqual(rawOf(ours), theirs)
        assert.deepStrictEqual(
          factsOf(ours),
          theirs === null ? null : Person.facts(Schema.decodeUnknownSync(Person.Person)(theirs))
        )
        const [one, other] = yield* simulator.calls
        assert.deepStrictEqual(shape(other!), shape(one!))
        if (theirs !== null) hits += 1
      }
      assert.isTrue(hits > people.length / 3 && hits < people.length, `${hits} hits`)
    })
  )

  it.live("finds the same companies as the adapter, page by page", () =>
    Effect.gen(function* () {
      const { official, source } = yield* both
      for (const query of ["robotics", "nobody has this name"]) {
        const filter = { ...CompanyDirectory.noFilter, query }
        const searchQuery = CompanySearch.query(filter)
        let cursor: string | null = null
        let scroll_token: string | null = null
        for (let page = 0; page < 3; page++) {
          const theirs = yield* asked(() =>
            official.company.search.elastic({
              searchQuery,
              size: 3,
              titlecase: true,
              ...(scroll_token === null ? {} : { scroll_token })
            })
          )
          const ours: Directory.Page<CompanyDirectory.CompanyHit> = yield* source.companyDirectory!.search(
            { filter, limit: 3, cursor },
            credential
          )
          const found = theirs as {
            readonly data: ReadonlyArray<unknown>
            readonly total: number
            readonly scroll_token: string
          } | null
          assert.deepStrictEqual(
            ours.hits.map(({ raw }) => raw),
            found?.data ?? []
          )
          if (page === 0) assert.strictEqual(ours.total, found?.total ?? 0)
          if (ours.next === null) break
          cursor = ours.next
          scroll_token = found!.scroll_token
        }
      }
    })
  )

  it.live("finds the same people as the adapter", () =>
    Effect.gen(function* () {
      const { official, source } = yield* both
      for (const company_domain of ["orchardine-textiles.example", "nobody.example"]) {
        const filter = { ...PersonDirectory.noFilter, company_domain }
        const searchQuery = PersonSearch.query(filter)
        const theirs = yield* asked(() => official.person.search.elastic({ searchQuery, size: 10, titlecase: true }))
        const ours = yield* source.personDirectory!.search({ filter, limit: 10, cursor: null }, credential)
        assert.deepStrictEqual(
          ours.hits.map(({ raw }) => raw),
          (theirs as { readonly data: ReadonlyArray<unknown> } | null)?.data ?? []
        )
      }
    })
  )
})
