/** What a session may spend, against a plain count of it; and which sessions a server keeps. */
import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { Dice } from "@lading/testing"
import * as Budget from "./Budget.ts"
import * as Sessions from "./Sessions.ts"

const of = Credits.fromNumber

describe("a session's budget", () => {
  it("is never passed, whatever runs at once and whatever it is charged", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const dice = new Dice().of(seed, 0, 0)
      const upTo = (most: number) => Math.floor(dice.next() * (most + 1))
      const budget = Budget.make(Credits.of(upTo(50)))
      const running: Array<Credits.Credits> = []
      let spent = 0
      for (let step = 0; step < 60; step++) {
        const { cap, left, reserved } = budget.state()
        const worst = Credits.of(upTo(20))
        const ended = running[0]
        if (upTo(9) === 0) budget.lower(Credits.of(upTo(60)))
        else if (ended !== undefined && upTo(1) === 0) {
          running.shift()
          const charged = Credits.of(upTo(ended))
          budget.settle(ended, charged)
          spent += charged
        } else if (budget.reserve(worst)) {
          assert.isAtMost(worst, left)
          // What is free goes on, also where the cap was lowered below what was spent.
          if (worst > 0) assert.isAtMost(spent + reserved + worst, cap)
          running.push(worst)
        } else assert.isAbove(worst, left)
        const now = budget.state()
        assert.strictEqual(now.spent, spent)
        assert.strictEqual(
          now.reserved,
          running.reduce((sum, one) => sum + one, 0)
        )
        assert.isAtMost(now.cap, cap)
      }
    }
  })
})

describe("the sessions of a server", () => {
  const hour = 3_600_000

  it("are found by their own key only, each with its own cap", () => {
    const sessions = Sessions.make(of(10))
    sessions.begin("a", "key", of(2), 0)
    sessions.begin("b", "key", null, 0)
    assert.strictEqual(sessions.find("a", "key", 0)?.state().cap, of(2))
    assert.strictEqual(sessions.find("b", "key", 0)?.state().cap, of(10))
    assert.isNull(sessions.find("a", "another", 0))
    sessions.end("a")
    assert.isNull(sessions.find("a", "key", 0))
  })

  it("end when nobody has used them for half a day, unless a call runs", () => {
    const sessions = Sessions.make(of(10))
    for (const id of ["idle", "used", "running"]) sessions.begin(id, "key", null, 0)
    sessions.find("running", "key", 0)?.reserve(of(1))
    sessions.find("used", "key", 2 * hour)
    assert.deepStrictEqual(sessions.begin("new", "another", null, 13 * hour), ["idle"])
  })
})
