/**
 * Where limits, circuits and allowances are counted: in this process, or over Redis by all servers of an installation. The
 * driver is loaded where it is configured.
 */
import { Core } from "@lading/core"
import { Context, Effect, Layer, type Redacted } from "effect"
import { CannotStart } from "../CannotStart.ts"
import * as Readiness from "../Readiness.ts"
import { limits } from "../Variables.ts"
import * as Buckets from "./Buckets.ts"

interface Options {
  readonly redisUrl: Redacted.Redacted | null
  readonly redisPrefix: string
}

/** How it is seen whether the servers count together; none where each counts for itself. */
export class LimitProbes extends Context.Service<LimitProbes, ReadonlyArray<Readiness.Probe>>()(
  "@lading/http/server/limits/Limits/LimitProbes"
) {}

type Offered = Core.Limits | Buckets.Buckets | LimitProbes

const alone: Layer.Layer<Offered> = Layer.mergeAll(
  Core.layerLimits,
  Buckets.layerMemory,
  Layer.succeed(LimitProbes, [])
)

const together = Effect.fnUntraced(function* (url: Redacted.Redacted, prefix: string) {
  const { Shared, Stores } = yield* Effect.promise(() => import("../redis/index.ts"))
  const probes = Layer.effect(
    LimitProbes,
    Effect.map(Shared.Reach, ({ isUp }) => [
      Readiness.probe(
        "redis",
        Effect.flatMap(isUp, (up) => (up ? Effect.void : Effect.fail("down"))),
        { spared: true }
      )
    ])
  )
  return Layer.merge(Stores.layer(prefix), probes).pipe(
    Layer.provide(Shared.layer({ url, prefix })),
    Layer.catch(({ problem }) =>
      Layer.effectContext(
        Effect.fail(new CannotStart({ variable: limits.redisUrl.name, problem: `Redis cannot be used: ${problem}` }))
      )
    )
  )
})

export const layer = ({ redisPrefix, redisUrl }: Options): Layer.Layer<Offered, CannotStart> =>
  redisUrl === null ? alone : Layer.unwrap(together(redisUrl, redisPrefix))
