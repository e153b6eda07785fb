/** What traders are called, from the changes of their facts. */
import type { TradeAnswer, TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import type { Published } from "./Published.ts"
import { ids, int, sql, type Statement, texts } from "./Statement.ts"
import * as TraderId from "./TraderId.ts"

type Kind = "address" | "country" | "name" | "tax_id"

const Fact = Schema.Struct({
  trader_id: Schema.String,
  kind: Schema.Literals(["address", "country", "name", "tax_id"]),
  value: Schema.String
})

/** What counts of some kinds of facts of some traders, the most frequent first, equal ones by code point. */
const facts = (
  traders: ReadonlyArray<bigint>,
  kinds: ReadonlyArray<Kind>,
  { version }: Published,
  most: number
): Statement => sql`
  SELECT toString(trader_id) AS trader_id, toString(kind) AS kind, value FROM (
    SELECT trader_id, kind, value, sum(records) AS n FROM trader_fact
    WHERE trader_id IN ${ids(traders)} AND kind IN ${texts(kinds)} AND load <= ${int(version)}
    GROUP BY trader_id, kind, value HAVING n > 0
  ) ORDER BY trader_id, kind, n DESC, value LIMIT ${int(most)} BY trader_id, kind`

export interface Known {
  readonly names: ReadonlyArray<string>
  readonly countries: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
  readonly tax_ids: ReadonlyArray<string>
}

const nothing: Known = { names: [], countries: [], addresses: [], tax_ids: [] }

const member = { name: "names", country: "countries", address: "addresses", tax_id: "tax_ids" } as const

/** By the trader's id; `most` values of each kind. */
export const read = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  published: Published,
  traders: ReadonlyArray<string>,
  kinds: ReadonlyArray<Kind>,
  most: number
): Effect.fn.Return<(trader_id: string) => Known, TradeStore.TradeStoreError> {
  const wanted = TraderId.readAll(traders)
  const found = wanted.length === 0 ? [] : yield* engine.rows(Fact, facts(wanted, kinds, published, most))
  const known = new Map<string, Known>()
  for (const { kind, trader_id, value } of found) {
    const before = known.get(trader_id) ?? nothing
    known.set(trader_id, { ...before, [member[kind]]: [...before[member[kind]], value] })
  }
  return (trader_id) => known.get(trader_id) ?? nothing
})

export const nameOf = (trader_id: string, { countries, names }: Known): TradeAnswer.TraderName => ({
  trader_id,
  name: names[0] ?? trader_id,
  country: countries[0] ?? null
})

/** Names and countries alone. */
export const named = (engine: Engine["Service"], published: Published, traders: ReadonlyArray<string>) =>
  Effect.map(
    read(engine, published, traders, ["country", "name"], 1),
    (known) => (trader_id: string) => nameOf(trader_id, known(trader_id))
  )
