/**
 * What the ledger in memory keeps. `LedgerMemory` has the operations, `BooksAudit` checks what stands here.
 *
 * Gotchas: a hold that has ended is forgotten but for the digest of its settlement, and that too when enough others have
 * ended. `journal`, `charges` and `usage` grow for good.
 */
import * as Credits from "./Credits.ts"
import type { Balance, HoldId, PostingGroup } from "./Hold.ts"
import type { Posting } from "./Postings.ts"
import { dayOf, type Usage } from "./Usage.ts"

/** What remains of one grant and is not held. */
export interface Lot {
  readonly expires_at: number | null
  free: number
}

/** Credits that were taken from one grant. */
export interface Part {
  readonly lot: Lot
  readonly amount: number
}

export interface Opening {
  readonly at: number
  readonly api_key: string | null
  readonly operation: string
  /** `null` for what cannot be refunded. */
  readonly request_id: string | null
}

/** What a hold captured, and how much of it was given back. */
export interface Charge {
  readonly hold: HoldId
  readonly opened: Opening
  /** The lines of the capture that name who was paid. */
  readonly paid: ReadonlyArray<Posting>
  refunded: number
}

export interface Hold {
  readonly id: HoldId
  readonly account: Account
  readonly parent: Hold | null
  /** The idempotency key that the hold keeps busy; children keep none. */
  readonly key: string | null
  /** Whether it is a request's own; what was split off is a part of one. */
  readonly isRequest: boolean
  readonly expires_at: number
  /** When and by what it was opened: a child's request is its parent's. */
  readonly opened: Opening
  /** What remains in the hold, the grant that expires first in front. */
  parts: ReadonlyArray<Part>
  open: boolean
}

/** What an idempotency key stands for: a running request, or the outcome of one. */
export interface KeyEntry {
  readonly fingerprint: string
  readonly hold: HoldId
  readonly keep: number
  settled: {
    /** `null` when it was erased. */
    readonly outcome: string | null
    readonly subjects: ReadonlyArray<string>
    readonly at: number
  } | null
}

export interface Account {
  /** The lot that expires first in front. */
  readonly lots: Array<Lot>
  readonly holds: Set<Hold>
  readonly keys: Map<string, KeyEntry>
  readonly grants: Set<string>
  readonly adjustments: Set<string>
  /** By request, the one that was settled first in front. */
  readonly charges: Map<string, Array<Charge>>
  /** By key. */
  readonly refunds: Map<string, { readonly request_id: string; readonly amount: Credits.Credits }>
  readonly journal: Array<PostingGroup>
  /** By day, key and operation. */
  readonly usage: Map<string, Usage>
  granted: number
  expired: number
  captured: number
  held: number
}

export interface Books {
  readonly accounts: Map<string, Account>
  /** Those that are open. */
  readonly holds: Map<HoldId, Hold>
  /** By which settlement a hold ended, and whose it was; the oldest in front. */
  readonly settlements: Map<HoldId, { readonly account: Account; readonly digest: string }>
  lastId: number
}

export const empty = (): Books => ({ accounts: new Map(), holds: new Map(), settlements: new Map(), lastId: 0 })

export const newAccount = (): Account => ({
  lots: [],
  holds: new Set(),
  keys: new Map(),
  grants: new Set(),
  adjustments: new Set(),
  charges: new Map(),
  refunds: new Map(),
  journal: [],
  usage: new Map(),
  granted: 0,
  expired: 0,
  captured: 0,
  held: 0
})

export const sum = (parts: ReadonlyArray<Part>): number => parts.reduce((total, part) => total + part.amount, 0)

export const lastsUntil = (lot: Lot): number => lot.expires_at ?? Number.POSITIVE_INFINITY

export const balanceOf = (account: Account): Balance => ({
  granted: Credits.of(account.granted),
  expired: Credits.of(account.expired),
  captured: Credits.of(account.captured),
  held: Credits.of(account.held),
  available: Credits.of(account.granted - account.expired - account.captured - account.held)
})

export const paidIn = ({ paid }: Charge): number => paid.reduce((total, { amount }) => total + amount, 0)

/** Counts requests and credits of an account, both signed. */
const count = ({ usage }: Account, { api_key, at, operation }: Opening, requests: number, credits: number): void => {
  const day = dayOf(at)
  const key = JSON.stringify([day, api_key, operation])
  const before = usage.get(key) ?? { credits: Credits.zero, requests: 0 }
  usage.set(key, {
    day,
    api_key,
    operation,
    requests: before.requests + requests,
    credits: Credits.of(before.credits + credits)
  })
}

/** Counts a hold that was settled. */
export const use = ({ account, isRequest, opened }: Hold, captured: Credits.Credits): void =>
  count(account, opened, isRequest ? 1 : 0, captured)

/** Notes down what of a charge was given back. */
export const giveBack = (account: Account, charge: Charge, amount: number): void => {
  charge.refunded += amount
  count(account, charge.opened, 0, -amount)
}
