/** Fills the store of a sandbox with invented trade, once, while the server is answering already. */
import { TradeImport, TradeLoads, type TradeStore } from "@lading/core/trade"
import { Trade } from "@lading/testing"
import { Effect, Layer, Option, Stream } from "effect"

const records = 200_000

/** The same records as long as the generator is the same. */
const digest = `synthetic-${records}-1`

const LINES = 5000

const batchesOf = (trade: Trade.SyntheticTrade) => (from: string | null) =>
  Stream.unfold(Number(from ?? 0), (start) => {
    if (start >= trade.records) return Effect.undefined
    const end = Math.min(start + LINES, trade.records)
    const batch: TradeImport.Batch = {
      records: Array.from({ length: end - start }, (_, index) => trade.at(start + index).record),
      rejected: 0,
      position: String(end)
    }
    // Others have their turn between two batches.
    return Effect.as(Effect.yieldNow, [batch, end] as const)
  })

const load = Effect.suspend(() =>
  TradeImport.run({
    of: { name: "synthetic trade", digest, format: "synthetic", replaces: null },
    batches: batchesOf(Trade.make({ records })),
    progress: () => Effect.void,
    publishing: Effect.void
  })
).pipe(
  Effect.flatMap(({ publication }) =>
    publication === null
      ? Effect.void
      : Effect.logInfo("customs records are there", { records: publication.records, synthetic: true })
  ),
  Effect.catch((error) => Effect.logWarning("the invented customs records cannot be loaded", { reason: error._tag }))
)

/** Where there is a store to be filled. */
export const fill: Layer.Layer<never, never, TradeStore.TradeStore> = Layer.effectDiscard(
  Effect.flatMap(Effect.serviceOption(TradeLoads.TradeLoads), (loads) =>
    Option.isNone(loads)
      ? Effect.void
      : Effect.asVoid(Effect.forkScoped(Effect.provideService(load, TradeLoads.TradeLoads, loads.value)))
  )
)
