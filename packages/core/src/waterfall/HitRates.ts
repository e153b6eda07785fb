/**
 * How often each source finds something, by operation and segment: what an order by expected cost is computed from.
 * Weights, not counts: an answer counts one when it comes, and half as much after each `halfLife`, since vendors get
 * better and worse. Nothing in it is about a subject.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { Operation } from "./Source.ts"

/** What is counted apart. */
export interface Counted {
  readonly operation: Operation
  /** The slot's name. */
  readonly source: string
  /** The adapter and its version, so that a slot that is bound to somebody else begins anew. */
  readonly adapter: string
  /** See `Segment`. */
  readonly segment: string
}

export interface Answer extends Counted {
  readonly hit: boolean
}

export interface Rate extends Counted {
  /** The weight of the hits, and of the misses, as of now. */
  readonly hits: number
  readonly misses: number
}

/** After so long an answer counts half, in milliseconds. */
export const halfLife = 30 * 24 * 60 * 60 * 1000

/** What is left of a weight after so many milliseconds; clocks that disagree take nothing away and add nothing. */
export const faded = (weight: number, millis: number): number => weight * 0.5 ** (Math.max(0, millis) / halfLife)

export class HitRates extends Context.Service<
  HitRates,
  {
    /** Counts an answer; a failure says nothing about the hit rate. Never fails and never waits for a store. */
    readonly record: (answer: Answer) => Effect.Effect<void>
    /** Never fails, and may be some seconds old: nobody who asks waits for a store that has answered once. */
    readonly all: Effect.Effect<ReadonlyArray<Rate>>
  }
>()("@lading/core/waterfall/HitRates") {}

/** Counts of two answers are the same count where this is the same. */
export const keyOf = ({ adapter, operation, segment, source }: Counted): string =>
  [operation, source, adapter, segment].join("\n")

export const layerMemory: Layer.Layer<HitRates> = Layer.sync(HitRates, () => {
  const rates = new Map<string, { readonly rate: Rate; readonly at: number }>()

  const asOf = (now: number, { at, rate }: { readonly rate: Rate; readonly at: number }): Rate => ({
    ...rate,
    hits: faded(rate.hits, now - at),
    misses: faded(rate.misses, now - at)
  })

  const count = ({ hit, ...counted }: Answer, at: number) => {
    const key = keyOf(counted)
    const known = rates.get(key)
    const { hits, misses } = known === undefined ? { hits: 0, misses: 0 } : asOf(at, known)
    rates.set(key, { rate: { ...counted, hits: hits + (hit ? 1 : 0), misses: misses + (hit ? 0 : 1) }, at })
  }

  return {
    record: (answer) => Effect.map(Clock.currentTimeMillis, (now) => count(answer, now)),
    all: Effect.map(Clock.currentTimeMillis, (now) => Array.from(rates.values(), (known) => asOf(now, known)))
  }
})
