/** Generated trade with the truth told: the store that knows behind every name the trader that is meant. */
import { TradeStore, type TradeRecord } from "@lading/core/trade"
import type { Generated } from "./SyntheticTrade.ts"
import { idOf } from "./Trader.ts"

/**
 * Finds the trader of a party of these records, `idOf` its number; `null` for one that is not named. By the party itself
 * and not by its name, which others may have too: only for the very objects that were generated.
 */
export const traderOf = (generated: Iterable<Generated>): TradeStore.TraderOf => {
  const known = new WeakMap<TradeRecord.Party, string>()
  for (const { exporter, importer, record } of generated) {
    if (record.importer.name !== null) known.set(record.importer, idOf(importer))
    if (record.exporter.name !== null) known.set(record.exporter, idOf(exporter))
  }
  return (party) => known.get(party) ?? null
}

/** The plain store over generated records, the measure of every other one. */
export const store = (generated: ReadonlyArray<Generated>): TradeStore.TradeStore["Service"] =>
  TradeStore.make(
    generated.map(({ record }) => record),
    traderOf(generated)
  )
