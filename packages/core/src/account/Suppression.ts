/**
 * Subjects that must not be looked up or shown: people and companies that objected. Only digests are kept.
 */
import { Context, Effect, Layer, Schema } from "effect"

export class SuppressionUnavailable extends Schema.TaggedError<SuppressionUnavailable>()("SuppressionUnavailable", {
  problem: Schema.String
}) {}

export class Suppression extends Context.Service<
  Suppression,
  {
    /** Which of these digests (see `Subject.digest`) are suppressed. */
    readonly find: (digests: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SuppressionUnavailable>
    /** Suppresses a digest for good; repeating it changes nothing. */
    readonly add: (digest: string) => Effect.Effect<void, SuppressionUnavailable>
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
