/**
 * The port of agentic tasks: each with its rows, whatever happens to the process. Rows are personal data: where they outlive
 * the process they are sealed; nobody who has objected is in them, and an erasure takes who objects later.
 */
import { Context, type Effect, Schema } from "effect"
import type { AgenticTask, Ending, Ordered, State } from "./AgenticTask.ts"
import type { TaskPlan } from "./TaskPlan.ts"
import type { Path, TaskRow } from "./TaskRow.ts"

export class TaskStoreUnavailable extends Schema.TaggedError<TaskStoreUnavailable>()("TaskStoreUnavailable", {
  problem: Schema.String
}) {}

type Asked<A> = Effect.Effect<A, TaskStoreUnavailable>

export interface Opened {
  readonly path: Path
  readonly row: TaskRow
  /** Rises with every change. */
  readonly revision: number
}

/** A change of one row, and the rows that come of it. */
export interface Change {
  readonly path: Path
  /** The one that is changed; nothing happens to another. */
  readonly revision: number
  readonly row: TaskRow
  /** When the row is to be looked at again, epoch milliseconds; 0 for at once. */
  readonly due: number
  /** Its elements, in order. Their paths are its own with one number more. */
  readonly elements: ReadonlyArray<TaskRow>
}

/**
 * What came of a change. `stale`: somebody else has changed the row, or it is gone; nothing was written. `ended`: it was
 * written, and the task has ended meanwhile. `full`: there would be too many rows; nothing was written.
 */
export type Noted = "noted" | "ended" | "stale" | "full"

export interface Ended {
  readonly state: Ending
  readonly problem: string | null
  /** Epoch milliseconds. */
  readonly at: number
}

/** Which tasks of an account: the newest first, behind the one with this id; none where there is no such one any more. */
export interface Listing {
  readonly account: string
  readonly state: State | null
  readonly after: string | null
  readonly limit: number
}

export interface Listed {
  readonly tasks: ReadonlyArray<AgenticTask>
  /** Of all that there are in this state. */
  readonly total: number
}

/** Rows as they are shown: none that was divided, in the order of their paths. */
export interface Page {
  readonly rows: ReadonlyArray<Pick<Opened, "path" | "row">>
  readonly total: number
}

export interface Window {
  /** Rows in this state only; `null` for all. */
  readonly state: "pending" | "completed" | "failed" | null
  readonly from: number
  readonly limit: number
}

export class TaskStore extends Context.Service<
  TaskStore,
  {
    /** Keeps a task, `queued`, with its rows. An id is put once. A row that speaks of somebody who has objected is empty. */
    readonly put: (
      task: Ordered,
      content: { readonly plan: TaskPlan | null; readonly rows: ReadonlyArray<TaskRow> },
      kept_until: number
    ) => Asked<void>
    /** `null` where there is none, or no longer. */
    readonly find: (id: string) => Asked<AgenticTask | null>
    readonly list: (listing: Listing) => Asked<Listed>
    /** From `queued` to `planning`; else changes nothing. */
    readonly planning: (id: string) => Asked<void>
    /** Sets one that is queued or planned running by this plan; else changes nothing. */
    readonly begin: (id: string, plan: TaskPlan) => Asked<void>
    /** Rows that are pending and due at this time, in the order of their paths. */
    readonly due: (id: string, now: number, limit: number) => Asked<ReadonlyArray<Opened>>
    /** When the next pending row is due, epoch milliseconds; `null` where none is pending. */
    readonly soonest: (id: string) => Asked<number | null>
    /** A row that speaks by then of somebody who has objected is emptied, and its elements are left out. */
    readonly note: (id: string, change: Change) => Asked<Noted>
    readonly rows: (id: string, window: Window) => Asked<Page>
    /** Ends one that goes on; gives how it stands by then. */
    readonly end: (id: string, ended: Ended) => Asked<AgenticTask | null>
    /** Empties the rows that speak of one of these; gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Asked<number>
    readonly remove: (id: string) => Asked<void>
    /** Forgets what need not be kept any more; gives the number of tasks. */
    readonly sweep: Asked<number>
  }
>()("@lading/core/task/TaskStore") {}
