/** Addresses one by one and in lists: each once, paid once for what is definite, and going on whatever happens. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { WorkflowEngine } from "effect/workflow"
import { Suppression } from "../account/index.ts"
import { Billing, Credits, Ledger } from "../billing/index.ts"
import { Core } from "../index.ts"
import { Webhooks } from "../net/index.ts"
import * as Caller from "../request/Caller.ts"
import * as EmailList from "./EmailList.ts"
import * as EmailResult from "./EmailResult.ts"
import * as EmailTasks from "./EmailTasks.ts"
import * as EmailTasksMemory from "./EmailTasksMemory.ts"
import * as EmailVerification from "./EmailVerification.ts"
import * as EmailVerifier from "./EmailVerifier.ts"
import * as EmailWorkflow from "./EmailWorkflow.ts"
import * as Verifying from "./Verifying.ts"

const account = "acc_1"

const resultOf = (email: string): EmailResult.EmailResult => ({
  ...EmailResult.unknown(email),
  status: email.startsWith("unsure") ? "unknown" : email.startsWith("no") ? "invalid" : "safe"
})

/** Counts what it is asked; a local part tells what it does. */
const direct = () => {
  const asked = new Map<string, number>()
  const located: Array<string> = []
  const state = { broken: null as EmailVerifier.EmailVerifierUnavailable | null, pause: 0 }
  const checked = (email: string, attempt: number): EmailVerifier.Checked =>
    email.startsWith("grey") && attempt === 1
      ? { _tag: "Again", email, after: 300_000, result: EmailResult.unknown(email) }
      : email.startsWith("never")
        ? { _tag: "Again", email, after: 300_000, result: EmailResult.unknown(email) }
        : { _tag: "Decided", email, result: resultOf(email) }
  const ask = (email: string) => asked.set(email, (asked.get(email) ?? 0) + 1)
  const bulk: EmailVerifier.Direct = {
    _tag: "Direct",
    hosts: (domains) => {
      located.push(...domains)
      return Effect.succeed(new Map(domains.map((domain) => [domain, `mx.${domain}`])))
    },
    verify: (emails, attempt) =>
      Stream.suspend(() =>
        state.broken === null
          ? Stream.fromIterable(emails).pipe(
              Stream.mapEffect((email) =>
                Effect.delay(
                  Effect.sync(() => {
                    ask(email)
                    return checked(email, attempt)
                  }),
                  state.pause
                )
              )
            )
          : Stream.fail(state.broken)
      )
  }
  const layer = Layer.succeed(EmailVerifier.EmailVerifier, {
    name: "scripted",
    single: (email) =>
      Effect.suspend(() => {
        ask(email)
        return state.broken === null ? Effect.succeed(resultOf(email)) : Effect.fail(state.broken)
      }),
    bulk
  })
  return { asked, located, state, layer }
}

/** Takes lists of three to five. */
const delegated = () => {
  const begun: Array<ReadonlyArray<string>> = []
  const singles: Array<string> = []
  const layer = Layer.succeed(EmailVerifier.EmailVerifier, {
    name: "elsewhere",
    single: (email) =>
      Effect.sync(() => {
        singles.push(email)
        return resultOf(email)
      }),
    bulk: {
      _tag: "Delegated" as const,
      least: 3,
      most: 5,
      begin: (emails: ReadonlyArray<string>) => Effect.sync(() => `list-${begun.push(emails)}`),
      progress: (task: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const emails = begun[Number(task.slice(5)) - 1] ?? []
          // One is missing, and spelled as they like.
          const results = emails
            .slice(1)
            .map((email) => resultOf(email.toUpperCase().replace(/^\w/, (c) => c.toLowerCase())))
          return now < 60_000 ? { checked: 0, results: null } : { checked: emails.length, results }
        })
    }
  })
  return { begun, singles, layer }
}

let requests = 0
const caller = Effect.map(Clock.currentTimeMillis, (now) =>
  Caller.embedded(`req_${String(++requests).padStart(20, "0")}`, now, account)
)

/** Ends when whatever threads of the system had to digest has been digested: no clock of a test moves them. */
const digested = Effect.repeat(
  Effect.promise(() => crypto.subtle.digest("SHA-256", new Uint8Array(1))),
  { times: 8 }
)

/** In steps: what goes on has many of them, and each begins when the one before it has ended. */
const pass = (millis: number) =>
  Effect.forEach(Array.from({ length: 40 }), () => Effect.andThen(TestClock.adjust(millis / 40), digested), {
    discard: true
  })

const core = (verifier: Layer.Layer<EmailVerifier.EmailVerifier>) =>
  Layer.fresh(Core.layerMemory([], { ledger: Layer.fresh(Ledger.layerMemory), verifier }))

const granted = Effect.fnUntraced(function* (credits = 100) {
  const ledger = yield* Ledger.Ledger
  yield* ledger.grant({ account, amount: Credits.fromNumber(credits), expires_at: null, key: "first", reason: "test" })
  const left = Effect.map(ledger.balance(account), ({ available, held }) => ({
    available: Credits.toNumber(available),
    held: Credits.toNumber(held)
  }))
  return { left }
})

const single = Effect.fnUntraced(function* (email: string) {
  const verification = yield* EmailVerification.EmailVerification
  return (yield* verification.single({ type: "single", email }, yield* caller)).answer
})

const bulk = Effect.fnUntraced(function* (emails: ReadonlyArray<string>, webhook_url?: string) {
  const verification = yield* EmailVerification.EmailVerification
  const request = { type: "bulk" as const, emails, ...(webhook_url === undefined ? {} : { webhook_url }) }
  return (yield* verification.bulk(request, yield* caller)).answer
})

const resultFor = Effect.fnUntraced(function* (task_id: string, page?: number, limit?: number) {
  const verification = yield* EmailVerification.EmailVerification
  const paging = { ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) }
  return yield* verification.result({ type: "bulk_result", task_id, ...paging }, yield* caller)
})

const addresses = (count: number, word = "ada"): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${word}${index}@d${index % 11}.example`)

describe("a single address", () => {
  it.effect("is paid for what is definite, and not for what is unknown", () => {
    const { layer } = direct()
    return Effect.gen(function* () {
      const { left } = yield* granted()
      const sure = yield* single(" ada@acme.example ")
      assert.deepInclude(sure, { status: "completed", task_id: "", credits_charged: 0.05 })
      assert.strictEqual(sure.results["ada@acme.example"]?.status, "safe")
      const unsure = yield* single("unsure@acme.example")
      assert.deepInclude(unsure, { credits_charged: 0 })
      assert.deepStrictEqual(yield* left, { available: 99.95, held: 0 })
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("of somebody who has objected is asked about nowhere", () => {
    const { asked, layer } = direct()
    return Effect.gen(function* () {
      yield* granted()
      yield* (yield* Suppression.Suppression).add("email:ada@acme.example")
      const { credits_charged, results } = yield* single("Ada@acme.example")
      assert.strictEqual(results["Ada@acme.example"]?.status, "unknown")
      assert.strictEqual(credits_charged, 0)
      assert.strictEqual(asked.size, 0)
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("costs nothing when the verifier is down, or when there is none", () => {
    const { layer, state } = direct()
    const failing = Effect.gen(function* () {
      const { left } = yield* granted()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(single("ada@acme.example"))))
      assert.deepStrictEqual(yield* left, { available: 100, held: 0 })
    })
    state.broken = new EmailVerifier.EmailVerifierUnavailable({ problem: "no route", retryable: true })
    return Effect.all([
      failing.pipe(Effect.provide(core(layer))),
      failing.pipe(Effect.provide(core(Core.layerWithoutVerifier)))
    ])
  })
})

describe("an address that is spelled as nobody spells it", () => {
  it.effect("is answered as it was sent, key and entry, and in its parts where nobody was asked", () => {
    const verifier = Layer.succeed(EmailVerifier.EmailVerifier, {
      name: "scripted",
      single: () => Effect.succeed(resultOf("ada@acme.example")),
      bulk: { _tag: "Absent" as const, remedy: "none" }
    })
    return Effect.gen(function* () {
      yield* granted()
      const { results } = yield* single("  ada@ACME.example ")
      assert.deepStrictEqual(
        Object.entries(results).map(([key, { email }]) => [key, email]),
        [["ada@ACME.example", "ada@ACME.example"]]
      )
      const { domain, username } = EmailResult.unknown("none")
      assert.deepStrictEqual([username, domain], ["none", ""])
    }).pipe(Effect.provide(core(verifier)))
  })
})

describe("a list", () => {
  it.effect("is verified after its answer, each mailbox once, and charged for what is definite", () => {
    const { asked, layer } = direct()
    const emails = [...addresses(1200), "ADA0@D0.example", ...addresses(30, "unsure"), "no address"]
    return Effect.gen(function* () {
      const { left } = yield* granted()
      const begun = yield* bulk(emails)
      assert.deepInclude(begun, { type: "bulk", status: "queued", credits_charged: 0, results: {} })
      assert.deepStrictEqual(begun.progress, { total: 1231, checked: 0, percentage: 0 })
      assert.deepStrictEqual(yield* left, { available: 38.45, held: 61.55 })
      yield* pass(60000)
      const done = yield* resultFor(begun.task_id)
      assert.deepInclude(done, { type: "bulk_result", status: "completed", credits_charged: 60.05 })
      assert.deepStrictEqual(done.progress, { total: 1231, checked: 1231, percentage: 100 })
      assert.strictEqual(Object.keys(done.results).length, 1231)
      assert.deepStrictEqual(yield* left, { available: 39.95, held: 0 })
      assert.isTrue([...asked.values()].every((times) => times === 1))
      const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => resultFor(begun.task_id, page, 400))
      assert.deepStrictEqual(
        pages.map(({ results }) => Object.keys(results).length),
        [400, 400, 400, 31]
      )
      assert.strictEqual(new Set(pages.flatMap(({ results }) => Object.keys(results))).size, 1231)
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("looks for hosts of domains, once each, and of nothing that is none", () => {
    const { layer, located } = direct()
    return Effect.gen(function* () {
      yield* granted()
      const texts = ["ada@acme.example", "bea@ACME.example", "no address", "nobody", "ada@[192.0.2.1]", "a@b@.example"]
      const begun = yield* bulk([...texts, "zoé@münchen.example"])
      yield* pass(60000)
      assert.strictEqual((yield* resultFor(begun.task_id)).status, "completed")
      assert.deepStrictEqual(located.toSorted(), ["acme.example", "xn--mnchen-3ya.example"])
    }).pipe(Effect.provide(core(layer)))
  })

  it("has a mailbox once, and no address less because of a text that is none", () => {
    const emails = [
      "mara@acme.example.",
      "mara@www.acme.example",
      "mara@acme.example:25",
      " mara@acme.example",
      "MARA@Acme.Example",
      '"mara"@acme.example',
      "mara@b\u00fccher.example",
      "mara@xn--bcher-kva.example",
      "none",
      "NONE",
      "none"
    ]
    assert.deepStrictEqual(EmailList.distinct(emails), [
      "mara@acme.example.",
      "mara@www.acme.example",
      "mara@acme.example:25",
      "mara@acme.example",
      "mara@b\u00fccher.example",
      "none",
      "NONE"
    ])
  })

  it.effect("asks again those whose hosts want it, later and only those, and not for ever", () => {
    const { asked, layer } = direct()
    return Effect.gen(function* () {
      yield* granted()
      const begun = yield* bulk([...addresses(20), "grey@acme.example", "never@acme.example"])
      yield* pass(60000)
      const early = yield* resultFor(begun.task_id)
      assert.deepInclude(early, { status: "running", progress: { total: 22, checked: 20, percentage: 90 } })
      yield* pass(300000)
      assert.strictEqual((yield* resultFor(begun.task_id)).results["grey@acme.example"]?.status, "safe")
      yield* pass(7200000)
      const done = yield* resultFor(begun.task_id)
      assert.deepInclude(done, { status: "completed", credits_charged: 21 * 0.05 })
      assert.strictEqual(done.results["never@acme.example"]?.status, "unknown")
      assert.deepInclude(Object.fromEntries(asked), { "grey@acme.example": 2, "never@acme.example": 4 })
      assert.strictEqual([...asked.values()].filter((times) => times > 1).length, 2)
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("that is cancelled keeps what was verified, and is charged for it once", () => {
    const { layer, state } = direct()
    state.pause = 1000
    return Effect.gen(function* () {
      const { left } = yield* granted()
      const verification = yield* EmailVerification.EmailVerification
      const begun = yield* bulk(addresses(300))
      yield* pass(12000)
      const cancelled = yield* verification.cancel({ type: "cancel", task_id: begun.task_id }, yield* caller)
      assert.strictEqual(cancelled.status, "cancelled")
      const { checked } = cancelled.progress
      assert.isAbove(checked, 0)
      assert.isBelow(checked, 300)
      yield* pass(3600000)
      const after = yield* resultFor(begun.task_id)
      assert.deepInclude(after, {
        status: "cancelled",
        credits_charged: Credits.toNumber(Credits.times(Credits.fromNumber(0.05), checked))
      })
      assert.strictEqual(Object.keys(after.results).length, checked)
      assert.strictEqual((yield* left).held, 0)
      // Again is no error; another one's is unknown.
      yield* verification.cancel({ type: "cancel", task_id: begun.task_id }, yield* caller)
      const stranger = { ...(yield* caller), account: "acc_2" }
      const unknown = yield* Effect.flip(verification.cancel({ type: "cancel", task_id: begun.task_id }, stranger))
      assert.strictEqual(unknown._tag, "UnknownEmailTask")
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("that is complete cannot be cancelled, and its owner is told once", () => {
    const { layer } = direct()
    return Effect.gen(function* () {
      yield* granted()
      const verification = yield* EmailVerification.EmailVerification
      const begun = yield* bulk(addresses(5), "https://acme.example/hook")
      yield* pass(60000)
      const ended = yield* Effect.flip(verification.cancel({ type: "cancel", task_id: begun.task_id }, yield* caller))
      assert.deepInclude(ended, { _tag: "EmailTaskEnded", state: "completed" })
      const { deliveries } = yield* (yield* Webhooks.Webhooks).list(account, 1, 10)
      assert.deepStrictEqual(
        deliveries.map(({ type }) => type),
        ["email.verified"]
      )
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("waits for a verifier that is down, and fails with one that never works", () => {
    const { layer, state } = direct()
    return Effect.gen(function* () {
      const { left } = yield* granted()
      state.broken = new EmailVerifier.EmailVerifierUnavailable({ problem: "no route", retryable: true })
      const waiting = yield* bulk(addresses(5))
      yield* pass(60000)
      assert.strictEqual((yield* resultFor(waiting.task_id)).status, "running")
      state.broken = null
      yield* pass(60000)
      assert.deepInclude(yield* resultFor(waiting.task_id), { status: "completed", credits_charged: 0.25 })
      state.broken = new EmailVerifier.EmailVerifierUnavailable({ problem: "the key is refused", retryable: false })
      const failed = yield* bulk(addresses(5))
      yield* pass(60000)
      assert.deepInclude(yield* resultFor(failed.task_id), { status: "failed", credits_charged: 0 })
      assert.deepStrictEqual(yield* left, { available: 99.75, held: 0 })
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("is not begun without the credits for all of it, or without a verifier", () => {
    const { asked, layer } = direct()
    const tried = Effect.gen(function* () {
      const { left } = yield* granted(1)
      const refused = yield* Effect.flip(bulk(addresses(21)))
      assert.deepStrictEqual(yield* left, { available: 1, held: 0 })
      return refused._tag
    })
    return Effect.gen(function* () {
      assert.strictEqual(yield* tried.pipe(Effect.provide(core(layer))), "InsufficientCredits")
      assert.strictEqual(yield* tried.pipe(Effect.provide(core(Core.layerWithoutVerifier))), "EmailVerifierUnavailable")
      assert.strictEqual(asked.size, 0)
    })
  })

  it.effect("is handed over in portions to a verifier that takes lists, and has its names", () => {
    const { begun, layer, singles } = delegated()
    return Effect.gen(function* () {
      yield* granted()
      const emails = addresses(12)
      const { task_id } = yield* bulk(emails)
      yield* pass(30000)
      // Lanes go side by side: the verifier's names stand in the order in which they were learnt.
      const { status, verifier_task_id } = yield* resultFor(task_id)
      assert.deepStrictEqual([status, verifier_task_id.split(",").toSorted()], ["running", ["list-1", "list-2"]])
      yield* pass(300000)
      const done = yield* resultFor(task_id)
      // The first of each list is missing there.
      assert.deepInclude(done, { status: "completed", credits_charged: 0.5 })
      assert.strictEqual(Object.keys(done.results).length, 12)
      assert.deepStrictEqual(
        begun.map(({ length }) => length),
        [5, 5]
      )
      assert.deepStrictEqual(singles.toSorted(), emails.slice(10).toSorted())
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("tells nobody else of a text that is no address", () => {
    const { begun, layer, singles } = delegated()
    return Effect.gen(function* () {
      yield* granted()
      const texts = ["no address", "mara@", "@acme.example"]
      const { task_id } = yield* bulk([...addresses(2), ...texts])
      yield* pass(30_000)
      const done = yield* resultFor(task_id)
      assert.strictEqual(done.status, "completed")
      for (const text of texts) assert.deepInclude(done.results[text], { status: "invalid", is_valid_syntax: false })
      assert.deepStrictEqual([begun, singles.length], [[], 2])
      const service = yield* EmailVerification.EmailVerification
      const { answer } = yield* service.single({ type: "single", email: "no address" }, yield* caller)
      assert.deepInclude(answer.results["no address"], { status: "invalid", is_valid_syntax: false })
      assert.strictEqual(singles.length, 2)
    }).pipe(Effect.provide(core(layer)))
  })

  it.effect("gives the credits back when its process dies while it is written down", () => {
    // A process that is gone writes nothing and settles nothing any more; what was handed over goes on elsewhere.
    const gone = Layer.effect(
      Ledger.Ledger,
      Effect.map(Ledger.Ledger, (ledger) => ({ ...ledger, settle: () => Effect.never }))
    )
    const stuck = Layer.effect(
      EmailTasks.EmailTasks,
      Effect.map(EmailTasks.EmailTasks, (tasks) => ({ ...tasks, put: () => Effect.never }))
    ).pipe(Layer.provide(EmailTasksMemory.layer))
    const { layer } = direct()
    const house = Layer.mergeAll(EmailVerification.layer, EmailWorkflow.layer).pipe(
      Layer.provide([Verifying.layer, Billing.layer().pipe(Layer.provide(gone))]),
      Layer.provide([stuck, layer, Webhooks.layerMemory, WorkflowEngine.layerMemory]),
      Layer.provideMerge(Layer.merge(Suppression.layerMemory, Layer.fresh(Ledger.layerMemory)))
    )
    return Effect.gen(function* () {
      const { left } = yield* granted()
      yield* Effect.forkDetach(bulk(addresses(20)))
      yield* pass(1000)
      assert.deepStrictEqual(yield* left, { available: 99, held: 1 })
      yield* pass(5 * 60_000)
      yield* Effect.flatMap(Ledger.Ledger, ({ expire }) => expire)
      assert.deepStrictEqual(yield* left, { available: 100, held: 0 })
    }).pipe(Effect.provide(house))
  })
})
