/** `verify_emails` of a people enrichment over real HTTP, with the own verifier over real mail hosts on loopback. */
import { assert, describe, it } from "@effect/vitest"
import type { EmailVerifier } from "@lading/core/email"
import type { PersonFacts } from "@lading/core/person"
import { Slots, Source } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Effect, type Layer } from "effect"
import * as Mail from "../../fixtures/Mail.ts"
import * as TestServer from "../../fixtures/TestServer.ts"

const path = "/api/people/enrich"

const domains = {
  "acme.test": { mailboxes: { mara: "exists", full: "full" } },
  "all.test": { persona: "accept_all" }
} as const

const identity = { first_name: "Mara", last_name: "Ellison", domain: "acme.test" }

const slots = [["mara.ellison@acme.test"], ["any@all.test", "Mara@acme.test"], ["full@acme.test"]].map(
  (emails, index) => {
    const facts: PersonFacts = {
      emails: emails.map((email) => ({ email, type: "work", status: "valid", confidence: 90 }))
    }
    const source = ScriptedSource.make({ person: () => Effect.succeed(Source.hit(facts, { emails })) })
    return Slots.bound(`provider_${"abc"[index]}`, source)
  }
)

const start = Effect.fnUntraced(function* (verifier?: Layer.Layer<EmailVerifier.EmailVerifier>) {
  const server = yield* TestServer.make({ slots, ...(verifier === undefined ? {} : { verifier }) })
  const enrich = (waterfall: object, asking: TestServer.Asking = {}) =>
    Effect.promise(() =>
      server.send(path, {
        body: {
          identity,
          waterfall: { verify_emails: true, required_fields: ["emails"], ...waterfall },
          response: { include_explanation: true }
        },
        ...asking
      })
    )
  return { server, enrich }
})

/** How many addresses had this status, in this process. */
const counted = (server: TestServer.TestServer, status: string) =>
  Effect.map(
    Effect.promise(() => server.send("/metrics", { key: null })),
    ({ body }) =>
      Number(
        new RegExp(`^lading_email_results_total\\{verifier="smtp",status="${status}"\\} (\\d+)$`, "m").exec(
          body
        )?.[1] ?? 0
      )
  )

describe("verify_emails", () => {
  it.live("goes on where the address is refused, shows every verdict, and charges what it quoted at most, once", () =>
    Effect.gen(function* () {
      const { layer, world } = yield* Mail.start({ domains })
      const { enrich, server } = yield* start(layer)
      const request = {
        identity,
        waterfall: { verify_emails: true, mode: "fill_missing", required_fields: ["emails"] }
      }
      const quoted = yield* Effect.promise(() => server.send("/api/quotes", { body: { operation: "person", request } }))
      // The fee, three sources, and five addresses of each.
      assert.strictEqual(quoted.body.data.worst, 3.85)
      const before = yield* server.balance
      const [invalid, safe] = [yield* counted(server, "invalid"), yield* counted(server, "safe")]
      const asking = { headers: { "idempotency-key": "once" } }
      const sent = yield* enrich({ mode: "fill_missing" }, asking)
      assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
      assert.deepStrictEqual(sent.body.person.emails, [
        { email: "Mara@acme.test", type: "work", status: "valid", sources: ["provider_b"], confidence: 90 },
        { email: "any@all.test", type: "work", status: "catch_all", sources: ["provider_b"], confidence: 90 }
      ])
      assert.deepStrictEqual(sent.body.meta.waterfall.verified_emails, [
        { email: "mara.ellison@acme.test", status: "invalid", overall_score: "3", credits: 0.05, reason: null },
        { email: "any@all.test", status: "catch_all", overall_score: "71", credits: 0.05, reason: null },
        { email: "Mara@acme.test", status: "safe", overall_score: "98", credits: 0.05, reason: null }
      ])
      assert.deepStrictEqual(sent.body.meta.waterfall.sources_skipped, [
        { source: "provider_c", reason: "fields_filled" }
      ])
      const { losers } = sent.body.meta.explanation.fields.emails
      assert.deepStrictEqual([losers.length, losers[0].source, losers[0].reason], [1, "provider_a", "undeliverable"])
      assert.deepStrictEqual(sent.body.meta.billing, {
        total_credits_charged: 2.25,
        platform_credits_charged: 0.25,
        byok_used: false,
        breakdown: [
          { source: "provider_a", credits: 1 },
          { source: "provider_b", credits: 1 }
        ]
      })
      assert.strictEqual((yield* counted(server, "invalid")) - invalid, 1)
      assert.strictEqual((yield* counted(server, "safe")) - safe, 1)
      const told = yield* world.smtp.count("RCPT")
      const again = yield* enrich({ mode: "fill_missing" }, asking)
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.deepStrictEqual(again.body.person, sent.body.person)
      assert.strictEqual(yield* world.smtp.count("RCPT"), told)
      const after = yield* server.balance
      assert.deepStrictEqual([Number(after.captured) - Number(before.captured), Number(after.held)], [2_250_000, 0])
    })
  )

  it.live("needs the scope email, in a quote too", () =>
    Effect.gen(function* () {
      const { enrich, server } = yield* start(Mail.layerUnasked)
      const key = "lad_live_people-only"
      yield* server.addKey(key, ["people"])
      const refused = yield* enrich({}, { key })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "forbidden"])
      assert.include(refused.body.error.message, "email")
      const quote = (waterfall: object) =>
        Effect.promise(() =>
          server.send("/api/quotes", { key, body: { operation: "person", request: { identity, waterfall } } })
        )
      assert.strictEqual((yield* quote({ verify_emails: true })).status, 403)
      assert.strictEqual((yield* quote({ verify_emails: false })).status, 200)
      assert.strictEqual((yield* enrich({ verify_emails: false }, { key })).status, 200)
    })
  )

  it.live("is answered without verdicts where nobody verifies, and says so", () =>
    Effect.gen(function* () {
      const { enrich } = yield* start()
      const { body, status } = yield* enrich({})
      assert.strictEqual(status, 200)
      assert.strictEqual(body.person.emails[0].status, "valid")
      assert.deepStrictEqual(body.meta.waterfall.verified_emails, [
        {
          email: "mara.ellison@acme.test",
          status: "unknown",
          overall_score: "0",
          credits: 0,
          reason: "verifier_unavailable"
        }
      ])
      assert.strictEqual(body.meta.billing.total_credits_charged, 1.1)
    })
  )

  it.live("is refused for companies", () =>
    Effect.gen(function* () {
      const { server } = yield* start(Mail.layerUnasked)
      const body = { ...TestServer.acme, waterfall: { verify_emails: true } }
      const sent = yield* Effect.promise(() => server.send("/api/company/enrich", { body }))
      assert.deepStrictEqual([sent.status, sent.body.error.details[0].path], [400, "waterfall.verify_emails"])
    })
  )
})
