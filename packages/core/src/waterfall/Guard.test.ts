import { assert, describe, it } from "@effect/vitest"
import { GuardedCall, ScriptedSource } from "@lading/testing"
import { Clock, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Core from "../Core.ts"
import * as Allowance from "./Allowance.ts"
import * as Guard from "./Guard.ts"
import * as Source from "./Source.ts"
import * as SourceError from "./SourceError.ts"

const platform = Guard.platformCredential("s")
const hit = Source.hit({ name: "Acme" }, null)

/** A vendor whose every answer says what is left; `calls` counts. */
const saying = (answers: ReadonlyArray<Effect.Effect<Source.Outcome<{ name: string }>, SourceError.SourceError>>) => {
  let calls = 0
  const source = ScriptedSource.make({ company: () => Effect.suspend(() => answers[calls++] ?? Effect.succeed(hit)) })
  return { source, calls: () => calls }
}

/** Asks the source once. */
const asking =
  (guard: Guard.Guard, adapter: Source.Source) =>
  (credential: Guard.CredentialNames = platform) =>
    GuardedCall.make(guard, adapter, credential)

const over = <A, E>(
  source: Source.Source,
  show: (ask: ReturnType<typeof asking>) => Effect.Effect<A, E>,
  policy: Partial<Guard.Policy> = {}
) =>
  Effect.flatMap(Guard.make(["s"], { ...Guard.defaults, ...policy }), (guard) => show(asking(guard, source))).pipe(
    Effect.scoped,
    Effect.provide(Core.layerLimits)
  )

/** Answers, and says that so many calls are left for so long. */
const left = (remaining: number, millis: number) =>
  Effect.gen(function* () {
    yield* Allowance.tell({ remaining, resetAt: (yield* Clock.currentTimeMillis) + millis })
    return hit
  })

const isCrowded = (exit: Exit.Exit<unknown, Guard.Trouble>): boolean => {
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" && error.value._tag === "NotAsked" && error.value.reason === "rate_limited"
}

describe("what a vendor says it still takes", () => {
  it.effect("is kept: nobody asks beyond it until there is more", () => {
    const vendor = saying([left(2, 60_000)])
    return over(vendor.source, (ask) =>
      Effect.gen(function* () {
        yield* ask()
        yield* ask()
        yield* ask()
        assert.strictEqual(vendor.calls(), 3)
        assert.isTrue(isCrowded(yield* Effect.exit(ask())))
        yield* TestClock.adjust(59_999)
        const waiting = yield* Effect.forkChild(ask())
        yield* Effect.yieldNow
        assert.strictEqual(vendor.calls(), 3)
        yield* TestClock.adjust(1)
        yield* Fiber.join(waiting)
        assert.strictEqual(vendor.calls(), 4)
      })
    )
  })

  it.effect("is waited for where that is not long", () => {
    const vendor = saying([left(0, 3_000)])
    return over(vendor.source, (ask) =>
      Effect.gen(function* () {
        yield* ask()
        const waiting = yield* Effect.forkChild(ask())
        yield* TestClock.adjust(2_999)
        assert.strictEqual(vendor.calls(), 1)
        yield* TestClock.adjust(1)
        yield* Fiber.join(waiting)
        assert.strictEqual(vendor.calls(), 2)
      })
    )
  })

  it.effect("is believed anew with every answer", () => {
    const vendor = saying([left(0, 3_000), left(100, 60_000), left(1, 60_000)])
    return over(vendor.source, (ask) =>
      Effect.gen(function* () {
        yield* ask()
        yield* TestClock.adjust(3_000)
        for (let call = 0; call < 3; call++) yield* ask()
        assert.strictEqual(vendor.calls(), 4)
        assert.isTrue(isCrowded(yield* Effect.exit(ask())))
      })
    )
  })

  it.effect("is less by the calls in the air, which the vendor has not counted yet", () => {
    const slow = (millis: number, then: Effect.Effect<typeof hit>) => Effect.andThen(Effect.sleep(millis), then)
    const vendor = saying([
      slow(100, left(3, 60_000)),
      slow(1_000, Effect.succeed(hit)),
      slow(1_000, Effect.succeed(hit))
    ])
    return over(vendor.source, (ask) =>
      Effect.gen(function* () {
        const three = yield* Effect.forkChild(Effect.all([ask(), ask(), ask()], { concurrency: 3 }))
        yield* TestClock.adjust(100)
        yield* ask()
        assert.isTrue(isCrowded(yield* Effect.exit(ask())))
        assert.strictEqual(vendor.calls(), 4)
        yield* TestClock.adjust(1_000)
        yield* Fiber.join(three)
      })
    )
  })

  it.effect("is of the credential that was asked with, and of no other", () => {
    const vendor = saying([left(0, 60_000)])
    return over(vendor.source, (ask) =>
      Effect.gen(function* () {
        yield* ask(Guard.ownCredential("s", "account", 1))
        yield* ask(Guard.ownCredential("s", "account", 2))
        yield* ask()
        assert.isTrue(isCrowded(yield* Effect.exit(ask(Guard.ownCredential("s", "account", 1)))))
        assert.strictEqual(vendor.calls(), 3)
      })
    )
  })

  it.effect("is believed for an hour at most", () => {
    const vendor = saying([left(0, 86_400_000)])
    return over(vendor.source, (ask) =>
      Effect.gen(function* () {
        yield* ask()
        yield* TestClock.adjust(3_599_000)
        const waiting = yield* Effect.forkChild(ask())
        yield* TestClock.adjust(1_000)
        yield* Fiber.join(waiting)
        assert.strictEqual(vendor.calls(), 2)
      })
    )
  })

  it.effect("a refusal that names a time keeps everybody away until then, not only whoever asked", () => {
    const limited = Effect.fail(new SourceError.RateLimited({ source: "scripted", retryAfter: 30_000 }))
    const vendor = saying([limited])
    return over(vendor.source, (ask) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(ask()))._tag, "RateLimited")
        assert.isTrue(isCrowded(yield* Effect.exit(ask())))
        assert.strictEqual(vendor.calls(), 1)
        yield* TestClock.adjust(30_000)
        yield* ask()
        assert.strictEqual(vendor.calls(), 2)
      })
    )
  })

  it.effect("a refusal that names none keeps nobody away", () => {
    const limited = Effect.fail(new SourceError.RateLimited({ source: "scripted", retryAfter: null }))
    const vendor = saying([limited])
    return over(
      vendor.source,
      (ask) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(ask()))._tag, "RateLimited")
          yield* ask()
          assert.strictEqual(vendor.calls(), 2)
        }),
      { attempts: 1 }
    )
  })

  it.effect("is heard by nobody outside of a guarded call", () => Allowance.tell({ remaining: 0, resetAt: 0 }))
})
