/** What every store of lists of addresses must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { EmailResult, type EmailTask, EmailTasks } from "@lading/core/email"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"

let tasks = 0
const ordered = (): EmailTask.Ordered => ({
  id: `ver_${process.pid}_${Date.now()}_${++tasks}`,
  account: "acc_1",
  verifier: "scripted",
  webhook_url: "https://acme.example/hook?token=ü",
  received_at: 1,
  expires_at: 2_000_000_000_000,
  price: Credits.fromNumber(0.05),
  price_version: "4",
  parent: Ledger.HoldId.make("parent"),
  hold: Ledger.HoldId.make("hold")
})

const minute = 60_000

const emailsOf = (count: number, word: string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${word}${index}@d${index % 7}.${word}.example`)

/** Decided, with a status that is definite for every second one. */
const decided = ({ emails }: EmailTask.Chunk): EmailTask.Chunk => ({
  emails,
  answers: emails.map((email, index) => ({
    result: EmailResult.pack({ ...EmailResult.unknown(email), status: index % 2 === 0 ? "safe" : "unknown" }),
    due: null
  }))
})

const put = Effect.fnUntraced(function* (emails: ReadonlyArray<string>, kept = minute) {
  const store = yield* EmailTasks.EmailTasks
  const task = ordered()
  yield* store.put(task, emails, (yield* Clock.currentTimeMillis) + kept)
  return { store, task, id: task.id }
})

/** In chunks of three, over two lanes. */
const arrange = Effect.fnUntraced(function* (emails: ReadonlyArray<string>) {
  const { id, store, task } = yield* put(emails)
  const placed = Array.from({ length: Math.ceil(emails.length / 3) }, (_, index) => ({
    lane: index % 2,
    emails: emails.slice(index * 3, index * 3 + 3)
  }))
  yield* store.arrange(id, placed)
  return { store, task, id }
})

const noteAll = Effect.fnUntraced(function* (id: string) {
  const store = yield* EmailTasks.EmailTasks
  for (const { number } of yield* store.chunks(id)) {
    const opened = yield* store.open(id, number)
    assert(opened !== null)
    assert.isTrue(yield* store.note(id, number, { chunk: decided(opened.chunk), revision: opened.revision }))
  }
})

/** Registers the suite. */
export const emailTasksSuite = <E>(
  name: string,
  layer: Layer.Layer<EmailTasks.EmailTasks | Suppression.Suppression, E>
) =>
  withLayer(layer, { timeout: "60 seconds" })(`EmailTasks: ${name}`, (it) => {
    it.effect("gives what was put, for as long as it is kept, and the sweep forgets and counts it", () =>
      Effect.gen(function* () {
        const store = yield* EmailTasks.EmailTasks
        yield* TestClock.adjust("30 days")
        yield* store.sweep
        const emails = emailsOf(2500, "kept")
        const soon = yield* put(emails)
        const later = yield* put(["a@b.example"], 2 * minute)
        yield* store.put({ ...soon.task, account: "acc_2" }, ["x@y.example"], 1e15)
        assert.deepStrictEqual(yield* store.find(soon.id), {
          ...soon.task,
          state: "queued",
          total: 2500,
          checked: 0,
          definite: 0,
          verifier_tasks: [],
          ended_at: null,
          charged: null
        })
        assert.deepStrictEqual(yield* store.intake(soon.id), emails)
        assert.isNull(yield* store.find(`${soon.id}x`))
        yield* TestClock.adjust(minute)
        assert.isNull(yield* store.find(soon.id))
        assert.strictEqual(yield* store.sweep, 1)
        assert.isNotNull(yield* store.find(later.id))
        yield* store.remove(later.id)
        yield* store.remove(later.id)
        assert.isNull(yield* store.find(later.id))
      })
    )

    it.effect("is arranged once, as a whole, and read in the order of its chunks, page by page without gaps", () =>
      Effect.gen(function* () {
        const emails = emailsOf(20, "page")
        const { id, store } = yield* arrange(emails)
        yield* store.arrange(id, [{ lane: 9, emails: ["other@b.example"] }])
        assert.isEmpty(yield* store.intake(id))
        assert.deepStrictEqual(
          (yield* store.chunks(id)).map(({ lane, number, size }) => [number, lane, size]),
          Array.from({ length: 7 }, (_, number) => [number, number % 2, number === 6 ? 2 : 3])
        )
        assert.isEmpty(yield* store.results(id, 0, 100))
        yield* noteAll(id)
        for (const size of [1, 2, 5, 7, 20]) {
          const pages = yield* Effect.forEach(
            Array.from({ length: Math.ceil(20 / size) }, (_, page) => page),
            (page) => store.results(id, page * size, size)
          )
          assert.deepStrictEqual(
            pages.flat().map(({ email }) => email),
            emails
          )
        }
        assert.isEmpty(yield* store.results(id, 20, 5))
        assert.deepInclude(yield* store.find(id), { state: "running", total: 20, checked: 20, definite: 13 })
      })
    )

    it.effect("of two changes of one state of a chunk one counts; what is due is said", () =>
      Effect.gen(function* () {
        const { id, store } = yield* arrange(emailsOf(3, "twice"))
        const opened = yield* store.open(id, 0)
        assert(opened !== null)
        const due: EmailTask.Chunk = {
          ...opened.chunk,
          answers: decided(opened.chunk).answers.map((answer, index) =>
            answer === null || index === 0 ? null : { ...answer, due: index === 1 ? 123_456 : null }
          )
        }
        const changes = yield* Effect.all(
          [due, due].map((chunk) => store.note(id, 0, { chunk, revision: opened.revision })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(changes.toSorted(), [false, true])
        assert.deepStrictEqual(yield* store.open(id, 0), { chunk: due, revision: opened.revision + 1 })
        assert.deepInclude((yield* store.chunks(id))[0], { checked: 1, due: 123_456 })
        assert.strictEqual((yield* store.results(id, 0, 10)).length, 1)
        assert.isFalse(yield* store.note(id, 7, opened))
        assert.isNull(yield* store.open(id, 7))
      })
    )

    it.effect("ends once, takes no change after that, and is charged once or not at all", () =>
      Effect.gen(function* () {
        const { id, store } = yield* arrange(emailsOf(3, "end"))
        const opened = yield* store.open(id, 0)
        assert(opened !== null)
        const ended = yield* store.end(id, { state: "cancelled", at: 77 })
        assert.deepInclude(ended, { state: "cancelled", ended_at: 77, charged: null })
        assert.deepInclude(yield* store.end(id, { state: "completed", at: 78 }), { state: "cancelled", ended_at: 77 })
        assert.isFalse(yield* store.note(id, 0, opened))
        assert.strictEqual(yield* store.charge(id, Credits.fromNumber(1.5)), Credits.fromNumber(1.5))
        assert.strictEqual(yield* store.charge(id, Credits.fromNumber(2)), Credits.fromNumber(1.5))
        assert.deepInclude(yield* store.find(id), { charged: Credits.fromNumber(1.5) })
        yield* store.waive(id)
        assert.deepInclude(yield* store.find(id), { charged: Credits.zero })
        assert.strictEqual(yield* store.charge(`${id}x`, Credits.fromNumber(2)), Credits.fromNumber(2))
        assert.isNull(yield* store.end(`${id}x`, { state: "completed", at: 1 }))
      })
    )

    it.effect("keeps the first name that another verifier gave to a lane", () =>
      Effect.gen(function* () {
        const { id, store } = yield* arrange(emailsOf(6, "name"))
        assert.isNull(yield* store.nameOf(id, 1))
        assert.strictEqual(yield* store.named(id, 1, "b"), "b")
        assert.strictEqual(yield* store.named(id, 0, "a"), "a")
        assert.strictEqual(yield* store.named(id, 1, "c"), "b")
        assert.strictEqual(yield* store.nameOf(id, 1), "b")
        assert.deepInclude(yield* store.find(id), { verifier_tasks: ["a", "b"] })
      })
    )

    it.effect("leaves out who objects: before it is put, before it is arranged, and later", () =>
      Effect.gen(function* () {
        const store = yield* EmailTasks.EmailTasks
        const suppression = yield* Suppression.Suppression
        const emails = emailsOf(9, `gone${++tasks}`)
        const [first = "", second = "", third = ""] = emails
        yield* suppression.add(`email:${first}`)
        const { id } = yield* put(emails)
        assert.deepStrictEqual(yield* store.intake(id), emails.slice(1))
        yield* suppression.add(`email:${second}`)
        assert.strictEqual(yield* store.erase([`email:${second}`]), 1)
        assert.deepStrictEqual(yield* store.intake(id), emails.slice(2))
        yield* store.arrange(id, [{ lane: 0, emails: emails.slice(2) }])
        yield* noteAll(id)
        const before = yield* store.open(id, 0)
        assert(before !== null)
        yield* suppression.add(`email:${third}`)
        assert.strictEqual(yield* store.erase([`email:${third}`]), 1)
        assert.strictEqual(yield* store.erase([`email:${third}`]), 0)
        assert.deepStrictEqual(
          (yield* store.results(id, 0, 100)).map(({ email }) => email),
          emails.slice(3)
        )
        assert.deepInclude(yield* store.find(id), { total: 6, checked: 6, definite: 3 })
        // Whoever read it before does not write it back.
        assert.isFalse(yield* store.note(id, 0, before))
      })
    )
  })
