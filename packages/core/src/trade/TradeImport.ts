/**
 * Brings what a reader gives into a store: finds the traders of each record, writes in parts, publishes at the end. May be
 * begun again at any time, with the same bytes, and goes on where the last part was acknowledged.
 */
import { Effect, Fiber, Stream } from "effect"
import { remembering } from "../value/Remembering.ts"
import * as TradeLoads from "./TradeLoads.ts"
import type { Party, TradeRecord } from "./TradeRecord.ts"
import type { TradeRow } from "./TradeRow.ts"
import type { TradeStoreUnavailable } from "./TradeStore.ts"
import * as TraderId from "./TraderId.ts"

/** What a reader gives at once. */
export interface Batch {
  readonly records: ReadonlyArray<TradeRecord>
  /** Rows that were refused on the way. */
  readonly rejected: number
  /** Where reading goes on behind it. */
  readonly position: string
}

export interface Importing<E, R> {
  readonly of: TradeLoads.LoadOf
  /** From the beginning (`null`), or from the position of an earlier batch. */
  readonly batches: (from: string | null) => Stream.Stream<Batch, E, R>
  /** Told whenever a part was acknowledged. */
  readonly progress: (progress: TradeLoads.Progress) => Effect.Effect<void>
  /** Told when everything is written and the publication begins. */
  readonly publishing: Effect.Effect<void>
}

export interface Imported {
  readonly begun: TradeLoads.Begun
  readonly progress: TradeLoads.Progress
  /** `null` where these bytes had been published before. */
  readonly publication: TradeLoads.Publication | null
}

/** Rows of records, with the traders of their parties. */
const makeRowOf = (): ((record: TradeRecord) => TradeRow) => {
  const byText = remembering(300_000, (text) => {
    const [name = "", country = "", tax_id = ""] = text.split("\t")
    const said = (part: string): string | null => (part === "" ? null : part)
    return TraderId.of({ name: said(name), country: said(country), tax_id: said(tax_id) })
  })
  const traderOf = ({ country, name, tax_id }: Party): string | null => {
    if (name !== null && name.includes("\t")) return TraderId.of({ name, country, tax_id })
    return byText(`${name ?? ""}\t${country ?? ""}\t${tax_id ?? ""}`)
  }
  return (record) => ({ record, importer_id: traderOf(record.importer), exporter_id: traderOf(record.exporter) })
}

export type ImportFailure = TradeLoads.LoadInProgress | TradeLoads.NoSuchLoad | TradeStoreUnavailable

/** Gathers batches into parts; one is written while the next is gathered. */
const writing = Effect.fnUntraced(function* <E, R>(
  batches: Stream.Stream<Batch, E, R>,
  { load, parts }: TradeLoads.Begun,
  progress: (written: TradeLoads.Progress) => Effect.Effect<void>
): Effect.fn.Return<void, E | ImportFailure, R | TradeLoads.TradeLoads> {
  const loads = yield* TradeLoads.TradeLoads
  const rowOf = makeRowOf()
  let [part, rejected, position] = [parts, 0, ""]
  let written: Fiber.Fiber<void, ImportFailure> | null = null
  const settled = Effect.suspend(() => (written === null ? Effect.void : Fiber.join(written)))
  const write = Effect.suspend(() => {
    const last = { rows: [], rejected, position }
    ;[part, rejected, position] = [part + 1, 0, ""]
    return Effect.flatMap(loads.write(load, last), progress)
  })
  yield* Stream.runForEach(batches, (batch) =>
    Effect.gen(function* () {
      const isFull = yield* loads.gather(load, part, batch.records.map(rowOf))
      rejected += batch.rejected
      position = batch.position
      if (!isFull) return
      yield* settled
      written = yield* Effect.forkChild(write, { startImmediately: true })
    })
  ).pipe(Effect.tapError(() => Effect.ignore(settled)))
  yield* settled
  // What is left is a part too, be it only of rows that were refused.
  if (position !== "") yield* write
})

export const run = Effect.fnUntraced(function* <E, R>({
  batches,
  of,
  progress,
  publishing
}: Importing<E, R>): Effect.fn.Return<Imported, E | ImportFailure, R | TradeLoads.TradeLoads> {
  const loads = yield* TradeLoads.TradeLoads
  const begun = yield* loads.begin(of)
  if (begun.state === "published") return { begun, progress: begun, publication: null }
  let last: TradeLoads.Progress = begun
  const told = (written: TradeLoads.Progress) => {
    last = written
    return progress(written)
  }
  yield* told(begun)
  yield* writing(batches(begun.position), begun, told).pipe(
    // What could not be read at all leaves nothing behind that stands in the way of others.
    Effect.tapError(() => (last.parts === 0 ? Effect.ignore(loads.abandon(begun.load)) : Effect.void))
  )
  yield* publishing
  return { begun, progress: last, publication: yield* loads.publish(begun.load) }
})
