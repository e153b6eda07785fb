/**
 * Token buckets that a request takes from together: it gets a token of each or of none, so that what one of them refuses
 * costs nothing in the others. Of a bucket only the moment is kept at which it is full again; one that is full is forgotten,
 * so no more are kept than were asked within a window.
 *
 * Not `RateLimiter` of `effect`: that takes from one bucket at a time, and its store in memory keeps each for good.
 */
import { Clock, Context, Effect, Layer } from "effect"

export interface Rate {
  /** Requests in every window; also how many may come at once. */
  readonly requests: number
  /** In milliseconds. */
  readonly window: number
}

export interface Bucket {
  /** Whose it is: never what somebody without a key can choose. */
  readonly name: string
  readonly rate: Rate
}

export interface Taken {
  /** Whether each bucket had a token; else none has lost one. */
  readonly taken: boolean
  /** For each bucket the milliseconds until it is full. */
  readonly full: ReadonlyArray<number>
}

export class Buckets extends Context.Service<
  Buckets,
  {
    readonly take: (buckets: ReadonlyArray<Bucket>) => Effect.Effect<Taken>
  }
>()("@lading/http/server/limits/Buckets") {}

/** Milliseconds in which a token comes. */
export const pace = ({ requests, window }: Rate): number => window / requests

/** Less is the rounding of fractions. */
const EPSILON = 1e-3

/** Milliseconds until there is a token, in a bucket that is full after `full`; 0 where there is one. */
export const wait = (rate: Rate, full: number): number => {
  const missing = full + pace(rate) - rate.window
  return missing > EPSILON ? missing : 0
}

/** Whole tokens in a bucket that is full after `full` milliseconds. */
export const remaining = (rate: Rate, full: number): number =>
  Math.max(0, Math.floor((rate.window - full + EPSILON) / pace(rate)))

/** Fewer are not worth looking through. */
const FEW = 1_000

/** `size` counts what is kept: for tests. */
export const make = () => {
  /** When a bucket is full again, epoch milliseconds. */
  const fullAt = new Map<string, number>()
  let many = FEW

  const sweep = (now: number) => {
    for (const [name, at] of fullAt) if (at <= now) fullAt.delete(name)
    many = Math.max(FEW, fullAt.size * 2)
  }

  const take = (buckets: ReadonlyArray<Bucket>, now: number): Taken => {
    if (fullAt.size >= many) sweep(now)
    const before = buckets.map(({ name }) => Math.max(0, (fullAt.get(name) ?? 0) - now))
    const taken = buckets.every(({ rate }, index) => wait(rate, before[index] ?? 0) === 0)
    if (!taken) return { taken, full: before }
    const full = buckets.map(({ rate }, index) => (before[index] ?? 0) + pace(rate))
    for (const [index, { name }] of buckets.entries()) fullAt.set(name, now + (full[index] ?? 0))
    return { taken, full }
  }

  return {
    take: (buckets: ReadonlyArray<Bucket>) => Effect.map(Clock.currentTimeMillis, (now) => take(buckets, now)),
    size: () => fullAt.size
  }
}

/** Buckets of this process. */
export const layerMemory: Layer.Layer<Buckets> = Layer.sync(Buckets, () => Buckets.of({ take: make().take }))
