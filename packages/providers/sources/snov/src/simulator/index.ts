/**
 * A Snov.io to test against: a real server on loopback that gives tokens, works on tasks for as long as it is told to, and
 * answers from the synthetic population.
 */
import { Population, Simulator } from "@lading/testing"
import { Effect, type Scope } from "effect"
import * as Dialect from "./Dialect.ts"
import * as Issued from "./Issued.ts"

export interface Options extends Simulator.Options, Issued.Manners {}

export interface Snov extends Simulator.Simulator {
  /** Ends every token before its time. */
  readonly expireTokens: Effect.Effect<void>
  /** Ends every task that is in progress. */
  readonly finishTasks: Effect.Effect<void>
}

/**
 * Starts it; it stops with its scope. Its `url` is the adapter's `baseUrl`; `credentials` are clients, `<id>:<secret>`.
 */
export const start = (options: Options = {}): Effect.Effect<Snov, never, Scope.Scope> =>
  Effect.suspend(() => {
    const issued = Issued.make(options)
    const dialect = Dialect.make(Population.standard, issued)
    return Effect.map(Simulator.make(dialect, options), (simulator) => ({
      ...simulator,
      expireTokens: Effect.sync(issued.expire),
      finishTasks: Effect.sync(issued.finish)
    }))
  })
