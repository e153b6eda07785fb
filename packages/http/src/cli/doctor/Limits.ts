/** Whether several servers would count limits and circuits together. */
import { Effect } from "effect"
import type { Configuration } from "../../server/Configuration.ts"
import * as Check from "./Check.ts"

const name = "redis"

/** Circuits read the time in scripts that write. */
const oldest = 5

export const checks = ({ redisPrefix, redisUrl }: Configuration): Effect.Effect<ReadonlyArray<Check.Check>> =>
  Effect.gen(function* () {
    if (redisUrl === null)
      return [
        Check.make(
          name,
          "off",
          "Each server counts limits and circuits for itself: set LADING_REDIS_URL to have one count."
        )
      ]
    const { Connection } = yield* Effect.promise(() => import("../../server/redis/index.ts"))
    return yield* Connection.version(redisUrl, redisPrefix).pipe(
      Effect.match({
        onSuccess: (version) =>
          Number.parseInt(version, 10) < oldest
            ? [Check.make(name, "failed", `Redis answers, version ${version}; ${oldest} or newer is needed.`)]
            : [Check.make(name, "ok", `Redis answers, version ${version}, and takes what is written.`)],
        onFailure: ({ problem }) => [
          Check.make(name, "failed", `The server of LADING_REDIS_URL cannot be used: ${problem}.`)
        ]
      })
    )
  })
