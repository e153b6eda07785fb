import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Effect, Redacted, Schema } from "effect"
import * as PriceBook from "../billing/PriceBook.ts"
import { CompanySubject } from "../company/index.ts"
import type { Rate } from "./HitRates.ts"
import * as Order from "./Order.ts"
import * as Plan from "./Plan.ts"
import * as Posterior from "./Posterior.ts"
import * as Ranking from "./Ranking.ts"
import * as Segment from "./Segment.ts"
import * as Slots from "./Slots.ts"
import * as Source from "./Source.ts"

const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make("k") }
const company = () => Effect.succeed(Source.miss)

interface Made {
  readonly kind?: Source.BillingKind
  readonly price?: number
  readonly unitPrice?: number
  readonly hits?: number
  readonly misses?: number
  readonly ownKey?: boolean
  readonly free?: boolean
}

const identity = { domain: "acme.no", name: null }
const segment = CompanySubject.segment(identity)

/** Ranks sources `s0`, `s1`, … with these prices and answers behind them. */
const rank = (made: ReadonlyArray<Made>, elsewhere: ReadonlyArray<Rate> = []) => {
  const slots = made.map(({ kind, unitPrice }, index) => ({
    ...Slots.bound(`s${index}`, ScriptedSource.make({ company, credential: "ApiKey", ...(kind && { kind }) }), key),
    ...(unitPrice === undefined ? {} : { unitPrice })
  }))
  const prices: PriceBook.PriceBook = {
    ...PriceBook.standard,
    company: {
      platform: 0.1,
      source: 1,
      sources: Object.fromEntries(
        made.flatMap(({ price }, index) => (price === undefined ? [] : [[`s${index}`, price]]))
      )
    }
  }
  const plan = Plan.make({
    subject: CompanySubject,
    identity,
    mode: "first_match",
    order: [...slots, { name: "nobody", source: null, credential: null, byokOnly: false }],
    byok: new Map(made.flatMap(({ ownKey }, index) => (ownKey === true ? [[`s${index}`, key] as const] : []))),
    suppressed: false,
    prices,
    attempts: 3
  })
  const rates = made.map(({ hits = 0, misses = 0 }, index): Rate => ({
    operation: "company",
    source: `s${index}`,
    adapter: "scripted@1",
    segment,
    hits,
    misses
  }))
  return { prices, plan: Ranking.cheapest(plan, segment, [...rates, ...elsewhere], prices) }
}

const order = (made: ReadonlyArray<Made>) => rank(made).plan.order

describe("the cheapest order", () => {
  it("is by credits, where prices differ, however much better the dearer one is", () => {
    assert.deepStrictEqual(
      order([
        { price: 2, hits: 99, misses: 1 },
        { price: 1, hits: 1, misses: 99 }
      ]),
      ["s1", "s0", "nobody"]
    )
  })

  it("weighs a call that is paid whatever it finds by its hit rate", () => {
    const often = { kind: "per_call", price: 0.4, hits: 80, misses: 20 } as const
    const seldom = { kind: "per_call", price: 0.4, hits: 20, misses: 80 } as const
    assert.deepStrictEqual(order([{ price: 1 }, seldom, often]), ["s2", "s0", "s1", "nobody"])
  })

  it("at one price is by what the vendor takes, where that is known, unknown last", () => {
    assert.deepStrictEqual(order([{ hits: 9 }, { unitPrice: 0.3 }, { unitPrice: 0.05 }]), ["s2", "s1", "s0", "nobody"])
  })

  it("at one price and unknown vendors is by hit rate, then as configured", () => {
    const made = [{ misses: 50 }, {}, { hits: 90, misses: 10 }, { hits: 90, misses: 10 }]
    assert.deepStrictEqual(order(made), ["s2", "s3", "s1", "s0", "nobody"])
  })

  it("has what costs no credits first: own keys, and the company's own site", () => {
    assert.deepStrictEqual(order([{ price: 1 }, { price: 5, ownKey: true }, { price: 0 }]), [
      "s1",
      "s2",
      "s0",
      "nobody"
    ])
  })

  it("says why: rank, expected cost, hit rate, and how much is behind it", () => {
    const { plan } = rank([{ kind: "per_call", price: 0.5, hits: 10, misses: 10 }])
    assert.deepStrictEqual(plan.ranking, [
      { source: "s0", rank: 1, expected_cost: 1, hit_rate: 0.5, observations: 20, segment_observations: 20 }
    ])
  })
})

const weight = Schema.Literals([0, 1, 5, 40])
const candidate = Schema.Struct({
  kind: Schema.Literals(["per_call", "per_hit", "per_field_hit"]),
  price: Schema.Literals([0, 0.25, 1, 4]),
  ownKey: Schema.Boolean,
  hits: weight,
  misses: weight
})

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest]))

it.prop(
  "no other order of the plan's steps is expected to cost fewer credits, and the same rates give the same order",
  [Schema.Array(candidate).check(Schema.isMaxLength(4))],
  ([made]) => {
    const { plan, prices } = rank(made)
    assert.deepStrictEqual(rank(made).plan.order, plan.order)
    const rates = made.map(({ hits, misses }, index): Rate => ({
      operation: "company",
      source: `s${index}`,
      adapter: "scripted@1",
      segment,
      hits,
      misses
    }))
    const candidates = plan.steps.map((step) => {
      const { hit, miss } = Ranking.chargesOf(step, prices)
      const { rate } = Ranking.hitRateOf(step, segment, rates)
      return { source: step.source, perCall: miss, perHit: hit - miss, verify: 0, passRate: 1, hitRate: rate }
    })
    const cost = Order.expectedCost(candidates)
    for (const other of permutations(candidates)) assert.isAtMost(cost, Order.expectedCost(other) + 1e-3)
  },
  { arbitrary: { runs: 500 } }
)

it("shows how much is behind it to one digit, and nothing of less than 20 answers", () => {
  const counts = (hits: number) => {
    const [first] = rank([{ hits }]).plan.ranking ?? []
    return [first?.observations, first?.segment_observations]
  }
  assert.deepStrictEqual([0, 1, 19.9, 20, 29.9, 99, 100, 199, 3456].map(counts), [
    [0, 0],
    [0, 0],
    [0, 0],
    [20, 20],
    [20, 20],
    [90, 90],
    [100, 100],
    [100, 100],
    [3000, 3000]
  ])
})

describe("a hit rate", () => {
  const counted = { operation: "company", source: "a", adapter: "x@1", segment: "domain.no" } as const

  it("of a source that nobody has asked is what the others do, and a half where there are none", () => {
    assert.strictEqual(Posterior.of([], counted).rate, 0.5)
    const others = [{ ...counted, source: "b", hits: 898, misses: 100 }]
    assert.closeTo(Posterior.of(others, counted).rate, 0.9, 0.001)
  })

  it("is the source's own after some answers, and the segment's after some in it", () => {
    const everywhere = { ...counted, segment: "name", hits: 900, misses: 100 }
    assert.closeTo(Posterior.of([everywhere], counted).rate, 0.9, 0.01)
    const here = { ...counted, hits: 10, misses: 990 }
    assert.closeTo(Posterior.of([everywhere, here], counted).rate, 0.014, 0.005)
  })

  it("does not tell a segment with fewer than 20 answers apart", () => {
    const everywhere = { ...counted, segment: "name", hits: 900, misses: 100 }
    const few = { ...counted, hits: 0, misses: 19 }
    const elsewhere = { ...few, segment: "domain.se" }
    assert.strictEqual(
      Posterior.of([everywhere, few], counted).rate,
      Posterior.of([everywhere, elsewhere], counted).rate
    )
    const enough = { ...few, misses: 20 }
    assert.isBelow(Posterior.of([everywhere, enough], counted).rate, 0.5)
  })

  it("is another adapter's, version's or operation's for nobody", () => {
    const other = { ...counted, adapter: "x@2", hits: 1000, misses: 0 }
    assert.strictEqual(Posterior.of([other], counted).observations, 0)
    const person = { ...counted, operation: "person", hits: 1000, misses: 0 } as const
    assert.strictEqual(Posterior.of([person], counted).rate, 0.5)
  })

  it("costs a look at all rates once for each copy of them, not for each question", () => {
    let looks = 0
    const copy = (): ReadonlyArray<Rate> =>
      new Proxy([{ ...counted, hits: 9, misses: 1 }], {
        get: (rates, name) => {
          if (name === "0") looks++
          return Reflect.get(rates, name)
        }
      })
    const rates = copy()
    const first = Posterior.of(rates, counted)
    for (let asked = 0; asked < 100; asked++) assert.deepStrictEqual(Posterior.of(rates, counted), first)
    assert.strictEqual(looks, 1)
    Posterior.of(copy(), counted)
    assert.strictEqual(looks, 2)
  })

  it("is never 0 nor 1", () => {
    for (const [hits, misses] of [
      [0, 1e6],
      [1e6, 0]
    ] as const) {
      const { rate } = Posterior.of([{ ...counted, hits, misses }], counted)
      assert.isTrue(rate > 0 && rate < 1)
    }
  })
})

it("a segment is the form of the question and the country of the domain, and names nobody", () => {
  assert.deepStrictEqual(
    [
      Segment.of("acme.no", false),
      Segment.of("acme.co.uk", true),
      Segment.of("acme.example", true),
      Segment.of(null, true)
    ],
    ["domain.no", "domain+name.uk", "domain+name", "name"]
  )
})
