/** The kept enrichments, as those see them who go on with them: read, changed whoever else does, and waited for. */
import { Effect, Schema } from "effect"
import { patiently } from "../request/Patience.ts"
import * as Mentions from "../value/Mentions.ts"
import type * as EnrichmentStore from "./EnrichmentStore.ts"
import * as PendingEnrichment from "./PendingEnrichment.ts"

/** How long the answer can be fetched after the last source has answered, in milliseconds. */
const keepCompleted = 3 * 24 * 60 * 60 * 1000

/** How long a hold outlives the time that is waited, for processes that were down meanwhile; in milliseconds. */
export const grace = 24 * 60 * 60 * 1000

/** What an enrichment is kept with. */
export const keepingOf = (enrichment: PendingEnrichment.PendingEnrichment): EnrichmentStore.Keeping => ({
  kept_until: (enrichment.completed_at ?? enrichment.expires_at + grace) + keepCompleted,
  subjects: Mentions.of([enrichment.request, enrichment.asked])
})

interface Found {
  readonly stored: EnrichmentStore.Stored
  readonly enrichment: PendingEnrichment.PendingEnrichment
}

/** Kept by another version in a shape that this one cannot read: it is left as it is, its hold ends with its time. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { request_id: Schema.String }) {}

/** Reading and changing enrichments, whoever else does. */
export const make = (store: EnrichmentStore.EnrichmentStore["Service"]) => {
  /** `null` where there is none, or no longer. */
  const find = (requestId: string): Effect.Effect<Found | null, Unreadable> =>
    Effect.flatMap(patiently(store.find(requestId)), (stored) => {
      if (stored === null) return Effect.succeed(null)
      const enrichment = PendingEnrichment.parse(stored.text)
      return enrichment === null
        ? Effect.fail(new Unreadable({ request_id: requestId }))
        : Effect.succeed({ stored, enrichment })
    })

  /** Gives what it is by then; `null` when it is gone. */
  const change = (
    requestId: string,
    step: (enrichment: PendingEnrichment.PendingEnrichment) => PendingEnrichment.PendingEnrichment
  ): Effect.Effect<PendingEnrichment.PendingEnrichment | null, Unreadable> =>
    Effect.flatMap(find(requestId), (found) => {
      if (found === null) return Effect.succeed(null)
      const next = step(found.enrichment)
      if (next === found.enrichment) return Effect.succeed(next)
      const { request_id, revision } = found.stored
      const written = store.replace({ request_id, revision, text: PendingEnrichment.textOf(next) }, keepingOf(next))
      return Effect.flatMap(patiently(written), (done) =>
        done ? Effect.succeed(next) : Effect.suspend(() => again(requestId, revision, step))
      )
    })

  /** Somebody was faster; or it speaks of somebody who has objected by now, and is forgotten as a whole. */
  const again = (
    requestId: string,
    revision: number,
    step: (enrichment: PendingEnrichment.PendingEnrichment) => PendingEnrichment.PendingEnrichment
  ): Effect.Effect<PendingEnrichment.PendingEnrichment | null, Unreadable> =>
    Effect.flatMap(find(requestId), (found) =>
      found?.stored.revision === revision
        ? Effect.as(patiently(store.remove(requestId)), null)
        : change(requestId, step)
    )

  return { find, change, remove: (requestId: string) => patiently(store.remove(requestId)) }
}

export type Records = ReturnType<typeof make>
