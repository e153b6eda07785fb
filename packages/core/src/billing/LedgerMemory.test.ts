import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Books from "./Books.ts"
import * as BooksAudit from "./BooksAudit.ts"
import * as Credits from "./Credits.ts"
import type { HoldId, Open, PostingGroup } from "./Hold.ts"
import * as LedgerMemory from "./LedgerMemory.ts"
import * as Postings from "./Postings.ts"

const open = (key: string): Open => ({
  request: { account: "acme", key, fingerprint: "body" },
  amount: Credits.of(10),
  ttl: 60_000,
  keep: 60_000,
  api_key: null,
  operation: "person",
  request_id: `req_${key}`
})

const settlement = (amount: number) => ({
  account: "acme",
  bill: {
    price_version: "prices-1",
    lines: [{ payee: { _tag: "Platform" as const }, credits: Credits.of(amount) }],
    memos: []
  },
  outcome: "{}",
  subjects: []
})

/** Books with a settled hold under the key `settled` and an open one under `open`. */
const scene = Effect.gen(function* () {
  const books = Books.empty()
  const ledger = LedgerMemory.over(books)
  yield* ledger.grant({ account: "acme", amount: Credits.of(100), expires_at: null, key: "one", reason: "test" })
  yield* ledger.grant({ account: "acme", amount: Credits.of(50), expires_at: 60_000, key: "two", reason: "test" })
  const holds: Array<HoldId> = []
  for (const key of ["settled", "open"]) {
    const opened = yield* ledger.open(open(key))
    if (opened._tag === "Held") holds.push(opened.hold)
  }
  const [settled = assert.fail(), running = assert.fail()] = holds
  yield* ledger.settle(settled, settlement(4))
  yield* ledger.refund({
    account: "acme",
    request_id: "req_settled",
    amount: Credits.of(1),
    key: "refund",
    reason: "test"
  })
  const account = books.accounts.get("acme") ?? assert.fail()
  const last = (kind: PostingGroup["kind"]) => account.journal.findLast((group) => group.kind === kind) ?? assert.fail()
  return { ledger, account, settled, running, last }
})

type Scene = Effect.Success<typeof scene>

/** A group that moves nothing. */
const idle = (kind: PostingGroup["kind"], hold: HoldId): PostingGroup => ({
  id: "wrong",
  kind,
  at: 0,
  hold,
  price_version: null,
  postings: [Postings.credit("held", 1), Postings.credit("held", -1)]
})

const breaches: ReadonlyArray<readonly [invariant: string, breakIt: (scene: Scene) => void]> = [
  [
    "groups_sum_to_zero",
    ({ account, last }) => {
      const postings = [...last("capture").postings, { book: "granted", unit: "vendor:provider_c", amount: 1 }]
      account.journal.splice(account.journal.indexOf(last("capture")), 1, { ...last("capture"), postings })
    }
  ],
  [
    "capture_names_prices",
    ({ account, last }) =>
      account.journal.splice(account.journal.indexOf(last("capture")), 1, { ...last("capture"), price_version: null })
  ],
  [
    "balance_matches_journal",
    ({ account }) => {
      account.captured -= 1
      account.expired += 1
    }
  ],
  [
    "available_not_negative",
    ({ account }) => {
      const postings = [Postings.credit("available", -1000), Postings.credit("granted", 1000)]
      account.journal.push({ id: "wrong", kind: "adjust", at: 0, hold: null, price_version: null, postings })
      account.granted -= 1000
      account.lots[0]!.free -= 1000
    }
  ],
  [
    "holds_match_held",
    ({ account }) => {
      for (const hold of account.holds) hold.parts = []
    }
  ],
  [
    "grants_match_available",
    ({ account }) => {
      account.lots[0]!.free -= 1
    }
  ],
  ["capture_matches_journal", ({ account, settled }) => account.journal.push(idle("release", settled))],
  [
    "captured_within_hold",
    ({ account, last, settled }) => {
      const held = account.journal.find((group) => group.kind === "hold" && group.hold === settled) ?? assert.fail()
      const postings = [Postings.credit("available", -1), Postings.credit("held", 1)]
      account.journal.splice(account.journal.indexOf(held), 1, { ...held, postings })
      // Somebody else held the rest, so that the sums are as before.
      const rest = [Postings.credit("available", -9), Postings.credit("held", 9)]
      account.journal.splice(0, 0, { ...last("hold"), id: "wrong", postings: rest })
    }
  ],
  [
    "refunds_match_journal",
    ({ account }) => {
      account.refunds.clear()
    }
  ],
  [
    "refunds_match_journal",
    ({ account }) => {
      account.charges.clear()
    }
  ],
  [
    "refunded_within_capture",
    ({ account, settled }) => {
      const postings = [Postings.credit("available", 4), Postings.credit("platform", -4)]
      account.journal.push({ ...idle("refund", settled), postings })
      account.refunds.set("wrong", { request_id: "req_settled", amount: Credits.of(4) })
      account.charges.get("req_settled")![0]!.refunded += 4
      account.captured -= 4
      account.lots[0]!.free += 4
    }
  ],
  ["hold_ends_once", ({ account, running }) => account.journal.push(idle("release", running))],
  [
    "keys_follow_holds",
    ({ account }) => {
      account.keys.delete("open")
    }
  ],
  [
    "keys_follow_holds",
    ({ account }) => {
      account.keys.get("settled")!.settled = null
    }
  ],
  [
    "keys_follow_holds",
    ({ account }) => {
      account.keys.get("open")!.settled = { outcome: "{}", subjects: [], at: 0 }
    }
  ]
]

it.effect("an audit names each breach, where it is, and nothing else", () =>
  Effect.forEach(breaches, ([invariant, breakIt]) =>
    Effect.gen(function* () {
      const whole = yield* scene
      assert.deepStrictEqual((yield* whole.ledger.audit("acme")).breaches, [])
      breakIt(whole)
      const { breaches: found } = yield* whole.ledger.audit("acme")
      assert.deepStrictEqual(
        Array.from(new Set(found.map((breach) => breach.invariant))),
        [invariant],
        JSON.stringify(found)
      )
      for (const { account, detail, subject } of found) {
        assert.strictEqual(account, "acme")
        assert.isNotEmpty(subject)
        assert.isNotEmpty(detail)
      }
    })
  )
)

it.effect("an audit of books that were not brought up to date names what is over", () =>
  Effect.gen(function* () {
    const { account, running } = yield* scene
    assert.deepStrictEqual(BooksAudit.audit("acme", account, 59_999).breaches, [])
    assert.deepStrictEqual(
      BooksAudit.audit("acme", account, 60_000).breaches.map(({ invariant, subject }) => [invariant, subject]),
      [
        ["no_hold_outlives_its_time", running],
        ["expired_grants_hold_nothing", "grant"]
      ]
    )
  })
)
