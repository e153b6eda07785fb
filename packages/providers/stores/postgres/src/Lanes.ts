/**
 * Lanes: a batch of writes for each account. Operations of one account queue on its row anyway; sent singly, each would
 * cost a commit, and a connection that waits for a lock. An account without work has no lane.
 *
 * Gotchas: one statement speaks of one account only, so that none holds a lock that another account waits for. A batch
 * that the database refuses for what one of its writes says (a constraint, a character) is made again one by one: that
 * one fails alone.
 */
import { Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Batch from "./Batch.ts"
import { bounded, problemOf } from "./Bounded.ts"

/** Makes all writes in one transaction; gives a result for each, in the same order. */
export type Write<Item, Result> = (
  account: string,
  items: ReadonlyArray<Item>
) => Effect.Effect<ReadonlyArray<Result>, SqlError>

export type Submit<Item, Result, E> = (account: string, item: Item) => Effect.Effect<Result, E>

/** How many writes one statement makes at most. */
const limit = 256

/**
 * Whether a value was refused, so that nothing was done and nothing else would help: data exceptions, integrity,
 * limits of the program.
 */
const isRefusal = (error: SqlError): boolean => / (?:22|23|54)[0-9A-Z]{3}$/.test(problemOf(error))

export const make = <Item, Result, Unavailable>(
  write: Write<Item, Result>,
  unavailable: (problem: string) => Unavailable
): Submit<Item, Result, Unavailable> => {
  const lanes = new Map<string, Batch.Batch<Item, Result, Unavailable>>()

  const alone = (account: string, item: Item): Effect.Effect<Result, Unavailable> =>
    Effect.flatMap(bounded(write(account, [item]), unavailable), ([result]) =>
      result === undefined ? Effect.fail(unavailable("no row")) : Effect.succeed(result)
    )

  const together = (account: string, items: ReadonlyArray<Item>) =>
    bounded(
      Effect.catchIf(write(account, items), isRefusal, () => Effect.succeed(null)),
      unavailable
    ).pipe(
      Effect.flatMap((results) =>
        results === null
          ? Effect.forEach(items, (item) => Effect.exit(alone(account, item)))
          : Effect.succeed(results.map((result) => Exit.succeed(result)))
      )
    )

  const laneOf = (account: string) => {
    const known = lanes.get(account)
    if (known !== undefined) return known
    const lane = Batch.make<Item, Result, Unavailable>((items) => together(account, items), {
      limit,
      onIdle: () => {
        if (lanes.get(account) === lane) lanes.delete(account)
      }
    })
    lanes.set(account, lane)
    return lane
  }

  return (account, item) => Effect.suspend(() => laneOf(account).submit(item))
}
