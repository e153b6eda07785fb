/**
 * Enrichments that were answered before all of their sources were: what is known so far, and what is still to come. Kept
 * until whoever asked has had time to fetch the rest.
 *
 * An enrichment is JSON text, and sealed where it outlives the process: it speaks of people.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"

export class EnrichmentStoreUnavailable extends Schema.TaggedError<EnrichmentStoreUnavailable>()(
  "EnrichmentStoreUnavailable",
  { problem: Schema.String }
) {}

export interface Stored {
  readonly request_id: string
  /** Whose it is. */
  readonly account: string
  readonly operation: string
  /** Rises with every change: 1 for one that was just put. */
  readonly revision: number
  /** See `PendingEnrichment`. */
  readonly text: string
}

/** A later state, and the revision that it was made from. */
export type Changed = Pick<Stored, "request_id" | "revision" | "text">

export interface Keeping {
  /** Epoch milliseconds. */
  readonly kept_until: number
  /** Handles of everybody it speaks of (see `Suppression`). */
  readonly subjects: ReadonlyArray<string>
}

export class EnrichmentStore extends Context.Service<
  EnrichmentStore,
  {
    /** `false`, and nothing is kept, where it speaks of somebody who has objected. A request id is put once. */
    readonly put: (
      enrichment: Omit<Stored, "revision">,
      keeping: Keeping
    ) => Effect.Effect<boolean, EnrichmentStoreUnavailable>
    /** `null` where there is none, or no longer. */
    readonly find: (requestId: string) => Effect.Effect<Stored | null, EnrichmentStoreUnavailable>
    /**
     * Puts a later state in the place of the one with this revision. `false`, and nothing is changed, where somebody else
     * has changed it, it is gone, or it speaks of somebody who has objected.
     */
    readonly replace: (enrichment: Changed, keeping: Keeping) => Effect.Effect<boolean, EnrichmentStoreUnavailable>
    readonly remove: (requestId: string) => Effect.Effect<void, EnrichmentStoreUnavailable>
    /** Forgets every enrichment that speaks of one of these handles; gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Effect.Effect<number, EnrichmentStoreUnavailable>
    /** Forgets what need not be kept any more; gives the number. */
    readonly sweep: Effect.Effect<number, EnrichmentStoreUnavailable>
  }
>()("@lading/core/pending/EnrichmentStore") {}

/** Enrichments in memory, lost with the process. */
export const layerMemory: Layer.Layer<EnrichmentStore, never, Suppression.Suppression> = Layer.effect(
  EnrichmentStore,
  Effect.gen(function* () {
    const suppression = yield* Suppression.Suppression
    const kept = new Map<string, Stored & Keeping>()

    const forget = (which: (enrichment: Keeping) => boolean): number => {
      const before = kept.size
      for (const [id, enrichment] of kept) if (which(enrichment)) kept.delete(id)
      return before - kept.size
    }

    /** Nobody in it has objected. */
    const isShown = ({ subjects }: Keeping): Effect.Effect<boolean, EnrichmentStoreUnavailable> =>
      suppression
        .find(() => subjects)
        .pipe(
          Effect.map(({ size }) => size === 0),
          Effect.mapError(({ problem }) => new EnrichmentStoreUnavailable({ problem }))
        )

    const find = (requestId: string, now: number): Stored | null => {
      const known = kept.get(requestId)
      if (known === undefined || known.kept_until <= now) return null
      const { account, operation, request_id, revision, text } = known
      return { account, operation, request_id, revision, text }
    }

    const put = (enrichment: Omit<Stored, "revision">, keeping: Keeping): boolean => {
      kept.set(enrichment.request_id, { ...enrichment, ...keeping, revision: 1 })
      return true
    }

    const replace = ({ request_id, revision, text }: Changed, keeping: Keeping): boolean => {
      const known = kept.get(request_id)
      if (known?.revision !== revision) return false
      kept.set(request_id, { ...known, ...keeping, text, revision: revision + 1 })
      return true
    }

    return EnrichmentStore.of({
      put: (enrichment, keeping) => Effect.map(isShown(keeping), (shown) => shown && put(enrichment, keeping)),
      find: (requestId) => Effect.map(Clock.currentTimeMillis, (now) => find(requestId, now)),
      replace: (enrichment, keeping) => Effect.map(isShown(keeping), (shown) => shown && replace(enrichment, keeping)),
      remove: (requestId) => Effect.sync(() => void kept.delete(requestId)),
      erase: (handles) =>
        Effect.sync(() => forget(({ subjects }) => handles.some((handle) => subjects.includes(handle)))),
      sweep: Effect.map(Clock.currentTimeMillis, (now) => forget(({ kept_until }) => kept_until <= now))
    })
  })
)
