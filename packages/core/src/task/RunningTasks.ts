/**
 * What is done for a task after its request was answered. Every part may be done again, by another process too, and comes
 * to the same: what was noted down is not asked again, and what was charged is charged once.
 */
import { Clock, Context, Effect, Layer } from "effect"
import * as Aftermath from "../billing/Aftermath.ts"
import * as Credits from "../billing/Credits.ts"
import { grace } from "../billing/Billing.ts"
import * as Ledger from "../billing/Ledger.ts"
import * as Webhooks from "../net/Webhooks.ts"
import { patiently } from "../request/Patience.ts"
import * as WaterfallOptions from "../waterfall/WaterfallOptions.ts"
import * as AgenticTask from "./AgenticTask.ts"
import { Operations } from "./Operations.ts"
import { Planner } from "./Planner.ts"
import * as Planning from "./Planning.ts"
import * as Rows from "./Rows.ts"
import { TaskStore } from "./TaskStore.ts"

/** How long a pass over the rows takes, in milliseconds: it is one step of the workflow, which others wait behind. */
const pass = 30_000

/** How often a planner that does not answer is asked, and the pause after each time, in milliseconds. */
const planningPauses = [2_000, 10_000, 30_000, 60_000]

/**
 * How long what a process that died had in the air keeps its credits, in milliseconds: the longest request, and what its
 * hold outlives it. Whoever takes a task over waits for so long before it is out of credits.
 */
const leases = { last: WaterfallOptions.timeout.maximum + grace, look: 5_000 }

/** What the workflow of a task knows of it. */
export interface Holds {
  readonly id: string
  readonly account: string
  readonly hold: Ledger.HoldId
  readonly price_version: string
}

export class RunningTasks extends Context.Service<
  RunningTasks,
  {
    /** Waits until the request has been settled; `false` when that never happened. */
    readonly answered: (parent: Ledger.HoldId) => Effect.Effect<boolean>
    /** Sets it running, planned where it has no plan yet. */
    readonly begin: (id: string) => Effect.Effect<void>
    /** Runs rows for a while; how long until the next one is due, in milliseconds, `null` where none is left. */
    readonly run: (id: string) => Effect.Effect<number | null>
    /** Gives back what is left of its hold. */
    readonly release: (holds: Holds) => Effect.Effect<void>
    /** Ends it, gives back what is left of its hold, and tells who wants to be told. */
    readonly finish: (holds: Holds) => Effect.Effect<void>
    /** Forgets it and gives its credits back. */
    readonly drop: (holds: Holds) => Effect.Effect<void>
  }
>()("@lading/core/task/RunningTasks") {}

const nothing = (price_version: string) => ({ price_version, lines: [], memos: [] })

const ending = (store: TaskStore["Service"]) =>
  Effect.fnUntraced(function* (id: string, state: AgenticTask.Ending, problem: string | null) {
    return yield* patiently(store.end(id, { state, problem, at: yield* Clock.currentTimeMillis }))
  })

/** Has the plan made, and waits for a planner that may answer later. */
const planning = Effect.fnUntraced(function* (
  planner: Planner["Service"],
  operations: Operations["Service"],
  wish: Planning.Wish
) {
  for (const pause of planningPauses) {
    const planned = yield* Effect.result(Planning.make(planner, operations, wish))
    const isPassing =
      planned._tag === "Failure" && planned.failure._tag === "PlannerUnavailable" && planned.failure.retryable
    if (!isPassing) return planned
    yield* Effect.sleep(pause)
  }
  return yield* Effect.result(Planning.make(planner, operations, wish))
})

const beginning = (
  store: TaskStore["Service"],
  planner: Planner["Service"],
  operations: Operations["Service"]
): RunningTasks["Service"]["begin"] => {
  const end = ending(store)
  return Effect.fnUntraced(function* (id) {
    const task = yield* patiently(store.find(id))
    if (task === null || !AgenticTask.isOpen(task)) return
    const { columns, plan, prompt, scopes, wanted } = task
    if (plan !== null) return yield* patiently(store.begin(id, plan))
    yield* patiently(store.planning(id))
    const planned = yield* planning(planner, operations, { prompt: prompt ?? "", columns, scopes, wanted })
    if (planned._tag === "Success") return yield* patiently(store.begin(id, planned.success))
    const { failure } = planned
    const problem =
      failure._tag === "PlannerUnavailable"
        ? `Nobody could plan it: ${failure.problem}`
        : `No plan came of the prompt: ${failure.details.map(({ message, path }) => `${path}: ${message}`).join("; ")}`
    yield* end(id, "failed", problem)
  })
}

/** What this process knows of a task that it runs. */
interface Mine {
  /** Since when, where another process began it, epoch milliseconds; 0 where this one did. */
  readonly since: number
  readonly awaited: Set<string>
}

type Taken = Map<string, Mine>

const mine = (since: number): Mine => ({ since, awaited: new Set() })

/** Whether something that is held for the task may still come back to it. */
const mayComeBack = ({ awaited, since }: Mine, now: number): boolean => awaited.size > 0 || now - since < leases.last

const running = (
  store: TaskStore["Service"],
  operations: Operations["Service"],
  taken: Taken
): RunningTasks["Service"]["run"] => {
  const end = ending(store)
  /** Runs those that are due; how long until there is something to do again. */
  const once = Effect.fnUntraced(function* (id: string) {
    const now = yield* Clock.currentTimeMillis
    const task = yield* patiently(store.find(id))
    if (task === null || task.plan === null || task.state !== "running") return null
    if (now >= task.expires_at) {
      yield* end(id, "failed", "It was not done within its time")
      return null
    }
    const due = yield* patiently(store.due(id, now, task.concurrency * 4))
    if (due.length === 0) {
      const soonest = yield* patiently(store.soonest(id))
      return soonest === null ? null : Math.max(1, Math.min(soonest, task.expires_at) - now)
    }
    const known = taken.get(id) ?? mine(now)
    const opened = yield* Rows.openPass(known.awaited)
    const means: Rows.Means = { operations, store, task, plan: task.plan, pass: opened }
    yield* Effect.forEach(due, (row) => Rows.runRow(means, row), {
      concurrency: task.concurrency,
      discard: true
    })
    if (opened.over !== "spent") return 0
    if (mayComeBack(known, now)) return leases.look
    yield* end(id, "out_of_credits", "What is left of max_credits does not cover the next step")
    return null
  })

  return Effect.fnUntraced(function* (id) {
    const begun = yield* Clock.currentTimeMillis
    if (!taken.has(id)) taken.set(id, mine(begun))
    for (;;) {
      const wait = yield* once(id)
      if (wait !== 0 || (yield* Clock.currentTimeMillis) - begun >= pass) return wait
    }
  })
}

const told = ({ charged, counts, id, problem, state }: AgenticTask.AgenticTask) => ({
  task_id: id,
  status: state,
  progress: AgenticTask.progressOf(counts),
  credits_charged: Credits.toNumber(charged),
  error: problem
})

/** A defect of ours ends the task, so that its credits come back and somebody is told. */
const orFailed =
  (end: ReturnType<typeof ending>, id: string) =>
  <A>(work: Effect.Effect<A>): Effect.Effect<A | null> =>
    Effect.catchDefect(work, (defect) =>
      Effect.logError("a task is given up", defect).pipe(
        Effect.andThen(end(id, "failed", "A defect of the server; its log has more under the id of the task")),
        Effect.as(null)
      )
    )

const make = Effect.gen(function* () {
  const taken: Taken = new Map()
  const paid = Aftermath.make(yield* Ledger.Ledger)
  const store = yield* TaskStore
  const webhooks = yield* Webhooks.Webhooks
  const planner = yield* Planner
  const operations = yield* Operations
  const end = ending(store)
  const begin = beginning(store, planner, operations)
  const run = running(store, operations, taken)

  const finish = Effect.fnUntraced(function* (holds: Holds) {
    const task = yield* end(holds.id, "completed", null)
    yield* paid.settle(holds, nothing(holds.price_version))
    taken.delete(holds.id)
    if (task === null || task.webhook_url === null) return
    const { account, id, webhook_url } = task
    yield* patiently(
      webhooks.send({ id: `task:${id}`, account, url: webhook_url, type: "task.ended", data: told(task), subjects: [] })
    )
  })

  const drop = Effect.fnUntraced(function* (holds: Holds) {
    yield* patiently(store.remove(holds.id))
    yield* paid.settle(holds, nothing(holds.price_version))
  })

  return RunningTasks.of({
    answered: paid.answered,
    begin: (id) =>
      Effect.andThen(
        Effect.sync(() => void taken.set(id, mine(0))),
        Effect.asVoid(orFailed(end, id)(begin(id)))
      ),
    run: (id) => orFailed(end, id)(run(id)),
    release: (holds) => Effect.asVoid(paid.settle(holds, nothing(holds.price_version))),
    finish,
    drop
  })
})

export const layer = Layer.effect(RunningTasks, make)
