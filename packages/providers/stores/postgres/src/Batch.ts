/**
 * Batches: writes that come while one is under way are made together, by the next statement. Whoever wrote waits for the
 * statement that held its write.
 *
 * Before a statement begins others get a turn: an engine inside the process answers before anybody else could come.
 *
 * One statement is under way at a time: where writes would wait for one another in the database anyway (the row of an
 * account, the one connection of the embedded engine) this is what makes them cheap, since they share a commit.
 *
 * Gotcha: who leaves before the statement begins takes its write along; afterwards it may have been made.
 * `RequestResolver` of Effect batches by time and has no "one under way", which is the point here.
 */
import { Deferred, Effect, Exit, type Scope } from "effect"

/** Makes several writes; gives a result for each, in the same order. */
export type Write<Item, Result, E> = (
  items: ReadonlyArray<Item>
) => Effect.Effect<ReadonlyArray<Exit.Exit<Result, E>>, E>

interface Waiting<Item, Result, E> {
  readonly item: Item
  readonly resume: (result: Effect.Effect<Result, E>) => void
}

export interface Options {
  /** How many writes one statement makes at most. */
  readonly limit: number
  /** Called when nothing is under way and nobody waits. */
  readonly onIdle?: () => void
}

export interface Batch<Item, Result, E> {
  readonly submit: (item: Item) => Effect.Effect<Result, E>
}

/** What waits, and the fibre that works it off. */
const makeQueue = <Item, Result, E>(
  write: Write<Item, Result, E>,
  { limit, onIdle = () => {} }: Options,
  /** What is waited for between two statements. */
  pause: Effect.Effect<void>
) => {
  let waiting: Array<Waiting<Item, Result, E>> = []
  let running = false

  const flush = Effect.suspend(() => {
    const batch = waiting.slice(0, limit)
    waiting = waiting.slice(limit)
    const written = Effect.suspend(() => write(batch.map(({ item }) => item)))
    return Effect.map(Effect.exit(written), (exit) => {
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
    body: () => Effect.andThen(Effect.andThen(Effect.yieldNow, flush), pause),
    step: () => {}
  }).pipe(Effect.ensuring(end))

  // In a fibre of its own: the first to come must not take the others' writes along when it leaves.
  const start = () => {
    running = true
    Effect.runFork(run)
  }

  return {
    add: (one: Waiting<Item, Result, E>): void => {
      waiting.push(one)
      if (!running) start()
    },
    remove: (one: Waiting<Item, Result, E>): void => {
      waiting = waiting.filter((other) => other !== one)
    },
    isIdle: (): boolean => !running,
    size: (): number => waiting.length
  }
}

export const make = <Item, Result, E>(write: Write<Item, Result, E>, options: Options): Batch<Item, Result, E> => {
  const queue = makeQueue(write, options, Effect.void)
  return {
    submit: (item) =>
      Effect.callback<Result, E>((resume) => {
        const own = { item, resume }
        queue.add(own)
        return Effect.sync(() => queue.remove(own))
      })
  }
}

/**
 * For writes that nobody waits for: statements are `pause` milliseconds apart, so that there are few. Who leaves does not
 * take its write along, and the scope closes when all have been made.
 */
export const makeUnhurried = <Item, Result, E>(
  write: Write<Item, Result, E>,
  options: {
    readonly limit: number
    readonly pause: number
    /** How many may wait; what is beyond is refused with this error, since nobody would miss it. */
    readonly most: number
    readonly full: () => E
  }
): Effect.Effect<Batch<Item, Result, E>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const closing = Deferred.makeUnsafe<void>()
      let idle = () => {}
      const pause = Effect.raceFirst(Effect.sleep(options.pause), Deferred.await(closing))
      const queue = makeQueue(write, { limit: options.limit, onIdle: () => idle() }, pause)
      return {
        closing,
        submit: (item: Item) =>
          Effect.callback<Result, E>((resume) => {
            if (queue.size() >= options.most) return resume(Effect.fail(options.full()))
            queue.add({ item, resume })
          }),
        drain: Effect.callback<void>((resume) => {
          if (queue.isIdle()) return resume(Effect.void)
          idle = () => resume(Effect.void)
        })
      }
    }),
    ({ closing, drain }) => Effect.andThen(Deferred.succeed(closing, undefined), drain)
  )
