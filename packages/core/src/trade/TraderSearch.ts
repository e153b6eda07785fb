/**
 * Finds the traders that a name may mean: candidates by the keys of an index, the rarest first, and of them those that
 * match. Three questions to the store for a name, whatever the number of traders.
 */
import { Effect } from "effect"
import type { Candidate } from "./TradeAnswer.ts"
import * as TraderKeys from "./TraderKeys.ts"
import * as TraderMatch from "./TraderMatch.ts"
import { TradeStore, type TradeStoreError } from "./TradeStore.ts"

/** So many candidates are compared. */
export const CANDIDATES = 200

export interface Found {
  readonly trader: Candidate
  readonly match: TraderMatch.Match
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** 1 for a trader of the country that was asked for. */
const isOf = ({ country }: TraderMatch.Wanted, { trader }: Found): number =>
  country !== null && trader.country === country ? 1 : 0

const namesOf = ({ aliases, name }: Candidate): ReadonlyArray<string> => [name, ...aliases]

/**
 * Traders that match at `least` or better, the best first, of equal ones those with more records. Asked with a country,
 * those of that country come before all others: a namesake of which no country is known is rather another one. None for a
 * placeholder and for a name that only has words of thousands of traders.
 */
export const find = (
  wanted: TraderMatch.Wanted,
  least: number = TraderMatch.THRESHOLD
): Effect.Effect<ReadonlyArray<Found>, TradeStoreError, TradeStore> =>
  Effect.gen(function* () {
    const store = yield* TradeStore
    const keys = TraderKeys.of(wanted)
    if (keys.length === 0) return []
    const chosen = TraderKeys.chosen(yield* store.keyCounts(keys))
    if (chosen.length === 0) return []
    const candidates = yield* store.candidates({ keys: chosen, country: wanted.country, limit: CANDIDATES })
    const words = new Set([wanted.name, ...candidates.flatMap(namesOf)].flatMap(TraderKeys.wordsOf))
    const rarity = TraderMatch.rarityOf(yield* store.keyCounts([...words]))
    return candidates
      .map((trader) => ({ trader, match: TraderMatch.score(wanted, trader, rarity) }))
      .filter(({ match }) => match.score >= least)
      .toSorted(
        (a, b) =>
          isOf(wanted, b) - isOf(wanted, a) ||
          b.match.score - a.match.score ||
          b.trader.trade_count - a.trader.trade_count ||
          byName(a.trader.trader_id, b.trader.trader_id)
      )
  })
