/** Customs records for a sandbox: invented, marked as such, the same at every start. */
import { TraderId, TradeStore } from "@lading/core/trade"
import { Trade } from "@lading/testing"
import { Layer } from "effect"

const records = 5000

/** Who is who is told by the names, as in records that were imported. */
export const layer: Layer.Layer<TradeStore.TradeStore> = Layer.sync(TradeStore.TradeStore, () => {
  const trade = Trade.make({ records })
  return TradeStore.make(
    Array.from({ length: records }, (_, index) => trade.at(index).record),
    TraderId.of
  )
})
