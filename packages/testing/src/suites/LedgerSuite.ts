/**
 * What every ledger must do, by example and by a random workload that is compared with a plain model.
 *
 * Time is `TestClock`'s, and each test has an account of its own, so a suite may run on a database that is in use.
 */
import { assert, type Vitest, layer as withLayer } from "@effect/vitest"
import { type Bill, Ledger, Usage } from "@lading/core/billing"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import * as LedgerHistories from "./LedgerHistories.ts"
import {
  adjusting,
  balance,
  bill,
  checkJournal,
  credits,
  day,
  grant,
  held,
  minute,
  newAccount,
  opening,
  refunding,
  request,
  settling,
  told
} from "./LedgerSteps.ts"

type It = Vitest.MethodsNonLive<Ledger.Ledger>

/** The examples: keys. */
const keys = (it: It) => {
  it.effect("the same request under the same key is replayed and charged once", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const hold = yield* held(request(account, 10))
      assert.strictEqual(yield* settling(account, hold, bill(4), '{"a":"\\u0000"}'), "settled")
      assert.strictEqual(yield* opening(request(account, 10)), 'replayed {"a":"\\u0000"}')
      const { available, captured, held: stillHeld } = yield* balance(account)
      assert.deepStrictEqual([available, captured, stillHeld], [96, 4, 0])
    })
  )

  it.effect("another request under the key of a stored or a running one is refused and takes nothing", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const hold = yield* held(request(account, 10))
      assert.strictEqual(yield* opening(request(account, 10, { fingerprint: "other" })), "other_request")
      yield* settling(account, hold, bill(1))
      assert.strictEqual(yield* opening(request(account, 10, { fingerprint: "other" })), "other_request")
      assert.strictEqual((yield* balance(account)).available, 99)
    })
  )

  it.effect("a twin of a running request is refused", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      yield* held(request(account, 10))
      assert.strictEqual(yield* opening(request(account, 10)), "running")
      assert.strictEqual((yield* balance(account)).held, 10)
    })
  )

  it.effect("of many twins at once one runs", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const results = yield* Effect.all(
        Array.from({ length: 8 }, () => opening(request(account, 10))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(results.toSorted(), ["held", ...Array.from({ length: 7 }, () => "running")])
    })
  )

  it.effect("a failure frees the key", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      yield* settling(account, yield* held(request(account, 10)), bill(0), null)
      assert.strictEqual(yield* opening(request(account, 10, { fingerprint: "other" })), "held")
    })
  )

  it.effect("an unsettled key is free again when its hold is over", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const dead = yield* held(request(account, 10, { ttl: minute }))
      yield* TestClock.adjust(minute)
      yield* held(request(account, 10, { fingerprint: "other" }))
      assert.strictEqual(yield* settling(account, dead, bill(1)), "ended")
      assert.strictEqual(yield* opening(request(account, 10, { fingerprint: "other" })), "running")
    })
  )

  it.effect("an outcome is replayed for as long as it is kept", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      yield* settling(account, yield* held(request(account, 10, { keep: minute })), bill(1), '"kept"')
      yield* TestClock.adjust(minute)
      assert.strictEqual(yield* opening(request(account, 10, { keep: minute })), 'replayed "kept"')
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* opening(request(account, 10, { keep: minute })), "held")
    })
  )

  it.effect("a request that nobody can repeat takes no key, and keeps no outcome under it", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const ledger = yield* Ledger.Ledger
      const once = request(account, 10)
      const alone = { ...once, request: { ...once.request, fingerprint: null } }
      const [first, second] = [yield* held(alone), yield* held(alone)]
      assert.deepStrictEqual((yield* ledger.audit(account)).breaches, [])
      yield* settling(account, first, bill(4))
      yield* settling(account, second, bill(5), null)
      assert.strictEqual(yield* opening(once), "held")
      const now = yield* balance(account)
      assert.deepStrictEqual([now.captured, now.held], [9, 10])
      assert.deepStrictEqual((yield* ledger.audit(account)).breaches, [])
    })
  )

  it.effect("keys belong to their account", () =>
    Effect.gen(function* () {
      const [one, two] = [newAccount(), newAccount()]
      yield* held(request(one, 0))
      assert.strictEqual(yield* opening(request(two, 0, { fingerprint: "other" })), "held")
    })
  )
}

/** The examples: holds. */
const holds = (it: It) => {
  it.effect("says of a hold whether it is open, settled or over, and of one that never was that it is over", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const { ending, split } = yield* Ledger.Ledger
      const hold = yield* held(request(account, 10, { ttl: minute }))
      const child = yield* split(hold, { account, amount: credits(4), ttl: 2 * minute })
      const dead = yield* held(request(account, 10, { key: "dead", ttl: minute }))
      assert.deepStrictEqual([yield* ending(hold), yield* ending(child)], ["open", "open"])
      yield* settling(account, hold, bill(1))
      assert.deepStrictEqual([yield* ending(hold), yield* ending(child)], ["settled", "open"])
      yield* TestClock.adjust(minute)
      assert.deepStrictEqual([yield* ending(dead), yield* ending(child)], ["expired", "open"])
      yield* TestClock.adjust(minute)
      assert.deepStrictEqual([yield* ending(hold), yield* ending(child)], ["settled", "expired"])
      assert.strictEqual(yield* ending(Ledger.HoldId.make("never")), "expired")
    })
  )

  it.effect("a hold that the balance does not cover is refused and takes neither key nor credits", () =>
    Effect.gen(function* () {
      const account = newAccount()
      assert.strictEqual(yield* opening(request(account, 1)), "insufficient 1 of 0")
      yield* grant(account, 10)
      assert.strictEqual(yield* opening(request(account, 11)), "insufficient 11 of 10")
      assert.strictEqual(yield* opening(request(account, 10)), "held")
      assert.strictEqual(yield* opening(request(account, 1, { key: "second" })), "insufficient 1 of 0")
    })
  )

  it.effect("of two requests that race for the last credit exactly one wins", () =>
    Effect.forEach(Array.from({ length: 20 }), () =>
      Effect.gen(function* () {
        const account = newAccount()
        yield* grant(account, 7)
        const race = ["a", "b"].map((key) => opening(request(account, 7, { key })))
        const results = yield* Effect.all(race, { concurrency: "unbounded" })
        assert.deepStrictEqual(results.toSorted(), ["held", "insufficient 7 of 0"])
      })
    )
  )

  it.effect("a settlement pays each payee once, releases the rest and names its prices", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 100)
      const hold = yield* held(request(account, 50))
      const several: Bill.Bill = {
        price_version: "prices-7",
        lines: [...bill(1, { provider_a: 10 }).lines, ...bill(2, { provider_b: 5, provider_a: 3 }).lines],
        memos: [{ source: "provider_c", units: 1.5 }]
      }
      yield* settling(account, hold, several)
      const groups = yield* ledger.journal(account)
      assert.deepStrictEqual(
        groups.map(({ kind }) => kind),
        ["grant", "hold", "capture", "memo", "release"]
      )
      assert.deepStrictEqual(groups[2]?.postings, [
        { book: "held", unit: "credit", amount: -21 },
        { book: "platform", unit: "credit", amount: 3 },
        { book: "source:provider_a", unit: "credit", amount: 13 },
        { book: "source:provider_b", unit: "credit", amount: 5 }
      ])
      assert.deepStrictEqual(groups[3]?.postings, [
        { book: "granted", unit: "vendor:provider_c", amount: -1_500_000 },
        { book: "source:provider_c", unit: "vendor:provider_c", amount: 1_500_000 }
      ])
      assert.deepStrictEqual(
        groups.map(({ price_version }) => price_version),
        [null, null, "prices-7", "prices-7", null]
      )
      assert.deepStrictEqual(groups[2]?.hold, hold)
      assert.strictEqual((yield* balance(account)).available, 79)
      yield* checkJournal(account)
    })
  )

  it.effect("more than the hold is never captured, and the hold lives on", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const hold = yield* held(request(account, 10))
      assert.strictEqual(yield* settling(account, hold, bill(5, { provider_a: 6 })), "exceeded 11 of 10")
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 100, expired: 0, captured: 0, held: 10, available: 90 }
      )
      assert.strictEqual(yield* settling(account, hold, bill(5, { provider_a: 5 })), "settled")
    })
  )

  it.effect("a hold ends once", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const hold = yield* held(request(account, 10))
      const twice = yield* Effect.all([settling(account, hold, bill(4)), settling(account, hold, bill(5))], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(twice.toSorted(), ["ended", "settled"])
      assert.strictEqual((yield* balance(account)).captured, twice[0] === "settled" ? 4 : 5)
      assert.strictEqual(yield* settling(account, Ledger.HoldId.make("hold_that_never_was"), bill(0)), "ended")
    })
  )

  it.effect("the same settlement may be repeated and counts once, another one of an ended hold is refused", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const hold = yield* held(request(account, 10))
      const same = settling(account, hold, bill(4, { provider_a: 2 }), '"once"')
      const twice = yield* Effect.all([same, same], { concurrency: "unbounded" })
      assert.deepStrictEqual(twice, ["settled", "settled"])
      assert.strictEqual(yield* same, "settled")
      assert.strictEqual(yield* settling(account, hold, bill(4, { provider_a: 2 }), '"other"'), "ended")
      assert.strictEqual(yield* settling(account, hold, bill(4, { provider_b: 2 }), '"once"'), "ended")
      const memos = [{ source: "provider_c", units: 1 }]
      assert.strictEqual(yield* settling(account, hold, { ...bill(4, { provider_a: 2 }), memos }, '"once"'), "ended")
      assert.strictEqual(
        yield* settling(account, hold, { ...bill(4, { provider_a: 2 }), price_version: "prices-2" }, '"once"'),
        "ended"
      )
      assert.strictEqual((yield* balance(account)).captured, 6)
      yield* TestClock.adjust(2 * day)
      assert.strictEqual(yield* same, "settled")
      yield* checkJournal(account)
    })
  )

  it.effect("a hold is settled in the name of its account only", () =>
    Effect.gen(function* () {
      const [account, other] = [newAccount(), newAccount()]
      yield* grant(account, 100)
      yield* grant(other, 100)
      const hold = yield* held(request(account, 10))
      assert.strictEqual(yield* settling(other, hold, bill(4)), "ended")
      assert.strictEqual(yield* settling(account, hold, bill(4)), "settled")
      assert.strictEqual(yield* settling(other, hold, bill(4)), "ended")
      assert.deepStrictEqual([(yield* balance(account)).captured, (yield* balance(other)).captured], [4, 0])
    })
  )

  it.effect("a settlement after the hold's time is refused, however often", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 100)
      const hold = yield* held(request(account, 10, { ttl: minute }))
      yield* TestClock.adjust(minute)
      assert.strictEqual(yield* settling(account, hold, bill(4)), "ended")
      assert.strictEqual(yield* settling(account, hold, bill(4)), "ended")
    })
  )

  it.effect("credits of a hold that is over can be held again without a sweeper", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 10)
      const dead = yield* held(request(account, 10, { ttl: minute }))
      yield* TestClock.adjust(minute - 1)
      assert.strictEqual(yield* opening(request(account, 1, { key: "second" })), "insufficient 1 of 0")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* opening(request(account, 10, { key: "second" })), "held")
      assert.strictEqual(yield* settling(account, dead, bill(1)), "ended")
      yield* checkJournal(account)
    })
  )

  it.effect("the sweeper ends what is over and counts it", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      yield* TestClock.adjust(100 * day)
      yield* ledger.expire
      const account = newAccount()
      yield* grant(account, 10)
      yield* held(request(account, 3, { key: "a", ttl: minute }))
      yield* held(request(account, 3, { key: "b", ttl: minute }))
      yield* held(request(account, 3, { key: "c", ttl: 2 * minute }))
      yield* TestClock.adjust(minute)
      assert.strictEqual(yield* ledger.expire, 2)
      assert.strictEqual(yield* ledger.expire, 0)
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 10, expired: 0, captured: 0, held: 3, available: 7 }
      )
    })
  )
}

/** The examples: children and grants. */
const splitsAndGrants = (it: It) => {
  it.effect("children take from their parent's remainder and never exceed it", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 20)
      const parent = yield* held(request(account, 10))
      const child = yield* ledger.split(parent, { account, amount: credits(6), ttl: minute })
      const second = yield* Effect.flip(ledger.split(parent, { account, amount: credits(5), ttl: minute }))
      assert.deepStrictEqual([second._tag, "remaining" in second && second.remaining], ["HoldExceeded", 4])
      assert.strictEqual(yield* settling(account, parent, bill(5)), "exceeded 5 of 4")
      assert.strictEqual((yield* balance(account)).held, 10)
      yield* settling(account, child, bill(2))
      assert.strictEqual((yield* balance(account)).held, 8)
      assert.strictEqual(yield* settling(account, parent, bill(8)), "settled")
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 20, expired: 0, captured: 10, held: 0, available: 10 }
      )
      yield* checkJournal(account)
    })
  )

  it.effect("of children that race for a remainder only those fit that it covers", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 10)
      const parent = yield* held(request(account, 10))
      const race = Array.from({ length: 5 }, () =>
        told(ledger.split(parent, { account, amount: credits(4), ttl: minute }), () => "held")
      )
      const results = yield* Effect.all(race, { concurrency: "unbounded" })
      assert.strictEqual(results.filter((result) => result === "held").length, 2)
    })
  )

  it.effect("a request that a hold pays takes from its remainder, and is replayed like any other", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 20)
      const from = yield* held(request(account, 10, { key: "task" }))
      const first = yield* held({ ...request(account, 6, { key: "row 1" }), operation: "row", from })
      assert.deepStrictEqual((yield* balance(account)).held, 10)
      const over = yield* Effect.flip(ledger.open({ ...request(account, 5, { key: "row 2" }), from }))
      assert.deepStrictEqual([over._tag, "remaining" in over && over.remaining], ["HoldExceeded", 4])
      assert.strictEqual(yield* settling(account, first, bill(2), '"one"'), "settled")
      assert.strictEqual((yield* balance(account)).held, 8)
      assert.strictEqual(yield* opening({ ...request(account, 6, { key: "row 1" }), from }), 'replayed "one"')
      // What the first one left is there for the next, and nothing of the balance is.
      const second = yield* held({ ...request(account, 8, { key: "row 2" }), operation: "row", from })
      assert.strictEqual(yield* settling(account, from, bill(0)), "settled")
      assert.strictEqual((yield* balance(account)).available, 10)
      assert.strictEqual(yield* settling(account, second, bill(3)), "settled")
      const ended = yield* Effect.flip(ledger.open({ ...request(account, 1, { key: "row 3" }), from }))
      assert.strictEqual(ended._tag, "HoldEnded")
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 20, expired: 0, captured: 5, held: 0, available: 15 }
      )
      const now = yield* Clock.currentTimeMillis
      const rows = (yield* ledger.usage({ account, from: now - day, until: now + day })).filter(
        ({ operation }) => operation === "row"
      )
      assert.deepStrictEqual(
        rows.map(({ credits, requests }) => [requests, credits]),
        [[2, 5]]
      )
      yield* checkJournal(account)
    })
  )

  it.effect("a hold of another account pays nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const [account, other] = [newAccount(), newAccount()]
      yield* grant(account, 10)
      yield* grant(other, 10)
      const from = yield* held(request(other, 10))
      const refused = yield* Effect.flip(ledger.open({ ...request(account, 1), from }))
      assert.strictEqual(refused._tag, "HoldEnded")
      assert.strictEqual((yield* balance(other)).held, 10)
    })
  )

  it.effect("of requests that race for a hold only those fit that it covers", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 20)
      const from = yield* held(request(account, 10, { key: "task" }))
      const race = Array.from({ length: 5 }, (_, row) =>
        told(ledger.open({ ...request(account, 4, { key: `row ${row}` }), from }), () => "held")
      )
      const results = yield* Effect.all(race, { concurrency: "unbounded" })
      assert.strictEqual(results.filter((result) => result === "held").length, 2)
    })
  )

  it.effect("a child outlives its parent, and its rest goes to the balance then", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 10)
      const parent = yield* held(request(account, 10, { ttl: minute }))
      const child = yield* ledger.split(parent, { account, amount: credits(6), ttl: day })
      yield* settling(account, parent, bill(1))
      assert.strictEqual((yield* balance(account)).held, 6)
      yield* TestClock.adjust(2 * minute)
      assert.strictEqual(yield* settling(account, child, bill(2), '"ignored"'), "settled")
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 10, expired: 0, captured: 3, held: 0, available: 7 }
      )
      assert.strictEqual(yield* opening(request(account, 10)), "replayed {}")
    })
  )

  it.effect("a child that is over gives back to a parent that is still open", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 10)
      const parent = yield* held(request(account, 10, { ttl: day }))
      const child = yield* ledger.split(parent, { account, amount: credits(6), ttl: minute })
      yield* TestClock.adjust(minute)
      assert.strictEqual(yield* settling(account, child, bill(1)), "ended")
      assert.strictEqual(yield* settling(account, parent, bill(10)), "settled")
    })
  )

  it.effect("a grant under the same key counts once", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* Effect.all([grant(account, 10), grant(account, 10), grant(account, 99)], { concurrency: 1 })
      assert.strictEqual((yield* balance(account)).granted, 10)
    })
  )

  it.effect("the grant that expires first is spent first", () =>
    Effect.gen(function* () {
      const account = newAccount()
      const now = yield* Clock.currentTimeMillis
      yield* grant(account, 10, null, "for ever")
      yield* grant(account, 10, now + day, "tomorrow")
      yield* grant(account, 10, now + minute, "soon")
      yield* settling(account, yield* held(request(account, 12)), bill(12))
      yield* TestClock.adjust(minute)
      assert.strictEqual((yield* balance(account)).expired, 0)
      yield* TestClock.adjust(day)
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 30, expired: 8, captured: 12, held: 0, available: 10 }
      )
      yield* checkJournal(account)
    })
  )

  it.effect("what is held does not expire until it is released, and cannot be held again", () =>
    Effect.gen(function* () {
      const account = newAccount()
      const now = yield* Clock.currentTimeMillis
      yield* grant(account, 10, now + minute)
      const hold = yield* held(request(account, 6, { ttl: day }))
      yield* TestClock.adjust(minute)
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 10, expired: 4, captured: 0, held: 6, available: 0 }
      )
      yield* settling(account, hold, bill(2))
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 10, expired: 8, captured: 2, held: 0, available: 0 }
      )
      yield* checkJournal(account)
    })
  )

  it.effect("credits that came back to a grant still expire with it", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      const now = yield* Clock.currentTimeMillis
      yield* grant(account, 10, now + day)
      yield* held(request(account, 10, { ttl: minute }))
      yield* TestClock.adjust(2 * minute)
      yield* ledger.expire
      yield* TestClock.adjust(day)
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 10, expired: 10, captured: 0, held: 0, available: 0 }
      )
    })
  )

  it.effect("an account that was never granted anything has nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 0, expired: 0, captured: 0, held: 0, available: 0 }
      )
      assert.deepStrictEqual(yield* ledger.journal(account), [])
    })
  )

  it.effect("amounts stay exact up to the greatest safe integer", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, Number.MAX_SAFE_INTEGER)
      yield* settling(
        account,
        yield* held(request(account, Number.MAX_SAFE_INTEGER - 1)),
        bill(Number.MAX_SAFE_INTEGER - 2)
      )
      assert.strictEqual((yield* balance(account)).available, 2)
    })
  )
}

/** The examples: what operators do. */
const operators = (it: It) => {
  it.effect("an adjustment adds credits that never expire, or takes what is available, and counts once", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 10, (yield* Clock.currentTimeMillis) + minute)
      const thrice = yield* Effect.all([adjusting(account, 5), adjusting(account, 5), adjusting(account, -99)])
      assert.deepStrictEqual(thrice, ["adjusted", "adjusted", "adjusted"])
      assert.strictEqual((yield* balance(account)).granted, 15)
      assert.strictEqual(yield* adjusting(account, -12, "taken"), "adjusted")
      yield* TestClock.adjust(minute)
      // Of the 10 that expire all were taken, of the 5 that never expire 2.
      assert.deepStrictEqual(
        { ...(yield* balance(account)) },
        { granted: 3, expired: 0, captured: 0, held: 0, available: 3 }
      )
      assert.strictEqual(yield* adjusting(account, 0, "nothing"), "adjusted")
      const groups = (yield* ledger.journal(account)).filter(({ kind }) => kind === "adjust")
      assert.deepStrictEqual(
        groups.map(({ postings }) => postings),
        [
          [
            { book: "granted", unit: "credit", amount: -5 },
            { book: "available", unit: "credit", amount: 5 }
          ],
          [
            { book: "granted", unit: "credit", amount: 12 },
            { book: "available", unit: "credit", amount: -12 }
          ]
        ]
      )
      yield* checkJournal(account)
    })
  )

  it.effect("an adjustment takes nothing that is not available, and may be tried again", () =>
    Effect.gen(function* () {
      const account = newAccount()
      yield* grant(account, 10)
      const hold = yield* held(request(account, 6))
      assert.strictEqual(yield* adjusting(account, -5), "insufficient 5 of 4")
      assert.strictEqual((yield* balance(account)).granted, 10)
      yield* settling(account, hold, bill(0))
      assert.strictEqual(yield* adjusting(account, -5), "adjusted")
      assert.strictEqual((yield* balance(account)).available, 5)
      yield* checkJournal(account)
    })
  )

  it.effect("a refund gives back what a request was charged, what was paid last first, once under its key", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      yield* grant(account, 100, (yield* Clock.currentTimeMillis) + day)
      const hold = yield* held(request(account, 20, { request_id: "req_a" }))
      assert.strictEqual(yield* refunding(account, "req_a"), "nothing not_charged")
      const child = yield* ledger.split(hold, { account, amount: credits(5), ttl: minute })
      yield* settling(account, hold, bill(1, { provider_a: 4, provider_b: 2 }))
      yield* TestClock.adjust(1)
      yield* settling(account, child, bill(0, { provider_c: 3 }))
      yield* held(request(account, 1, { key: "other" }))
      assert.strictEqual(yield* refunding(account, "req_a", 11), "beyond 11 of 10")
      assert.strictEqual(yield* refunding(account, "req_none"), "nothing not_charged")
      assert.strictEqual(yield* refunding(newAccount(), "req_a"), "nothing not_charged")
      assert.strictEqual(yield* refunding(account, "req_a", 6, "first"), "refunded 6, 6 of 10")
      // The same refund, whatever else is asked for under its key.
      assert.strictEqual(yield* refunding(account, "req_none", 9, "first"), "refunded 6, 6 of 10")
      assert.strictEqual(yield* refunding(account, "req_a", 5, "second"), "beyond 5 of 4")
      assert.strictEqual(yield* refunding(account, "req_a", null, "second"), "refunded 4, 10 of 10")
      assert.strictEqual(yield* refunding(account, "req_a", null, "third"), "nothing refunded")
      const posted = (yield* ledger.journal(account)).filter(({ kind }) => kind === "refund")
      assert.deepStrictEqual(
        posted.map(({ hold: of, postings }) => [of, postings.map(({ amount, book }) => `${book} ${amount}`)]),
        [
          [child, ["available 3", "source:provider_c -3"]],
          [hold, ["available 3", "source:provider_b -2", "source:provider_a -1"]],
          [hold, ["available 4", "source:provider_a -3", "platform -1"]]
        ]
      )
      yield* checkJournal(account)
      const { available, captured, granted, held: stillHeld } = yield* balance(account)
      assert.deepStrictEqual([granted, captured, stillHeld, available], [100, 0, 1, 99])
      // What came back outlives the grant that it came from.
      yield* TestClock.adjust(day)
      assert.strictEqual((yield* balance(account)).available, 10)
      yield* checkJournal(account)
    })
  )

  it.effect("usage is less by what was refunded, on the day of the request", () =>
    Effect.gen(function* () {
      const account = newAccount()
      const ledger = yield* Ledger.Ledger
      const midnight = Math.ceil((yield* Clock.currentTimeMillis) / day) * day + day
      yield* TestClock.setTime(midnight - 1)
      yield* grant(account, 100)
      yield* settling(account, yield* held(request(account, 10, { request_id: "req_a" })), bill(4))
      yield* TestClock.setTime(midnight)
      assert.strictEqual(yield* refunding(account, "req_a", 3), "refunded 3, 3 of 4")
      assert.deepStrictEqual(yield* ledger.usage({ account, from: midnight - day, until: midnight + day }), [
        { day: Usage.dayOf(midnight - 1), api_key: null, operation: "company", requests: 1, credits: credits(1) }
      ])
    })
  )

  it.effect("an erased outcome is not replayed, its key stays taken while it would have been kept", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      const [mara, ines] = [`email:mara@${account}.example`, `email:ines@${account}.example`]
      yield* grant(account, 100)
      const settled = Effect.fnUntraced(function* (key: string, subjects: ReadonlyArray<string>) {
        const hold = yield* held(request(account, 10, { key, keep: minute }))
        assert.strictEqual(yield* settling(account, hold, bill(4), `"${key}"`, subjects), "settled")
        return hold
      })
      const hold = yield* settled("both", [mara, ines])
      yield* settled("ines", [ines])
      yield* settled("none", [])
      yield* held(request(account, 10, { key: "running" }))
      assert.strictEqual(yield* ledger.erase([]), 0)
      assert.strictEqual(yield* ledger.erase([mara, "email:nobody@acme.example"]), 1)
      assert.strictEqual(yield* ledger.erase([mara]), 0)
      assert.strictEqual(yield* opening(request(account, 10, { key: "both" })), "erased")
      assert.strictEqual(yield* opening(request(account, 10, { key: "both", fingerprint: "other" })), "other_request")
      assert.strictEqual(yield* opening(request(account, 10, { key: "ines" })), 'replayed "ines"')
      assert.strictEqual(yield* opening(request(account, 10, { key: "none" })), 'replayed "none"')
      assert.strictEqual(yield* opening(request(account, 10, { key: "running" })), "running")
      assert.strictEqual(yield* settling(account, hold, bill(4), '"both"', [mara, ines]), "settled")
      assert.strictEqual(yield* opening(request(account, 10, { key: "both" })), "erased")
      assert.strictEqual((yield* balance(account)).captured, 12)
      yield* checkJournal(account)
      yield* TestClock.adjust(minute + 1)
      assert.strictEqual(yield* opening(request(account, 10, { key: "both", fingerprint: "other" })), "held")
    })
  )

  it.effect("usage is what was settled, by the day it was begun on, key and operation", () =>
    Effect.gen(function* () {
      const account = newAccount()
      const ledger = yield* Ledger.Ledger
      const midnight = Math.ceil((yield* Clock.currentTimeMillis) / day) * day + day
      yield* TestClock.setTime(midnight - 1)
      yield* grant(account, 1000)
      const pay = Effect.fnUntraced(function* (amount: number, key: string, api_key: string, operation: string) {
        yield* settling(account, yield* held(request(account, 10, { key, api_key, operation })), bill(amount))
      })
      yield* pay(4, "1", "key_b", "company")
      yield* pay(0, "2", "key_b", "company")
      yield* pay(2, "3", "key_a", "company")
      const overnight = yield* held(request(account, 10, { key: "4", api_key: "key_a", operation: "email" }))
      yield* TestClock.setTime(midnight)
      yield* pay(1, "5", "key_a", "person")
      // What goes on after its request is no request of its own.
      const child = yield* ledger.split(overnight, { account, amount: credits(5), ttl: minute })
      yield* settling(account, overnight, bill(0))
      yield* settling(account, child, bill(3))
      // Neither what is still held nor what was given back was used.
      yield* held(request(account, 10, { key: "6" }))
      const given = yield* held(request(account, 10, { key: "7", ttl: 1 }))
      yield* TestClock.setTime(midnight + 1)
      yield* ledger.expire
      assert.strictEqual(yield* ledger.ending(given), "expired")
      const [before, after] = [Usage.dayOf(midnight - 1), Usage.dayOf(midnight)]
      const used = (from: number, until: number) =>
        Effect.map(ledger.usage({ account, from, until }), (rows) =>
          rows.map(({ api_key, credits, day, operation, requests }) => [day, operation, api_key, requests, credits])
        )
      const today = [
        [after, "email", "key_a", 0, 3],
        [after, "person", "key_a", 1, 1]
      ]
      const yesterday = [
        [before, "company", "key_a", 1, 2],
        [before, "company", "key_b", 2, 4],
        [before, "email", "key_a", 1, 0]
      ]
      assert.deepStrictEqual(yield* used(midnight - day, midnight + day), [...today, ...yesterday])
      assert.deepStrictEqual(yield* used(midnight - day, midnight), yesterday)
      assert.deepStrictEqual(yield* used(midnight, midnight + day), today)
      assert.deepStrictEqual(yield* ledger.usage({ account: newAccount(), from: 0, until: midnight + day }), [])
    })
  )

  it.effect("accounts are listed in the order of their ids, page by page", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const [one, two, three] = [newAccount(), newAccount(), newAccount()]
      for (const account of [three, one]) yield* grant(account, 1)
      yield* opening(request(two, 1))
      const found: Array<string> = []
      let after: string | null = null
      do {
        const page: ReadonlyArray<string> = yield* ledger.accounts(after, 100)
        assert.isAtMost(page.length, 100)
        found.push(...page)
        after = page.at(-1) ?? null
      } while (after !== null)
      assert.strictEqual(new Set(found).size, found.length)
      const ours = new Set([one, two, three])
      assert.deepStrictEqual(
        found.filter((account) => ours.has(account)),
        [one, two, three]
      )
      assert.deepStrictEqual(yield* ledger.accounts(one, 1), [two])
    })
  )

  it.effect("an audit says what it looked at", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const account = newAccount()
      assert.deepStrictEqual(yield* ledger.audit(account), { account, groups: 0, holds: 0, breaches: [] })
      yield* grant(account, 10)
      yield* held(request(account, 5))
      assert.deepStrictEqual(yield* ledger.audit(account), { account, groups: 2, holds: 1, breaches: [] })
    })
  )
}

export interface LedgerSuiteOptions extends LedgerHistories.Options {
  /** How many random histories run, by default 200. */
  readonly histories?: number
}

/** Registers the suite. */
export const ledgerSuite = <E>(name: string, layer: Layer.Layer<Ledger.Ledger, E>, options: LedgerSuiteOptions = {}) =>
  withLayer(layer, { timeout: "60 seconds" })(`Ledger: ${name}`, (it) => {
    keys(it)
    holds(it)
    splitsAndGrants(it)
    operators(it)
    it.effect(
      "random histories with operations at once and crashes end like the plain model in some order, and every invariant holds after each step",
      () => LedgerHistories.run(options.histories ?? 200, options),
      300_000
    )
  })
