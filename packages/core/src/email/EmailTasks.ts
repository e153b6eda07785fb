/**
 * The port of lists that are verified after their requests: tasks, and their addresses in chunks. Addresses are personal
 * data: where they outlive the process they are sealed.
 *
 * A list is put in any order; `arrange` gives it its chunks for good, and the order in which its results are read. Nobody
 * who has objected is in it, and an erasure takes who objects later.
 */
import { Context, Schema, type Effect } from "effect"
import type { Credits } from "../billing/Credits.ts"
import type { EmailResult } from "./EmailResult.ts"
import type { Chunk, EmailTask, Ordered } from "./EmailTask.ts"
import type { Placed } from "./EmailList.ts"

export class EmailTasksUnavailable extends Schema.TaggedError<EmailTasksUnavailable>()("EmailTasksUnavailable", {
  problem: Schema.String
}) {}

type Asked<A> = Effect.Effect<A, EmailTasksUnavailable>

/** Where a chunk stands, without its addresses. */
export interface ChunkHead {
  /** Counted from 0 through the whole list. */
  readonly number: number
  readonly lane: number
  readonly size: number
  readonly checked: number
  /** See `EmailTask.Counts`. */
  readonly due: number | null
}

export interface Opened {
  readonly chunk: Chunk
  /** Rises with every change. */
  readonly revision: number
}

/** How it ends. */
export interface Ended {
  readonly state: "completed" | "cancelled" | "failed"
  /** Epoch milliseconds. */
  readonly at: number
}

export class EmailTasks extends Context.Service<
  EmailTasks,
  {
    /** Keeps a list, `queued`. An id is put once. Addresses of somebody who has objected are left out. */
    readonly put: (task: Ordered, emails: ReadonlyArray<string>, kept_until: number) => Asked<void>
    /** `null` where there is none, or no longer. */
    readonly find: (id: string) => Asked<EmailTask | null>
    /** All addresses of one that is still queued. */
    readonly intake: (id: string) => Asked<ReadonlyArray<string>>
    /** Puts the list into its chunks and sets it running, as a whole. Changes nothing for one that is not queued. */
    readonly arrange: (id: string, placed: ReadonlyArray<Placed>) => Asked<void>
    /** In the order of their numbers; none before it is arranged. */
    readonly chunks: (id: string) => Asked<ReadonlyArray<ChunkHead>>
    readonly open: (id: string, number: number) => Asked<Opened | null>
    /**
     * Puts a later state in the place of the one with this revision. `false`, and nothing is changed, where the task has
     * ended or is gone, or somebody else has changed the chunk. Whoever has been told how a task ended has been told of all
     * that was noted.
     */
    readonly note: (id: string, number: number, opened: Opened) => Asked<boolean>
    /** Results that are decided, of the addresses from this one on (counted from 0) in the order of the chunks. */
    readonly results: (id: string, from: number, limit: number) => Asked<ReadonlyArray<EmailResult>>
    /** Notes a name that another verifier gave to a lane, the first time. Gives the one that is noted. */
    readonly named: (id: string, lane: number, name: string) => Asked<string>
    readonly nameOf: (id: string, lane: number) => Asked<string | null>
    /** Ends one that goes on; gives how it stands by then. */
    readonly end: (id: string, ended: Ended) => Asked<EmailTask | null>
    /** Says what it costs; gives what was said first, which stands. */
    readonly charge: (id: string, charged: Credits) => Asked<Credits>
    /** Says that it costs nothing, whatever was said before. */
    readonly waive: (id: string) => Asked<void>
    /** Leaves these out of every list; gives the number of addresses. */
    readonly erase: (handles: ReadonlyArray<string>) => Asked<number>
    readonly remove: (id: string) => Asked<void>
    /** Forgets what need not be kept any more; gives the number of tasks. */
    readonly sweep: Asked<number>
  }
>()("@lading/core/email/EmailTasks") {}
