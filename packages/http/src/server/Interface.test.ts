/**
 * The interface, field by field: parts 2.7, 2.8, 4.6 and 4.7 as tables of a path and a type, held against real answers
 * of a server whose sources are two adapters over HTTP in front of their vendors' simulators.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Hunter from "@lading/hunter"
import { start as startHunter } from "@lading/hunter/simulator"
import * as PeopleDataLabs from "@lading/peopledatalabs"
import { start as startPeopleDataLabs } from "@lading/peopledatalabs/simulator"
import type { Slots } from "@lading/core/waterfall"
import { Population } from "@lading/testing"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as TestServer from "../fixtures/TestServer.ts"

const { standard } = Population

type Type = (value: unknown) => boolean

const string: Type = (value) => typeof value === "string"
const number: Type = (value) => typeof value === "number" && Number.isFinite(value)
const integer: Type = Number.isInteger
const boolean: Type = (value) => typeof value === "boolean"
const nothing: Type = (value) => value === null
const object: Type = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
const empty: Type = (value) => object(value) && Object.keys(value as object).length === 0
const month: Type = (value) => typeof value === "string" && /^\d{4}-\d{2}$/.test(value)
const source: Type = (value) => typeof value === "string" && /^(request|provider_[a-d])$/.test(value)
const orNull =
  (type: Type): Type =>
  (value) =>
    value === null || type(value)
const arrayOf =
  (type: Type): Type =>
  (value) =>
    Array.isArray(value) && value.every(type)
const values =
  (type: Type): Type =>
  (value) =>
    object(value) && Object.values(value as object).every(type)
const fields =
  (table: Readonly<Record<string, Type>>): Type =>
  (value) =>
    object(value) && Object.entries(table).every(([name, type]) => type((value as Record<string, unknown>)[name]))
const is =
  (expected: unknown): Type =>
  (value) =>
    value === expected

const skip = fields({ source, reason: string })

/** 2.7 and 4.7 */
const company: Readonly<Record<string, Type>> = {
  success: is(true),
  request_id: (value) => string(value) && /^req_[\w-]{20,}$/.test(String(value)),
  error: nothing,
  "company.input.domain": string,
  "company.input.name": string,
  "company.domain": string,
  "company.name": string,
  "company.profile.name": string,
  "company.profile.primary_domain": string,
  "company.profile.website_url": string,
  "company.profile.industries": arrayOf(string),
  "company.profile.description": string,
  "company.profile.founded_year": integer,
  "company.profile.estimated_employee_count": integer,
  "company.profile.annual_revenue": orNull(number),
  "company.profile.total_funding": orNull(number),
  "company.profile.phones": arrayOf(string),
  "company.profile.hq": object,
  "company.profile.hq.full_address": orNull(string),
  "company.profile.hq.city": string,
  "company.profile.hq.state": orNull(string),
  "company.profile.hq.postal_code": orNull(string),
  "company.profile.hq.country": string,
  "company.profile.hq.country_code": orNull(string),
  "company.profile.social_links": object,
  "company.profile.social_links.linkedin_url": orNull(string),
  "company.profile.social_links.twitter_url": orNull(string),
  "company.profile.social_links.facebook_url": orNull(string),
  "company.profile.social_links.crunchbase_url": orNull(string),
  "company.profile.social_links.instagram_url": orNull(string),
  "company.profile.technologies": arrayOf(string),
  "company.profile.keywords": arrayOf(string),
  "company.profile.emails": arrayOf(string),
  "company.field_sources": values(source),
  "company.provider_raw": empty,
  "company.customs": nothing,
  "meta.billing.credits_charged": number,
  "meta.billing.byok_used": boolean,
  "meta.billing.platform_credits_charged": number,
  "meta.waterfall.mode": is("aggregate"),
  "meta.waterfall.sources_attempted": arrayOf(source),
  "meta.waterfall.sources_skipped": arrayOf(skip),
  "meta.waterfall.total_latency_ms": integer
}

/** 2.8 and 4.6 */
const person: Readonly<Record<string, Type>> = {
  success: is(true),
  status: is("completed"),
  request_id: (value) => string(value) && /^req_[\w-]{20,}$/.test(String(value)),
  "person.first_name": string,
  "person.last_name": string,
  "person.current_title": string,
  "person.company_name": string,
  "person.company_domain": string,
  "person.company_website": string,
  "person.company_linkedin_url": orNull(string),
  "person.location.city": string,
  "person.location.country": string,
  "person.location.country_code": string,
  "person.emails": arrayOf(
    fields({ email: string, type: string, status: string, sources: arrayOf(source), confidence: orNull(number) })
  ),
  "person.phones": arrayOf(fields({ number: string, type: string })),
  "person.social_links.linkedin_url": string,
  "person.employment_history": arrayOf(
    fields({
      company_name: string,
      title: string,
      start_date: month,
      end_date: orNull(month),
      is_current: boolean,
      company_linkedin_url: orNull(string),
      department: orNull(string),
      description: orNull(string),
      company_city: orNull(string),
      company_country_code: orNull(string)
    })
  ),
  "person.education": arrayOf(fields({ school: string, degree: string, major: string, start: integer, end: integer })),
  "meta.field_sources": values(source),
  "meta.billing.total_credits_charged": number,
  "meta.billing.platform_credits_charged": number,
  "meta.billing.byok_used": boolean,
  "meta.billing.breakdown": arrayOf(fields({ source, credits: number })),
  "meta.waterfall.mode": is("first_match"),
  "meta.waterfall.all_fields_filled": boolean,
  "meta.waterfall.total_latency_ms": integer,
  "meta.waterfall.async_pending": is(false),
  "meta.waterfall.sources_attempted": arrayOf(source),
  "meta.waterfall.sources_skipped": arrayOf(skip)
}

const at = (body: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)

/** The paths whose value has another type than the table says. */
const wrong = (body: unknown, table: Readonly<Record<string, Type>>) =>
  Object.entries(table).flatMap(([path, type]) =>
    type(at(body, path)) ? [] : [`${path}: ${JSON.stringify(at(body, path))}`]
  )

/** The paths that never have the type of the table, or once have another one that is not `null` (unknown) either. */
const everWrong = (bodies: ReadonlyArray<unknown>, table: Readonly<Record<string, Type>>) =>
  Object.entries(table).flatMap(([path, type]) => {
    const found = bodies.map((body) => at(body, path))
    return found.some(type) && found.every(orNull(type)) ? [] : [path]
  })

/** Four slots as they are by default: two without an adapter, Hunter, and People Data Labs with the caller's key only. */
const server = Effect.gen(function* () {
  const hunter = yield* startHunter()
  const pdl = yield* startPeopleDataLabs()
  const slots: ReadonlyArray<Slots.Slot> = [
    { name: "provider_a", source: null, credential: null, byokOnly: false },
    { name: "provider_b", source: null, credential: null, byokOnly: false },
    {
      name: "provider_c",
      source: yield* Hunter.make({ baseUrl: hunter.url }),
      credential: { _tag: "ApiKey", key: Redacted.make("platform-key") },
      byokOnly: false
    },
    {
      name: "provider_d",
      source: yield* PeopleDataLabs.make({ baseUrl: pdl.url }),
      credential: null,
      byokOnly: true
    }
  ]
  return yield* TestServer.make({ slots })
}).pipe(Effect.provide(FetchHttpClient.layer))

const order = ["provider_a", "provider_b", "provider_c", "provider_d"]
const waterfall = { mode: "aggregate", source_order: order, byok: { provider_d_api_key: "own-key" } }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }

describe("Every field of the interface, with its type", () => {
  it.live("a company (2.7, 4.7)", () =>
    Effect.gen(function* () {
      const { send } = yield* server
      const identity = { domains: ["nordvik-robotics.example"], names: ["Nordvik Robotics"] }
      const request = { identity, waterfall, include_customs: false, response: { include_provider_raw: false } }
      const sent = yield* Effect.promise(() => send("/api/company/enrich", { body: request }))
      assert.strictEqual(sent.status, 200)
      assert.deepStrictEqual(wrong(sent.body, company), [])
      assert.deepStrictEqual(sent.body.meta.waterfall.sources_attempted, ["provider_c", "provider_d"])
      assert.deepStrictEqual(sent.body.company.input, { domain: identity.domains[0], name: identity.names[0] })
    })
  )

  it.live("a person (2.8, 4.6)", () =>
    Effect.gen(function* () {
      const { send } = yield* server
      // One source alone, since another that knows less leaves nulls inside the entries of a list.
      const alone = { ...waterfall, mode: "first_match", source_order: ["provider_d"] }
      const named = standard.peopleOf(standard.company(0)).slice(0, 12)
      const sent = yield* Effect.forEach(named, ({ first_name, last_name, company: { domain } }) => {
        const body = { identity: { first_name, last_name, domain }, waterfall: alone }
        return Effect.promise(() => send("/api/people/enrich", { body }))
      })
      const bodies = sent.map(({ body }) => body)
      assert.deepStrictEqual(everWrong(bodies, person), [])
      for (const list of ["emails", "phones", "employment_history", "education"]) {
        assert.isTrue(
          bodies.some(({ person }) => person[list].length > 0),
          `an entry of ${list} was looked at`
        )
      }
      assert.isTrue(bodies.some(({ meta }) => meta.billing.byok_used))
    })
  )

  it.live("without the caller's key provider_d is skipped for that reason (4.7)", () =>
    Effect.gen(function* () {
      const { send } = yield* server
      const body = { identity: { domains: ["nordvik-robotics.example"] }, waterfall: { mode: "aggregate" } }
      const sent = yield* Effect.promise(() => send("/api/company/enrich", { body }))
      assert.deepStrictEqual(sent.body.meta.waterfall.sources_skipped, [
        { source: "provider_a", reason: "not_configured" },
        { source: "provider_b", reason: "not_configured" },
        { source: "provider_d", reason: "provider_d_requires_byok" }
      ])
    })
  )

  it.live("raw answers come when they are asked for", () =>
    Effect.gen(function* () {
      const { send } = yield* server
      const request = { identity: mara, waterfall, response: { include_provider_raw: true, include_explanation: true } }
      const sent = yield* Effect.promise(() => send("/api/people/enrich", { body: request }))
      assert.deepStrictEqual(Object.keys(sent.body.provider_raw), ["provider_c", "provider_d"])
      assert.isTrue(object(sent.body.meta.explanation.fields))
      assert.notInclude(JSON.stringify(sent.body), "own-key")
      assert.notInclude(JSON.stringify(sent.body), "platform-key")
    })
  )

  it.live("when nothing is known every field is still there, null or empty", () =>
    Effect.gen(function* () {
      const { send } = yield* server
      const unknown = "nobody-knows-this.example"
      const requests = [
        { path: "/api/company/enrich", identity: { domains: [unknown] }, table: company },
        { path: "/api/people/enrich", identity: { ...mara, domain: unknown }, table: person }
      ]
      for (const { path, identity, table } of requests) {
        const sent = yield* Effect.promise(() => send(path, { body: { identity, waterfall } }))
        assert.strictEqual(sent.status, 200)
        assert.isTrue(sent.body.success)
        assert.deepStrictEqual(
          Object.keys(table).filter((field) => at(sent.body, field) === undefined),
          []
        )
      }
    })
  )

  it("the tables would see a wrong type and a missing field", () => {
    assert.deepStrictEqual(
      wrong({ success: "yes", status: "completed" }, { success: is(true), status: is("completed"), x: string }),
      ['success: "yes"', "x: undefined"]
    )
  })
})
