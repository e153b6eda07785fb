/** The journal of loads: what was begun, written and published, a line for each step, never changed. */
import { TradeLoads, TradeStore } from "@lading/core/trade"
import { Clock, Effect, Schema } from "effect"
import type { Engine, EngineError } from "./Engine.ts"
import { int, sql, text } from "./Statement.ts"

export const Entry = Schema.Struct({
  load: Schema.Int,
  state: Schema.Literals(["abandoned", "open", "published", "publishing"]),
  name: Schema.String,
  digest: Schema.String,
  format: Schema.String,
  replaces: Schema.fromJsonString(Schema.NullOr(TradeLoads.Replaces)),
  part: Schema.Int,
  position: Schema.String,
  rows: Schema.Int,
  rejected: Schema.Int,
  at: Schema.Int,
  /** The process that works on it. */
  owner: Schema.String
})
export type Entry = typeof Entry.Type

const replacesText = Schema.encodeSync(Schema.fromJsonString(Schema.NullOr(TradeLoads.Replaces)))

const entries = sql`SELECT toInt64(load) AS load, toString(last.1) AS state, last.2 AS name, last.3 AS digest,
    toString(last.4) AS format, last.5 AS replaces, toInt64(last.6) AS part, last.7 AS position, toInt64(last.8) AS rows,
    toInt64(last.9) AS rejected, toUnixTimestamp64Milli(last.10) AS at,
    last.11 AS owner
  FROM (
    SELECT load, argMax((state, name, digest, format, replaces, part, position, rows, rejected, at, owner),
      (number, owner)) AS last
    FROM load_entry GROUP BY load
  ) ORDER BY load DESC`

/** What fails here fails as the store does: an import has no limits that a question has. */
export const plain = <A>(asked: Effect.Effect<A, EngineError>): Effect.Effect<A, TradeStore.TradeStoreUnavailable> =>
  Effect.catchTag(
    asked,
    "QueryTooExpensive",
    ({ bound }) => new TradeStore.TradeStoreUnavailable({ problem: `the journal of loads met a bound of ${bound}` })
  )

/** The last line of each load, the newest first. */
export const read = (
  engine: Engine["Service"]
): Effect.Effect<ReadonlyArray<Entry>, TradeStore.TradeStoreUnavailable> => plain(engine.unbounded(Entry, entries))

export const note = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  entry: Omit<Entry, "at">
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const at = yield* Clock.currentTimeMillis
  yield* engine.run(sql`INSERT INTO load_entry
    (number, load, state, name, digest, format, replaces, part, position, rows, rejected, at, owner)
    SELECT (SELECT max(number) + 1 FROM load_entry), ${int(entry.load)}, ${text(entry.state)}, ${text(entry.name)},
      ${text(entry.digest)}, ${text(entry.format)}, ${text(replacesText(entry.replaces))}, ${int(entry.part)},
      ${text(entry.position)}, ${int(entry.rows)}, ${int(entry.rejected)}, fromUnixTimestamp64Milli(${int(at)}),
      ${text(entry.owner)}`)
})

export const isUnfinished = ({ state }: Entry): boolean => state === "open" || state === "publishing"

export const progressOf = ({ part, position, rejected, rows }: Entry): TradeLoads.Progress => ({
  parts: part,
  position: part === 0 ? null : position,
  rows,
  rejected
})
