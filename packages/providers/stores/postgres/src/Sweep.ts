/** Deleting what need not be kept any more, in statements that stay below the time limit. */
import { Effect } from "effect"

/** Rows that one statement deletes. */
const most = 10_000

/** Deletes until nothing is left: `some` deletes up to so many rows and gives them. Gives their number in all. */
export const swept = <E>(some: (limit: number) => Effect.Effect<ReadonlyArray<unknown>, E>): Effect.Effect<number, E> =>
  Effect.gen(function* () {
    let total = 0
    while (true) {
      const gone = yield* some(most)
      total += gone.length
      if (gone.length < most) return total
    }
  })
