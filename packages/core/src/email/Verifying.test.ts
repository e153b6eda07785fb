/** What is done for a list, done again after a crash, beside an erasure, and by two at a time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Suppression } from "../account/index.ts"
import { Credits, Ledger } from "../billing/index.ts"
import { Webhooks } from "../net/index.ts"
import * as EmailResult from "./EmailResult.ts"
import type * as EmailTask from "./EmailTask.ts"
import * as EmailTasks from "./EmailTasks.ts"
import * as EmailTasksMemory from "./EmailTasksMemory.ts"
import * as EmailVerifier from "./EmailVerifier.ts"
import * as Verifying from "./Verifying.ts"

const account = "acc_1"
const id = "ver_1"
const minute = 60_000

type Tasks = EmailTasks.EmailTasks["Service"]

/** Counts what it is asked, one after the other; `never…` has a greylist that never lets anybody through. */
const scripted = (pause = 0) => {
  const asked = new Map<string, number>()
  const checked = (email: string): EmailVerifier.Checked =>
    email.startsWith("never")
      ? { _tag: "Again", email, after: 5 * minute, result: EmailResult.unknown(email) }
      : { _tag: "Decided", email, result: { ...EmailResult.unknown(email), status: "safe" } }
  const verify = (emails: ReadonlyArray<string>) =>
    Stream.fromIterable(emails).pipe(
      Stream.tap((email) =>
        Effect.delay(
          Effect.sync(() => void asked.set(email, (asked.get(email) ?? 0) + 1)),
          pause
        )
      ),
      Stream.map(checked)
    )
  const bulk: EmailVerifier.Direct = { _tag: "Direct", hosts: () => Effect.succeed(new Map()), verify }
  const layer = Layer.succeed(EmailVerifier.EmailVerifier, {
    name: "scripted",
    single: (email) => Effect.succeed(EmailResult.unknown(email)),
    bulk
  })
  return { asked, layer }
}

/** Takes lists, and knows everybody. */
const delegated = Layer.succeed(EmailVerifier.EmailVerifier, {
  name: "elsewhere",
  single: (email: string) => Effect.succeed(EmailResult.unknown(email)),
  bulk: {
    _tag: "Delegated" as const,
    least: 1,
    most: 100,
    begin: () => Effect.succeed("list"),
    progress: () =>
      Effect.succeed({
        checked: 3,
        results: ["a", "b", "c"].map((name) => ({
          ...EmailResult.unknown(`${name}@acme.example`),
          status: "safe" as const
        }))
      })
  }
})

/** Over a store with something between it and its caller. */
const verifying = (
  verifier: Layer.Layer<EmailVerifier.EmailVerifier>,
  between: (tasks: Tasks) => Partial<Tasks> = () => ({})
) => {
  const tasks = Layer.effect(
    EmailTasks.EmailTasks,
    Effect.map(EmailTasks.EmailTasks, (tasks) => EmailTasks.EmailTasks.of({ ...tasks, ...between(tasks) }))
  ).pipe(Layer.provide(EmailTasksMemory.layer))
  return Verifying.layer.pipe(
    Layer.provideMerge([tasks, Layer.fresh(Ledger.layerMemory), Webhooks.layerMemory, verifier]),
    Layer.provideMerge(Suppression.layerMemory)
  )
}

/** A list that is arranged, and credits held for it. */
const begin = Effect.fnUntraced(function* (emails: ReadonlyArray<string>) {
  const ledger = yield* Ledger.Ledger
  const tasks = yield* EmailTasks.EmailTasks
  const steps = yield* Verifying.Verifying
  yield* ledger.grant({ account, amount: Credits.fromNumber(100), expires_at: null, key: "first", reason: "test" })
  const request = { account, key: "k", fingerprint: null }
  const amount = Credits.fromNumber(10)
  const hold = { request, amount, ttl: 100 * minute, keep: 0, api_key: null, operation: "email" }
  const opened = yield* ledger.open(hold)
  assert(opened._tag === "Held")
  const ordered: EmailTask.Ordered = {
    id,
    account,
    verifier: "scripted",
    webhook_url: null,
    received_at: 0,
    expires_at: 1000 * minute,
    price: Credits.fromNumber(0.05),
    price_version: "4",
    parent: opened.hold,
    hold: opened.hold
  }
  yield* tasks.put(ordered, emails, 2000 * minute)
  yield* steps.arrange(id)
  return { ledger, tasks, steps, ordered }
})

const emails = (count: number, word = "ada"): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${word}${index}@acme.example`)

describe("a part that is done again", () => {
  it.effect("asks in a later round nobody who was asked in it", () => {
    const { asked, layer } = scripted()
    return Effect.gen(function* () {
      const { steps } = yield* begin(emails(3, "never"))
      yield* steps.verify(id, 0, 1)
      yield* TestClock.adjust(5 * minute)
      yield* steps.verify(id, 0, 2)
      assert.deepStrictEqual([...asked.values()], [2, 2, 2])
      yield* steps.verify(id, 0, 2)
      assert.deepStrictEqual([...asked.values()], [2, 2, 2])
    }).pipe(Effect.provide(verifying(layer)))
  })

  it.effect.each(["before", "after"])(
    "settles what it says, whatever was erased since it died %s it said it",
    (when) => {
      const { layer } = scripted()
      const dies = (tasks: Tasks): Partial<Tasks> => {
        let first = true
        const charge: Tasks["charge"] = (id, charged) => {
          if (!first) return tasks.charge(id, charged)
          first = false
          return when === "before" ? Effect.never : Effect.andThen(tasks.charge(id, charged), Effect.never)
        }
        return { charge }
      }
      return Effect.gen(function* () {
        const { ledger, ordered, steps, tasks } = yield* begin(emails(4))
        yield* steps.verify(id, 0, 1)
        const dead = yield* Effect.forkChild(steps.finish(ordered))
        yield* TestClock.adjust(1000)
        yield* Fiber.interrupt(dead)
        assert.strictEqual(yield* tasks.erase(["email:ada0@acme.example"]), 1)
        yield* steps.finish(ordered)
        const { captured, held } = yield* ledger.balance(account)
        assert.strictEqual(held, 0)
        assert.strictEqual((yield* tasks.find(id))?.charged, captured)
      }).pipe(Effect.provide(verifying(layer, dies)))
    }
  )

  it.effect("says that it cost nothing where the credits were given back", () => {
    const { layer } = scripted()
    return Effect.gen(function* () {
      const { ledger, ordered, steps, tasks } = yield* begin(emails(4))
      yield* steps.verify(id, 0, 1)
      yield* TestClock.adjust(101 * minute)
      yield* steps.finish(ordered)
      assert.strictEqual((yield* ledger.balance(account)).captured, 0)
      assert.strictEqual((yield* tasks.find(id))?.charged, 0)
    }).pipe(Effect.provide(verifying(layer)))
  })
})

describe("an erasure while a list is verified", () => {
  it.effect("has nobody asked again but who was in the air, and the one who is gone not at all", () => {
    const { asked, layer } = scripted(1000)
    return Effect.gen(function* () {
      const { steps, tasks } = yield* begin(emails(10))
      const running = yield* Effect.forkChild(steps.verify(id, 0, 1))
      yield* TestClock.adjust(3500)
      assert.strictEqual(asked.size, 3)
      yield* tasks.erase(["email:ada9@acme.example"])
      yield* TestClock.adjust(30_000)
      yield* Fiber.join(running)
      assert.isFalse(asked.has("ada9@acme.example"))
      const twice = [...asked].filter(([, times]) => times > 1).map(([email]) => email)
      assert.isAtMost(twice.length, 1, twice.join(", "))
      assert.deepInclude(yield* tasks.find(id), { total: 9, checked: 9 })
    }).pipe(Effect.provide(verifying(layer)))
  })

  /** Somebody is erased between the reading of a chunk and its next change. */
  const erasing =
    (once: Ref.Ref<boolean>) =>
    (tasks: Tasks): Partial<Tasks> => ({
      note: (id, number, opened) =>
        Effect.gen(function* () {
          if (yield* Ref.getAndSet(once, false)) yield* tasks.erase(["email:a@acme.example"])
          return yield* tasks.note(id, number, opened)
        })
    })

  it.effect("loses no answer of a verifier that takes lists", () => {
    const once = Ref.makeUnsafe(true)
    return Effect.gen(function* () {
      const { steps, tasks } = yield* begin(["a@acme.example", "b@acme.example", "c@acme.example"])
      yield* steps.handOver(id, 0)
      assert.isNull(yield* steps.look(id, 0, 0))
      assert.deepInclude(yield* tasks.find(id), { total: 2, checked: 2, definite: 2 })
    }).pipe(Effect.provide(verifying(delegated, erasing(once))))
  })

  it.effect("leaves nothing open in a list that ends", () => {
    const once = Ref.makeUnsafe(true)
    const { layer } = scripted()
    return Effect.gen(function* () {
      const { ordered, steps, tasks } = yield* begin(["a@acme.example", "b@acme.example"])
      yield* steps.finish(ordered)
      assert.deepInclude(yield* tasks.find(id), { state: "completed", total: 1, checked: 1, definite: 0 })
    }).pipe(Effect.provide(verifying(layer, erasing(once))))
  })
})

describe("two who end a list", () => {
  it.effect("settle the same, and say the same", () => {
    const { layer } = scripted()
    return Effect.gen(function* () {
      const { ledger, ordered, steps, tasks } = yield* begin(emails(4))
      yield* steps.verify(id, 0, 1)
      const ends = yield* Effect.forkChild(
        Effect.all([steps.finish(ordered), steps.finish(ordered)], { concurrency: 2, discard: true })
      )
      yield* Fiber.join(ends)
      const { captured, held } = yield* ledger.balance(account)
      assert.deepStrictEqual([captured, held], [Credits.fromNumber(0.2), 0])
      assert.strictEqual((yield* tasks.find(id))?.charged, captured)
    }).pipe(Effect.provide(verifying(layer)))
  })
})
