import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Clock, Deferred, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Bill from "../billing/Bill.ts"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import * as Tab from "../billing/Tab.ts"
import type { CompanyFacts } from "../company/index.ts"
import { CompanyFields, CompanySubject } from "../company/index.ts"
import { Core } from "../index.ts"
import * as Merge from "./Merge.ts"
import * as Plan from "./Plan.ts"
import * as Slots from "./Slots.ts"
import * as Source from "./Source.ts"
import * as SourceError from "./SourceError.ts"
import * as Suppression from "../account/Suppression.ts"
import * as Waterfall from "./Waterfall.ts"

const acme: CompanyFacts = { name: "Acme", founded_year: 2001 }
const source = "scripted"

interface Ask {
  readonly mode?: Plan.Mode
  readonly required?: ReadonlyArray<string>
  readonly ceiling?: number
  readonly timeout?: number
  readonly maxCacheAge?: number | null
  readonly byok?: ReadonlyMap<string, Source.Credential>
  readonly account?: string
  readonly domain?: string
}

/** Plans and runs over all slots, with a tab of the quote or the ceiling. */
const ask = Effect.fnUntraced(function* (options: Ask = {}) {
  const waterfall = yield* Waterfall.Waterfall
  const slots = yield* Slots.Slots
  const identity = { domain: options.domain ?? "acme.example", name: null }
  const prices = PriceBook.standard
  const plan = Plan.make({
    subject: CompanySubject,
    identity,
    mode: options.mode ?? "first_match",
    order: slots.all,
    byok: options.byok ?? new Map(),
    suppressed: false,
    prices,
    attempts: 3
  })
  const limit = options.ceiling === undefined ? Plan.quote(plan, prices) : Credits.fromNumber(options.ceiling)
  const tab = Tab.make(limit, prices.version)
  tab.reserve(plan.platformFee)
  const run = yield* waterfall.run({
    subject: CompanySubject,
    identity,
    plan,
    prices,
    tab,
    deadline: (yield* Clock.currentTimeMillis) + (options.timeout ?? 20_000),
    maxCacheAge: options.maxCacheAge === undefined ? 0 : options.maxCacheAge,
    account: options.account ?? "acc",
    required: options.required ?? Merge.requiredByDefault(CompanyFields)
  })
  return { run, bill: tab.bill(), credits: Credits.toNumber(Bill.total(tab.bill())) }
})

const slotsOf = (...sources: ReadonlyArray<Source.Source>) => sources.map((one, index) => Slots.bound(`s${index}`, one))

const over = (slots: ReadonlyArray<Slots.Slot>, policy = Waterfall.defaults) =>
  Waterfall.layer(policy).pipe(Layer.provideMerge(Core.layerMemory(slots)))

/** A source that counts its calls. */
const counting = (
  answer: Effect.Effect<Source.Outcome<CompanyFacts>, SourceError.SourceError>,
  script?: ScriptedSource.Script
) => {
  const made = { calls: 0 }
  const counted = ScriptedSource.make({
    company: () =>
      Effect.suspend(() => {
        made.calls++
        return answer
      }),
    ...script
  })
  return { made, source: counted }
}

const hits = (facts: CompanyFacts) => Effect.succeed(Source.hit(facts, { raw: true }))
const skips = (
  run: Waterfall.Waterfall["Service"] extends { run: (...args: never) => Effect.Effect<infer R> } ? R : never
) => run.skipped.map((skip) => `${skip.source} ${skip.reason}`)

describe("modes", () => {
  it.effect("first_match stops at the first hit and says why the others were not asked", () => {
    const missing = counting(Effect.succeed(Source.miss))
    const second = counting(hits(acme))
    const third = counting(hits(acme))
    return Effect.gen(function* () {
      const { run, credits } = yield* ask()
      assert.deepStrictEqual(run.attempted, ["s0", "s1"])
      assert.deepStrictEqual(skips(run), ["s2 already_answered"])
      assert.strictEqual(third.made.calls, 0)
      assert.strictEqual(credits, 1)
    }).pipe(Effect.provide(over(slotsOf(missing.source, second.source, third.source))))
  })

  it.effect("first_match goes on after an answer that says no more than the request did", () => {
    const echo = counting(hits({ primary_domain: "acme.example" }))
    return Effect.gen(function* () {
      const { run, credits } = yield* ask()
      assert.deepStrictEqual(
        run.steps.map(({ outcome }) => outcome),
        ["miss", "hit"]
      )
      assert.strictEqual(credits, 1)
    }).pipe(Effect.provide(over(slotsOf(echo.source, ScriptedSource.knowing(acme)))))
  })

  it.effect("what fails its check is no answer: it stops nobody, fills nothing and costs nothing", () => {
    const junk = counting(hits({ phones: ["n/a"], emails: ["none"] }))
    return Effect.gen(function* () {
      const first = yield* ask()
      assert.deepStrictEqual(
        first.run.steps.map(({ outcome }) => outcome),
        ["miss", "hit"]
      )
      const { run, credits } = yield* ask({ mode: "fill_missing", required: ["phones"] })
      assert.deepStrictEqual(run.attempted, ["s0", "s1"])
      assert.strictEqual(credits, 1)
    }).pipe(Effect.provide(over(slotsOf(junk.source, ScriptedSource.knowing({ ...acme, phones: ["+4722000000"] })))))
  })

  it.effect("an answer about another company is refused, free, and does not stop first_match", () => {
    const other = counting(hits({ name: "Other", primary_domain: "other.example", founded_year: 1900 }))
    return Effect.gen(function* () {
      const { run, credits } = yield* ask()
      assert.deepStrictEqual(
        run.steps.map(({ outcome }) => outcome),
        ["identity_mismatch", "hit"]
      )
      assert.strictEqual(credits, 1)
      assert.strictEqual(run.observations.filter(({ origin }) => origin.mismatch).length, 3)
    }).pipe(Effect.provide(over(slotsOf(other.source, ScriptedSource.knowing(acme)))))
  })

  it.effect("aggregate asks all at once", () =>
    Effect.gen(function* () {
      const slow = Effect.as(Effect.sleep(1000), Source.hit(acme, {}))
      const slots = slotsOf(...[1, 2, 3].map(() => ScriptedSource.make({ company: () => slow })))
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(ask({ mode: "aggregate" }))
        yield* TestClock.adjust(1000)
        const { run, credits } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(run.attempted, ["s0", "s1", "s2"])
        assert.strictEqual(credits, 3)
      }).pipe(Effect.provide(over(slots)))
    })
  )

  it.effect("fill_missing asks only sources that can fill what is still empty", () => {
    const names = counting(hits({ name: "Acme" }))
    const useless = counting(hits({ name: "ACME", keywords: ["x"] }), { companyFields: ["name", "keywords"] })
    const years = counting(hits({ founded_year: 2001 }))
    const late = counting(hits(acme))
    return Effect.gen(function* () {
      const { run } = yield* ask({ mode: "fill_missing", required: ["name", "founded_year"] })
      assert.deepStrictEqual(run.attempted, ["s0", "s2"])
      assert.deepStrictEqual(skips(run), ["s1 fields_filled", "s3 fields_filled"])
    }).pipe(Effect.provide(over(slotsOf(names.source, useless.source, years.source, late.source))))
  })
})

describe("failures", () => {
  const failures: ReadonlyArray<readonly [SourceError.SourceError, string]> = [
    [new SourceError.Unauthorized({ source }), "unauthorized"],
    [new SourceError.QuotaExhausted({ source }), "quota_exhausted"],
    [new SourceError.RateLimited({ source, retryAfter: 60_000 }), "rate_limited"],
    [new SourceError.InvalidResponse({ source, problem: "name: expected a string" }), "invalid_response"],
    [new SourceError.InvalidInput({ source, problem: "400" }), "invalid_input"],
    [new SourceError.Suppressed({ source }), "suppressed"],
    [new SourceError.TimedOut({ source }), "timeout"]
  ]
  for (const [error, reason] of failures) {
    it.effect(`${error._tag} is listed as ${reason}, is not retried, costs nothing, and others still answer`, () => {
      const failing = counting(Effect.fail(error), { kind: "per_call" })
      return Effect.gen(function* () {
        const { run, credits } = yield* ask()
        assert.deepStrictEqual(run.failed, [{ source: "s0", reason: reason as "timeout" }])
        assert.strictEqual(failing.made.calls, 1)
        assert.strictEqual(credits, 1)
      }).pipe(Effect.provide(over(slotsOf(failing.source, ScriptedSource.knowing(acme)))))
    })
  }

  it.effect("Unavailable is tried three times with growing pauses, when the call may be repeated", () => {
    const failing = counting(Effect.fail(new SourceError.Unavailable({ source, problem: "502" })))
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(ask())
      yield* TestClock.adjust(2000)
      const { run } = yield* Fiber.join(fiber)
      assert.strictEqual(failing.made.calls, 3)
      assert.deepStrictEqual(run.failed, [{ source: "s0", reason: "unavailable" }])
    }).pipe(Effect.provide(over(slotsOf(failing.source))))
  })

  it.effect("a defect in an adapter is a failure of its source, thrown or died with", () => {
    const died = ScriptedSource.make({ company: () => Effect.die("a defect") })
    const thrown = ScriptedSource.make({
      company: () => {
        throw new Error("a defect")
      }
    })
    return Effect.gen(function* () {
      const { run, credits } = yield* ask({ mode: "aggregate" })
      assert.deepStrictEqual(run.failed, [
        { source: "s0", reason: "invalid_response" },
        { source: "s1", reason: "invalid_response" }
      ])
      assert.strictEqual(credits, 1)
    }).pipe(Effect.provide(over(slotsOf(died, thrown, ScriptedSource.knowing(acme)))))
  })

  it.effect("a call that may not be repeated is made once", () => {
    const failing = counting(Effect.fail(new SourceError.Unavailable({ source, problem: "502" })), {
      repeatable: false
    })
    return Effect.gen(function* () {
      yield* ask()
      assert.strictEqual(failing.made.calls, 1)
    }).pipe(Effect.provide(over(slotsOf(failing.source))))
  })

  it.effect(
    "RateLimited is waited for as long as the vendor says, and the attempts of a per_call source are charged",
    () => {
      let calls = 0
      const limited = ScriptedSource.make({
        kind: "per_call",
        company: () =>
          Effect.suspend(() =>
            calls++ === 0 ? Effect.fail(new SourceError.RateLimited({ source, retryAfter: 1500 })) : hits(acme)
          )
      })
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(ask())
        yield* TestClock.adjust(1499)
        assert.strictEqual(calls, 1)
        yield* TestClock.adjust(1)
        const { credits } = yield* Fiber.join(fiber)
        assert.strictEqual(calls, 2)
        assert.strictEqual(credits, 2)
      }).pipe(Effect.provide(over(slotsOf(limited))))
    }
  )
})

describe("time", () => {
  it.effect("a source that hangs has its share of the time, and the next one answers within the deadline", () =>
    Effect.gen(function* () {
      const hanging = ScriptedSource.make({ company: () => Effect.never })
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(ask({ timeout: 4000 }))
        yield* TestClock.adjust(2000)
        const { run, credits } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(run.failed, [{ source: "s0", reason: "timeout" }])
        assert.deepStrictEqual(run.attempted, ["s0", "s1"])
        assert.strictEqual(credits, 1)
      }).pipe(Effect.provide(over(slotsOf(hanging, ScriptedSource.knowing(acme)))))
    })
  )

  it.effect("when all hang, the run ends with the deadline and frees the vendors' calls", () =>
    Effect.gen(function* () {
      let open = 0
      const hanging = ScriptedSource.make({
        company: () =>
          Effect.acquireUseRelease(
            Effect.sync(() => open++),
            () => Effect.never,
            () => Effect.sync(() => open--)
          )
      })
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(ask({ timeout: 1000, mode: "aggregate" }))
        yield* TestClock.adjust(500)
        assert.strictEqual(open, 3)
        yield* TestClock.adjust(500)
        const { run } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          run.failed.map(({ reason }) => reason),
          ["timeout", "timeout", "timeout"]
        )
        yield* Effect.yieldNow
        assert.strictEqual(open, 0)
      }).pipe(Effect.provide(over(slotsOf(hanging, hanging, hanging))))
    })
  )

  it.effect("an abandoned run interrupts its vendor calls", () =>
    Effect.gen(function* () {
      const called = Deferred.makeUnsafe<void>()
      const interrupted = Deferred.makeUnsafe<void>()
      const hanging = ScriptedSource.make({
        company: () =>
          Effect.onInterrupt(Effect.andThen(Deferred.succeed(called, undefined), Effect.never), () =>
            Deferred.succeed(interrupted, undefined)
          )
      })
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(ask({ mode: "fill_missing" }))
        yield* Deferred.await(called)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(interrupted)
      }).pipe(Effect.provide(over(slotsOf(ScriptedSource.knowing({ name: "Acme" }), hanging))))
    })
  )
})

describe("guards", () => {
  it.effect("a circuit opens after consecutive failures, is skipped while open, and is probed afterwards", () => {
    let broken = true
    const vendor = counting(
      Effect.suspend(() => (broken ? Effect.fail(new SourceError.Unauthorized({ source })) : hits(acme)))
    )
    return Effect.gen(function* () {
      for (let count = 0; count < 5; count++) yield* ask()
      assert.strictEqual(vendor.made.calls, 5)
      const { run } = yield* ask()
      assert.deepStrictEqual(skips(run), ["s0 circuit_open"])
      assert.strictEqual(vendor.made.calls, 5)
      broken = false
      yield* TestClock.adjust(30_000)
      assert.deepStrictEqual((yield* ask()).run.attempted, ["s0"])
      assert.deepStrictEqual((yield* ask()).run.failed, [])
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("a vendor that only ever hangs opens its circuit too", () => {
    const vendor = counting(Effect.never)
    return Effect.gen(function* () {
      for (let count = 0; count < 5; count++) {
        const fiber = yield* Effect.forkChild(ask({ timeout: 2500 }))
        yield* TestClock.adjust(2500)
        yield* Fiber.join(fiber)
      }
      assert.deepStrictEqual(skips((yield* ask()).run), ["s0 circuit_open"])
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("callers in a hurry open no circuit: the vendor had no fair time", () => {
    const vendor = counting(Effect.as(Effect.sleep(800), Source.hit(acme, {})))
    return Effect.gen(function* () {
      for (let count = 0; count < 8; count++) {
        const hurried = yield* Effect.forkChild(ask({ timeout: 100 }))
        yield* TestClock.adjust(100)
        assert.deepStrictEqual((yield* Fiber.join(hurried)).run.failed, [{ source: "s0", reason: "timeout" }])
      }
      const patient = yield* Effect.forkChild(ask())
      yield* TestClock.adjust(800)
      assert.deepStrictEqual((yield* Fiber.join(patient)).run.attempted, ["s0"])
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("an account's own calls, waiting for their limit, keep nobody else from asking", () => {
    const vendor = ScriptedSource.make({
      credential: "ApiKey",
      limits: { concurrency: 2, rate: { calls: 1, window: 4000 } },
      company: () => hits(acme)
    })
    const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make("own") }
    const own = { byok: new Map([["s0", key]]), account: "greedy" }
    return Effect.gen(function* () {
      const greedy = yield* Effect.forEach([1, 2, 3, 4], (index) =>
        Effect.forkChild(ask({ ...own, domain: `acme${index}.example` }))
      )
      yield* TestClock.adjust(1)
      assert.deepStrictEqual((yield* ask()).run.attempted, ["s0"])
      yield* Fiber.interruptAll(greedy)
    }).pipe(Effect.provide(over([Slots.bound("s0", vendor, key)])))
  })

  it.effect("a caller's bad key opens nobody else's circuit", () => {
    const vendor = ScriptedSource.make({
      credential: "ApiKey",
      company: (_, credential) =>
        credential._tag === "ApiKey" && Redacted.value(credential.key) === "good"
          ? hits(acme)
          : Effect.fail(new SourceError.Unauthorized({ source }))
    })
    const own = (key: string) => new Map([["s0", { _tag: "ApiKey", key: Redacted.make(key) } as const]])
    const slots = [Slots.bound("s0", vendor, { _tag: "ApiKey", key: Redacted.make("good") })]
    return Effect.gen(function* () {
      for (let count = 0; count < 5; count++) yield* ask({ byok: own("bad") })
      assert.deepStrictEqual(skips((yield* ask({ byok: own("bad") })).run), ["s0 circuit_open"])
      assert.deepStrictEqual((yield* ask({ byok: own("good") })).run.failed, [])
      assert.deepStrictEqual((yield* ask()).run.failed, [])
    }).pipe(Effect.provide(over(slots)))
  })

  it.effect("beyond the token bucket calls wait within their time, and are skipped when it would take too long", () => {
    const vendor = counting(hits(acme), { limits: { rate: { calls: 2, window: 20_000 } } })
    return Effect.gen(function* () {
      yield* ask()
      yield* ask()
      assert.deepStrictEqual(skips((yield* ask()).run), ["s0 rate_limited"])
      yield* TestClock.adjust(6_000)
      const fiber = yield* Effect.forkChild(ask())
      yield* TestClock.adjust(3_999)
      assert.strictEqual(vendor.made.calls, 2)
      yield* TestClock.adjust(1)
      yield* Fiber.join(fiber)
      assert.strictEqual(vendor.made.calls, 3)
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("no more calls at a time than the source allows", () => {
    let now = 0
    let most = 0
    const vendor = ScriptedSource.make({
      limits: { concurrency: 2 },
      company: () =>
        Effect.sync(() => (most = Math.max(most, ++now))).pipe(
          Effect.andThen(Effect.sleep(100)),
          Effect.ensuring(Effect.sync(() => now--)),
          Effect.andThen(hits(acme))
        )
    })
    return Effect.gen(function* () {
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], (index) =>
        Effect.forkChild(ask({ domain: `acme${index}.example` }))
      )
      yield* TestClock.adjust(300)
      for (const fiber of fibers) yield* Fiber.join(fiber)
      assert.strictEqual(most, 2)
    }).pipe(Effect.provide(over(slotsOf(vendor))))
  })
})

describe("sharing", () => {
  it.effect("equal questions in the air are one call, and each asker pays as if alone", () => {
    const vendor = counting(Effect.as(Effect.sleep(100), Source.hit(acme, {})))
    return Effect.gen(function* () {
      const fibers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(ask()))
      yield* TestClock.adjust(100)
      for (const fiber of fibers) assert.strictEqual((yield* Fiber.join(fiber)).credits, 1)
      assert.strictEqual(vendor.made.calls, 1)
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("the first asker may leave; the call lands for the others", () => {
    const vendor = counting(Effect.as(Effect.sleep(100), Source.hit(acme, {})))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(ask())
      yield* TestClock.adjust(50)
      const second = yield* Effect.forkChild(ask())
      yield* TestClock.adjust(10)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust(40)
      assert.strictEqual((yield* Fiber.join(second)).credits, 1)
      assert.strictEqual(vendor.made.calls, 1)
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("calls with own keys are shared with nobody", () => {
    const gate = Deferred.makeUnsafe<void>()
    const vendor = counting(Effect.as(Deferred.await(gate), Source.hit(acme, {})), { credential: "ApiKey" })
    const own = new Map([["s0", { _tag: "ApiKey", key: Redacted.make("mine") } as const]])
    return Effect.gen(function* () {
      const one = yield* Effect.forkChild(ask({ byok: own, account: "one", maxCacheAge: null }))
      const two = yield* Effect.forkChild(ask({ byok: own, account: "two", maxCacheAge: null }))
      yield* TestClock.adjust(1)
      yield* Deferred.succeed(gate, undefined)
      const { run, bill } = yield* Fiber.join(one)
      yield* Fiber.join(two)
      assert.strictEqual(vendor.made.calls, 2)
      assert.strictEqual(Bill.total(bill), 0)
      assert.deepStrictEqual(bill.memos, [{ source: "s0", units: 1 }])
      assert.deepStrictEqual(run.byokUsed, ["s0"])
      // Kept for the account that bought it, and for nobody else.
      assert.deepStrictEqual((yield* ask({ byok: own, account: "one", maxCacheAge: null })).run.cacheHits, ["s0"])
      assert.deepStrictEqual((yield* ask({ byok: own, account: "three", maxCacheAge: null })).run.cacheHits, [])
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })
})

describe("the answer cache", () => {
  it.effect("answers for nothing and says so, until the answer is older than the request allows", () => {
    const vendor = counting(hits(acme))
    return Effect.gen(function* () {
      yield* ask({ maxCacheAge: null })
      yield* TestClock.adjust(10_000)
      const { run, credits } = yield* ask({ maxCacheAge: null })
      assert.deepStrictEqual([run.attempted, run.cacheHits, credits], [["s0"], ["s0"], 0])
      assert.strictEqual(run.observations.find(({ field }) => field === "name")?.origin.observed_at, 0)
      assert.deepStrictEqual((yield* ask({ maxCacheAge: 9_999 })).run.cacheHits, [])
      assert.strictEqual(vendor.made.calls, 2)
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("keeps misses too, and never failures", () => {
    const missing = counting(Effect.succeed(Source.miss))
    const failing = counting(Effect.fail(new SourceError.InvalidResponse({ source, problem: "x" })))
    return Effect.gen(function* () {
      yield* ask({ maxCacheAge: null })
      assert.deepStrictEqual((yield* ask({ maxCacheAge: null })).run.cacheHits, ["s0"])
      assert.deepStrictEqual([missing.made.calls, failing.made.calls], [1, 2])
    }).pipe(Effect.provide(over(slotsOf(missing.source, failing.source))))
  })
})

describe("somebody who objected", () => {
  const withMail: CompanyFacts = { ...acme, emails: ["Mara@acme.example", "info@acme.example"] }
  const pages: CompanyFacts = { ...acme, social_links: { linkedin_url: "linkedin.com/company/acme" } }

  it.effect("ends an answer that is about them, and nothing of it is kept", () => {
    const vendor = counting(hits(pages))
    return Effect.gen(function* () {
      const suppression = yield* Suppression.Suppression
      yield* suppression.add("url:linkedin.com/company/acme")
      for (let count = 1; count <= 2; count++) {
        const { run, credits } = yield* ask({ maxCacheAge: null })
        assert.deepStrictEqual(run.failed, [{ source: "s0", reason: "suppressed" }])
        assert.deepStrictEqual([run.observations.length, run.raw, credits], [1, {}, 0])
        assert.strictEqual(vendor.made.calls, count)
      }
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })

  it.effect("is left out of an answer about their company, of the raw answer and of the cache", () => {
    const vendor = counting(hits(withMail))
    return Effect.gen(function* () {
      const suppression = yield* Suppression.Suppression
      yield* suppression.add("email:mara@acme.example")
      for (const cached of [[], ["s0"]]) {
        const { run } = yield* ask({ maxCacheAge: null })
        assert.deepStrictEqual(run.cacheHits, cached)
        assert.include(JSON.stringify(run), "info@acme.example")
        assert.notInclude(JSON.stringify(run).toLowerCase(), "mara@")
        assert.deepStrictEqual(run.raw, {})
      }
    }).pipe(Effect.provide(over(slotsOf(vendor.source))))
  })
})

describe("money", () => {
  const behaviour = Schema.Struct({
    kind: Schema.Literals(["per_call", "per_hit", "per_field_hit"]),
    repeatable: Schema.Boolean,
    delay: Schema.Literals([0, 50, 700, 30_000]),
    answers: Schema.Array(
      Schema.Literals(["hit", "miss", "other", "unavailable", "limited", "invalid", "timeout", "hang"])
    ).check(Schema.isMaxLength(3))
  })

  const scripted = ({ kind, repeatable, delay, answers }: typeof behaviour.Type) => {
    let call = 0
    const answer = (
      word: (typeof answers)[number] | undefined
    ): Effect.Effect<Source.Outcome<CompanyFacts>, SourceError.SourceError> => {
      switch (word) {
        case "hit":
          return hits(acme)
        case "other":
          return hits({ name: "Other", primary_domain: "other.example" })
        case "unavailable":
          return Effect.fail(new SourceError.Unavailable({ source, problem: "502" }))
        case "limited":
          return Effect.fail(new SourceError.RateLimited({ source, retryAfter: 300 }))
        case "invalid":
          return Effect.fail(new SourceError.InvalidResponse({ source, problem: "x" }))
        case "timeout":
          return Effect.fail(new SourceError.TimedOut({ source }))
        case "hang":
          return Effect.never
        default:
          return Effect.succeed(Source.miss)
      }
    }
    return ScriptedSource.make({
      kind,
      repeatable,
      company: () =>
        Effect.andThen(
          Effect.sleep(delay),
          Effect.suspend(() => answer(answers[call++]))
        )
    })
  }

  it.effect.prop(
    "whatever the sources do: in time, in plan order, within the quote and the ceiling, nothing for a failure",
    {
      mode: Plan.Mode,
      sources: Schema.Array(behaviour).check(Schema.isMaxLength(4)),
      ceiling: Schema.Literals([-1, 0.1, 1.1, 3, 20])
    },
    ({ mode, sources, ceiling }) =>
      Effect.gen(function* () {
        const slots = slotsOf(...sources.map(scripted))
        yield* Effect.gen(function* () {
          const started = yield* Clock.currentTimeMillis
          const fiber = yield* Effect.forkChild(
            ask({ mode, timeout: 3000, ...(ceiling < 0 ? {} : { ceiling }) }).pipe(
              Effect.flatMap((result) =>
                Effect.map(Clock.currentTimeMillis, (ended) => ({ ...result, took: ended - started }))
              )
            )
          )
          yield* TestClock.adjust(3000)
          const { run, bill, credits, took } = yield* Fiber.join(fiber)
          assert.isAtMost(took, 3000)
          assert.deepStrictEqual(
            run.steps.map((step) => step.source),
            slots.map(({ name }) => name)
          )
          assert.deepStrictEqual(
            [...run.attempted, ...run.skipped.map((skip) => skip.source)].toSorted(),
            slots.map(({ name }) => name)
          )
          if (ceiling >= 0) assert.isAtMost(credits, Math.max(0, ceiling - 0.1) + 1e-9)
          const charged = new Map(Bill.bySource(bill).map((line) => [line.source, line.credits]))
          for (const step of run.steps) {
            assert.strictEqual(Credits.toNumber(charged.get(step.source) ?? Credits.zero), step.credits)
            const kind = sources[slots.findIndex(({ name }) => name === step.source)]?.kind
            if (step.outcome === "failed" || step.outcome === "skipped") assert.strictEqual(step.credits, 0)
            if (step.outcome === "miss" && kind !== "per_call") assert.strictEqual(step.credits, 0)
            if (step.outcome === "hit") assert.isAbove(step.credits, 0)
          }
        }).pipe(Effect.provide(over(slots)))
      }),
    { arbitrary: { runs: 300 }, timeout: 60_000 }
  )
})
