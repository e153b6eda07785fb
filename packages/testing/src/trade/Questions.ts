/**
 * Questions about a data set, drawn by chance from what is in it, for holding two stores against each other: each is asked
 * the same, and the answers have to be alike. Some ask for what is not there, or for what nobody would ask.
 */
import {
  type TradeAnswer,
  TradeFilter,
  type TradeQuestion,
  type TradeRecord,
  TraderKeys,
  type TradeStore
} from "@lading/core/trade"
import { Effect } from "effect"
import { Dice } from "./Dice.ts"

type Store = TradeStore.TradeStore["Service"]
type Record = TradeRecord.TradeRecord

/** A question with what to say when the answers differ. */
export interface Question {
  readonly name: string
  readonly ask: (store: Store) => Effect.Effect<unknown, TradeStore.TradeStoreError>
}

/** What questions may be about: some records of the data set and traders of it. */
export interface Subject {
  readonly records: readonly [Record, ...ReadonlyArray<Record>]
  readonly trader_ids: readonly [string, ...ReadonlyArray<string>]
}

/** What comes from outside may be anything, and is only ever text. */
const hostile = ["' OR 1=1 --", "%", "\\", "\u0000", "zz{x:String}", "🚢", "a".repeat(5000)] as const

const firstWord = (text: string | null): string => text?.split(/\s+/)[0] ?? "nothing"

const span = (value: number | null): TradeFilter.Span => ({ least: value === null ? null : value / 3, most: value })

const listOf = (value: string | null): ReadonlyArray<string> => (value === null ? [] : [value])

/** One part of a filter, each holding for the record that it was drawn from. */
const parts: readonly [Part, ...ReadonlyArray<Part>] = [
  (record) => ({ product: firstWord(record.description) }),
  (record) => ({ hs_prefix: (record.hs_code ?? "09").slice(0, 2) }),
  (record) => ({ hs_prefix: record.hs_code }),
  (record) => ({ flow: record.flow }),
  (record) => ({ importer: firstWord(record.importer.name) }),
  (record) => ({ exporter: record.exporter.name }),
  (record) => ({ origin_countries: listOf(record.origin_country) }),
  (record) => ({ destination_countries: [...listOf(record.destination_country), "AQ"] }),
  (record) => ({ exporter_countries: listOf(record.exporter.country ?? record.origin_country) }),
  (record) => ({ ports: listOf(record.port_of_loading).map((port) => port.toLowerCase()) }),
  (record) => ({ transport: record.transport === null ? [] : [record.transport] }),
  (record) => ({ from: record.date }),
  (record) => ({ to: record.date }),
  (record) => ({ weight_kg: span(record.gross_kg) }),
  (record) => ({ amount_usd: span(record.amount_usd) }),
  (_, trader_id) => ({ importer_ids: [trader_id, "nobody"] }),
  (_, trader_id) => ({ exporter_ids: [trader_id] }),
  (_, trader_id) => ({ trader: { trader_id, role: null } }),
  (_, trader_id) => ({ trader: { trader_id, role: "importer" } })
]

type Part = (record: Record, trader_id: string) => Partial<TradeFilter.TradeFilter>

const filterOf = (dice: Dice, { records, trader_ids }: Subject): TradeFilter.TradeFilter => {
  const record = dice.pick(records)
  const trader_id = dice.pick(trader_ids)
  const [one, two, three] = Array.from({ length: dice.below(4) }, () => dice.pick(parts)(record, trader_id))
  const words = dice.maybe(0.08) ? { product: dice.pick(hostile), importer: dice.pick(hostile) } : {}
  return { ...TradeFilter.all, ...words, ...one, ...two, ...three }
}

const windowOf = (dice: Dice): TradeQuestion.Window => ({
  page: 1 + dice.below(4),
  limit: dice.pick([1, 5, 20, 100])
})

const datesOf = (dice: Dice, { records }: Subject): TradeQuestion.Dates => {
  const [one, another] = [dice.pick(records).date, dice.pick(records).date].toSorted()
  return { from: dice.maybe(0.5) ? (one ?? null) : null, to: dice.maybe(0.5) ? (another ?? null) : null }
}

const roleOf = (dice: Dice) => dice.pick(["importer", "exporter"] as const)

const traderOf = (dice: Dice, { trader_ids }: Subject): string =>
  dice.maybe(0.05) ? dice.pick(hostile) : dice.pick(trader_ids)

const granularityOf = (dice: Dice) => dice.pick(["month", "quarter", "year"] as const)

type Draw = (dice: Dice, subject: Subject) => Question

/** A question that takes one value, with that value in its name. */
const question = <Q>(
  name: string,
  value: Q,
  ask: (store: Store, value: Q) => ReturnType<Question["ask"]>
): Question => ({
  name: `${name} ${JSON.stringify(value).slice(0, 600)}`,
  ask: (store) => ask(store, value)
})

const ofTrader = (dice: Dice, subject: Subject): TradeQuestion.TraderListQuestion => ({
  trader_id: traderOf(dice, subject),
  role: roleOf(dice),
  window: windowOf(dice),
  ...datesOf(dice, subject)
})

const aboutTraders: ReadonlyArray<Draw> = [
  (dice, subject) => {
    const of = Array.from({ length: 1 + dice.below(5) }, () => ({
      trader_id: traderOf(dice, subject),
      role: roleOf(dice)
    }))
    return question("status", of, (store, value) => store.status(value))
  },
  (dice, subject) => question("details", traderOf(dice, subject), (store, value) => store.details(value)),
  (dice, subject) => {
    const ids = [traderOf(dice, subject), traderOf(dice, subject)]
    const role = roleOf(dice)
    return question(`totals of ${role}s`, ids, (store, value) => store.totals(value, role))
  },
  (dice, subject) => question("partners", ofTrader(dice, subject), (store, value) => store.partners(value)),
  (dice, subject) => question("regions", ofTrader(dice, subject), (store, value) => store.regions(value)),
  (dice, subject) => question("keywords", ofTrader(dice, subject), (store, value) => store.keywords(value)),
  (dice, subject) => {
    const value = { ...ofTrader(dice, subject), level: dice.pick([2, 4, 6] as const) }
    return question("hsCodes", value, (store, asked) => store.hsCodes(asked))
  },
  (dice, subject) => {
    const value = { ...ofTrader(dice, subject), granularity: granularityOf(dice) }
    return question("trends", value, (store, asked) => store.trends(asked))
  },
  (dice, subject) => {
    const name = dice.maybe(0.5) ? firstWord(dice.pick(subject.records).importer.name) : null
    const role = dice.maybe(0.5) ? roleOf(dice) : null
    const value = { filter: filterOf(dice, subject), role, name, window: windowOf(dice) }
    return question("traders", value, (store, asked) => store.traders(asked))
  }
]

/** The first pages of a list of records, read on from cursor to cursor. */
const walk = (asked: TradeQuestion.RecordsQuestion) =>
  Effect.fnUntraced(function* (store: Store) {
    const pages = []
    let after: TradeQuestion.Cursor | null = null
    do {
      const page: TradeAnswer.RecordPage = yield* store.records({ ...asked, after })
      pages.push(page)
      after = page.next
    } while (after !== null && pages.length < 6)
    return pages
  })

const recordsOf = (dice: Dice, subject: Subject): TradeQuestion.RecordsQuestion => {
  const sort = { by: dice.pick(["date", "amount", "weight"] as const), order: dice.pick(["asc", "desc"] as const) }
  return { filter: filterOf(dice, subject), sort, window: windowOf(dice), after: null }
}

/** All of one trader, on a side or on either, or what of it says one thing more. */
const filterOfOne = (dice: Dice, subject: Subject): TradeFilter.TradeFilter => {
  const trader_id = dice.pick(subject.trader_ids)
  const more = dice.maybe(0.5) ? dice.pick(parts)(dice.pick(subject.records), trader_id) : {}
  return { ...TradeFilter.all, ...more, trader: { trader_id, role: dice.maybe(0.5) ? roleOf(dice) : null } }
}

const aboutRecordsOfTraders: ReadonlyArray<Draw> = [
  (dice, subject) => {
    const value = { ...recordsOf(dice, subject), filter: filterOfOne(dice, subject) }
    return question("records", value, (store, asked) => store.records(asked))
  },
  (dice, subject) => {
    const value = { filter: filterOfOne(dice, subject), window: windowOf(dice) }
    return question("portStatistics", value, (store, asked) => store.portStatistics(asked))
  }
]

const aboutMarkets: ReadonlyArray<Draw> = [
  (dice, subject) => question("records", recordsOf(dice, subject), (store, asked) => store.records(asked)),
  (dice, subject) => question("walk", recordsOf(dice, subject), (store, asked) => walk(asked)(store)),
  (dice, subject) => {
    const product = firstWord(dice.pick(subject.records).description)
    const value = { product, role: roleOf(dice), ...datesOf(dice, subject) }
    return question("marketTrend", value, (store, asked) => store.marketTrend(asked))
  },
  (dice, subject) => {
    const all = ["month", "hs", "country", "port", "company", "transport"] as const
    const group_by = all.filter(() => dice.maybe(0.3)).slice(0, 3)
    const value = {
      filter: filterOf(dice, subject),
      group_by: group_by.length === 0 ? [dice.pick(all)] : group_by,
      hs_level: dice.pick([2, 4, 6] as const),
      window: windowOf(dice)
    }
    return question("statistics", value, (store, asked) => store.statistics(asked))
  },
  (dice, subject) => {
    const value = { filter: filterOf(dice, subject), role: roleOf(dice), window: windowOf(dice) }
    return question("companyStatistics", value, (store, asked) => store.companyStatistics(asked))
  },
  (dice, subject) => {
    const value = { filter: filterOf(dice, subject), window: windowOf(dice) }
    return question("portStatistics", value, (store, asked) => store.portStatistics(asked))
  },
  (dice, subject) => {
    const { description, destination_country, hs_code } = dice.pick(subject.records)
    const value = {
      product: dice.maybe(0.5) ? firstWord(description) : null,
      hs_prefix: dice.maybe(0.5) ? (hs_code?.slice(0, 4) ?? null) : null,
      country: dice.maybe(0.5) ? destination_country : null,
      granularity: granularityOf(dice),
      ...datesOf(dice, subject)
    }
    return question("procurement", value, (store, asked) => store.procurement(asked))
  },
  (dice, subject) => {
    const product = dice.maybe(0.5) ? firstWord(dice.pick(subject.records).description) : null
    const value = { role: roleOf(dice), product, ...datesOf(dice, subject) }
    return question("worldRegions", value, (store, asked) => store.worldRegions(asked))
  },
  () => ({ name: "coverage", ask: (store) => store.coverage })
]

/** Index keys of a party, and one that nobody has. */
const keysOf = (dice: Dice, subject: Subject): ReadonlyArray<string> => {
  const { exporter, importer } = dice.pick(subject.records)
  return [...TraderKeys.of(dice.maybe(0.5) ? importer : exporter), "=nobody at all"]
}

const aboutNames: ReadonlyArray<Draw> = [
  (dice, subject) =>
    question("keyCounts", keysOf(dice, subject), (store, keys) =>
      Effect.map(store.keyCounts(keys), ({ counts, traders }) => ({ traders, counts: Object.fromEntries(counts) }))
    ),
  (dice, subject) => {
    const keys = keysOf(dice, subject).map((key, index) => ({ key, weight: 1 + (index % 3) }))
    const country = dice.maybe(0.5) ? dice.pick(subject.records).importer.country : null
    return question("candidates", { keys, country, limit: dice.pick([1, 5, 200] as const) }, (store, asked) =>
      store.candidates(asked)
    )
  }
]

const draws = [...aboutTraders, ...aboutRecordsOfTraders, ...aboutMarkets, ...aboutNames]

/** So many questions, every kind in turn; the same for the same seed. */
export const questions = (subject: Subject, count: number, seed = 1): ReadonlyArray<Question> =>
  Array.from({ length: count }, (_, index) => draws[index % draws.length]).flatMap((draw, index) =>
    draw === undefined ? [] : [draw(new Dice().of(seed, 41, index), subject)]
  )

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

const members = (value: unknown): ReadonlyMap<string, unknown> | null =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null

/**
 * Where two answers differ first, as a path (`.list.0.weight_kg`), or `null` where they do not. Numbers may differ by a
 * billionth: sums depend a little on the order in which they were added.
 */
export const difference = (a: unknown, b: unknown, path = ""): string | null => {
  if (typeof a === "number" && typeof b === "number") return isClose(a, b) ? null : path
  const [some, others] = [members(a), members(b)]
  if (some === null || others === null) return Object.is(a, b) ? null : path
  if (Array.isArray(a) !== Array.isArray(b)) return path
  for (const key of new Set([...some.keys(), ...others.keys()])) {
    const found = difference(some.get(key), others.get(key), `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}
