/**
 * One connection to Redis, from when it answers until it is lost. It never comes back by itself: whoever wants another one
 * opens it (`Shared`).
 *
 * `redis` rather than `NodeRedis` of `@effect/platform-node`, which is a layer over it: its close waits for commands that a
 * server which hangs never answers, and it logs every attempt to connect.
 *
 * Gotcha: what the driver says of an error may quote what was sent. Of a problem only its code goes on from here, or the
 * first line of what the server says, without the password.
 */
import { Deferred, Effect, Redacted, Schema, type Scope } from "effect"
import { Redis } from "effect/persistence"
import { createClient } from "redis"

/** Redis cannot be used. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { problem: Schema.String }) {}

export interface Connection {
  readonly send: Redis.Redis["Service"]["send"]
  /** Why the connection is of no more use, as soon as it is not. */
  readonly lost: Deferred.Deferred<string>
}

/** The longest that opening may take, in milliseconds. */
const patience = 5_000

/** Other than pings, writes need memory, rights and a server that is no replica. */
const trial = 'return redis.call("SET", KEYS[1], "1", "PX", 1000)'

const passwordOf = (url: Redacted.Redacted): string => {
  const { password = "" } = URL.parse(Redacted.value(url)) ?? {}
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

const problemIn = (cause: unknown, password: string): string => {
  if (!(cause instanceof Error)) return "no reason was given"
  if ("code" in cause && typeof cause.code === "string") return cause.code
  const [line = ""] = cause.message.split("\n", 1)
  return password === "" ? line : line.replaceAll(password, "…")
}

/** What is wrong where an error of the driver or of the server came back, in one line that holds no secret. */
export const problemOf =
  (url: Redacted.Redacted) =>
  ({ cause }: Redis.RedisError): string =>
    problemIn(cause, passwordOf(url))

/** Opens it, and tries whether this user may write. `prefix` begins the one key that this leaves, for a second. */
export const open = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  prefix: string
): Effect.fn.Return<Connection, Unreachable, Scope.Scope> {
  const lost = yield* Deferred.make<string>()
  const problem = problemOf(url)
  const client = yield* Effect.try({
    try: () =>
      createClient({
        url: Redacted.value(url),
        disableOfflineQueue: true,
        socket: { connectTimeout: patience, reconnectStrategy: false }
      }),
    catch: (cause) => new Unreachable({ problem: problem(new Redis.RedisError({ cause })) })
  })
  client.on("error", (cause: unknown) => {
    Deferred.doneUnsafe(lost, Effect.succeed(problem(new Redis.RedisError({ cause }))))
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => client.destroy()))
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (cause) => new Redis.RedisError({ cause }) })
  const send: Connection["send"] = <A>(command: string, ...args: ReadonlyArray<string>) =>
    attempt(() => client.sendCommand<A>([command, ...args]))
  yield* attempt(() => client.connect()).pipe(
    Effect.andThen(send("EVAL", trial, "1", `${prefix}trial`)),
    Effect.mapError((error) => new Unreachable({ problem: problem(error) })),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(new Unreachable({ problem: `no answer in ${patience / 1000} seconds` }))
    })
  )
  return { send, lost }
})

/** The version of the server; for the doctor. */
export const version = (url: Redacted.Redacted, prefix: string): Effect.Effect<string, Unreachable> =>
  Effect.gen(function* () {
    const { send } = yield* open(url, prefix)
    const said = yield* Effect.mapError(
      send<string>("INFO", "server"),
      (error) => new Unreachable({ problem: problemOf(url)(error) })
    )
    return /redis_version:(\S+)/.exec(String(said))?.[1] ?? "unknown"
  }).pipe(Effect.scoped)
