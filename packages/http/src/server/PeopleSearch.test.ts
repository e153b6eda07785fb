/** Contact search over HTTP: whom enrichments named, vendors beside them, and who is not shown. */
import { assert, describe, it } from "@effect/vitest"
import type { PersonFacts } from "@lading/core/person"
import { Directory, Slots, type Source } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Effect, Redacted, Schedule } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"

const search = "/api/people/search"

/** Titles of those whom the source knows. */
const titles: { readonly [name: string]: string } = {
  Mara: "Head of Procurement",
  Una: "Chief Financial Officer",
  Ole: "Welder"
}

const knowing = ScriptedSource.make({
  person: ({ first_name, last_name }) =>
    Effect.succeed({
      _tag: "Hit",
      facts: {
        first_name,
        last_name,
        current_title: titles[first_name ?? ""] ?? null,
        company_name: "Acme",
        company_domain: "acme.example",
        location: { country_code: "NO" },
        emails: [{ email: `${first_name?.toLowerCase()}@acme.example`, type: "work", status: "valid" }]
      },
      raw: { synthetic: true }
    })
})

const vendors: ReadonlyArray<PersonFacts> = [
  {
    first_name: "Mara",
    last_name: "Ellison",
    current_title: "Head of Procurement",
    company_domain: "acme.example",
    social_links: { linkedin_url: "linkedin.com/in/mara" }
  },
  { first_name: "Ida", last_name: "Vik", current_title: "Head of Sales", company_domain: "acme.example" }
]

type People = NonNullable<Source.Source["personDirectory"]>

const personDirectory: People = Directory.memory(
  "scripted",
  { company_domain: "exact", titles: "exact", seniorities: "exact", departments: "exact", countries: "exact" },
  vendors.map((facts) => ({
    source: "scripted",
    id: null,
    facts,
    raw: {},
    last_name_hint: null,
    seniority: "Head",
    department: null
  })),
  () => true
)

const slots = [
  Slots.bound("provider_a", knowing),
  Slots.bound(
    "provider_b",
    { ...ScriptedSource.make({}), personDirectory },
    { _tag: "ApiKey", key: Redacted.make("marker") }
  ),
  { name: "provider_d", source: { ...knowing, credential: "ApiKey" as const }, credential: null, byokOnly: true }
]

const acme = { company_domain: "acme.example" }

/** A server that has answered about these people of Acme. */
const start = Effect.gen(function* () {
  const server = yield* TestServer.make({ slots })
  const ask = (body: unknown, key = server.key) => Effect.promise(() => server.send(search, { body, key }))
  const enrich = (first_name: string, last_name: string, more: object = {}) =>
    Effect.promise(() =>
      server.send("/api/people/enrich", {
        body: {
          identity: { first_name, last_name, domain: "acme.example" },
          waterfall: { source_order: ["provider_a"] },
          ...more
        }
      })
    )
  yield* enrich("Mara", "Ellison")
  yield* enrich("Una", "Berg")
  yield* enrich("Ole", "Dahl")
  yield* Effect.repeat(ask(acme), {
    until: ({ body }) => body.data.total === 3,
    schedule: Schedule.spaced("20 millis"),
    times: 500
  })
  return { server, ask, enrich }
})

const namesOf = ({ body }: TestServer.Sent): ReadonlyArray<string> => body.data.list.map((one: any) => one.first_name)

describe(`POST ${search}`, () => {
  it.live("finds whom enrichments named, from the top, by rank, department, title and country", () =>
    Effect.gen(function* () {
      const { ask } = yield* start
      const all = yield* ask(acme)
      assert.deepStrictEqual(namesOf(all), ["Una", "Mara", "Ole"])
      assert.strictEqual(all.body.meta.billing.credits_charged, 0.03)
      assert.deepStrictEqual(all.body.data.list[0], {
        first_name: "Una",
        last_name: "Berg",
        last_name_hint: null,
        current_title: "Chief Financial Officer",
        company_name: "Acme",
        company_domain: "acme.example",
        seniority: "c_level",
        department: "finance",
        city: null,
        country: "NO",
        linkedin_url: null,
        emails: [{ email: "una@acme.example", type: "work", status: "valid" }],
        phones: [],
        sources: ["own"],
        credits: 0.01
      })
      const found = (more: object) => Effect.map(ask({ ...acme, ...more }), namesOf)
      assert.deepStrictEqual(yield* found({ seniorities: ["head"] }), ["Mara"])
      assert.deepStrictEqual(yield* found({ departments: ["finance", "operations"] }), ["Una", "Mara"])
      assert.deepStrictEqual(yield* found({ titles: ["procurement"] }), ["Mara"])
      assert.deepStrictEqual(yield* found({ countries: ["Sweden"] }), [])
      assert.deepStrictEqual(yield* found({ page: 2, limit: 2 }), ["Ole"])
      const first = yield* ask({ ...acme, limit: 2 })
      const second = yield* ask({ ...acme, limit: 2, cursor: first.body.data.next_cursor })
      assert.deepStrictEqual([...namesOf(first), ...namesOf(second)], ["Una", "Mara", "Ole"])
      const nobody = yield* ask({ company_domain: "other.example" })
      assert.deepStrictEqual([nobody.body.data.total, nobody.body.meta.billing.credits_charged], [0, 0])
    })
  )

  it.live("a vendor beside them: who is known is merged, and its page is charged", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* start
      const sent = yield* ask({ ...acme, sources: ["own", "provider_b", "provider_d"], limit: 10 })
      assert.deepStrictEqual(
        sent.body.data.list.map((one: any) => [one.first_name, one.linkedin_url, one.sources, one.credits]),
        [
          ["Una", null, ["own"], 0.01],
          ["Mara", "linkedin.com/in/mara", ["own", "provider_b"], 0.51],
          ["Ole", null, ["own"], 0.01],
          ["Ida", null, ["provider_b"], 0.51]
        ]
      )
      assert.deepStrictEqual(sent.body.meta.sources, {
        attempted: ["own", "provider_b"],
        skipped: [{ source: "provider_d", reason: "unsupported_operation" }],
        failed: []
      })
      assert.deepStrictEqual(sent.body.meta.billing.breakdown, [{ source: "provider_b", credits: 1 }])
      assert.notInclude(server.logs.join("\n"), "una@acme.example")
    })
  )

  it.live("by the id of a company that is known", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* start
      const wrong = yield* ask({})
      assert.deepStrictEqual([wrong.status, wrong.body.error.details[0].path], [400, "company_domain"])
      const sent = yield* ask({ company_id: "dom_1" })
      assert.deepStrictEqual([sent.status, sent.body.data.list], [200, []])
      yield* server.addKey("lad_live_company-only", ["company"])
      assert.strictEqual((yield* ask(acme, "lad_live_company-only")).status, 403)
    })
  )

  it.live("what an own key bought is its account's alone, and who was erased is nobody's", () =>
    Effect.gen(function* () {
      const { ask, enrich, server } = yield* start
      const other = yield* server.addAccount("other", "lad_live_other-account")
      const waterfall = { source_order: ["provider_d"], byok: { provider_d_api_key: "own-key" } }
      assert.strictEqual((yield* enrich("Per", "Lund", { waterfall })).status, 200)
      yield* Effect.repeat(ask(acme), {
        until: ({ body }) => body.data.total === 4,
        schedule: Schedule.spaced("20 millis"),
        times: 500
      })
      assert.deepStrictEqual(namesOf(yield* ask(acme, other)), ["Una", "Mara", "Ole"])
      const gone = yield* Effect.promise(() =>
        server.send("/api/admin/subjects", { method: "DELETE", body: { subject: "una@acme.example" } })
      )
      assert.strictEqual(gone.body.data.erased.people, 1)
      assert.notInclude(namesOf(yield* ask(acme)), "Una")
      assert.deepStrictEqual(namesOf(yield* ask(acme, other)), ["Mara", "Ole"])
    })
  )
})
