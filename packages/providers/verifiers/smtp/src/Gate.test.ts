import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Connected, Gate } from "./Gate.ts"
import type { Limits } from "./Provider.ts"

const limits: Limits = {
  connections: 4,
  questions: 8,
  refusals: 4,
  connectEvery: 0,
  askEvery: 100,
  daily: Number.POSITIVE_INFINITY
}

/** A connection to a host that nobody has behind it. */
class Visitor implements Connected {
  isUsable = true
  ended = false
  readonly closed: Promise<void>
  readonly hosts: ReadonlySet<string>
  #close: () => void = () => {}

  constructor(host = "mx.acme.test") {
    this.hosts = new Set([host])
    this.closed = new Promise((resolve) => (this.#close = resolve))
  }

  leadsTo(hosts: ReadonlySet<string>): boolean {
    return [...this.hosts].some((host) => hosts.has(host))
  }

  end(): Promise<void> {
    this.ended = true
    this.#close()
    return this.closed
  }
}

const open = (more: Partial<Limits> = {}) =>
  Effect.map(Clock.Clock, (clock) => new Gate<Visitor>({ ...limits, ...more }, clock, 60_000))

const acme = new Set(["mx.acme.test"])

const tired = { stage: "recipient", code: 451, enhanced: "4.7.650", class: "rate_limited" } as const

/** How many may enter at once. */
const places = Effect.fnUntraced(function* (gate: Gate<Visitor>) {
  const entered: Array<Visitor> = []
  const fibers = yield* Effect.forEach(Array.from({ length: 6 }), () =>
    Effect.forkChild(
      Effect.map(gate.enter(acme), (kept) => {
        const visitor = kept ?? new Visitor()
        entered.push(visitor)
        return visitor
      })
    )
  )
  yield* Effect.yieldNow
  const most = entered.length
  for (const fiber of fibers.slice(most)) yield* Fiber.interrupt(fiber)
  for (const visitor of entered) gate.leave(visitor, false)
  yield* Effect.promise(() => Promise.all(entered.map(({ closed }) => closed)))
  return most
})

describe("Gate", () => {
  it.effect("leaves a tired group alone, asks half as much of it then, and step by step what it asked before", () =>
    Effect.gen(function* () {
      const gate = yield* open()
      assert.strictEqual(yield* places(gate), 4)
      gate.tire(tired)
      assert.deepStrictEqual(gate.pause, { reply: tired, rest: 15 * 60_000 })
      yield* TestClock.adjust("15 minutes")
      assert.isNull(gate.pause)
      assert.strictEqual(yield* places(gate), 2)
      yield* gate.beforeAsking(1)
      const second = yield* Effect.forkChild(gate.beforeAsking(1))
      yield* TestClock.adjust(199)
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(second)
      for (let answer = 0; answer < 19; answer++) gate.recover()
      assert.strictEqual(gate.connections, 2)
      gate.recover()
      assert.strictEqual(yield* places(gate), 4)
    })
  )

  it.effect("leaves a group that is tired again alone for longer, and asks less of it", () =>
    Effect.gen(function* () {
      const gate = yield* open()
      for (const minutes of [15, 30, 60, 120, 120]) {
        gate.tire(tired)
        assert.strictEqual(gate.pause?.rest, minutes * 60_000)
        yield* TestClock.adjust(minutes * 60_000)
      }
      assert.strictEqual(gate.connections, 1)
    })
  )

  it.effect("asks a group for no more than a day may have", () =>
    Effect.gen(function* () {
      const gate = yield* open({ daily: 5, askEvery: 0 })
      yield* gate.beforeAsking(3)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(gate.room, 2)
      yield* gate.beforeAsking(2)
      assert.deepStrictEqual(gate.pause, { reply: null, rest: 23 * 3_600_000 })
      yield* TestClock.adjust("23 hours")
      assert.isNull(gate.pause)
      assert.strictEqual(gate.room, 5)
    })
  )

  it.effect("asks for one address at a time where there is a pace", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* open()).room, 1)
      assert.isAbove((yield* open({ askEvery: 0 })).room, 1_000)
    })
  )

  it.effect("gives what a visitor has to the next one, to whom it leads", () =>
    Effect.gen(function* () {
      const gate = yield* open({ connections: 2 })
      const [one, other] = [new Visitor(), new Visitor("mx.other.test")]
      yield* gate.enter(acme)
      yield* gate.enter(acme)
      const waiting = yield* Effect.forkChild(gate.enter(acme))
      yield* Effect.yieldNow
      gate.leave(one, true)
      assert.strictEqual(yield* Fiber.join(waiting), one)
      gate.leave(other, true)
      gate.leave(one, true)
      assert.strictEqual(yield* gate.enter(acme), one)
      assert.strictEqual(yield* gate.enter(acme), other)
      assert.isFalse(one.ended || other.ended)
    })
  )

  it.effect("gives the place of a visitor that is interrupted when it has been woken to the next one", () =>
    Effect.gen(function* () {
      const gate = yield* open({ connections: 1 })
      const one = new Visitor()
      yield* gate.enter(acme)
      const visit = Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(gate.enter(acme)), (kept) =>
          Effect.onExit(restore(Effect.never), () => Effect.sync(() => gate.leave(kept ?? new Visitor(), true)))
        )
      )
      const first = yield* Effect.forkChild(visit)
      yield* Effect.yieldNow
      gate.leave(one, true)
      yield* Fiber.interrupt(first)
      assert.strictEqual(yield* gate.enter(acme), one)
    })
  )

  it.effect("has a place again when what nobody needed has been closed", () =>
    Effect.gen(function* () {
      const gate = yield* open({ connections: 1 })
      const one = new Visitor()
      yield* gate.enter(acme)
      gate.leave(one, true)
      gate.close()
      assert.isTrue(one.ended)
      assert.isNull(yield* gate.enter(acme))
    })
  )
})
