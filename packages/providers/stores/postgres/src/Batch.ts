/**
 * Batches: writes that come while one is under way are made together, by the next statement. Whoever wrote waits for the
 * statement that held its write.
 *
 * One statement is under way at a time: where writes would wait for one another in the database anyway (the row of an
 * account, the one connection of the embedded engine) this is what makes them cheap, since they share a commit.
 *
 * Gotcha: who leaves before the statement begins takes its write along; afterwards it may have been made.
 * `RequestResolver` of Effect batches by time and has no "one under way", which is the point here.
 */
import { Effect, Exit } from "effect"

/** Makes several writes; gives a result for each, in the same order. */
export type Write<Item, Result, E> = (
  items: ReadonlyArray<Item>
) => Effect.Effect<ReadonlyArray<Exit.Exit<Result, E>>, E>

interface Waiting<Item, Result, E> {
  readonly item: Item
  readonly resume: (result: Effect.Effect<Result, E>) => void
}

export interface Batch<Item, Result, E> {
  readonly submit: (item: Item) => Effect.Effect<Result, E>
}

/** `limit` is how many writes one statement makes at most; `onIdle` is called when nothing is under way and nobody waits. */
export const make = <Item, Result, E>(
  write: Write<Item, Result, E>,
  limit: number,
  onIdle: () => void = () => {}
): Batch<Item, Result, E> => {
  let waiting: Array<Waiting<Item, Result, E>> = []
  let running = false

  const flush = Effect.suspend(() => {
    const batch = waiting.slice(0, limit)
    waiting = waiting.slice(limit)
    return Effect.map(Effect.exit(write(batch.map(({ item }) => item))), (exit) => {
      for (const [index, { resume }] of batch.entries()) {
        if (Exit.isFailure(exit)) resume(Exit.failCause(exit.cause))
        else resume(exit.value[index] ?? Effect.die(new Error("a write without a result")))
      }
    })
  })

  // Between the last look and the end somebody may have come.
  const end = Effect.sync(() => {
    running = false
    if (waiting.length > 0) start()
    else onIdle()
  })

  const run: Effect.Effect<void> = Effect.whileLoop({
    while: () => waiting.length > 0,
    body: () => flush,
    step: () => {}
  }).pipe(Effect.ensuring(end))

  // In a fibre of its own: the first to come must not take the others' writes along when it leaves.
  const start = () => {
    running = true
    Effect.runFork(run)
  }

  const submit = (item: Item): Effect.Effect<Result, E> =>
    Effect.callback<Result, E>((resume) => {
      const own = { item, resume }
      waiting.push(own)
      if (!running) start()
      return Effect.sync(() => {
        waiting = waiting.filter((other) => other !== own)
      })
    })

  return { submit }
}
