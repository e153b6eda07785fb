/** Which traders may be meant by a name: by the keys of their parties. */
import { TradeAnswer, type TradeQuestion, type TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import * as Names from "./Names.ts"
import type { Published } from "./Published.ts"
import { ids, int, ints, sql, type Statement, text, texts } from "./Statement.ts"
import * as TraderId from "./TraderId.ts"

const Counted = Schema.Struct({ key: Schema.String, n: Schema.Int })

export const keyCounts =
  (engine: Engine["Service"]) =>
  (
    published: Published,
    keys: ReadonlyArray<string>
  ): Effect.Effect<TradeAnswer.KeyCounts, TradeStore.TradeStoreError> =>
    Effect.map(
      engine.rows(
        Counted,
        sql`SELECT key, toInt64(sum(traders)) AS n FROM key_size
          WHERE key IN ${texts(keys)} AND load <= ${int(published.version)} GROUP BY key HAVING n > 0`
      ),
      (found) => ({ traders: published.traders, counts: new Map(found.map(({ key, n }) => [key, n])) })
    )

const Found = Schema.Struct({ trader: Schema.String })
const Size = Schema.Struct({ trader: Schema.String, records: Schema.Int })

/**
 * Who has the keys, from the index alone: rows of these keys stand side by side, and say in how many records, and where,
 * a trader has one.
 */
const holders = ({ country, keys, limit }: TradeQuestion.CandidatesQuestion, { version }: Published): Statement => {
  const names = keys.map(({ key }) => key)
  const weights = ints(keys.map(({ weight }) => weight))
  const home = country === null ? sql`0` : sql`sumIf(records, country = ${text(country)}) > 0`
  return sql`
    SELECT toString(trader_id) AS trader FROM (
      SELECT key, trader_id, sum(records) AS n, ${home} AS is_home FROM trader_key
      WHERE key IN ${texts(names)} AND load <= ${int(version)} GROUP BY key, trader_id HAVING n > 0
    ) GROUP BY trader_id
    ORDER BY sum(transform(key, ${texts(names)}, ${weights}, toInt64(0))) DESC, max(is_home) DESC, max(n) DESC, trader
    LIMIT ${int(limit)}`
}

export const candidates = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    published: Published,
    question: TradeQuestion.CandidatesQuestion
  ): Effect.fn.Return<ReadonlyArray<TradeAnswer.Candidate>, TradeStore.TradeStoreError> {
    if (question.keys.length === 0) return []
    const found = yield* engine.rows(Found, holders(question, published))
    const wanted = found.map(({ trader }) => trader)
    if (wanted.length === 0) return []
    const [known, sizes] = yield* Effect.all(
      [
        Names.read(engine, published, wanted, ["country", "name", "tax_id"], TradeAnswer.ALIASES + 1),
        engine.rows(
          Size,
          sql`SELECT toString(trader_id) AS trader, toInt64(sum(records)) AS records FROM (
            SELECT trader_id, records FROM trader_total
            WHERE trader_id IN ${ids(TraderId.readAll(wanted))} AND role = 'either' AND load <= ${int(published.version)}
          ) GROUP BY trader_id`
        )
      ],
      { concurrency: 2 }
    )
    const sizeOf = new Map(sizes.map(({ records, trader }) => [trader, records]))
    return wanted.map((trader) => {
      const of = known(trader)
      return {
        ...Names.nameOf(trader, of),
        aliases: of.names.slice(1),
        tax_ids: of.tax_ids.slice(0, TradeAnswer.ALIASES),
        trade_count: sizeOf.get(trader) ?? 0
      }
    })
  })
