/** Which traders may be meant by a name: by the keys that an index holds. */
import { ALIASES, type Candidate, type KeyCounts } from "../TradeAnswer.ts"
import type { CandidatesQuestion } from "../TradeQuestion.ts"
import type { TradeRole } from "../TradeRole.ts"
import * as TraderKeys from "../TraderKeys.ts"
import * as TradeRow from "../TradeRow.ts"
import type { Rows } from "./Records.ts"
import { byName, frequent, groups } from "./Sums.ts"
import { named, parties } from "./Traders.ts"

const roles: ReadonlyArray<TradeRole> = ["importer", "exporter"]

/** Under a key: how many records name a trader so, and in which countries. */
interface Named {
  readonly records: number
  readonly countries: ReadonlySet<string | null>
}

interface Keyed {
  readonly trader_id: string
  readonly own: Rows
  readonly keys: ReadonlyMap<string, Named>
}

/** Every trader with its records and the keys of all its parties; read once for the rows of a store. */
const keyed = (rows: Rows): ReadonlyArray<Keyed> => {
  const known = read.get(rows) ?? keyedAnew(rows)
  read.set(rows, known)
  return known
}

const read = new WeakMap<Rows, ReadonlyArray<Keyed>>()

const keysOf = (own: Rows, trader_id: string): ReadonlyMap<string, Named> => {
  const keys = new Map<string, Named>()
  for (const party of parties(own, trader_id))
    for (const key of TraderKeys.of(party)) {
      const before = keys.get(key)
      keys.set(key, {
        records: (before?.records ?? 0) + 1,
        countries: new Set([...(before?.countries ?? []), party.country])
      })
    }
  return keys
}

const keyedAnew = (rows: Rows): ReadonlyArray<Keyed> => {
  const byTrader = groups(rows, (row) => roles.flatMap((role) => TradeRow.traderId(row, role) ?? []))
  return [...byTrader].map(([trader_id, own]) => ({ trader_id, own, keys: keysOf(own, trader_id) }))
}

export const keyCounts = (rows: Rows, keys: ReadonlyArray<string>): KeyCounts => {
  const traders = keyed(rows)
  const counts = new Map<string, number>()
  for (const key of new Set(keys)) {
    const count = traders.filter((trader) => trader.keys.has(key)).length
    if (count > 0) counts.set(key, count)
  }
  return { traders: traders.length, counts }
}

const candidate = (own: Rows, trader_id: string): Candidate => {
  const all = parties(own, trader_id)
  const name = named(own, trader_id)
  return {
    ...name,
    aliases: frequent(all.map((party) => party.name))
      .filter((alias) => alias !== name.name)
      .slice(0, ALIASES),
    tax_ids: frequent(all.map(({ tax_id }) => tax_id)).slice(0, ALIASES),
    trade_count: own.length
  }
}

/** The traders that share keys, those that share what is rare first. */
export const of = (rows: Rows, { country, keys, limit }: CandidatesQuestion): ReadonlyArray<Candidate> =>
  keyed(rows)
    .map((trader) => {
      const shared = keys.flatMap(({ key, weight }) => {
        const named = trader.keys.get(key)
        return named === undefined ? [] : [{ weight, ...named }]
      })
      return {
        trader,
        weight: shared.reduce((sum, { weight }) => sum + weight, 0),
        isHome: Number(country !== null && shared.some(({ countries }) => countries.has(country))),
        records: Math.max(0, ...shared.map(({ records }) => records))
      }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted(
      (a, b) =>
        b.weight - a.weight ||
        b.isHome - a.isHome ||
        b.records - a.records ||
        byName(a.trader.trader_id, b.trader.trader_id)
    )
    .slice(0, limit)
    .map(({ trader }) => candidate(trader.own, trader.trader_id))
