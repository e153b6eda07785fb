import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Clock, Deferred, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Credits, Ledger } from "../billing/index.ts"
import { Core } from "../index.ts"
import type { Caller } from "../request/index.ts"
import { AnswerCache, Source, SourceError } from "../waterfall/index.ts"
import * as Suppression from "../account/Suppression.ts"
import { CompanyEnrichment, CompanyEnrichmentRequest, CompanyEnrichmentResult } from "./CompanyEnrichment.ts"

const source = "scripted"
const ask = (request: typeof CompanyEnrichmentRequest.Encoded, key: string | null = null, fingerprint = "body") =>
  Effect.gen(function* () {
    const enrichment = yield* CompanyEnrichment
    const received_at = yield* Clock.currentTimeMillis
    const caller: Caller.Caller = {
      account: "acc",
      api_key: "key",
      request_id: `req_${received_at}_${count++}`,
      received_at,
      idempotency: key === null ? null : { key, fingerprint }
    }
    return yield* enrichment.enrich(yield* Schema.decodeUnknownEffect(CompanyEnrichmentRequest)(request), caller)
  })
let count = 0

const acme = { identity: { domains: ["acme.example"] } }

const grant = (credits: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger.Ledger
    yield* ledger.grant({
      account: "acc",
      amount: Credits.fromNumber(credits),
      expires_at: null,
      key: `grant ${credits}`,
      reason: "test"
    })
  })

const balance = Effect.gen(function* () {
  const { available, held, captured } = yield* (yield* Ledger.Ledger).balance("acc")
  return [available, held, captured].map(Credits.toNumber)
})

const metered = (...sources: ReadonlyArray<Source.Source | null>) =>
  Core.layerMemory(
    sources.map((one, index) => ({
      name: `provider_${"abcd"[index] ?? index}`,
      source: one,
      credential: one === null ? null : ({ _tag: "None" } as const),
      byokOnly: false
    })),
    { ledger: Ledger.layerMemory }
  )

const knowing = ScriptedSource.knowing
const hangingCache: AnswerCache.AnswerCache["Service"] = {
  find: () => Effect.never,
  put: () => Effect.never,
  recall: () => Effect.never,
  erase: () => Effect.never,
  sweep: Effect.succeed(0)
}

const missing = ScriptedSource.make({ company: () => Effect.succeed(Source.miss) })
const failing = (error: SourceError.SourceError) => ScriptedSource.make({ company: () => Effect.fail(error) })

describe("what is answered", () => {
  it.effect(
    "nothing found is a success: scalars null, lists empty, objects with null members, the platform's fee",
    () =>
      Effect.gen(function* () {
        yield* grant(10)
        const { answer } = yield* ask({ identity: { names: ["Acme"] } })
        assert.deepStrictEqual(answer.company.profile, {
          name: "Acme",
          primary_domain: null,
          website_url: null,
          industries: [],
          description: null,
          founded_year: null,
          estimated_employee_count: null,
          annual_revenue: null,
          total_funding: null,
          phones: [],
          hq: { full_address: null, city: null, state: null, postal_code: null, country: null, country_code: null },
          social_links: {
            linkedin_url: null,
            twitter_url: null,
            facebook_url: null,
            crunchbase_url: null,
            instagram_url: null
          },
          technologies: [],
          keywords: [],
          emails: []
        })
        assert.deepStrictEqual(answer.company.field_sources, { name: "request" })
        assert.deepStrictEqual(answer.meta.billing, {
          credits_charged: 0.1,
          byok_used: false,
          platform_credits_charged: 0.1
        })
        assert.deepStrictEqual(yield* balance, [9.9, 0, 0.1])
      }).pipe(Effect.provide(metered(missing)))
  )

  it.effect("the request's domain stands before all sources, its name only where no source has one", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const request = { identity: { domains: ["www.ACME.example"], names: ["Acme by hearsay"] } }
      const { answer } = yield* ask(request)
      assert.strictEqual(answer.company.name, "Acme AS")
      assert.strictEqual(answer.company.domain, "acme.example")
      assert.deepStrictEqual(answer.company.input, { domain: "www.ACME.example", name: "Acme by hearsay" })
      assert.strictEqual(answer.company.field_sources["name"], "provider_a")
      assert.strictEqual(answer.company.field_sources["primary_domain"], "request")
    }).pipe(Effect.provide(metered(knowing({ name: "Acme AS", primary_domain: "acme.example" }))))
  )

  it.effect("raw answers and the explanation stand in it only where asked for", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const plain = yield* ask(acme)
      assert.deepStrictEqual(plain.answer.company.provider_raw, {})
      assert.isUndefined(plain.answer.meta.explanation)
      const full = yield* ask({ ...acme, response: { include_provider_raw: true, include_explanation: true } })
      assert.deepStrictEqual(full.answer.company.provider_raw, { provider_a: { synthetic: true } })
      assert.strictEqual(full.answer.meta.explanation?.fields["name"]?.winner, "provider_a")
    }).pipe(Effect.provide(metered(knowing({ name: "Acme" }))))
  )

  it.effect("several companies: one entry each in request order, one hold, one sum", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const request = { identity: { domains: ["a.example", "b.example"], names: ["A", "B", "C"] } }
      const { answer } = yield* ask(request)
      assert.deepStrictEqual(
        answer.companies?.map(({ input }) => input),
        [
          { domain: "a.example", name: "A" },
          { domain: "b.example", name: "B" },
          { domain: null, name: "C" }
        ]
      )
      assert.deepStrictEqual(answer.company.input, { domain: "a.example", name: "A" })
      assert.strictEqual(answer.meta.billing.credits_charged, 3.3)
      assert.deepStrictEqual(yield* balance, [6.7, 0, 3.3])
      const journal = yield* (yield* Ledger.Ledger).journal("acc")
      assert.strictEqual(journal.filter(({ kind }) => kind === "hold").length, 1)
    }).pipe(Effect.provide(metered(knowing({ founded_year: 2001 }))))
  )

  it.effect("the answer survives its own codec, so that a replay is the same answer", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const { answer } = yield* ask({ ...acme, response: { include_explanation: true } })
      const text = JSON.stringify(answer)
      assert.deepStrictEqual(Schema.decodeUnknownSync(CompanyEnrichmentResult)(JSON.parse(text)), answer)
    }).pipe(Effect.provide(metered(knowing({ name: "Acme", phones: ["+4722000000"] }))))
  )
})

describe("what is charged", () => {
  it.effect("each source that answered, and nothing for an own key but the platform's fee", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const byok = { provider_b_api_key: "own-key-000000000001" }
      const { answer } = yield* ask({ ...acme, waterfall: { mode: "aggregate", byok } })
      assert.deepStrictEqual(answer.meta.billing, {
        credits_charged: 1.1,
        byok_used: true,
        platform_credits_charged: 0.1
      })
      assert.notInclude(JSON.stringify(answer), "own-key")
      const journal = yield* (yield* Ledger.Ledger).journal("acc")
      assert.deepStrictEqual(
        journal.filter(({ kind }) => kind === "memo").flatMap(({ postings }) => postings.map(({ unit }) => unit)),
        ["vendor:provider_b", "vendor:provider_b"]
      )
    }).pipe(
      Effect.provide(
        metered(
          knowing({ name: "Acme" }),
          ScriptedSource.make({
            credential: "ApiKey",
            company: (_, key) =>
              key._tag === "ApiKey" && Redacted.value(key.key) === "own-key-000000000001"
                ? Effect.succeed(Source.hit({ founded_year: 2001 }, {}))
                : Effect.fail(new SourceError.Unauthorized({ source }))
          })
        )
      )
    )
  )

  it.effect("402 before any call when the hold does not fit the balance", () => {
    let calls = 0
    const counted = ScriptedSource.make({
      company: () => Effect.sync(() => (calls++, Source.hit({ name: "Acme" }, {})))
    })
    return Effect.gen(function* () {
      yield* grant(1)
      const error = yield* Effect.flip(ask(acme))
      assert.strictEqual(error._tag, "InsufficientCredits")
      assert.strictEqual(calls, 0)
      assert.deepStrictEqual(yield* balance, [1, 0, 0])
    }).pipe(Effect.provide(metered(counted)))
  })

  it.effect("a ceiling that covers no first step is refused; a tight one cuts off later steps", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const refused = yield* Effect.flip(ask({ ...acme, waterfall: { max_credits: 1.0999999 } }))
      assert.strictEqual(refused._tag, "CeilingTooLow")
      const { answer } = yield* ask({ ...acme, waterfall: { mode: "aggregate", max_credits: 2.5 } })
      assert.deepStrictEqual(answer.meta.waterfall.sources_skipped, [
        { source: "provider_c", reason: "budget_exhausted" }
      ])
      assert.strictEqual(answer.meta.billing.credits_charged, 2.1)
    }).pipe(Effect.provide(metered(knowing({ name: "A" }), knowing({ name: "B" }), knowing({ name: "C" }))))
  )

  it.effect("a caller who leaves pays for what was already billed, and the rest of the hold returns", () =>
    Effect.gen(function* () {
      const called = Deferred.makeUnsafe<void>()
      const hanging = ScriptedSource.make({
        company: () => Effect.andThen(Deferred.succeed(called, undefined), Effect.never)
      })
      yield* Effect.gen(function* () {
        yield* grant(10)
        const fiber = yield* Effect.forkChild(ask({ ...acme, waterfall: { mode: "fill_missing" } }))
        yield* Deferred.await(called)
        assert.deepStrictEqual(yield* balance, [7.9, 2.1, 0])
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* balance, [9, 0, 1])
      }).pipe(Effect.provide(metered(knowing({ name: "Acme" }), hanging)))
    })
  )
})

it.effect("a caller who leaves pays for every source that had answered, whatever its place in the order", () =>
  Effect.gen(function* () {
    const answered = Deferred.makeUnsafe<void>()
    const hanging = ScriptedSource.make({ company: () => Effect.never })
    const quick = ScriptedSource.make({
      company: () => Effect.as(Deferred.succeed(answered, undefined), Source.hit({ name: "Acme" }, {}))
    })
    yield* Effect.gen(function* () {
      yield* grant(10)
      const fiber = yield* Effect.forkChild(ask({ ...acme, waterfall: { mode: "aggregate" } }))
      yield* Deferred.await(answered)
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* balance, [9, 0, 1])
    }).pipe(Effect.provide(metered(hanging, quick)))
  })
)

it.effect("a number that no profile can hold is nothing said, and the request is answered", () =>
  Effect.gen(function* () {
    yield* grant(10)
    const { answer } = yield* ask({ ...acme, waterfall: { mode: "aggregate" } }, "key")
    assert.strictEqual(answer.company.profile.estimated_employee_count, 12)
    assert.isNull(answer.company.profile.founded_year)
    assert.deepStrictEqual(yield* balance, [7.9, 0, 2.1])
  }).pipe(
    Effect.provide(
      metered(
        knowing({ name: "Acme", estimated_employee_count: 1e21, founded_year: 1e21 }),
        knowing({ estimated_employee_count: 12 })
      )
    )
  )
)

it.effect("a company that the request names twice is asked about and paid once", () =>
  Effect.gen(function* () {
    yield* grant(10)
    const { answer } = yield* ask({ identity: { domains: ["acme.example", "www.ACME.example", "b.example"] } })
    assert.deepStrictEqual(
      answer.companies?.map(({ input }) => input.domain),
      ["acme.example", "www.ACME.example", "b.example"]
    )
    assert.strictEqual(answer.meta.billing.credits_charged, 2.2)
  }).pipe(Effect.provide(metered(knowing({ founded_year: 2001 }))))
)

it.effect("beside an answered company, one that nobody could answer costs nothing, as it would alone", () =>
  Effect.gen(function* () {
    const half = ScriptedSource.make({
      company: ({ domain }) =>
        domain === "a.example"
          ? Effect.succeed(Source.hit({ name: "A" }, {}))
          : Effect.fail(new SourceError.InvalidResponse({ source, problem: "x" }))
    })
    yield* Effect.gen(function* () {
      yield* grant(10)
      const { answer } = yield* ask({ identity: { domains: ["a.example", "b.example"] } })
      assert.strictEqual(answer.meta.billing.credits_charged, 1.1)
    }).pipe(Effect.provide(metered(half)))
  })
)

it.effect("a store that hangs ends the request with its deadline, and takes nothing", () =>
  Effect.gen(function* () {
    yield* grant(10)
    const fiber = yield* Effect.forkChild(Effect.flip(ask({ ...acme, waterfall: { timeout_ms: 1000 } })))
    yield* TestClock.adjust(2000)
    assert.strictEqual((yield* Fiber.join(fiber))._tag, "DeadlineExceeded")
    assert.deepStrictEqual(yield* balance, [10, 0, 0])
  }).pipe(
    Effect.provide(
      Core.layer().pipe(
        Layer.provideMerge(Layer.succeed(AnswerCache.AnswerCache, hangingCache)),
        Layer.provideMerge(metered(knowing({ name: "Acme" })))
      )
    )
  )
)

describe("what fails", () => {
  const unavailable = failing(new SourceError.InvalidResponse({ source, problem: "x" }))

  it.effect("every source that was asked failed: SourcesUnavailable, nothing charged, the key is free again", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const error = yield* Effect.flip(ask(acme, "key"))
      assert.strictEqual(error._tag, "SourcesUnavailable")
      assert.deepStrictEqual(yield* balance, [10, 0, 0])
      assert.strictEqual((yield* Effect.flip(ask(acme, "key")))._tag, "SourcesUnavailable")
    }).pipe(Effect.provide(metered(unavailable, unavailable)))
  )

  it.effect("nothing learnt before the deadline: DeadlineExceeded, nothing charged", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const fiber = yield* Effect.forkChild(Effect.flip(ask({ ...acme, waterfall: { timeout_ms: 1000 } })))
      yield* TestClock.adjust(1000)
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "DeadlineExceeded")
      assert.deepStrictEqual(yield* balance, [10, 0, 0])
    }).pipe(Effect.provide(metered(ScriptedSource.make({ company: () => Effect.never }))))
  )

  it.effect("one miss among failures is an answer", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const { answer } = yield* ask(acme)
      assert.deepStrictEqual(answer.meta.waterfall.sources_failed, [
        { source: "provider_a", reason: "invalid_response" }
      ])
    }).pipe(Effect.provide(metered(unavailable, missing)))
  )

  it.effect("every wrong field of the options is named at once", () =>
    Effect.gen(function* () {
      const waterfall = {
        source_order: ["provider_a", "provider_x", "provider_a"],
        byok: { provider_a_client_id: "id-of-a-client" }
      }
      const error = yield* Effect.flip(ask({ ...acme, waterfall }))
      assert.strictEqual(error._tag, "InvalidRequest")
      if (error._tag !== "InvalidRequest") return
      assert.deepStrictEqual(
        error.details.map(({ path }) => path),
        ["waterfall.source_order[1]", "waterfall.source_order[2]", "waterfall.byok.provider_a_client_id"]
      )
      assert.notInclude(JSON.stringify(error), "id-of-a-client")
    }).pipe(Effect.provide(metered(missing)))
  )

  it.effect("an identity without a domain and a name is no identity", () =>
    Effect.gen(function* () {
      for (const identity of [{}, { domains: [] }, { domains: [], names: [] }]) {
        assert.strictEqual((yield* Effect.flip(ask({ identity })))._tag, "InvalidRequest")
      }
    }).pipe(Effect.provide(metered(missing)))
  )
})

describe("the same key again", () => {
  const billed = knowing({ name: "Acme" })

  it.effect("replays the first answer with its request id and charges nothing", () =>
    Effect.gen(function* () {
      yield* grant(10)
      const first = yield* ask(acme, "key")
      const again = yield* ask(acme, "key")
      assert.isFalse(first.replayed)
      assert.isTrue(again.replayed)
      assert.deepStrictEqual(again.answer, first.answer)
      assert.deepStrictEqual(yield* balance, [8.9, 0, 1.1])
    }).pipe(Effect.provide(metered(billed)))
  )

  it.effect("is a conflict with another body, and while the first one runs", () =>
    Effect.gen(function* () {
      yield* grant(10)
      yield* ask(acme, "key")
      assert.strictEqual((yield* Effect.flip(ask(acme, "key", "other body")))._tag, "KeyConflict")
    }).pipe(Effect.provide(metered(billed)))
  )
})

it.effect("a domain that objected is not asked about anywhere", () => {
  let calls = 0
  const counted = ScriptedSource.make({
    company: () => Effect.sync(() => (calls++, Source.hit({ name: "Acme" }, {})))
  })
  return Effect.gen(function* () {
    yield* grant(10)
    yield* (yield* Suppression.Suppression).add("domain:acme.example")
    const { answer } = yield* ask({ identity: { domains: ["shop.acme.example"] } })
    assert.deepStrictEqual(answer.meta.waterfall.sources_skipped, [{ source: "provider_a", reason: "suppressed" }])
    assert.strictEqual(calls, 0)
    assert.strictEqual(answer.meta.billing.credits_charged, 0.1)
  }).pipe(Effect.provide(metered(counted)))
})

it.effect("an unbound slot is named as not configured", () =>
  Effect.gen(function* () {
    yield* grant(10)
    const { answer } = yield* ask(acme)
    assert.deepStrictEqual(answer.meta.waterfall.sources_skipped, [{ source: "provider_a", reason: "not_configured" }])
  }).pipe(Effect.provide(metered(null, knowing({ name: "Acme" }))))
)
