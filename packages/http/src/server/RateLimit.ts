/**
 * How often may be asked: a token bucket for each API key and one for each account with all of its keys, and the headers
 * that tell clients how the tighter one stands.
 *
 * Gotcha: only keys that authentication knows are asked about, so nobody fills a store with invented ones.
 */
import type { Accounts } from "@lading/core/account"
import { Context, Effect, Layer } from "effect"
import { type Bucket, Buckets, type Rate, remaining, type Taken as Poured, wait } from "./limits/Buckets.ts"

export type { Rate } from "./limits/Buckets.ts"

/** `null`: as often as they like. */
export interface Rates {
  readonly key: Rate | null
  readonly account: Rate | null
}

const minute = 60_000

/** Those of an account. One of its own stands in for that of every account and for those of its keys. */
export const ratesOf = (rates: Rates, { requests_per_minute: requests }: Accounts.Limits): Rates =>
  requests === null ? rates : { key: null, account: requests === 0 ? null : { requests, window: minute } }

/** Whose limit it is. */
export type Whose = "key" | "account"

export interface Taken {
  /** Whose limit refuses the request, and the seconds until it is let through; `null` where it is. */
  readonly refused: { readonly whose: Whose; readonly retry_after: number } | null
  readonly headers: Readonly<Record<string, string>>
}

/** Nobody is limited, and no header says otherwise. */
const free: Taken = { refused: null, headers: {} }

export type Asking = Pick<Accounts.Principal, "account" | "key" | "limits">

export class RateLimit extends Context.Service<
  RateLimit,
  {
    /** Takes a token for the key with this id, and one for its account; none of either where one of them has none. */
    readonly take: (asking: Asking) => Effect.Effect<Taken>
  }
>()("@lading/http/server/RateLimit") {}

interface Level extends Bucket {
  readonly whose: Whose
}

/** The account stands in both names, and in braces: what is asked together stays together on a server that spreads keys. */
const levels = (rates: Rates, asking: Asking): ReadonlyArray<Level> => {
  const { account, key } = ratesOf(rates, asking.limits)
  const all: Array<Level> = []
  if (key !== null) all.push({ whose: "key", name: `{${asking.account}}:key:${asking.key}`, rate: key })
  if (account !== null) all.push({ whose: "account", name: `{${asking.account}}:account`, rate: account })
  return all
}

const seconds = (millis: number): number => Math.ceil(millis / 1000)

const told = (levels: ReadonlyArray<Level>, { full, taken }: Poured): Taken => {
  const all = levels.map(({ rate, whose }, index) => {
    const until = full[index] ?? 0
    return { whose, rate, full: until, wait: wait(rate, until), left: taken ? remaining(rate, until) : 0 }
  })
  // Whoever refuses for the longest, else whoever refuses first.
  const [tightest] = all.toSorted((one, other) => (taken ? one.left - other.left : other.wait - one.wait))
  if (tightest === undefined) return free
  const { rate, whose } = tightest
  const retry_after = Math.max(1, seconds(tightest.wait))
  return {
    refused: taken ? null : { whose, retry_after },
    headers: {
      "ratelimit-limit": String(rate.requests),
      "ratelimit-remaining": String(tightest.left),
      "ratelimit-reset": String(taken ? seconds(tightest.full) : retry_after)
    }
  }
}

export const layer = (rates: Rates): Layer.Layer<RateLimit, never, Buckets> =>
  Layer.effect(
    RateLimit,
    Effect.map(Buckets, ({ take }) => ({
      take: (asking: Asking) => {
        const wanted = levels(rates, asking)
        return wanted.length === 0 ? Effect.succeed(free) : Effect.map(take(wanted), (poured) => told(wanted, poured))
      }
    }))
  )
