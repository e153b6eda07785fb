import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Effect, Redacted, Schema } from "effect"
import { Credits, Ledger, PriceBook } from "../billing/index.ts"
import { CompanyEnrichment } from "../company/index.ts"
import { PersonEnrichment } from "../person/index.ts"
import { Core } from "../index.ts"
import * as Suppression from "../account/Suppression.ts"
import type { Caller } from "../request/index.ts"
import * as HitRates from "./HitRates.ts"
import { Mode } from "./Plan.ts"
import * as Source from "./Source.ts"
import * as SourceError from "./SourceError.ts"
import type { Slot } from "./Slots.ts"
import * as Waterfall from "./Waterfall.ts"

const caller: Caller.Caller = { account: "acc", api_key: null, request_id: "req_1", received_at: 0, idempotency: null }

type Encoded = typeof CompanyEnrichment.CompanyEnrichmentRequest.Encoded
type Waterfalled = NonNullable<Encoded["waterfall"]>

const requestOf = (waterfall: Waterfalled = {}, domains: ReadonlyArray<string> = ["acme.example"]) =>
  Schema.decodeUnknownSync(CompanyEnrichment.CompanyEnrichmentRequest)({ identity: { domains }, waterfall })

const quote = (waterfall?: Waterfalled, domains?: ReadonlyArray<string>) =>
  Effect.flatMap(CompanyEnrichment.CompanyEnrichment, (companies) =>
    companies.quote(requestOf(waterfall, domains), caller)
  )

const balance = Effect.flatMap(Ledger.Ledger, (ledger) => ledger.balance("acc"))

const grant = (credits: number) =>
  Effect.flatMap(Ledger.Ledger, (ledger) =>
    ledger.grant({
      account: "acc",
      amount: Credits.fromNumber(credits),
      expires_at: null,
      key: "test",
      reason: "test"
    })
  )

const seen = (source: string, hits: number, misses: number) =>
  Effect.flatMap(HitRates.HitRates, ({ record }) =>
    Effect.forEach(
      Array.from({ length: hits + misses }, (_, index) => index < hits),
      (hit) => record({ operation: "company", source, adapter: "scripted@1", segment: "domain", hit }),
      { discard: true }
    )
  )

const key = { _tag: "ApiKey", key: Redacted.make("k") } as const
const slotOf = (name: string, source: Source.Source | null): Slot => ({
  name,
  source,
  credential: key,
  byokOnly: false
})
const knowing = (script?: ScriptedSource.Script) => ScriptedSource.knowing({ name: "Acme", founded_year: 1999 }, script)
const metered = (slots: ReadonlyArray<Slot>, options?: Core.Options) =>
  Core.layerMemory(slots, { ...options, ledger: Ledger.layerMemory })

const outcomes = {
  hit: Effect.succeed(Source.hit({ name: "Acme", founded_year: 1999, phones: ["+4722000000"] }, {})),
  miss: Effect.succeed(Source.miss),
  down: Effect.fail(new SourceError.Unavailable({ source: "scripted", problem: "test" })),
  wrong: Effect.fail(new SourceError.InvalidResponse({ source: "scripted", problem: "test" }))
}

const step = Schema.Struct({
  kind: Schema.Literals(["per_call", "per_hit", "per_field_hit"]),
  price: Schema.Literals([0, 0.25, 1, 7.5]),
  repeatable: Schema.Boolean,
  ownKey: Schema.Boolean,
  outcome: Schema.Literals(["hit", "miss", "down", "wrong"]),
  hits: Schema.Literals([0, 3, 50]),
  misses: Schema.Literals([0, 3, 50])
})
type Stepped = typeof step.Type

const names = ["provider_a", "provider_b", "provider_c", "provider_d"] as const

/** Why sources were skipped, for any company of the answer. */
const reasons = ({ companies, meta }: CompanyEnrichment.CompanyEnrichmentResult): ReadonlyArray<string> =>
  [{ meta }, ...(companies ?? [])].flatMap((one) => one.meta.waterfall.sources_skipped.map(({ reason }) => reason))

/** An installation of these steps; retries do not pause. */
const house = (steps: ReadonlyArray<Stepped>) =>
  metered(
    steps.map(({ kind, outcome, repeatable }, index) =>
      slotOf(
        names[index] ?? "",
        ScriptedSource.make({ company: () => outcomes[outcome], kind, repeatable, credential: "ApiKey" })
      )
    ),
    {
      policy: { ...Waterfall.defaults, guard: { ...Waterfall.defaults.guard, pause: 0 } },
      prices: {
        ...PriceBook.standard,
        company: {
          platform: 0.1,
          source: 1,
          sources: Object.fromEntries(steps.map(({ price }, index) => [names[index] ?? "", price]))
        }
      }
    }
  )

const byokOf = (steps: ReadonlyArray<Stepped>) =>
  Object.fromEntries(steps.flatMap(({ ownKey }, index) => (ownKey ? [[`${names[index]}_api_key`, "own"]] : [])))

it.effect.prop(
  "a quote covers what the same request is charged then, and takes nothing itself",
  {
    mode: Mode,
    cheapest: Schema.Boolean,
    ceiling: Schema.NullOr(Schema.Literals([0.1, 1, 3])),
    companies: Schema.Literals([1, 3]),
    steps: Schema.Array(step).check(Schema.isMinLength(1), Schema.isMaxLength(4))
  },
  ({ ceiling, cheapest, companies, mode, steps }) =>
    Effect.gen(function* () {
      yield* grant(1000)
      for (const [index, { hits, misses }] of steps.entries()) yield* seen(names[index] ?? "", hits, misses)
      const waterfall = {
        mode,
        byok: byokOf(steps),
        ...(cheapest ? { source_order: "cheapest" as const } : {}),
        ...(ceiling === null ? {} : { max_credits: ceiling })
      }
      const domains = ["acme.example", "other.example", "acme.example"].slice(0, companies)
      const quoted = yield* quote(waterfall, domains)
      assert.strictEqual((yield* balance).available, Credits.fromNumber(1000))
      const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
      const answered = yield* Effect.exit(enrich(requestOf(waterfall, domains), caller))
      const charged = Credits.toNumber((yield* balance).captured)
      assert.isAtMost(charged, quoted.held)
      assert.isAtMost(quoted.expected, quoted.held)
      assert.isAtMost(quoted.held, quoted.worst)
      if (ceiling === null) assert.strictEqual(quoted.held, quoted.worst)
      // The tab would keep a charge below any hold: a quote that is too low shows in sources that it cuts off.
      if (ceiling === null && answered._tag === "Success")
        assert.notInclude(reasons(answered.value.answer), "budget_exhausted")
      if (!quoted.fits_max_credits) assert.strictEqual(answered._tag, "Failure")
      for (const subject of quoted.subjects) {
        assert.lengthOf(subject.steps, steps.length)
        for (const one of subject.steps) assert.isAtMost(one.expected, one.worst)
      }
    }).pipe(Effect.provide(house(steps))),
  { arbitrary: { runs: 300 } }
)

/** The average over every combination of hits and misses, each as probable as the rates of the quote make it. */
const averaged = (
  steps: ReadonlyArray<{ readonly rate: number; readonly hit: number; readonly miss: number }>,
  stops: boolean
): number => {
  const [first, ...rest] = steps
  if (first === undefined) return 0
  const after = averaged(rest, stops)
  return first.rate * (first.hit + (stops ? 0 : after)) + (1 - first.rate) * (first.miss + after)
}

describe("the expected price", () => {
  const slots = (["per_call", "per_hit", "per_hit"] as const).map((kind, index) =>
    slotOf(names[index] ?? "", knowing({ kind, credential: "ApiKey" }))
  )
  const rates = Effect.all([seen("provider_a", 20, 80), seen("provider_b", 60, 40)])

  for (const mode of ["first_match", "aggregate", "fill_missing"] as const) {
    it.effect(`of ${mode} is the average over every way in which it can go`, () =>
      Effect.gen(function* () {
        yield* rates
        const { expected, subjects } = yield* quote({ mode })
        const steps = subjects[0]?.steps ?? []
        const priced = steps.map(({ hit_rate }, index) => ({ rate: hit_rate ?? 0, hit: 1, miss: index === 0 ? 1 : 0 }))
        assert.closeTo(expected, 0.1 + averaged(priced, mode === "first_match"), 1e-3)
        const reached = steps.map(({ asked_probability }) => asked_probability)
        const [one = 0, two = 0] = steps.map(({ hit_rate }) => hit_rate ?? 0)
        const later = mode === "first_match" ? [1, 1 - one, (1 - one) * (1 - two)] : [1, 1, 1]
        for (const [index, probability] of later.entries()) assert.closeTo(reached[index] ?? 0, probability, 1e-3)
      }).pipe(Effect.provide(metered(slots)))
    )
  }

  it.effect("has nothing for a source that fill_missing needs for no field", () =>
    Effect.gen(function* () {
      const { subjects } = yield* quote({ mode: "fill_missing", required_fields: ["description"] })
      assert.deepStrictEqual(
        subjects[0]?.steps.map(({ expected, skipped }) => [skipped, expected]),
        [
          ["fields_filled", 0],
          [null, 0.5]
        ]
      )
    }).pipe(
      Effect.provide(
        metered([
          slotOf("provider_a", knowing({ companyFields: ["name"] })),
          slotOf("provider_b", knowing({ companyFields: ["description"] }))
        ])
      )
    )
  )
})

describe("a ceiling", () => {
  const slots = names.slice(0, 3).map((name) => slotOf(name, knowing()))

  it.effect("cuts off in the quote what it cuts off in the request: whoever is asked at once and does not fit", () =>
    Effect.gen(function* () {
      yield* grant(100)
      const waterfall = { mode: "aggregate", max_credits: 2.5 } as const
      const quoted = yield* quote(waterfall)
      assert.deepStrictEqual([quoted.worst, quoted.held, quoted.expected], [3.1, 2.5, 1.1])
      const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
      const { answer } = yield* enrich(requestOf(waterfall), caller)
      assert.deepStrictEqual(
        quoted.subjects[0]?.steps.flatMap(({ skipped, source }) =>
          skipped === null ? [] : [{ source, reason: skipped }]
        ),
        [...answer.meta.waterfall.sources_skipped]
      )
    }).pipe(Effect.provide(metered(slots)))
  )

  it.effect("below the fee and the first step, and a balance below the hold, are said and not refused", () =>
    Effect.gen(function* () {
      yield* grant(1)
      const quoted = yield* quote({ max_credits: 1 })
      assert.deepStrictEqual(
        [quoted.least, quoted.held, quoted.available, quoted.fits_max_credits, quoted.fits_balance],
        [1.1, 1, 1, false, true]
      )
      assert.isFalse((yield* quote({})).fits_balance)
    }).pipe(Effect.provide(metered(slots)))
  )
})

it.effect("who objected is skipped in the quote too, and every source of the order is in it", () =>
  Effect.gen(function* () {
    yield* (yield* Suppression.Suppression).add("domain:acme.example")
    const { expected, subjects, worst } = yield* quote({}, ["acme.example", "other.example"])
    assert.deepStrictEqual(
      subjects.map(({ steps }) => steps.map(({ skipped }) => skipped)),
      [
        ["suppressed", "not_configured"],
        [null, "not_configured"]
      ]
    )
    assert.deepStrictEqual([worst, expected], [1.2, 0.7])
  }).pipe(Effect.provide(metered([slotOf("provider_a", knowing()), slotOf("provider_b", null)])))
)

it.effect("of a person is made in the same way", () =>
  Effect.gen(function* () {
    const { quote } = yield* PersonEnrichment.PersonEnrichment
    const request = Schema.decodeUnknownSync(PersonEnrichment.PersonEnrichmentRequest)({
      identity: { first_name: "Mara", domain: "acme.example" }
    })
    const { operation, subjects, worst } = yield* quote(request, caller)
    assert.deepStrictEqual([operation, worst], ["person", 1.1])
    assert.deepStrictEqual(subjects[0]?.identity, { first_name: "Mara", last_name: null, domain: "acme.example" })
  }).pipe(
    Effect.provide(metered([slotOf("provider_a", ScriptedSource.make({ person: () => Effect.succeed(Source.miss) }))]))
  )
)
