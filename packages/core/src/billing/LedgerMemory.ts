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
import {
  type Account,
  balanceOf,
  type Books,
  type Charge,
  empty,
  giveBack,
  type Hold,
  type KeyEntry,
  lastsUntil,
  type Lot,
  newAccount,
  paidIn,
  type Part,
  sum,
  use
} from "./Books.ts"
import * as BooksAudit from "./BooksAudit.ts"
import * as Credits from "./Credits.ts"
import {
  type Adjustment,
  type Balance,
  type Ending,
  type Grant,
  HoldEnded,
  HoldExceeded,
  HoldId,
  InsufficientCredits,
  KeyConflict,
  NothingToRefund,
  type Open,
  type Opened,
  type PostingGroup,
  type Refund,
  type Refunded,
  RefundExceeded,
  type Settlement
} from "./Hold.ts"
import * as Postings from "./Postings.ts"
import { dayOf, inOrder, type Usage, type UsageQuery } from "./Usage.ts"

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

/** Takes `amount` out of what is free, what expires first in front. */
const takeFree = ({ lots }: Account, amount: number): ReadonlyArray<Part> => {
  const { taken } = take(
    lots.map((lot) => ({ lot, amount: lot.free })),
    amount
  )
  for (const part of taken) part.lot.free -= part.amount
  return taken
}

const addLot = ({ lots }: Account, lot: Lot) => {
  lots.push(lot)
  lots.sort((a, b) => lastsUntil(a) - lastsUntil(b))
}

const replayable = (entry: KeyEntry, now: number): boolean =>
  entry.settled !== null && now - entry.settled.at <= entry.keep

/** How many settlements are remembered, so that they may be repeated. */
const repeatable = 10_000

/** Two mixes of 32 bits and the length: enough to tell two settlements of one hold apart, and keeps no outcome. */
const digestOf = ({ bill, outcome }: Settlement): string => {
  const text = JSON.stringify([Postings.capture(bill), Postings.memos(bill), bill.price_version, outcome])
  let [one, two] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  return `${text.length}:${one >>> 0}:${two >>> 0}`
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

/**
 * The holds that are over, in the order in which they ended, as if somebody had watched all the time: what a child gives
 * back to its parent depends on which of them ended first. At one time the younger is first.
 */
const due = (account: Account, now: number): ReadonlyArray<Hold> =>
  [...account.holds]
    .filter(({ expires_at }) => expires_at <= now)
    .toReversed()
    .sort((a, b) => a.expires_at - b.expires_at)

/** Brings an account up to date; gives the number of holds that were over. */
const bringUpToDate = (books: Books, account: Account, now: number): number => {
  let ended = 0
  for (const hold of due(account, now)) {
    endHold(books, hold, now)
    freeKey(hold)
    ended += 1
  }
  expireLots(books, account, now)
  return ended
}

/** What was captured can be refunded by the id of its request. */
const noteCharge = ({ account, id, opened }: Hold, paid: Charge["paid"]) => {
  if (opened.request_id === null) return
  const charges = account.charges.get(opened.request_id) ?? []
  charges.push({ hold: id, opened, paid, refunded: 0 })
  account.charges.set(opened.request_id, charges)
}

/** Posts a bill. */
const postBill = (books: Books, hold: Hold, bill: Bill.Bill, now: number) => {
  const group = { hold: hold.id, price_version: bill.price_version }
  const captured = Postings.capture(bill)
  if (captured.length > 0) {
    post(books, hold.account, now, { ...group, kind: "capture", postings: captured })
    noteCharge(hold, captured.slice(1))
  }
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

/** What the key says: an earlier outcome, a refusal, or nothing. */
const known = (
  { keys }: Account,
  { fingerprint, key }: Open["request"],
  now: number
): Effect.Effect<Opened | null, KeyConflict> => {
  const entry = fingerprint === null ? undefined : keys.get(key)
  if (entry === undefined || (entry.settled !== null && !replayable(entry, now))) return Effect.succeed(null)
  if (entry.fingerprint !== fingerprint) return Effect.fail(new KeyConflict({ reason: "other_request" }))
  if (entry.settled === null) return Effect.fail(new KeyConflict({ reason: "running" }))
  const { outcome } = entry.settled
  if (outcome === null) return Effect.fail(new KeyConflict({ reason: "erased" }))
  return Effect.succeed({ _tag: "Replayed", outcome })
}

/** Where the credits of a new hold come from. */
interface Taken {
  readonly parent: Hold | null
  readonly parts: ReadonlyArray<Part>
}

const takeFromBalance = (account: Account, amount: Credits.Credits): Effect.Effect<Taken, InsufficientCredits> => {
  const { available } = balanceOf(account)
  if (amount > available) return Effect.fail(new InsufficientCredits({ needed: amount, available }))
  const parts = takeFree(account, amount)
  account.held += amount
  return Effect.succeed({ parent: null, parts })
}

const takeFromHold = (
  books: Books,
  account: Account | null,
  id: HoldId,
  amount: Credits.Credits,
  now: number
): Effect.Effect<Taken & { readonly parent: Hold }, HoldEnded | HoldExceeded> =>
  Effect.flatMap(livingHold(books, id, amount, now), (parent) => {
    if (account !== null && parent.account !== account) return Effect.fail(new HoldEnded({ hold: id }))
    const { left, taken } = take(parent.parts, amount)
    parent.parts = left
    return Effect.succeed({ parent, parts: taken })
  })

const open = Effect.fnUntraced(function* (
  books: Books,
  { amount, api_key, from = null, keep, operation, request, request_id, ttl }: Open,
  now: number
): Effect.fn.Return<Opened, InsufficientCredits | KeyConflict | HoldEnded | HoldExceeded> {
  const account = accountOf(books, request.account)
  bringUpToDate(books, account, now)
  const earlier = yield* known(account, request, now)
  if (earlier !== null) return earlier
  const { fingerprint, key } = request
  const taken = yield* from === null
    ? takeFromBalance(account, amount)
    : takeFromHold(books, account, from, amount, now)
  const hold = addHold(books, {
    account,
    ...taken,
    key: fingerprint === null ? null : key,
    isRequest: true,
    expires_at: now + ttl,
    opened: { at: now, api_key, operation, request_id: request_id ?? null }
  })
  if (fingerprint !== null) account.keys.set(key, { fingerprint, hold, keep, settled: null })
  // What moves from one hold to another stays held: it is posted when it ends.
  if (amount > 0 && from === null) {
    post(books, account, now, {
      kind: "hold",
      hold,
      postings: [Postings.credit("available", -amount), Postings.credit("held", amount)]
    })
  }
  return { _tag: "Held", hold }
})

interface Child {
  readonly amount: Credits.Credits
  readonly ttl: number
}

const split = (books: Books, id: HoldId, child: Child, now: number) =>
  Effect.map(takeFromHold(books, null, id, child.amount, now), ({ parent, parts }) =>
    addHold(books, {
      account: parent.account,
      parent,
      parts,
      key: null,
      isRequest: false,
      expires_at: now + child.ttl,
      opened: { ...parent.opened, at: now }
    })
  )

/** Whether the hold ended with this very settlement. */
const isRepeated = (books: Books, id: HoldId, settlement: Settlement): boolean => {
  const ended = books.settlements.get(id)
  return (
    ended !== undefined &&
    ended.account === books.accounts.get(settlement.account) &&
    ended.digest === digestOf(settlement)
  )
}

const remember = (books: Books, hold: Hold, settlement: Settlement) => {
  books.settlements.set(hold.id, { account: hold.account, digest: digestOf(settlement) })
  for (const oldest of books.settlements.keys()) {
    if (books.settlements.size <= repeatable) return
    books.settlements.delete(oldest)
  }
}

const settle = (books: Books, id: HoldId, settlement: Settlement, now: number) => {
  if (isRepeated(books, id, settlement)) return Effect.void
  const { bill, outcome, subjects } = settlement
  const total = Bill.total(bill)
  if (books.holds.get(id)?.account !== books.accounts.get(settlement.account))
    return Effect.fail(new HoldEnded({ hold: id }))
  return Effect.map(livingHold(books, id, total, now), (hold) => {
    const { account, key } = hold
    hold.parts = take(hold.parts, total).left
    account.held -= total
    account.captured += total
    postBill(books, hold, bill, now)
    use(hold, total)
    endHold(books, hold, now)
    remember(books, hold, settlement)
    const entry = key === null ? undefined : account.keys.get(key)
    if (entry === undefined) return
    if (outcome === null) freeKey(hold)
    else entry.settled = { outcome, subjects, at: now }
  })
}

const ending = (books: Books, id: HoldId, now: number): Ending => {
  const hold = books.holds.get(id)
  if (hold !== undefined) bringUpToDate(books, hold.account, now)
  return books.holds.has(id) ? "open" : books.settlements.has(id) ? "settled" : "expired"
}

const grant = (books: Books, { account: id, amount, expires_at, key }: Grant, now: number) => {
  const account = accountOf(books, id)
  if (account.grants.has(key)) return
  account.granted = Credits.of(account.granted + amount)
  account.grants.add(key)
  addLot(account, { expires_at, free: amount })
  if (amount > 0) {
    post(books, account, now, {
      kind: "grant",
      hold: null,
      postings: [Postings.credit("granted", -amount), Postings.credit("available", amount)]
    })
  }
  bringUpToDate(books, account, now)
}

const adjust = (books: Books, { account: id, amount, key }: Adjustment, now: number) => {
  const account = accountOf(books, id)
  bringUpToDate(books, account, now)
  if (account.adjustments.has(key)) return Effect.void
  const { available } = balanceOf(account)
  if (available + amount < 0) return Effect.fail(new InsufficientCredits({ needed: Credits.of(-amount), available }))
  account.granted = Credits.of(account.granted + amount)
  account.adjustments.add(key)
  if (amount > 0) addLot(account, { expires_at: null, free: amount })
  else takeFree(account, -amount)
  if (amount !== 0) {
    post(books, account, now, {
      kind: "adjust",
      hold: null,
      postings: [Postings.credit("granted", -amount), Postings.credit("available", amount)]
    })
  }
  return Effect.void
}

/** Gives `amount` back, what was charged last first. */
const refundCharges = (books: Books, account: Account, charges: ReadonlyArray<Charge>, amount: number, now: number) => {
  let left = amount
  for (const charge of charges.toReversed()) {
    const share = Math.min(left, paidIn(charge) - charge.refunded)
    if (share === 0) continue
    const postings = Postings.refund(charge.paid, charge.refunded, share)
    post(books, account, now, { kind: "refund", hold: charge.hold, postings })
    giveBack(account, charge, share)
    left -= share
  }
  account.captured -= amount
  addLot(account, { expires_at: null, free: amount })
}

const refund = (
  books: Books,
  { account: id, amount: wanted, key, request_id: request }: Refund,
  now: number
): Effect.Effect<Refunded, NothingToRefund | RefundExceeded> => {
  const account = accountOf(books, id)
  bringUpToDate(books, account, now)
  const earlier = account.refunds.get(key)
  const request_id = earlier?.request_id ?? request
  const charges = account.charges.get(request_id) ?? []
  const charged = Credits.of(charges.reduce((total, charge) => total + paidIn(charge), 0))
  const before = charges.reduce((total, charge) => total + charge.refunded, 0)
  if (earlier !== undefined) {
    return Effect.succeed({ request_id, amount: earlier.amount, charged, refunded: Credits.of(before) })
  }
  const remaining = Credits.of(charged - before)
  const amount = wanted ?? remaining
  if (remaining === 0) {
    return Effect.fail(new NothingToRefund({ request_id, reason: charged === 0 ? "not_charged" : "refunded" }))
  }
  if (amount > remaining) return Effect.fail(new RefundExceeded({ needed: amount, remaining }))
  refundCharges(books, account, charges, amount, now)
  account.refunds.set(key, { request_id, amount })
  return Effect.succeed({ request_id, amount, charged, refunded: Credits.of(before + amount) })
}

const erase = (books: Books, handles: ReadonlyArray<string>): number => {
  const erased = new Set(handles)
  const speaks = ({ settled }: KeyEntry) => settled?.subjects.some((subject) => erased.has(subject)) ?? false
  const found = Array.from(books.accounts.values()).flatMap(({ keys }) => Array.from(keys.values()).filter(speaks))
  for (const entry of found) {
    if (entry.settled !== null) entry.settled = { outcome: null, subjects: [], at: entry.settled.at }
  }
  return found.length
}

const accounts = (books: Books, after: string | null, limit: number): ReadonlyArray<string> =>
  Array.from(books.accounts.keys())
    .filter((id) => after === null || id > after)
    .sort()
    .slice(0, limit)

const audit = (books: Books, id: string, now: number) => {
  const account = books.accounts.get(id) ?? newAccount()
  bringUpToDate(books, account, now)
  return BooksAudit.audit(id, account, now)
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

/** Of whole days. */
const usage = (books: Books, { account, from, until }: UsageQuery): ReadonlyArray<Usage> =>
  [...(books.accounts.get(account)?.usage.values() ?? [])]
    .filter(({ day }) => dayOf(from) <= day && day < dayOf(until))
    .toSorted(inOrder)

/** The operations on these books: the service of `Ledger`. */
export const over = (books: Books) => {
  const now = Clock.currentTimeMillis
  return {
    open: (request: Open) => Effect.flatMap(now, (at) => open(books, request, at)),
    split: (parent: HoldId, child: Child) => Effect.flatMap(now, (at) => split(books, parent, child, at)),
    settle: (hold: HoldId, settlement: Settlement) => Effect.flatMap(now, (at) => settle(books, hold, settlement, at)),
    ending: (hold: HoldId) => Effect.map(now, (at) => ending(books, hold, at)),
    grant: (granted: Grant) => Effect.map(now, (at) => grant(books, granted, at)),
    adjust: (adjustment: Adjustment) => Effect.flatMap(now, (at) => adjust(books, adjustment, at)),
    refund: (refunded: Refund) => Effect.flatMap(now, (at) => refund(books, refunded, at)),
    expire: Effect.map(now, (at) => expire(books, at)),
    balance: (account: string) => Effect.map(now, (at) => balance(books, account, at)),
    journal: (account: string) => Effect.sync(() => [...(books.accounts.get(account)?.journal ?? [])]),
    usage: (query: UsageQuery) => Effect.sync(() => usage(books, query)),
    erase: (handles: ReadonlyArray<string>) => Effect.sync(() => erase(books, handles)),
    accounts: (after: string | null, limit: number) => Effect.sync(() => accounts(books, after, limit)),
    audit: (account: string) => Effect.map(now, (at) => audit(books, account, at))
  }
}

export const make = () => over(empty())
