/**
 * The order of `source_order: "cheapest"`: a plan's steps by what a hit of each is expected to cost, and the reasons.
 * Pure: the hit rates are read before. What verifying the addresses of a hit costs, and how many pass, is left out (v = 0,
 * q = 1, see `Order`): it is the same for whoever gives one.
 *
 * First by the caller's credits; equal ones (every source that costs a hit, at one price) by what the vendor takes, where
 * the operator says what its units are worth; then by the higher hit rate, which asks fewer vendors; then as configured.
 */
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import type { Rate } from "./HitRates.ts"
import * as Order from "./Order.ts"
import type { Plan, Step } from "./Plan.ts"
import type { Ranked } from "./Ranked.ts"
import * as Posterior from "./Posterior.ts"
import type { Operation } from "./Source.ts"

/** The hit rate to expect of a step. */
export const hitRateOf = <Name extends Operation>(
  { adapter, price, source }: Step<Name>,
  segment: string,
  rates: ReadonlyArray<Rate>
): Posterior.HitRate =>
  Posterior.of(rates, {
    operation: price.operation,
    source,
    adapter: `${adapter.adapter}@${adapter.version}`,
    segment
  })

/** A first call that misses, and one that hits and fills so many fields. */
const miss: PriceBook.Result = { _tag: "Miss", attempts: 1 }
const hit = (fields: number): PriceBook.Result => ({ _tag: "Hit", fields, attempts: 1 })

/** What the caller is charged for a call of a step that misses, and for one that fills all that it can, in credits. */
export const chargesOf = <Name extends Operation>({ price, serve }: Step<Name>, prices: PriceBook.PriceBook) => ({
  miss: PriceBook.charge(prices, price, miss),
  hit: PriceBook.charge(prices, price, hit(serve.fields.length))
})

/** The same of the vendor, in the currency of `unitPrice`; unknown is dearer than anything that is known. */
const takenOf = <Name extends Operation>({ serve, unitPrice }: Step<Name>) => {
  const { kind, units } = serve.cost
  const worth = units === 0 ? 0 : units * (unitPrice ?? Number.POSITIVE_INFINITY)
  const due = (times: number) => (times === 0 ? 0 : times * worth)
  return {
    miss: due(PriceBook.units(kind, miss)),
    hit: due(PriceBook.units(kind, hit(serve.fields.length)))
  }
}

interface Judged<Name extends Operation> extends Order.Candidate {
  readonly step: Step<Name>
  readonly hitRateOf: Posterior.HitRate
}

/** A candidate by what is paid for a miss and for a hit. Both are infinite or none: the difference is of what is known. */
const priced = <Name extends Operation>(
  judged: Judged<Name>,
  { hit, miss }: { readonly hit: number; readonly miss: number }
): Judged<Name> => ({ ...judged, perCall: miss, perHit: Number.isFinite(hit) ? hit - miss : hit })

const decimals = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** To one digit, downwards, and 0 below `Posterior.enough`: an answer more or less is not to be seen. */
const coarse = (weight: number): number => {
  if (weight < Posterior.enough) return 0
  const step = 10 ** Math.floor(Math.log10(weight))
  return Math.floor(weight / step) * step
}

const ranked = <Name extends Operation>(judged: Judged<Name>, index: number): Ranked => ({
  source: judged.source,
  rank: index + 1,
  expected_cost: decimals(Order.pricePerPass(judged) / Credits.scale, 6),
  hit_rate: decimals(judged.hitRate, 4),
  observations: coarse(judged.hitRateOf.observations),
  segment_observations: coarse(judged.hitRateOf.inSegment)
})

/** The plan in that order; sources that are not asked come last, as they stand. */
export const cheapest = <Name extends Operation>(
  plan: Plan<Name>,
  segment: string,
  rates: ReadonlyArray<Rate>,
  prices: PriceBook.PriceBook
): Plan<Name> => {
  const candidates = plan.steps.map((step): Judged<Name> => {
    const known = hitRateOf(step, segment, rates)
    const nothing = { perCall: 0, perHit: 0, verify: 0, passRate: 1 }
    return { ...nothing, source: step.source, hitRate: known.rate, step, hitRateOf: known }
  })
  // Each sort keeps the order of what it finds equal, so the last one decides first.
  const byHitRate = candidates.toSorted((a, b) => b.hitRate - a.hitRate)
  const byVendor = Order.cheapest(byHitRate.map((one) => priced(one, takenOf(one.step))))
  const best = Order.cheapest(byVendor.map((one) => priced(one, chargesOf(one.step, prices))))
  const asked = best.map(({ source }) => source)
  return {
    ...plan,
    order: [...asked, ...plan.order.filter((source) => !asked.includes(source))],
    steps: best.map(({ step }) => step),
    ranking: best.map(ranked)
  }
}
