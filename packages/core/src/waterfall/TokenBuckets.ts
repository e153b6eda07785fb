/**
 * Token buckets of vendors in this process. The store of `effect` keeps every bucket that it has ever seen; this one forgets
 * those that are full again, which is the same as not to know them, so that a server that lives for long does not grow with
 * the accounts that once used an own key.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

interface Bucket {
  tokens: number
  /** When the last token came, epoch milliseconds. */
  refilled: number
  /** When it is full again, if nobody takes any more. */
  full: number
}

/** Fewer are not worth looking through. */
const FEW = 1_000

type Take = RateLimiter.RateLimiterStore["Service"]["tokenBucket"]
type Taking = Parameters<Take>[0]

/** Gives what `RateLimiterStore.tokenBucket` promises. */
const take = (bucket: Bucket, { allowOverflow, limit, refillRate, tokens }: Taking, now: number) => {
  const every = Duration.toMillis(refillRate)
  const come = Math.floor((now - bucket.refilled) / every)
  const refilled = come > 0 ? bucket.refilled + come * every : bucket.refilled
  const held = Math.min(limit, bucket.tokens + Math.max(0, come))
  const left = held - tokens
  const since = held >= limit ? now : refilled
  const kept = allowOverflow || left >= 0 ? left : held
  Object.assign(bucket, { tokens: kept, refilled: since, full: since + Math.ceil(limit - kept) * every })
  return [left, Math.max(0, now - since)] as const
}

/** `size` counts what is kept: for tests. */
export const make = () => {
  const buckets = new Map<string, Bucket>()
  let many = FEW

  const sweep = (now: number) => {
    for (const [key, { full }] of buckets) if (full <= now) buckets.delete(key)
    many = Math.max(FEW, buckets.size * 2)
  }

  const tokenBucket: Take = (options) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (buckets.size >= many) sweep(now)
      const bucket = buckets.get(options.key) ?? { tokens: options.limit, refilled: now, full: now }
      buckets.set(options.key, bucket)
      return take(bucket, options, now)
    })

  return { tokenBucket, size: () => buckets.size }
}

/** What is no token bucket is as `effect` has it. */
export const layerStoreMemory: Layer.Layer<RateLimiter.RateLimiterStore> = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.map(RateLimiter.RateLimiterStore, (store) =>
    RateLimiter.RateLimiterStore.of({ ...store, tokenBucket: make().tokenBucket })
  )
).pipe(Layer.provide(RateLimiter.layerStoreMemory))
