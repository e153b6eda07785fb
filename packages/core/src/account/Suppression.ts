/**
 * Subjects that must not be looked up or shown: people and companies that objected. A store that
 * outlives the process keeps digests only.
 */
import { Context, Effect, Layer, Schema } from "effect"

export class SuppressionUnavailable extends Schema.TaggedError<SuppressionUnavailable>()("SuppressionUnavailable", {
  problem: Schema.String
}) {}

export class Suppression extends Context.Service<
  Suppression,
  {
    /** Which of these handles (see `Subject.handles`, e.g. `email:mara@acme.example`) are suppressed. */
    readonly find: (handles: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SuppressionUnavailable>
    /** Suppresses a handle for good; repeating it changes nothing. */
    readonly add: (handle: string) => Effect.Effect<void, SuppressionUnavailable>
  }
>()("@lading/core/account/Suppression") {}

/** Suppressed digests in memory, lost with the process. */
export const layerMemory: Layer.Layer<Suppression> = Layer.sync(Suppression, () => {
  const suppressed = new Set<string>()
  return {
    find: (digests) => Effect.sync(() => new Set(digests.filter((digest) => suppressed.has(digest)))),
    add: (digest) => Effect.sync(() => void suppressed.add(digest))
  }
})
