import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import * as Batch from "./Batch.ts"

/** A writer that waits for a gate before each statement, and notes what the statement held. */
const gated = () => {
  const statements: Array<ReadonlyArray<string>> = []
  const gates: Array<Deferred.Deferred<void>> = []
  const write = (items: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Exit.Exit<string, string>>, string> => {
    const gate = Deferred.makeUnsafe<void>()
    statements.push(items)
    gates.push(gate)
    return Effect.as(
      Deferred.await(gate),
      items.map((item) => (item.startsWith("bad") ? Exit.fail(item) : Exit.succeed(item.toUpperCase())))
    )
  }
  /** Until so many statements have begun. */
  const begun = (count: number) =>
    Effect.whileLoop({ while: () => statements.length < count, body: () => Effect.yieldNow, step: () => {} })
  const open = (at: number) =>
    Effect.andThen(
      begun(at + 1),
      Effect.suspend(() => {
        const gate = gates[at]
        return gate === undefined ? Effect.die(`statement ${at} did not begin`) : Deferred.succeed(gate, undefined)
      })
    )
  return { write, statements, begun, open }
}

describe("Batch", () => {
  it.effect(
    "makes what comes in one turn or meanwhile together, in order and within the limit, each with its result",
    () =>
      Effect.gen(function* () {
        const { begun, open, statements, write } = gated()
        const { submit } = Batch.make(write, { limit: 3 })
        const fork = (item: string) => Effect.forkChild(Effect.exit(submit(item)), { startImmediately: true })
        const first = yield* Effect.forEach(["a", "b"], fork)
        yield* begun(1)
        const meanwhile = yield* Effect.forEach(["bad", "d", "e", "f"], fork)
        for (let at = 0; at < 3; at++) yield* open(at)
        const exits = yield* Effect.forEach([...first, ...meanwhile], (fiber) => Fiber.join(fiber))
        assert.deepStrictEqual(exits, [
          Exit.succeed("A"),
          Exit.succeed("B"),
          Exit.fail("bad"),
          Exit.succeed("D"),
          Exit.succeed("E"),
          Exit.succeed("F")
        ])
        assert.deepStrictEqual(statements, [["a", "b"], ["bad", "d", "e"], ["f"]])
      })
  )

  it.effect("who leaves before the statement begins takes its write along, and nobody else's", () =>
    Effect.gen(function* () {
      const { begun, open, statements, write } = gated()
      const { submit } = Batch.make(write, { limit: 10 })
      const fork = (item: string) => Effect.forkChild(submit(item), { startImmediately: true })
      const first = yield* fork("a")
      yield* begun(1)
      const [second, third] = [yield* fork("b"), yield* fork("c")]
      yield* Fiber.interrupt(second)
      // The first is on its way: its leaving changes nothing for the others.
      yield* Fiber.interrupt(first)
      yield* open(0)
      yield* open(1)
      assert.strictEqual(yield* Fiber.join(third), "C")
      assert.deepStrictEqual(statements, [["a"], ["c"]])
    })
  )

  it.live("a statement that fails, or dies, fails everybody in it and nobody after it", () =>
    Effect.gen(function* () {
      let statement = 0
      const { submit } = Batch.make<string, string, string>(
        (items) => {
          statement++
          if (statement === 1) return Effect.fail("down")
          if (statement === 2) return Effect.die("broken")
          if (statement === 3) throw new Error("broken before it began")
          if (statement === 4) return Effect.succeed([])
          return Effect.succeed(items.map((item) => Exit.succeed(item)))
        },
        { limit: 10 }
      )
      assert.deepStrictEqual(yield* Effect.exit(submit("a")), Exit.fail("down"))
      for (const item of ["b", "thrown", "without a result"]) {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(submit(item))), item)
      }
      assert.strictEqual(yield* submit("c"), "c")
    })
  )

  it.live("says when it is idle, and works again afterwards", () =>
    Effect.gen(function* () {
      let idle = 0
      const { submit } = Batch.make<string, string, never>(
        (items) => Effect.succeed(items.map((item) => Exit.succeed(item))),
        { limit: 10, onIdle: () => idle++ }
      )
      for (const item of ["a", "b"]) {
        yield* submit(item)
        yield* Effect.sleep(1)
      }
      assert.strictEqual(idle, 2)
    })
  )

  it.live("unhurried: the first is written at once, the rest with a pause between, and closing waits for all", () =>
    Effect.gen(function* () {
      const statements: Array<ReadonlyArray<string>> = []
      const abandoned = yield* Effect.scoped(
        Effect.gen(function* () {
          const { submit } = yield* Batch.makeUnhurried<string, string, string>(
            (items) =>
              Effect.sync(() => {
                statements.push(items)
                return items.map((item) => Exit.succeed(item))
              }),
            { limit: 10, pause: 60_000, most: 2, full: () => "full" }
          )
          assert.strictEqual(yield* submit("first"), "first")
          const fibers = yield* Effect.forEach(["b", "c"], (item) =>
            Effect.forkChild(submit(item), { startImmediately: true })
          )
          yield* Effect.sleep(5)
          assert.deepStrictEqual(statements, [["first"]])
          assert.strictEqual(yield* Effect.flip(submit("beyond")), "full")
          const [leaving] = fibers
          if (leaving !== undefined) yield* Fiber.interrupt(leaving)
          return fibers[1]
        })
      )
      // Whoever left did not take its write along.
      assert.deepStrictEqual(statements, [["first"], ["b", "c"]])
      assert.strictEqual(abandoned === undefined ? "" : yield* Fiber.join(abandoned), "c")
    })
  )
})
