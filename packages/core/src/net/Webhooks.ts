/**
 * Webhooks: events that an account wants to be told of, each sent to an address of its own until it has arrived or a day
 * is over. A use case hands an event over with `send` and is done; delivery is durable from there on, and at least once.
 *
 * What a receiver gets is the Standard Webhooks format (`WebhookMessage`), signed with the secrets of the account. An
 * account that has none is given one with its first event; its owner sees a secret by rotating it.
 *
 * Gotchas
 * - An event is known by its account and its id: sent twice, even to another address, it is the first one.
 * - An event that speaks of somebody who has objected is never sent, and an erasure takes those that were kept.
 * - Nothing of what a receiver answers is kept but the status.
 */
import { Context, Effect, Layer } from "effect"
import { Suppression } from "../account/Suppression.ts"
import type { Attempt, Delivery, Event, Page, Rotation, WebhooksUnavailable } from "./Delivery.ts"
import { Outbox } from "./Outbox.ts"
import * as WebhooksMemory from "./WebhooksMemory.ts"

export * from "./Delivery.ts"

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** Takes an event over: durable once it returns. The same id of the same account twice is one event. */
    readonly send: (event: Event) => Effect.Effect<void, WebhooksUnavailable>
    /** Deliveries of an account, newest first; `page` counts from 1. */
    readonly list: (account: string, page: number, limit: number) => Effect.Effect<Page, WebhooksUnavailable>
    /** One delivery of the account with its attempts, oldest first; `null` where there is none, or no longer. */
    readonly find: (
      account: string,
      id: string
    ) => Effect.Effect<
      { readonly delivery: Delivery; readonly attempts: ReadonlyArray<Attempt> } | null,
      WebhooksUnavailable
    >
    /**
     * Sends it again, now and for another day if need be, whatever came of it before; `null` where there is no such
     * delivery. One that is in the air already is left as it is, and sent again at once if it fails there.
     */
    readonly replay: (account: string, id: string) => Effect.Effect<Delivery | null, WebhooksUnavailable>
    /** Gives the account a new secret. Those before it sign beside it for another day. */
    readonly rotate: (account: string) => Effect.Effect<Rotation, WebhooksUnavailable>
    /** Forgets every event that speaks of one of these handles; gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Effect.Effect<number, WebhooksUnavailable>
    /** Forgets what need not be kept any more; gives the number of events. */
    readonly sweep: Effect.Effect<number, WebhooksUnavailable>
  }
>()("@lading/core/net/Webhooks") {}

/** Events in memory, and the outbox they wait in; lost with the process. */
export const layerMemory: Layer.Layer<Webhooks | Outbox, never, Suppression> = Layer.effectContext(
  Effect.map(Suppression, (suppression) => {
    const { outbox, webhooks } = WebhooksMemory.make(suppression)
    return Context.make(Webhooks, webhooks).pipe(Context.add(Outbox, outbox))
  })
)
