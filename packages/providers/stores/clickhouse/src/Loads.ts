/**
 * Loads in the column store: begun, written in parts, published.
 *
 * A process that begins a load again takes it over: what the one before it has still running is ended, and what that one
 * does then is refused. There are no locks between processes; two that begin at the same instant may both believe that
 * the load is theirs, and the first that looks again sees that it is not.
 */
import { TradeLoads, type TradeRow, TradeStore } from "@lading/core/trade"
import { Effect, Schema, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import * as Encode from "./Encode.ts"
import type { Engine } from "./Engine.ts"
import * as Gathering from "./Gathering.ts"
import * as Journal from "./Journal.ts"
import * as Publication from "./Publication.ts"
import type { Publications } from "./Published.ts"
import { int, sql } from "./Statement.ts"

type Entry = Journal.Entry

const Published = Schema.Struct({ added: Schema.Int, replaced: Schema.Int, records: Schema.Int })

type Dates = Extract<TradeLoads.Replaces, { readonly kind: "dates" }>

const overlap = (one: Dates, another: Dates): boolean =>
  one.source === another.source && one.from <= another.to && one.to >= another.from

/** Whether another file took the place of everything that was called so, or of the dates that are to be replaced. */
const wasReplaced = (entry: Entry, all: ReadonlyArray<Entry>, by: TradeLoads.Replaces | null): boolean =>
  all.some(({ load, replaces, state }) => {
    if (load <= entry.load || state !== "published" || replaces === null) return false
    return replaces.kind === "file" ? replaces.name === entry.name : by?.kind === "dates" && overlap(replaces, by)
  })

interface Desk {
  readonly engine: Engine["Service"]
  readonly publications: Publications
  /** What follows a publication that readers see. */
  readonly published: Effect.Effect<void>
  readonly gathering: Gathering.Gathering
  /** The load that was begun here last, until it ends. */
  open: number | null
  /** The name of this process. */
  readonly owner: string
  /** Loads of which a part was written half, or a publication made half. */
  readonly torn: Set<number>
}

const note = ({ engine, owner }: Desk, entry: Omit<Entry, "at" | "owner">) => Journal.note(engine, { ...entry, owner })

const result = Effect.fnUntraced(function* ({ engine }: Desk, load: number) {
  const [row] = yield* Journal.plain(
    engine.unbounded(
      Published,
      sql`SELECT toInt64(added) AS added, toInt64(replaced) AS replaced, toInt64(records) AS records
      FROM publication WHERE version = ${int(load)} LIMIT 1`
    )
  )
  return row
})

/** The loads. One whose process died when readers saw it already is published. */
const loads = Effect.fnUntraced(function* (desk: Desk) {
  yield* desk.engine.settle(["load_entry", "publication"])
  const known = yield* Journal.read(desk.engine)
  const last = known.find(Journal.isUnfinished)
  if (last === undefined || (yield* result(desk, last.load)) === undefined) return known
  yield* Publication.clear({ engine: desk.engine, load: last.load })
  yield* note(desk, { ...last, state: "published" })
  return yield* Journal.read(desk.engine)
})

/** A load that this process has begun and not ended. */
const own = Effect.fnUntraced(function* (desk: Desk, load: number) {
  const entry = (yield* Journal.read(desk.engine)).find((one) => one.load === load)
  return entry !== undefined && Journal.isUnfinished(entry) && entry.owner === desk.owner
    ? entry
    : yield* new TradeLoads.NoSuchLoad({ load })
})

/** The engine for as long as the load is this process's. */
const fenced = (desk: Desk, load: number): Engine["Service"] => {
  const still = Effect.catchTag(
    own(desk, load),
    "NoSuchLoad",
    () => new TradeStore.TradeStoreUnavailable({ problem: "another process goes on with this load" })
  )
  return {
    ...desk.engine,
    run: (statement) => Effect.andThen(still, desk.engine.run(statement)),
    mutate: (table, change, where) => Effect.andThen(still, desk.engine.mutate(table, change, where)),
    drop: (table, partition) => Effect.andThen(still, desk.engine.drop(table, partition))
  }
}

const publishing = (desk: Desk, entry: Entry, known: ReadonlyArray<Entry>): Publication.Publishing => {
  const { load, replaces } = entry
  const replaced =
    replaces?.kind === "file"
      ? known.flatMap((one) => (one.name === replaces.name && one.load < load ? [one.load] : []))
      : []
  return { engine: fenced(desk, load), load, replaces, replaced }
}

/** Makes a load this process's own, from what is left of the one before it. Nobody saw it. */
const takeOver = Effect.fnUntraced(function* (desk: Desk, entry: Entry, known: ReadonlyArray<Entry>) {
  yield* note(desk, entry)
  yield* desk.engine.takeOver(Publication.changing)
  yield* desk.engine.settle(["publication"])
  if ((yield* result(desk, entry.load)) !== undefined)
    return yield* new TradeStore.TradeStoreUnavailable({
      problem: "the process before this one has published the load just now: begin it again"
    })
  const of = publishing(desk, entry, known)
  yield* Publication.undo(of)
  // Rows behind the last part that was acknowledged.
  yield* Publication.forget(of, entry.part)
  desk.torn.delete(entry.load)
})

/** What is gathered is of that load from now on, or of none. */
const open = (desk: Desk, load: number | null): void => {
  desk.gathering.forget()
  desk.open = load
}

const begin = Effect.fnUntraced(function* (
  desk: Desk,
  of: TradeLoads.LoadOf
): Effect.fn.Return<TradeLoads.Begun, TradeLoads.LoadInProgress | TradeStore.TradeStoreUnavailable> {
  open(desk, null)
  const known = yield* loads(desk)
  const finished = known.find(({ digest, state }) => state === "published" && digest === of.digest)
  if (finished !== undefined && !wasReplaced(finished, known, of.replaces))
    return { load: finished.load, state: "published", ...Journal.progressOf(finished) }
  const unfinished = known.find(Journal.isUnfinished)
  if (unfinished !== undefined) {
    const { digest, load, name } = unfinished
    if (digest !== of.digest) return yield* new TradeLoads.LoadInProgress({ load, name })
    const left: Entry = { ...unfinished, state: "open" }
    yield* takeOver(desk, left, known)
    open(desk, load)
    return { load: left.load, state: "resumed", ...Journal.progressOf(left) }
  }
  const load = 1 + Math.max(0, ...known.map((entry) => entry.load))
  yield* note(desk, { ...of, load, state: "open", part: 0, position: "", rows: 0, rejected: 0 })
  const now = (yield* Journal.read(desk.engine)).find((entry) => entry.load === load)
  if (now?.owner !== desk.owner) return yield* new TradeLoads.LoadInProgress({ load, name: now?.name ?? of.name })
  open(desk, load)
  return { load, state: "fresh", parts: 0, position: null, rows: 0, rejected: 0 }
})

/** Rows of a part that is written later; they are nowhere but in this process. */
const gather = (
  desk: Desk,
  load: number,
  part: number,
  rows: ReadonlyArray<TradeRow.TradeRow>
): Effect.Effect<boolean, TradeLoads.NoSuchLoad> =>
  Effect.suspend(() =>
    desk.open === load
      ? Effect.succeed(desk.gathering.isFull(desk.gathering.add(load, part, rows)))
      : new TradeLoads.NoSuchLoad({ load })
  )

const insert = Effect.fnUntraced(function* (desk: Desk, load: number, { parties, records }: Gathering.Part) {
  if (parties.length > 0) yield* desk.engine.insert("party_key", ["name", "tax_id", "keys"], parties.written)
  yield* own(desk, load)
  desk.torn.add(load)
  if (records.length > 0) yield* desk.engine.insert("trade_record", Encode.columns, records.written)
})

const write = Effect.fnUntraced(function* (
  desk: Desk,
  load: number,
  part: TradeLoads.Part
): Effect.fn.Return<TradeLoads.Progress, TradeLoads.NoSuchLoad | TradeStore.TradeStoreUnavailable> {
  const entry: Entry = { ...(yield* own(desk, load)), state: "open" }
  if (desk.torn.has(load)) yield* takeOver(desk, entry, yield* Journal.read(desk.engine))
  const before = desk.gathering.mark(entry.part)
  const gathered = desk.gathering.add(load, entry.part, part.rows)
  const written = { ...entry, part: entry.part + 1, position: part.position }
  const progress = { rows: entry.rows + gathered.rows, rejected: entry.rejected + part.rejected }
  // Whoever writes it again brings its own rows again.
  yield* insert(desk, load, gathered).pipe(
    Effect.andThen(note(desk, { ...written, ...progress })),
    Effect.onError(() => Effect.sync(() => desk.gathering.cut(entry.part, before)))
  )
  desk.gathering.done(entry.part)
  desk.torn.delete(load)
  return Journal.progressOf({ ...written, ...progress })
})

const publish = Effect.fnUntraced(function* (
  desk: Desk,
  load: number
): Effect.fn.Return<TradeLoads.Publication, TradeLoads.NoSuchLoad | TradeStore.TradeStoreUnavailable> {
  const known = yield* loads(desk)
  const before = yield* result(desk, load)
  if (before !== undefined) return before
  const entry = yield* own(desk, load)
  const of = publishing(desk, entry, known)
  // Something failed here before.
  if (desk.torn.has(load)) yield* takeOver(desk, entry, known)
  desk.torn.add(load)
  yield* note(desk, { ...entry, state: "publishing" })
  yield* Publication.publish(of)
  yield* note(desk, { ...entry, state: "published" })
  desk.torn.delete(load)
  open(desk, null)
  yield* desk.publications.forget
  yield* desk.published
  return (yield* result(desk, load)) ?? { added: 0, replaced: 0, records: 0 }
})

const abandon = Effect.fnUntraced(function* (desk: Desk, load: number) {
  const known = yield* loads(desk)
  const entry = known.find((one) => one.load === load)
  if (entry === undefined || !Journal.isUnfinished(entry)) return yield* new TradeLoads.NoSuchLoad({ load })
  // Whoever dies in here and begins it again begins at its beginning.
  const nothing: Entry = { ...entry, state: "open", part: 0, position: "", rows: 0, rejected: 0 }
  open(desk, null)
  yield* takeOver(desk, nothing, known)
  yield* note(desk, { ...entry, state: "abandoned" })
})

export const make = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  publications: Publications,
  published: Effect.Effect<void>
): Effect.fn.Return<TradeLoads.TradeLoads["Service"]> {
  const desk: Desk = {
    engine,
    publications,
    published,
    gathering: Gathering.make(),
    open: null,
    owner: yield* Effect.sync(() => randomUUID()),
    torn: new Set()
  }
  const one = yield* Semaphore.make(1)
  return {
    begin: (of) => one.withPermits(1)(begin(desk, of)),
    gather: (load, part, rows) => gather(desk, load, part, rows),
    write: (load, part) => one.withPermits(1)(write(desk, load, part)),
    publish: (load) => one.withPermits(1)(publish(desk, load)),
    abandon: (load) => one.withPermits(1)(abandon(desk, load)),
    list: Effect.map(Journal.read(engine), (known) =>
      known.map((entry) => ({
        load: entry.load,
        name: entry.name,
        format: entry.format,
        state: entry.state === "publishing" ? "open" : entry.state,
        at: entry.at,
        ...Journal.progressOf(entry)
      }))
    )
  }
})
