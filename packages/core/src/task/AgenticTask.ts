/** A task: a plan that is run for each of its rows after the request that ordered it, under a ceiling that is held up front. */
import { Schema } from "effect"
import { Scope } from "../account/Scope.ts"
import * as Credits from "../billing/Credits.ts"
import { HoldId } from "../billing/Hold.ts"
import * as Mentions from "../value/Mentions.ts"
import type { TaskPlan } from "./TaskPlan.ts"

/** Only forward: `queued`, `planning` where there is a prompt, `running`, and one of the others for good. */
export const State = Schema.Literals([
  "queued",
  "planning",
  "running",
  "completed",
  "cancelled",
  "failed",
  "out_of_credits"
])
export type State = typeof State.Type

/** How it may end. */
export const Ending = Schema.Literals(["completed", "cancelled", "failed", "out_of_credits"])
export type Ending = typeof Ending.Type

/**
 * How many rows a task may begin with, into how many one may be divided, and how many there may be in all.
 */
export const most = { inputs: 10_000, elements: 10_000, rows: 100_000 } as const

/** What was ordered; stays as it is. */
export const Ordered = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  /** The key that ordered it, and what it was allowed then. */
  api_key: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Scope),
  name: Schema.String,
  /** In plain words; `null` where the steps were given. */
  prompt: Schema.NullOr(Schema.String),
  /** Columns that a planner is to fill. */
  wanted: Schema.Array(Schema.String),
  /** Of the inputs. */
  columns: Schema.Array(Schema.String),
  concurrency: Schema.Int,
  max_credits: Credits.Credits,
  webhook_url: Schema.NullOr(Schema.String),
  /** Epoch milliseconds; it is given up at `expires_at`. */
  received_at: Schema.Finite,
  expires_at: Schema.Finite,
  price_version: Schema.String,
  /** The request's own hold, and the task's. */
  parent: HoldId,
  hold: HoldId
})
export type Ordered = typeof Ordered.Type

/** Rows by what became of them; those that were divided are not counted, their elements are. */
export interface Counts {
  readonly total: number
  readonly pending: number
  readonly completed: number
  readonly failed: number
}

export interface AgenticTask extends Ordered {
  readonly state: State
  /** `null` until it is planned. */
  readonly plan: TaskPlan | null
  readonly counts: Counts
  /** What its rows were charged so far. */
  readonly charged: Credits.Credits
  /** Why it failed. */
  readonly problem: string | null
  /** Epoch milliseconds. */
  readonly ended_at: number | null
}

export const isOpen = ({ state }: Pick<AgenticTask, "state">): boolean =>
  state === "queued" || state === "planning" || state === "running"

/** How far it has come. */
export const progressOf = ({ completed, failed, pending, total }: Counts) => ({
  total,
  completed,
  failed,
  pending,
  percentage: total === 0 ? 100 : Math.floor((100 * (completed + failed)) / total)
})

/** Whom its own words speak of; whom its rows do is theirs. */
export const subjectsOf = ({ name, plan, problem, prompt }: AgenticTask): ReadonlyArray<string> =>
  Mentions.of([name, plan, problem, prompt])

/** What is left of one whose words speak of somebody who has objected. */
export const wordless = (task: AgenticTask): AgenticTask => ({
  ...task,
  name: "",
  prompt: null,
  plan: null,
  problem: null
})
