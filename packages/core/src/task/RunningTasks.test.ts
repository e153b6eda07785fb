/**
 * Rows of a task against operations that bill as real ones do: through `Billing`, under their keys, out of the task's hold.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Scope from "../account/Scope.ts"
import * as Suppression from "../account/Suppression.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import * as Ledger from "../billing/Ledger.ts"
import * as Webhooks from "../net/Webhooks.ts"
import type * as AgenticTask from "./AgenticTask.ts"
import * as Operations from "./Operations.ts"
import * as Planner from "./Planner.ts"
import { RunningTasks, layer as layerRunning } from "./RunningTasks.ts"
import type { TaskPlan } from "./TaskPlan.ts"
import * as TaskRow from "./TaskRow.ts"
import { TaskStore } from "./TaskStore.ts"
import * as TaskStoreMemory from "./TaskStoreMemory.ts"

const account = "acc_task"
const credits = Credits.fromNumber

/** What an operation answers, or how it fails; it may hold more than it takes. */
interface Said {
  readonly body?: unknown
  readonly takes?: number
  readonly holds?: number
  readonly fails?: Partial<Operations.OperationFailed>
  readonly isPending?: boolean
}

type Script = (input: any, runner: Operations.Runner) => Effect.Effect<Said>

const failure = (fails: Partial<Operations.OperationFailed>) =>
  new Operations.OperationFailed({
    code: "internal",
    message: "no",
    retryable: false,
    details: [],
    isUnpaid: false,
    ...fails
  })

const Kept = Schema.Struct({ body: Schema.Unknown, takes: Schema.Finite })
type Kept = typeof Kept.Type
const codec = Schema.fromJsonString(Kept)

/** Operations by name; each run is noted with its input. */
const scripted = (scripts: Readonly<Record<string, Script>>, latest: Readonly<Record<string, () => Said>> = {}) => {
  const ran: Array<readonly [string, unknown]> = []
  const layer = Layer.effect(
    Operations.Operations,
    Effect.gen(function* () {
      const { charge } = yield* Billing.Billing
      const outcome = (said: Said, replayed: boolean): Operations.Outcome => ({
        body: said.body ?? {},
        credits: credits(said.takes ?? 0),
        sources: ["provider_a"],
        replayed,
        isPending: said.isPending ?? false
      })
      const run =
        (name: string, script: Script): Operations.Operation["run"] =>
        (input, runner) =>
          Effect.gen(function* () {
            const { caller } = runner
            const said = yield* Effect.suspend(() => script(input, runner))
            const { fails, holds = said.takes ?? 0, takes = 0 } = said
            const quote = credits(holds)
            const order = {
              caller,
              operation: name,
              quote,
              least: Credits.zero,
              ceiling: null,
              deadline: caller.received_at + 20_000,
              codec
            }
            const { answer, replayed } = yield* charge(order, (tab) =>
              Effect.suspend((): Effect.Effect<Billing.Done<Kept, never>, Operations.OperationFailed> => {
                ran.push([name, input])
                if (fails !== undefined) return Effect.fail(failure(fails))
                tab.reserve(quote)
                tab.charge(quote, { payee: { _tag: "Platform" }, credits: credits(takes) })
                return Effect.succeed({ answer: { body: said.body ?? {}, takes }, deferred: null })
              })
            )
            return outcome({ ...said, ...answer }, replayed)
          }).pipe(
            Effect.mapError((error) =>
              error instanceof Operations.OperationFailed
                ? error
                : error._tag === "KeyConflict"
                  ? failure({ code: "idempotency_conflict", retryable: error.reason === "running" })
                  : failure({ code: "insufficient_credits", isUnpaid: error._tag === "InsufficientCredits" })
            )
          )
      const operation = ([name, script]: [string, Script]): Operations.Operation => {
        const later = latest[name]
        return {
          name,
          path: `/${name}`,
          title: name,
          description: name,
          scopes: [],
          request: {},
          answer: {},
          sample: {},
          price: "1",
          worst: () => Effect.succeed(credits(1)),
          run: run(name, script),
          latest: later === undefined ? null : () => Effect.sync(() => outcome(later(), true))
        }
      }
      return Operations.make(Object.entries(scripts).map(operation))
    })
  )
  return { layer, ran }
}

const wired = (operations: Layer.Layer<Operations.Operations, never, Billing.Billing>) =>
  layerRunning.pipe(
    Layer.provideMerge(Layer.mergeAll(operations, TaskStoreMemory.layer, Webhooks.layerMemory)),
    Layer.provideMerge(Layer.mergeAll(Billing.layer(), Suppression.layerMemory, Planner.layerNone("there is none"))),
    Layer.provideMerge(Layer.fresh(Ledger.layerMemory))
  )

let tasks = 0

/** A task that has begun, with its hold. */
const begun = Effect.fnUntraced(function* (
  plan: TaskPlan,
  inputs: ReadonlyArray<unknown>,
  { concurrency = 3, max = 100 } = {}
) {
  const ledger = yield* Ledger.Ledger
  const store = yield* TaskStore
  const now = yield* Clock.currentTimeMillis
  yield* ledger.grant({ account, amount: credits(1000), expires_at: null, key: "grant", reason: "test" })
  const key = `order-${++tasks}`
  const opened = yield* ledger.open({
    request: { account, key, fingerprint: null },
    amount: credits(max),
    ttl: 86_400_000,
    keep: 86_400_000,
    api_key: null,
    operation: "task"
  })
  const hold = opened._tag === "Held" ? opened.hold : assert.fail("replayed")
  const ordered: AgenticTask.Ordered = {
    id: `task_running${String(tasks).padStart(16, "0")}`,
    account,
    api_key: null,
    scopes: Scope.all,
    name: "",
    prompt: null,
    wanted: [],
    columns: [],
    concurrency,
    max_credits: credits(max),
    webhook_url: null,
    received_at: now,
    expires_at: now + 86_400_000,
    price_version: "4",
    parent: hold,
    hold
  }
  yield* store.put(ordered, { plan, rows: inputs.map(TaskRow.first) }, now + 1e9)
  yield* store.begin(ordered.id, plan)
  return ordered
})

/** Runs it to its end, time passing as it wants. */
const finished = Effect.fnUntraced(function* (ordered: AgenticTask.Ordered) {
  const { finish, run } = yield* RunningTasks
  for (;;) {
    const wait = yield* run(ordered.id)
    if (wait === null) break
    yield* TestClock.adjust(wait)
  }
  yield* finish(ordered)
  return yield* shown(ordered)
})

const shown = Effect.fnUntraced(function* ({ id }: AgenticTask.Ordered) {
  const store = yield* TaskStore
  const task = (yield* store.find(id)) ?? assert.fail("gone")
  const { rows } = yield* store.rows(id, { state: null, from: 0, limit: 1000 })
  return { task, rows, outputs: rows.map(({ row }) => row.output) }
})

const held = Effect.map(
  Effect.flatMap(Ledger.Ledger, (ledger) => ledger.balance(account)),
  ({ captured, held }) => ({ captured: Credits.toNumber(captured), held: Credits.toNumber(held) })
)

const double: TaskPlan = {
  steps: [{ id: "double", operation: "double", input: { n: "$input.n" } }],
  outputs: [
    { name: "twice", value: "$double.n" },
    { name: "once", value: "$input.n" }
  ]
}

const doubling: Script = ({ n }) => Effect.succeed({ body: { n: n * 2 }, takes: 1 })

const range = (count: number) => Array.from({ length: count }, (_, n) => ({ n: n + 1 }))

describe("the rows of a task", () => {
  it.effect("go through the steps in their order, each with its columns, credits and sources", () => {
    const { layer } = scripted({ double: doubling })
    return Effect.gen(function* () {
      const { outputs, rows, task } = yield* finished(yield* begun(double, range(7)))
      assert.deepStrictEqual(
        outputs,
        range(7).map(({ n }) => ({ twice: n * 2, once: n }))
      )
      assert.strictEqual(task.state, "completed")
      assert.deepStrictEqual(task.counts, { total: 7, pending: 0, completed: 7, failed: 0 })
      assert.deepStrictEqual(
        rows.map(({ row }) => row.done.map(({ sources, step }) => [step, sources])),
        rows.map(() => [["double", ["provider_a"]]])
      )
      assert.strictEqual(new Set(rows.flatMap(({ row }) => row.done.map(({ request_id }) => request_id))).size, 7)
      assert.deepStrictEqual(yield* held, { captured: 7, held: 0 })
      assert.strictEqual(Credits.toNumber(task.charged), 7)
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect(
    "are divided by the elements of a list, which go on in their place; what was paid before stands once",
    () => {
      const plan: TaskPlan = {
        steps: [
          { id: "find", operation: "find", input: { word: "$input.word" } },
          { id: "double", operation: "double", for_each: "$find.list", as: "hit", input: { n: "$hit.n" } }
        ],
        outputs: [
          { name: "word", value: "$input.word" },
          { name: "n", value: "$hit.n" },
          { name: "twice", value: "$double.n" }
        ]
      }
      const find: Script = ({ word }) =>
        Effect.succeed({ body: { list: word === "none" ? [] : [{ n: 1 }, { n: 2 }] }, takes: 2 })
      const { layer } = scripted({ find, double: doubling })
      return Effect.gen(function* () {
        const { outputs, rows, task } = yield* finished(
          yield* begun(plan, [{ word: "a" }, { word: "none" }, { word: "b" }])
        )
        assert.deepStrictEqual(outputs, [
          { word: "a", n: 1, twice: 2 },
          { word: "a", n: 2, twice: 4 },
          { word: "none", n: null, twice: null },
          { word: "b", n: 1, twice: 2 },
          { word: "b", n: 2, twice: 4 }
        ])
        assert.deepStrictEqual(
          rows.map(({ path }) => path.join(".")),
          ["0.0", "0.1", "1", "2.0", "2.1"]
        )
        assert.deepStrictEqual(
          rows.map(({ row }) => Credits.toNumber(TaskRow.creditsOf(row))),
          [3, 1, 2, 3, 1]
        )
        assert.strictEqual(Credits.toNumber(task.charged), 10)
        assert.deepStrictEqual(yield* held, { captured: 10, held: 0 })
      }).pipe(Effect.provide(wired(layer)))
    }
  )

  it.effect("pass a step over by its conditions, and go on after an error where the plan says so", () => {
    const plan: TaskPlan = {
      steps: [
        { id: "one", operation: "flaky", input: { n: "$input.n" }, on_error: "continue" },
        { id: "two", operation: "double", input: { n: "$input.n" }, when: "$one.n" },
        { id: "three", operation: "double", input: { n: "$input.n" }, unless: "$two.n" }
      ],
      outputs: [
        { name: "two", value: "$two.n" },
        { name: "three", value: "$three.n" }
      ]
    }
    const flaky: Script = ({ n }) =>
      Effect.succeed(
        n === 2
          ? { fails: { code: "invalid_request", details: [{ path: "n", message: "Expected 1" }] } }
          : { body: { n } }
      )
    const { layer } = scripted({ flaky, double: doubling })
    return Effect.gen(function* () {
      const { outputs, rows } = yield* finished(yield* begun(plan, range(2)))
      assert.deepStrictEqual(outputs, [
        { two: 2, three: null },
        { two: null, three: 4 }
      ])
      assert.deepStrictEqual(
        rows.map(({ row }) => [row.state, row.faults]),
        [
          ["completed", []],
          [
            "completed",
            [{ step: "one", code: "invalid_request", message: "no", details: [{ path: "n", message: "Expected 1" }] }]
          ]
        ]
      )
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect("fail by themselves: the others go on", () => {
    const { layer } = scripted({
      double: ({ n }, runner) => (n === 2 ? Effect.succeed({ fails: { code: "not_found" } }) : doubling({ n }, runner))
    })
    return Effect.gen(function* () {
      const { outputs, task } = yield* finished(yield* begun(double, range(3)))
      assert.deepStrictEqual(outputs, [
        { twice: 2, once: 1 },
        { twice: null, once: 2 },
        { twice: 6, once: 3 }
      ])
      assert.deepStrictEqual([task.state, task.counts.failed], ["completed", 1])
      assert.deepStrictEqual(yield* held, { captured: 2, held: 0 })
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect("try what may do better three more times, with growing pauses, and then fail", () => {
    let tries = 0
    const { layer, ran } = scripted({
      double: ({ n }, runner) =>
        n === 1 && ++tries < 3
          ? Effect.succeed({ fails: { code: "unavailable", retryable: true } })
          : n === 2
            ? Effect.succeed({ fails: { code: "rate_limited", retryable: true } })
            : doubling({ n }, runner)
    })
    return Effect.gen(function* () {
      const begin = yield* Clock.currentTimeMillis
      const { rows } = yield* finished(yield* begun(double, range(2)))
      assert.deepStrictEqual(
        rows.map(({ row }) => [row.state, row.faults.map(({ code }) => code)]),
        [
          ["completed", []],
          ["failed", ["rate_limited"]]
        ]
      )
      assert.strictEqual(ran.length, 3 + 4)
      assert.isAtLeast((yield* Clock.currentTimeMillis) - begin, 36_000)
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect("wait for an answer that a source still works on, and take it as it is in the end", () => {
    let looks = 0
    const { layer, ran } = scripted(
      { double: () => Effect.succeed({ body: { n: null }, takes: 1, isPending: true }) },
      { double: () => ({ body: { n: 42 }, takes: 2, isPending: ++looks < 3 }) }
    )
    return Effect.gen(function* () {
      const { outputs, task } = yield* finished(yield* begun(double, range(1)))
      assert.deepStrictEqual([outputs, looks, ran.length], [[{ twice: 42, once: 1 }], 3, 1])
      assert.strictEqual(Credits.toNumber(task.charged), 2)
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect(
    "cannot cost more than the ceiling, whatever each of them holds; the task ends where nothing more fits",
    () => {
      const { layer, ran } = scripted({ double: ({ n }) => Effect.succeed({ body: { n: n * 2 }, holds: 3, takes: 1 }) })
      return Effect.gen(function* () {
        const { rows, task } = yield* finished(yield* begun(double, range(50), { max: 10, concurrency: 8 }))
        assert.deepStrictEqual(
          [task.state, task.problem],
          ["out_of_credits", "What is left of max_credits does not cover the next step"]
        )
        // Eight steps of one leave two, and each holds three.
        assert.deepStrictEqual([ran.length, rows.filter(({ row }) => row.state === "completed").length], [8, 8])
        assert.deepStrictEqual(yield* held, { captured: 8, held: 0 })
      }).pipe(Effect.provide(wired(layer)))
    }
  )

  it.effect("of a task that another process left are not out of credits while that one's steps keep theirs", () => {
    const { layer } = scripted({ double: doubling })
    return Effect.gen(function* () {
      const ledger = yield* Ledger.Ledger
      const ordered = yield* begun(double, range(3), { max: 3 })
      // A step that was in the air when its process died.
      const orphan = { account, key: "orphan", fingerprint: null }
      const hold = { ttl: 80_000, keep: 1, api_key: null, operation: "double", from: ordered.hold }
      yield* ledger.open({ request: orphan, amount: credits(2), ...hold })
      const { task } = yield* finished(ordered)
      assert.deepStrictEqual([task.state, Credits.toNumber(task.charged)], ["completed", 3])
      assert.deepStrictEqual(yield* held, { captured: 3, held: 0 })
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect("a step that was answered and not noted is replayed, and charged once", () => {
    const { layer, ran } = scripted({ double: doubling })
    return Effect.gen(function* () {
      const ordered = yield* begun(double, range(5))
      const store = yield* TaskStore
      const operations = yield* Operations.Operations
      // Another process ran the step and died before it noted it.
      const [opened] = yield* store.due(ordered.id, 0, 1)
      const operation = operations.find("double") ?? assert.fail("gone")
      const key = `task:${ordered.id}:${opened?.path.join(".")}:double`
      const now = yield* Clock.currentTimeMillis
      yield* operation.run(
        { n: 1 },
        {
          scopes: [],
          caller: {
            account,
            api_key: null,
            request_id: "req_twin",
            received_at: now,
            idempotency: { key, fingerprint: "double" },
            paid_by: ordered.hold
          }
        }
      )
      const { outputs } = yield* finished(ordered)
      assert.deepStrictEqual([outputs.length, ran.length], [5, 5])
      assert.deepStrictEqual(yield* held, { captured: 5, held: 0 })
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect("of a task that was cancelled begin no more steps, and give its credits back", () => {
    let cancel: Effect.Effect<unknown> = Effect.die("not begun")
    const { layer, ran } = scripted({
      double: ({ n }, runner) => Effect.andThen(n === 2 ? cancel : Effect.void, doubling({ n }, runner))
    })
    return Effect.gen(function* () {
      const { end } = yield* TaskStore
      const ordered = yield* begun(double, range(9), { concurrency: 1 })
      cancel = Effect.orDie(end(ordered.id, { state: "cancelled", problem: null, at: 1 }))
      const { rows, task } = yield* finished(ordered)
      assert.deepStrictEqual([task.state, ran.length], ["cancelled", 2])
      assert.deepStrictEqual(rows.map(({ row }) => row.state).slice(0, 4), [
        "completed",
        "completed",
        "pending",
        "pending"
      ])
      assert.deepStrictEqual(yield* held, { captured: 2, held: 0 })
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect("become no more than a task may have, and keep no more than a row may", () => {
    const plan: TaskPlan = {
      steps: [
        { id: "find", operation: "find", input: { word: "$input.word" } },
        { id: "double", operation: "double", input: { n: "$find.n" } }
      ],
      outputs: [{ name: "all", value: "$find.text" }]
    }
    const { layer } = scripted({
      find: ({ word }) => Effect.succeed({ body: { n: 1, text: word.repeat(100_000) } }),
      double: doubling
    })
    return Effect.gen(function* () {
      const { rows } = yield* finished(yield* begun(plan, [{ word: "abcd" }, { word: "a" }]))
      assert.deepStrictEqual(
        rows.map(({ row }) => [row.state, row.faults[0]?.code]),
        [
          ["failed", "payload_too_large"],
          ["completed", undefined]
        ]
      )
    }).pipe(Effect.provide(wired(layer)))
  })

  it.effect("that would be too many, too large or are a defect of ours end by themselves, and the task goes on", () => {
    const plan: TaskPlan = {
      steps: [
        { id: "double", operation: "double", input: { n: "$input.n" } },
        { id: "each", operation: "double", for_each: "$input.list", input: { n: "$item" } }
      ],
      outputs: Array.from({ length: 100 }, (_, n) => ({ name: `c${n}`, value: "$input.text" }))
    }
    const { layer } = scripted({
      double: ({ n }, runner) => (n === 3 ? Effect.die(new Error("a defect")) : doubling({ n }, runner))
    })
    return Effect.gen(function* () {
      const inputs = [
        { n: 1, list: Array.from({ length: 10_001 }, () => 1) },
        { n: 2, list: [1], text: "x".repeat(10_000) },
        { n: 3, list: [1] },
        { n: 4, list: [1, 2] }
      ]
      const { rows, task } = yield* finished(yield* begun(plan, inputs))
      assert.deepStrictEqual(
        rows.map(({ path, row }) => [path.join("."), row.state, row.faults.map(({ code }) => code)]),
        [
          ["0", "failed", ["payload_too_large"]],
          ["1.0", "failed", ["payload_too_large"]],
          ["2", "failed", ["internal"]],
          ["3.0", "completed", []],
          ["3.1", "completed", []]
        ]
      )
      assert.deepStrictEqual([task.state, Credits.toNumber(task.charged)], ["completed", 6])
      assert.deepStrictEqual(yield* held, { captured: 6, held: 0 })
    }).pipe(Effect.provide(wired(layer)))
  })
})
