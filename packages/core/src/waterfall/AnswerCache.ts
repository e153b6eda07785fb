/**
 * What sources answered, kept for a while, so that an equal question is not paid to the vendor twice.
 *
 * Entries of platform credentials are shared by all accounts. Entries that were bought with an account's own key
 * belong to that account: the tenant is part of the key.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"

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
    /**
     * For each key the entry that was observed at or after `since` (epoch milliseconds) and has not expired, or `null`.
     * All keys of a plan in one go: a look-up may be a round trip.
     */
    readonly find: (
      keys: ReadonlyArray<Key>,
      since: number
    ) => Effect.Effect<ReadonlyArray<Entry | null>, AnswerCacheUnavailable>
    /** Keeps the entry until `expiresAt` (epoch milliseconds), in place of one that was observed before it. */
    readonly put: (key: Key, entry: Entry, expiresAt: number) => Effect.Effect<void, AnswerCacheUnavailable>
    /** Forgets expired entries; gives their number. */
    readonly sweep: Effect.Effect<number, AnswerCacheUnavailable>
  }
>()("@lading/core/waterfall/AnswerCache") {}

/** One text for one key. */
export const keyText = ({ adapter, identity, operation, source, tenant }: Key): string =>
  JSON.stringify([tenant, source, adapter, operation, identity])

/** How many entries `layerMemory` keeps; the one that was not read for longest goes first. */
export const memoryCapacity = 10_000

/** Answers in memory, lost with the process. Entries are kept as JSON text, so that no reader can change them. */
export const layerMemory: Layer.Layer<AnswerCache> = Layer.sync(AnswerCache, () => {
  // A map iterates in the order of insertion: what is read or written goes to the end, the oldest is in front.
  const entries = new Map<
    string,
    { readonly json: string; readonly observed_at: number; readonly expires_at: number }
  >()

  const get = (key: string, since: number, now: number): Entry | null => {
    const kept = entries.get(key)
    if (kept === undefined || kept.observed_at < since || kept.expires_at <= now) return null
    entries.delete(key)
    entries.set(key, kept)
    return { answer: JSON.parse(kept.json), observed_at: kept.observed_at }
  }

  const put = (key: string, { answer, observed_at }: Entry, expires_at: number) => {
    const kept = entries.get(key)
    if (kept !== undefined && kept.observed_at > observed_at) return
    entries.delete(key)
    entries.set(key, { json: JSON.stringify(answer), observed_at, expires_at })
    for (const oldest of entries.keys()) {
      if (entries.size <= memoryCapacity) break
      entries.delete(oldest)
    }
  }

  const sweep = (now: number): number => {
    const before = entries.size
    for (const [key, { expires_at }] of entries) if (expires_at <= now) entries.delete(key)
    return before - entries.size
  }

  return {
    find: (keys, since) =>
      Effect.map(Clock.currentTimeMillis, (now) => keys.map((key) => get(keyText(key), since, now))),
    put: (key, entry, expiresAt) => Effect.sync(() => put(keyText(key), entry, expiresAt)),
    sweep: Effect.map(Clock.currentTimeMillis, sweep)
  }
})
