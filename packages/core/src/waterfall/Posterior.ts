/**
 * The hit rate that is expected of a source: the mean of a Beta posterior. What is believed before a source has answered is
 * what all sources of the operation do on average (Beta(1, 1) before any of them has), with the weight of `trust` answers;
 * the segment's own answers stand on the source's in the same way. So it is never 0 nor 1, and few answers move it little.
 * Pure.
 *
 * Gotchas
 * - A source is measured on the questions that it was asked. One behind others is asked what they missed.
 * - A segment with fewer than `enough` answers is not told apart: its rate would tell an account what few others asked.
 * - Rates are summed up once for each list of them and remembered with it, so a list that was read is not changed.
 */
import type { Counted, Rate } from "./HitRates.ts"
import type { Operation } from "./Source.ts"

/** As many answers as what was believed before weighs. */
const trust = 10

/** The weight of answers from which on they tell nothing about who asked. */
export const enough = 20

export interface HitRate {
  /** Above 0, below 1. */
  readonly rate: number
  /** The weight of the source's answers to this operation. */
  readonly observations: number
  /** Of them, those of the segment. */
  readonly inSegment: number
}

interface Sum {
  hits: number
  all: number
}

interface Sums extends Sum {
  /** By source and adapter. */
  readonly sources: Map<string, Sum & { readonly segments: Map<string, Sum> }>
}

const add = (sum: Sum, { hits, misses }: Rate) => {
  sum.hits += hits
  sum.all += hits + misses
}

const nothing = (): Sum => ({ hits: 0, all: 0 })

const keyOf = ({ adapter, source }: Pick<Counted, "adapter" | "source">): string => `${source}\n${adapter}`

const entry = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const summed = (rates: ReadonlyArray<Rate>): ReadonlyMap<Operation, Sums> => {
  const operations = new Map<Operation, Sums>()
  for (const rate of rates) {
    const everybody = entry(operations, rate.operation, () => ({ ...nothing(), sources: new Map() }))
    const own = entry(everybody.sources, keyOf(rate), () => ({ ...nothing(), segments: new Map() }))
    const here = entry(own.segments, rate.segment, nothing)
    for (const sum of [everybody, own, here]) add(sum, rate)
  }
  return operations
}

const known = new WeakMap<ReadonlyArray<Rate>, ReadonlyMap<Operation, Sums>>()

const sumsOf = (rates: ReadonlyArray<Rate>): ReadonlyMap<Operation, Sums> => {
  const sums = known.get(rates) ?? summed(rates)
  known.set(rates, sums)
  return sums
}

const update = (prior: number, { all, hits }: Sum): number => (hits + trust * prior) / (all + trust)

export const of = (rates: ReadonlyArray<Rate>, { operation, segment, ...counted }: Counted): HitRate => {
  const everybody = sumsOf(rates).get(operation)
  const own = everybody?.sources.get(keyOf(counted))
  const inSegment = own?.segments.get(segment) ?? nothing()
  const here = inSegment.all < enough ? nothing() : inSegment
  const prior = ((everybody?.hits ?? 0) + 1) / ((everybody?.all ?? 0) + 2)
  return { rate: update(update(prior, own ?? nothing()), here), observations: own?.all ?? 0, inSegment: here.all }
}
