/**
 * What the ledger is asked and what it answers: holds and how they fail, grants, balances, the journal.
 * Part of `Ledger`, which exports all of it; apart from the port so that its implementations import no circle.
 */
import { Schema } from "effect"
import type * as Bill from "./Bill.ts"
import { Credits } from "./Credits.ts"

export const HoldId = Schema.String.pipe(Schema.brand("HoldId"))
export type HoldId = typeof HoldId.Type

/** The balance does not cover the hold. Nothing was taken. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  needed: Credits,
  available: Credits
}) {}

/**
 * The key is in use: by a request with another body (`other_request`), by a twin that has not ended (`running`), or by a
 * request whose outcome was erased since it spoke of somebody who objected (`erased`).
 */
export class KeyConflict extends Schema.TaggedError<KeyConflict>()("KeyConflict", {
  reason: Schema.Literals(["other_request", "running", "erased"])
}) {}

/** The hold was already settled, released or has expired; or it never was. */
export class HoldEnded extends Schema.TaggedError<HoldEnded>()("HoldEnded", { hold: HoldId }) {}

/** More was asked of a hold than remains in it, by a child or a capture. Nothing was changed. */
export class HoldExceeded extends Schema.TaggedError<HoldExceeded>()("HoldExceeded", {
  hold: HoldId,
  needed: Credits,
  remaining: Credits
}) {}

/** Nothing was charged under this request id, or what was has been given back already. Nothing was changed. */
export class NothingToRefund extends Schema.TaggedError<NothingToRefund>()("NothingToRefund", {
  request_id: Schema.String,
  reason: Schema.Literals(["not_charged", "refunded"])
}) {}

/** More was to be given back than is left of what the request was charged. Nothing was changed. */
export class RefundExceeded extends Schema.TaggedError<RefundExceeded>()("RefundExceeded", {
  needed: Credits,
  remaining: Credits
}) {}

/** The store does not answer. Whether the change took place is unknown; all operations may be repeated. */
export class LedgerUnavailable extends Schema.TaggedError<LedgerUnavailable>()("LedgerUnavailable", {
  problem: Schema.String
}) {}

/** What names a request for good: repeated under the same key by the same account, it runs and is charged once. */
export interface RequestKey {
  readonly account: string
  /** The client's `Idempotency-Key`, or the request id where the client sent none. */
  readonly key: string
  /**
   * Digest of method, path and raw body: another one under the same key is a `KeyConflict`. `null` where nobody can repeat
   * the request: then the key only names its hold, and nothing is kept under it.
   */
  readonly fingerprint: string | null
}

export interface Open {
  readonly request: RequestKey
  /** The worst price of the request. Zero is allowed: the key is still taken. */
  readonly amount: Credits
  /** Life-time of the hold in milliseconds; unsettled, it expires then and its key is free again. */
  readonly ttl: number
  /** How long a stored outcome can be replayed, in milliseconds. */
  readonly keep: number
  /** The API key that asked, for usage by key; `null` for embedders. */
  readonly api_key: string | null
  /** `company`, `person`, …: for usage by operation. */
  readonly operation: string
  /** What its caller knows the request by, and what it can be refunded by; left out, it cannot. */
  readonly request_id?: string
  /**
   * The hold that pays in the balance's place: what is held is moved out of its remainder, and what is not captured goes
   * back there, or to the balance when it has ended. Left out, the balance pays.
   */
  readonly from?: HoldId | null
}

export type Opened =
  | { readonly _tag: "Held"; readonly hold: HoldId }
  | { readonly _tag: "Replayed"; readonly outcome: string }

export interface Settlement {
  /** The hold's account. A hold of another account is none: `HoldEnded`. */
  readonly account: string
  /** What is captured; its total never exceeds what remains in the hold. */
  readonly bill: Bill.Bill
  /**
   * The domain outcome as JSON text, replayed to whoever repeats the key; `null` frees the key
   * (failures are not replayed).
   */
  readonly outcome: string | null
  /**
   * Handles of everybody the outcome speaks of (see `Suppression`): by them it is found when one of them is erased. An
   * outcome about somebody who has objected by then is kept as erased from the start.
   */
  readonly subjects: ReadonlyArray<string>
}

export interface Grant {
  readonly account: string
  readonly amount: Credits
  /** Epoch milliseconds after which what is unspent expires; `null` for never. */
  readonly expires_at: number | null
  /** Repeating a grant under the same key changes nothing. */
  readonly key: string
  readonly reason: string
}

/** A correction by an operator: a mistake put right. What a request was charged is given back with a `Refund`. */
export interface Adjustment {
  readonly account: string
  /** Signed millionths: what is added never expires, what is taken comes out of what is available, soonest expiry first. */
  readonly amount: number
  /** Repeating an adjustment under the same key changes nothing. */
  readonly key: string
  readonly reason: string
}

/** What a request was charged is given back, or a part of it: what was paid last comes back first. */
export interface Refund {
  readonly account: string
  readonly request_id: string
  /** `null` for all that is left of it. */
  readonly amount: Credits | null
  /** Repeating a refund under the same key changes nothing. */
  readonly key: string
  readonly reason: string
}

/** What came of a refund. */
export interface Refunded {
  readonly request_id: string
  /** What this refund gave back; it never expires, wherever it came from. */
  readonly amount: Credits
  /** All that the request was charged, with what was charged after its answer. */
  readonly charged: Credits
  /** All that was given back of it by now. */
  readonly refunded: Credits
}

/** Where a hold is on its way: it ends once, and stays as it ended. */
export type Ending = "open" | "settled" | "expired"

/** All amounts ever, but for `held` and `available`, which are as they are now. */
export interface Balance {
  /** With all adjustments, in either direction. */
  readonly granted: Credits
  readonly expired: Credits
  /** Less what was refunded. */
  readonly captured: Credits
  readonly held: Credits
  readonly available: Credits
}

/** A group of postings that belong to one event. `amount` is signed millionths; the sum per `unit` is zero. */
export interface PostingGroup {
  readonly id: string
  /** A hold that expires posts a `release`; `expire` is the end of granted credits. A split posts nothing. */
  readonly kind: "grant" | "adjust" | "hold" | "capture" | "release" | "refund" | "expire" | "memo"
  /** Epoch milliseconds. */
  readonly at: number
  readonly hold: HoldId | null
  readonly price_version: string | null
  readonly postings: ReadonlyArray<{
    /** `granted`, `available`, `held`, `expired` of the account, or who was paid: `platform`, `source:<slot>`. */
    readonly book: string
    /** `credit`, or `vendor:<slot>` for a memo of the vendor's own units. */
    readonly unit: string
    readonly amount: number
  }>
}

/** A rule of the ledger that does not hold, and where. */
export interface Breach {
  /** The rule's name, e.g. `groups_sum_to_zero`; `docs/invariants.md` lists them. */
  readonly invariant: string
  readonly account: string
  /** What breaks it: the id of a hold, a group, a grant, or a request key; the account itself for a sum. */
  readonly subject: string
  /** What was found and what was expected, in words. */
  readonly detail: string
}

/** What an audit of one account looked at and what it found. */
export interface Audit {
  readonly account: string
  readonly groups: number
  readonly holds: number
  readonly breaches: ReadonlyArray<Breach>
}
