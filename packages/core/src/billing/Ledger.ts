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
import { Context, Effect, Layer } from "effect"
import { type Credits, zero } from "./Credits.ts"
import {
  type Adjustment,
  type Audit,
  type Balance,
  type Ending,
  type Grant,
  type HoldEnded,
  type HoldExceeded,
  HoldId,
  type InsufficientCredits,
  type KeyConflict,
  type LedgerUnavailable,
  NothingToRefund,
  type Open,
  type Opened,
  type PostingGroup,
  type Refund,
  type Refunded,
  type RefundExceeded,
  type Settlement
} from "./Hold.ts"
import * as LedgerMemory from "./LedgerMemory.ts"
import type { Usage, UsageQuery } from "./Usage.ts"

export * from "./Hold.ts"

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Takes the key and the hold in one transaction, or replays the outcome stored under the key. Where another hold pays
     * (`Open.from`) it may have ended, or have less left than is needed; no other failure of these two kinds is possible.
     */
    readonly open: (
      request: Open
    ) => Effect.Effect<Opened, InsufficientCredits | KeyConflict | HoldEnded | HoldExceeded | LedgerUnavailable>
    /**
     * Moves `amount` of a hold's remainder into a child hold with a life of its own. What a child does not capture
     * returns to its parent, or to the balance when the parent has ended. `account` is whose hold it is.
     */
    readonly split: (
      parent: HoldId,
      child: { readonly account: string; readonly amount: Credits; readonly ttl: number }
    ) => Effect.Effect<HoldId, HoldEnded | HoldExceeded | LedgerUnavailable>
    /**
     * Captures, releases the rest and stores the outcome in one transaction. Ends the hold; children live on. The same
     * settlement may be repeated, after a lost answer for example: a hold that ended with it is no error.
     */
    readonly settle: (
      hold: HoldId,
      settlement: Settlement
    ) => Effect.Effect<void, HoldEnded | HoldExceeded | LedgerUnavailable>
    /**
     * How a hold has ended, by now: `open` while it has not, `expired` also for one that never was. Settled means that
     * whoever held it said so; what is to happen only then asks here, since a process may die in between.
     */
    readonly ending: (hold: HoldId) => Effect.Effect<Ending, LedgerUnavailable>
    readonly grant: (grant: Grant) => Effect.Effect<void, LedgerUnavailable>
    /** Adds or takes credits; nothing is taken that is not available. */
    readonly adjust: (adjustment: Adjustment) => Effect.Effect<void, InsufficientCredits | LedgerUnavailable>
    /** Gives back what a request was charged, or a part of it. The credits come from those who were paid. */
    readonly refund: (refund: Refund) => Effect.Effect<Refunded, NothingToRefund | RefundExceeded | LedgerUnavailable>
    /** Ends every hold whose time is over and every grant that has expired; gives the number of holds. */
    readonly expire: Effect.Effect<number, LedgerUnavailable>
    /** All zero for an account that was never granted anything. */
    readonly balance: (account: string) => Effect.Effect<Balance, LedgerUnavailable>
    /** The account's journal, oldest first. */
    readonly journal: (account: string) => Effect.Effect<ReadonlyArray<PostingGroup>, LedgerUnavailable>
    /** What the account has asked and paid on these days, less refunds, the newest first; nothing that is still held. */
    readonly usage: (query: UsageQuery) => Effect.Effect<ReadonlyArray<Usage>, LedgerUnavailable>
    /** Forgets the stored outcomes that speak of one of these; their keys stay taken. Gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Effect.Effect<number, LedgerUnavailable>
    /** Accounts that the ledger knows, in the order of their ids, those behind `after`; at most `limit` of them. */
    readonly accounts: (after: string | null, limit: number) => Effect.Effect<ReadonlyArray<string>, LedgerUnavailable>
    /** Brings the account up to date and checks every rule on what is really stored. */
    readonly audit: (account: string) => Effect.Effect<Audit, LedgerUnavailable>
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
  ending: () => Effect.succeed("settled"),
  grant: () => Effect.void,
  expire: Effect.succeed(0),
  balance: () => Effect.succeed({ granted: zero, expired: zero, captured: zero, held: zero, available: zero }),
  journal: () => Effect.succeed([]),
  usage: () => Effect.succeed([]),
  adjust: () => Effect.void,
  refund: ({ request_id }) => Effect.fail(new NothingToRefund({ request_id, reason: "not_charged" })),
  erase: () => Effect.succeed(0),
  accounts: () => Effect.succeed([]),
  audit: (account) => Effect.succeed({ account, groups: 0, holds: 0, breaches: [] })
}))
