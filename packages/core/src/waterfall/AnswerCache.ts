/**
 * What sources answered, kept for a while, so that an equal question is not paid to the vendor twice.
 *
 * Entries of platform credentials are shared by all accounts. Entries that were bought with an account's own key
 * belong to that account: the tenant is part of the key.
 */
import { Context, type Effect, Schema } from "effect"

export class AnswerCacheUnavailable extends Schema.TaggedError<AnswerCacheUnavailable>()("AnswerCacheUnavailable", {
  problem: Schema.String
}) {}

export interface Key {
  /** `platform`, or `account:<id>` for answers bought with that account's own key. */
  readonly tenant: string
  /** The slot's name. */
  readonly source: string
  /** The adapter and its version: another reading of the same answer is another entry. */
  readonly adapter: string
  readonly operation: string
  /** The normalised identity that was asked about. */
  readonly identity: string
}

/** An outcome as it was given: a miss, or a hit with facts and raw answer (both JSON values). */
export type Answer =
  | { readonly _tag: "Hit"; readonly facts: unknown; readonly raw: unknown }
  | { readonly _tag: "Miss" }

export interface Entry {
  readonly answer: Answer
  /** Epoch milliseconds when the vendor said so. */
  readonly observed_at: number
}

export class AnswerCache extends Context.Service<
  AnswerCache,
  {
    /** The entry that was observed at or after `since` (epoch milliseconds) and has not expired; else `null`. */
    readonly get: (key: Key, since: number) => Effect.Effect<Entry | null, AnswerCacheUnavailable>
    /** Keeps the entry until `expiresAt` (epoch milliseconds), in place of an older one. */
    readonly put: (key: Key, entry: Entry, expiresAt: number) => Effect.Effect<void, AnswerCacheUnavailable>
    /** Forgets expired entries; gives their number. */
    readonly sweep: Effect.Effect<number, AnswerCacheUnavailable>
  }
>()("@lading/core/waterfall/AnswerCache") {}
