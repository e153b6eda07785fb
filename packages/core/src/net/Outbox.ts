/**
 * The outbox of `Webhooks`, as its sender sees it: deliveries that are due are claimed for a while, sent, and ended. Any
 * number of senders may work on one outbox; a claim that nobody ends, since its process died, runs out, and the delivery
 * is due again.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { Attempt, WebhooksUnavailable } from "./Delivery.ts"

export interface Due {
  /** `msg_…`; see `Webhooks.Delivery`. */
  readonly id: string
  /** Names this claim: who comes late with another one changes nothing. */
  readonly claim: string
  readonly account: string
  /** One receiver (scheme, host, port) of one account. */
  readonly lane: string
  /** `null` where what was kept can no longer be opened. */
  readonly content: {
    readonly url: string
    /** What is sent, the same bytes at every attempt. */
    readonly body: string
    /** `whsec_…`, those that are valid, the newest first. */
    readonly secrets: ReadonlyArray<Redacted.Redacted>
  } | null
  /** How often it was tried since it was handed over or last replayed. */
  readonly tried: number
  /** Epoch milliseconds when it is given up. */
  readonly expires_at: number
}

export interface Claiming {
  /** How many are wanted at most. */
  readonly limit: number
  /** Milliseconds for which they are claimed. */
  readonly lease: number
  /** How many of one lane and of one account may be in the air at once, these and those that are running. */
  readonly perLane: number
  readonly perAccount: number
  /** What the claimer has in the air. */
  readonly running: ReadonlyArray<Pick<Due, "account" | "lane">>
}

export interface Claimed {
  /** Accounts in turns, what is due for longest in front. */
  readonly due: ReadonlyArray<Due>
  /** Epoch milliseconds when the next one is due, or a claim runs out; `null` when none waits. */
  readonly next_at: number | null
}

export class Outbox extends Context.Service<
  Outbox,
  {
    /** What speaks of somebody who has objected meanwhile is not claimed but forgotten. */
    readonly claim: (claiming: Claiming) => Effect.Effect<Claimed, WebhooksUnavailable>
    /**
     * Whether it may still be sent: nobody whom it speaks of has objected since, it was not erased, and the claim has not
     * run out and passed to somebody else. Asked at the last moment, since finding the receiver takes time.
     */
    readonly stands: (due: Due) => Effect.Effect<boolean, WebhooksUnavailable>
    /**
     * Writes an attempt down. With `next_at` (epoch milliseconds) the delivery waits until then; with `null` it is over:
     * delivered, or given up where the attempt has a problem. One that was replayed while it was in the air, and has
     * failed there, is due again at once, whatever `next_at` says.
     */
    readonly end: (due: Due, attempt: Attempt, next_at: number | null) => Effect.Effect<void, WebhooksUnavailable>
    /** Gives a claim back: nobody knows whether it was delivered, so it is due at once. */
    readonly release: (due: Due) => Effect.Effect<void, WebhooksUnavailable>
    /** How many deliveries wait or are in the air. */
    readonly waiting: Effect.Effect<number, WebhooksUnavailable>
    /** Waits until something was handed over or replayed in this process since this was last waited for. */
    readonly handedOver: Effect.Effect<void>
  }
>()("@lading/core/net/Outbox") {}
