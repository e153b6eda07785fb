import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Clock, Deferred, Effect, Exit, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Suppression from "../account/Suppression.ts"
import * as Bill from "../billing/Bill.ts"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import * as Tab from "../billing/Tab.ts"
import type { CompanyFacts } from "../company/index.ts"
import { CompanyFields, CompanySubject } from "../company/index.ts"
import { Core } from "../index.ts"
import * as HitRates from "./HitRates.ts"
import * as Latencies from "./Latencies.ts"
import * as Merge from "./Merge.ts"
import * as Plan from "./Plan.ts"
import * as Slots from "./Slots.ts"
import * as Source from "./Source.ts"
import * as SourceError from "./SourceError.ts"
import * as Waterfall from "./Waterfall.ts"

type Answer = Effect.Effect<Source.Outcome<CompanyFacts>, SourceError.SourceError>

const source = "scripted"
/** How long every source takes as a rule, in milliseconds. */
const usual = 100

interface Scripted {
  /** How it answers after it was warmed up. */
  readonly answer: Answer
  readonly kind?: Source.BillingKind
  readonly repeatable?: boolean
}

const watched = { inTheAir: 0, most: 0, asked: [] as Array<string>, interrupted: [] as Array<string> }

/** A source that first answers in its usual time, and then as the script says; `watched` sees its calls. */
const slotOf = ({ answer, kind, repeatable }: Scripted, index: number): Slots.Slot => {
  const name = `s${index}`
  let warm = false
  const company = Effect.fnUntraced(function* () {
    if (!warm) {
      warm = true
      yield* Effect.sleep(usual)
      return Source.miss
    }
    watched.asked.push(name)
    watched.most = Math.max(watched.most, ++watched.inTheAir)
    return yield* answer.pipe(
      Effect.onInterrupt(() => Effect.sync(() => watched.interrupted.push(name))),
      Effect.ensuring(Effect.sync(() => watched.inTheAir--))
    )
  })
  return Slots.bound(
    name,
    ScriptedSource.make({
      company,
      ...(kind === undefined ? {} : { kind }),
      ...(repeatable === undefined ? {} : { repeatable })
    })
  )
}

interface Ask {
  readonly mode?: Plan.Mode
  readonly hedge?: boolean
  readonly required?: ReadonlyArray<string>
  readonly ceiling?: number | null
  readonly domain?: string
  /** Slots that are asked with the caller's own key. */
  readonly own?: ReadonlyArray<string>
}

const planOf = (
  slots: ReadonlyArray<Slots.Slot>,
  { domain = "acme.example", hedge = true, mode = "first_match", own = [] }: Ask
) =>
  Plan.make({
    subject: CompanySubject,
    identity: { domain, name: null },
    mode,
    order: slots,
    byok: new Map(own.map((slot) => [slot, { _tag: "ApiKey", key: Redacted.make("own") }])),
    suppressed: false,
    prices: PriceBook.standard,
    attempts: 3,
    hedge
  })

const ask = Effect.fnUntraced(function* (options: Ask = {}) {
  const waterfall = yield* Waterfall.Waterfall
  const plan = planOf((yield* Slots.Slots).all, options)
  const prices = PriceBook.standard
  const tab = Tab.make(
    options.ceiling == null ? Plan.quote(plan, prices) : Credits.fromNumber(options.ceiling),
    prices.version
  )
  tab.reserve(plan.platformFee)
  const started = yield* Clock.currentTimeMillis
  const run = yield* waterfall.run({
    subject: CompanySubject,
    identity: { domain: options.domain ?? "acme.example", name: null },
    plan,
    prices,
    tab,
    deadline: started + 3000,
    maxCacheAge: 0,
    account: "acc",
    required: options.required ?? Merge.requiredByDefault(CompanyFields)
  })
  const merged = Merge.merge(CompanySubject.table, run.observations, plan.order)
  const took = (yield* Clock.currentTimeMillis) - started
  return { run, merged, took, bill: tab.bill(), credits: Credits.toNumber(Bill.total(tab.bill())) }
})

/** Lets every source answer once in its usual time, so that later answers are late. */
const warmUp = Effect.gen(function* () {
  const fiber = yield* Effect.forkChild(ask({ mode: "aggregate", hedge: false, domain: "warm.example" }))
  yield* TestClock.adjust(usual)
  yield* Fiber.join(fiber)
  Object.assign(watched, { inTheAir: 0, most: 0, asked: [], interrupted: [] })
})

const policy = { ...Waterfall.defaults, latencies: { window: 200, enough: 1 } }

/** Asks over these sources, all of them warm, and gives the clock all the time of the request. */
const over = (scripts: ReadonlyArray<Scripted>, options: Ask = {}) =>
  Effect.gen(function* () {
    yield* warmUp
    const fiber = yield* Effect.forkChild(ask(options))
    yield* TestClock.adjust(3000)
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(Waterfall.layer(policy).pipe(Layer.provideMerge(Core.layerMemory(scripts.map(slotOf))))))

const after = (millis: number, facts: CompanyFacts | null): Answer =>
  Effect.as(Effect.sleep(millis), facts === null ? Source.miss : Source.hit(facts, { synthetic: true }))

const outcomes = ({ run }: Effect.Success<ReturnType<typeof over>>) =>
  run.steps.map(({ credits, outcome, source }) => `${source} ${outcome} ${credits}`)

const byFirst: CompanyFacts = { name: "Acme by the first", founded_year: 1999 }
const bySecond: CompanyFacts = { name: "Acme by the second", description: "by the second" }

describe("a hedged first_match", () => {
  it.effect(
    "asks the next source when the present one is later than its p95, takes whoever hits first, gives up the other",
    () =>
      Effect.gen(function* () {
        const ended = yield* over([
          { answer: after(800, byFirst) },
          { answer: after(50, bySecond) },
          { answer: after(1, {}) }
        ])
        assert.deepStrictEqual(outcomes(ended), ["s0 abandoned 0", "s1 hit 1", "s2 skipped 0"])
        assert.deepStrictEqual(ended.run.hedged, [{ source: "s0", by: "s1" }])
        assert.deepStrictEqual([ended.took, ended.credits], [usual + 50, 1])
        assert.deepStrictEqual([watched.asked, watched.interrupted], [["s0", "s1"], ["s0"]])
      })
  )

  it.effect("asks nobody beside a source that is in time, or that nothing is known of", () =>
    Effect.gen(function* () {
      const inTime = yield* over([{ answer: after(usual - 1, byFirst) }, { answer: after(1, bySecond) }])
      assert.deepStrictEqual(outcomes(inTime), ["s0 hit 1", "s1 skipped 0"])
      assert.deepStrictEqual([inTime.run.hedged, watched.asked], [[], ["s0"]])
      const unknown = yield* Effect.gen(function* () {
        yield* warmUp
        const fiber = yield* Effect.forkChild(ask())
        yield* TestClock.adjust(3000)
        return yield* Fiber.join(fiber)
      }).pipe(
        Effect.provide(
          Waterfall.layer().pipe(
            Layer.provideMerge(
              Core.layerMemory([{ answer: after(800, byFirst) }, { answer: after(1, bySecond) }].map(slotOf))
            )
          )
        )
      )
      assert.deepStrictEqual([unknown.run.attempted, unknown.took], [["s0"], 800])
    })
  )

  it.effect("is off unless it is asked for", () =>
    Effect.gen(function* () {
      const { run, took } = yield* over([{ answer: after(800, byFirst) }, { answer: after(1, bySecond) }], {
        hedge: false
      })
      assert.deepStrictEqual([run.attempted, run.hedged, took], [["s0"], null, 800])
    })
  )

  it.effect("charges both where both have hit, and the attributes are in the order of the plan", () =>
    Effect.gen(function* () {
      // One event answers both.
      const gate = yield* Deferred.make<void>()
      const together = (facts: CompanyFacts) => Effect.as(Deferred.await(gate), Source.hit(facts, { synthetic: true }))
      yield* Effect.forkChild(Effect.andThen(Effect.sleep(2 * usual + 300), Deferred.succeed(gate, undefined)))
      const ended = yield* over([{ answer: together(byFirst) }, { answer: together(bySecond) }])
      assert.deepStrictEqual(outcomes(ended), ["s0 hit 1", "s1 hit 1"])
      const { description, name } = ended.merged.profile
      assert.deepStrictEqual([name, description], ["Acme by the first", "by the second"])
      assert.strictEqual(ended.credits, 2)
    })
  )

  it.effect("charges a call that was given up where its vendor charges every call, and says so", () =>
    Effect.gen(function* () {
      const ended = yield* over([{ answer: after(800, byFirst), kind: "per_call" }, { answer: after(50, bySecond) }])
      assert.deepStrictEqual(outcomes(ended), ["s0 abandoned 1", "s1 hit 1"])
      assert.deepStrictEqual([ended.credits, ended.run.attempted], [2, ["s0", "s1"]])
    })
  )

  it.effect("has one hedge in the air at a time: when it misses, the next one takes its place", () =>
    Effect.gen(function* () {
      const ended = yield* over([
        { answer: after(900, byFirst) },
        { answer: after(30, null) },
        { answer: after(30, null) },
        { answer: after(30, bySecond) }
      ])
      assert.deepStrictEqual(outcomes(ended), ["s0 abandoned 0", "s1 miss 0", "s2 miss 0", "s3 hit 1"])
      assert.deepStrictEqual(
        ended.run.hedged?.map(({ by, source }) => `${source} ${by}`),
        ["s0 s1", "s0 s2", "s0 s3"]
      )
      assert.deepStrictEqual([ended.took, watched.most], [usual + 90, 2])
    })
  )

  it.effect("waits for the late source where the budget does not cover both, and goes on when it has missed", () =>
    Effect.gen(function* () {
      const scripts = [{ answer: after(800, null) }, { answer: after(50, bySecond) }]
      const ended = yield* over(scripts, { ceiling: 1.1 })
      assert.deepStrictEqual(outcomes(ended), ["s0 miss 0", "s1 hit 1"])
      assert.deepStrictEqual([ended.run.hedged, ended.took, watched.most], [[], 850, 1])
    })
  )
})

describe("a hedged fill_missing", () => {
  const required = ["founded_year", "description"]

  it.effect("merges both, whoever came first: what is merged is in the order of the plan", () =>
    Effect.gen(function* () {
      const merged = []
      for (const [first, second] of [
        [400, 50],
        [150, 300]
      ] as const) {
        const ended = yield* over([{ answer: after(first, byFirst) }, { answer: after(second, bySecond) }], {
          mode: "fill_missing",
          required
        })
        assert.deepStrictEqual(outcomes(ended), ["s0 hit 1", "s1 hit 1"])
        assert.deepStrictEqual(ended.run.attempted, ["s0", "s1"])
        merged.push([ended.merged.profile, ended.merged.field_sources])
      }
      assert.deepStrictEqual(merged[0], merged[1])
    })
  )

  it.effect("gives up a late source when its hedge has filled what was missing", () =>
    Effect.gen(function* () {
      const filled = { ...bySecond, founded_year: 2000 }
      const ended = yield* over([{ answer: after(800, byFirst) }, { answer: after(50, filled) }], {
        mode: "fill_missing",
        required
      })
      assert.deepStrictEqual([outcomes(ended), ended.took], [["s0 abandoned 0", "s1 hit 1"], 150])
    })
  )
})

it.effect("an abandoned hedged run interrupts both calls", () =>
  Effect.gen(function* () {
    yield* warmUp
    const fiber = yield* Effect.forkChild(ask())
    yield* TestClock.adjust(500)
    assert.deepStrictEqual(watched.asked, ["s0", "s1"])
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust(1)
    assert.deepStrictEqual([watched.interrupted.toSorted(), watched.inTheAir], [["s0", "s1"], 0])
  }).pipe(
    Effect.provide(
      Waterfall.layer(policy).pipe(
        Layer.provideMerge(Core.layerMemory([{ answer: Effect.never }, { answer: Effect.never }].map(slotOf)))
      )
    )
  )
)

const word = Schema.Literals(["hit", "miss", "other", "down", "limited", "invalid", "hang"])
const behaviour = Schema.Struct({
  kind: Schema.Literals(["per_call", "per_hit", "per_field_hit"]),
  repeatable: Schema.Boolean,
  delay: Schema.Literals([0, 50, 150, 250, 700]),
  word
})

const answerOf = (said: typeof word.Type): Answer => {
  switch (said) {
    case "hit":
      return Effect.succeed(Source.hit(byFirst, {}))
    case "other":
      return Effect.succeed(Source.hit({ name: "Other", primary_domain: "other.example" }, {}))
    case "miss":
      return Effect.succeed(Source.miss)
    case "down":
      return Effect.fail(new SourceError.Unavailable({ source, problem: "502" }))
    case "limited":
      return Effect.fail(new SourceError.RateLimited({ source, retryAfter: 300 }))
    case "invalid":
      return Effect.fail(new SourceError.InvalidResponse({ source, problem: "x" }))
    case "hang":
      return Effect.never
  }
}

it.effect.prop(
  "whatever the sources do: two calls at most, in time, within quote and ceiling, and nothing charged that is not due",
  {
    mode: Schema.Literals(["first_match", "fill_missing"]),
    sources: Schema.Array(behaviour).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
    ceiling: Schema.NullOr(Schema.Literals([0.1, 1.1, 2.1, 20]))
  },
  ({ ceiling, mode, sources }) =>
    Effect.gen(function* () {
      const scripts = sources.map(({ delay, kind, repeatable, word }) => ({
        kind,
        repeatable,
        answer: Effect.andThen(Effect.sleep(delay), answerOf(word))
      }))
      const { bill, credits, run, took } = yield* over(scripts, { mode, ceiling })
      const plan = planOf(scripts.map(slotOf), { mode })
      assert.isAtMost(took, 3000)
      assert.isAtMost(watched.most, 2)
      assert.strictEqual(watched.inTheAir, 0)
      assert.isAtMost(credits, Credits.toNumber(Plan.quote(plan, PriceBook.standard)) - 0.1 + 1e-9)
      if (ceiling !== null) assert.isAtMost(credits, Math.max(0, ceiling - 0.1) + 1e-9)
      else
        assert.notInclude(
          run.skipped.map(({ reason }) => reason),
          "budget_exhausted"
        )
      assert.deepStrictEqual(
        run.steps.map(({ source }) => source),
        plan.order
      )
      const charged = new Map(Bill.bySource(bill).map((line) => [line.source, Credits.toNumber(line.credits)]))
      for (const step of run.steps) {
        const kind = sources[plan.order.indexOf(step.source)]?.kind
        assert.strictEqual(charged.get(step.source) ?? 0, step.credits)
        if (step.outcome === "failed" || step.outcome === "skipped") assert.strictEqual(step.credits, 0)
        if ((step.outcome === "miss" || step.outcome === "abandoned") && kind !== "per_call") {
          assert.strictEqual(step.credits, 0)
        }
        if (step.outcome === "hit") assert.isAbove(step.credits, 0)
      }
    }),
  { arbitrary: { runs: 300 }, timeout: 60_000 }
)

describe("what is late", () => {
  const timed = (latencies: Latencies.Latencies, millis: number, end: Effect.Effect<void, string> = Effect.void) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        Effect.exit(latencies.timed("a", Effect.andThen(Effect.sleep(millis), end)))
      )
      yield* TestClock.adjust(millis)
      yield* Fiber.join(fiber)
    })

  it.effect("is later than 95 of 100 of the last answers, and nothing is before there are enough", () =>
    Effect.gen(function* () {
      const latencies = Latencies.make({ window: 100, enough: 20 })
      for (let millis = 1; millis < 20; millis++) yield* timed(latencies, millis)
      assert.isNull(latencies.lateAfter("a"))
      for (let millis = 20; millis <= 100; millis++) yield* timed(latencies, millis)
      assert.deepStrictEqual([latencies.lateAfter("a"), latencies.lateAfter("b")], [95, null])
      for (let turn = 0; turn < 100; turn++) yield* timed(latencies, 7)
      assert.strictEqual(latencies.lateAfter("a"), 7)
    })
  )

  it.effect("is not judged by failures, nor by calls that were given up in time; by those that were late, it is", () =>
    Effect.gen(function* () {
      const latencies = Latencies.make({ window: 100, enough: 1 })
      yield* timed(latencies, 50)
      yield* timed(latencies, 900, Effect.fail("down"))
      assert.strictEqual(latencies.lateAfter("a"), 50)
      for (const [left, late] of [
        [10, 50],
        [70, 70]
      ] as const) {
        const fiber = yield* Effect.forkChild(latencies.timed("a", Effect.never))
        yield* TestClock.adjust(left)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(latencies.lateAfter("a"), late)
      }
    })
  )
})

for (const hedge of [false, true]) {
  it.effect(`a defect in what is done with an answer ends the request at once, with hedge: ${hedge}`, () => {
    const broken = {
      get text(): string {
        throw new Error("broken")
      }
    }
    const answer = Effect.as(Effect.sleep(5), Source.hit<CompanyFacts>({ name: "Acme" }, broken))
    const slots = [{ answer }, { answer: Effect.never }]
    return Effect.gen(function* () {
      yield* Effect.flatMap(Suppression.Suppression, ({ add }) => add("domain:objected.example"))
      yield* warmUp
      const asked = yield* Effect.forkChild(ask({ hedge }), { startImmediately: true })
      yield* TestClock.adjust(10)
      const exit = asked.pollUnsafe()
      assert.isTrue(exit !== undefined && Exit.hasDies(exit))
      assert.strictEqual(watched.inTheAir, 0)
    }).pipe(Effect.provide(Waterfall.layer(policy).pipe(Layer.provideMerge(Core.layerMemory(slots.map(slotOf))))))
  })
}

for (const own of [[], ["s0", "s1"]]) {
  it.effect(
    `answers to ${own.length === 0 ? "the platform's keys are" : "own keys are not"} what is counted and what is late`,
    () => {
      const late = { answer: Effect.as(Effect.sleep(2 * usual), Source.miss) }
      return Effect.gen(function* () {
        const warm = yield* Effect.forkChild(ask({ mode: "aggregate", hedge: false, own }))
        yield* TestClock.adjust(usual)
        yield* Fiber.join(warm)
        const rates = yield* Effect.flatMap(HitRates.HitRates, ({ all }) => all)
        assert.lengthOf(rates, 2 - own.length)
        const asked = yield* Effect.forkChild(ask())
        yield* TestClock.adjust(3000)
        const { run } = yield* Fiber.join(asked)
        assert.deepStrictEqual(run.hedged, own.length === 0 ? [{ source: "s0", by: "s1" }] : [])
      }).pipe(
        Effect.provide(Waterfall.layer(policy).pipe(Layer.provideMerge(Core.layerMemory([late, late].map(slotOf)))))
      )
    }
  )
}
