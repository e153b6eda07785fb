/**
 * Subjects that must not be looked up or shown: people and companies that objected. Only digests are kept.
 */
import { Context, type Effect, Schema } from "effect"

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
