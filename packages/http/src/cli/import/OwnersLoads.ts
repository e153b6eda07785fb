/**
 * The port of loads through the process that owns the folder: rows are read and understood here, the owner stores them.
 *
 * Gotcha: whoever does not get an answer does not know whether a part was written. Parts have numbers, so the same one is
 * sent again; an owner that stays away is one that has died, and the load goes on when the command does.
 */
import { TradeLoads, type TradeRow, TradeStore } from "@lading/core/trade"
import type { Owner } from "@lading/postgres"
import { Effect, Layer, Schedule, Stream } from "effect"
import type { HttpClient } from "effect/http"
import type * as Loads from "../../api/Loads.ts"
import type { Client, Refusal } from "../../client/index.ts"
import * as Remote from "../Remote.ts"

/** How long a step may take: longer than the owner's own limit for one. */
const patience = "11 minutes"

/** Rows of a part: the owner answers others meanwhile, and has no turn for them while it takes one. */
const partRows = 10_000

/** What was not answered is asked again, in case that only the connection was lost. */
const again = { schedule: Schedule.spaced("500 millis"), times: 2 }

type Problem = Remote.OwnerSilent | Refusal.Refusal

const unavailable = (problem: string) => new TradeStore.TradeStoreUnavailable({ problem })

const plain = (problem: Problem): TradeStore.TradeStoreUnavailable => {
  if (problem._tag !== "OwnerSilent") return unavailable(Remote.words(problem))
  const { folder, host, pid, url } = problem
  return unavailable(
    `process ${pid} on ${host}, which owns ${folder}, answers no more on ${url}; what it has acknowledged is kept, and the same command goes on from there`
  )
}

/** What this command has begun. */
interface Begun {
  readonly lease: string
  parts: number
  /** Rows that are to be sent, by part. */
  readonly gathered: Map<number, Array<TradeRow.TradeRow>>
}

interface Owned {
  readonly admin: Client["admin"]
  readonly silent: Remote.OwnerSilent
  readonly begun: Map<number, Begun>
}

const asked = <Data>(
  { silent }: Owned,
  answer: Effect.Effect<{ readonly body: { readonly data: Data } }, Remote.ClientError>
): Effect.Effect<Data, Problem> =>
  Effect.retry(Remote.asked(answer, silent, patience), { while: ({ _tag }) => _tag === "OwnerSilent", ...again })

/** There is no such load, or it cannot be told. */
const missing =
  (load: number) =>
  (problem: Problem): TradeLoads.NoSuchLoad | TradeStore.TradeStoreUnavailable =>
    problem._tag === "NotFound" ? new TradeLoads.NoSuchLoad({ load }) : plain(problem)

const list = (owned: Owned) =>
  Effect.map(asked(owned, owned.admin.listLoads()), ({ list }): ReadonlyArray<TradeLoads.Load> => list)

/** Which load stands in the way, where one does. */
const inTheWay = Effect.fnUntraced(function* (owned: Owned, refusal: Problem) {
  const all = refusal._tag === "Conflict" ? yield* Effect.mapError(list(owned), plain) : []
  const open = all.find(({ state }) => state === "open")
  return yield* open === undefined
    ? plain(refusal)
    : new TradeLoads.LoadInProgress({ load: open.load, name: open.name })
})

const begin = Effect.fnUntraced(function* (owned: Owned, of: TradeLoads.LoadOf) {
  const { lease, ...begun } = yield* asked(owned, owned.admin.beginLoad({ payload: of, headers: {} })).pipe(
    Effect.catch((refusal) => inTheWay(owned, refusal))
  )
  if (lease !== null) owned.begun.set(begun.load, { lease, parts: begun.parts, gathered: new Map() })
  return begun
})

/** The load, if this command has begun it. */
const find = ({ begun }: Owned, load: number) =>
  Effect.suspend(() => {
    const found = begun.get(load)
    return found === undefined ? Effect.fail(new TradeLoads.NoSuchLoad({ load })) : Effect.succeed(found)
  })

const linesOf = ({ position, rejected, rows }: TradeLoads.Part): Stream.Stream<Loads.Line> =>
  Stream.concat(Stream.make({ position, rejected, rows: rows.length }), Stream.fromIterable(rows, { chunkSize: 256 }))

const gather = (owned: Owned, load: number, part: number, rows: ReadonlyArray<TradeRow.TradeRow>) =>
  Effect.map(find(owned, load), ({ gathered }) => {
    const all = gathered.get(part) ?? []
    for (const row of rows) all.push(row)
    gathered.set(part, all)
    return all.length >= partRows
  })

const write = Effect.fnUntraced(function* (owned: Owned, load: number, last: TradeLoads.Part) {
  const begun = yield* find(owned, load)
  const number = begun.parts
  const params = { load, part: number }
  const part = { ...last, rows: [...(begun.gathered.get(number) ?? []), ...last.rows] }
  const progress = yield* asked(
    owned,
    owned.admin.writeLoad({ params, query: { lease: begun.lease }, payload: linesOf(part) })
  ).pipe(Effect.mapError(missing(load)))
  begun.parts = progress.parts
  begun.gathered.delete(number)
  return progress
})

const publish = Effect.fnUntraced(function* (owned: Owned, load: number) {
  const { lease } = yield* find(owned, load)
  for (;;) {
    const { added, records, replaced } = yield* asked(
      owned,
      owned.admin.publishLoad({ params: { load }, query: { lease } })
    ).pipe(Effect.mapError(missing(load)))
    if (added !== null && replaced !== null && records !== null) return { added, replaced, records }
  }
})

const over = (owned: Owned): TradeLoads.TradeLoads["Service"] => ({
  begin: (of) => begin(owned, of),
  gather: (load, part, rows) => gather(owned, load, part, rows),
  write: (load, part) => write(owned, load, part),
  publish: (load) => publish(owned, load),
  abandon: (load) =>
    Effect.asVoid(Effect.mapError(asked(owned, owned.admin.abandonLoad({ params: { load } })), missing(load))),
  list: Effect.mapError(list(owned), plain)
})

/** Loads through the owner of a folder, once it has said that it takes some. */
export const layer = (
  folder: string,
  owner: Owner.Record,
  url: string
): Layer.Layer<TradeLoads.TradeLoads, Remote.OwnerSilent | Remote.Refused, HttpClient.HttpClient> =>
  Layer.effect(
    TradeLoads.TradeLoads,
    Effect.gen(function* () {
      const { client, silent } = yield* Remote.reach(folder, owner, url)
      const owned: Owned = { admin: client.admin, silent, begun: new Map() }
      yield* Remote.refused(Remote.asked(client.admin.listLoads(), silent))
      return over(owned)
    })
  )
