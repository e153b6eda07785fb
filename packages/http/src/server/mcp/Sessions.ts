/**
 * Sessions of MCP clients on this server: whose each one is, and what it may spend. Clients seldom end a session, so those
 * that nobody has used for half a day end, and of a key that has too many the one that was not used for the longest time.
 *
 * Gotcha: a session is of the process that began it. Behind a balancer its requests have to come to the same server.
 */
import type { Credits } from "@lading/core/billing"
import * as Budget from "./Budget.ts"

interface Session {
  /** Id of the API key that began it. */
  readonly key: string
  readonly budget: Budget.Budget
  /** Epoch milliseconds. */
  seen: number
}

/** Sessions of one key at the same time. */
const MOST = 100

/** Milliseconds. */
const IDLE = 12 * 3_600_000

export interface Sessions {
  /** A session has begun, perhaps with a lower cap; gives those that have to end. */
  readonly begin: (id: string, key: string, lower: Credits.Credits | null, now: number) => ReadonlyArray<string>
  /** What the session may spend; `null` where this key has no such session. */
  readonly find: (id: string, key: string, now: number) => Budget.Budget | null
  readonly end: (id: string) => void
}

/** `cap`: what each session may spend. */
export const make = (cap: Credits.Credits): Sessions => {
  const sessions = new Map<string, Session>()
  const isIdle = ({ budget, seen }: Session, now: number) => now - seen > IDLE && budget.state().reserved === 0

  const surplus = (key: string, now: number): ReadonlyArray<string> => {
    const own = [...sessions].filter(([, session]) => session.key === key)
    const oldest = own.toSorted(([, one], [, other]) => one.seen - other.seen)
    const idle = [...sessions].filter(([, session]) => isIdle(session, now))
    return [...new Set([...oldest.slice(0, Math.max(0, own.length - MOST)), ...idle].map(([id]) => id))]
  }

  return {
    begin: (id, key, lower, now) => {
      const budget = Budget.make(cap)
      if (lower !== null) budget.lower(lower)
      sessions.set(id, { key, budget, seen: now })
      return surplus(key, now)
    },
    find: (id, key, now) => {
      const session = sessions.get(id)
      if (session === undefined || session.key !== key) return null
      session.seen = now
      return session.budget
    },
    end: (id) => {
      sessions.delete(id)
    }
  }
}
