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

/** One answer for good: what was asked, and when the vendor said so. */
export interface Reference {
  readonly key: Key
  /** Epoch milliseconds. */
  readonly observed_at: number
}

export interface Keeping {
  /** Until then the entry answers equal questions, epoch milliseconds. */
  readonly expires_at: number
  /** Until then it can be recalled for a replay, epoch milliseconds; at least `expires_at`. */
  readonly kept_until: number
  /** Handles of everybody it speaks of, the raw answer included (see `Suppression`). */
  readonly subjects: ReadonlyArray<string>
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
    /**
     * Keeps the entry, in place of one that was observed before it; the earlier one can still be recalled. What speaks of
     * somebody who has objected by then is not kept. May be written a moment later: a crash can lose the last ones.
     */
    readonly put: (key: Key, entry: Entry, keeping: Keeping) => Effect.Effect<void, AnswerCacheUnavailable>
    /** Answers as they were, whether newer ones have come or not; `null` for what is no longer kept. */
    readonly recall: (
      references: ReadonlyArray<Reference>
    ) => Effect.Effect<ReadonlyArray<Entry | null>, AnswerCacheUnavailable>
    /** Forgets every answer that speaks of one of these handles; gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Effect.Effect<number, AnswerCacheUnavailable>
    /** Forgets what has expired and need not be kept any more; gives the number of answers. */
    readonly sweep: Effect.Effect<number, AnswerCacheUnavailable>
  }
>()("@lading/core/waterfall/AnswerCache") {}

/** One text for one key. */
export const keyText = ({ adapter, identity, operation, source, tenant }: Key): string =>
  JSON.stringify([tenant, source, adapter, operation, identity])

/** How many entries `layerMemory` keeps; the one that was not read for longest goes first. */
export const memoryCapacity = 10_000

interface Kept extends Keeping {
  readonly observed_at: number
  readonly json: string
}

const referenceText = ({ key, observed_at }: Reference): string => `${observed_at} ${keyText(key)}`

/** Answers in memory, lost with the process. Entries are kept as JSON text, so that no reader can change them. */
export const layerMemory: Layer.Layer<AnswerCache> = Layer.sync(AnswerCache, () => {
  // A map iterates in the order of insertion: what is read or written goes to the end, the oldest is in front.
  const kept = new Map<string, Kept>()
  /** The newest answer to each key, by its reference. */
  const newest = new Map<string, string>()

  const entryOf = ({ json, observed_at }: Kept): Entry => ({ answer: JSON.parse(json), observed_at })

  const get = (key: string, since: number, now: number): Entry | null => {
    const reference = newest.get(key)
    const known = reference === undefined ? undefined : kept.get(reference)
    if (reference === undefined || known === undefined || known.observed_at < since || known.expires_at <= now) {
      return null
    }
    kept.delete(reference)
    kept.set(reference, known)
    return entryOf(known)
  }

  const recall = (reference: Reference, now: number): Entry | null => {
    const known = kept.get(referenceText(reference))
    return known === undefined || known.kept_until <= now ? null : entryOf(known)
  }

  const forget = (which: (answer: Kept) => boolean): number => {
    const before = kept.size
    for (const [reference, answer] of kept) if (which(answer)) kept.delete(reference)
    for (const [key, reference] of newest) if (!kept.has(reference)) newest.delete(key)
    return before - kept.size
  }

  const put = (key: Key, { answer, observed_at }: Entry, keeping: Keeping) => {
    const reference = referenceText({ key, observed_at })
    const text = keyText(key)
    kept.delete(reference)
    kept.set(reference, { ...keeping, observed_at, json: JSON.stringify(answer) })
    const before = kept.get(newest.get(text) ?? "")
    if (before === undefined || before.observed_at <= observed_at) newest.set(text, reference)
    for (const oldest of kept.keys()) {
      if (kept.size <= memoryCapacity) break
      kept.delete(oldest)
    }
    if (newest.size > 2 * memoryCapacity) forget(() => false)
  }

  return {
    find: (keys, since) =>
      Effect.map(Clock.currentTimeMillis, (now) => keys.map((key) => get(keyText(key), since, now))),
    put: (key, entry, keeping) => Effect.sync(() => put(key, entry, keeping)),
    recall: (references) =>
      Effect.map(Clock.currentTimeMillis, (now) => references.map((reference) => recall(reference, now))),
    erase: (handles) =>
      Effect.sync(() => forget(({ subjects }) => handles.some((handle) => subjects.includes(handle)))),
    sweep: Effect.map(Clock.currentTimeMillis, (now) =>
      forget(({ expires_at, kept_until }) => expires_at <= now && kept_until <= now)
    )
  }
})
