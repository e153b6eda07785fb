/**
 * The ledger: who has how many credits, which of them are held for a running request, and what was captured.
 *
 * An append-only, double-entry journal. Every group of postings sums to zero per unit; balances are projections.
 * `docs/invariants.md` lists what must hold after every commit, under any interleaving and after any crash:
 * above all `available = granted - expired - captured - held >= 0`.
 *
 * A hold ends exactly once: settled (part captured, the rest released) or expired. Taking the hold happens before
 * the vendor call and is atomic, so that a balance is never checked first and spent later.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type * as Bill from "./Bill.ts"
import { Credits, zero } from "./Credits.ts"
import * as LedgerMemory from "./LedgerMemory.ts"

export const HoldId = Schema.String.pipe(Schema.brand("HoldId"))
export type HoldId = typeof HoldId.Type

/** The balance does not cover the hold. Nothing was taken. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  needed: Credits,
  available: Credits
}) {}

/** The key is in use: by a request with another body (`other_request`), or by a twin that has not ended (`running`). */
export class KeyConflict extends Schema.TaggedError<KeyConflict>()("KeyConflict", {
  reason: Schema.Literals(["other_request", "running"])
}) {}

/** The hold was already settled, released or has expired; or it never was. */
export class HoldEnded extends Schema.TaggedError<HoldEnded>()("HoldEnded", { hold: HoldId }) {}

/** More was asked of a hold than remains in it, by a child or a capture. Nothing was changed. */
export class HoldExceeded extends Schema.TaggedError<HoldExceeded>()("HoldExceeded", {
  hold: HoldId,
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
  /** Digest of method, path and raw body: another one under the same key is a `KeyConflict`. */
  readonly fingerprint: string
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
}

export type Opened =
  | { readonly _tag: "Held"; readonly hold: HoldId }
  | { readonly _tag: "Replayed"; readonly outcome: string }

export interface Settlement {
  /** What is captured; its total never exceeds what remains in the hold. */
  readonly bill: Bill.Bill
  /**
   * The domain outcome as JSON text, replayed to whoever repeats the key; `null` frees the key
   * (failures are not replayed).
   */
  readonly outcome: string | null
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

/** All amounts ever, but for `held` and `available`, which are as they are now. */
export interface Balance {
  readonly granted: Credits
  readonly expired: Credits
  readonly captured: Credits
  readonly held: Credits
  readonly available: Credits
}

/** A group of postings that belong to one event. `amount` is signed millionths; the sum per `unit` is zero. */
export interface PostingGroup {
  readonly id: string
  /** A hold that expires posts a `release`; `expire` is the end of granted credits. A split posts nothing. */
  readonly kind: "grant" | "hold" | "capture" | "release" | "expire" | "memo"
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

export class Ledger extends Context.Service<
  Ledger,
  {
    /** Takes the key and the hold in one transaction, or replays the outcome stored under the key. */
    readonly open: (request: Open) => Effect.Effect<Opened, InsufficientCredits | KeyConflict | LedgerUnavailable>
    /**
     * Moves `amount` of a hold's remainder into a child hold with a life of its own. What a child does not capture
     * returns to its parent, or to the balance when the parent has ended.
     */
    readonly split: (
      parent: HoldId,
      child: { readonly amount: Credits; readonly ttl: number }
    ) => Effect.Effect<HoldId, HoldEnded | HoldExceeded | LedgerUnavailable>
    /** Captures, releases the rest and stores the outcome in one transaction. Ends the hold; children live on. */
    readonly settle: (
      hold: HoldId,
      settlement: Settlement
    ) => Effect.Effect<void, HoldEnded | HoldExceeded | LedgerUnavailable>
    readonly grant: (grant: Grant) => Effect.Effect<void, LedgerUnavailable>
    /** Ends every hold whose time is over and every grant that has expired; gives the number of holds. */
    readonly expire: Effect.Effect<number, LedgerUnavailable>
    /** All zero for an account that was never granted anything. */
    readonly balance: (account: string) => Effect.Effect<Balance, LedgerUnavailable>
    /** The account's journal, oldest first. */
    readonly journal: (account: string) => Effect.Effect<ReadonlyArray<PostingGroup>, LedgerUnavailable>
  }
>()("@lading/core/billing/Ledger") {}

/** The exact rules, kept in memory and lost with the process. */
export const layerMemory: Layer.Layer<Ledger> = Layer.sync(Ledger, () => LedgerMemory.make())

const unmetered = HoldId.make("unmetered")

/** For embedders without billing: every hold fits, keys never conflict, nothing is kept. */
export const layerUnmetered: Layer.Layer<Ledger> = Layer.sync(Ledger, () => ({
  open: () => Effect.succeed<Opened>({ _tag: "Held", hold: unmetered }),
  split: () => Effect.succeed(unmetered),
  settle: () => Effect.void,
  grant: () => Effect.void,
  expire: Effect.succeed(0),
  balance: () => Effect.succeed({ granted: zero, expired: zero, captured: zero, held: zero, available: zero }),
  journal: () => Effect.succeed([])
}))
