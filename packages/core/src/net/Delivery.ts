/**
 * What is handed over to be sent, and what became of it: events, deliveries and their attempts. Part of `Webhooks`, which
 * exports all of it; apart from the port so that its implementations import no circle.
 */
import { type Redacted, Schema } from "effect"

export class WebhooksUnavailable extends Schema.TaggedError<WebhooksUnavailable>()("WebhooksUnavailable", {
  problem: Schema.String
}) {}

export interface Event {
  /** The caller's own, made from what happened: `enrichment:req_…`. */
  readonly id: string
  readonly account: string
  /** See `WebhookUrl.admit`. */
  readonly url: string
  /** What happened, e.g. `person.enriched`. */
  readonly type: string
  /** JSON. */
  readonly data: unknown
  /** Handles of everybody it speaks of (see `Handle`, `Mentions.of`). */
  readonly subjects: ReadonlyArray<string>
}

/** `waiting` for its next attempt or in the air; `delivered`; `failed`: given up, nothing more is tried. */
export const State = Schema.Literals(["waiting", "delivered", "failed"])
export type State = typeof State.Type

/**
 * Why an attempt did not deliver: an answer other than 2xx (`status`; `redirect`, `gone` for 3xx and 410), no answer in
 * time, no connection, a name without an address, an address that is not sent to, or what was kept cannot be opened.
 */
export const Problem = Schema.Literals([
  "status",
  "redirect",
  "gone",
  "timeout",
  "connection",
  "host_not_found",
  "address_refused",
  "unreadable"
])
export type Problem = typeof Problem.Type

export interface Attempt {
  /** Epoch milliseconds when it began. */
  readonly at: number
  /** Milliseconds. */
  readonly duration: number
  /** What the receiver answered; `null` where it did not. */
  readonly status: number | null
  /** `null` where it was delivered. */
  readonly problem: Problem | null
}

export interface Delivery {
  /** `msg_…`, what the receiver sees as `webhook-id`; the same at every attempt. */
  readonly id: string
  readonly type: string
  /** `null` where what was kept can no longer be opened. */
  readonly url: string | null
  readonly state: State
  /** Epoch milliseconds when the event was taken over. */
  readonly created_at: number
  /** Epoch milliseconds of the next attempt, while it is `waiting`. */
  readonly next_at: number | null
  /** How often it was tried, replays included. */
  readonly attempts: number
  /** The last one; `null` where it was not tried yet. */
  readonly last: Attempt | null
}

export interface Page {
  /** The newest first. */
  readonly deliveries: ReadonlyArray<Delivery>
  /** How many there are in all. */
  readonly total: number
}

export interface Rotation {
  /** `whsec_…`: shown now and never again. */
  readonly secret: Redacted.Redacted
  /** Epoch milliseconds until which messages are signed with the secrets before it too; `null` where there was none. */
  readonly previous_valid_until: number | null
}
