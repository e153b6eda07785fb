/**
 * Every statement is bounded in time, and no SQL text or value leaves with an error: what a caller learns is the kind
 * of the failure.
 */
import { Effect, Predicate } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * After that the server is taken for lost, even when the connection still stands. The driver then tries for up to 5 s
 * to cancel the statement, so a caller waits 17 s at most; a server that is alive gives up after 10 s by itself.
 */
const patience = "12 seconds"

/** The kind of the failure and, for a connection, the system's code: `ConnectionError ECONNREFUSED`. */
export const problemOf = ({ reason }: SqlError): string => {
  const code = Predicate.hasProperty(reason.cause, "code") ? String(reason.cause.code) : ""
  return /^[A-Z0-9_]{1,20}$/.test(code) ? `${reason._tag} ${code}` : reason._tag
}

/** Runs a statement; whatever goes wrong in the database is the port's own error. */
export const bounded = <A, Unavailable>(
  statement: Effect.Effect<A, SqlError>,
  unavailable: (problem: string) => Unavailable
): Effect.Effect<A, Unavailable> =>
  statement.pipe(
    Effect.mapError((error) => unavailable(problemOf(error))),
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(unavailable("no answer in time")) })
  )
