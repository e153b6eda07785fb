/** Tokens over real HTTP, against the simulator. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as Tokens from "./Tokens.ts"
import * as Simulator from "./simulator/index.ts"

/** A new object each time: what counts is what is in it. */
const client = (id: string, secret = "secret-4711"): Tokens.Client => ({
  _tag: "Client",
  id: Redacted.make(id),
  secret: Redacted.make(secret)
})

const setup = (options: Simulator.Options = {}) =>
  Effect.gen(function* () {
    const simulator = yield* Simulator.start(options)
    const tokens = yield* Tokens.make(yield* HttpClient.HttpClient, simulator.url)
    const get = (id: string, secret?: string) =>
      Effect.map(tokens.get(client(id, secret)), ({ value }) => Redacted.value(value))
    return { simulator, tokens, get, asked: Effect.map(simulator.calls, ({ length }) => length) }
  }).pipe(Effect.provide(FetchHttpClient.layer))

const many = (count: number) => ({ concurrency: count }) as const

describe("Tokens", () => {
  it.live("are fetched once for all who need the same one at the same time, and kept", () =>
    Effect.gen(function* () {
      const { asked, get } = yield* setup()
      const got = yield* Effect.all(
        Array.from({ length: 20 }, () => get("one")),
        many(20)
      )
      assert.strictEqual(new Set(got).size, 1)
      assert.strictEqual(yield* get("one"), got[0])
      assert.strictEqual(yield* asked, 1)
    })
  )

  it.live("are never shared between clients, nor given to a known id with another secret", () =>
    Effect.gen(function* () {
      const { asked, get } = yield* setup({ credentials: ["one:secret-4711", "two:secret-4711"] })
      const got = yield* Effect.all([get("one"), get("two")], many(2))
      assert.notStrictEqual(got[0], got[1])
      assert.strictEqual((yield* Effect.flip(get("one", "another")))._tag, "Unauthorized")
      assert.strictEqual((yield* Effect.flip(get("one:secret", "4711")))._tag, "Unauthorized")
      assert.strictEqual(yield* asked, 4)
    })
  )

  it.effect("are used until a minute before they end", () =>
    Effect.gen(function* () {
      const { get } = yield* setup({ expiresIn: 3_600 })
      const first = yield* get("one")
      yield* TestClock.adjust(3_539_999)
      assert.strictEqual(yield* get("one"), first)
      yield* TestClock.adjust(1)
      assert.notStrictEqual(yield* get("one"), first)
    })
  )

  it.effect("that end soon are used for half of their time", () =>
    Effect.gen(function* () {
      const { get } = yield* setup({ expiresIn: 40 })
      const first = yield* get("one")
      yield* TestClock.adjust(19_999)
      assert.strictEqual(yield* get("one"), first)
      yield* TestClock.adjust(1)
      assert.notStrictEqual(yield* get("one"), first)
    })
  )

  it.live("are not kept beyond a bound: who was not there for longest asks again", () =>
    Effect.gen(function* () {
      const { asked, get } = yield* setup()
      const ids = Array.from({ length: Tokens.CAPACITY + 1 }, (_, index) => `client-${index}`)
      yield* Effect.forEach(ids, (id) => get(id), { concurrency: 16, discard: true })
      assert.strictEqual(yield* asked, ids.length)
      yield* get(`client-${Tokens.CAPACITY}`)
      assert.strictEqual(yield* asked, ids.length)
      yield* Effect.forEach(ids, (id) => get(id), { discard: true })
      assert.isAbove(yield* asked, ids.length)
    })
  )

  it.live("a refusal is not kept", () =>
    Effect.gen(function* () {
      const { asked, get, simulator } = yield* setup()
      yield* simulator.fail({ _tag: "WrongKey" }, 1)
      assert.strictEqual((yield* Effect.flip(get("one")))._tag, "Unauthorized")
      yield* get("one")
      assert.strictEqual(yield* asked, 2)
    })
  )

  it.live("who gives up takes the token from nobody else, and the last one ends the request", () =>
    Effect.gen(function* () {
      const { asked, get, simulator } = yield* setup()
      const until = (count: number) =>
        Effect.repeat(simulator.waiting, { until: (waiting) => waiting === count, schedule: Schedule.spaced(2) })
      yield* simulator.fail({ _tag: "Slow", millis: 60 }, 1)
      const [first, second] = [yield* Effect.forkChild(get("one")), yield* Effect.forkChild(get("one"))]
      yield* until(1)
      yield* Fiber.interrupt(first)
      assert.isString(yield* Fiber.join(second))
      assert.strictEqual(yield* asked, 1)
      yield* simulator.fail({ _tag: "Hang" })
      const alone = yield* Effect.forkChild(get("two"))
      yield* until(1)
      yield* Fiber.interrupt(alone)
      yield* until(0).pipe(Effect.timeout(1_000))
    })
  )

  it.live("forgets the token that it is told to, and no newer one", () =>
    Effect.gen(function* () {
      const { asked, tokens } = yield* setup()
      const old = yield* tokens.get(client("one"))
      yield* tokens.drop(client("one"), old)
      const newer = yield* tokens.get(client("one"))
      yield* tokens.drop(client("one"), old)
      assert.strictEqual(yield* tokens.get(client("one")), newer)
      assert.strictEqual(yield* asked, 2)
    })
  )
})
