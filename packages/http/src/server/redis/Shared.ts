/**
 * Redis as the servers of an installation share it: a `Redis` that nobody waits for longer than a moment. A command that is
 * not answered in time, or with an error, fails, and so does every one after it without being sent, until another connection
 * is open that works. So an outage costs each request a moment at most, once, and whoever asks has to know what to do then.
 */
import { Context, Deferred, Effect, Exit, Layer, type Redacted, Schedule, Scope } from "effect"
import { Redis } from "effect/persistence"
import * as Connection from "./Connection.ts"
import * as Metrics from "./Metrics.ts"

export interface Options {
  readonly url: Redacted.Redacted
  /** What every key begins with. */
  readonly prefix: string
  /** The longest that anybody waits for an answer, in milliseconds; 200 unless said. */
  readonly moment?: number
}

/** See `Options.moment`. */
const usual = 200

/** Between two attempts to connect. */
const pause = Schedule.jittered(Schedule.spaced("1 second"))

/** Whether Redis answers for now. */
export class Reach extends Context.Service<Reach, { readonly isUp: Effect.Effect<boolean> }>()(
  "@lading/http/server/redis/Shared/Reach"
) {}

const down = new Redis.RedisError({ cause: new Error("Redis does not answer") })
const late = (moment: number) => new Redis.RedisError({ cause: new Error(`no answer in ${moment} milliseconds`) })

/** What has come by now is read before anybody is blamed: this process may have been busy itself. */
const nextTurn = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

const inTime =
  (moment: number) =>
  <A>(answer: Effect.Effect<A, Redis.RedisError>): Effect.Effect<A, Redis.RedisError> =>
    Effect.raceFirst(
      answer,
      Effect.sleep(moment).pipe(
        Effect.andThen(nextTurn),
        Effect.andThen(Effect.suspend(() => Effect.fail(late(moment))))
      )
    )

/** A script that the server has forgotten is loaded again, by whoever runs it. */
const isForgotten = ({ cause }: Redis.RedisError): boolean => String(cause).includes("NOSCRIPT")

interface Open {
  readonly connection: Connection.Connection
  readonly close: Effect.Effect<void>
}

const opening = Effect.fnUntraced(function* ({ prefix, url }: Options, scope: Scope.Scope) {
  const own = yield* Scope.fork(scope)
  const close = Scope.close(own, Exit.void)
  const connection = yield* Connection.open(url, prefix).pipe(
    Scope.provide(own),
    Effect.onError(() => close)
  )
  return { connection, close } satisfies Open
})

const make = Effect.fnUntraced(function* (options: Options) {
  const scope = yield* Effect.scope
  const open = opening(options, scope)
  const problem = Connection.problemOf(options.url)
  const timed = inTime(options.moment ?? usual)
  let current = yield* open
  let isUp = true
  yield* Metrics.isUp(true)

  const lose = ({ connection }: Open, why: string) => {
    if (current.connection === connection) isUp = false
    Deferred.doneUnsafe(connection.lost, Effect.succeed(why))
  }

  const send: Connection.Connection["send"] = <A>(command: string, ...args: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      if (!isUp) return Effect.fail(down)
      const used = current
      return timed(used.connection.send<A>(command, ...args)).pipe(
        Effect.tapError((error) => (isForgotten(error) ? Effect.void : Effect.sync(() => lose(used, problem(error)))))
      )
    })

  const recover = Effect.gen(function* () {
    const why = yield* Deferred.await(current.connection.lost)
    isUp = false
    yield* Metrics.isUp(false)
    yield* Effect.logWarning("Redis does not answer: limits and circuits are counted by this process alone", {
      problem: why
    })
    yield* current.close
    current = yield* Effect.retry(open, { schedule: pause })
    isUp = true
    yield* Metrics.isUp(true)
    yield* Effect.logInfo("Redis answers again: limits and circuits are shared")
  })
  yield* Effect.forkScoped(Effect.forever(Effect.ignore(recover)))

  const only = Effect.fail(new Redis.RedisError({ cause: new Error("only commands are sent here") }))
  const redis = yield* Redis.make({ send, subscribe: () => only, connect: only })
  return Context.make(Redis.Redis, redis).pipe(Context.add(Reach, { isUp: Effect.sync(() => isUp) }))
})

/** Fails where Redis cannot be used when the layer is built; after that it never does. */
export const layer = (options: Options): Layer.Layer<Redis.Redis | Reach, Connection.Unreachable> =>
  Layer.effectContext(make(options))
