/** The ceiling of a run, under whatever order rows end in. */
import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Budget from "./Budget.ts"

const limits = (ceiling: number, spent = 0) => ({ ceiling: Credits.of(ceiling), spent: Credits.of(spent) })

describe("a budget", () => {
  it.effect.each([1, 2, 3, 4, 5, 6, 7, 8])("is never passed, and is used up to the last row that fits (%i)", (seed) =>
    Effect.gen(function* () {
      const worst = Credits.of(7)
      const ceiling = 40 + seed
      const budget = Budget.make(limits(ceiling))
      let spent = 0
      let inAir = 0
      let started = 0
      const row = Effect.fnUntraced(function* (number: number) {
        if (!(yield* budget.take(worst))) return
        started++
        inAir++
        assert.isAtMost(spent + inAir * worst, ceiling)
        const cost = (number * seed * 5) % (worst + 1)
        yield* Effect.sleep(1 + ((number * 7 * seed) % 5))
        inAir--
        spent += cost
        yield* budget.settle(worst, Credits.of(cost), Credits.zero)
      })
      const all = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 60 }).keys(), row, { concurrency: 5, discard: true })
      )
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(all)
      assert.isAtMost(spent, ceiling)
      if (started < 60) assert.isAbove(spent + worst, ceiling)
    })
  )

  it.effect("counts what earlier runs have spent, and what pending answers may still cost", () =>
    Effect.gen(function* () {
      const budget = Budget.make(limits(10, 2))
      const [four, one] = [Credits.of(4), Credits.of(1)]
      assert.isTrue(yield* budget.take(four))
      yield* budget.settle(four, one, Credits.of(3))
      assert.isTrue(yield* budget.take(four))
      yield* budget.settle(four, Credits.of(3), Credits.zero)
      assert.isFalse(yield* budget.take(four))
      assert.isTrue(yield* budget.take(one))
    })
  )
})
