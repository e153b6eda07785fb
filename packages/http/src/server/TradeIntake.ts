/**
 * Where this server's imports go: the store that it answers from, if it takes any. A folder into which nobody has imported
 * yet has no store; it is made by the first import, and answered from then on.
 */
import { type TradeLoads, TradeStore } from "@lading/core/trade"
import { Context, Effect, Layer } from "effect"

type Loads = TradeLoads.TradeLoads["Service"]

export class TradeIntake extends Context.Service<
  TradeIntake,
  {
    /** The store's loads; fails where it takes none, with what to do about it. */
    readonly loads: Effect.Effect<Loads, TradeStore.TradeStoreAbsent>
  }
>()("@lading/http/server/TradeIntake") {}

/** For a store that takes none. */
export const layerNone = (remedy: string): Layer.Layer<TradeIntake> =>
  Layer.sync(TradeIntake, () => ({
    loads: Effect.suspend(() => Effect.fail(new TradeStore.TradeStoreAbsent({ remedy })))
  }))

/** For a store that is open. */
export const of = (loads: Loads): TradeIntake["Service"] => ({ loads: Effect.succeed(loads) })
