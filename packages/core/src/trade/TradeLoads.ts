/**
 * The port by which customs records come into a store. A load is one file, or what somebody else calls one delivery: it is
 * begun, gathered and written in parts, and published; until then readers see nothing of it, from then on all of it.
 *
 * Rules
 * - Of the versions of one record the highest counts, of equal ones the one that was loaded last.
 * - A part is written once: whoever begins a load again, because the process died, goes on behind the last part that was
 *   acknowledged.
 * - A file that was published is not read again: it is known by its digest.
 * - One load is open at a time.
 * - What a load replaces is withdrawn in the moment in which it is published; a record that had lost against a withdrawn
 *   one counts again.
 */
import { Context, type Effect, Schema } from "effect"
import type { TradeStoreUnavailable } from "./TradeStore.ts"
import type { TradeRow } from "./TradeRow.ts"

/** Something of another name is being loaded. It has to be finished or abandoned first. */
export class LoadInProgress extends Schema.TaggedError<LoadInProgress>()("LoadInProgress", {
  load: Schema.Int,
  name: Schema.String
}) {}

/** There is no such load, or it is not open. */
export class NoSuchLoad extends Schema.TaggedError<NoSuchLoad>()("NoSuchLoad", { load: Schema.Int }) {}

/** What a load takes the place of, beside the records that it has newer versions of. */
export const Replaces = Schema.Union([
  /** All that is left of earlier loads of that name. */
  Schema.Struct({ kind: Schema.Literal("file"), name: Schema.String }),
  /** All records of a source with dates from `from` to `to`, both included. */
  Schema.Struct({ kind: Schema.Literal("dates"), source: Schema.String, from: Schema.String, to: Schema.String })
])
export type Replaces = typeof Replaces.Type

export interface LoadOf {
  /** What people call it: the file's name. */
  readonly name: string
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
  readonly format: string
  readonly replaces: Replaces | null
}

/** How far a load has come. */
export interface Progress {
  /** Parts that were written. */
  readonly parts: number
  /** Where reading goes on; `null` at the beginning. The reader's own words. */
  readonly position: string | null
  readonly rows: number
  readonly rejected: number
}

export interface Begun extends Progress {
  readonly load: number
  readonly state: "fresh" | "published" | "resumed"
}

/** Some rows of a load, with where the reader stands behind them. */
export interface Part {
  readonly rows: ReadonlyArray<TradeRow>
  /** Rows of the file that were refused on the way to this part. */
  readonly rejected: number
  readonly position: string
}

/** What a publication changed for readers. */
export interface Publication {
  /** Records that count now and did not before. */
  readonly added: number
  /** Records that do not count any more. */
  readonly replaced: number
  /** All that count. */
  readonly records: number
}

export interface Load extends Progress {
  readonly load: number
  readonly name: string
  readonly format: string
  readonly state: "abandoned" | "open" | "published"
  /** Milliseconds since 1970: the last time that something happened to it. */
  readonly at: number
}

export class TradeLoads extends Context.Service<
  TradeLoads,
  {
    /** Begins a load, or goes on with one of these bytes that was not finished. */
    readonly begin: (of: LoadOf) => Effect.Effect<Begun, LoadInProgress | TradeStoreUnavailable>
    /**
     * Takes rows of a part that will be written, so that whoever reads them need not keep them; parts are counted from 0,
     * and the next one may be gathered while one is written. They are lost with the process, and when the load is begun
     * again. Says whether it is enough for a part.
     */
    readonly gather: (
      load: number,
      part: number,
      rows: ReadonlyArray<TradeRow>
    ) => Effect.Effect<boolean, NoSuchLoad | TradeStoreUnavailable>
    /** Writes what was gathered of the next part, and these rows behind it. Acknowledged rows are not lost. */
    readonly write: (load: number, part: Part) => Effect.Effect<Progress, NoSuchLoad | TradeStoreUnavailable>
    /** May be repeated, by whoever goes on with it. */
    readonly publish: (load: number) => Effect.Effect<Publication, NoSuchLoad | TradeStoreUnavailable>
    /** Forgets what was written; what was published stays. */
    readonly abandon: (load: number) => Effect.Effect<void, NoSuchLoad | TradeStoreUnavailable>
    /** The newest first. */
    readonly list: Effect.Effect<ReadonlyArray<Load>, TradeStoreUnavailable>
  }
>()("@lading/core/trade/TradeLoads") {}
