/** What `TraderId` makes of generated names, of which the true trader is known. */
import { TraderId, type TradeRecord } from "@lading/core/trade"
import { Trade } from "@lading/testing"

/** How many of a trader's spellings come to the identity that its name as it is has. */
const spellingsOf = (trade: Trade.SyntheticTrade, traders: number) => {
  const found = new Map<string, { spellings: number; one_id: number }>()
  for (let number = 0; number < traders; number++) {
    const trader = trade.trader(number)
    const id = (name: string) => TraderId.of({ name: name.toUpperCase(), country: trader.land, tax_id: null })
    const own = id(trader.name)
    for (let spelling = 1; spelling < Trade.SPELLINGS; spelling++) {
      const kind = Trade.kindOf(spelling)
      const count = found.get(kind) ?? { spellings: 0, one_id: 0 }
      found.set(kind, {
        spellings: count.spellings + 1,
        one_id: count.one_id + Number(id(Trade.spell(1, trader, spelling)) === own)
      })
    }
  }
  return [...found].map(([kind, { one_id, spellings }]) => ({ kind, spellings, one_id, share: one_id / spellings }))
}

/** Parties with names, as records have them but for their tax ids. */
export const parties = (records: number): ReadonlyArray<TradeRecord.Party> =>
  [...Trade.make({ records }).stream()].flatMap(({ record }) =>
    [record.importer, record.exporter].filter(({ name }) => name !== null).map((party) => ({ ...party, tax_id: null }))
  )

/** How many identities records of one trader have, and how many traders share one. */
const tradersOf = (trade: Trade.SyntheticTrade) => {
  const [ids, traders] = [new Map<string, Set<number>>(), new Map<number, Map<string, number>>()]
  for (const { exporter, importer, record } of trade.stream()) {
    for (const [party, number] of [
      [record.importer, importer],
      [record.exporter, exporter]
    ] as const) {
      const id = TraderId.of({ ...party, country: trade.trader(number).land, tax_id: null })
      if (id === null) continue
      ids.set(id, (ids.get(id) ?? new Set()).add(number))
      const own = traders.get(number) ?? new Map<string, number>()
      traders.set(number, own.set(id, (own.get(id) ?? 0) + 1))
    }
  }
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, one) => total + one, 0)
  const counts = [...traders.values()].map((own) => [...own.values()])
  return {
    traders: traders.size,
    ids: ids.size,
    records: sum(counts.map(sum)),
    /** Of the records of a trader those with its most frequent identity. */
    records_with_usual_id: sum(counts.map((own) => Math.max(...own))) / sum(counts.map(sum)),
    ids_of_several_traders: [...ids.values()].filter((some) => some.size > 1).length
  }
}

export const measure = (records: number) => {
  const trade = Trade.make({ records })
  return { kinds: spellingsOf(trade, Math.min(trade.traders, 2000)), traders: tradersOf(trade) }
}
