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
    /**
     * Which of these handles (see `Handle` and `Subject.handles`) are suppressed. They are asked for only when anybody is:
     * to gather them costs more than to find that the list is empty.
     */
    readonly find: (handles: () => ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SuppressionUnavailable>
    /** Suppresses a handle for good; repeating it changes nothing. */
    readonly add: (handle: string) => Effect.Effect<void, SuppressionUnavailable>
  }
>()("@lading/core/account/Suppression") {}

/** Suppressed handles in memory, lost with the process. */
export const layerMemory: Layer.Layer<Suppression> = Layer.sync(Suppression, () => {
  const suppressed = new Set<string>()
  return {
    find: (handles) =>
      Effect.sync(() => new Set(suppressed.size === 0 ? [] : handles().filter((handle) => suppressed.has(handle)))),
    add: (handle) => Effect.sync(() => void suppressed.add(handle))
  }
})
