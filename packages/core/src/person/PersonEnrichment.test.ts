import { assert, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Clock, Effect, Schema } from "effect"
import { Core } from "../index.ts"
import { Caller } from "../request/index.ts"
import { Slots, Source } from "../waterfall/index.ts"
import { PersonEnrichment, PersonEnrichmentRequest } from "./PersonEnrichment.ts"
import type { PersonFacts } from "./PersonFacts.ts"

const ask = (request: typeof PersonEnrichmentRequest.Encoded) =>
  Effect.gen(function* () {
    const enrichment = yield* PersonEnrichment
    const caller = Caller.embedded("req_test", yield* Clock.currentTimeMillis)
    const decoded = yield* Schema.decodeUnknownEffect(PersonEnrichmentRequest)(request)
    return (yield* enrichment.enrich(decoded, caller)).answer
  })

const knowing = (facts: PersonFacts) =>
  ScriptedSource.make({ person: () => Effect.succeed(Source.hit(facts, { synthetic: true })) })

const mara = { identity: { first_name: "Mara", last_name: "Ellison", domain: "acme.example" } }

it.effect("what the request says comes from the request; the breakdown lists sources only", () =>
  Effect.gen(function* () {
    const answer = yield* ask({ ...mara, waterfall: { mode: "aggregate" } })
    assert.strictEqual(answer.status, "completed")
    assert.deepStrictEqual(answer.meta.field_sources, {
      first_name: "request",
      last_name: "request",
      company_domain: "request",
      current_title: "provider_a",
      emails: "provider_b"
    })
    assert.deepStrictEqual(answer.meta.billing, {
      total_credits_charged: 2.1,
      platform_credits_charged: 0.1,
      byok_used: false,
      breakdown: [
        { source: "provider_a", credits: 1 },
        { source: "provider_b", credits: 1 }
      ]
    })
    assert.isFalse(answer.meta.waterfall.all_fields_filled)
  }).pipe(
    Effect.provide(
      Core.layerMemory([
        Slots.bound("provider_a", knowing({ first_name: "Mara", current_title: "Buyer" })),
        Slots.bound("provider_b", knowing({ emails: [{ email: "mara@acme.example", type: "work", status: "valid" }] }))
      ])
    )
  )
)

it.effect("all_fields_filled looks at the required fields of the request", () =>
  Effect.gen(function* () {
    const answer = yield* ask({ ...mara, waterfall: { required_fields: ["current_title"] } })
    assert.isTrue(answer.meta.waterfall.all_fields_filled)
  }).pipe(Effect.provide(Core.layerMemory([Slots.bound("provider_a", knowing({ current_title: "Buyer" }))])))
)

it.effect("nothing found keeps the shape: scalars null, lists empty, objects with null members", () =>
  Effect.gen(function* () {
    const { person, meta } = yield* ask({ identity: { domain: "acme.example" } })
    assert.deepStrictEqual(person, {
      first_name: null,
      last_name: null,
      current_title: null,
      company_name: null,
      company_domain: "acme.example",
      company_website: null,
      company_linkedin_url: null,
      location: { city: null, country: null, country_code: null },
      emails: [],
      phones: [],
      social_links: { linkedin_url: null },
      employment_history: [],
      education: []
    })
    assert.deepStrictEqual(meta.billing.breakdown, [])
  }).pipe(
    Effect.provide(
      Core.layerMemory([Slots.bound("provider_a", ScriptedSource.make({ person: () => Effect.succeed(Source.miss) }))])
    )
  )
)

it.effect("an identity of nothing is refused", () =>
  Effect.gen(function* () {
    assert.strictEqual((yield* Effect.flip(ask({ identity: {} })))._tag, "InvalidRequest")
  }).pipe(Effect.provide(Core.layerMemory([])))
)
