/**
 * A ceiling for the whole run. A row is started only when what is spent, and the worst price of every row in the air,
 * leave room for its own worst price; so the ceiling is never passed, whatever the rows turn out to cost.
 *
 * All of it happens without waiting between looking and taking, so that parallel rows cannot take the same credit.
 */
import { Credits } from "@lading/core/billing"
import { Effect } from "effect"

export interface Budget {
  /** Takes the worst price of a row; waits while rows in the air may still leave room. `false`: there is none left. */
  readonly take: (worst: Credits.Credits) => Effect.Effect<boolean>
  /** The row that took so much is done: what it cost, and what it may still cost later. */
  readonly settle: (worst: Credits.Credits, spent: Credits.Credits, later: Credits.Credits) => Effect.Effect<void>
}

export interface Limits {
  readonly ceiling: Credits.Credits
  /** What is spent by now, or cannot be ruled out. */
  readonly spent: Credits.Credits
}

const unlimited: Budget = { take: () => Effect.succeed(true), settle: () => Effect.void }

/** `null` is no ceiling. */
export const make = (limits: Limits | null): Budget => {
  if (limits === null) return unlimited
  let { spent } = limits
  let inAir = 0
  let taken = Credits.zero
  const waiting = new Set<() => void>()
  return {
    take: (worst) =>
      Effect.callback<boolean>((resume) => {
        const look = (): void => {
          const room = Credits.sum([spent, taken, worst]) <= limits.ceiling
          if (!room && inAir > 0) {
            waiting.add(look)
            return
          }
          waiting.delete(look)
          if (room) {
            inAir++
            taken = Credits.add(taken, worst)
          }
          resume(Effect.succeed(room))
        }
        look()
        return Effect.sync(() => waiting.delete(look))
      }),
    settle: (worst, cost, later) =>
      Effect.sync(() => {
        inAir--
        taken = Credits.subtract(taken, worst)
        spent = Credits.sum([spent, cost, later])
        for (const look of waiting) look()
      })
  }
}
