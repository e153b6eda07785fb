/**
 * How often each source finds something, by operation: what a cost-aware order is computed from.
 */
import { Context, Effect, Layer } from "effect"
import type { Operation } from "./Source.ts"

export interface Rate {
  readonly source: string
  readonly operation: Operation
  readonly hits: number
  readonly misses: number
}

export class HitRates extends Context.Service<
  HitRates,
  {
    /** Counts an answer; a failure says nothing about the hit rate. Never fails and never waits for a store. */
    readonly record: (operation: Operation, source: string, hit: boolean) => Effect.Effect<void>
    readonly all: Effect.Effect<ReadonlyArray<Rate>>
  }
>()("@lading/core/waterfall/HitRates") {}

export const layerMemory: Layer.Layer<HitRates> = Layer.sync(HitRates, () => {
  const rates = new Map<string, { source: string; operation: Operation; hits: number; misses: number }>()
  return {
    record: (operation, source, hit) =>
      Effect.sync(() => {
        const key = `${operation}:${source}`
        const rate = rates.get(key) ?? { source, operation, hits: 0, misses: 0 }
        rates.set(key, rate)
        if (hit) rate.hits++
        else rate.misses++
      }),
    all: Effect.sync(() => Array.from(rates.values(), (rate) => ({ ...rate })))
  }
})
