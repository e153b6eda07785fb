/** What becomes of answers that come later: in time, once, paid once, and with nobody's key. */
import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource, ScriptedVerifier } from "@lading/testing"
import { Clock, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { WorkflowEngine } from "effect/workflow"
import { Credits, Ledger } from "../billing/index.ts"
import { CompanyEnrichment } from "../company/CompanyEnrichment.ts"
import { EmailTasksMemory, EmailVerifier } from "../email/index.ts"
import { Core } from "../index.ts"
import { Webhooks } from "../net/index.ts"
import { PersonEnrichment, PersonEnrichmentRequest } from "../person/PersonEnrichment.ts"
import type { PersonFacts } from "../person/PersonFacts.ts"
import { Suppression, Vault } from "../account/index.ts"
import { TraderDomains } from "../trade/index.ts"
import { AnswerCache, HitRates, Replay, RunLog, Slots, Source, SourceError } from "../waterfall/index.ts"
import * as KnownPeople from "../person/KnownPeople.ts"
import * as EnrichmentStore from "./EnrichmentStore.ts"

const account = "acc_1"
const facts: PersonFacts = { emails: [{ email: "mara@acme.example", type: "work", status: "valid" }] }
const mara = { first_name: "Mara", last_name: "Ellison", domain: "acme.example" }

/** A vendor that begins at once and answers when it is told to; counts what it is asked. */
const slow = (kind: Source.BillingKind = "per_hit", limits: Partial<Source.Limits> = {}) => {
  const asked = { calls: 0, resumes: [] as Array<string>, keys: new Set<string>() }
  let answer: Effect.Effect<Source.Outcome<PersonFacts>, SourceError.SourceError> = Effect.succeed(
    Source.pending("task-1")
  )
  const source = ScriptedSource.make({
    adapter: "slow",
    kind,
    credential: "ApiKey",
    limits: { timeout: 2_000, ...limits },
    person: () => {
      asked.calls++
      return Effect.andThen(Source.begun(`task-${asked.calls}`), Effect.never)
    },
    resumePerson: (handle, credential) => {
      asked.resumes.push(handle)
      if (credential._tag === "ApiKey") asked.keys.add(Redacted.value(credential.key))
      return answer
    }
  })
  return {
    asked,
    source,
    says: (next: typeof answer) => {
      answer = next
    }
  }
}

const fast = ScriptedSource.make({
  adapter: "fast",
  person: () => Effect.succeed(Source.hit({ current_title: "Buyer" }, { title: "Buyer" }))
})

const platform = { _tag: "ApiKey", key: Redacted.make("platform-key") } as const

const slotsOf = (source: Source.Source) => [
  Slots.bound("provider_a", source, platform),
  Slots.bound("provider_b", fast)
]

const core = (source: Source.Source) => Core.layerMemory(slotsOf(source), { ledger: Layer.fresh(Ledger.layerMemory) })

type Store = EnrichmentStore.EnrichmentStore["Service"]

const down = Effect.fail(new EnrichmentStore.EnrichmentStoreUnavailable({ problem: "timeout" }))

/** The core over a store or an engine that does something else. */
const over = (
  source: Source.Source,
  broken: {
    readonly store?: (store: Store) => Partial<Store>
    readonly engine?: Partial<WorkflowEngine.WorkflowEngine["Service"]>
  }
) => {
  const store = Layer.effect(
    EnrichmentStore.EnrichmentStore,
    Effect.map(EnrichmentStore.EnrichmentStore, (store) => ({ ...store, ...broken.store?.(store) }))
  ).pipe(Layer.provide(Layer.fresh(EnrichmentStore.layerMemory)))
  const engine = Layer.effect(
    WorkflowEngine.WorkflowEngine,
    Effect.map(WorkflowEngine.WorkflowEngine, (engine) => ({ ...engine, ...broken.engine }))
  ).pipe(Layer.provide(Layer.fresh(WorkflowEngine.layerMemory)))
  const others = Layer.mergeAll(
    AnswerCache.layerMemory,
    HitRates.layerMemory,
    RunLog.layerMemory,
    Vault.layerMemory,
    engine,
    Core.layerLimits,
    Core.layerWithoutTrade,
    Core.layerWithoutVerifier,
    Layer.provideMerge(
      Layer.mergeAll(
        store,
        EmailTasksMemory.layer,
        KnownPeople.layerMemory,
        Webhooks.layerMemory,
        TraderDomains.layerMemory()
      ),
      Suppression.layerMemory
    )
  )
  return Core.layer().pipe(
    Layer.provideMerge(
      Layer.mergeAll(Slots.layer(slotsOf(source)), Layer.fresh(others), Layer.fresh(Ledger.layerMemory))
    )
  )
}

const grant = Effect.flatMap(Ledger.Ledger, (ledger) =>
  ledger.grant({ account, amount: Credits.fromNumber(100), expires_at: null, key: "test", reason: "test" })
)

let requests = 0
const ask = Effect.fnUntraced(function* (
  request: Partial<typeof PersonEnrichmentRequest.Encoded> = {},
  key: string | null = null
) {
  const { enrich } = yield* PersonEnrichment
  const caller = {
    account,
    api_key: null,
    request_id: `req_${++requests}`,
    received_at: yield* Clock.currentTimeMillis,
    idempotency: key === null ? null : { key, fingerprint: "body" }
  }
  const decoded = yield* Schema.decodeUnknownEffect(PersonEnrichmentRequest)({ identity: mara, ...request })
  return yield* enrich(decoded, caller)
})

/** Asks, with the clock running until it is answered. */
const asked = (request: Partial<typeof PersonEnrichmentRequest.Encoded> = {}, key: string | null = null) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(ask(request, key), { startImmediately: true })
    yield* TestClock.adjust("3 seconds")
    return yield* Fiber.join(fiber)
  }).pipe(Effect.map(({ answer }) => answer))

const find = (request_id: string) => Effect.flatMap(PersonEnrichment, (persons) => persons.find(request_id, account))

const balance = Effect.flatMap(Ledger.Ledger, (ledger) => ledger.balance(account)).pipe(
  Effect.map(({ captured, held }) => ({ captured: Credits.toNumber(captured), held: Credits.toNumber(held) }))
)

const all = { waterfall: { mode: "aggregate" as const } }

describe("an answer that comes later", () => {
  it.effect("is pending, is fetched, is charged once from a hold of its own, and is not begun twice", () => {
    const { asked: seen, says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const first = yield* asked(all)
      assert.strictEqual(first.status, "pending")
      assert.isTrue(first.meta.waterfall.async_pending)
      assert.strictEqual(first.meta.billing.total_credits_charged, 1.1)
      assert.deepStrictEqual(yield* balance, { captured: 1.1, held: 1 })
      assert.deepStrictEqual((yield* find(first.request_id)).person, first.person)

      yield* TestClock.adjust("1 minute")
      assert.isAtLeast(seen.resumes.length, 3)
      assert.strictEqual((yield* find(first.request_id)).status, "pending")
      says(Effect.succeed(Source.hit(facts, { mail: "mara@acme.example" })))
      yield* TestClock.adjust("1 minute")

      const last = yield* find(first.request_id)
      assert.strictEqual(last.status, "completed")
      assert.strictEqual(last.request_id, first.request_id)
      assert.strictEqual(last.person.emails[0]?.email, "mara@acme.example")
      assert.strictEqual(last.person.current_title, "Buyer")
      assert.deepStrictEqual(last.meta.billing.breakdown, [
        { source: "provider_a", credits: 1 },
        { source: "provider_b", credits: 1 }
      ])
      assert.strictEqual(last.meta.billing.total_credits_charged, 2.1)
      assert.deepStrictEqual(yield* balance, { captured: 2.1, held: 0 })
      assert.deepStrictEqual((yield* Effect.flatMap(Ledger.Ledger, (l) => l.audit(account))).breaches, [])

      const polled = seen.resumes.length
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(seen.resumes.length, polled)
      assert.strictEqual(seen.calls, 1)
      // It is kept like any other answer.
      const again = yield* asked(all)
      assert.deepStrictEqual(again.meta.waterfall.cache_hits, ["provider_a", "provider_b"])
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("is what it would have been at once: the same profile, sources and explanation", () => {
    const { says, source } = slow()
    const request = { ...all, response: { include_explanation: true, include_provider_raw: true } }
    const raw = { mail: "mara@acme.example" }
    const atOnce = ScriptedSource.make({
      adapter: "slow",
      credential: "ApiKey",
      person: () => Effect.succeed(Source.hit(facts, raw))
    })
    return Effect.gen(function* () {
      yield* grant
      const { request_id } = yield* asked(request)
      says(Effect.succeed(Source.hit(facts, raw)))
      yield* TestClock.adjust("1 minute")
      const later = yield* find(request_id)
      const direct = yield* Effect.provide(Effect.andThen(grant, asked(request)), core(atOnce))
      assert.deepStrictEqual(later.person, direct.person)
      assert.deepStrictEqual(later.provider_raw, direct.provider_raw)
      assert.deepStrictEqual(later.meta.field_sources, direct.meta.field_sources)
      assert.deepStrictEqual(later.meta.explanation, direct.meta.explanation)
      assert.deepStrictEqual(later.meta.billing, direct.meta.billing)
      const report = yield* Effect.flatMap(Replay.Replay, ({ replay }) => replay(request_id))
      assert.deepStrictEqual(report.subjects[0]?.differences, [])
      assert.deepStrictEqual(
        report.subjects[0]?.sources.map(({ reading }) => reading),
        ["facts", "facts"]
      )
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("costs nothing when it is a miss, fails, or does not come in time", () =>
    Effect.gen(function* () {
      const endings = [
        [Effect.succeed(Source.miss), "1 minute", []],
        [
          Effect.fail(new SourceError.InvalidResponse({ source: "slow", problem: "gone" })),
          "1 minute",
          ["invalid_response"]
        ],
        [Effect.fail(new SourceError.Unavailable({ source: "slow", problem: "503" })), "16 minutes", ["timeout"]],
        [Effect.succeed(Source.pending("task-1")), "16 minutes", ["timeout"]]
      ] as const
      for (const [says, time, failed] of endings) {
        const vendor = slow()
        vendor.says(says)
        yield* Effect.gen(function* () {
          yield* grant
          const { request_id } = yield* asked(all)
          yield* TestClock.adjust(time)
          const last = yield* find(request_id)
          assert.strictEqual(last.status, "completed")
          assert.deepStrictEqual(
            last.meta.waterfall.sources_failed.map(({ reason }) => String(reason)),
            [...failed]
          )
          assert.deepStrictEqual(yield* balance, { captured: 1.1, held: 0 })
        }).pipe(Effect.provide(core(vendor.source)))
      }
    })
  )

  it.effect("is asked for by an equal question meanwhile, not begun again; both pay", () => {
    const { asked: seen, says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const first = yield* asked(all)
      const second = yield* asked(all)
      assert.strictEqual(second.status, "pending")
      assert.strictEqual(seen.calls, 1)
      says(Effect.succeed(Source.hit(facts, {})))
      yield* TestClock.adjust("1 minute")
      for (const { request_id } of [first, second]) assert.strictEqual((yield* find(request_id)).status, "completed")
      assert.deepStrictEqual(yield* balance, { captured: 3.2, held: 0 })
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("first_match goes on to the next source, and the hold covers both", () => {
    const { says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const first = yield* asked()
      assert.strictEqual(first.person.current_title, "Buyer")
      assert.strictEqual(first.status, "pending")
      says(Effect.succeed(Source.hit({ ...facts, current_title: "Head of Procurement" }, {})))
      yield* TestClock.adjust("1 minute")
      const last = yield* find(first.request_id)
      assert.strictEqual(last.person.current_title, "Head of Procurement")
      assert.strictEqual(last.meta.field_sources["current_title"], "provider_a")
      assert.deepStrictEqual(yield* balance, { captured: 2.1, held: 0 })
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("a repeated request has the first answer; what came later is fetched by its request id", () => {
    const { says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const first = yield* asked(all, "order-1")
      says(Effect.succeed(Source.hit(facts, {})))
      yield* TestClock.adjust("1 minute")
      const { answer, replayed } = yield* ask(all, "order-1")
      assert.isTrue(replayed)
      assert.deepStrictEqual([answer.status, answer.request_id], ["pending", first.request_id])
      assert.strictEqual((yield* find(answer.request_id)).status, "completed")
      assert.deepStrictEqual(yield* balance, { captured: 2.1, held: 0 })
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("an own key is used for it, and kept nowhere", () => {
    const { asked: seen, says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const byok = { provider_a_api_key: "own-secret-key" }
      const first = yield* asked({ waterfall: { mode: "aggregate", byok } })
      const store = yield* EnrichmentStore.EnrichmentStore
      assert.notInclude((yield* store.find(first.request_id))?.text ?? "own-secret-key", "own-secret-key")
      says(Effect.succeed(Source.hit(facts, {})))
      yield* TestClock.adjust("1 minute")
      const last = yield* find(first.request_id)
      assert.deepStrictEqual([...seen.keys], ["own-secret-key"])
      assert.deepStrictEqual([last.status, last.meta.billing.byok_used], ["completed", true])
      assert.deepStrictEqual(yield* balance, { captured: 1.1, held: 0 })
      const journal = yield* Effect.flatMap(Ledger.Ledger, (ledger) => ledger.journal(account))
      assert.strictEqual(journal.filter(({ kind }) => kind === "memo").length, 1)
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("a stored key is taken from the vault for it each time, so that any process may ask", () => {
    const { asked: seen, says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const vault = yield* Vault.Vault
      const keep = (text: string) =>
        vault.save(account, {
          slot: "provider_a",
          adapter: "slow",
          credential: { _tag: "ApiKey", key: Redacted.make(text) },
          saved_by: null,
          checked_at: null
        })
      yield* keep("stored-secret-key")
      const first = yield* asked({ waterfall: { mode: "aggregate", byok: "stored" } })
      const store = yield* EnrichmentStore.EnrichmentStore
      const kept = (yield* store.find(first.request_id))?.text ?? ""
      assert.include(kept, '"stored_key":true')
      assert.notInclude(kept, "stored-secret-key")
      yield* TestClock.adjust("5 seconds")
      yield* keep("newer-secret-key")
      yield* TestClock.adjust("1 minute")
      says(Effect.succeed(Source.hit(facts, {})))
      yield* TestClock.adjust("1 minute")
      const last = yield* find(first.request_id)
      assert.deepStrictEqual([...seen.keys], ["stored-secret-key", "newer-secret-key"])
      assert.deepStrictEqual([last.status, last.meta.billing.byok_used], ["completed", true])
      assert.deepStrictEqual(yield* balance, { captured: 1.1, held: 0 })
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("a stored key that is removed meanwhile is used no more: the answer ends with its time", () => {
    const { asked: seen, says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const vault = yield* Vault.Vault
      const credential = { _tag: "ApiKey", key: Redacted.make("stored-secret-key") } as const
      const key = { slot: "provider_a", adapter: "slow", saved_by: null, checked_at: null, credential }
      yield* vault.save(account, key)
      const first = yield* asked({ waterfall: { mode: "aggregate", byok: "stored" } })
      yield* vault.remove(account, "provider_a")
      const before = seen.resumes.length
      says(Effect.succeed(Source.hit(facts, {})))
      yield* TestClock.adjust("20 minutes")
      const last = yield* find(first.request_id)
      assert.strictEqual(seen.resumes.length, before)
      assert.deepStrictEqual(
        [last.status, last.meta.waterfall.sources_failed],
        ["completed", [{ source: "provider_a", reason: "timeout" }]]
      )
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("is nobody else's, and nobody's after three days", () => {
    const { says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const persons = yield* PersonEnrichment
      const companies = yield* CompanyEnrichment
      const { request_id } = yield* asked(all)
      says(Effect.succeed(Source.miss))
      const tagOf = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(work), ({ _tag }) => _tag)
      assert.strictEqual(yield* tagOf(persons.find(request_id, "acc_2")), "UnknownEnrichment")
      assert.strictEqual(yield* tagOf(companies.find(request_id, account)), "UnknownEnrichment")
      yield* TestClock.adjust("1 minute")
      yield* TestClock.adjust("3 days")
      assert.strictEqual(yield* tagOf(persons.find(request_id, account)), "UnknownEnrichment")
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("of somebody who objects meanwhile is neither shown, nor sent, nor charged", () => {
    const { says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const { request_id } = yield* asked({ ...all, webhook_url: "https://receiver.example/hook" })
      const suppression = yield* Suppression.Suppression
      yield* suppression.add("domain:acme.example")
      says(Effect.succeed(Source.hit(facts, {})))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Effect.flip(find(request_id)))._tag, "UnknownEnrichment")
      assert.deepStrictEqual(yield* balance, { captured: 1.1, held: 0 })
      assert.strictEqual((yield* Effect.flatMap(Webhooks.Webhooks, ({ list }) => list(account, 1, 10))).total, 0)
      assert.isNull(yield* Effect.flatMap(EnrichmentStore.EnrichmentStore, (store) => store.find(request_id)))
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("is sent to webhook_url once it is complete, once", () => {
    const { says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const { list } = yield* Webhooks.Webhooks
      const { request_id } = yield* asked({ ...all, webhook_url: "https://receiver.example/hook" })
      assert.strictEqual((yield* list(account, 1, 10)).total, 0)
      says(Effect.succeed(Source.hit(facts, {})))
      yield* TestClock.adjust("1 minute")
      const { deliveries } = yield* list(account, 1, 10)
      assert.deepStrictEqual(
        deliveries.map(({ type, url }) => [type, url]),
        [["person.enriched", "https://receiver.example/hook"]]
      )
      assert.isNotEmpty(request_id)
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("asks under the handle that the vendor goes on with", () => {
    const { asked: seen, says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      yield* asked(all)
      says(Effect.succeed(Source.pending("task-2")))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([seen.resumes[0], new Set(seen.resumes.slice(1))], ["task-1", new Set(["task-2"])])
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("of a vendor that charges every call is paid once, however often it is asked for", () => {
    const { says, source } = slow("per_call")
    let asked_ = 0
    return Effect.gen(function* () {
      yield* grant
      const { request_id } = yield* asked(all)
      says(
        Effect.suspend(() =>
          ++asked_ < 3
            ? Effect.fail(new SourceError.Unavailable({ source: "slow", problem: "503" }))
            : Effect.succeed(Source.hit(facts, {}))
        )
      )
      yield* TestClock.adjust("1 minute")
      assert.isAtLeast(asked_, 3)
      const { meta } = yield* find(request_id)
      assert.deepStrictEqual(meta.billing.breakdown[0], { source: "provider_a", credits: 1 })
      assert.deepStrictEqual(yield* balance, { captured: 2.1, held: 0 })
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("that nobody can read ends that answer, and no other", () => {
    const { says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const { request_id } = yield* asked(all)
      const wrong: PersonFacts = JSON.parse('{"phones":["+4930123456"]}')
      says(Effect.succeed(Source.hit(wrong, {})))
      yield* TestClock.adjust("1 minute")
      const last = yield* find(request_id)
      assert.deepStrictEqual(last.meta.waterfall.sources_failed, [{ source: "provider_a", reason: "invalid_response" }])
      assert.deepStrictEqual(yield* balance, { captured: 1.1, held: 0 })
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("of a caller who hung up is asked for by the next one, and asked for afresh when it was there", () => {
    const { asked: seen, says, source } = slow()
    return Effect.gen(function* () {
      yield* grant
      const fiber = yield* Effect.forkChild(ask(all), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      says(Effect.succeed(Source.hit(facts, {})))
      const fresh = { waterfall: { mode: "aggregate" as const, max_cache_age_s: 0 } }
      assert.strictEqual((yield* ask(fresh)).answer.status, "completed")
      assert.deepStrictEqual([seen.calls, seen.resumes], [1, ["task-1"]])
      assert.strictEqual((yield* asked(fresh)).status, "pending")
      assert.strictEqual(seen.calls, 2)
    }).pipe(Effect.provide(core(source)))
  })

  it.effect("leaves room for those that are to begin, however many are asked for", () => {
    const { asked: seen, source } = slow("per_hit", { rate: { calls: 3, window: 15_000 } })
    return Effect.gen(function* () {
      yield* grant
      for (let turn = 0; turn < 20; turn++) {
        const identity = { ...mara, domain: `company-${turn}.example` }
        yield* Effect.forkChild(asked({ ...all, identity }), { startImmediately: true })
        yield* TestClock.adjust("10 seconds")
      }
      assert.strictEqual(seen.calls, 20)
      assert.isAbove(seen.resumes.length, 20)
    }).pipe(Effect.provide(core(source)))
  })

  for (const [what, broken] of [
    ["refuses it", (): Partial<Store> => ({ put: () => Effect.succeed(false) })],
    [
      "has kept it and does not say so",
      (store: Store): Partial<Store> => ({
        put: (enrichment, keeping) => Effect.andThen(store.put(enrichment, keeping), down),
        remove: () => down
      })
    ]
  ] as const) {
    it.effect(`of a request that failed, since the store ${what}, costs nothing and is nobody's`, () =>
      Effect.gen(function* () {
        yield* grant
        const id = requests + 1
        assert.strictEqual((yield* Effect.exit(asked(all, "order-1")))._tag, "Failure")
        assert.deepStrictEqual(yield* balance, { captured: 0, held: 2.1 })
        assert.strictEqual((yield* Effect.flip(find(`req_${id}`)))._tag, "UnknownEnrichment")
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(yield* balance, { captured: 0, held: 0 })
        assert.strictEqual((yield* Effect.flip(find(`req_${id}`)))._tag, "UnknownEnrichment")
        // The key is free again.
        assert.strictEqual((yield* Effect.flip(asked(all, "order-1")))._tag === "KeyConflict", false)
      }).pipe(Effect.provide(over(slow().source, { store: broken })))
    )
  }

  it.effect("is pending where the store takes its time to note it down", () => {
    const slowly = (store: Store): Partial<Store> => ({
      put: (enrichment, keeping) => Effect.delay(store.put(enrichment, keeping), "20 seconds")
    })
    return Effect.gen(function* () {
      yield* grant
      const fiber = yield* Effect.forkChild(ask(all), { startImmediately: true })
      yield* TestClock.adjust("3 seconds")
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).answer.status, "pending")
    }).pipe(Effect.provide(over(slow().source, { store: slowly })))
  })

  it.effect("of a request whose engine hangs is given up, with its credits", () =>
    Effect.gen(function* () {
      yield* grant
      const fiber = yield* Effect.forkChild(ask(all), { startImmediately: true })
      yield* TestClock.adjust("3 seconds")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Fiber.await(fiber))._tag, "Failure")
      assert.deepStrictEqual(yield* balance, { captured: 0, held: 0 })
    }).pipe(Effect.provide(over(slow().source, { engine: { execute: () => Effect.never } })))
  )
})

describe("the addresses of an answer that comes later", () => {
  const [mara, gone, own] = ["mara@acme.example", "gone@acme.example", "m.ellison@acme.example"]
  const verifying = { waterfall: { mode: "aggregate" as const, verify_emails: true } }

  const telling = (...emails: ReadonlyArray<string>): Source.Outcome<PersonFacts> =>
    Source.hit({ emails: emails.map((email) => ({ email, type: "work" as const, status: "unknown" as const })) }, {})

  const house = (sources: ReadonlyArray<Source.Source>, verifier: Layer.Layer<EmailVerifier.EmailVerifier>) =>
    Core.layerMemory(
      sources.map((source, index) => Slots.bound(`s${index}`, source, platform)),
      { ledger: Layer.fresh(Ledger.layerMemory), verifier }
    )

  const verdicts = ({ meta }: Effect.Success<ReturnType<typeof find>>) =>
    (meta.waterfall.verified_emails ?? []).map(({ credits, email, reason, status }) => [email, status, credits, reason])

  const atOnce = ScriptedSource.make({ adapter: "fast", person: () => Effect.succeed(telling(mara)) })

  it.effect("are verified when it comes, once, from its own hold, and judged like the others", () => {
    const { says, source } = slow()
    const { asked: seen, layer } = ScriptedVerifier.knowing({ [gone]: "invalid" })
    return Effect.gen(function* () {
      yield* grant
      const first = yield* asked(verifying)
      assert.deepStrictEqual(verdicts(first), [[mara, "safe", 0.05, null]])
      assert.deepStrictEqual(yield* balance, { captured: 1.15, held: 1.25 })
      says(Effect.succeed(telling(gone, mara, own)))
      yield* TestClock.adjust("1 minute")
      const last = yield* find(first.request_id)
      assert.deepStrictEqual(verdicts(last), [
        [gone, "invalid", 0.05, null],
        [mara, "safe", 0.05, null],
        [own, "safe", 0.05, null]
      ])
      assert.deepStrictEqual(
        last.person.emails.map(({ email, status }) => [email, status]),
        [
          [mara, "valid"],
          [own, "valid"]
        ]
      )
      assert.deepStrictEqual(
        [last.meta.billing.total_credits_charged, last.meta.billing.platform_credits_charged],
        [2.25, 0.25]
      )
      assert.deepStrictEqual(yield* balance, { captured: 2.25, held: 0 })
      assert.deepStrictEqual((yield* Effect.flatMap(Ledger.Ledger, (l) => l.audit(account))).breaches, [])
      assert.isTrue((yield* Effect.flatMap(Replay.Replay, ({ replay }) => replay(first.request_id))).same)
      assert.deepStrictEqual(seen, [mara, gone, own])
    }).pipe(Effect.provide(house([source, atOnce], layer)))
  })

  it.effect("are paid once where two answers tell the same one", () => {
    const [one, two] = [slow(), slow()]
    const { layer } = ScriptedVerifier.knowing({})
    return Effect.gen(function* () {
      yield* grant
      const { request_id } = yield* asked(verifying)
      assert.strictEqual((yield* balance).held, 2.5)
      one.says(Effect.succeed(telling(mara)))
      two.says(Effect.succeed(telling(mara)))
      yield* TestClock.adjust("1 minute")
      const last = yield* find(request_id)
      assert.deepStrictEqual(verdicts(last), [[mara, "safe", 0.05, null]])
      assert.deepStrictEqual(yield* balance, { captured: 2.15, held: 0 })
    }).pipe(Effect.provide(house([one.source, { ...two.source, adapter: "slow-too" }], layer)))
  })

  it.effect("are shown as they are where nobody can verify them, or the request has no credits for it", () =>
    Effect.gen(function* () {
      const down = new EmailVerifier.EmailVerifierUnavailable({ problem: "down", retryable: true })
      const nobody = { ...verifying.waterfall, max_credits: 100 }
      const poor = { ...verifying.waterfall, max_credits: 2.1 }
      const endings = [
        [ScriptedVerifier.make(() => Effect.fail(down)).layer, nobody, "verifier_unavailable"],
        [ScriptedVerifier.knowing({}).layer, poor, "budget_exhausted"]
      ] as const
      for (const [layer, waterfall, reason] of endings) {
        const { says, source } = slow()
        yield* Effect.gen(function* () {
          yield* grant
          const { request_id } = yield* asked({ waterfall })
          says(Effect.succeed(telling(own)))
          yield* TestClock.adjust("1 minute")
          const last = yield* find(request_id)
          assert.deepStrictEqual(
            last.person.emails.map(({ email }) => email),
            [own]
          )
          assert.deepStrictEqual(verdicts(last), [[own, "unknown", 0, reason]])
          assert.deepStrictEqual(yield* balance, { captured: 2.1, held: 0 })
        }).pipe(Effect.provide(house([source, fast], layer)))
      }
    })
  )
})
