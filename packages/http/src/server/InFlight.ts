/**
 * How many requests are answered at once: what comes beyond is told to come again, so that a server that is behind answers
 * those it has begun instead of beginning ever more. An account may have a part of them only, so that one that floods the
 * server leaves room for others.
 *
 * A request stands at the door until it is known whose it is, and is counted there apart: a flood of requests that are
 * refused takes nobody's place inside. Health, readiness and metrics are not counted.
 */
import type { Accounts } from "@lading/core/account"
import { Context } from "effect"
import { isPaid, type Route } from "./Routes.ts"

/** Seconds after which it makes sense to ask again. */
export const retryAfter = 1

/** Requests at the door at once, at least: looking a key up takes little. */
const least = 1_000

export interface Door {
  /** Lets a request come to the door, unless there are too many; what it gives is run when it has left, once or more often. */
  readonly enter: (route: Route) => (() => void) | null
}

/** As wide as what is inside, or wider. */
export const door = (inside: number): Door => {
  const most = Math.max(least, inside)
  let standing = 0
  return {
    enter: (route) => {
      if (!isPaid(route)) return () => {}
      if (standing >= most) return null
      standing++
      let isThere = true
      return () => {
        if (isThere) standing--
        isThere = false
      }
    }
  }
}

/**
 * Requests of an account at once: a number, `null` for as many as all, or what is fair: the fewer places are free, the fewer
 * an account may have.
 */
export type Share = number | "fair" | null

export interface Limits {
  /** Requests that are answered at once. */
  readonly all: number
  /** Those of one account among them. */
  readonly ofAccount: Share
}

/**
 * A fair share is so many times what is free then (dynamic thresholds, as switches share their buffers): an account alone
 * has three quarters of all, two have three sevenths each, and however many there are, something is left for one more.
 */
const generosity = 3

/** What an account may have; one of its own stands in for that of every account. */
export const shareOf = (every: Share, { requests_at_once }: Accounts.Limits): Share => {
  if (requests_at_once === null) return every
  return requests_at_once === 0 ? null : requests_at_once
}

/** Who has too many requests at once. */
export type Crowded = "account" | "server"

export class InFlight extends Context.Service<
  InFlight,
  {
    /** Lets a request of the account in (`null`), or says who has too many. Whoever was let in leaves. */
    readonly enter: (asking: Pick<Accounts.Principal, "account" | "limits">) => Crowded | null
    readonly leave: (account: string) => void
  }
>()("@lading/http/server/InFlight") {}

export const make = ({ all, ofAccount }: Limits): InFlight["Service"] => {
  const running = new Map<string, number>()
  let total = 0
  return {
    enter: ({ account, limits }) => {
      const own = running.get(account) ?? 0
      const share = shareOf(ofAccount, limits)
      if (typeof share === "number" && own >= share) return "account"
      if (total >= all) return "server"
      if (share === "fair" && own >= generosity * (all - total)) return "account"
      running.set(account, own + 1)
      total++
      return null
    },
    leave: (account) => {
      const left = (running.get(account) ?? 0) - 1
      total--
      // Who has none takes no room.
      if (left > 0) running.set(account, left)
      else running.delete(account)
    }
  }
}
