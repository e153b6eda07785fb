/** What every store of agentic tasks must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { AgenticTask, type TaskPlan, TaskRow, TaskStore } from "@lading/core/task"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"

let tasks = 0
const unique = (): string => `${process.pid}_${Date.now()}_${++tasks}`

/** What people type: quotes, escapes, other scripts, half of a character, and what objects have of their own. */
const awkward = `it's "quoted" \\back\\ {braced}\n\t\u0000 ü 漢字 🚢 \ud800 $input.x`

const ordered = (account = `acc_${unique()}`): AgenticTask.Ordered => ({
  id: `task_${unique()}`,
  account,
  api_key: "key_1",
  scopes: ["company", "tasks"],
  name: awkward,
  prompt: null,
  wanted: [awkward, "domain"],
  columns: ["domain", awkward],
  concurrency: 4,
  max_credits: Credits.fromNumber(12.345678),
  webhook_url: "https://receiver.example/hook?token=ü",
  received_at: 1,
  expires_at: 2_000_000_000_000,
  price_version: "4",
  parent: Ledger.HoldId.make("parent"),
  hold: Ledger.HoldId.make("hold")
})

const plan: TaskPlan.TaskPlan = {
  steps: [
    { id: "find", operation: "people.search", input: { company_domain: "$input.domain", [awkward]: awkward } },
    { id: "mail", operation: "email.verify", input: {}, for_each: "$find.data.list", as: "one", on_error: "continue" }
  ],
  outputs: [
    { name: awkward, value: ["$one.name", null, 3.5] },
    { name: "constructor", value: null }
  ]
}

const minute = 60_000

const rowOf = (input: unknown): TaskRow.TaskRow => TaskRow.first(input)

const rowsOf = (count: number): ReadonlyArray<TaskRow.TaskRow> =>
  Array.from({ length: count }, (_, index) => rowOf({ index }))

const done = (credits: number): TaskRow.Done => ({
  step: "find",
  operation: "people.search",
  request_id: "req_1",
  credits: Credits.fromNumber(credits),
  sources: ["provider_a"]
})

/** Paid, and in that state. */
const paid = (row: TaskRow.TaskRow, state: TaskRow.State, credits: number): TaskRow.TaskRow => ({
  ...row,
  state,
  done: [...row.done, done(credits)]
})

const store = TaskStore.TaskStore

const put = Effect.fnUntraced(function* (
  rows: ReadonlyArray<TaskRow.TaskRow>,
  { account, kept = minute }: { readonly account?: string; readonly kept?: number } = {}
) {
  const task = ordered(account)
  yield* (yield* store).put(task, { plan: null, rows }, (yield* Clock.currentTimeMillis) + kept)
  return { store: yield* store, task, id: task.id }
})

const change = (
  path: TaskRow.Path,
  row: TaskRow.TaskRow,
  more: Partial<Pick<TaskStore.Change, "revision" | "due" | "elements">> = {}
): TaskStore.Change => ({ path, row, revision: 1, due: 0, elements: [], ...more })

const everything: TaskStore.Window = { state: null, from: 0, limit: 1_000_000 }

const pathsOf = ({ rows }: TaskStore.Page) => rows.map(({ path }) => path.join("."))

/** Of every row that is shown. */
const counted = ({ rows }: TaskStore.Page): Pick<AgenticTask.AgenticTask, "counts" | "charged"> => {
  const count = (...states: ReadonlyArray<TaskRow.State>) => rows.filter(({ row }) => states.includes(row.state)).length
  return {
    counts: {
      total: rows.length,
      pending: count("pending"),
      completed: count("completed"),
      failed: count("failed", "erased")
    },
    charged: Credits.sum(rows.map(({ row }) => TaskRow.creditsOf(row)))
  }
}

const speaksOf = (email: string): TaskRow.TaskRow => ({
  ...rowOf({}),
  values: { "$find.data": { list: [{ text: `write to <${email}>` }] } }
})

const person = () => `mara${++tasks}_${process.pid}@d${tasks}.acme.example`

type Test = Parameters<
  Parameters<ReturnType<typeof withLayer<TaskStore.TaskStore | Suppression.Suppression, never>>>[1]
>[0]

/** Tasks: put, found, listed, their course, and their end. */
const ofTasks = (it: Test) => {
  it.effect("gives what was put once, for as long as it is kept, and the sweep forgets and counts it", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("30 days")
      yield* (yield* store).sweep
      const { id, store: tasks, task } = yield* put(rowsOf(1203))
      const later = yield* put([rowOf(awkward)], { kept: 2 * minute })
      yield* tasks.put({ ...task, account: "acc_2" }, { plan, rows: rowsOf(1) }, 1e15)
      const counts = { total: 1203, pending: 1203, completed: 0, failed: 0 }
      const fresh = { state: "queued", plan: null, counts, charged: 0, problem: null, ended_at: null } as const
      assert.deepStrictEqual(yield* tasks.find(id), { ...task, ...fresh, charged: Credits.zero })
      const { rows, total } = yield* tasks.rows(id, everything)
      assert.strictEqual(total, 1203)
      assert.deepStrictEqual(
        rows,
        rowsOf(1203).map((row, index) => ({ path: [index], row }))
      )
      assert.isNull(yield* tasks.find(`${id}x`))
      assert.deepStrictEqual(yield* tasks.rows(`${id}x`, everything), { rows: [], total: 0 })
      yield* TestClock.adjust(minute)
      assert.isNull(yield* tasks.find(id))
      assert.strictEqual(yield* tasks.sweep, 1)
      assert.deepStrictEqual(yield* tasks.rows(id, everything), { rows: [], total: 0 })
      assert.isNotNull(yield* tasks.find(later.id))
      yield* tasks.remove(later.id)
      yield* tasks.remove(later.id)
      assert.isNull(yield* tasks.find(later.id))
      assert.isEmpty(yield* tasks.due(later.id, 0, 9))
      assert.strictEqual(yield* tasks.note(later.id, change([0], rowOf(1))), "stale")
    })
  )

  it.effect("goes forward only: queued, planning, running, and one end", () =>
    Effect.gen(function* () {
      const { id, store: tasks } = yield* put(rowsOf(1))
      const other: TaskPlan.TaskPlan = { steps: [{ id: "x", operation: "customs.match", input: {} }], outputs: [] }
      yield* tasks.planning(id)
      assert.deepInclude(yield* tasks.find(id), { state: "planning", plan: null })
      yield* tasks.begin(id, plan)
      assert.deepInclude(yield* tasks.find(id), { state: "running", plan })
      yield* tasks.begin(id, other)
      yield* tasks.planning(id)
      assert.deepInclude(yield* tasks.find(id), { state: "running", plan })
      const ended = yield* tasks.end(id, { state: "failed", problem: awkward, at: 77 })
      assert.deepInclude(ended, { state: "failed", problem: awkward, ended_at: 77, plan })
      assert.deepStrictEqual(ended, yield* tasks.find(id))
      assert.deepStrictEqual(yield* tasks.end(id, { state: "completed", problem: null, at: 78 }), ended)
      yield* tasks.begin(id, other)
      yield* tasks.planning(id)
      assert.deepStrictEqual(yield* tasks.find(id), ended)
      const queued = yield* put([])
      yield* tasks.begin(queued.id, plan)
      assert.deepInclude(yield* tasks.find(queued.id), { state: "running" })
      assert.deepInclude(yield* tasks.end(queued.id, { state: "cancelled", problem: null, at: 1 }), { problem: null })
      yield* tasks.planning(`${id}x`)
      yield* tasks.begin(`${id}x`, plan)
      assert.isNull(yield* tasks.end(`${id}x`, { state: "completed", problem: null, at: 1 }))
    })
  )

  it.effect("keeps a plan that is put with its task", () =>
    Effect.gen(function* () {
      const task = ordered()
      const tasks = yield* store
      yield* tasks.put({ ...task, prompt: awkward }, { plan, rows: [] }, 1e15)
      const found = yield* tasks.find(task.id)
      assert.deepInclude(found, { state: "queued", plan, prompt: awkward, charged: Credits.zero })
      assert.isNull(yield* tasks.soonest(task.id))
      yield* tasks.remove(task.id)
    })
  )

  it.effect("lists the tasks of an account, the newest first, by state, page by page", () =>
    Effect.gen(function* () {
      const account = `acc_${unique()}`
      const ids: Array<string> = []
      for (let at = 0; at < 5; at++) ids.unshift((yield* put(rowsOf(at), { account })).id)
      const stranger = yield* put([])
      const short = yield* put([], { account, kept: 1 })
      yield* TestClock.adjust(1)
      const tasks = yield* store
      const list = (after: string | null, limit: number, state: AgenticTask.State | null = null) =>
        Effect.map(tasks.list({ account, state, after, limit }), (listed) => [
          listed.tasks.map(({ id }) => id),
          listed.total
        ])
      assert.deepStrictEqual(yield* list(null, 9), [ids, 5])
      assert.deepStrictEqual(yield* list(null, 2), [ids.slice(0, 2), 5])
      assert.deepStrictEqual(yield* list(ids[1] ?? null, 2), [ids.slice(2, 4), 5])
      assert.deepStrictEqual(yield* list(ids[4] ?? null, 2), [[], 5])
      for (const unknown of ["nothing", stranger.id]) assert.deepStrictEqual(yield* list(unknown, 9), [[], 5])
      yield* tasks.planning(ids[0] ?? "")
      yield* tasks.planning(ids[2] ?? "")
      assert.deepStrictEqual(yield* list(null, 1, "planning"), [[ids[0]], 2])
      // One that is in that state no more is a place all the same.
      assert.deepStrictEqual(yield* list(ids[1] ?? null, 9, "planning"), [[ids[2]], 2])
      const [newest] = (yield* tasks.list({ account, state: null, after: null, limit: 1 })).tasks
      assert.deepStrictEqual(newest, (yield* tasks.find(ids[0] ?? "")) ?? undefined)
      yield* tasks.remove(short.id)
    })
  )
}

/** Rows: which are due, what becomes of them, and how they are shown. */
const ofRows = (it: Test) => {
  it.effect("gives the pending rows that are due, in the order of their paths, and says when the next one is", () =>
    Effect.gen(function* () {
      const { id, store: tasks } = yield* put(rowsOf(12))
      const paths = (now: number, limit: number) =>
        Effect.map(tasks.due(id, now, limit), (rows) => rows.map(({ path }) => path.join(".")))
      assert.deepStrictEqual(
        yield* tasks.due(id, 0, 2),
        [0, 1].map((index) => ({ path: [index] as const, row: rowOf({ index }), revision: 1 }))
      )
      assert.strictEqual(yield* tasks.soonest(id), 0)
      for (let at = 0; at < 12; at++) {
        if (at === 10) continue
        const waits = at === 2 || at === 11
        const row = waits ? rowOf({ at }) : paid(rowOf({}), at === 3 ? "failed" : "completed", 1)
        assert.strictEqual(yield* tasks.note(id, change([at], row, { due: waits ? 1000 + at : 0 })), "noted")
      }
      assert.deepStrictEqual(yield* paths(1001, 9), ["10"])
      assert.deepStrictEqual(yield* paths(1002, 9), ["2", "10"])
      assert.deepStrictEqual(yield* paths(2000, 9), ["2", "10", "11"])
      assert.deepStrictEqual(yield* paths(2000, 2), ["2", "10"])
      assert.strictEqual(yield* tasks.soonest(id), 0)
      assert.strictEqual(yield* tasks.note(id, change([10], paid(rowOf({}), "completed", 0))), "noted")
      assert.strictEqual(yield* tasks.soonest(id), 1002)
      const [second] = yield* tasks.due(id, 5000, 1)
      assert.deepStrictEqual(second, { path: [2], row: rowOf({ at: 2 }), revision: 2 })
      for (const [at, revision] of [2, 11].map((at) => [at, 2] as const))
        yield* tasks.note(id, change([at], paid(rowOf({}), "completed", 0), { revision }))
      assert.isNull(yield* tasks.soonest(id))
      assert.isEmpty(yield* tasks.due(id, 1e15, 9))
    })
  )

  it.effect("changes the row with this revision only: of two writers one counts, and nothing is counted twice", () =>
    Effect.gen(function* () {
      const { id, store: tasks } = yield* put(rowsOf(3))
      const writers = Array.from({ length: 8 }, (_, at) =>
        tasks.note(id, change([1], paid(rowOf({ at }), "pending", at + 1), { elements: at % 2 === 0 ? rowsOf(2) : [] }))
      )
      const said = yield* Effect.all(writers, { concurrency: "unbounded" })
      assert.deepStrictEqual(said.toSorted(), ["noted", ...Array.from({ length: 7 }, () => "stale")])
      const winner = said.indexOf("noted")
      const page = yield* tasks.rows(id, everything)
      assert.deepInclude(yield* tasks.find(id), counted(page))
      assert.deepStrictEqual(pathsOf(page), winner % 2 === 0 ? ["0", "1", "1.0", "1.1", "2"] : ["0", "1", "2"])
      assert.deepStrictEqual(page.rows[1]?.row, paid(rowOf({ at: winner }), "pending", winner + 1))
      assert.strictEqual(yield* tasks.note(id, change([7], rowOf(0))), "stale")
      assert.strictEqual(yield* tasks.note(id, change([1, 9], rowOf(0))), "stale")
      assert.strictEqual(yield* tasks.note(id, change([1], rowOf(0), { revision: 3 })), "stale")
      assert.strictEqual(yield* tasks.note(id, change([1], rowOf(0), { revision: 2 })), "noted")
      assert.deepInclude(yield* tasks.find(id), { charged: Credits.zero })
    })
  )

  it.effect("many writers of many rows at once: every change counts once", () =>
    Effect.gen(function* () {
      const { id, store: tasks } = yield* put(rowsOf(60))
      const states = ["completed", "failed", "pending", "divided"] as const
      const noted = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, at) => at),
        (at) => {
          const state = states[at % 4] ?? "pending"
          const row = state === "divided" ? { ...rowOf(0), state } : paid(rowOf(0), state, at)
          const elements = state === "divided" ? [paid(rowOf(at), "pending", at), rowOf(0)] : []
          return tasks.note(id, change([at], row, { elements }))
        },
        { concurrency: 16 }
      )
      assert.deepStrictEqual(new Set(noted), new Set(["noted"]))
      const page = yield* tasks.rows(id, everything)
      assert.deepInclude(yield* tasks.find(id), counted(page))
      assert.strictEqual(page.total, 75)
      assert.strictEqual((yield* tasks.find(id))?.charged, Credits.fromNumber((59 * 60) / 2))
    })
  )

  it.effect("elements stand between their neighbours, in their order, in place of the row that was divided", () =>
    Effect.gen(function* () {
      const { id, store: tasks } = yield* put(rowsOf(12))
      const divided: TaskRow.TaskRow = { ...rowOf({}), state: "divided", values: {} }
      const elements = Array.from({ length: 11 }, (_, at) => paid(rowOf({ at }), "pending", at === 0 ? 5 : 0))
      assert.strictEqual(yield* tasks.note(id, change([2], divided, { elements })), "noted")
      assert.strictEqual(yield* tasks.note(id, change([2, 10], divided, { elements: elements.slice(1, 3) })), "noted")
      assert.strictEqual(yield* tasks.note(id, change([2, 1], paid(rowOf(0), "failed", 1))), "noted")
      const within = ["2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10.0", "2.10.1"]
      const paths = ["0", "1", ...within, ...Array.from({ length: 9 }, (_, at) => `${at + 3}`)]
      const page = yield* tasks.rows(id, everything)
      assert.deepStrictEqual(pathsOf(page), paths)
      assert.strictEqual(page.total, 23)
      assert.deepInclude(yield* tasks.find(id), counted(page))
      assert.deepInclude(yield* tasks.find(id), { charged: Credits.fromNumber(6) })
      const due = yield* tasks.due(id, 0, 100)
      assert.deepStrictEqual(
        due.map(({ path }) => path.join(".")),
        paths.filter((path) => path !== "2.1")
      )
      assert.deepStrictEqual(due[2], { path: [2, 0], row: elements[0] ?? rowOf(0), revision: 1 })
      for (const size of [1, 4, 7]) {
        const pages = yield* Effect.forEach(
          Array.from({ length: Math.ceil(23 / size) }, (_, at) => at),
          (at) => tasks.rows(id, { state: null, from: at * size, limit: size })
        )
        assert.deepStrictEqual(pages.flatMap(pathsOf), paths)
      }
      assert.deepStrictEqual(yield* tasks.rows(id, { state: null, from: 23, limit: 5 }), { rows: [], total: 23 })
      const failed = yield* tasks.rows(id, { state: "failed", from: 0, limit: 5 })
      assert.deepStrictEqual([pathsOf(failed), failed.total], [["2.1"], 1])
      const pending = yield* tasks.rows(id, { state: "pending", from: 20, limit: 5 })
      assert.deepStrictEqual([pathsOf(pending), pending.total], [["10", "11"], 22])
      assert.strictEqual((yield* tasks.rows(id, { state: "completed", from: 0, limit: 5 })).total, 0)
    })
  )

  it.effect(
    "is full when there would be too many rows, those that were divided counted, and then nothing is written",
    () =>
      Effect.gen(function* () {
        const { id, store: tasks } = yield* put(rowsOf(3))
        const few = rowsOf(2)
        assert.strictEqual(
          yield* tasks.note(id, change([0], { ...rowOf(0), state: "divided" }, { elements: few })),
          "noted"
        )
        const before = yield* tasks.rows(id, everything)
        // Five rows there are, of which four are shown.
        const fits = Array.from({ length: AgenticTask.most.rows - 5 }, () => rowOf(0))
        const over = [...fits, rowOf(0)]
        assert.strictEqual(yield* tasks.note(id, change([1], rowOf("over"), { elements: over })), "full")
        assert.strictEqual(yield* tasks.note(id, change([1], rowOf("over"), { elements: over, revision: 2 })), "stale")
        assert.deepStrictEqual(yield* tasks.rows(id, everything), before)
        assert.deepInclude(yield* tasks.find(id), counted(before))
        assert.strictEqual(yield* tasks.note(id, change([1], rowOf("whole"), { elements: fits })), "noted")
        assert.strictEqual((yield* tasks.find(id))?.counts.total, AgenticTask.most.rows - 1)
        assert.strictEqual(yield* tasks.note(id, change([2], rowOf("more"), { elements: [rowOf(0)] })), "full")
        assert.strictEqual(yield* tasks.note(id, change([2], rowOf("same"))), "noted")
        const last = yield* tasks.rows(id, { state: null, from: AgenticTask.most.rows - 3, limit: 9 })
        assert.deepStrictEqual(pathsOf(last), [`1.${fits.length - 1}`, "2"])
        yield* tasks.remove(id)
      })
  )

  it.effect("what is noted after the end is kept, and says so", () =>
    Effect.gen(function* () {
      const { id, store: tasks } = yield* put(rowsOf(2))
      yield* tasks.end(id, { state: "cancelled", problem: null, at: 5 })
      const late = paid(rowOf({}), "completed", 2)
      assert.strictEqual(yield* tasks.note(id, change([1], late, { elements: [late] })), "ended")
      assert.strictEqual(yield* tasks.note(id, change([1], late)), "stale")
      const page = yield* tasks.rows(id, everything)
      assert.deepStrictEqual(page.rows.slice(1), [
        { path: [1], row: late },
        { path: [1, 0], row: late }
      ])
      assert.deepInclude(yield* tasks.find(id), { state: "cancelled", ended_at: 5, ...counted(page) })
    })
  )

  it.effect("keeps names with every kind of character, and rows of any size", () =>
    Effect.gen(function* () {
      const { id, store: tasks } = yield* put([rowOf({ [awkward]: awkward })])
      const named: TaskRow.TaskRow = {
        ...rowOf({}),
        state: "completed",
        next: 2,
        values: { [awkward]: [null, -1.5, { "": awkward }] },
        faults: [{ step: "find", code: "not_found", message: awkward, details: [{ path: awkward, message: "" }] }],
        tries: 3,
        awaited: { request_id: "req_2", since: 1.5 },
        output: {
          [awkward]: "x",
          "": 1,
          constructor: [],
          ["__proto__"]: { name: 1 },
          " ": true,
          long: "漢".repeat(70_000)
        }
      }
      assert.strictEqual(yield* tasks.note(id, change([0], named)), "noted")
      assert.deepStrictEqual((yield* tasks.rows(id, everything)).rows, [{ path: [0], row: named }])
      yield* tasks.remove(id)
    })
  )
}

/** Who has objected, and who objects later. */
const ofObjections = (it: Test) => {
  it.effect("empties what speaks of somebody who has objected: when it is put, and when it is noted", () =>
    Effect.gen(function* () {
      const suppression = yield* Suppression.Suppression
      const [first, second, third] = [person(), person(), person()]
      yield* suppression.add(`email:${first}`)
      const rows = [rowOf({ mail: first }), rowOf({ mail: second }), rowOf({ mail: third }), rowOf(4)]
      const { id, store: tasks } = yield* put(rows)
      const shown = Effect.map(tasks.rows(id, everything), (page) => page.rows.map(({ row }) => row))
      assert.deepStrictEqual(yield* shown, [TaskRow.erased(rowOf(0)), ...rows.slice(1)])
      assert.deepInclude(yield* tasks.find(id), { counts: { total: 4, pending: 3, completed: 0, failed: 1 } })
      // Nobody runs what is empty.
      assert.strictEqual((yield* tasks.due(id, 0, 9)).length, 3)
      const spoken = paid(speaksOf(first), "completed", 2)
      assert.strictEqual(yield* tasks.note(id, change([1], spoken)), "noted")
      // What went on with an element that is left out was paid all the same.
      yield* suppression.add(`email:${second}`)
      const divided: TaskRow.TaskRow = { ...rowOf(0), state: "divided", values: {} }
      const elements = [paid(rowOf({}), "pending", 3), speaksOf(second)]
      assert.strictEqual(yield* tasks.note(id, change([2], divided, { elements })), "noted")
      assert.deepStrictEqual(yield* shown, [
        TaskRow.erased(rowOf(0)),
        TaskRow.erased(spoken),
        TaskRow.erased(divided, elements),
        rowOf(4)
      ])
      assert.deepInclude(yield* tasks.find(id), {
        counts: { total: 4, pending: 1, completed: 0, failed: 3 },
        charged: Credits.fromNumber(5)
      })
      assert.strictEqual(yield* tasks.note(id, change([1], spoken)), "stale")
      assert.strictEqual((yield* tasks.rows(id, { ...everything, state: "failed" })).total, 0)
    })
  )

  it.effect("an erasure empties every row of every task that speaks of somebody, once, and keeps what they cost", () =>
    Effect.gen(function* () {
      const email = person()
      const handles = [`email:${email}`]
      const one = yield* put([rowOf({ email }), rowOf(2), rowOf({ email }), rowOf({ email }), rowOf(5)])
      const other = yield* put([rowOf({ of: [email.toUpperCase()] })])
      const { id, store: tasks } = one
      const faulty: TaskRow.TaskRow = {
        ...rowOf(0),
        state: "divided",
        values: {},
        faults: [{ step: "find", code: "x", message: `nobody at ${email}`, details: [] }]
      }
      yield* tasks.note(id, change([1], faulty, { elements: [speaksOf(email), paid(rowOf(1), "pending", 1)] }))
      yield* tasks.note(id, change([2], paid({ ...rowOf(0), output: { [email]: 1 } }, "completed", 2)))
      yield* tasks.note(id, change([3], paid(speaksOf(email), "failed", 4)))
      const before = yield* tasks.rows(id, everything)
      const [pending] = yield* tasks.due(id, 0, 1)
      yield* (yield* Suppression.Suppression).add(handles[0] ?? "")
      assert.strictEqual(yield* tasks.erase([]), 0)
      assert.strictEqual(yield* tasks.erase([`email:${person()}`, ...handles]), 6)
      assert.strictEqual(yield* tasks.erase(handles), 0)
      const after = yield* tasks.rows(id, everything)
      const gone = new Set(["0", "1.0", "2", "3"])
      assert.deepStrictEqual(
        after.rows,
        before.rows.map(({ path, row }) => ({ path, row: gone.has(path.join(".")) ? TaskRow.erased(row) : row }))
      )
      assert.deepInclude(yield* tasks.find(id), counted(after))
      assert.deepInclude(yield* tasks.find(id), { charged: Credits.fromNumber(7) })
      assert.deepInclude(yield* tasks.find(other.id), { counts: { total: 1, pending: 0, completed: 0, failed: 1 } })
      // Whoever read a row before does not write it back.
      assert.strictEqual(yield* tasks.note(id, change([0], pending?.row ?? rowOf(0))), "stale")
      assert.strictEqual(yield* tasks.note(id, change([4], rowOf({ email }))), "noted")
      assert.deepStrictEqual((yield* tasks.rows(id, everything)).rows.at(-1)?.row, TaskRow.erased(rowOf(0)))
    })
  )

  it.effect("an erasure finds more rows than one statement changes; names of operations are nobody's domain", () =>
    Effect.gen(function* () {
      const email = person()
      const { id, store: tasks } = yield* put(Array.from({ length: 1100 }, () => rowOf({ email })))
      yield* tasks.note(id, change([5], paid(rowOf(0), "completed", 1)))
      assert.strictEqual(yield* tasks.erase(["domain:people.search"]), 0)
      assert.strictEqual(yield* tasks.erase([`email:${email}`]), 1099)
      assert.deepInclude(yield* tasks.find(id), { counts: { total: 1100, pending: 0, completed: 1, failed: 1099 } })
      yield* tasks.remove(id)
    })
  )
}

/** Registers the suite. */
export const taskStoreSuite = (name: string, layer: Layer.Layer<TaskStore.TaskStore | Suppression.Suppression>) =>
  withLayer(layer, { timeout: "60 seconds" })(`TaskStore: ${name}`, (it) => {
    ofTasks(it)
    ofRows(it)
    ofObjections(it)
  })
