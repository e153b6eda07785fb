/** Tasks in memory, lost with the process. */
import { Clock, Effect, Layer } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Credits from "../billing/Credits.ts"
import { type AgenticTask, isOpen, most, type Ordered, type State } from "./AgenticTask.ts"
import type { TaskPlan } from "./TaskPlan.ts"
import * as TaskRow from "./TaskRow.ts"
import {
  type Change,
  type Ended,
  type Listing,
  type Noted,
  type Opened,
  TaskStore,
  TaskStoreUnavailable,
  type Window
} from "./TaskStore.ts"

interface Held extends Opened {
  readonly due: number
}

interface Kept {
  readonly ordered: Ordered
  readonly kept_until: number
  plan: TaskPlan | null
  state: State
  problem: string | null
  ended_at: number | null
  /** By the text of the path. */
  readonly rows: Map<string, Held>
}

type Tasks = Map<string, Kept>

const keyOf = (path: TaskRow.Path): string => path.join(".")

/** Element by element; a row stands before its elements. */
const inOrder = (a: Opened, b: Opened): number => {
  const at = a.path.findIndex((number, index) => number !== b.path[index])
  return at === -1 ? a.path.length - b.path.length : (a.path[at] ?? 0) - (b.path[at] ?? -1)
}

const sorted = ({ rows }: Kept): ReadonlyArray<Held> => [...rows.values()].toSorted(inOrder)

const shown = (kept: Kept): ReadonlyArray<Held> => sorted(kept).filter(({ row }) => row.state !== "divided")

const taskOf = (kept: Kept): AgenticTask => {
  const rows = shown(kept)
  const count = (...states: ReadonlyArray<TaskRow.State>) => rows.filter(({ row }) => states.includes(row.state)).length
  return {
    ...kept.ordered,
    state: kept.state,
    plan: kept.plan,
    problem: kept.problem,
    ended_at: kept.ended_at,
    counts: {
      total: rows.length,
      pending: count("pending"),
      completed: count("completed"),
      failed: count("failed", "erased")
    },
    charged: Credits.sum(rows.map(({ row }) => TaskRow.creditsOf(row)))
  }
}

const open = (tasks: Tasks, id: string): Kept | null => {
  const kept = tasks.get(id)
  return kept !== undefined && isOpen(kept) ? kept : null
}

/** What becomes of a task. */
const course = (tasks: Tasks) => ({
  planning: (id: string) =>
    Effect.sync(() => {
      const kept = tasks.get(id)
      if (kept?.state === "queued") kept.state = "planning"
    }),
  begin: (id: string, plan: TaskPlan) =>
    Effect.sync(() => {
      const kept = tasks.get(id)
      if (kept?.state === "queued" || kept?.state === "planning") Object.assign(kept, { plan, state: "running" })
    }),
  end: (id: string, { at, problem, state }: Ended) =>
    Effect.sync(() => {
      const kept = open(tasks, id)
      if (kept !== null) Object.assign(kept, { state, problem, ended_at: at })
      const found = tasks.get(id)
      return found === undefined ? null : taskOf(found)
    }),
  list: ({ account, after, limit, state }: Listing) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const all = [...tasks.values()].filter(({ ordered }) => ordered.account === account).toReversed()
      const isListed = (kept: Kept) => kept.kept_until > now && (state === null || kept.state === state)
      const at = all.findIndex(({ ordered }) => ordered.id === after)
      const behind = after === null || at !== -1 ? all.slice(at + 1) : []
      return { tasks: behind.filter(isListed).slice(0, limit).map(taskOf), total: all.filter(isListed).length }
    })
})

const change = (kept: Kept, { due, elements, path, revision, row }: Change, objects: boolean): Noted => {
  const held = kept.rows.get(keyOf(path))
  if (held?.revision !== revision) return "stale"
  if (!objects && kept.rows.size + elements.length > most.rows) return "full"
  kept.rows.set(keyOf(path), { path, row: objects ? TaskRow.erased(row, elements) : row, revision: revision + 1, due })
  for (const [index, element] of (objects ? [] : elements).entries()) {
    const own: TaskRow.Path = [...path, index]
    kept.rows.set(keyOf(own), { path: own, row: element, revision: 1, due: 0 })
  }
  return isOpen(kept) ? "noted" : "ended"
}

/** Empties the rows that these handles are of; gives the number. */
const forget = (kept: Kept, handles: ReadonlySet<string>): number => {
  const spoken = [...kept.rows].filter(([, { row }]) => TaskRow.subjectsOf(row).some((handle) => handles.has(handle)))
  for (const [key, held] of spoken)
    kept.rows.set(key, { ...held, row: TaskRow.forgotten(held.row), revision: held.revision + 1 })
  return spoken.length
}

/** What is asked. */
const reading = (tasks: Tasks): Pick<TaskStore["Service"], "find" | "due" | "soonest" | "rows"> => {
  const pending = (id: string) => {
    const kept = tasks.get(id)
    return kept === undefined ? [] : sorted(kept).filter(({ row }) => row.state === "pending")
  }
  return {
    find: (id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const kept = tasks.get(id)
        return kept === undefined || kept.kept_until <= now ? null : taskOf(kept)
      }),
    due: (id, now, limit) =>
      Effect.sync(() =>
        pending(id)
          .filter(({ due }) => due <= now)
          .slice(0, limit)
          .map(({ path, revision, row }) => ({ path, row, revision }))
      ),
    soonest: (id) =>
      Effect.sync(() => pending(id).reduce<number | null>((least, { due }) => Math.min(least ?? due, due), null)),
    rows: (id, { from, limit, state }: Window) =>
      Effect.sync(() => {
        const kept = tasks.get(id)
        const all = (kept === undefined ? [] : shown(kept)).filter(({ row }) => state === null || row.state === state)
        return { rows: all.slice(from, from + limit).map(({ path, row }) => ({ path, row })), total: all.length }
      })
  }
}

const make = (suppression: Suppression.Suppression["Service"]): TaskStore["Service"] => {
  const tasks: Tasks = new Map()
  const objects = (rows: ReadonlyArray<TaskRow.TaskRow>) =>
    suppression
      .find(() => rows.flatMap(TaskRow.subjectsOf))
      .pipe(
        Effect.map(
          (objected) => (row: TaskRow.TaskRow) => TaskRow.subjectsOf(row).some((handle) => objected.has(handle))
        ),
        Effect.mapError(({ problem }) => new TaskStoreUnavailable({ problem }))
      )
  return {
    ...course(tasks),
    ...reading(tasks),
    put: Effect.fnUntraced(function* (ordered, { plan, rows }, kept_until) {
      const objected = yield* objects(rows)
      if (tasks.has(ordered.id)) return
      const kept: Kept = { ordered, kept_until, plan, state: "queued", problem: null, ended_at: null, rows: new Map() }
      for (const [index, row] of rows.entries()) {
        const shown = objected(row) ? TaskRow.erased(row) : row
        kept.rows.set(`${index}`, { path: [index], row: shown, revision: 1, due: 0 })
      }
      tasks.set(ordered.id, kept)
    }),
    note: Effect.fnUntraced(function* (id, changed) {
      const objected = yield* objects([changed.row, ...changed.elements])
      const kept = tasks.get(id)
      return kept === undefined ? "stale" : change(kept, changed, [changed.row, ...changed.elements].some(objected))
    }),
    erase: (handles) =>
      Effect.sync(() => [...tasks.values()].reduce((sum, kept) => sum + forget(kept, new Set(handles)), 0)),
    remove: (id) => Effect.sync(() => void tasks.delete(id)),
    sweep: Effect.map(Clock.currentTimeMillis, (now) => {
      const over = [...tasks].filter(([, { kept_until }]) => kept_until <= now)
      for (const [id] of over) tasks.delete(id)
      return over.length
    })
  }
}

export const layer: Layer.Layer<TaskStore, never, Suppression.Suppression> = Layer.effect(
  TaskStore,
  Effect.map(Suppression.Suppression, make)
)
