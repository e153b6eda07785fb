/**
 * An Apollo to test against: a real server on loopback that answers from the synthetic population.
 */
import { Population, Simulator } from "@lading/testing"
import type { Effect, Scope } from "effect"
import * as Answers from "./Answers.ts"
import * as Dialect from "./Dialect.ts"

/** How Apollo speaks of the population that all simulators share. */
export const dialect: Simulator.Dialect = Dialect.make(Answers.from(Population.standard))

/** Starts it; it stops with its scope. Its `url` is the adapter's `baseUrl`. */
export const start = (options?: Simulator.Options): Effect.Effect<Simulator.Simulator, never, Scope.Scope> =>
  Simulator.make(dialect, options)
