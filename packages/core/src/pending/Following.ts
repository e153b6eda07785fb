/** Following: one answer that is still to come is asked for until it is there, or its time is over. */
import { Cause, Clock, Effect } from "effect"
import type * as Vault from "../account/Vault.ts"
import type { Ending } from "../waterfall/Ending.ts"
import type * as Slots from "../waterfall/Slots.ts"
import type { Credential } from "../waterfall/Source.ts"
import type * as Waterfall from "../waterfall/Waterfall.ts"
import * as Continued from "./Continued.ts"
import * as PendingEnrichment from "./PendingEnrichment.ts"
import type * as Records from "./Records.ts"

/** How the enrichments of each operation go on; core knows its own. */
export type Operations = {
  readonly [Operation in PendingEnrichment.PendingEnrichment["operation"]]: Continued.Continued<unknown>
}

/** What answers are asked for with. */
interface Means {
  readonly operations: Operations
  readonly slots: Slots.Slots["Service"]
  readonly vault: Vault.Vault["Service"]
  readonly waterfall: Waterfall.Waterfall["Service"]
}

/** What an answer is asked for with: the kind of key that began it. `null` where this process has none now. */
const credentialOf = (
  { slots, vault }: Means,
  { account }: PendingEnrichment.PendingEnrichment,
  { adapter, own_key, source, stored_key }: PendingEnrichment.Waiting,
  own: ReadonlyMap<string, Credential>
): Effect.Effect<Credential | null> => {
  if (stored_key === true) {
    return vault.find(account, [{ slot: source, adapter }]).pipe(
      Effect.map((stored) => stored.get(source) ?? null),
      Effect.catch((error) => Effect.as(Effect.logWarning("a stored key cannot be had now", error._tag), null))
    )
  }
  if (own_key) return Effect.succeed(own.get(source) ?? null)
  const slot = slots.byName.get(source)
  return Effect.succeed(slot?.source?.credential === "None" ? { _tag: "None" } : (slot?.credential ?? null))
}

/** `null` where it can only be asked by another process, or later. */
const ask = Effect.fnUntraced(function* (
  means: Means,
  enrichment: PendingEnrichment.PendingEnrichment,
  waiting: PendingEnrichment.Waiting,
  own: ReadonlyMap<string, Credential>
): Effect.fn.Return<Ending | null> {
  const credential = yield* credentialOf(means, enrichment, waiting, own)
  if (credential === null && waiting.own_key) return null
  const { operations, slots, waterfall } = means
  const slot = slots.byName.get(waiting.source)
  return yield* operations[enrichment.operation].resume(waterfall, { enrichment, waiting, slot, credential }).pipe(
    // A defect in an adapter, or in what is made of its answer, ends that answer and no other.
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("a later answer could not be read", Cause.die(defect)),
        Continued.failed(waiting, "invalid_response")
      )
    )
  )
})

/** Asking for one answer until it is there. */
export const make = (means: Means, { change, find }: Records.Records, pending: Waterfall.Pending) => {
  /** Asks once, and keeps what came; gives how long to wait until the next time, `null` when there is none. */
  const once = Effect.fnUntraced(function* (
    requestId: string,
    which: PendingEnrichment.Waiting,
    own: ReadonlyMap<string, Credential>,
    pause: number
  ) {
    const found = yield* find(requestId)
    const waiting = found === null ? undefined : PendingEnrichment.openAt(found.enrichment, which)
    if (found === null || waiting === undefined) return null
    const left = found.enrichment.expires_at - (yield* Clock.currentTimeMillis)
    const ending = left <= 0 ? Continued.failed(waiting, "timeout") : yield* ask(means, found.enrichment, waiting, own)
    if (ending !== null && ending.verdict._tag !== "Pending") {
      const { verify } = means.operations[found.enrichment.operation]
      const verified = yield* verify(means.waterfall, found.enrichment, waiting, ending)
      yield* change(requestId, (enrichment) => PendingEnrichment.land(enrichment, waiting, { ending, verified }))
      return null
    }
    const handle = ending?.verdict._tag === "Pending" ? ending.verdict.handle : waiting.handle
    if (handle !== waiting.handle) {
      yield* change(requestId, (enrichment) => PendingEnrichment.renamed(enrichment, waiting, handle))
    }
    return Math.min(pause, left)
  })

  const follow = (
    requestId: string,
    waiting: PendingEnrichment.Waiting,
    own: ReadonlyMap<string, Credential>,
    pause: number
  ): Effect.Effect<void, Records.Unreadable> =>
    Effect.flatMap(once(requestId, waiting, own, pause), (wait) =>
      wait === null
        ? Effect.void
        : Effect.delay(
            Effect.suspend(() => follow(requestId, waiting, own, Math.min(pending.most, Math.round(pause * 1.5)))),
            wait
          )
    )

  return follow
}
