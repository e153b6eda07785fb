/**
 * The stores of limits, circuits and allowances over Redis. What Redis does not answer is answered by those of this process,
 * which begin empty: circuits closed, buckets full. So with Redis down N servers allow N times as much, and no more.
 */
import { Core } from "@lading/core"
import { Allowances } from "@lading/core/waterfall"
import { Context, Effect, Layer } from "effect"
import { CircuitBreaker, RateLimiter, Redis } from "effect/persistence"
import * as Buckets from "../limits/Buckets.ts"
import * as Metrics from "./Metrics.ts"
import * as SharedAllowances from "./SharedAllowances.ts"
import * as SharedBuckets from "./SharedBuckets.ts"

type Circuits = CircuitBreaker.CircuitBreakerStore["Service"]

const instead = <A, E, R>(alone: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.andThen(Metrics.fallback, alone)

const isOutage = ({ reason }: CircuitBreaker.CircuitBreakerError): boolean => reason._tag === "CircuitBreakerStoreError"

/**
 * A call ends where it began: what this process has let through alone is none of Redis' business. Those calls have negative
 * generations, and Redis has microseconds.
 */
const aside = (generation: number): number => -1 - generation

/** Circuits of Redis, or of this process for as long as Redis does not answer. */
const circuits = (shared: Circuits, alone: Circuits): Circuits => ({
  admit: (key) =>
    Effect.catchIf(shared.admit(key), isOutage, () =>
      Effect.map(instead(alone.admit(key)), (admission) => ({ ...admission, generation: aside(admission.generation) }))
    ),
  record: (options) =>
    options.generation < 0
      ? alone.record({ ...options, generation: aside(options.generation) })
      : // What was let through by Redis cannot be said to anybody else.
        Effect.catchIf(shared.record(options), isOutage, () => Effect.as(Metrics.fallback, undefined)),
  state: (key) => Effect.catchIf(shared.state(key), isOutage, () => instead(alone.state(key)))
})

type Limiter = RateLimiter.RateLimiterStore["Service"]

const limiter = (shared: Limiter, alone: Limiter): Limiter => ({
  ...alone,
  // The only one that is asked.
  tokenBucket: (options) => Effect.catch(shared.tokenBucket(options), () => instead(alone.tokenBucket(options)))
})

type Said = Allowances.Allowances["Service"]

const allowances = (shared: ReturnType<typeof SharedAllowances.make>, alone: Said): Said => ({
  take: (name) => Effect.catch(shared.take(name), () => instead(alone.take(name))),
  begin: (name) => Effect.catch(shared.begin(name), () => instead(alone.begin(name))),
  hear: (name, allowance) => Effect.catch(shared.hear(name, allowance), () => instead(alone.hear(name, allowance)))
})

const make = Effect.fnUntraced(function* (prefix: string) {
  const redis = yield* Redis.Redis
  const shared = yield* Layer.build(
    Layer.merge(
      CircuitBreaker.layerStoreRedis({ prefix: `${prefix}circuit:` }),
      RateLimiter.layerStoreRedis({ prefix: `${prefix}bucket:` })
    )
  )
  const alone = yield* Layer.build(Layer.fresh(Core.layerLimits))
  const rates = { shared: SharedBuckets.make(redis, `${prefix}rate:`), alone: Buckets.make() }
  const said = SharedAllowances.make(redis, `${prefix}allowance:`)
  const { CircuitBreakerStore } = CircuitBreaker
  const { RateLimiterStore } = RateLimiter
  return Context.make(
    CircuitBreakerStore,
    circuits(Context.get(shared, CircuitBreakerStore), Context.get(alone, CircuitBreakerStore))
  ).pipe(
    Context.add(RateLimiterStore, limiter(Context.get(shared, RateLimiterStore), Context.get(alone, RateLimiterStore))),
    Context.add(Allowances.Allowances, allowances(said, Context.get(alone, Allowances.Allowances))),
    Context.add(Buckets.Buckets, {
      take: (buckets: ReadonlyArray<Buckets.Bucket>) =>
        Effect.catch(rates.shared.take(buckets), () => instead(rates.alone.take(buckets)))
    })
  )
})

export const layer = (prefix: string): Layer.Layer<Core.Limits | Buckets.Buckets, never, Redis.Redis> =>
  Layer.effectContext(make(prefix))
