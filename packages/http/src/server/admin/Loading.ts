/**
 * Loads that are written through this server. Whoever begins one has the lease on it until somebody begins it again; parts
 * have numbers, so that one whose answer was lost can be sent again; a publication goes on whether somebody waits for it
 * or not.
 *
 * Gotcha: leases are known to the process that gave them. After its end a load is begun again, and goes on where the
 * store has it.
 */
import { TradeLoads, type TradeStore } from "@lading/core/trade"
import { Context, Effect, Exit, Fiber, Layer, Option, Schema, type Scope, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import type * as Loads from "../../api/Loads.ts"
import { TradeIntake } from "../TradeIntake.ts"

/** Somebody else goes on with the load, or the server has been started anew since it was begun. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { load: Schema.Int }) {}

/** Another part is the next one. */
export class OtherPart extends Schema.TaggedError<OtherPart>()("OtherPart", {
  load: Schema.Int,
  /** Its number. */
  next: Schema.Int
}) {}

/** It is being published, and cannot be abandoned any more. */
export class BeingPublished extends Schema.TaggedError<BeingPublished>()("BeingPublished", { load: Schema.Int }) {}

type Failing = TradeStore.TradeStoreAbsent | TradeStore.TradeStoreUnavailable

export type LoadingError =
  | Failing
  | TradeLoads.LoadInProgress
  | TradeLoads.NoSuchLoad
  | LeaseLost
  | OtherPart
  | BeingPublished

/** Whose turn it is on which load. */
interface Held {
  readonly load: number
  readonly lease: string
}

export class Loading extends Context.Service<
  Loading,
  {
    readonly list: Effect.Effect<ReadonlyArray<TradeLoads.Load>, Failing>
    readonly begin: (of: TradeLoads.LoadOf) => Effect.Effect<Loads.Begun, Failing | TradeLoads.LoadInProgress>
    /** `number` is how many parts were written before this one. */
    readonly write: (
      held: Held,
      number: number,
      part: TradeLoads.Part
    ) => Effect.Effect<TradeLoads.Progress, Failing | TradeLoads.NoSuchLoad | LeaseLost | OtherPart>
    /** Waits for a while. */
    readonly publish: (held: Held) => Effect.Effect<Loads.Publication, Failing | TradeLoads.NoSuchLoad | LeaseLost>
    readonly abandon: (load: number) => Effect.Effect<void, Failing | TradeLoads.NoSuchLoad | BeingPublished>
  }
>()("@lading/http/server/admin/Loading") {}

type Publishing = Fiber.Fiber<TradeLoads.Publication, TradeLoads.NoSuchLoad | TradeStore.TradeStoreUnavailable>

/** The load that is open. */
interface Open extends Held {
  readonly digest: string
  readonly name: string
  progress: TradeLoads.Progress
  publishing: Publishing | null
}

const progressOf = ({ parts, position, rejected, rows }: TradeLoads.Progress): TradeLoads.Progress => ({
  parts,
  position,
  rejected,
  rows
})

const publishing: Loads.Publication = { state: "publishing", added: null, replaced: null, records: null }

/** How long an answer waits for a publication. */
const patience = "10 seconds"

interface Desk {
  readonly intake: TradeIntake["Service"]
  readonly scope: Scope.Scope
  open: Open | null
}

/** The load, if it is theirs. */
const find = ({ open }: Desk, { lease, load }: Held): Effect.Effect<Open, LeaseLost> =>
  open !== null && open.lease === lease && open.load === load
    ? Effect.succeed(open)
    : Effect.suspend(() => Effect.fail(new LeaseLost({ load })))

/** A load that is being published: nothing is asked of the store before that is over. */
const busy = ({ open }: Desk): Open | null =>
  open === null || open.publishing === null || open.publishing.pollUnsafe() !== undefined ? null : open

const begin = Effect.fnUntraced(function* (desk: Desk, of: TradeLoads.LoadOf) {
  const lease = yield* Effect.sync(() => randomUUID())
  const published = busy(desk)
  if (published !== null) {
    const { load, name, progress } = published
    if (published.digest !== of.digest) return yield* new TradeLoads.LoadInProgress({ load, name })
    desk.open = { ...published, lease }
    return { load, state: "resumed" as const, lease, ...progress }
  }
  const begun = yield* (yield* desk.intake.loads).begin(of)
  const { load, state } = begun
  const progress = progressOf(begun)
  if (state === "published") return { load, state, lease: null, ...progress }
  desk.open = { load, lease, digest: of.digest, name: of.name, progress, publishing: null }
  return { load, state, lease, ...progress }
})

const write = Effect.fnUntraced(function* (desk: Desk, held: Held, number: number, part: TradeLoads.Part) {
  const open = yield* find(desk, held)
  const { parts, position } = open.progress
  // Its answer did not arrive.
  if (number === parts - 1 && part.position === position) return open.progress
  if (number !== parts || open.publishing !== null) return yield* new OtherPart({ load: held.load, next: parts })
  open.progress = progressOf(yield* (yield* desk.intake.loads).write(held.load, part))
  return open.progress
})

/** The publication that runs, else a new one. */
const publication = Effect.fnUntraced(function* (desk: Desk, held: Held) {
  const open = yield* find(desk, held)
  const { publish } = yield* desk.intake.loads
  open.publishing ??= yield* Effect.forkIn(publish(held.load), desk.scope)
  return open.publishing
})

const publish = Effect.fnUntraced(function* (desk: Desk, running: Publishing) {
  const exit = yield* Effect.timeoutOption(Fiber.await(running), patience)
  if (Option.isNone(exit)) return publishing
  // What failed is told once, and tried again by whoever asks again.
  if (Exit.isFailure(exit.value) && desk.open?.publishing === running) desk.open.publishing = null
  const { added, records, replaced } = yield* exit.value
  return { state: "published" as const, added, replaced, records }
})

const abandon = Effect.fnUntraced(function* (desk: Desk, load: number) {
  if (busy(desk)?.load === load) return yield* new BeingPublished({ load })
  yield* (yield* desk.intake.loads).abandon(load)
  if (desk.open?.load === load) desk.open = null
})

export const layer: Layer.Layer<Loading, never, TradeIntake> = Layer.effect(
  Loading,
  Effect.gen(function* () {
    const intake = yield* TradeIntake
    const desk: Desk = { intake, scope: yield* Effect.scope, open: null }
    const one = yield* Semaphore.make(1)
    return Loading.of({
      list: Effect.flatMap(intake.loads, ({ list }) => list),
      begin: (of) => one.withPermits(1)(begin(desk, of)),
      write: (held, number, part) => one.withPermits(1)(write(desk, held, number, part)),
      publish: (held) =>
        Effect.flatMap(one.withPermits(1)(publication(desk, held)), (running) => publish(desk, running)),
      abandon: (load) => one.withPermits(1)(abandon(desk, load))
    })
  })
)
