/** What tests of a ledger do, in few words: how an operation ended is one line, the same for ledger and model. */
import { assert } from "@effect/vitest"
import { type Bill, Credits, Ledger } from "@lading/core/billing"
import { Effect, Result } from "effect"

export const credits = (amount: number): Credits.Credits => Credits.Credits.make(amount)

let accounts = 0
/** An account that nobody has used before, on a database that is kept between runs too. */
export const newAccount = (): string => `account-${process.pid}-${Date.now()}-${++accounts}`

interface OpenOptions {
  readonly key?: string
  readonly fingerprint?: string | null
  readonly ttl?: number
  readonly keep?: number
  readonly api_key?: string
  readonly operation?: string
  readonly request_id?: string
}

export const minute = 60_000
export const day = 24 * 60 * minute

export const request = (account: string, amount: number, options: OpenOptions = {}): Ledger.Open => ({
  request: {
    account,
    key: options.key ?? "key",
    fingerprint: options.fingerprint === undefined ? "body" : options.fingerprint
  },
  amount: credits(amount),
  ttl: options.ttl ?? minute,
  keep: options.keep ?? day,
  api_key: options.api_key ?? null,
  operation: options.operation ?? "company",
  ...(options.request_id === undefined ? {} : { request_id: options.request_id })
})

export const bill = (platform: number, sources: Readonly<Record<string, number>> = {}): Bill.Bill => ({
  price_version: "prices-1",
  lines: [
    { payee: { _tag: "Platform" }, credits: credits(platform) },
    ...Object.entries(sources).map(([source, amount]) => ({
      payee: { _tag: "Source" as const, source },
      credits: credits(amount)
    }))
  ],
  memos: []
})

export const grant = Effect.fnUntraced(function* (
  account: string,
  amount: number,
  expires_at: number | null = null,
  key = "grant"
) {
  const ledger = yield* Ledger.Ledger
  yield* ledger.grant({ account, amount: credits(amount), expires_at, key, reason: "test" })
})

/** The hold of an open that must not be a replay. */
export const held = Effect.fnUntraced(function* (open: Ledger.Open) {
  const ledger = yield* Ledger.Ledger
  const opened = yield* ledger.open(open)
  return opened._tag === "Held" ? opened.hold : assert.fail("replayed, not held")
})

export const balance = Effect.fnUntraced(function* (account: string) {
  const ledger = yield* Ledger.Ledger
  return yield* ledger.balance(account)
})

/** How it ended, in one line: what both the ledger and the model say. */
export const told = <A>(
  effect: Effect.Effect<
    A,
    | Ledger.InsufficientCredits
    | Ledger.KeyConflict
    | Ledger.HoldEnded
    | Ledger.HoldExceeded
    | Ledger.NothingToRefund
    | Ledger.RefundExceeded
    | Ledger.LedgerUnavailable,
    Ledger.Ledger
  >,
  success: (value: A) => string
) =>
  Effect.map(Effect.result(effect), (result) => {
    if (Result.isSuccess(result)) return success(result.success)
    const error = result.failure
    switch (error._tag) {
      case "InsufficientCredits":
        return `insufficient ${error.needed} of ${error.available}`
      case "HoldExceeded":
        return `exceeded ${error.needed} of ${error.remaining}`
      case "KeyConflict":
        return error.reason
      case "NothingToRefund":
        return `nothing ${error.reason}`
      case "RefundExceeded":
        return `beyond ${error.needed} of ${error.remaining}`
      case "HoldEnded":
        return "ended"
      case "LedgerUnavailable":
        return `unavailable ${error.problem}`
    }
  })

export const openedAs = (opened: Ledger.Opened): string =>
  opened._tag === "Held" ? "held" : `replayed ${opened.outcome}`

export const opening = (open: Ledger.Open) =>
  told(
    Effect.flatMap(Ledger.Ledger, (ledger) => ledger.open(open)),
    openedAs
  )

export const settling = (
  account: string,
  hold: Ledger.HoldId,
  settled: Bill.Bill,
  outcome: string | null = "{}",
  subjects: ReadonlyArray<string> = []
) =>
  told(
    Effect.flatMap(Ledger.Ledger, (ledger) => ledger.settle(hold, { account, bill: settled, outcome, subjects })),
    () => "settled"
  )

export const adjusting = (account: string, amount: number, key = "adjustment") =>
  told(
    Effect.flatMap(Ledger.Ledger, (ledger) => ledger.adjust({ account, amount, key, reason: "test" })),
    () => "adjusted"
  )

export const refunding = (account: string, request_id: string, amount: number | null = null, key = "refund") =>
  told(
    Effect.flatMap(Ledger.Ledger, (ledger) =>
      ledger.refund({ account, request_id, amount: amount === null ? null : credits(amount), key, reason: "test" })
    ),
    ({ amount, charged, refunded }) => `refunded ${amount}, ${refunded} of ${charged}`
  )

/** Every group sums to zero per unit, the journal's books are the balance, and the ledger's own audit finds nothing. */
export const checkJournal = Effect.fnUntraced(function* (account: string, story: () => string = () => account) {
  const ledger = yield* Ledger.Ledger
  const now = yield* ledger.balance(account)
  const books = new Map<string, number>()
  for (const group of yield* ledger.journal(account)) {
    const sums = new Map<string, number>()
    for (const { amount, book, unit } of group.postings) {
      sums.set(unit, (sums.get(unit) ?? 0) + amount)
      if (unit === "credit") books.set(book, (books.get(book) ?? 0) + amount)
    }
    for (const [unit, sum] of sums)
      assert.strictEqual(sum, 0, `group ${group.id} (${group.kind}) in ${unit}: ${story()}`)
    assert.strictEqual(group.price_version !== null, group.kind === "capture" || group.kind === "memo")
  }
  const paid = Array.from(books).filter(([book]) => book === "platform" || book.startsWith("source:"))
  const projected = {
    granted: 0 - (books.get("granted") ?? 0),
    expired: books.get("expired") ?? 0,
    captured: paid.reduce((total, [, amount]) => total + amount, 0),
    held: books.get("held") ?? 0,
    available: books.get("available") ?? 0
  }
  assert.deepStrictEqual({ ...now }, projected, story())
  assert.isAtLeast(now.available, 0)
  assert.strictEqual(now.available, now.granted - now.expired - now.captured - now.held)
  assert.deepStrictEqual((yield* ledger.audit(account)).breaches, [], story())
})
