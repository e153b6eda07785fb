/**
 * How often a key may ask: a token bucket for each API key, and the headers that tell clients how it stands.
 *
 * Gotcha: the bucket's store keeps every key it has seen, so it is only asked about keys that authentication knows.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

export interface Rate {
  /** Requests in every window; also how many may come at once. */
  readonly requests: number
  /** In milliseconds. */
  readonly window: number
}

export interface Taken {
  /** Seconds until the next request is let through; `null` where this one is. */
  readonly retry_after: number | null
  readonly headers: Readonly<Record<string, string>>
}

export class RateLimit extends Context.Service<
  RateLimit,
  {
    /** Takes a token of the key with this id. */
    readonly take: (key: string) => Effect.Effect<Taken>
  }
>()("@lading/http/server/RateLimit") {}

/** Nobody is limited, and no header says otherwise. */
const unlimited = Layer.succeed(RateLimit, { take: () => Effect.succeed({ retry_after: null, headers: {} }) })

const headers = (limit: number, remaining: number, reset: number) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(Math.max(0, Math.floor(remaining))),
  "ratelimit-reset": String(Math.ceil(reset))
})

const limited = ({ requests, window }: Rate) =>
  Layer.effect(
    RateLimit,
    Effect.map(RateLimiter.RateLimiter, ({ consume }) => ({
      take: (key: string) =>
        consume({ algorithm: "token-bucket", key: `key:${key}`, limit: requests, window }).pipe(
          Effect.map(({ remaining, resetAfter }): Taken => ({
            retry_after: null,
            headers: headers(requests, remaining, Duration.toSeconds(resetAfter))
          })),
          Effect.catch(({ reason }): Effect.Effect<Taken> => {
            if (reason._tag === "RateLimitStoreError") {
              // A store of limits that is down must not take the service down with it.
              return Effect.as(Effect.logWarning("rate limits do not answer"), { retry_after: null, headers: {} })
            }
            const retry_after = Math.max(1, Math.ceil(Duration.toSeconds(reason.retryAfter)))
            return Effect.succeed({ retry_after, headers: headers(requests, 0, retry_after) })
          })
        )
    }))
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))

export const layer = (rate: Rate | null): Layer.Layer<RateLimit> => (rate === null ? unlimited : limited(rate))
