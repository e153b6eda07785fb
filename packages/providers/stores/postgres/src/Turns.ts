/**
 * Turns: statements that may wait for the row of an account, or read much of it, go to the database one by one for each
 * account. There they would queue all the same, each with a connection of the pool in its hands, until no other account
 * had one.
 */
import { Effect, Semaphore } from "effect"

interface Turn {
  readonly semaphore: Semaphore.Semaphore
  /** Who has it, and who waits for it. */
  users: number
}

export interface Turns {
  /** Runs when nothing else of this account does. */
  readonly of: <A, E, R>(account: string, statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** An account without work has no turn to keep. */
export const make = (): Turns => {
  const turns = new Map<string, Turn>()

  const enter = (account: string): Turn => {
    const turn = turns.get(account) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
    turns.set(account, turn)
    turn.users++
    return turn
  }

  const leave = (account: string, turn: Turn): void => {
    if (--turn.users === 0) turns.delete(account)
  }

  return {
    of: (account, statement) =>
      Effect.acquireUseRelease(
        Effect.sync(() => enter(account)),
        ({ semaphore }) => semaphore.withPermit(statement),
        (turn) => Effect.sync(() => leave(account, turn))
      )
  }
}
