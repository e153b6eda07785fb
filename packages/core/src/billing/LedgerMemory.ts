/**
 * The ledger in memory: the exact rules, for embedders, tests and the sandbox. Nothing survives the process.
 *
 * Each operation is one synchronous step, so no two interleave. Before it looks at an account it ends what is over
 * there (holds, grants), so that nobody waits for a sweeper.
 *
 * Gotchas: a hold remembers from which grants its credits came, for what comes back to a grant that has expired
 * meanwhile expires too. The grant that expires first is spent first.
 */
import { Clock, Effect } from "effect"
import * as Bill from "./Bill.ts"
import * as Credits from "./Credits.ts"
import {
  type Balance,
  type Grant,
  HoldEnded,
  HoldExceeded,
  HoldId,
  InsufficientCredits,
  KeyConflict,
  type Open,
  type Opened,
  type PostingGroup,
  type Settlement
} from "./Hold.ts"
import * as Postings from "./Postings.ts"

/** What remains of one grant and is not held. */
interface Lot {
  readonly expires_at: number | null
  free: number
}

/** Credits that were taken from one grant. */
interface Part {
  readonly lot: Lot
  readonly amount: number
}

interface Hold {
  readonly id: HoldId
  readonly account: Account
  readonly parent: Hold | null
  /** The idempotency key that the hold keeps busy; children keep none. */
  readonly key: string | null
  readonly expires_at: number
  /** What remains in the hold, the grant that expires first in front. */
  parts: ReadonlyArray<Part>
  open: boolean
}

/** What an idempotency key stands for: a running request, or the outcome of one. */
interface KeyEntry {
  readonly fingerprint: string
  readonly hold: HoldId
  readonly keep: number
  settled: { readonly outcome: string; readonly at: number } | null
}

interface Account {
  /** The lot that expires first in front. */
  readonly lots: Array<Lot>
  readonly holds: Set<Hold>
  readonly keys: Map<string, KeyEntry>
  readonly grants: Set<string>
  readonly journal: Array<PostingGroup>
  granted: number
  expired: number
  captured: number
  held: number
}

const newAccount = (): Account => ({
  lots: [],
  holds: new Set(),
  keys: new Map(),
  grants: new Set(),
  journal: [],
  granted: 0,
  expired: 0,
  captured: 0,
  held: 0
})

const sum = (parts: ReadonlyArray<Part>): number => parts.reduce((total, part) => total + part.amount, 0)

const lastsUntil = (lot: Lot): number => lot.expires_at ?? Number.POSITIVE_INFINITY

/** Two sets of parts as one, one part a lot, what expires first in front. */
const join = (a: ReadonlyArray<Part>, b: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const amounts = new Map<Lot, number>()
  for (const { amount, lot } of [...a, ...b]) amounts.set(lot, (amounts.get(lot) ?? 0) + amount)
  return Array.from(amounts, ([lot, amount]) => ({ lot, amount })).sort((x, y) => lastsUntil(x.lot) - lastsUntil(y.lot))
}

/** `amount` from the front of the parts, and what is left behind. */
const take = (parts: ReadonlyArray<Part>, amount: number) => {
  const taken: Array<Part> = []
  const left: Array<Part> = []
  let missing = amount
  for (const part of parts) {
    const share = Math.min(part.amount, missing)
    missing -= share
    if (share > 0) taken.push({ lot: part.lot, amount: share })
    if (share < part.amount) left.push({ lot: part.lot, amount: part.amount - share })
  }
  return { taken, left }
}

const replayable = (entry: KeyEntry, now: number): boolean =>
  entry.settled !== null && now - entry.settled.at <= entry.keep

const balanceOf = (account: Account): Balance => ({
  granted: Credits.of(account.granted),
  expired: Credits.of(account.expired),
  captured: Credits.of(account.captured),
  held: Credits.of(account.held),
  available: Credits.of(account.granted - account.expired - account.captured - account.held)
})

/** All there is. Holds that have ended are forgotten. */
interface Books {
  readonly accounts: Map<string, Account>
  readonly holds: Map<HoldId, Hold>
  lastId: number
}

const newId = (books: Books, kind: string): string => `${kind}_${++books.lastId}`

const accountOf = (books: Books, id: string): Account => {
  const account = books.accounts.get(id) ?? newAccount()
  books.accounts.set(id, account)
  return account
}

const post = (
  books: Books,
  account: Account,
  now: number,
  group: Pick<PostingGroup, "kind" | "hold" | "postings"> & { readonly price_version?: string }
) => account.journal.push({ id: newId(books, "group"), at: now, price_version: null, ...group })

/** Moves what is free in expired lots to `expired`. */
const expireLots = (books: Books, account: Account, now: number) => {
  let over = 0
  for (const lot of account.lots) {
    if (lastsUntil(lot) > now) continue
    over += lot.free
    lot.free = 0
  }
  if (over === 0) return
  account.expired += over
  post(books, account, now, {
    kind: "expire",
    hold: null,
    postings: [Postings.credit("available", -over), Postings.credit("expired", over)]
  })
}

/** Ends a hold: what remains goes back to its parent, or to the grants it came from when the parent has ended. */
const endHold = (books: Books, hold: Hold, now: number) => {
  const { account, parent } = hold
  hold.open = false
  account.holds.delete(hold)
  books.holds.delete(hold.id)
  const rest = sum(hold.parts)
  if (rest > 0 && parent?.open) parent.parts = join(parent.parts, hold.parts)
  else if (rest > 0) {
    account.held -= rest
    for (const { amount, lot } of hold.parts) lot.free += amount
    post(books, account, now, {
      kind: "release",
      hold: hold.id,
      postings: [Postings.credit("held", -rest), Postings.credit("available", rest)]
    })
    expireLots(books, account, now)
  }
  hold.parts = []
}

const freeKey = ({ account, id, key }: Hold) => {
  if (key !== null && account.keys.get(key)?.hold === id) account.keys.delete(key)
}

/** Brings an account up to date; gives the number of holds that were over. */
const bringUpToDate = (books: Books, account: Account, now: number): number => {
  let ended = 0
  for (const hold of account.holds) {
    if (hold.expires_at > now) continue
    endHold(books, hold, now)
    freeKey(hold)
    ended += 1
  }
  expireLots(books, account, now)
  return ended
}

/** Posts a bill. */
const postBill = (books: Books, hold: Hold, bill: Bill.Bill, now: number) => {
  const group = { hold: hold.id, price_version: bill.price_version }
  const captured = Postings.capture(bill)
  if (captured.length > 0) post(books, hold.account, now, { ...group, kind: "capture", postings: captured })
  const memos = Postings.memos(bill)
  if (memos.length > 0) post(books, hold.account, now, { ...group, kind: "memo", postings: memos })
}

const addHold = (books: Books, hold: Omit<Hold, "id" | "open">): HoldId => {
  const id = HoldId.make(newId(books, "hold"))
  const added: Hold = { ...hold, id, open: true }
  books.holds.set(id, added)
  hold.account.holds.add(added)
  return id
}

const open = (
  books: Books,
  { amount, keep, request, ttl }: Open,
  now: number
): Effect.Effect<Opened, InsufficientCredits | KeyConflict> => {
  const account = accountOf(books, request.account)
  bringUpToDate(books, account, now)
  const entry = account.keys.get(request.key)
  if (entry !== undefined && (entry.settled === null || replayable(entry, now))) {
    if (entry.fingerprint !== request.fingerprint) return Effect.fail(new KeyConflict({ reason: "other_request" }))
    if (entry.settled === null) return Effect.fail(new KeyConflict({ reason: "running" }))
    return Effect.succeed({ _tag: "Replayed", outcome: entry.settled.outcome })
  }
  const { available } = balanceOf(account)
  if (amount > available) return Effect.fail(new InsufficientCredits({ needed: amount, available }))
  const { taken } = take(
    account.lots.map((lot) => ({ lot, amount: lot.free })),
    amount
  )
  for (const part of taken) part.lot.free -= part.amount
  account.held += amount
  const expires_at = now + ttl
  const hold = addHold(books, { account, parent: null, key: request.key, expires_at, parts: taken })
  account.keys.set(request.key, { fingerprint: request.fingerprint, hold, keep, settled: null })
  if (amount > 0) {
    post(books, account, now, {
      kind: "hold",
      hold,
      postings: [Postings.credit("available", -amount), Postings.credit("held", amount)]
    })
  }
  return Effect.succeed({ _tag: "Held", hold })
}

/** The hold when it lives and `needed` fits into what remains of it. */
const livingHold = (
  books: Books,
  id: HoldId,
  needed: Credits.Credits,
  now: number
): Effect.Effect<Hold, HoldEnded | HoldExceeded> => {
  const hold = books.holds.get(id)
  if (hold !== undefined) bringUpToDate(books, hold.account, now)
  if (hold === undefined || !hold.open) return Effect.fail(new HoldEnded({ hold: id }))
  const remaining = Credits.of(sum(hold.parts))
  return needed > remaining ? Effect.fail(new HoldExceeded({ hold: id, needed, remaining })) : Effect.succeed(hold)
}

interface Child {
  readonly amount: Credits.Credits
  readonly ttl: number
}

const split = (books: Books, id: HoldId, child: Child, now: number) =>
  Effect.map(livingHold(books, id, child.amount, now), (parent) => {
    const { left, taken } = take(parent.parts, child.amount)
    parent.parts = left
    return addHold(books, { account: parent.account, parent, key: null, expires_at: now + child.ttl, parts: taken })
  })

const settle = (books: Books, id: HoldId, { bill, outcome }: Settlement, now: number) =>
  Effect.map(livingHold(books, id, Bill.total(bill), now), (hold) => {
    const { account, key } = hold
    const total = Bill.total(bill)
    hold.parts = take(hold.parts, total).left
    account.held -= total
    account.captured += total
    postBill(books, hold, bill, now)
    endHold(books, hold, now)
    const entry = key === null ? undefined : account.keys.get(key)
    if (entry === undefined) return
    if (outcome === null) freeKey(hold)
    else entry.settled = { outcome, at: now }
  })

const grant = (books: Books, { account: id, amount, expires_at, key }: Grant, now: number) => {
  const account = accountOf(books, id)
  if (account.grants.has(key)) return
  account.grants.add(key)
  account.granted += amount
  account.lots.push({ expires_at, free: amount })
  account.lots.sort((a, b) => lastsUntil(a) - lastsUntil(b))
  if (amount > 0) {
    post(books, account, now, {
      kind: "grant",
      hold: null,
      postings: [Postings.credit("granted", -amount), Postings.credit("available", amount)]
    })
  }
  bringUpToDate(books, account, now)
}

const expire = (books: Books, now: number): number => {
  let ended = 0
  for (const account of books.accounts.values()) {
    ended += bringUpToDate(books, account, now)
    for (const [key, entry] of account.keys) {
      if (entry.settled !== null && !replayable(entry, now)) account.keys.delete(key)
    }
  }
  return ended
}

const balance = (books: Books, id: string, now: number): Balance => {
  const account = books.accounts.get(id)
  if (account === undefined) return balanceOf(newAccount())
  bringUpToDate(books, account, now)
  return balanceOf(account)
}

/** The operations of a new, empty ledger: the service of `Ledger`. */
export const make = () => {
  const books: Books = { accounts: new Map(), holds: new Map(), lastId: 0 }
  const now = Clock.currentTimeMillis
  return {
    open: (request: Open) => Effect.flatMap(now, (at) => open(books, request, at)),
    split: (parent: HoldId, child: Child) => Effect.flatMap(now, (at) => split(books, parent, child, at)),
    settle: (hold: HoldId, settlement: Settlement) => Effect.flatMap(now, (at) => settle(books, hold, settlement, at)),
    grant: (granted: Grant) => Effect.map(now, (at) => grant(books, granted, at)),
    expire: Effect.map(now, (at) => expire(books, at)),
    balance: (account: string) => Effect.map(now, (at) => balance(books, account, at)),
    journal: (account: string) => Effect.sync(() => [...(books.accounts.get(account)?.journal ?? [])]),
    adjust: () => Effect.void,
    erase: () => Effect.succeed(0),
    accounts: () => Effect.succeed([]),
    audit: (account: string) => Effect.succeed({ account, groups: 0, holds: 0, breaches: [] })
  }
}
