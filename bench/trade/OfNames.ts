/** Who is meant by a name: keys, candidates and comparing them, in the order in which an endpoint does it. */
import { TradeStore, TraderSearch } from "@lading/core/trade"
import { Effect } from "effect"
import * as Question from "./Question.ts"
import { at, type Subject } from "./Subject.ts"

export const questions = ({ companies }: Subject): ReadonlyArray<Question.Question> => [
  Question.make({
    name: "match a name",
    about: "company",
    ours: (store, index) => {
      const wanted = { name: at(companies, index).name, country: null, tax_id: null }
      return Effect.provideService(TraderSearch.find(wanted), TradeStore.TradeStore, store)
    },
    counts: (found) => found.map(({ trader }) => trader.trade_count),
    engine: null,
    postgres: null
  })
]
