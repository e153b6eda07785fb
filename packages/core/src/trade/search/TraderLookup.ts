/** Which traders a name means, for whoever has the store at hand. */
import { Effect } from "effect"
import type { Candidate } from "../TradeAnswer.ts"
import * as TraderSearch from "../TraderSearch.ts"
import { TradeStore, type TradeStoreError } from "../TradeStore.ts"

export interface Named {
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
}

export interface Match {
  readonly candidate: Candidate
  /** 0 to 1, from `TraderMatch.THRESHOLD`. */
  readonly score: number
}

/** How many are told. */
const most = 20

/** The traders that the name means, the likeliest first. */
export const find = (
  store: TradeStore["Service"],
  { country, name }: Named
): Effect.Effect<ReadonlyArray<Match>, TradeStoreError> =>
  TraderSearch.find({ name, country, tax_id: null }).pipe(
    Effect.provideService(TradeStore, store),
    Effect.map((found) => found.slice(0, most).map(({ match, trader }) => ({ candidate: trader, score: match.score })))
  )
