/** Own vendor keys: tried before they are kept, used where a request wants them, and nobody else's in their place. */
import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Credits, Ledger } from "../billing/index.ts"
import { CompanyEnrichment, CompanyEnrichmentRequest } from "../company/CompanyEnrichment.ts"
import { Core } from "../index.ts"
import { Caller } from "../request/index.ts"
import { Slots, Source, SourceError } from "../waterfall/index.ts"
import * as Vault from "./Vault.ts"
import { VendorKeyRequest, VendorKeys } from "./VendorKeys.ts"

const account = "acc_1"
const keeper = { account, api_key: "key_1" }
const source = "vendor"

interface Told {
  /** What the vendor says of a key; left out, it cannot be asked. */
  readonly check?: Effect.Effect<void, SourceError.SourceError>
}

/** A vendor that knows everybody; notes with which keys it is asked. */
const vendor = (adapter: string, { check }: Told = {}) => {
  const keys: Array<string> = []
  const made = ScriptedSource.make({
    adapter,
    credential: "ApiKey",
    company: (_, credential) => {
      keys.push(credential._tag === "ApiKey" ? Redacted.value(credential.key) : credential._tag)
      return Effect.succeed(Source.hit({ name: "Acme Robotics" }, {}))
    }
  })
  const tried: Source.Source =
    check === undefined ? made : { ...made, check: { question: "GET /account", call: () => check } }
  return { keys, source: tried }
}

const platform = { _tag: "ApiKey", key: Redacted.make("platform-key") } as const

const house = (slots: ReadonlyArray<Slots.Slot>) => Core.layerMemory(slots, { ledger: Layer.fresh(Ledger.layerMemory) })

const save = (slot: string, request: typeof VendorKeyRequest.Encoded) =>
  Effect.gen(function* () {
    const keys = yield* VendorKeys
    return yield* keys.save(slot, yield* Effect.orDie(Schema.decodeUnknownEffect(VendorKeyRequest)(request)), keeper)
  })

const listed = Effect.flatMap(VendorKeys, (keys) => keys.list(account))

let requests = 0
const ask = Effect.fnUntraced(function* (waterfall: (typeof CompanyEnrichmentRequest.Encoded)["waterfall"]) {
  const ledger = yield* Ledger.Ledger
  yield* ledger.grant({ account, amount: Credits.fromNumber(9), expires_at: null, key: "test", reason: "test" })
  const { enrich } = yield* CompanyEnrichment
  const request = { identity: { domains: ["acme.example"] }, waterfall: { max_cache_age_s: 0, ...waterfall } }
  const decoded = yield* Effect.orDie(Schema.decodeUnknownEffect(CompanyEnrichmentRequest)(request))
  const { answer } = yield* enrich(decoded, Caller.embedded(`req_${++requests}`, 0, account))
  return answer
})

const stored = { byok: "stored" } as const

describe("a vendor key is stored", () => {
  it.effect("when the vendor takes it, and shown without it", () => {
    const { source } = vendor("hunter", { check: Effect.void })
    return Effect.gen(function* () {
      yield* TestClock.setTime(1000)
      const saved = yield* save("provider_a", { api_key: "a-customers-own-key" })
      assert.deepStrictEqual(saved, {
        slot: "provider_a",
        adapter: "hunter",
        credential: "ApiKey",
        hint: "-key",
        saved_at: 1000,
        saved_by: "key_1",
        checked_at: 1000,
        usable: true
      })
      assert.deepStrictEqual(yield* listed, [saved])
    }).pipe(Effect.provide(house([Slots.bound("provider_a", source)])))
  })

  it.effect("by what the vendor says of it: refused is a wrong field, used up is right, all else leaves it open", () =>
    Effect.gen(function* () {
      const told: ReadonlyArray<readonly [SourceError.SourceError, string]> = [
        [new SourceError.Unauthorized({ source }), "InvalidRequest"],
        [new SourceError.QuotaExhausted({ source }), "stored"],
        [new SourceError.RateLimited({ source, retryAfter: 1000 }), "rate_limited"],
        [new SourceError.Unavailable({ source, problem: "503" }), "unavailable"],
        [new SourceError.InvalidResponse({ source, problem: "x" }), "invalid_response"],
        [new SourceError.TimedOut({ source }), "timeout"]
      ]
      for (const [error, expected] of told) {
        const made = vendor("hunter", { check: Effect.fail(error) })
        yield* Effect.gen(function* () {
          const ending = yield* save("provider_a", { api_key: "key" }).pipe(
            Effect.map((): string => "stored"),
            Effect.catch((error) => Effect.succeed(error._tag === "VendorKeyUnchecked" ? error.reason : error._tag))
          )
          assert.strictEqual(ending, expected)
          assert.strictEqual((yield* listed).length, expected === "stored" ? 1 : 0)
        }).pipe(Effect.provide(house([Slots.bound("provider_a", made.source)])))
      }
    })
  )

  it.effect("by a vendor that never answers: given up in time, and nothing is stored", () => {
    const { source } = vendor("hunter", { check: Effect.never })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(save("provider_a", { api_key: "key" })), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 minute")
      const error = yield* Fiber.join(fiber)
      assert(error._tag === "VendorKeyUnchecked")
      assert.strictEqual(error.reason, "timeout")
      assert.deepStrictEqual(yield* listed, [])
    }).pipe(Effect.provide(house([Slots.bound("provider_a", source)])))
  })

  it.effect("after five trials in a minute no more, whatever is tried: nobody has stolen keys tried here", () => {
    const made = vendor("hunter")
    let asked = 0
    const call = () => Effect.suspend(() => Effect.sync(() => void asked++))
    const source = { ...made.source, check: { question: "GET /account", call } }
    return Effect.gen(function* () {
      for (let trial = 0; trial < 5; trial++) yield* save("provider_a", { api_key: `key-${trial}` })
      const error = yield* Effect.flip(save("provider_a", { api_key: "one-more-key" }))
      assert.deepInclude(error, { _tag: "VendorKeyUnchecked", reason: "rate_limited" })
      assert.strictEqual(asked, 5)
      yield* save("provider_a", { api_key: "unchecked-key", check: false })
      yield* TestClock.adjust("1 minute")
      yield* save("provider_a", { api_key: "one-more-key" })
      assert.strictEqual(asked, 6)
    }).pipe(Effect.provide(house([Slots.bound("provider_a", source)])))
  })

  it.effect("unchecked where that is wanted, or the vendor cannot be asked: it says so", () => {
    const refusing = vendor("hunter", { check: Effect.fail(new SourceError.Unauthorized({ source })) })
    const silent = vendor("plain")
    return Effect.gen(function* () {
      const wanted = yield* save("provider_a", { api_key: "key", check: false })
      const must = yield* save("provider_b", { api_key: "key" })
      assert.deepStrictEqual([wanted.checked_at, must.checked_at], [null, null])
    }).pipe(
      Effect.provide(house([Slots.bound("provider_a", refusing.source), Slots.bound("provider_b", silent.source)]))
    )
  })

  it.effect("only where there is a slot that takes one, of the shape that it takes", () => {
    const { source } = vendor("hunter", { check: Effect.die("not to be asked") })
    const keyless = ScriptedSource.make({ company: () => Effect.succeed(Source.miss) })
    const slots = [
      Slots.bound("provider_a", source),
      Slots.bound("provider_b", keyless),
      { name: "provider_c", source: null, credential: null, byokOnly: false }
    ]
    const wrong: ReadonlyArray<readonly [string, typeof VendorKeyRequest.Encoded, ReadonlyArray<string>]> = [
      ["provider_b", { api_key: "key" }, ["slot"]],
      ["provider_c", { api_key: "key" }, ["slot"]],
      ["nobody", { api_key: "key" }, ["slot"]],
      ["provider_a", {}, ["api_key"]],
      ["provider_a", { check: false }, ["api_key"]],
      ["provider_a", { client_id: "id", client_secret: "secret" }, ["client_id", "client_secret"]],
      ["provider_a", { api_key: "key\n" }, ["api_key"]],
      ["provider_a", { api_key: "two words" }, ["api_key"]]
    ]
    return Effect.gen(function* () {
      for (const [slot, request, paths] of wrong) {
        const error = yield* Effect.flip(save(slot, request))
        assert(error._tag === "InvalidRequest", `${slot} ${JSON.stringify(request)}`)
        assert.deepStrictEqual(
          error.details.map(({ path }) => path),
          paths
        )
      }
      assert.deepStrictEqual(yield* listed, [])
    }).pipe(Effect.provide(house(slots)))
  })
})

describe("a stored vendor key", () => {
  it.effect("is used where a request wants it, costs the fee only, and never else", () => {
    const { keys, source } = vendor("hunter")
    return Effect.gen(function* () {
      yield* save("provider_a", { api_key: "own-key" })
      const own = yield* ask(stored)
      assert.deepStrictEqual(own.meta.billing, {
        credits_charged: 0.1,
        byok_used: true,
        platform_credits_charged: 0.1
      })
      const theirs = yield* ask({})
      assert.deepStrictEqual([theirs.meta.billing.credits_charged, theirs.meta.billing.byok_used], [1.1, false])
      assert.deepStrictEqual(keys, ["own-key", "platform-key"])
    }).pipe(Effect.provide(house([Slots.bound("provider_a", source, platform)])))
  })

  it.effect("is nobody else's: slots without one are asked as if the request brought none", () => {
    const [one, two, only] = [vendor("one"), vendor("two"), vendor("only")]
    const slots = [
      Slots.bound("provider_a", one.source, platform),
      Slots.bound("provider_b", two.source, platform),
      { ...Slots.bound("provider_d", only.source), credential: null, byokOnly: true }
    ]
    return Effect.gen(function* () {
      yield* save("provider_a", { api_key: "own-key" })
      const { meta } = yield* ask({ ...stored, mode: "aggregate" })
      assert.deepStrictEqual([one.keys, two.keys, only.keys], [["own-key"], ["platform-key"], []])
      assert.deepStrictEqual(meta.waterfall.sources_skipped, [
        { source: "provider_d", reason: "provider_d_requires_byok" }
      ])
      assert.strictEqual(meta.billing.credits_charged, 1.1)
    }).pipe(Effect.provide(house(slots)))
  })

  it.effect("gives way to one that the request brings", () => {
    const [one, two] = [vendor("one"), vendor("two")]
    return Effect.gen(function* () {
      yield* save("provider_a", { api_key: "stored-key-a" })
      yield* save("provider_b", { api_key: "stored-key-b" })
      const byok = { stored: true, provider_a_api_key: "brought-key" }
      const { meta } = yield* ask({ byok, mode: "aggregate" })
      assert.deepStrictEqual([one.keys, two.keys], [["brought-key"], ["stored-key-b"]])
      assert.strictEqual(meta.billing.credits_charged, 0.1)
      yield* ask({ byok: { stored: false, provider_a_api_key: "brought-key" }, mode: "aggregate" })
      assert.deepStrictEqual(two.keys, ["stored-key-b", "platform-key"])
    }).pipe(
      Effect.provide(
        house([Slots.bound("provider_a", one.source, platform), Slots.bound("provider_b", two.source, platform)])
      )
    )
  })

  it.effect("of a slot that has another vendor by now goes to nobody, and the platform's not in its place", () => {
    const { keys, source } = vendor("now")
    return Effect.gen(function* () {
      const vault = yield* Vault.Vault
      const credential = { _tag: "ApiKey", key: Redacted.make("key-of-another-vendor") } as const
      const before = { slot: "provider_a", adapter: "before", credential, saved_by: null, checked_at: null }
      yield* vault.save(account, before)
      const { meta } = yield* ask(stored)
      assert.deepStrictEqual(keys, [])
      assert.deepStrictEqual(meta.waterfall.sources_skipped, [
        { source: "provider_a", reason: "provider_a_requires_byok" }
      ])
      assert.deepStrictEqual(
        (yield* listed).map(({ usable }) => usable),
        [false]
      )
    }).pipe(Effect.provide(house([Slots.bound("provider_a", source, platform)])))
  })

  it.effect("is used no more when it is removed", () => {
    const { keys, source } = vendor("hunter")
    return Effect.gen(function* () {
      const { remove } = yield* VendorKeys
      yield* save("provider_a", { api_key: "own-key" })
      assert.isTrue(yield* remove("provider_a", keeper))
      assert.isFalse(yield* remove("provider_a", keeper))
      const { meta } = yield* ask(stored)
      assert.deepStrictEqual([keys, meta.billing.byok_used], [["platform-key"], false])
    }).pipe(Effect.provide(house([Slots.bound("provider_a", source, platform)])))
  })

  it.effect("that cannot be had ends the request: it is not asked without it", () => {
    const { keys, source } = vendor("hunter")
    const broken = Layer.effect(
      Vault.Vault,
      Effect.map(Vault.Vault, (vault) => ({
        ...vault,
        find: () => Effect.fail(new Vault.VaultUnreadable({ slot: "provider_a" }))
      }))
    ).pipe(Layer.provide(Vault.layerMemory))
    const slots = [Slots.bound("provider_a", source, platform)]
    return Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(ask(stored)))._tag, "VaultUnreadable")
      assert.deepStrictEqual(keys, [])
      yield* ask({})
      assert.deepStrictEqual(keys, ["platform-key"])
    }).pipe(Effect.provide(Core.layer().pipe(Layer.provideMerge(broken), Layer.provideMerge(house(slots)))))
  })
})
